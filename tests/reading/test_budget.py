"""Which amounts in a guest's words are the most that they want to pay for a room, and which are not."""

from __future__ import annotations

import pytest

from desk.languages import Language
from desk.reading.budget import Budget, read_budget

FOR_A_ROOM = [
    ("en", "No more than 90 euros a night", Budget(90)),
    ("en", "We need three nights in March for at most 300 euros in total", Budget(300, whole=True)),
    ("en", "A double with breakfast for up to 110 euros", Budget(110)),
    ("en", "Can we bring the cat? The suite must not cost more than 260 euros.", Budget(260)),
    ("en", "Show me a Deluxe below 200 euros", Budget(200)),
    ("en", "Our budget is 140, from 3 to 6 February", Budget(140)),
    ("de", "Nicht mehr als 90 Euro pro Nacht", Budget(90)),
    ("de", "Zwei Nächte im Mai für maximal 250 Euro insgesamt", Budget(250, whole=True)),
    ("de", "Ein Doppelzimmer mit Frühstück bis 110 Euro", Budget(110)),
    ("de", "Dürfen Hunde mit? Das Zimmer soll nicht teurer als 130 Euro sein.", Budget(130)),
    ("de", "Wir suchen eine Unterkunft, höchstens 95 Euro", Budget(95)),
]
FOR_SOMETHING_ELSE = [
    ("en", "What is the pet fee, under 15 euros?"),
    ("en", "The extra bed must not cost more than 20 euros"),
    ("en", "Can I cancel for less than 50 euros?"),
    ("en", "I lost my wallet with less than 50 euros in it"),
    ("en", "Is parking in the garage at most 20 euros a night?"),
    ("en", "We want a room from 5 to 7 January. A late check-out for less than 30 euros would be nice."),
    ("en", "budget 2027"),
    ("de", "Was kostet der Hund vom 5. bis 7. Januar, unter 15 Euro?"),
    ("de", "Das Zustellbett im Zimmer darf höchstens 20 Euro kosten"),
    ("de", "Kann ich für weniger als 50 Euro stornieren?"),
    ("de", "Mein Geldbeutel mit weniger als 50 Euro ist weg"),
    ("de", "Liegt die Parkgebühr unter 20 Euro die Nacht?"),
    ("de", "Budget 2027"),
]
ALONE = [
    ("en", "and under 120 euros?", 120),
    ("en", "Is there one for less than 100 euros?", 100),
    ("de", "und unter 120 Euro?", 120),
    ("de", "Geht das für weniger als 100 Euro?", 100),
]


@pytest.mark.parametrize(("code", "text", "budget"), FOR_A_ROOM)
def test_a_limit_for_a_room_is_a_budget(
    languages: dict[str, Language], code: str, text: str, budget: Budget
) -> None:
    """A room, a type, a stay's dates or nights make the limit one for a room, whatever comes with it."""
    assert read_budget(text, languages[code]) == budget


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize(("code", "text"), FOR_SOMETHING_ELSE)
def test_what_something_else_may_cost_is_none(
    languages: dict[str, Language], code: str, text: str, listed: bool
) -> None:
    """Neither with nor without a listing is the limit for something else, or a year, one for a room."""
    assert read_budget(text, languages[code], listed) is None


@pytest.mark.parametrize(("code", "text", "amount"), ALONE)
def test_a_limit_alone_is_a_budget_only_behind_a_listing(
    languages: dict[str, Language], code: str, text: str, amount: float
) -> None:
    """A limit that names nothing is about the rooms that the desk has just listed, if it has."""
    assert read_budget(text, languages[code]) is None
    assert read_budget(text, languages[code], listed=True) == Budget(amount)
