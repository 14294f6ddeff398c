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
    ("Any room at most 50 euros a night, 5 to 7 January?", "105", "No free room is within your budget."),
    ("A Deluxe from 5 to 8 January for max 400 euros in total", "108", "No free room is within your budget."),
    ("Ein Superior vom 3. bis 5. Februar bis 80 Euro", "106", "Kein freies Zimmer liegt in Ihrem Budget."),
]


@pytest.mark.parametrize(("text", "room", "said"), DEARER)
def test_the_cheapest_is_named_where_nothing_is_within_it(desk: Any, text: str, room: str, said: str) -> None:
    """The one cheapest free room, said to be above the budget, and put as a question."""
    turn = desk.ask(text)
    assert [(fact.room, fact.status) for fact in turn.facts] == [(room, "over_budget")]
    assert said in turn.reply
    assert turn.reply.endswith("?")


def test_the_named_hotel_is_answered_about_first(desk: Any) -> None:
    """A hotel that has nothing within the budget says so, and what another has stands beside it."""
    turn = desk.ask("Is anything at Harbour House under 86 euros free from 5 to 7 January?")
    assert [(fact.room, fact.status) for fact in turn.facts] == [("101", "over_budget"), ("105", "free")]
    assert "At Harbour House, no free room is within your budget." in turn.reply


def test_a_budget_said_later_narrows_what_was_listed(desk: Any) -> None:
    """ "And under 120 euros?" is about the same days."""
    thread = desk.thread()
    desk.say(thread, "Do you have something from 5 to 7 January?")
    turn = desk.say(thread, "and under 120 euros?")
    assert [fact.room for fact in turn.facts] == ["101", "105", "106"]
    assert all(fact.kind == "room_free" for fact in turn.facts)
