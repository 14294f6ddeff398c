"""From a question to a reference, in English and German, with all that guests say in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.bookings.support import offered, rows, shown, taken, talk

Open = Callable[..., Any]
DELUXE = "Is a Deluxe room free from 11 to 13 February?"
DELUXE_DE = "Ist vom 11. bis 13. Februar ein Deluxe-Zimmer frei?"


@pytest.mark.parametrize(
    ("ask", "pick", "room"),
    [
        (DELUXE, "The one at Garden Court, please.", "108"),
        (DELUXE, "104 please", "104"),
        (DELUXE, "I'd like the cheaper one", "108"),
        (DELUXE, "the first", "104"),
        (DELUXE, "we'll take the more expensive one", "104"),
        (DELUXE_DE, "Das im Harbour House bitte", "104"),
        (DELUXE_DE, "Zimmer 108", "108"),
        (DELUXE_DE, "Das günstigere bitte.", "108"),
        (DELUXE_DE, "Ich nehme das erste", "104"),
        (DELUXE_DE, "das zweite, bitte", "108"),
    ],
)
def test_a_pick_is_offered_with_every_detail(desk: Any, ask: str, pick: str, room: str) -> None:
    """The offer says hotel, room, type, weekdays, nights, capacity, rate and total, and asks for the name."""
    thread = desk.thread()
    turn = talk(desk, thread, ask, pick)[-1]
    rate = {"104": 189, "108": 175}[room]
    hotel = {"104": "Harbour House", "108": "Garden Court"}[room]
    german = turn.language == "de"
    assert turn.offer.room == room
    said = [hotel, room, "Deluxe", "11", "13", "Februar" if german else "February", str(rate), str(2 * rate)]
    said += ["Donnerstag", "Samstag", "2 Nächte", "2 Personen"] if german else []
    said += [] if german else ["Thursday", "Saturday", "2 nights", "2 people"]
    assert [part for part in said if part not in turn.reply] == []
    assert turn.reply.endswith("Auf welchen Namen darf ich buchen?" if german else "may I book it?")
    assert turn.booking is None


@pytest.mark.parametrize(
    ("ask", "pick", "name", "yes"),
    [
        (DELUXE, "the cheaper one", "Anna Kowalska", "Yes, please book it."),
        (DELUXE, "Garden Court please, Anna Kowalska", "", "confirmed"),
        (DELUXE_DE, "das günstigere", "Anna Kowalska", "Ja, bitte buchen."),
        (DELUXE_DE, "Das im Garden Court", "Ich heiße Anna Kowalska", "passt so"),
        (DELUXE_DE, "das günstigere", "Anna Kowalska", "yes"),
    ],
)
def test_a_typed_yes_books(desk: Any, ask: str, pick: str, name: str, yes: str) -> None:
    """After the offer a yes writes one row, and the reply names the stored reference."""
    thread = desk.thread()
    turns = talk(desk, thread, *(text for text in (ask, pick, name) if text))
    before = rows(desk.home)
    turn = desk.say(thread, yes)
    assert turn.booking.reference in turn.reply
    assert turn.booking.reference.startswith("GC-")
    assert shown(turn.booking) == shown(turns[-1].offer)
    assert len(rows(desk.home)) == len(before) + 1
    assert (turn.offer, turn.booking.status) == (None, "booked")


def test_the_button_does_what_the_word_does(desk: Any) -> None:
    """Confirm and decline by the card's buttons, without a text."""
    thread, turn = offered(desk)
    declined = desk.say(thread, "", action=f"decline:{turn.offer.id}")
    assert (declined.offer, declined.booking, taken(desk.home, "107")[1:]) == (None, None, [])
    thread, turn = offered(desk)
    booked = desk.say(thread, "", action=f"confirm:{turn.offer.id}")
    assert booked.booking.reference in booked.reply
    assert taken(desk.home, "107")[1:] == [("2027-02-11", "2027-02-13")]


BETWEEN = [
    "What is the Wi-Fi password?",
    "How are you today?",
    "What time is breakfast tomorrow?",
    "Is there a concert on 12 February?",
    "The air conditioning in the lobby is far too loud!",
    "Is there parking at Harbour House?",
    "Thank you, that is kind",
    "Can I bring my small dog?",
    "What is your address?",
]
BETWEEN_DE = [
    "Wie ist das WLAN-Passwort?",
    "Wie geht es Ihnen heute?",
    "Wann gibt es morgen Frühstück?",
    "Gibt es am 12. Februar ein Konzert?",
    "Der Fernseher im Foyer ist viel zu laut!",
    "Danke, das ist nett",
]


@pytest.mark.parametrize(("words", "yes"), [(BETWEEN, "yes"), (BETWEEN_DE, "Ja")])
def test_an_offer_outlives_what_comes_between(desk: Any, words: list[str], yes: str) -> None:
    """Questions, complaints and small talk, also with a date in them, leave the offer as it was made."""
    thread, turn = offered(desk)
    turns = talk(desk, thread, *words)
    assert [text for text, each in zip(words, turns, strict=True) if each.offer != turn.offer] == []
    booked = desk.say(thread, yes).booking
    assert shown(booked) == shown(turn.offer)


def test_another_thread_changes_nothing(desk: Any) -> None:
    """Two guests talk at the same time: each one's yes means their own offer."""
    mine, my_turn = offered(desk, kind="Deluxe", picks=["Garden Court"])
    other, other_turn = offered(desk, stay="from 3 to 6 March", kind="Deluxe", picks=["Harbour House"])
    assert shown(desk.say(other, "yes").booking) == shown(other_turn.offer)
    assert shown(desk.say(mine, "yes").booking) == shown(my_turn.offer)


def test_an_offer_outlives_a_restart(open_at: Open) -> None:
    """The desk is closed and opened again between offer and yes."""
    first = open_at()
    thread, turn = offered(first)
    assert first.desk.close(30)
    second = open_at()
    assert second.desk.turns(thread)[-1].turn.offer == turn.offer
    booked = second.say(thread, "yes")
    assert shown(booked.booking) == shown(turn.offer)
    assert booked.booking.reference in booked.reply


@pytest.mark.parametrize(
    ("words", "offer"),
    [
        (["no, one night longer"], ("108", "2027-02-11", "2027-02-14", 525)),
        (["can we stay one night longer?"], ("108", "2027-02-11", "2027-02-14", 525)),
        (["lieber drei Nächte"], ("108", "2027-02-11", "2027-02-14", 525)),
        (["Nein, eine Nacht länger bitte"], ("108", "2027-02-11", "2027-02-14", 525)),
        (["yes, but only one night"], ("108", "2027-02-11", "2027-02-12", 175)),
        (["Ja, aber nur eine Nacht"], ("108", "2027-02-11", "2027-02-12", 175)),
        (["no, from 12 to 15 February"], ("108", "2027-02-12", "2027-02-15", 525)),
        (["a week later please"], ("108", "2027-02-18", "2027-02-20", 350)),
        (["at Harbour House instead"], ("104", "2027-02-11", "2027-02-13", 378)),
        (["lieber im Harbour House"], ("104", "2027-02-11", "2027-02-13", 378)),
        (["the other one please"], ("104", "2027-02-11", "2027-02-13", 378)),
        (["das andere bitte"], ("104", "2027-02-11", "2027-02-13", 378)),
        (["no, one night longer", "at Harbour House instead"], ("104", "2027-02-11", "2027-02-14", 567)),
        (["lieber drei Nächte", "das andere bitte"], ("104", "2027-02-11", "2027-02-14", 567)),
        (["one night longer", "no, one night shorter again"], ("108", "2027-02-11", "2027-02-13", 350)),
    ],
)
def test_a_wish_makes_another_offer(desk: Any, words: list[str], offer: tuple[Any, ...]) -> None:
    """What the guest wants otherwise is offered anew, nothing is booked, and a yes then books exactly that."""
    thread, _ = offered(desk, kind="Deluxe", picks=["Garden Court"])
    turn = talk(desk, thread, *words)[-1]
    assert turn.booking is None
    assert shown(turn.offer)[1:] == offer
    assert shown(desk.say(thread, "yes").booking)[1:] == offer


def test_more_people_than_beds_end_the_offer(desk: Any) -> None:
    """ "For three people then": a room that is too small is no longer on offer, others are, and a yes books none."""
    thread, _ = offered(desk, kind="Deluxe", picks=["Garden Court"])
    before = rows(desk.home)
    turn = desk.say(thread, "for three people then")
    assert turn.offer is None
    assert "103" in turn.reply
    assert "Deluxe" not in turn.reply
    assert desk.say(thread, "yes").booking is None
    assert rows(desk.home) == before


def test_more_people_in_the_same_room(desk: Any) -> None:
    """Where the room sleeps them, the same room is offered for the new party."""
    thread, first = offered(desk, kind="Superior", picks=["Garden Court"])
    turn = desk.say(thread, "for two people then")
    assert (turn.offer.guests, turn.offer.room) == (2, first.offer.room)
    assert desk.say(thread, "yes").booking.guests == 2


@pytest.mark.parametrize("words", ["no thanks", "Nein danke", "no, too expensive", "I changed my mind"])
def test_a_no_ends_the_offer(desk: Any, words: str) -> None:
    """A refusal writes nothing and leaves nothing that a later yes could book."""
    thread, _ = offered(desk)
    before = rows(desk.home)
    assert desk.say(thread, words).offer is None
    assert desk.say(thread, "yes").booking is None
    assert rows(desk.home) == before


@pytest.mark.parametrize(
    "question",
    [
        "Do you also have a Superior?",
        "What about the Deluxe?",
        "Is the Family Suite free from 3 to 5 May?",
        "And in June?",
    ],
)
def test_a_yes_after_another_listing_books_nothing(desk: Any, question: str) -> None:
    """Asked about other rooms the desk lists them; a yes then is none to what was offered before."""
    thread, _ = offered(desk, kind="Family Suite")
    before = rows(desk.home)
    desk.say(thread, question)
    assert desk.say(thread, "yes").booking is None
    assert rows(desk.home) == before


def test_a_yes_before_the_name_counts_with_the_name(desk: Any) -> None:
    """Yes first, then the name that was asked for: booked. With anything in between it is asked again."""
    thread = desk.thread()
    turn = talk(desk, thread, DELUXE, "the cheaper one", "yes")[-1]
    assert turn.booking is None
    assert turn.reply.endswith("Under which name may I book it?")
    assert desk.say(thread, "Anna Kowalska").booking is not None
    thread = desk.thread()
    talk(desk, thread, DELUXE, "104", "yes", "What is the Wi-Fi password?")
    turn = desk.say(thread, "My name is Anna Kowalska")
    assert turn.booking is None
    assert turn.reply.endswith("Nothing is booked until you say yes.")


def test_the_name_may_come_after_a_question(desk: Any) -> None:
    """Asked for the name, the guest asks something first and then answers with the name alone."""
    thread = desk.thread()
    turn = talk(desk, thread, DELUXE, "104", "What is the Wi-Fi password?", "Anna Kowalska")[-1]
    assert turn.offer.room == "104"
    assert desk.say(thread, "yes").booking is not None


@pytest.mark.parametrize(
    ("ask", "pick", "name", "yes", "rooms"),
    [
        ("Two Standard rooms from 5 to 7 March for four", "both at Harbour House", "Bo Li", "yes", ["101", "102"]),
        ("Two rooms at Harbour House from 5 to 7 March please", "101 and 104", "Bo Li", "book it", ["101", "104"]),
        ("Ich brauche zwei Standardzimmer vom 5. bis 7. März", "101 und 102", "Bo Li", "Ja", ["101", "102"]),
        ("A Standard and a Deluxe from 5 to 7 May", "the Deluxe and 102 at Harbour House", "Bo", "yes", ["102", "104"]),
    ],
)  # fmt: skip
def test_several_rooms_of_one_hotel(
    desk: Any, ask: str, pick: str, name: str, yes: str, rooms: list[str]
) -> None:
    """Several rooms are one offer with one total and one reference, and all or none of them are booked."""
    thread = desk.thread()
    turn = talk(desk, thread, ask, pick, name)[-1]
    assert [each.room for each in turn.offer.rooms] == rooms
    assert turn.offer.total == sum(each.total for each in turn.offer.rooms)
    assert all(room in turn.reply for room in [*rooms, str(turn.offer.total)])
    booking = desk.say(thread, yes).booking
    assert [each.room for each in booking.rooms] == rooms
    assert all(taken(desk.home, room)[-1][0] == turn.offer.arrival.isoformat() for room in rooms)


def test_rooms_of_two_hotels_are_booked_one_hotel_after_the_other(desk: Any) -> None:
    """Rooms of two hotels cannot be one booking: the guest is asked which first, and may then take the other."""
    thread = desk.thread()
    before = rows(desk.home)
    turn = talk(desk, thread, "A Standard and a Deluxe from 5 to 7 May", "102 and 108")[-1]
    assert (turn.offer, turn.booking) == (None, None)
    assert "first" in turn.reply
    assert rows(desk.home) == before
    turn = talk(desk, thread, "Harbour House first please", "Otto Weiß", "yes")[-1]
    assert turn.booking.room == "102"
    turn = talk(desk, thread, "Now 108 at Garden Court from 5 to 7 May please", "yes", "yes")[-1]
    assert turn.booking.room == "108"
