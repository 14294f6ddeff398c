"""The shape that reservation, web search and direct share: a tool loop that ends in a draft.

The agent may call the tools that its handoff grants; its last message, prose with fact marks, is the draft.
Every loop has its own message key, for its tool node and for the condition that routes to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.runtime import Runtime

from desk.context import TurnContext
from desk.errors import ModelError
from desk.grounding import fact_ids, mark
from desk.models import calls
from desk.records import Fact
from desk.state import message_key
from desk.tools.results import content_of, facts_of, rounds_of, tool_failed

Step = Callable[[dict[str, Any], Runtime[TurnContext]], dict[str, Any]]


@dataclass(frozen=True)
class LoopNodes:
    """A loop's tool node and the condition that sends its agent there or on."""

    tools: ToolNode
    route: Callable[[dict[str, Any], Runtime[TurnContext]], str]


def make_loop(name: str, tools: Sequence[BaseTool], onward: str, tools_node: str) -> LoopNodes:
    """The tool node of loop `name` and its route: to `tools_node` while it calls tools, then `onward`."""
    key = message_key(name)

    def route(state: dict[str, Any], runtime: Runtime[TurnContext]) -> str:
        if rounds_of(state[key]) > runtime.context.parts.settings.budget_rounds:
            return onward
        return tools_node if tools_condition(state, messages_key=key) == "tools" else onward

    return LoopNodes(ToolNode(list(tools), messages_key=key, handle_tool_errors=tool_failed), route)


def take_step(
    state: dict[str, Any],
    context: TurnContext,
    name: str,
    role: str,
    briefing: str,
    tools: Sequence[BaseTool],
) -> tuple[list[AnyMessage], list[Fact], str | None]:
    """One step of a loop's agent.

    Returns the messages to add, the facts its tools have given so far, and the draft's text when this step
    ends the loop (None while tools are to be called). A model that fails ends the loop with its facts alone;
    raises ModelError when the turn has nothing else to say.
    """
    brief_id = f"brief-{name}-{context.turn}-{state['current']}"
    kept = list(state[message_key(name)])
    begun = next((i for i, message in enumerate(kept) if message.id == brief_id), len(kept))
    before = kept[begun:]  # an earlier handoff of this turn to the same agent is over and done with
    opening: list[AnyMessage] = [] if before else [HumanMessage(briefing, id=brief_id)]
    messages: list[BaseMessage] = [SystemMessage(context.parts.procedures.text(role)), *before, *opening]
    facts = facts_of(before)
    if any(content_of(message).get("booking") for message in before):
        # Something was written: what follows must not fail for want of a model, a budget or a mind.
        return [AIMessage("[done]")], facts, mark(facts)
    try:
        answer = calls.ask(context, role, messages, tools=tools, seconds=context.parts.branch_seconds)
    except ModelError:
        if not before and not state["drafts"]:
            raise  # nothing else can be said this turn: the guest hears that the model is gone
        return [*opening, AIMessage("[failed]")], facts, mark(facts)
    over = rounds_of([*before, answer]) > context.parts.settings.budget_rounds
    if answer.tool_calls and not over:
        return [*opening, answer], facts, None
    text = answer.text if not over else ""
    return [*opening, answer], facts, text if fact_ids(text) else f"{text} {mark(facts)}".strip()
