"""A supervisor that hands over to one hotel's assistant after the other: the second rival of the desk's graph.

The usual pattern of `langgraph-supervisor`, from LangGraph's own parts and as lean as that allows: of an
assistant's work only its report comes back, and no messages are added about coming back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool, InjectedToolCallId, tool
from langgraph.graph import START, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.runtime import Runtime
from langgraph.types import Command

from desk.context import Parts, TurnContext
from desk.pack import Branch
from desk.tools.hotel import hotel_tools
from tests.bench.agents.common import OWN_WORDS, AgentState, Graph, make_agent, tool_loop

TRANSFER = "transfer_to_"
HERE = (
    "Here you hand over by calling a tool, to one hotel's assistant after the other; each reports to you."
    " When every hotel has reported, you write the reply yourself."
)


def series_supervisor(parts: Parts, *, terse: bool = False) -> Graph:
    """The supervisor with an assistant for each hotel of the pack.

    It reads the coordinator's and the merger's texts, for it does the work of both. With `terse` it reads
    neither: it then knows nothing of bookings, people or the web, and hands over to hotels whatever is asked.
    """
    branches = parts.pack.branches
    texts = () if terse else (parts.procedures.text("coordinator"), parts.procedures.text("merge"))
    text = "\n\n".join((*texts, HERE, OWN_WORDS))
    transfers = [_transfer(branch) for branch in branches]
    graph: StateGraph[Any, TurnContext, Any, Any] = StateGraph(AgentState, TurnContext)
    add: Any = graph.add_node
    add("supervisor", make_agent(parts.models.chat("coordinator"), text, transfers, parallel=False))
    add("tools", ToolNode(transfers), destinations=tuple(branch.id for branch in branches))
    graph.add_edge(START, "supervisor")
    graph.add_conditional_edges("supervisor", tools_condition)
    for branch in branches:
        add(branch.id, _assistant(parts, branch))
        graph.add_edge(branch.id, "supervisor")
    return graph.compile()


def _transfer(branch: Branch) -> BaseTool:
    @tool(f"{TRANSFER}{branch.id}", description=f"Hand over to the assistant of {branch.name}.")
    def transfer(call: Annotated[str, InjectedToolCallId]) -> Command[str]:
        done = ToolMessage("Handed over.", tool_call_id=call)
        return Command(goto=branch.id, update={"messages": [done]})

    return transfer


def _assistant(
    parts: Parts, branch: Branch
) -> Callable[[AgentState, Runtime[TurnContext]], dict[str, list[AIMessage]]]:
    text = f"{parts.procedures.text('hotel', hotel=branch.name)}\n\n{OWN_WORDS}"
    tools = hotel_tools(branch, parts.hotels, parts.pack.currency)
    loop = tool_loop(parts.models.chat("hotel"), text, tools, parallel=True)

    def assistant(state: AgentState, runtime: Runtime[TurnContext]) -> dict[str, list[AIMessage]]:
        ended = loop.invoke(state, context=runtime.context)
        return {"messages": [AIMessage(ended["messages"][-1].text, name=branch.id)]}

    return assistant
