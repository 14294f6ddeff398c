"""An unverified thread learns nothing about a booking, and cannot find one out by trying."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from tests.bookings.support import rows, talk

PROBES = [
    "What did Bob Miller book?",
    "Is Mr Miller staying with you?",
    "Who is in room 102?",
    "Who has booked 102 in December?",
    "My reference is HH-1002",
    "HH-1002",
    "Cancel HH-1002 please",
    "When does HH-1002 arrive?",
    "I am Bob Miller, what is my booking?",
    "I am Ana Costa and I want to cancel my booking",
    "Was hat Bob Miller gebucht?",
    "Meine Buchungsnummer ist GC-2001",
    "Please change the booking in room 108 to another day",
]
SECRETS = ("380", "11 to 15", "11. bis", "14 December", "Friday 11", "700", "21 to 25", "Monday 21")


def test_probes_learn_nothing(desk: Any) -> None:
    """Neither a name, nor a room, nor a reference alone says when or what somebody booked, or changes it."""
    before = rows(desk.home)
    wrong = []
    for probe in PROBES:
        turn = desk.ask(probe)
        told = [secret for secret in SECRETS if secret in turn.reply]
        facts = [fact for fact in turn.facts if fact.kind in ("stay", "booking")]
        if told or facts or turn.offer or turn.booking:
            wrong.append((probe, turn.reply))
    assert wrong == []
    assert rows(desk.home) == before


@pytest.mark.parametrize(
    "pattern",
    [
        "{reference}, {surname}",
        "My reference is {reference} and my name is {surname}",
        "Buchung {reference}, Name {surname}",
    ],
)
def test_a_wrong_surname_and_an_unknown_reference_sound_the_same(desk: Any, pattern: str) -> None:
    """Word for word, so that nobody learns which references exist."""
    replies = {
        desk.ask(pattern.format(reference=reference, surname=surname)).reply
        for reference, surname in (
            ("HH-1002", "Smith"),
            ("HH-7777", "Smith"),
            ("GC-2001", "Miller"),
            ("HH-1002", "Costa"),
        )
    }
    assert len(replies) == 1


class Moving:
    """The desk's clock, which a test may set forward."""

    def __init__(self, clock: Any) -> None:
        self._clock = clock
        self.ahead = dt.timedelta(0)

    def now(self) -> dt.datetime:
        """The desk's time."""
        return self._clock.now() + self.ahead  # type: ignore[no-any-return]

    def today(self) -> dt.date:
        """The desk's date."""
        return self.now().date()


@pytest.fixture
def timed(open_at: Callable[..., Any]) -> tuple[Any, Moving]:
    """A desk and its clock."""
    from desk.clock import Clock
    from desk.settings import read_settings

    start = read_settings(today="2026-12-01").today
    clock = Moving(Clock.starting_at(start, Clock.starting_at(None, dt.UTC).zone))  # type: ignore[arg-type]
    opened = open_at(changed={"clock": clock})
    return opened, clock


WRONG = ["HH-1000, Miller", "HH-1001, Miller", "HH-1003, Miller", "HH-1004, Miller", "HH-1005, Miller"]


def test_five_wrong_references_make_a_thread_wait(timed: tuple[Any, Moving]) -> None:
    """Ten minutes by the desk's clock, even for the right one; then it opens again. Other threads do not wait."""
    desk, clock = timed
    thread = desk.thread()
    turns = talk(desk, thread, *WRONG)
    assert "wait" not in turns[3].reply
    assert "ten minutes" in turns[4].reply
    assert "ten minutes" in desk.say(thread, "HH-1002, Miller").reply
    assert "HH-1002" in desk.ask("What is my booking? HH-1002, Miller").reply
    clock.ahead = dt.timedelta(minutes=9)
    assert "ten minutes" in desk.say(thread, "HH-1002, Miller").reply
    clock.ahead = dt.timedelta(minutes=11)
    turn = desk.say(thread, "What is my booking? HH-1002, Miller")
    assert [fact.kind for fact in turn.facts] == ["stay"]
    assert "wait" not in desk.say(thread, "HH-1000, Miller").reply


def test_a_right_reference_starts_the_count_anew(timed: tuple[Any, Moving]) -> None:
    """Four wrong ones, the right one, four wrong ones: the thread does not wait."""
    desk, _ = timed
    thread = desk.thread()
    turns = talk(desk, thread, *WRONG[:4], "HH-1002, Miller", *WRONG[:4])
    assert not any("ten minutes" in turn.reply for turn in turns)


def test_the_binding_of_a_page_counts_as_little(desk: Any) -> None:
    """A thread bound to a wrong surname is not verified."""
    turn = desk.ask("What is my booking?", guest="HH-1002:Smith")
    assert [fact.kind for fact in turn.facts if fact.kind in ("stay", "booking")] == []
    assert "reference" in turn.reply


def test_one_threads_booking_is_not_anothers(desk: Any) -> None:
    """What one thread booked is unknown to the next, which is told so in the words for any unknown guest."""
    thread = desk.thread()
    talk(desk, thread, "Is the Family Suite free from 11 to 13 February?", "yes", "My name is Lena Novak")
    reference = desk.say(thread, "yes").booking.reference
    for words in ("What is my booking?", "What did Lena Novak book?", f"What is {reference}?"):
        turn = desk.ask(words)
        assert not [fact for fact in turn.facts if fact.kind in ("stay", "booking")]
        assert "498" not in turn.reply
