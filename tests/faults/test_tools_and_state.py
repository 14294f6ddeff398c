"""Faults 4, 5, 6, 7, 23 and 36 of desks like this one: old state, half joins, tools that raise, cut turns."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.stores.hotels import HotelReader
from tests.flow.conftest import Stage
from tests.flow.support import (
    PATIENCE,
    call,
    calling,
    handoff,
    in_rounds,
    in_turn,
    marks_only,
    per_hotel,
    routes,
    says,
)

ASK = "Is a Deluxe room free from 1 to 3 February?"
HOTELS = {"coordinator": routes(handoff("hotels")), "merger": marks_only}


def test_the_next_turn_has_nothing_of_the_last(stage: Stage) -> None:
    """Fault 4. Rooms, then parking: this turn's branches, facts, mood and handoffs only."""
    thread = stage.thread()
    angry = {**HOTELS, "coordinator": routes(handoff("hotels"), tone="angry")}
    first = stage.play(f"I am furious, the shower is terrible! {ASK}", thread, **angry)
    parking = {
        "coordinator": routes(handoff("hotels", "guide: parking", hotels=["hotel1"])),
        "merger": marks_only,
    }
    second = stage.play("Is there parking at Harbour House?", thread, **parking)
    assert {fact.kind for fact in first.facts} == {"room_free"}
    assert [(fact.kind, fact.entry) for fact in second.facts] == [("guide", "parking")]
    assert set(second.branches) == {"hotel1"}
    assert "104" not in second.reply
    assert all("find_rooms" not in str(message.tool_calls) for message in second.branches["hotel1"].messages)
    assert (first.sentiment.tone, second.sentiment.tone) == ("angry", "calm")
    assert (first.sentiment.deescalate, second.sentiment.deescalate) == (True, False)
    assert [h.task for h in second.handoffs] == ["guide: parking"]
    third = stage.play(
        "Thanks", thread, coordinator=routes(handoff("direct")), direct=says("You are welcome.")
    )
    assert (third.branches, third.facts, third.sources, third.requests) == ({}, [], [], [])


def test_branches_of_unequal_depth_in_any_order_of_turns(stage: Stage) -> None:
    """Fault 5. One hotel, then only the other, then both with unequal rounds: one reply a turn, from this turn's."""
    thread = stage.thread()
    uneven = per_hotel({"Harbour House": says("I cannot help."), "Garden Court": in_rounds(3)})
    for hotels in (["hotel1"], ["hotel2"], ["hotel1", "hotel2"], ["hotel2"], ["hotel1"]):
        scripts = {
            "coordinator": routes(handoff("hotels", hotels=hotels)),
            "merger": marks_only,
            "hotel": uneven,
        }
        turn = stage.play("What do your rooms cost?", thread, **scripts)
        nodes = Counter(node.name for node in turn.nodes)
        assert (nodes["merge"], nodes["return_check"], nodes["translate_out"]) == (1, 1, 1)
        assert sorted(turn.branches) == hotels


BAD_CALLS = {
    "a column that is not there": call("run_sql", sql="SELECT wifi FROM rooms"),
    "a table that is not there": call("run_sql", sql="SELECT * FROM guests"),
    "no SQL": call("run_sql", sql="Which rooms are free?"),
    "a write": call("run_sql", sql="DELETE FROM bookings"),
    "dates that are none": call("find_rooms", arrival="tomorrow-ish"),
    "dates the guest never gave": call("find_rooms", arrival="2027-08-01", departure="2027-08-02"),
    "a missing argument": call("search_guide"),
    "a tool that is not there": call("delete_everything"),
    "arguments of a wrong kind": call("find_rooms", type={"many": True}),
}


@pytest.mark.parametrize("bad", BAD_CALLS.values(), ids=BAD_CALLS.keys())
def test_a_tool_call_that_fails_costs_one_branch(stage: Stage, bad: dict[str, Any]) -> None:
    """Fault 6. The hotel is said not to be checked, the other answers, and the thread works on."""
    thread = stage.thread()
    fails = in_turn(lambda m, t: calling(bad), says("I could not check."))
    turn = stage.play(ASK, thread, **HOTELS, hotel=per_hotel({"Harbour House": fails}))
    assert turn.problem is None
    assert (turn.branches["hotel1"].status, turn.branches["hotel2"].status) == ("failed", "ok")
    assert [fact.kind for fact in turn.facts] == ["room_free", "not_checked"]
    assert "2027-08" not in turn.reply
    again = stage.play(ASK, thread, **HOTELS)
    assert [fact.room for fact in again.facts] == ["104", "108"]


@pytest.mark.parametrize(
    "error", [sqlite3.OperationalError("database is locked"), RuntimeError("a bug")], ids=str
)
def test_a_database_that_fails_costs_one_branch(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    """Fault 6. A locked file: an honest line for the guest, nothing internal, and the next turn works."""
    whole = HotelReader.free_rooms

    def broken(self: HotelReader, *args: Any, **kwargs: Any) -> Any:
        if self.branch.id == "hotel1":
            raise error
        return whole(self, *args, **kwargs)

    thread = stage.thread()
    with monkeypatch.context() as patch:
        patch.setattr(HotelReader, "free_rooms", broken)
        turn = stage.play(ASK, thread, **HOTELS)
    assert (turn.branches["hotel1"].status, turn.branches["hotel2"].status) == ("failed", "ok")
    assert [fact.kind for fact in turn.facts] == ["room_free", "not_checked"]
    assert str(error) not in str(turn.to_json())
    assert type(error).__name__ in caplog.text
    assert [fact.room for fact in stage.play(ASK, thread, **HOTELS).facts] == ["104", "108"]


def test_a_model_that_recovers_from_a_failed_call(stage: Stage) -> None:
    """A model reads why its call was refused and makes a better one: the branch is fine."""
    better = in_turn(
        lambda m, t: calling(BAD_CALLS["dates the guest never gave"]), looks_up_again, says("Found it.")
    )
    turn = stage.play(ASK, **HOTELS, hotel=per_hotel({"Harbour House": better}))
    assert turn.branches["hotel1"].status == "ok"
    assert [fact.room for fact in turn.facts] == ["104", "108"]


def looks_up_again(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Leaves the dates out, as the refusal said."""
    assert "leave them out" in messages[-1].text
    return calling(call("find_rooms"))


def test_a_turn_stopped_while_a_tool_runs_is_mended(open_at: Callable[..., Any]) -> None:
    """Fault 7. Cut while a tool runs, then "thanks": a normal answer, no unanswered call in what a model sees."""
    release, began = threading.Event(), threading.Event()
    whole = HotelReader.free_rooms

    def slow(self: HotelReader, *args: Any, **kwargs: Any) -> Any:
        began.set()
        release.wait(PATIENCE)
        return whole(self, *args, **kwargs)

    scripts: dict[str, Any] = dict(HOTELS)
    opened = open_at(scripts)
    thread = opened.thread()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HotelReader, "free_rooms", slow)
        number = opened.desk.send(thread, ASK)
        assert began.wait(PATIENCE)
        opened.desk.stop(thread, number)
        release.set()
        assert opened.desk.wait(thread, number, PATIENCE).problem == "stopped"
    scripts.update(coordinator=routes(handoff("direct")), direct=says("You are welcome."))
    turn = opened.say(thread, "thanks")
    assert (turn.reply, turn.problem) == ("You are welcome.", None)
    scripts.update(HOTELS)
    assert [fact.room for fact in opened.say(thread, ASK).facts] == ["104", "108"]


def test_a_fold_after_parallel_calls(stage: Stage) -> None:
    """Fault 23. The limit is crossed just after two parallel tool calls: no orphan, no crash, nothing twice."""
    thread = stage.thread()
    two = {
        "coordinator": routes(handoff("hotels", "free rooms: for the stay; guide: pets")),
        "merger": marks_only,
    }
    turns = [stage.play(f"{ASK} And may I bring a dog?", thread, **two) for _ in range(7)]
    assert all(turn.problem is None for turn in turns)
    assert sum(turn.folded > 0 for turn in turns) >= 2
    for turn in turns:
        assert [fact.kind for fact in turn.facts].count("room_free") == 2
        roles = [message.role for message in turn.branches["hotel1"].messages]
        assert roles == ["human", "ai", "tool", "tool", "ai"]


def test_one_raising_branch_of_two(stage: Stage) -> None:
    """Fault 36. One answer and one honest line, in either language."""

    def bug(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        raise KeyError("room")

    for text in (ASK, "Ist vom 1. bis 3. Februar ein Deluxe-Zimmer frei?"):
        turn = stage.play(text, **HOTELS, hotel=per_hotel({"Garden Court": bug}))
        assert [(fact.kind, fact.hotel) for fact in turn.facts] == [
            ("room_free", "hotel1"),
            ("not_checked", "hotel2"),
        ]
        assert "104" in turn.reply
        assert turn.reply.count("Garden Court") == 1
