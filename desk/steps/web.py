"""web_search: looks up what lies outside the hotels, in at most three results, and quotes its sources."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime

from desk.briefing import blocks
from desk.context import TurnContext
from desk.drafts import draft
from desk.state import message_key
from desk.tools.loop import Step, take_step

NAME = "web_search"


def make_web(tools: list[BaseTool]) -> Step:
    """The web agent. It sees the question alone, nothing of bookings or of the guest."""

    def web_search(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
        handoff = state["handoffs"][state["current"]]
        briefing = blocks(message=state["english"], task=handoff["task"])
        added, facts, text = take_step(state, runtime.context, NAME, "web", briefing, tools)
        if text is None:
            return {message_key(NAME): added}
        own = any(fact.kind == "place" for fact in facts)
        return {
            message_key(NAME): added,
            "facts": [fact.model_dump(mode="json") for fact in facts],
            "drafts": [*state["drafts"], draft(NAME, text, facts, frame="own_guide" if own else None)],
        }

    return web_search
