"""What both rivals of the desk's graph are made of: LangGraph's own tool loop over the desk's own tools."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage
from langchain_core.tools import BaseTool
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from typing_extensions import TypedDict

from desk.briefing import blocks
from desk.context import Budget, Parts, TurnContext
from desk.reading.ask import read_ask
from desk.records import Stay
from desk.tools.results import tool_failed

Graph = CompiledStateGraph[Any, TurnContext, Any, Any]
STEPS = 500  # super-steps: a supervisor of fifty hotels takes three a hotel

# What the desk's procedures leave to the desk's code, a design without that code has to be told.
OWN_WORDS = """
Here no code puts facts into words: write no marks. State what you found, one line each, exactly like these:
Harbour House: room 101, Standard, EUR 89 a night, from 2027-01-05 to 2027-01-07.
Harbour House: breakfast: from 07:00, to 10:30, price 14.
""".strip()


class AgentState(TypedDict):
    """One run: the messages, and what the desk's tools read of a turn's state."""

    messages: Annotated[list[AnyMessage], add_messages]
    stay: dict[str, Any]
    ask: dict[str, Any]
    stated_dates: list[str]


def opening(parts: Parts, text: str) -> AgentState:
    """What a run begins with: the guest's words, and what the desk's own code reads in them."""
    english = parts.languages["en"]
    ask = read_ask(text, text, english, english, parts.pack, Stay(), parts.clock.today())
    stay = ask.stay.model_dump(mode="json")
    hotels = {branch.id: branch.name for branch in parts.pack.branches}
    view = blocks(hotels=hotels, stay=stay, superlative=ask.superlative, message=text)
    return {
        "messages": [HumanMessage(view)],
        "stay": stay,
        "ask": {"superlative": ask.superlative},
        "stated_dates": [day for day in (stay["arrival"], stay["departure"]) if day],
    }


def make_agent(
    model: BaseChatModel, text: str, tools: Sequence[BaseTool], *, parallel: bool
) -> Callable[[AgentState], dict[str, Any]]:
    """A node that asks the model, with `text` before all messages. Without `parallel`, for one call at a time."""
    bound: Any = model.bind_tools(tools, parallel_tool_calls=parallel)

    def agent(state: AgentState) -> dict[str, Any]:
        return {"messages": [bound.invoke([SystemMessage(text), *state["messages"]])]}

    return agent


def tool_loop(model: BaseChatModel, text: str, tools: Sequence[BaseTool], *, parallel: bool) -> Graph:
    """An agent that calls tools until it answers: what `create_agent` of LangChain builds, from the same parts."""
    graph: StateGraph[Any, TurnContext, Any, Any] = StateGraph(AgentState, TurnContext)
    add: Any = graph.add_node
    add("agent", make_agent(model, text, tools, parallel=parallel))
    add("tools", ToolNode(list(tools), handle_tool_errors=tool_failed))
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", tools_condition)
    graph.add_edge("tools", "agent")
    return graph.compile()


def run(graph: Graph, parts: Parts, text: str) -> str:
    """The answer to one guest message, in English."""
    clock = time.perf_counter
    context = TurnContext(parts, "bench", 1, Budget(10**6, 10**9, 3600.0, clock(), clock))
    ended = graph.invoke(opening(parts, text), {"recursion_limit": STEPS}, context=context)
    return str(ended["messages"][-1].text)
