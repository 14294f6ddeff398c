"""Handoffs: how control moves from the coordinator to an agent, and the checks that let one through.

The coordinator proposes (`Handoff`, a model's structured output); code accepts or refuses (`refusal`). A
refused handoff loads no evidence and runs nothing; the guest is asked a clarifying question instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from desk.turn import Tone

DESTINATIONS: Mapping[str, str] = {
    "hotels": "mapper",
    "reservation": "reservation",
    "web": "web_search",
    "direct": "direct",
    "staff": "to_staff",
}
RETURN_ROUTES = frozenset({"return_check"})
CRITERIA: Mapping[str, str] = {
    "hotels": "every hotel asked has answered",
    "reservation": "the reservation step is answered",
    "web": "the search has an answer",
    "direct": "the guest has an answer",
    "staff": "the request is recorded",
}
MAX_EVIDENCE = 4_000  # characters that one handoff may carry: about a thousand tokens
# Which kinds of evidence a destination may read. The web learns nothing of bookings or of the guest.
READABLE: Mapping[str, frozenset[str]] = {
    "hotels": frozenset({"turn", "stay", "guest"}),
    "reservation": frozenset({"turn", "stay", "guest", "pick", "offer"}),
    "web": frozenset({"turn"}),
    "direct": frozenset({"turn", "stay", "guest", "offer"}),
    "staff": frozenset({"turn", "stay", "guest", "offer"}),
}

NO_PICK = "the guest has not picked a room yet"
NOT_CONFIRMED = "the guest has not confirmed the offer that stands"
NO_OFFER = "no offer stands"
NOT_VERIFIED = "the guest is not verified"

Action = Literal["look", "offer", "change", "cancel", "book", "decline", "own_stay", "none"]


class Handoff(BaseModel):
    """One proposed handoff. `action` says what the destination is asked to do; it decides what authorization
    is needed and which tools are granted."""

    destination: str = Field(description="hotels, reservation, web, direct or staff")
    reason: str = Field(description="why this destination, in a few words")
    task: str = Field(description="what it is to find out or do, in English")
    completion_criteria: str = Field(description="when the task is done, from the list given")
    evidence_refs: list[str] = Field(default_factory=list, description="ids of the evidence it needs")
    authorization_ref: str | None = Field(None, description="the pick, offer or guest that allows it")
    return_to: str = Field("return_check", description="always return_check")
    action: Action = "none"
    hotels: list[str] = Field(default_factory=list, description="hotel ids to ask; empty: all")
    request_kind: str | None = Field(None, description="for staff: what kind of request")


class Routing(BaseModel):
    """The coordinator's answer: one to three handoffs, and the tone of an English message."""

    handoffs: list[Handoff] = Field(min_length=0, max_length=3)
    tone: Tone | None = None


@dataclass(frozen=True)
class Desk:
    """What the checks know of the thread: its evidence by ref, and what authorizes what."""

    evidence: Mapping[str, str]
    authorizations: frozenset[str]
    hotels: frozenset[str]


Check = Callable[[Handoff, Desk], str | None]


def known_destination(handoff: Handoff, desk: Desk) -> str | None:
    """The destination is one of the desk's five, and the hotels named are its own."""
    if handoff.destination not in DESTINATIONS:
        return "no such destination"
    return None if desk.hotels.issuperset(handoff.hotels) else "no such hotel"


def texts_given(handoff: Handoff, desk: Desk) -> str | None:
    """Reason, task and completion criteria say something."""
    texts = (handoff.reason, handoff.task, handoff.completion_criteria)
    return (
        None if all(text.strip() for text in texts) else "reason, task and completion criteria are required"
    )


def criteria_known(handoff: Handoff, desk: Desk) -> str | None:
    """The completion criterion is one that code can compare with what comes back."""
    expected = CRITERIA.get(handoff.destination)
    return None if handoff.completion_criteria in (expected, "") else "this criterion cannot be checked"


def return_allowed(handoff: Handoff, desk: Desk) -> str | None:
    """The way back is the one that the graph checks."""
    return None if handoff.return_to in RETURN_ROUTES else "this return route is not allowed"


def evidence_exists(handoff: Handoff, desk: Desk) -> str | None:
    """Every evidence ref is one of the thread's own."""
    missing = [ref for ref in handoff.evidence_refs if ref not in desk.evidence]
    return f"no such evidence: {missing[0]}" if missing else None


def evidence_readable(handoff: Handoff, desk: Desk) -> str | None:
    """The destination may read this kind of evidence."""
    allowed = READABLE.get(handoff.destination, frozenset())
    barred = [ref for ref in handoff.evidence_refs if ref.partition(":")[0] not in allowed]
    return f"{handoff.destination} may not read {barred[0]}" if barred else None


def evidence_small(handoff: Handoff, desk: Desk) -> str | None:
    """All evidence together stays under the size limit."""
    size = sum(len(desk.evidence.get(ref, "")) for ref in handoff.evidence_refs)
    return None if size <= MAX_EVIDENCE else "the evidence is too large"


def authorized(handoff: Handoff, desk: Desk) -> str | None:
    """A booking step needs the thread's own pick or offer; a guest's own stay needs a verified guest."""
    needs = {
        "offer": "pick",
        "book": "confirmed",
        "decline": "offer",
        "own_stay": "guest",
        "change": "guest",
        "cancel": "guest",
    }.get(handoff.action)
    if handoff.destination == "reservation" and needs is None:
        return "a reservation step must say what it is to do"
    if needs is None:
        return None
    ref = handoff.authorization_ref or ""
    if ref in desk.authorizations and ref.partition(":")[0] == needs:
        return None
    return {"pick": NO_PICK, "confirmed": NOT_CONFIRMED, "offer": NO_OFFER, "guest": NOT_VERIFIED}[needs]


CHECKS: tuple[Check, ...] = (
    known_destination,
    texts_given,
    criteria_known,
    return_allowed,
    evidence_exists,
    evidence_readable,
    evidence_small,
    authorized,
)


def refusal(handoff: Handoff, desk: Desk, checks: tuple[Check, ...] = CHECKS) -> str | None:
    """Why this handoff is refused, or None when it may run."""
    return next((why for check in checks if (why := check(handoff, desk))), None)


def asked_hotels(state: Mapping[str, Any], order: Sequence[str]) -> list[str]:
    """The branches that the handoff at work asks, in priority order; all when it names none."""
    handoff = state["handoffs"][state["current"]]
    return [branch for branch in order if not handoff["hotels"] or branch in handoff["hotels"]]
