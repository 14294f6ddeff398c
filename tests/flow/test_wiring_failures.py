"""Three ways in which parallel agents are wired wrong, each as a small graph that fails, beside the desk's way."""

from __future__ import annotations

import operator
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.errors import InvalidUpdateError
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode, tools_condition
from typing_extensions import TypedDict

from desk.state import fields, merge_dicts

# 1. Two parallel writers of one key


class PlainKey(TypedDict):
    """A key without a reducer."""

    status: dict[str, str]


class ReducedKey(TypedDict):
    """The same key as the desk declares it."""

    status: Annotated[dict[str, str], merge_dicts]


def two_writers(schema: type) -> Any:
    """Two nodes that write `status` in the same super-step."""
    graph: Any = StateGraph(schema)
    for name in ("hotel1", "hotel2"):
        graph.add_node(name, lambda state, name=name: {"status": {name: "ok"}})
        graph.add_edge(START, name)
        graph.add_edge(name, END)
    return graph.compile()


def test_two_writers_of_one_plain_key_fail() -> None:
    """Without a reducer LangGraph cannot tell which of the two values holds."""
    with pytest.raises(InvalidUpdateError):
        two_writers(PlainKey).invoke({"status": {}})


def test_the_desks_parallel_keys_have_reducers() -> None:
    """With the desk's reducer both values are kept, and every key that branches share has one."""
    assert two_writers(ReducedKey).invoke({"status": {}})["status"] == {"hotel1": "ok", "hotel2": "ok"}
    for name, field in fields(["hotel1", "hotel2"]).items():
        shared = {"hotel1_done", "hotel2_done"}.issubset(field.writers)
        assert not shared or hasattr(field.type, "__metadata__"), name


# 2. Two tool loops on one message list


@tool
def room_of(hotel: str) -> str:
    """The room that a hotel would give."""
    return {"hotel1": "104", "hotel2": "108"}[hotel]


class OneList(TypedDict):
    """Both loops share one list."""

    messages: Annotated[list[AnyMessage], add_messages]
    heard: Annotated[list[tuple[str, str]], operator.add]


class OwnLists(TypedDict):
    """Each loop has its own list, as in the desk."""

    messages_hotel1: Annotated[list[AnyMessage], add_messages]
    messages_hotel2: Annotated[list[AnyMessage], add_messages]
    heard: Annotated[list[tuple[str, str]], operator.add]


def two_loops(schema: type, key_of: Any) -> Any:
    """Two loops that each ask for their own room once, then report the last result they see."""
    graph: Any = StateGraph(schema)

    def loop(hotel: str) -> None:
        key = key_of(hotel)

        def agent(state: dict[str, Any]) -> dict[str, Any]:
            results = [message for message in state[key] if isinstance(message, ToolMessage)]
            if results:
                return {"heard": [(hotel, results[-1].text)], key: [AIMessage("done", id=f"{hotel}-end")]}
            call = {"name": "room_of", "args": {"hotel": hotel}, "id": f"call-{hotel}"}
            return {key: [AIMessage("", tool_calls=[call], id=f"{hotel}-ask")]}

        graph.add_node(hotel, agent)
        graph.add_node(f"{hotel}_tools", ToolNode([room_of], messages_key=key))
        graph.add_edge(START, hotel)
        graph.add_conditional_edges(
            hotel,
            lambda state: tools_condition(state, messages_key=key),
            {"tools": f"{hotel}_tools", END: END},
        )
        graph.add_edge(f"{hotel}_tools", hotel)

    loop("hotel1")
    loop("hotel2")
    return graph.compile()


def test_two_loops_on_one_list_cross_their_results() -> None:
    """On one list a loop runs the other's calls, or hears the other's room as its own."""
    final = two_loops(OneList, lambda hotel: "messages").invoke({"messages": [], "heard": []})
    assert dict(final["heard"]) != {"hotel1": "104", "hotel2": "108"}


def test_loops_with_their_own_lists_hear_their_own_results() -> None:
    """With a message key for each loop, for its tools and its route, each hears its own room."""
    empty = {"messages_hotel1": [], "messages_hotel2": [], "heard": []}
    final = two_loops(OwnLists, lambda hotel: f"messages_{hotel}").invoke(empty)
    assert dict(final["heard"]) == {"hotel1": "104", "hotel2": "108"}


# 3. No join before the merge


class Merged(TypedDict):
    """Counts how often the merge ran."""

    merges: Annotated[list[str], operator.add]


def branches_of_unequal_depth(*, defer: bool) -> Any:
    """One branch answers at once, the other takes a round more; both lead to `merge`."""
    graph: Any = StateGraph(Merged)
    graph.add_node("quick", lambda state: {})
    graph.add_node("slow", lambda state: {})
    graph.add_node("slow_tools", lambda state: {})
    graph.add_node("merge", lambda state: {"merges": ["merged"]}, defer=defer)
    graph.add_edge(START, "quick")
    graph.add_edge(START, "slow")
    graph.add_edge("slow", "slow_tools")
    graph.add_edge("quick", "merge")
    graph.add_edge("slow_tools", "merge")
    graph.add_edge("merge", END)
    return graph.compile()


def test_without_a_join_the_merge_runs_twice() -> None:
    """Plain edges fire once for each arrival: the guest would get two replies."""
    assert len(branches_of_unequal_depth(defer=False).invoke({"merges": []})["merges"]) == 2


def test_a_deferred_merge_runs_once() -> None:
    """The desk's join is a deferred merge: it waits for the branches that were asked."""
    assert len(branches_of_unequal_depth(defer=True).invoke({"merges": []})["merges"]) == 1
