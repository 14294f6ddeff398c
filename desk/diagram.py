"""The picture of the graph, as Mermaid text, drawn from the graph's own nodes and edges."""

from __future__ import annotations

from langgraph.graph.state import CompiledStateGraph

NAMES = {"__start__": "START", "__end__": "END"}


def mermaid(graph: CompiledStateGraph) -> str:  # type: ignore[type-arg]
    """Mermaid text of this graph: plain edges drawn through, conditional ones dashed, in the order of the code."""
    builder = graph.builder
    lines = ["flowchart TD"]
    joins = [(source, end) for sources, end in builder.waiting_edges for source in sources]
    order = ["__start__", *builder.nodes]
    plain = sorted({*builder.edges, *joins}, key=lambda edge: (order.index(edge[0]), edge[1]))
    lines += [f"    {_name(start)} --> {_name(end)}" for start, end in plain]
    for start in order:
        for branch in builder.branches.get(start, {}).values():
            lines += [f"    {_name(start)} -.-> {_name(end)}" for end in (branch.ends or {}).values()]
    return "\n".join(lines)


def _name(node: str) -> str:
    return NAMES.get(node, node)
