"""Faults 9, 10 and 35: two messages at once, guests' secrets in other threads, and what stays after forgetting."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.errors import DeskError, UnknownThread
from desk.stores.db import JOURNAL_BYTES
from tests.flow.conftest import Stage
from tests.flow.support import PATIENCE, Counting, handoff, marks_only, routes, says

HELLO = {"coordinator": routes(handoff("direct")), "direct": says("I see.")}
HOTELS = {"coordinator": routes(handoff("hotels")), "merger": marks_only}
SECRET = "X1234567Q"


def anywhere(home: Path, value: str) -> list[str]:
    """The files of this home that hold the value, read as raw bytes, in either case."""
    found = [value.encode(), value.lower().encode(), value.encode("utf-16-le")]
    return [
        str(path.relative_to(home))
        for path in sorted(home.rglob("*"))
        if path.is_file() and any(form in path.read_bytes() for form in found)
    ]


# Fault 9


def test_two_messages_at_once_are_both_answered_in_order(stage: Stage) -> None:
    """Two tabs on one thread: one after the other, both answered, and the history holds both pairs."""
    stage.scripts.update(HELLO)
    thread = stage.thread()
    numbers: list[int] = []
    barrier = threading.Barrier(4, timeout=PATIENCE)

    def tab(word: str) -> None:
        barrier.wait()
        numbers.append(stage.desk.send(thread, f"Message {word}."))

    tabs = [threading.Thread(target=tab, args=(word,)) for word in ("one", "two", "three", "four")]
    for each in tabs:
        each.start()
    for each in tabs:
        each.join(PATIENCE)
    turns = [stage.desk.wait(thread, number, 60) for number in sorted(numbers)]
    assert [turn.turn for turn in turns] == [1, 2, 3, 4]
    assert all(turn.reply == "I see." for turn in turns)
    assert sorted(turn.text for turn in turns) == sorted(
        f"Message {w}." for w in ("one", "two", "three", "four")
    )


def test_the_second_of_two_sees_the_first(stage: Stage) -> None:
    """What was sent first is history when the second runs: the state of neither is lost."""
    coordinator = Counting(HELLO["coordinator"])
    stage.scripts.update({**HELLO, "coordinator": coordinator})
    thread = stage.thread()
    first, second = stage.desk.send(thread, "Message alpha."), stage.desk.send(thread, "Message beta.")
    stage.desk.wait(thread, first, 60)
    stage.desk.wait(thread, second, 60)
    texts = [message.text for message in coordinator.given[1][1:-1]]
    assert texts == ["Message alpha.", "I see."]


def test_threads_do_not_wait_for_each_other(stage: Stage) -> None:
    """A guest whose model hangs holds up nobody else."""
    release, began = threading.Event(), threading.Event()

    def waits_for_slow(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if "slow" in messages[-1].text:
            began.set()
            release.wait(PATIENCE * 2)
        return HELLO["coordinator"](messages, tools)

    stage.scripts.update({**HELLO, "coordinator": waits_for_slow})
    slow = stage.thread()
    number = stage.desk.send(slow, "A slow one.")
    assert began.wait(PATIENCE)
    try:
        assert stage.say(stage.thread(), "A quick one.").reply == "I see."
        assert not release.is_set()
    finally:
        release.set()
    assert stage.desk.wait(slow, number, 60).reply == "I see."


# Fault 35


def test_nothing_of_one_guest_reaches_another(stage: Stage) -> None:
    """A says her name and asks for rooms; what the models get in B's thread has nothing of it."""
    one, two = stage.thread(), stage.thread()
    stage.play("I am Anna Kowalska. Is a Deluxe room free from 1 to 3 February?", one, **HOTELS)
    coordinator, direct = Counting(HELLO["coordinator"]), Counting(HELLO["direct"])
    turn = stage.play("What is my name?", two, coordinator=coordinator, direct=direct)
    seen = str([message.text for given in (*coordinator.given, *direct.given) for message in given])
    for private in ("Anna", "Kowalska", "104"):
        assert private not in seen
        assert private not in turn.reply


@pytest.mark.parametrize("made_up", ["", "1", "one", "../desk", "A" * 22, "' OR 1=1 --", "thread\x00"])
def test_a_made_up_thread_opens_nothing(stage: Stage, made_up: str) -> None:
    """Only an id that the desk gave opens a conversation."""
    assert not stage.desk.has_thread(made_up)
    for act in (stage.desk.turns, stage.desk.thread, lambda t: stage.desk.send(t, "Hello")):
        with pytest.raises(UnknownThread):
            act(made_up)


def test_thread_ids_cannot_be_guessed(stage: Stage) -> None:
    """128 random bits, never the same."""
    ids = {stage.desk.new_thread() for _ in range(50)}
    assert len(ids) == 50
    assert all(len(each) >= 22 for each in ids)


def test_an_unverified_guest_learns_nothing_of_a_booking(stage: Stage) -> None:
    """Asked about Bob with no reference, with a wrong one, and with a wrong surname: the same nothing."""
    own = routes(handoff("reservation", action="own_stay", authorization_ref="guest:HH-1002"))
    asks = (
        "When does Bob Miller arrive?",
        "My booking is HH-1002, my name is Smith. When do I arrive?",
        "My booking is HH-9999, my name is Miller. When do I arrive?",
    )
    replies = [stage.play(text, coordinator=own).reply for text in asks]
    assert replies[1] == replies[2]  # whether the reference exists cannot be told from the answer
    for reply in replies:
        for private in ("Bob", "Miller", "102", "HH-1002", "December"):
            assert private not in reply


def test_a_verified_guest_learns_their_own_stay(stage: Stage) -> None:
    """The right reference and surname, and the stay is told: the refusal above is not for everybody."""
    own = routes(handoff("reservation", action="own_stay", authorization_ref="guest:HH-1002"))
    turn = stage.play("My booking is HH-1002, my name is Bob Miller. When do I arrive?", coordinator=own)
    assert [fact.kind for fact in turn.facts] == ["stay"]
    assert "HH-1002" in turn.reply


# Fault 10


def remembered(opened: Any, thread: str, turns: int) -> None:
    """A verified guest says a secret, then talks on."""
    opened.say(thread, f"I am Bob Miller, HH-1002. My passport is {SECRET}.")
    for number in range(turns):
        opened.say(thread, f"Message {chr(97 + number) * 3}, remember {SECRET}.")


@pytest.mark.parametrize("turns", [0, 5], ids=["before a fold", "after a fold"])
def test_what_is_forgotten_is_in_no_file(open_at: Callable[..., Any], turns: int) -> None:
    """The value is gone from every file of DESK_HOME, read as raw bytes, also when it was folded into a summary."""
    opened = open_at(dict(HELLO))
    thread = opened.thread()
    remembered(opened, thread, turns)
    assert anywhere(opened.home, SECRET)  # it was there
    other = opened.thread()
    opened.say(other, "Another guest's message.")
    done = opened.desk.forget("HH-1002:Miller")
    assert (done.conversations, done.complete) == (1, True)
    assert anywhere(opened.home, SECRET) == []
    assert not opened.desk.has_thread(thread)
    assert opened.desk.turns(other)[0].text == "Another guest's message."
    assert opened.parts.hotels.find_guest("HH-1002", "Miller") is not None  # the booking is kept


def test_forgetting_while_a_turn_is_under_way(open_at: Callable[..., Any]) -> None:
    """The turn's late write does not bring the conversation back."""
    release, began = threading.Event(), threading.Event()

    def waits(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if "wait" in messages[-1].text:
            began.set()
            release.wait(PATIENCE * 2)
        return HELLO["coordinator"](messages, tools)

    opened = open_at({**HELLO, "coordinator": waits})
    thread = opened.thread()
    remembered(opened, thread, 1)
    opened.desk.send(thread, f"Please wait with {SECRET}.")
    assert began.wait(PATIENCE)
    opened.desk.forget("HH-1002:Miller")
    release.set()
    assert opened.desk.settle(thread, 60)
    opened.desk.forget("HH-1002:Miller")  # what a late write left in free pages and logs goes now
    assert anywhere(opened.home, SECRET) == []
    assert not opened.desk.has_thread(thread)


def test_forgetting_while_a_fold_is_under_way(open_at: Callable[..., Any]) -> None:
    """A summary that is made while its thread is deleted is not kept."""
    release, began = threading.Event(), threading.Event()

    def slow(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        began.set()
        release.wait(PATIENCE * 2)
        return AIMessage(f"[t1] Guest: passport {SECRET}.")

    opened = open_at({**HELLO, "summariser": slow})
    thread = opened.thread()
    remembered(opened, thread, 1)
    number = opened.desk.send(thread, "One more.")
    opened.desk.wait(thread, number, 60)
    assert began.wait(PATIENCE)
    opened.desk.forget("HH-1002:Miller")
    release.set()
    assert opened.desk.settle(thread, 60)
    opened.desk.forget("HH-1002:Miller")
    assert anywhere(opened.home, SECRET) == []


def test_only_the_right_guest_can_be_forgotten(open_at: Callable[..., Any]) -> None:
    """A wrong surname deletes nothing."""
    opened = open_at(dict(HELLO))
    thread = opened.thread()
    remembered(opened, thread, 0)
    for wrong in ("HH-1002:Smith", "HH-0000:Miller", "Miller", ""):
        with pytest.raises(DeskError):
            opened.desk.forget(wrong)
    assert opened.desk.has_thread(thread)


def test_the_checkpoints_of_a_long_talk_stay_small(open_at: Callable[..., Any]) -> None:
    """After many turns with tool calls the checkpoints hold the newest state of the thread and no more."""
    opened = open_at({**HOTELS, "summariser": says("[t1] Guest: rooms.")})
    thread = opened.thread()
    sizes = []
    for _ in range(24):
        opened.say(thread, "Is a Deluxe room free from 1 to 3 February?")
        sizes.append(stored_bytes(opened.home))
    assert max(sizes[12:]) <= 1.5 * max(sizes[4:12])
    files = [path for path in opened.home.glob("checkpoints.db*") if not path.name.endswith("-shm")]
    assert sum(path.stat().st_size for path in files) < 2 * JOURNAL_BYTES


def stored_bytes(home: Path) -> int:
    """How much the rows of the checkpoints hold."""
    with closing(sqlite3.connect(home / "checkpoints.db")) as connection:
        sizes = (
            "SELECT COALESCE(SUM(LENGTH(checkpoint) + LENGTH(metadata)), 0) FROM checkpoints",
            "SELECT COALESCE(SUM(LENGTH(value)), 0) FROM writes",
        )
        return sum(int(connection.execute(size).fetchone()[0]) for size in sizes)


def test_the_first_turns_words_leave_the_checkpoints(open_at: Callable[..., Any]) -> None:
    """What was folded away is not kept in older checkpoint rows either."""
    opened = open_at({**HELLO, "summariser": says("[t1] Guest: hello.")})
    thread = opened.thread()
    opened.say(thread, "My cat is called zanzibarium.")
    for number in range(6):
        opened.say(thread, f"Message {chr(97 + number) * 3}.")
    with closing(sqlite3.connect(opened.home / "checkpoints.db")) as connection:
        rows = connection.execute("SELECT checkpoint FROM checkpoints").fetchall()
        writes = connection.execute("SELECT value FROM writes").fetchall()
    assert len(rows) <= 2
    assert not any(b"zanzibarium" in bytes(value) for (value,) in [*rows, *writes])


@pytest.mark.parametrize("turn", [2**63, 2**80, -(2**70), 7])
def test_a_turn_number_that_no_turn_has(desk: Any, turn: int) -> None:
    """Following, stopping or retrying it is told like any unknown turn, however large the number."""
    thread = desk.thread()
    for ask in (desk.desk.progress, desk.desk.stop, desk.desk.retry):
        with pytest.raises(UnknownThread):
            ask(thread, turn)
