"""to_staff: records what only people can do, and tells the guest honestly that people will see to it."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from desk import mood
from desk.context import TurnContext
from desk.drafts import draft
from desk.grounding import mark
from desk.records import StaffRequest, make_fact


def to_staff(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Record the request. No model is needed for it, so it also works when there is none."""
    context = runtime.context
    handoff = state["handoffs"][state["current"]]
    alarm = mood.alarm(state["english"], context.parts.languages["en"].subject("mood"))
    kind = handoff.get("request_kind") or "other"
    urgent = alarm is not None or kind == "emergency"
    request = StaffRequest(kind=kind, text=state["text"], reason=handoff["reason"], urgent=urgent)
    named = state["stay"].get("hotels") or []
    fact = make_fact(
        context.turn,
        "staff_request",
        status="urgent" if urgent else "recorded",
        hotel=named[0] if len(named) == 1 else None,
        values={"kind": kind},
    )
    return {
        "requests": [*state["requests"], request.model_dump(mode="json")],
        "facts": [fact.model_dump(mode="json")],
        "drafts": [
            *state["drafts"],
            draft("staff", mark([fact]), [fact], lead=_lead(kind, state, context) if not urgent else None),
        ],
    }


def _lead(kind: str, state: dict[str, Any], context: TurnContext) -> str | None:
    """A word of regret that fits the matter, for a guest who is upset."""
    if not state["sentiment"]["deescalate"]:
        return None
    for key in (f"apology.{kind}", "apology.general"):
        try:
            context.parts.catalogue.phrase(key, "en")
        except KeyError:
            continue
        return key
    return None
