"""The graph's state: every field, who writes it, and how long it lives.

Fields of a *thread* stay from turn to turn; fields of a *turn* are set anew when a turn begins, so nothing
of an earlier turn can leak into a reply. Values are plain JSON (records are dumped), so a checkpoint can be
read without this code. A field that parallel nodes write has a reducer.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from langgraph.types import Overwrite
from typing_extensions import TypedDict

Json = dict[str, Any]


def merge_dicts(left: Json, right: Json) -> Json:
    """Reducer for a dictionary that parallel branches fill, each under its own key."""
    return {**left, **right}


@dataclass(frozen=True)
class Field:
    """One field: its type (with its reducer), the nodes that write it, and its value in a fresh turn."""

    type: Any
    writers: tuple[str, ...]
    fresh: Any = None
    thread: bool = False


# Tool loops beside the hotels' own, with their tool nodes
LOOPS = {"reservation": "reservation_tools", "web_search": "web_search_tools", "direct": "recall_tools"}


def message_key(loop: str) -> str:
    """The state key of one tool loop's messages; its tool node and its route condition use the same."""
    return f"messages_{loop}"


def fields(branches: Sequence[str]) -> dict[str, Field]:
    """All fields of a desk with these branches."""
    branch_nodes = tuple(f"{b}_done" for b in branches)
    writers = ("merge", "reservation", "web_search", "direct", "to_staff", "coordinator")
    table = {
        # --- of the thread
        "messages": Field(
            Annotated[list[AnyMessage], add_messages],
            ("fold_history", "identify", "translate_out"),
            thread=True,
        ),
        "summary": Field(str, ("fold_history",), thread=True),
        "language": Field(str, ("translate_in",), thread=True),
        "stay": Field(
            Json, ("identify", "reservation"), thread=True
        ),  # Stay: what the guest has asked for so far
        "stated_dates": Field(list[str], ("identify",), thread=True),  # the dates their words ground
        "name": Field(str, ("identify",), thread=True),  # the name a booking goes under
        "called": Field(str, ("identify",), thread=True),  # how the guest wants to be addressed
        "guest": Field(Json | None, ("identify",), thread=True),  # whom the thread is verified for
        # Fact: the option the guest picked; id of the offer they confirmed
        "pick": Field(Json | None, ("identify", "reservation", "translate_out"), thread=True),
        "picks": Field(
            list[Json], ("identify", "reservation", "translate_out"), thread=True
        ),  # all that were picked
        "tries": Field(Json, ("identify",), thread=True),  # wrong references in a row, and until when to wait
        "confirmed": Field(str | None, ("identify", "reservation", "translate_out"), thread=True),
        "offer": Field(
            Json | None, ("identify", "reservation", "translate_out"), thread=True
        ),  # the offer that stands
        "options": Field(
            list[Json], ("identify", "translate_out"), thread=True
        ),  # Facts: rooms offered in the last listing
        "asked": Field(
            str | None, ("translate_out",), thread=True
        ),  # what the desk asked last: pick|name|dates|confirm
        "last_task": Field(str, ("translate_out",), thread=True),  # the last accepted task, for follow-ups
        # --- of the turn
        "text": Field(str, ("START",), ""),
        "english": Field(str, ("translate_in",), ""),
        "covered": Field(bool, ("translate_in",), True),  # False: the translator could not read it
        "tone": Field(str | None, ("translate_in", "coordinator"), None),
        "sentiment": Field(Json, ("mood", "coordinator"), {}),
        "folded": Field(int, ("fold_history",), 0),
        "ask": Field(
            Json, ("identify",), {}
        ),  # what this message gave: fresh fields, superlative, during_stay
        "answer": Field(str | None, ("identify",), None),  # yes | no, in the guest's own words or by a button
        "handoffs": Field(list[Json], ("coordinator", "return_check"), []),
        "current": Field(int | None, ("coordinator", "return_check"), None),  # index of the handoff at work
        "rounds": Field(int, ("coordinator",), 0),  # times the coordinator's model was asked
        # Seconds that each branch has taken of its time limit
        "branch_spent": Field(Annotated[Json, merge_dicts], ("mapper", *branches), {}),
        "branch_status": Field(Annotated[Json, merge_dicts], branch_nodes, {}),
        "facts": Field(
            Annotated[list[Json], operator.add],
            (*branch_nodes, "reservation", "web_search", "direct", "to_staff"),
            [],
        ),
        "drafts": Field(list[Json], (*writers, "checker", "rewrite"), []),
        "requests": Field(list[Json], ("to_staff",), []),
        "booking": Field(Json | None, ("reservation",), None),
        "checks": Field(Json, ("checker", "rewrite", "translate_out"), {}),
        "verdict": Field(str, ("checker",), ""),
        "reply_english": Field(str, ("translate_out",), ""),
        "reply": Field(str, ("translate_out",), ""),
        "stated": Field(list[Json], ("translate_out",), []),
    }
    for branch in branches:
        table[message_key(branch)] = Field(
            Annotated[list[AnyMessage], add_messages], ("mapper", branch, f"{branch}_tools"), []
        )
    for loop, tools in LOOPS.items():
        table[message_key(loop)] = Field(Annotated[list[AnyMessage], add_messages], (loop, tools), [])
    return table


def state_type(branches: Sequence[str]) -> type:
    """The TypedDict of a desk with these branches, one message key for each."""
    return TypedDict(  # type: ignore[operator, no-any-return]
        "State", {name: field.type for name, field in fields(branches).items()}, total=False
    )


def fresh_turn(branches: Sequence[str], text: str) -> dict[str, Any]:
    """The input with which a turn begins: the guest's text, and every field of a turn set anew."""
    start: dict[str, Any] = {}
    for name, field in fields(branches).items():
        if field.thread:
            continue
        reduced = hasattr(field.type, "__metadata__")
        value = list(field.fresh) if isinstance(field.fresh, list) else field.fresh
        start[name] = Overwrite(value) if reduced else value
    return {**start, "text": text}
