"""A guest's own booking: looked up, changed and cancelled, each offered with its fee and carried out on a yes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.bookings.support import offered, rows, shown, taken, talk

BOB = (
    "HH-1002:Miller"  # Standard 102, D+10 to D+14: Harbour House, free until 48 hours before, then one night
)
ANA = "GC-2001:Costa"  # Deluxe 108, D+20 to D+24: Garden Court, free until 7 days before, then half
Open = Callable[..., Any]


@pytest.mark.parametrize(
    "words",
    [
        ["What is my booking? HH-1002, Miller"],
        ["My reference is HH-1002 and my name is Bob Miller."],
        ["I'd like to look up my booking", "hh 1002, Bob Miller"],
        ["Was habe ich gebucht? Meine Buchungsnummer ist HH-1002, Miller"],
        ["Ich heiße Bob Miller und meine Buchung ist HH-1002"],
        ["What did I book?", "HH-1002 Smith", "Sorry: HH-1002, Miller"],
    ],
)
def test_a_booking_is_shown_to_its_guest(desk: Any, words: list[str]) -> None:
    """Reference and surname together open the booking, and all of it is said."""
    turn = talk(desk, desk.thread(), *words)[-1]
    assert [
        part for part in ("HH-1002", "102", "Harbour House", "11", "15", "380") if part not in turn.reply
    ] == []
    assert turn.booking is None


CHANGES = [
    (["I want to change my booking", "one night longer"], ("102", "2026-12-11", "2026-12-16", 475)),
    (["Can I stay one night longer?"], ("102", "2026-12-11", "2026-12-16", 475)),
    (["I would like to leave a day earlier"], ("102", "2026-12-11", "2026-12-14", 285)),
    (["Please move my booking to 20 to 23 December"], ("102", "2026-12-20", "2026-12-23", 285)),
    (["Can I change to a Superior room?"], ("103", "2026-12-11", "2026-12-15", 516)),
    (["I would like to change my booking", "a Deluxe please"], ("104", "2026-12-11", "2026-12-15", 756)),
    (["Ich möchte meine Buchung ändern", "eine Nacht länger bitte"], ("102", "2026-12-11", "2026-12-16", 475)),
    (["Ich möchte in ein Superior-Zimmer wechseln"], ("103", "2026-12-11", "2026-12-15", 516)),
    (["Can I stay one night longer?", "no, two nights longer"], ("102", "2026-12-11", "2026-12-17", 570)),
]  # fmt: skip


@pytest.mark.parametrize(("words", "becomes"), CHANGES)
def test_a_change_is_offered_and_confirmed(desk: Any, words: list[str], becomes: tuple[Any, ...]) -> None:
    """Dates or type: the change is offered with its new total and its fee, and stored on a yes only."""
    thread = desk.thread(BOB)
    before = rows(desk.home)
    turn = talk(desk, thread, *words)[-1]
    offer = turn.offer
    assert (offer.room, offer.arrival.isoformat(), offer.departure.isoformat(), offer.total) == becomes
    assert (offer.action, offer.reference, offer.fee) == ("change", "HH-1002", 0)
    assert str(becomes[-1]) in turn.reply
    assert rows(desk.home) == before
    done = desk.say(thread, "ja" if turn.language == "de" else "yes").booking
    assert (done.status, done.reference, done.total) == ("changed", "HH-1002", becomes[-1])
    assert next(each for each in rows(desk.home) if each not in before)[:3] == becomes[:3]
    assert len(rows(desk.home)) == len(before)


@pytest.mark.parametrize(
    ("words", "no"),
    [
        (["Can I stay one night longer?"], "no"),
        (["Can I stay one night longer?"], "no thanks, leave it"),
        (["Please cancel my booking"], "no"),
        (["Please cancel my booking"], "No, I'll keep it"),
        (["Ich möchte meine Buchung stornieren"], "Nein"),
        (["Ich möchte eine Nacht länger bleiben"], "nein danke"),
        (["Please cancel my booking"], "What is the Wi-Fi password?"),
        (["Please cancel my booking"], "is it cancelled?"),
        (["Please cancel my booking"], "don't cancel it"),
        (["Please cancel my booking"], "if it's free, maybe"),
    ],
)
def test_what_is_not_confirmed_changes_nothing(desk: Any, words: list[str], no: str) -> None:
    """Declined, or not answered: the booking is as it was."""
    thread = desk.thread(BOB)
    before = rows(desk.home)
    turns = talk(desk, thread, *words, no)
    assert turns[-2].offer is not None
    assert turns[-1].booking is None
    assert rows(desk.home) == before


@pytest.mark.parametrize(
    ("yes"), ["yes", "Yes, cancel it", "cancel it please", "Please go ahead and cancel it.", "confirm"]
)
def test_a_cancellation_is_confirmed_in_its_own_words(desk: Any, yes: str) -> None:
    """ "Cancel it" says yes to an offered cancellation; the room is free again."""
    thread = desk.thread(BOB)
    offer = desk.say(thread, "Please cancel my booking").offer
    assert (offer.action, offer.fee) == ("cancel", 0)
    turn = desk.say(thread, yes)
    assert (turn.booking.status, turn.booking.reference) == ("cancelled", "HH-1002")
    assert "free of charge" in turn.reply
    assert taken(desk.home, "102") == []


@pytest.mark.parametrize("yes", ["Ja", "Ja, bitte stornieren", "Stornieren Sie sie"])
def test_a_german_cancellation(desk: Any, yes: str) -> None:
    """The same in German."""
    thread = desk.thread(BOB)
    desk.say(thread, "Bitte stornieren Sie meine Buchung")
    assert desk.say(thread, yes).booking.status == "cancelled"


def test_a_cancelled_booking_cannot_be_cancelled_again(desk: Any) -> None:
    """It is said so; nothing is offered, and it cannot be changed either."""
    thread = desk.thread(BOB)
    talk(desk, thread, "Please cancel my booking", "yes")
    before = rows(desk.home)
    for words in ("Please cancel my booking", "Can I stay one night longer?"):
        turn = desk.say(thread, words)
        assert (turn.offer, turn.booking) == (None, None)
        assert "cancelled already" in turn.reply
    assert desk.say(thread, "yes").booking is None
    assert rows(desk.home) == before
    assert "is cancelled" in desk.say(thread, "What is my booking?").reply


@pytest.mark.parametrize(
    ("guest", "now", "fee"),
    [
        (BOB, "2026-12-09T14:00", 0),
        (BOB, "2026-12-10T09:00", 95),
        (ANA, "2026-12-13T09:00", 0),
        (ANA, "2026-12-16T09:00", 350),
    ],
)
def test_a_late_cancellation_costs_what_the_hotel_says(open_at: Open, guest: str, now: str, fee: int) -> None:
    """Near the stay each hotel's own rule sets the fee; it is said before, and again after."""
    open_at().desk.close(30)  # the databases are made on the first of December
    opened = open_at(today=now)
    thread = opened.thread(guest)
    turn = opened.say(thread, "Please cancel my booking")
    assert turn.offer.fee == fee
    assert (f"€{fee}" if fee else "free of charge") in turn.reply
    done = opened.say(thread, "yes")
    assert done.booking.fee == fee
    assert (f"€{fee} is charged" if fee else "free of charge") in done.reply


@pytest.mark.parametrize("guest", [BOB, ANA])
@pytest.mark.parametrize("words", ["Please cancel my booking", "Can I stay one night longer?"])
def test_a_stay_that_has_begun_stays(open_at: Open, guest: str, words: str) -> None:
    """From check-in on nothing is changed in the chat: the guest is sent to the reception."""
    open_at().desk.close(30)
    opened = open_at(today="2026-12-12T12:00" if guest == BOB else "2026-12-22T12:00")
    thread = opened.thread(guest)
    before = rows(opened.home)
    turn = opened.say(thread, words)
    assert (turn.offer, turn.booking) == (None, None)
    assert "has already begun" in turn.reply
    assert opened.say(thread, "yes").booking is None
    assert rows(opened.home) == before


def test_a_change_to_nights_that_are_taken_is_refused(desk: Any) -> None:
    """Another guest has the room then: said so, and the booking stays."""
    other, turn = offered(desk, stay="from 15 to 17 December", kind="Standard", picks=["102"])
    assert desk.say(other, "yes").booking is not None
    before = rows(desk.home)
    turn = desk.say(desk.thread(BOB), "Can I stay one night longer?")
    assert turn.offer is None
    assert "102" in turn.reply
    assert "not free" in turn.reply
    assert rows(desk.home) == before


def test_a_guest_may_change_what_they_have_just_booked(desk: Any) -> None:
    """The thread that booked needs to prove nothing: it looks up, changes and cancels."""
    thread, _ = offered(desk)
    reference = desk.say(thread, "yes").booking.reference
    assert reference in desk.say(thread, "What is my booking?").reply
    assert desk.say(thread, "I would like to stay one night longer").offer.reference == reference
    assert desk.say(thread, "yes").booking.status == "changed"
    assert desk.say(thread, "cancel my booking").offer.reference == reference
    assert desk.say(thread, "yes").booking.status == "cancelled"


def _sql(home: Path, statement: str) -> None:
    with closing(sqlite3.connect(home / "hotels" / "hotel2.db")) as connection, connection:
        connection.execute(statement)


def test_a_rate_that_has_changed_is_offered_anew(desk: Any) -> None:
    """Between offer and yes the rate rises: nothing is booked, the new total is offered, and a yes books that."""
    thread, first = offered(desk)
    before = rows(desk.home)
    _sql(desk.home, "UPDATE rooms SET rate = 300 WHERE room = '107'")
    turn = desk.say(thread, "yes")
    assert (turn.booking, rows(desk.home)) == (None, before)
    assert (turn.offer.total, turn.offer.room) == (600, "107")
    assert turn.offer.id != first.offer.id
    assert "changed" in turn.reply
    assert "€600" in turn.reply
    stale = desk.say(thread, "", action=f"confirm:{first.offer.id}")
    assert (stale.booking, shown(stale.offer)) == (None, shown(turn.offer))
    assert desk.say(thread, "yes").booking.total == 600


def test_a_room_taken_meanwhile_comes_with_alternatives(desk: Any) -> None:
    """Another thread was faster: told so, with rooms that are free, one of which can be had."""
    thread, _ = offered(desk, kind="Deluxe", picks=["Garden Court"])
    other, _ = offered(desk, kind="Deluxe", picks=["Garden Court"])
    assert desk.say(other, "yes").booking is not None
    turn = desk.say(thread, "yes")
    assert (turn.booking, turn.offer) == (None, None)
    assert "no longer free" in turn.reply
    named = [fact.room for fact in turn.facts if fact.kind == "nearest"]
    assert named
    assert all(room in turn.reply for room in named)
    again = desk.say(thread, f"{named[0]} then please")
    assert again.offer.room == named[0]
    assert desk.say(thread, "yes").booking.room == named[0]


def test_a_room_taken_before_the_pick(desk: Any) -> None:
    """Listed, taken by another, then picked: no offer, but alternatives."""
    thread = desk.thread()
    desk.say(thread, "Is a Deluxe room free from 11 to 13 February?")
    other, _ = offered(desk, kind="Deluxe", picks=["Garden Court"])
    desk.say(other, "yes")
    turn = desk.say(thread, "108 please")
    assert turn.offer is None
    assert "no longer free" in turn.reply
    assert any(fact.kind == "nearest" for fact in turn.facts)


def test_a_reference_is_given_for_what_was_asked(desk: Any) -> None:
    """Asked to cancel, the desk asks for the reference first, and then offers the cancellation."""
    thread = desk.thread()
    turns = talk(desk, thread, "Please cancel my booking", "HH-1002, Bob Miller")
    assert "reference" in turns[0].reply
    assert turns[1].offer.action == "cancel"
    assert desk.say(thread, "yes").booking.status == "cancelled"
