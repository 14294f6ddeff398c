"""The desk's own graph with nothing in its nodes: what LangGraph and the checkpointer alone take for a turn.

It is built from the desk's graph, so it cannot drift from it: the same nodes, edges, joins, state fields and
deferred nodes. Every turn goes the hotels' way: all branches side by side, with one tool round each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from desk.runner import PARALLEL, STEPS
from desk.state import fresh_turn
from desk.stores.checkpoints import Checkpoints

# Where a turn goes from the nodes that decide, when it asks the hotels and all is well.
ONWARD = {"coordinator": "mapper", "return_check": "checker", "checker": "translate_out"}


@dataclass
class Visited:
    """The run's context: which agents have been at their tools."""

    agents: set[str] = field(default_factory=set)


def empty_flow(
    flow: CompiledStateGraph[Any, Any, Any, Any], branches: Sequence[str], checkpointer: Any
) -> CompiledStateGraph[Any, Visited, Any, Any]:
    """A graph of the same shape as `flow` whose nodes change nothing and whose conditions only route."""
    shape = flow.builder
    graph: StateGraph[Any, Visited, Any, Any] = StateGraph(shape.state_schema, Visited)
    add: Any = graph.add_node
    for name, node in shape.nodes.items():
        add(name, _nothing, defer=node.defer)
    for source, target in shape.edges:
        graph.add_edge(source, target)
    for sources, target in shape.waiting_edges:
        graph.add_edge(list(sources), target)
    for source, conditions in shape.branches.items():
        for condition in conditions.values():
            ends = [str(end) for end in condition.ends or {}]
            graph.add_conditional_edges(source, _route(source, ends, branches), ends)
    return graph.compile(checkpointer=checkpointer)


def run_empty(
    graph: CompiledStateGraph[Any, Visited, Any, Any],
    checkpoints: Checkpoints,
    branches: Sequence[str],
    thread: str,
    text: str,
) -> None:
    """One turn of the empty graph, with the checkpoints kept as the desk keeps them."""
    checkpoints.keep_last(thread)
    graph.invoke(
        fresh_turn(branches, text),
        {"configurable": {"thread_id": thread}, "max_concurrency": PARALLEL, "recursion_limit": STEPS},
        context=Visited(),
        durability="exit",
    )


def _nothing(state: dict[str, Any]) -> dict[str, Any]:
    return {}


def _route(source: str, ends: Sequence[str], branches: Sequence[str]) -> Callable[..., Any]:
    if source == "mapper":
        return lambda state: list(branches)
    if source in ONWARD:
        return lambda state: ONWARD[source]
    tools = next(end for end in ends if end.endswith("_tools"))
    after = next(end for end in ends if end != tools)

    def tools_once(state: dict[str, Any], runtime: Runtime[Visited]) -> str:
        if source in runtime.context.agents:
            return after
        runtime.context.agents.add(source)
        return tools

    return tools_once
