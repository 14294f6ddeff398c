"""The Turn object: everything about one guest message and what the desk did with it.

This is the contract with everything outside the desk (command line, pages, evaluation). Times are
seconds, dates ISO, money numbers with `currency`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from desk.records import Booking, Fact, Offer, StaffRequest

Route = Literal["hotels", "reservation", "web", "direct", "staff"]
Tone = Literal["calm", "upset", "angry", "sarcastic"]
Label = Literal["negative", "neutral", "positive"]
Status = Literal["ok", "empty", "failed", "timed_out"]


class Sentiment(BaseModel):
    """TextBlob's score of the English text, and the tone beside it."""

    polarity: float = 0.0
    label: Label = "neutral"
    words: list[str] = Field(default_factory=list)
    tone: Tone = "calm"
    deescalate: bool = False


class HandoffRecord(BaseModel):
    """One handoff as it was asked for, what code said to it, and how it ended."""

    model_config = {"populate_by_name": True}

    from_: str = Field("coordinator", alias="from")
    destination: str
    reason: str = ""
    task: str = ""
    completion_criteria: str = ""
    evidence_refs: list[str] = Field(default_factory=list)
    authorization_ref: str | None = None
    return_to: str = ""
    accepted: bool = False
    refused_because: str | None = None
    status: str | None = None


class BranchMessage(BaseModel):
    """One message of a branch, as panels show it."""

    role: Literal["human", "ai", "tool", "system"]
    text: str
    tool_calls: list[dict[str, Any]] | None = None


class BranchLog(BaseModel):
    """What one branch did this turn."""

    status: Status
    messages: list[BranchMessage] = Field(default_factory=list)


class Source(BaseModel):
    """Where a quoted text comes from; `url` is empty for the desk's own guide."""

    title: str
    url: str = ""


class Checks(BaseModel):
    """What the checker found; None where there was nothing to check. `plain`: a rewrite did not pass either,
    and the reply is the fact lines alone."""

    grounded: bool | None = None
    translated: bool | None = None
    retries: int = 0
    plain: bool = False
    problems: list[str] = Field(default_factory=list)


class ModelUse(BaseModel):
    """Model calls and tokens of the turn, and what they cost by the desk's price table.

    `cost` is None without a table, and when a model answered that the table does not have: it is never guessed.
    """

    name: str = ""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    currency: str | None = None


class NodeTime(BaseModel):
    """One run of one node: when it began, counted from the turn's start, and how long it took."""

    name: str
    start: float
    seconds: float


class Turn(BaseModel):
    """One turn: what came in, what every agent did, what was stated, checked and sent.

    `route` is the first accepted handoff's, `facts` the records stated in the reply, `offer` what stands after
    the turn, `booking` what was written in it, `problem` why it ended in an honest failure.
    """

    model_config = {"populate_by_name": True}

    thread: str
    turn: int
    text: str
    language: str = "en"
    english: str = ""
    sentiment: Sentiment = Field(default_factory=Sentiment)
    route: Route = "direct"
    routes: list[Route] = Field(default_factory=list)
    handoffs: list[HandoffRecord] = Field(default_factory=list)
    branches: dict[str, BranchLog] = Field(default_factory=dict)
    facts: list[Fact] = Field(default_factory=list)
    sources: list[Source] = Field(default_factory=list)
    offer: Offer | None = None
    booking: Booking | None = None
    requests: list[StaffRequest] = Field(default_factory=list)
    checks: Checks = Field(default_factory=Checks)
    folded: int = 0
    summary: str = ""
    memory: list[str] = Field(default_factory=list)
    reply_english: str = ""
    reply: str = ""
    procedures: dict[str, str] = Field(default_factory=dict)
    model: ModelUse = Field(default_factory=ModelUse)
    nodes: list[NodeTime] = Field(default_factory=list)
    seconds: float = 0.0
    problem: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The Turn as plain JSON values, with the contract's own names."""
        return self.model_dump(mode="json", by_alias=True)
