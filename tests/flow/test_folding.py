"""Folding: the history stays small, no fact is lost, and no guest waits for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.utils import count_tokens_approximately

from desk.context import Fold
from desk.errors import ModelUnreachable
from desk.folding_guard import SUMMARY_TOKENS, FoldedTurn, concrete, guarded, within_budget
from desk.runner import MAX_MESSAGES, folded_turns
from tests.flow.conftest import Stage
from tests.flow.support import (
    PATIENCE,
    Counting,
    Driver,
    briefing,
    call,
    calling,
    handoff,
    in_turn,
    marks_only,
    raises,
    rounds_so_far,
    routes,
    says,
)

HELLO = {"coordinator": routes(handoff("direct")), "direct": says("I see.")}
ROOMS = {"coordinator": routes(handoff("hotels")), "merger": marks_only}


def talk(stage: Stage, thread: str, texts: Sequence[str], **scripts: Any) -> list[Any]:
    """Several turns with the same scripts."""
    return [stage.play(text, thread, **{**HELLO, **scripts}) for text in texts]


def test_the_seventh_message_folds(stage: Stage) -> None:
    """Six stored messages, the new one counted, stay; with the seventh all but the last guest turn is folded."""
    thread = stage.thread()
    turns = talk(
        stage, thread, [f"This is message {word}." for word in ("one", "two", "three", "four", "five")]
    )
    assert [turn.folded for turn in turns] == [0, 0, 0, 4, 0]  # 1, 3, 5, 7→3 and 5 messages
    assert turns[2].summary == ""
    assert "message one" in turns[3].summary
    assert "message two" in turns[3].summary
    assert "message three" not in turns[3].summary


def test_the_last_guest_turn_stays_word_for_word(stage: Stage) -> None:
    """What a model sees after a fold: the last turn as real messages, the older ones only in the summary."""
    thread = stage.thread()
    coordinator = Counting(HELLO["coordinator"])
    talk(stage, thread, ["Word alpha.", "Word beta.", "Word gamma.", "Word delta."], coordinator=coordinator)
    last = coordinator.given[-1]
    told = [message.text for message in last[1:-1]]
    assert told == ["Word gamma.", "I see."]
    assert "alpha" in briefing(last)["summary"]
    assert "gamma" not in briefing(last)["summary"]


def test_folds_again_and_again_stay_bounded(stage: Stage) -> None:
    """Over many turns the conversation never holds more messages than the limit, and each turn is whole."""
    thread = stage.thread()
    coordinator = Counting(HELLO["coordinator"])
    turns = talk(stage, thread, [f"Message {chr(97 + n) * 5}." for n in range(14)], coordinator=coordinator)
    assert max(len(given) - 1 for given in coordinator.given) <= MAX_MESSAGES
    assert sum(turn.folded > 0 for turn in turns) >= 4
    assert all(count_tokens_approximately([turn.summary]) <= SUMMARY_TOKENS for turn in turns)


def test_a_fold_costs_the_guest_nothing(stage: Stage) -> None:
    """The summary is made after the reply has gone out; a turn that folds calls the summariser not once."""
    thread = stage.thread()
    held, began = threading.Event(), threading.Event()
    folder: list[str] = []

    def slow(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        folder.append(threading.current_thread().name)
        began.set()
        held.wait(PATIENCE * 2)
        return AIMessage("[t1] Guest: hello.")

    talk(stage, thread, ["One.", "Two."])
    stage.scripts.update({**HELLO, "summariser": slow})
    third = stage.desk.wait(thread, stage.desk.send(thread, "Three."), 60)
    assert third.reply == "I see."
    assert began.wait(PATIENCE)
    unfolded = stage.desk.wait(thread, stage.desk.send(thread, "Four."), 60)  # while the fold is being made
    assert unfolded.reply == "I see."
    assert (unfolded.folded, unfolded.summary) == (0, "")
    held.set()
    assert stage.desk.settle(thread, 60)
    folded = stage.play("Five.", thread, **HELLO)
    assert folded.folded > 0
    assert [turn.turn.model.calls for turn in stage.desk.turns(thread)] == [2] * 5


def test_a_fold_that_fails_is_tried_again(stage: Stage) -> None:
    """No summary: the turn goes on unfolded with all of its history, and the next one tries again."""
    thread = stage.thread()
    summariser = Counting(in_turn(raises(ModelUnreachable("down")), says("[t1] Guest: one. Desk: I see.")))
    coordinator = Counting(HELLO["coordinator"])
    turns = talk(
        stage,
        thread,
        ["Word alpha.", "Word beta.", "Word gamma.", "Word delta.", "Word epsilon."],
        summariser=summariser,
        coordinator=coordinator,
    )
    assert [turn.folded for turn in turns] == [0, 0, 0, 0, 6]
    assert "Word alpha." in [message.text for message in coordinator.given[3]]  # unfolded, and whole
    assert len(summariser.given) == 2
    assert all(turn.problem is None for turn in turns)


def test_a_bad_summary_loses_no_fact(stage: Stage) -> None:
    """A summariser that drops prices, dates, rooms and names: code appends each, with the id of its turn."""
    thread = stage.thread()
    stage.play("Is a Deluxe room free from 1 to 3 February? I am Anna Kowalska.", thread, **ROOMS)
    talk(
        stage,
        thread,
        ["We are with Doctor Zebrowski.", "It is for 2 people.", "Fine."],
        summariser=says("They spoke."),
    )
    summary = stage.play("Fine, then.", thread, **HELLO).summary
    for kept in ("104", "108", "189", "175", "378", "350", "2027", "Anna Kowalska", "Zebrowski"):
        assert kept in summary, kept
    assert "[t1] Also:" in summary
    assert "[t2] Also:" in summary


def test_the_summary_reaches_the_assistants_and_never_the_guest(stage: Stage) -> None:
    """The hotels' assistants and the coordinator read it in their briefing; no reply ever holds it."""
    thread = stage.thread()
    talk(stage, thread, ["One.", "Two.", "Three."], summariser=says("[t1] SUMMARY-LINE."))
    assert stage.play("Four.", thread, **HELLO).folded
    turn = stage.play("Is a Deluxe room free from 1 to 3 February?", thread, **ROOMS)
    assert "SUMMARY-LINE" in turn.branches["hotel1"].messages[0].text
    assert all("SUMMARY-LINE" not in entry.turn.reply for entry in stage.desk.turns(thread))


def test_recall_reaches_what_the_summary_dropped(stage: Stage) -> None:
    """What fell off the summary is found in the thread's own turn log, and stated as what was said then."""
    thread = stage.thread()
    first = stage.play("Is a Deluxe room free from 1 to 3 February?", thread, **ROOMS)
    talk(stage, thread, [f"Word {chr(97 + n) * 4}." for n in range(5)], summariser=says("x " * 3000))

    def remembers(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if not rounds_so_far(messages):
            return calling(call("recall", query="Deluxe room recommended"))
        facts = json.loads(messages[-1].text)["facts"]
        return AIMessage(" ".join(f"[[{fact['id']}]]" for fact in facts))

    turn = stage.play("Which room was it?", thread, **{**HELLO, "direct": remembers})
    assert [fact.room for fact in turn.facts] == [fact.room for fact in first.facts]
    assert all(fact.recalled for fact in turn.facts)
    assert "I had recommended" in turn.reply
    assert turn.checks.problems == []


def test_recall_reaches_no_other_thread(stage: Stage) -> None:
    """The recall tool's archive is this thread's own."""
    other = stage.thread()
    stage.play("Is a Deluxe room free from 1 to 3 February?", other, **ROOMS)
    asked = Counting(in_turn(lambda m, t: calling(call("recall", query="Deluxe room")), says("Gladly.")))
    stage.play("Which room was it?", **{**HELLO, "direct": asked})
    assert json.loads(asked.given[-1][-1].text)["facts"] == []


def test_parallel_tool_calls_leave_no_orphan(stage: Stage) -> None:
    """A fold just after a turn with parallel tool calls: no orphan tool message, no id removed twice, no crash."""
    thread = stage.thread()
    talk(stage, thread, ["One.", "Two."])
    both = {
        "coordinator": routes(handoff("hotels", "free rooms: for the stay; guide: breakfast")),
        "merger": marks_only,
    }
    turn = stage.play("A Deluxe from 1 to 3 February, and when is breakfast?", thread, **both)
    calls = [message for message in turn.branches["hotel1"].messages if message.tool_calls]
    assert len(calls[0].tool_calls or []) == 2
    folded = stage.play("Four.", thread, **HELLO)
    assert folded.folded > 0
    assert folded.problem is None
    assert {message.role for branch in turn.branches.values() for message in branch.messages} <= {
        "human",
        "ai",
        "tool",
    }
    assert stage.play("And a Deluxe from 1 to 3 February?", thread, **both).problem is None


def test_a_fold_that_no_longer_fits_is_left_alone(open_at: Callable[..., Any]) -> None:
    """A fold whose messages are not all there, as after a retry, changes nothing."""
    driver = Driver(open_at(HELLO).parts)
    first = driver.turn("One.")
    ids = [message.id for message in first.state["messages"]]
    assert driver.turn("Two.", fold=Fold("a summary", [*ids, "t9-guest"])).state["folded"] == 0
    third = driver.turn("Three.", fold=Fold("a summary", ids))
    assert third.state["folded"] == 2
    fourth = driver.turn("Four.", fold=Fold("a summary", ids))  # applied before: the same ids once more
    assert fourth.state["folded"] == 0
    assert third.nodes["identify"] == fourth.nodes["identify"] == 1


# The guard by itself

SAID = "Deluxe room 104 at Harbour House: €189 from 1 to 3 February 2027."
TURN = FoldedTurn(4, "Łukasz Żak here, for Anna Kowalska, HH-1002.", SAID)


@pytest.mark.parametrize(
    "thing", ["Łukasz Żak", "Anna Kowalska", "HH-1002", "104", "Harbour House", "€189", "February", "2027"]
)
def test_the_guard_knows_what_is_concrete(thing: str) -> None:
    """Names, references, rooms, prices and dates are seen, and appended when a summary lacks them."""
    assert any(thing in found for found in concrete(f"{TURN.guest} {TURN.desk}"))
    assert thing in guarded("They spoke.", [TURN])


def test_the_guard_adds_nothing_that_is_there() -> None:
    """A summary that holds everything stays as it is."""
    whole = f"[t4] Guest: {TURN.guest} Desk: {TURN.desk}"
    assert guarded(whole, [TURN]) == whole


def test_a_number_inside_another_does_not_count_as_kept() -> None:
    """ "1042" does not keep "104"."""
    assert "104" in guarded("Room 1042.", [FoldedTurn(1, "Room 104?", "")]).replace("1042", "")


@pytest.mark.parametrize("summary", ["word " * 5000, "x" * 20_000, "\n".join(["line " * 50] * 100)])
def test_a_summary_stays_under_its_budget(summary: str) -> None:
    """However a model rambles, in one line or in many, the summary keeps to its tokens."""
    assert count_tokens_approximately([within_budget(summary)]) <= SUMMARY_TOKENS


def test_the_newest_lines_are_kept() -> None:
    """What does not fit any more is the oldest."""
    lines = [f"[t{n}] {'word ' * 100}" for n in range(1, 20)]
    kept = within_budget("\n".join(lines)).splitlines()
    assert kept
    assert kept == lines[-len(kept) :]


def test_turns_are_read_back_from_message_ids() -> None:
    """The folded turns carry their numbers, so that each statement of a summary keeps the id of its turn."""
    from langchain_core.messages import HumanMessage

    messages = [
        HumanMessage("a", id="t1-guest"),
        AIMessage("b", id="t1-desk"),
        HumanMessage("c", id="t12-guest"),
    ]
    assert folded_turns(messages) == [FoldedTurn(1, "a", "b"), FoldedTurn(12, "c", "")]
