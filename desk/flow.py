"""THE graph of the desk: its nodes and edges in reading order, and nothing else. Read this first.

START ─┬─► fold_history ──────────────┐
       └─► translate_in ─► mood ──────┴─► identify ─► coordinator
coordinator ─┬─► mapper ─► every hotel asked ⇄ its tools ─► its done ─► merge ─┐
             ├─► reservation ⇄ reservation_tools ─────────────────────────────┤
             ├─► web_search ⇄ web_search_tools ───────────────────────────────┼─► return_check
             ├─► direct ⇄ recall_tools ───────────────────────────────────────┤
             └─► to_staff ────────────────────────────────────────────────────┘
return_check ─► coordinator (more to do) or checker
checker ─► rewrite ─► checker (once), then translate_out ─► END
"""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from desk.context import Parts, TurnContext
from desk.handoff import asked_hotels
from desk.state import state_type
from desk.steps.branch import make_branch, make_mapper
from desk.steps.checker import checker, rewrite, verdict
from desk.steps.coordinator import coordinator, next_agent
from desk.steps.direct import make_direct
from desk.steps.history import fold_history
from desk.steps.identify import identify
from desk.steps.language import translate_in
from desk.steps.merge import merge
from desk.steps.mood import mood
from desk.steps.outbound import translate_out
from desk.steps.reservation import make_reservation
from desk.steps.return_check import after_return, return_check
from desk.steps.staff import to_staff
from desk.steps.web import make_web
from desk.tools.hotel import hotel_tools
from desk.tools.loop import make_loop
from desk.tools.recall import recall_tools
from desk.tools.reservation import reservation_tools
from desk.tools.web import web_tools


def build_flow(parts: Parts, checkpointer: Any = None) -> CompiledStateGraph[Any, TurnContext, Any, Any]:
    """Wire and compile the graph for this pack. The number of hotels comes from the pack."""
    pack = parts.pack
    order = [branch.id for branch in pack.branches]
    graph: StateGraph[Any, TurnContext, Any, Any] = StateGraph(state_type(order), TurnContext)
    add: Any = graph.add_node

    # Before anyone answers: history, language, mood; then who the guest is and what their words pin down.
    add("fold_history", fold_history)
    add("translate_in", translate_in)
    add("mood", mood)
    add("identify", identify)
    graph.add_edge(START, "fold_history")
    graph.add_edge(START, "translate_in")
    graph.add_edge("translate_in", "mood")
    graph.add_edge(["fold_history", "mood"], "identify")  # both always run, so this join fires exactly once

    # The coordinator hands over to one agent at a time.
    add("coordinator", coordinator)
    graph.add_edge("identify", "coordinator")
    graph.add_conditional_edges(
        "coordinator", next_agent, ["mapper", "reservation", "web_search", "direct", "to_staff", "checker"]
    )

    # The hotels, side by side. `merge` is deferred: it waits for the hotels that were asked, however many
    # rounds each takes, and runs once.
    add("mapper", make_mapper(order))
    add("merge", merge, defer=True)
    for branch in pack.branches:
        nodes = make_branch(branch, hotel_tools(branch, parts.hotels, pack.currency))
        agent, tools, done = branch.id, f"{branch.id}_tools", f"{branch.id}_done"
        add(agent, nodes.agent)
        add(tools, nodes.tools)
        add(done, nodes.done)
        graph.add_conditional_edges(agent, nodes.route, [tools, done])
        graph.add_edge(tools, agent)
        graph.add_edge(done, "merge")
    graph.add_conditional_edges("mapper", lambda state: asked_hotels(state, order), order)

    # The other agents, each a tool loop with its own messages.
    booking_tools = reservation_tools(parts.hotels, pack.currency)
    loops = (
        ("reservation", "reservation_tools", booking_tools, make_reservation(booking_tools)),
        ("web_search", "web_search_tools", web := web_tools(parts.web), make_web(web)),
        ("direct", "recall_tools", recall := recall_tools(), make_direct(recall)),
    )
    for name, tools_node, tools_given, agent_step in loops:
        loop = make_loop(name, tools_given, "return_check", tools_node)
        add(name, agent_step)
        add(tools_node, loop.tools)
        graph.add_conditional_edges(name, loop.route, [tools_node, "return_check"])
        graph.add_edge(tools_node, name)
    add("to_staff", to_staff)

    # Nothing counts as done before it was compared with what was asked for.
    add("return_check", return_check)
    graph.add_edge("merge", "return_check")
    graph.add_edge("to_staff", "return_check")
    graph.add_conditional_edges("return_check", after_return, ["coordinator", "checker"])

    # Nothing goes out unchecked.
    add("checker", checker)
    add("rewrite", rewrite)
    add("translate_out", translate_out)
    graph.add_conditional_edges("checker", verdict, ["rewrite", "translate_out"])
    graph.add_edge("rewrite", "checker")
    graph.add_edge("translate_out", END)
    return graph.compile(checkpointer=checkpointer)
