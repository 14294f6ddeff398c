"""Names as people have them: booked as written, and found again with another spelling of the same name."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from tests.bookings.support import offered

NAMES = [
    ("Madonna", "MADONNA"),
    ("Maria da Silva Santos", "santos"),
    ("Jürgen Großmann", "GROSSMANN"),
    ("Zoë Þórsdóttir", "þórsdóttir"),
    ("Łukasz Żółć", "ŻÓŁĆ"),
    ("Gabriel García Márquez", "Garcia Marquez"),
    ("Αλέξανδρος Παπαδόπουλος", "ΠΑΠΑΔΌΠΟΥΛΟΣ"),
    ("王小明", "王小明"),
    ("محمد الأحمد", "الأحمد"),
    ("anna kowalska", "Kowalska"),
    (unicodedata.normalize("NFD", "André Lefèvre"), "Lefèvre"),
    ("André Lefèvre", unicodedata.normalize("NFD", "LEFÈVRE")),
    ("Seán O'Brien", "o’brien"),
    ("Anne-Marie Smith-Jones", "smith-jones"),
]


@pytest.mark.parametrize(("name", "surname"), NAMES)
def test_a_name_is_booked_and_found_again(desk: Any, name: str, surname: str) -> None:
    """Given when it is asked for, confirmed, and the booking opened on another thread by reference and surname."""
    thread = desk.thread()
    for text in ("Is the Family Suite free from 11 to 13 February?", "yes", name):
        turn = desk.say(thread, text)
    assert turn.reply.endswith("Nothing is booked until you say yes.")
    booking = desk.say(thread, "yes").booking
    found = desk.ask("What is my booking?", guest=f"{booking.reference}:{surname}")
    assert booking.reference in found.reply
    typed = desk.ask(f"What is my booking? {booking.reference}, {surname}")
    assert [fact.kind for fact in typed.facts] == ["stay"]
    other = desk.ask("What is my booking?", guest=f"{booking.reference}:Miller")
    assert not [fact for fact in other.facts if fact.kind == "stay"]


def test_a_name_in_a_sentence(desk: Any) -> None:
    """The name is taken out of its sentence, not the sentence for the name."""
    for said, stored in (
        ("The name is Siobhán Ní Dhomhnaill", "Siobhán Ní Dhomhnaill"),
        ("It's for Mr. Otto von Bismarck", "Bismarck"),
    ):
        thread = desk.thread()
        for text in ("Is the Family Suite free from 11 to 13 February?", "yes", said):
            turn = desk.say(thread, text)
        assert turn.offer is not None
        assert turn.reply.endswith("Nothing is booked until you say yes."), (said, turn.reply)
        booking = desk.say(thread, "yes").booking
        assert desk.parts.hotels.find_guest(booking.reference, stored.split()[-1]) is not None
        desk.say(thread, "cancel my booking")
        desk.say(thread, "yes")


def test_the_offer_needs_no_name_twice(desk: Any) -> None:
    """A name given before is not asked for again."""
    thread, _ = offered(desk)
    turn = desk.say(thread, "no, one night longer")
    assert turn.reply.endswith("Nothing is booked until you say yes.")
