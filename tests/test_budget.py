"""What a guest can pay narrows what is listed, by code; what is dearer is named as such."""

from __future__ import annotations

from typing import Any

import pytest

LISTED = [
    ("A room under 100 euros from 5 to 7 January please", ["101", "105"]),
    ("We want at most 120 € a night, 5 to 7 January", ["101", "105", "106"]),
    ("5 to 7 January, no more than 180 euros in total", ["101", "105"]),
    ("What rooms do you have below 100 euros?", ["101", "105"]),
    ("Ein Zimmer vom 5. bis 7. Januar für höchstens 90 € die Nacht", ["101", "105"]),
    ("Vom 5. bis 8. Januar, insgesamt nicht mehr als 260 Euro", ["105"]),
    ("Habt ihr im März was bis 120 Euro?", ["101", "105", "106"]),
]


@pytest.mark.parametrize(("text", "rooms"), LISTED)
def test_a_budget_narrows_the_listing(desk: Any, text: str, rooms: list[str]) -> None:
    """Only rooms within the budget are listed, a night or for the whole stay as it was said."""
    turn = desk.ask(text)
    assert [fact.room for fact in turn.facts] == rooms
    assert {fact.status for fact in turn.facts} <= {"free", None}


DEARER = [
    ("Any room at most 50 euros a night, 5 to 7 January?", "105", None, "No room that suits you is free"),
    ("A Deluxe from 5 to 8 January for max 400 euros in total", "108", "101", "No Deluxe room is free"),
    (
        "Is a Deluxe at Garden Court free on 5 January for under €100?",
        "108",
        "105",
        "At Garden Court, no Deluxe",
    ),
    (
        "Ein Superior vom 3. bis 5. Februar bis 80 Euro",
        "106",
        None,
        "Kein Superior-Zimmer ist in Ihrem Budget",
    ),
    (
        "Eine Familiensuite vom 5. bis 7. Januar für höchstens 150 Euro",
        "107",
        "105",
        "Keine Familiensuite ist in",
    ),
]


@pytest.mark.parametrize(("text", "room", "other", "said"), DEARER)
def test_the_cheapest_is_named_where_nothing_is_within_it(
    desk: Any, text: str, room: str, other: str | None, said: str
) -> None:
    """The one cheapest free room of what was asked for, said to be above the budget, and beside it a room of
    another type that is within it, put as a question."""
    turn = desk.ask(text)
    found = [("room_free", room, "over_budget"), *([("nearest", other, "other_type")] if other else [])]
    assert [(fact.kind, fact.room, fact.status) for fact in turn.facts] == found
    assert said in turn.reply
    assert turn.reply.endswith("?")


NOT_THERE = [
    ("Is a Family Suite at Harbour House under 100 euros free from 5 to 7 January?", "has no Family Suite"),
    (
        "Ist im Harbour House vom 5. bis 7. Januar eine Familiensuite unter 100 Euro frei?",
        "keine Familiensuite.",
    ),
]


@pytest.mark.parametrize(("text", "said"), NOT_THERE)
def test_the_named_hotel_says_first_that_it_has_no_such_type(desk: Any, text: str, said: str) -> None:
    """A guest who names a hotel hears what that hotel lacks before another one's room that is too dear."""
    turn = desk.ask(text)
    assert [(fact.hotel, fact.status) for fact in turn.facts][:2] == [
        ("hotel1", "no_such_type"),
        ("hotel2", "over_budget"),
    ]
    assert said in turn.reply


def test_the_named_hotel_is_answered_about_first(desk: Any) -> None:
    """A hotel that has nothing within the budget says so, and what another has stands beside it."""
    turn = desk.ask("Is anything at Harbour House under 86 euros free from 5 to 7 January?")
    assert [(fact.room, fact.status) for fact in turn.facts] == [("101", "over_budget"), ("105", "free")]
    assert "At Harbour House, no room that suits you is free within your budget." in turn.reply


def test_a_budget_said_later_narrows_what_was_listed(desk: Any) -> None:
    """ "And under 120 euros?" is about the same days."""
    thread = desk.thread()
    desk.say(thread, "Do you have something from 5 to 7 January?")
    turn = desk.say(thread, "and under 120 euros?")
    assert [fact.room for fact in turn.facts] == ["101", "105", "106"]
    assert all(fact.kind == "room_free" for fact in turn.facts)


OTHER_SUMS = [
    ("What is the pet fee, under 15 euros?", "Is a room free from 5 to 7 January?"),
    ("Kann ich für weniger als 50 Euro stornieren?", "Ist vom 5. bis 7. Januar ein Zimmer frei?"),
]


@pytest.mark.parametrize(("before", "text"), OTHER_SUMS)
def test_what_something_else_may_cost_narrows_no_listing(desk: Any, before: str, text: str) -> None:
    """The rooms listed after a question about another price are all that are free."""
    thread = desk.thread()
    desk.say(thread, before)
    turn = desk.say(thread, text)
    assert {fact.status for fact in turn.facts} == {"free"}
    assert len(turn.facts) == 7


@pytest.mark.parametrize("text", ["No more than 90 euros a night", "Nicht mehr als 90 Euro pro Nacht"])
def test_a_budget_is_no_complaint(desk: Any, text: str) -> None:
    """The guest who says what they can pay is not calmed, though TextBlob takes "no more" for a bad word."""
    turn = desk.ask(text)
    assert [fact.room for fact in turn.facts] == ["101", "105"]
    assert not turn.sentiment.deescalate
