"""reservation: makes the offer for the guest's pick, and books the offer that the guest confirmed."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AnyMessage
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime

from desk.briefing import blocks
from desk.context import TurnContext
from desk.drafts import draft
from desk.grounding import mark
from desk.records import make_fact
from desk.state import message_key
from desk.tools.loop import Step, take_step
from desk.tools.reservation import granted
from desk.tools.results import content_of

NAME = "reservation"


def make_reservation(tools: list[BaseTool]) -> Step:
    """The reservation agent; it sees only the tools that its handoff grants."""

    def reservation(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
        context = runtime.context
        handoff = state["handoffs"][state["current"]]
        allowed = [tool for tool in tools if tool.name in granted(state)]
        added, facts, text = take_step(state, context, NAME, "reservation", _briefing(state), allowed)
        changed = _changes(state[message_key(NAME)], state)
        if text is None:
            return {message_key(NAME): added, **changed}
        if handoff["action"] == "book" and not facts and not changed and _has_name(state):
            # The write tool failed: the guest hears that nothing is booked, whatever the model says.
            facts = [make_fact(context.turn, "booking_failed", status="failed")]
            text = mark(facts)
            changed = {"confirmed": None}  # a yes is spent on what it could not do; the next one is asked for
        return {
            message_key(NAME): added,
            "facts": [fact.model_dump(mode="json") for fact in facts],
            "drafts": [
                *state["drafts"],
                draft(NAME, text, facts, lead=_thanks(changed), frame=_frame(state, changed)),
            ],
            **changed,
        }

    return reservation


def _briefing(state: dict[str, Any]) -> str:
    handoff = state["handoffs"][state["current"]]
    return blocks(
        offer=state.get("offer"),
        pick=state.get("pick"),
        name=state.get("name") or None,
        message=state["english"],
        action=handoff["action"],
        task=handoff["task"],
        completion_criteria=handoff["completion_criteria"],
    )


def _changes(messages: list[AnyMessage], state: dict[str, Any]) -> dict[str, Any]:
    """What the tools changed: the offer that stands, and the booking that was written."""
    changed: dict[str, Any] = {}
    for message in messages:
        content = content_of(message)
        if "offer" in content:
            changed["offer"] = content["offer"]
            changed["confirmed"] = None
        if content.get("booking"):
            changed["booking"] = content["booking"]
            changed["pick"] = None
            changed["picks"] = []
            changed["stay"] = {}  # what was asked for is settled; the next wish begins anew
    return changed


def _thanks(changed: dict[str, Any]) -> str | None:
    """A new booking is thanked for, by code: after the write no model is asked."""
    booked = (changed.get("booking") or {}).get("status") == "booked"
    return "booking.thanks" if booked else None


def _has_name(state: dict[str, Any]) -> bool:
    """Whether the offer that stands can be carried out as far as a name is needed for it."""
    offer = state.get("offer") or {}
    return bool(state.get("name")) or offer.get("action", "book") != "book"


def _frame(state: dict[str, Any], changed: dict[str, Any]) -> str | None:
    """The question that code puts at the end: what a tool asks for, a missing name, or whether to go on."""
    asks = [str(content["ask"]) for m in state[message_key(NAME)] if "ask" in (content := content_of(m))]
    if asks:
        return asks[-1]
    stands = changed["offer"] if "offer" in changed else state.get("offer")
    if changed.get("booking") or not stands:
        return None
    if stands.get("action", "book") != "book":
        return f"confirm_{stands['action']}"
    return "confirm_offer" if state.get("name") else "ask_name"
