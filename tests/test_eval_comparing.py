"""What `make eval` finds out about sentences that compare: the cheapest, nothing in the budget, the closest dates.

Each fact is true by itself: the room is there, free, and costs what is told. It is the sentence that is not so.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping

import pytest

from desk.context import Parts
from tests.eval.stored import Record
from tests.test_eval_truth import Played

LIMIT = "Our limit is 60 euros a night. 3 to 5 February?"
IN_ALL = "At most 160 euros in total, 3 to 5 February?"
CHEAPEST = "What is the cheapest room from 5 to 7 February?"
DELUXE = "What is the least expensive Deluxe from 6 to 8 January?"
HARBOUR = "What is the cheapest room at Harbour House from 8 to 10 February?"
THREE = "Your cheapest option for three people on 9 January?"
LARGEST = "Which is the largest room you have?"
FOUR = "Which is the cheapest room for four people?"
SUITE = "Is the Family Suite free from 11 to 13 December?"
TAKEN = "Is room 104 free from 7 to 9 December?"
ALL = (LIMIT, IN_ALL, CHEAPEST, DELUXE, HARBOUR, THREE, LARGEST, FOUR, SUITE, TAKEN)
BEFORE_LAST = {"hotel": "hotel1", "id": "x", "room": "104", "status": "booked", "reference": "HH-1"}
Change = Callable[[Played], object]


@pytest.fixture(scope="module")
def conversations(shared: Parts) -> Mapping[str, Played]:
    """Each question asked once; tests alter copies."""
    return {text: Played([text], shared) for text in ALL}


@pytest.mark.parametrize("text", ALL)
def test_what_the_desk_compares_is_so(conversations: Mapping[str, Played], text: str) -> None:
    """None of the conversations is wrong as it was had, so that whatever is found below comes of the change."""
    assert conversations[text].wrong() == []


def said(old: str, new: str) -> Change:
    """Another word in the reply."""

    def change(played: Played) -> None:
        assert old in played.turns[-1]["reply"]
        played.turns[-1]["reply"] = played.turns[-1]["reply"].replace(old, new)

    return change


def asked(text: str) -> Change:
    """Another question of the guest's, to which this reply would be wrong."""
    return lambda played: played.turns[-1].update(text=text)


def room(new: str) -> Change:
    """Another room of the databases in the fact and its sentence, true in all but the comparison."""

    def change(played: Played) -> None:
        turn = played.turns[-1]
        fact = turn["facts"][-1]
        row = played.stored.rooms(None, room=new)[0]
        nights = fact["nights"] or 0
        total = fact["total"] and row["rate"] * nights
        for old, other in ((fact["room"], new), (f"€{fact['rate']}", f"€{row['rate']:.0f}")):
            turn["reply"] = turn["reply"].replace(old, other)
        turn["reply"] = turn["reply"].replace(f"€{fact['total']}", f"€{total or 0:.0f}")
        fact.update({key: row[key] for key in ("hotel", "room", "type", "sleeps", "rate")}, total=total)

    return change


def moved(arrival: str, departure: str, old: str, new: str) -> Change:
    """Other days in the fact and its sentence."""

    def change(played: Played) -> None:
        said(old, new)(played)
        played.turns[-1]["facts"][-1].update(arrival=arrival, departure=departure)

    return change


def taken(arrival: str, departure: str) -> Change:
    """Room 104 booked for these nights as well."""

    def change(played: Played) -> None:
        rows = (*played.records[-1].before, {**BEFORE_LAST, "arrival": arrival, "departure": departure})
        played.records[-1] = Record(rows, rows)

    return change


FALSE: Mapping[str, tuple[str, Change, str]] = {
    "a room is within the budget": (LIMIT, asked("At most 90 euros, 3 to 5 February?"), "are within 90"),
    "a room is within the budget in all": (
        IN_ALL,
        asked("At most 180 euros in total, 3 to 5 February?"),
        "are within 180",
    ),
    "no budget was named": (LIMIT, asked("3 to 5 February?"), "named no budget"),
    "not the cheapest above the budget": (LIMIT, room("106"), "have a lower rate"),
    "said of another type": (LIMIT, said("within your", "of Superior within your"), "not one of those"),
    "said of another hotel": (LIMIT, said("within your", "at Harbour House within your"), "not one of those"),
    "not the cheapest": (CHEAPEST, room("106"), "have a lower rate"),
    "cheapest for largest": (CHEAPEST, said("cheapest", "largest"), "have a higher sleeps"),
    "cheapest for dearest": (CHEAPEST, said("cheapest", "most expensive"), "have a higher rate"),
    "not of the type asked": (DELUXE, asked(DELUXE.replace("Deluxe", "Superior")), "not one of those"),
    "cheapest of a type only": (DELUXE, asked(DELUXE.replace("Deluxe", "room")), "have a lower rate"),
    "cheapest of a hotel only": (HARBOUR, asked(CHEAPEST), "have a lower rate"),
    "not of the hotel asked": (CHEAPEST, asked(HARBOUR), "not one of those"),
    "cheapest of large rooms only": (THREE, lambda p: p.turns[-1]["facts"][0].update(guests=None), "lower"),
    "not the largest": (LARGEST, room("106"), "have a higher sleeps"),
    "not the cheapest for so many": (FOUR, asked("Which is the cheapest room?"), "have a lower rate"),
    "closer days are free": (
        SUITE,
        moved("2026-12-07", "2026-12-09", "from 8 to 10", "from 7 to 9"),
        "room 107 is free from 2026-12-08",
    ),
    "the earlier of two days": (
        TAKEN,
        moved("2026-12-11", "2026-12-13", "6 to 8 December", "11 to 13 December"),
        "room 104 is free from 2026-12-06",
    ),
    "other nights than were asked": (
        TAKEN,
        moved("2026-12-05", "2026-12-08", "6 to 8 December", "5 to 8 December"),
        "these are 3 nights",
    ),
    "another type than was asked": (TAKEN, room("102"), "not what was asked"),
    "other dates for the same": (
        SUITE,
        lambda p: p.turns[-1]["facts"][-1].update(status="other_type"),
        "not the dates that were asked",
    ),
    "closest to nothing": (SUITE, lambda p: p.turns[-1]["facts"].pop(1), "nothing says which dates"),
}


@pytest.mark.parametrize(("text", "change", "why"), FALSE.values(), ids=FALSE.keys())
def test_a_comparison_that_is_not_so_is_found(
    conversations: Mapping[str, Played], text: str, change: Change, why: str
) -> None:
    """The fact is one of the rows, and what the sentence says by it is not so."""
    played = copy.deepcopy(conversations[text])
    change(played)
    assert any("false" in what and why in what for what in played.wrong()), played.wrong()


def test_the_closest_days_are_so_by_the_rows(conversations: Mapping[str, Played]) -> None:
    """With the 6th taken too, the reply that names it is false, and days further away are the closest."""
    played = copy.deepcopy(conversations[TAKEN])
    taken("2026-12-06", "2026-12-07")(played)
    assert "false nearest: ['104'] not free" in played.wrong()
    moved("2026-12-04", "2026-12-06", "6 to 8 December", "4 to 6 December")(played)
    assert played.wrong() == []
    moved("2026-12-11", "2026-12-13", "4 to 6 December", "11 to 13 December")(played)
    assert "false nearest: room 104 is free from 2026-12-04" in played.wrong()
