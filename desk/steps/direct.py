"""direct: what needs no hotel and no search: greetings, thanks, memory of this thread, clarifying questions."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime

from desk.briefing import blocks
from desk.context import TurnContext
from desk.drafts import draft
from desk.grounding import fact_ids
from desk.state import message_key
from desk.tools.loop import Step, take_step

NAME = "direct"


def make_direct(tools: list[BaseTool]) -> Step:
    """The agent that talks; its recall tool reaches this thread's own turns, folded or not."""

    def direct(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
        handoff = state["handoffs"][state["current"]]
        briefing = blocks(
            summary=state.get("summary") or None,
            verified="yes" if state.get("guest") else "no",
            first_turn="yes" if runtime.context.turn == 1 else "no",
            called=state.get("called") or None,
            calm="yes" if state["sentiment"]["deescalate"] else None,
            understood="yes" if state["covered"] else "no",
            message=state["english"],
            task=handoff["task"],
        )
        added, facts, text = take_step(state, runtime.context, NAME, "direct", briefing, tools)
        if text is None:
            return {message_key(NAME): added}
        chosen = [fact for fact in facts if fact.id in fact_ids(text)]
        return {
            message_key(NAME): added,
            "facts": [fact.model_dump(mode="json") for fact in facts],
            "drafts": [*state["drafts"], draft(NAME, text, chosen)],
        }

    return direct
