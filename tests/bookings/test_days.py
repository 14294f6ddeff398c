"""The days of a booking as guests write them: doubtful ones are asked about, impossible ones said plainly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.bookings.support import talk


@pytest.mark.parametrize(
    ("words", "choices", "answer", "arrival"),
    [
        ("Is the Family Suite free from 07/08?", ("7 August 2027", "8 July 2027"), "8 July", "2027-07-08"),
        (
            "Is the Family Suite free from 07/08?",
            ("7 August 2027", "8 July 2027"),
            "the first one",
            "2027-08-07",
        ),
        ("Family Suite from 05/06 to 07/06 please", ("5 June 2027", "6 May 2027"), "in June", "2027-06-05"),
    ],
)
def test_an_ambiguous_day_is_asked_about(
    desk: Any, words: str, choices: tuple[str, ...], answer: str, arrival: str
) -> None:
    """It counts only when the guest has said which day was meant, by month name; then with its weekday."""
    thread = desk.thread()
    turn = desk.say(thread, words)
    assert [choice for choice in choices if choice not in turn.reply] == []
    assert not [fact for fact in turn.facts if fact.kind == "room_free"]
    turn = talk(desk, thread, answer, "yes")[-1]
    assert turn.offer.arrival.isoformat() == arrival
    assert turn.offer.arrival.strftime("%A") in turn.reply


def test_a_yes_to_two_days_is_none(desk: Any) -> None:
    """Asked which day was meant, "yes" chooses none."""
    thread = desk.thread()
    turn = talk(desk, thread, "Is the Family Suite free from 07/08?", "yes", "My name is Lena Novak", "yes")[
        -1
    ]
    assert (turn.offer, turn.booking) == (None, None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("A Standard room from 28 February to 29 February 2027", "no such date"),
        ("Ein Standardzimmer vom 29. Februar 2027 bis 2. März 2027", "Dieses Datum gibt es"),
        ("A Standard room on 31 April 2027", "no such date"),
        ("A Standard room from 13 to 11 February", "must be after the arrival"),
        ("Ein Standardzimmer vom 13. bis zum 11. Februar", "Anreise"),
        ("A Standard room from 1 to 3 November 2026", "in the past"),
        ("Ein Standardzimmer vom 1. bis 3. November 2026", "Vergangenheit"),
        ("A Standard room from 1 to 3 March 2028", "too far ahead"),
        ("Ein Standardzimmer vom 1. bis 3. März 2028", "zu weit"),
        ("A Standard room in two years", "too far ahead"),
    ],
)
def test_an_impossible_stay_is_said_plainly(desk: Any, words: str, said: str) -> None:
    """Nothing is listed, nothing can be picked, and a yes books nothing."""
    thread = desk.thread()
    turn = desk.say(thread, words)
    assert said in turn.reply
    assert {fact.kind for fact in turn.facts} == {"date_problem"}
    for text in ("yes", "101 please", "My name is Lena Novak", "yes"):
        turn = desk.say(thread, text)
        assert (turn.offer, turn.booking) == (None, None)


def test_a_leap_day_is_a_day_in_its_year(open_at: Callable[..., Any]) -> None:
    """29 February 2028 can be booked."""
    opened = open_at(today="2027-12-01")
    thread = opened.thread()
    turn = talk(opened, thread, "Is the Family Suite free on 29 February 2028?", "yes")[-1]
    assert (turn.offer.arrival.isoformat(), turn.offer.departure.isoformat()) == ("2028-02-29", "2028-03-01")


@pytest.mark.parametrize(
    ("now", "arrival"),
    [
        ("2026-12-01T23:30:00+00:00", "2026-12-01"),
        ("2026-12-02T00:30:00+01:00", "2026-12-01"),
        ("2026-12-01T19:30:00-05:00", "2026-12-02"),
        ("2026-07-01T23:30:00+00:00", "2026-07-02"),
    ],
)
def test_tonight_is_the_hotels_night(open_at: Callable[..., Any], now: str, arrival: str) -> None:
    """Around midnight the day is Lisbon's, wherever the clock was set."""
    turn = open_at(today=now).ask("Is a Deluxe room free tonight?")
    assert {fact.arrival.isoformat() for fact in turn.facts if fact.kind == "room_free"} == {arrival}
