"""Names as people have them: kept as given, and found again in another spelling."""

from __future__ import annotations

import pytest

from desk.stores.hotels import Hotels
from tests.stores.hotels.lisbon import TODAY, offer_of


@pytest.mark.parametrize(
    ("name", "surname", "given"),
    [
        ("Gabriel García Márquez", "García Márquez", "garcia marquez"),
        ("Gabriel García Márquez", "García Márquez", "Márquez"),
        ("Gabriel García Márquez", "Márquez", "GARCÍA MÁRQUEZ"),
        ("Gabriel García Márquez", "Márquez", "Gabriel Garcia Marquez"),
        ("Jürgen Müller-Lüdenscheidt", "Müller-Lüdenscheidt", "Mueller Luedenscheidt"),
        ("Vincent van der Berg", "Berg", "van der Berg"),
        ("Cher", "Cher", "CHER"),
        ("Мария Иванова", "Иванова", "ИВАНОВА"),
        ("李明", "李明", "李明"),
        ("محمد أحمد", "أحمد", "احمد"),
    ],
)
def test_a_guest_is_found_by_their_name(lisbon: Hotels, name: str, surname: str, given: str) -> None:
    """The surname, the last word of it, or more of the full name; in any spelling."""
    booking = lisbon.writer("hotel1").book(offer_of(lisbon, "o1", ["104"], 20, 2), name, surname, today=TODAY)
    guest = lisbon.find_guest(booking.reference, given)
    assert guest is not None
    assert (guest.name, guest.surname) == (name, surname)


@pytest.mark.parametrize(
    ("name", "surname", "given"),
    [
        ("Gabriel García Márquez", "García Márquez", "Gabriel"),
        ("Gabriel García Márquez", "García Márquez", "García"),
        ("Gabriel García Márquez", "Márquez", "Ana García Márquez"),
        ("Bob Miller", "Miller", "Bob"),
        ("Maria", "Lopez", "Maria"),
        ("李明", "李明", "李"),
        ("Ana Silva", "Silva", "%"),
    ],
)
def test_a_guest_is_not_found_by_less(lisbon: Hotels, name: str, surname: str, given: str) -> None:
    """A given name alone, a part of the surname that is not its end, or somebody else's full name."""
    booking = lisbon.writer("hotel1").book(offer_of(lisbon, "o1", ["104"], 20, 2), name, surname, today=TODAY)
    assert lisbon.find_guest(booking.reference, given) is None
