"""What was said earlier is recalled, and what is asked of the own booking is answered from it: the rehearsal desk."""

from __future__ import annotations

from typing import Any

import pytest

TALKS = [
    (
        ["Superior from 9 to 11 February?", "When is breakfast?"],
        ["What did you have at Garden Court for those days?", "What did you quote me for Garden Court?"],
        "Which dates did I ask for?",
    ),
    (
        ["Superior vom 9. bis 11. Februar?", "Wann gibt es Frühstück?"],
        ["Was hatten Sie für diese Tage im Garden Court?", "Was haben Sie mir im Garden Court angeboten?"],
        "Nach welchen Tagen hatte ich gefragt?",
    ),
]


@pytest.mark.parametrize(("before", "offered", "dates"), TALKS)
def test_what_the_desk_had_and_the_guest_asked(
    desk: Any, before: list[str], offered: list[str], dates: str
) -> None:
    """The room of the hotel that is named, as what was said then; and the guest's own words with the dates."""
    thread = desk.thread()
    for text in before:
        desk.say(thread, text)
    for text in offered:
        facts = desk.say(thread, text).facts
        assert [(fact.kind, fact.room, fact.recalled) for fact in facts] == [("room_free", "106", True)]
    (said,) = desk.say(thread, dates).facts
    assert said.values["text"] == before[0]


BOOKED = [
    (
        ["A Deluxe at Harbour House from 9 to 11 February?", "104 please", "Lena Novak", "yes"],
        ["When is breakfast?", "How much will I pay in all?", "What name is it under?", "What do I owe you?"],
    ),
    (
        ["Ein Deluxe im Harbour House vom 9. bis 11. Februar?", "die 104 bitte", "Lena Novak", "ja"],
        ["Wann gibt es Frühstück?", "Wie viel zahle ich insgesamt?", "Auf welchen Namen läuft das?"],
    ),
]


@pytest.mark.parametrize(("before", "asked"), BOOKED)
def test_after_a_booking_its_total_and_name_are_asked_of_it(
    desk: Any, before: list[str], asked: list[str]
) -> None:
    """A guest who has just booked hears of that booking, and not how one pays."""
    thread = desk.thread()
    for text in before:
        turn = desk.say(thread, text)
    assert turn.booking
    guide, *own = [desk.say(thread, text) for text in asked]
    assert {fact.kind for fact in guide.facts} == {"guide"}
    for turn in own:
        assert [(fact.kind, fact.room, fact.total) for fact in turn.facts] == [("stay", "104", 378)]
