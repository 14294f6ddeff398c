"""return_check: compares what came back with the completion criterion before a handoff counts as done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime

from desk.context import TurnContext
from desk.handoff import asked_hotels

UNDONE = frozenset({"failed", "timed_out", "empty"})
NOTHING = frozenset({"not_searched", "booking_failed", "not_checked", "no_guide"})


def return_check(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Give the handoff at work its status: ok, empty, failed or timed_out."""
    current = state["current"]
    handoff = state["handoffs"][current]
    order = [branch.id for branch in runtime.context.parts.pack.branches]
    hotels = handoff["destination"] == "hotels"
    status = _hotels(state, asked_hotels(state, order)) if hotels else _single(state)
    handoffs = [dict(h, status=status) if i == current else h for i, h in enumerate(state["handoffs"])]
    return {"handoffs": handoffs, "current": None}


def after_return(state: dict[str, Any], runtime: Runtime[TurnContext]) -> Literal["coordinator", "checker"]:
    """Back to the coordinator while handoffs wait, or one came back undone and budget is left."""
    if any(h["accepted"] and h["status"] is None for h in state["handoffs"]):
        return "coordinator"
    last = next((h for h in reversed(state["handoffs"]) if h["accepted"]), None)
    budget = runtime.context.parts.settings.budget_handoffs
    if last and last["status"] in UNDONE and len(state["handoffs"]) < budget and state["rounds"] < budget:
        return "coordinator"
    return "checker"


def _hotels(state: dict[str, Any], asked: Sequence[str]) -> str:
    statuses = [state["branch_status"].get(branch, "failed") for branch in asked]
    for settled in ("ok", "timed_out", "failed"):
        if settled in statuses:
            return settled
    return "empty"


def _single(state: dict[str, Any]) -> str:
    if not state["drafts"] or not state["drafts"][-1]["text"]:
        return "failed"
    marked = set(state["drafts"][-1]["expected"])
    kinds = {fact["kind"] for fact in state["facts"] if fact["id"] in marked}
    return "empty" if kinds and kinds <= NOTHING else "ok"
