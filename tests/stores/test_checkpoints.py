"""LangGraph's checkpoints stay bounded, and a turn that was cut is run again from where it began."""

from __future__ import annotations

import logging
import operator
import sqlite3
import stat
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pytest
from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages

from desk.errors import StorageError
from desk.records import Stay
from desk.stores.checkpoints import Checkpoints, open_checkpoints

Durability = Literal["exit", "async", "sync"]


class _State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    steps: Annotated[list[str], operator.add]
    stay: Stay


class _Graph:
    """Three nodes, two of them side by side; `broken` makes one of those fail."""

    def __init__(self, checkpoints: Checkpoints) -> None:
        self.broken = False
        graph = StateGraph(_State)
        graph.add_node("first", lambda state: {"steps": ["first"], "stay": Stay(type="Deluxe")})
        graph.add_node("left", lambda state: {"steps": ["left"]})
        graph.add_node("right", self._right)
        graph.add_edge(START, "first")
        graph.add_edge("first", "left")
        graph.add_edge("first", "right")
        self.app = graph.compile(checkpointer=checkpoints.saver)

    def _right(self, state: _State) -> dict[str, Any]:
        if self.broken:
            raise RuntimeError("cut")
        return {"steps": ["right"]}

    def say(self, thread: str, text: str, durability: Durability = "exit", **state: Any) -> dict[str, Any]:
        """One turn; returns the state after it."""
        config: Any = {"configurable": {"thread_id": thread}}
        given: Any = {"messages": [HumanMessage(text, id=text), *state.get("messages", [])]}
        return self.app.invoke(given, config, durability=durability)


@pytest.fixture
def checkpoints(tmp_path: Path) -> Checkpoints:
    """Checkpoints in a fresh home."""
    return open_checkpoints(tmp_path, records=(Stay,))


def _rows(checkpoints: Checkpoints, thread: str) -> tuple[int, int]:
    with sqlite3.connect(checkpoints.path) as connection:
        counts = [
            connection.execute(f"SELECT COUNT(*) FROM {table} WHERE thread_id = ?", (thread,)).fetchone()[0]
            for table in ("checkpoints", "writes")
        ]
    connection.close()
    return counts[0], counts[1]


@pytest.mark.parametrize("durability", ["exit", "async", "sync"])
def test_only_the_newest_checkpoint_is_kept(checkpoints: Checkpoints, durability: Durability) -> None:
    """The thread goes on from it as if nothing had been deleted; other threads keep theirs."""
    graph = _Graph(checkpoints)
    graph.say("other", "hello", "sync")
    others = _rows(checkpoints, "other")
    for turn in range(3):
        graph.say("t", f"m{turn}", durability)
        checkpoints.keep_last("t")
        assert _rows(checkpoints, "t") == (1, 0)
        assert checkpoints.keep_last("t") == 0
    state = graph.say("t", "m3", durability)
    assert [message.content for message in state["messages"]] == ["m0", "m1", "m2", "m3"]
    assert state["steps"] == ["first", "left", "right"] * 4
    assert _rows(checkpoints, "other") == others


def test_what_was_removed_from_the_conversation_is_in_no_row(checkpoints: Checkpoints) -> None:
    """After a fold the old words are not left behind in older checkpoints."""
    graph = _Graph(checkpoints)
    graph.say("t", "passport X1234567", "sync")
    graph.say("t", "and now?", "sync", messages=[RemoveMessage("passport X1234567")])
    checkpoints.keep_last("t")
    with sqlite3.connect(checkpoints.path) as connection:
        rows = connection.execute("SELECT checkpoint FROM checkpoints").fetchall()
        rows += connection.execute("SELECT value FROM writes").fetchall()
    connection.close()
    assert rows
    assert not any(b"X1234567" in value for (value,) in rows)


def test_the_file_stays_bounded_over_three_hundred_turns(checkpoints: Checkpoints) -> None:
    """A conversation of constant length does not make the file grow with its turns."""
    graph = _Graph(checkpoints)
    for turn in range(300):
        gone = [RemoveMessage(f"m{turn - 4}")] if turn >= 4 else []
        graph.say("t", f"m{turn}", messages=gone)
        checkpoints.keep_last("t")
    assert sum(path.stat().st_size for path in checkpoints.path.parent.glob("checkpoints.db*")) < 6_000_000
    with sqlite3.connect(checkpoints.path) as connection:
        assert connection.execute("PRAGMA page_count").fetchone()[0] < 100
    connection.close()


@pytest.mark.parametrize("durability", ["exit", "async", "sync"])
def test_a_cut_turn_runs_again_from_where_it_began(checkpoints: Checkpoints, durability: Durability) -> None:
    """Nothing of the cut run is seen in the state after the second run, nor left in the file."""
    graph = _Graph(checkpoints)
    graph.say("t", "m0", durability)
    checkpoints.keep_last("t")
    base = checkpoints.newest("t")
    graph.broken = True
    with pytest.raises(RuntimeError):
        graph.say("t", "m1", durability)
    assert checkpoints.forget_since("t", base) > 0
    assert checkpoints.newest("t") == base
    assert _rows(checkpoints, "t") == (1, 0)
    graph.broken = False
    state = graph.say("t", "m1", durability)
    assert [message.content for message in state["messages"]] == ["m0", "m1"]
    assert state["steps"] == ["first", "left", "right"] * 2


def test_a_beginning_that_is_gone_takes_nothing_with_it(checkpoints: Checkpoints) -> None:
    """Going back to a checkpoint that was deleted must not wipe out the conversation."""
    graph = _Graph(checkpoints)
    graph.say("t", "m0")
    base = checkpoints.newest("t")
    graph.say("t", "m1")
    checkpoints.keep_last("t")
    newest = checkpoints.newest("t")
    assert checkpoints.forget_since("t", base) == 0
    assert checkpoints.newest("t") == newest


def test_a_first_turn_that_was_cut_leaves_nothing(checkpoints: Checkpoints) -> None:
    """Without an earlier checkpoint all of the thread goes, and only of that thread."""
    graph = _Graph(checkpoints)
    graph.say("other", "hello")
    graph.broken = True
    with pytest.raises(RuntimeError):
        graph.say("t", "m0", "sync")
    checkpoints.forget_since("t", None)
    assert checkpoints.newest("t") is None
    assert _rows(checkpoints, "t") == (0, 0)
    assert checkpoints.newest("other") is not None
    checkpoints.forget("other")
    assert _rows(checkpoints, "other") == (0, 0)


def test_the_desks_records_come_back_as_themselves(
    checkpoints: Checkpoints, caplog: pytest.LogCaptureFixture
) -> None:
    """A record in the state is read back as its class, without a warning about unknown types."""
    graph = _Graph(checkpoints)
    with caplog.at_level(logging.WARNING):
        graph.say("t", "m0")
        assert graph.say("t", "m1")["stay"] == Stay(type="Deluxe")
    assert caplog.records == []


def test_the_file_is_private_and_a_broken_one_is_named(tmp_path: Path) -> None:
    """Mode 0600, as all files of the desk; a file that is no database stops the opening with one line."""
    open_checkpoints(tmp_path / "a").close()
    assert stat.S_IMODE((tmp_path / "a" / "checkpoints.db").stat().st_mode) == 0o600
    (tmp_path / "checkpoints.db").write_bytes(b"no database at all " * 100)
    with pytest.raises(StorageError, match=r"checkpoints\.db"):
        open_checkpoints(tmp_path)
