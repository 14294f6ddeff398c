"""What `make eval` finds out by itself: whatever a turn claims, the rows and the turn log decide."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desk.context import Parts
from tests.eval.cases import desk_at, run_cases
from tests.eval.claims import Seen
from tests.eval.grading import grade
from tests.eval.replies import unborne
from tests.eval.stored import Record, Stored
from tests.eval.truth import verdicts

TODAY = "2026-12-01"
DELUXE = "Is a Deluxe room free from 1 to 3 February?"
BOOK = [DELUXE, "The one at Garden Court, my name is Anna Kowalska.", "Yes, please book it."]
Change = Callable[[dict[str, Any]], object]


class Played:
    """A conversation that was really had, to be altered and graded again."""

    def __init__(self, says: list[str], shared: Parts) -> None:
        self.turns: list[dict[str, Any]] = []
        self.records: list[Record] = []
        with desk_at(TODAY, shared) as (desk, parts):
            self.stored = Stored(parts.settings.home)
            thread = desk.new_thread()
            for number, text in enumerate(says, 1):
                before = self.stored.bookings()
                self.turns.append(desk.wait(thread, desk.send(thread, text), 60).to_json())
                self.records.append(self.stored.record(before, thread, number))
            self.stored.rooms(None), self.stored.guide("hotel1", "pool")  # read while the files are there

    def wrong(self, expect: dict[str, Any] | None = None) -> list[str]:
        """What grading says of the last turn as it is now."""
        found = verdicts(self.turns, self.records[-1], self.stored, TODAY)
        return grade(expect or {}, Seen(self.turns, self.records[-1], found), self.stored, "en")


@pytest.fixture(scope="module")
def once(shared: Parts) -> Played:
    """The conversation that most tests alter, had once."""
    return Played([DELUXE], shared)


@pytest.fixture
def deluxe(once: Played) -> Played:
    """That conversation, the test's own to alter."""
    return copy.deepcopy(once)


@pytest.fixture
def had(shared: Parts) -> Callable[..., Played]:
    """Has a conversation."""
    return lambda *says: Played(list(says), shared)


def _set(**values: Any) -> Change:
    return lambda turn: turn["facts"][0].update(values)


def _reply(old: str, new: str) -> Change:
    def change(turn: dict[str, Any]) -> None:
        assert old in turn["reply"]
        turn["reply"] = turn["reply"].replace(old, new)

    return change


def _silent(turn: dict[str, Any]) -> None:
    turn["reply"] = "Gladly."


FALSE_ROOMS: dict[str, Change] = {
    "another rate": _set(rate=180),
    "another total": _set(total=300),
    "another type": _set(type="Superior"),
    "another size": _set(sleeps=4),
    "another number of nights": _set(nights=3),
    "no days": _set(arrival=None, departure=None, nights=None, total=None),
    "no such room": _set(room="999"),
    "another hotel's room": _set(hotel="hotel2"),
    "a room that is taken": _set(arrival="2026-12-08", departure="2026-12-10"),
    "taken, which it is not": _set(kind="room_taken"),
    "none free, which is not so": _set(kind="none_free"),
    "no such room, which there is": _set(kind="no_such_room"),
    "recalled, and never said": _set(recalled=True),
    "a price in the sentence alone": _reply("€189", "€179"),
    "another room's price in the sentence": _reply("€189", "€175"),
    "a room number in the sentence alone": _reply("104", "103"),
    "another month in the sentence": _reply("February", "March"),
    "another day in the sentence": _reply("from 1 to 3", "from 1 to 4"),
    "stated, and not said": _silent,
    "a reply in another language": lambda turn: turn.update(language="de"),
    "a price in an extra sentence": lambda turn: turn.update(reply=turn["reply"] + " It is 20 % off."),
}


@pytest.mark.parametrize("change", FALSE_ROOMS.values(), ids=FALSE_ROOMS.keys())
def test_a_false_word_about_a_room_is_found(deluxe: Played, change: Change) -> None:
    """A turn that was true is graded wrong once one fact, or one number of its reply, is not so any more."""
    assert deluxe.wrong() == []
    change(deluxe.turns[-1])
    assert any("false" in what for what in deluxe.wrong())


def test_a_room_is_free_by_the_rows_and_not_by_the_record(deluxe: Played) -> None:
    """With one row more in the database the same fact is false; a row of other nights or a cancelled one is none."""
    row = {"hotel": "hotel1", "id": "x", "room": "104", "arrival": "2027-02-02", "departure": "2027-02-05"}
    taken = {**row, "status": "booked", "reference": "HH-1"}
    others = [{**taken, "status": "cancelled"}, {**taken, "arrival": "2027-02-03"}, {**taken, "room": "103"}]
    for rows, wrong in (([taken], ["false room_free: ['104'] not free"]), (others, [])):
        deluxe.records[-1] = Record(tuple(rows), tuple(rows))
        assert deluxe.wrong() == wrong


def test_a_booking_is_its_rows(had: Callable[..., Played]) -> None:
    """What a turn says of a booking counts only with the rows under its reference, and a row needs a word."""
    played = had(*BOOK)
    assert played.wrong({"booking": True}) == []
    true = played.records[-1]
    played.records[-1] = Record(true.before, true.before)
    found = " ".join(played.wrong({"booking": True}))
    assert "booking: nothing was written" in found
    assert "booked without a row" in found
    assert "false booking: no such rows are stored" in found
    played.records[-1] = true
    played.turns[-1] = {**played.turns[-1], "booking": None, "facts": [], "reply": "All is well."}
    assert any(what.startswith("written without a word") for what in played.wrong({}))
    assert any(what.startswith("booking: written") for what in played.wrong({"booking": None}))


def test_an_offer_that_stands_is_one_of_the_rows(had: Callable[..., Played]) -> None:
    """Whatever the reply says: the offer that a yes would book has the room's own rate, and nights that are free."""
    played = had(*BOOK[:2])
    assert played.wrong({"offer": True}) == []
    offer = played.turns[-1]["offer"]
    played.turns[-1]["offer"] = {**offer, "rate": 1, "total": 2}
    assert "false offer stands: room 108 is Deluxe at 175" in played.wrong()
    played.turns[-1]["offer"] = {**offer, "arrival": "2026-12-21", "departure": "2026-12-23"}
    assert "false offer stands: ['108'] not free" in played.wrong()


def test_a_guide_entry_counts_when_it_is_said(had: Callable[..., Played]) -> None:
    """An entry in the list of facts of which the reply has nothing was not told to the guest."""
    played = had("What time is breakfast at Harbour House?")
    played.turns[-1]["reply"] = "There is a breakfast buffet."
    assert any("a guide counts as stated" in what for what in played.wrong({"guide": ["breakfast"]}))


def test_a_request_is_its_row(had: Callable[..., Played]) -> None:
    """What went to staff is what the turn log's table holds, whatever the turn says."""
    played = had("Could I have two more towels in my room, please?")
    assert played.wrong({"request": "towels", "urgent": False}) == []
    played.records[-1] = Record(played.records[-1].before, played.records[-1].after)
    found = " ".join(played.wrong({"request": "towels"}))
    assert "request: the requests to staff are []" in found
    assert "false staff_request: no such request is stored" in found
    assert "1 requests told, 0 stored" in found


def test_a_guide_entry_is_the_hotels_own(had: Callable[..., Played]) -> None:
    """Another hour than the house guide's is false, and so is an entry that it does not have."""
    played = had("What time is breakfast at Harbour House?")
    assert played.wrong({"guide": ["breakfast"]}) == []
    played.turns[-1]["facts"][0]["values"]["from"] = "06:00"
    assert any(what.startswith("false guide") for what in played.wrong())
    played.turns[-1]["facts"][0]["entry"] = "helipad"
    assert any("has None" in what for what in played.wrong())


def test_a_route_is_what_ran(deluxe: Played) -> None:
    """An accepted handoff whose agent is not among the nodes that ran is no route."""
    deluxe.turns[-1]["handoffs"][0]["destination"] = "web"
    assert "never ran: web" in deluxe.wrong()


def test_past_dates_are_past(had: Callable[..., Played]) -> None:
    """That a day is past is checked too."""
    played = had("Is a Deluxe free from 12 to 14 November 2026?")
    assert played.wrong({"dates": "past"}) == []
    played.turns[-1]["facts"][0].update(arrival="2027-11-12", departure="2027-11-14")
    assert any(what.startswith("false date_problem") for what in played.wrong())


def test_what_is_quoted_is_nobodys_statement() -> None:
    """Numbers in a guest's own quoted words need no fact; the same number outside does."""
    said = {"kind": "said", "room": None, "values": {"text": "Is 104 €50?"}, "arrival": None}
    turn = {"reply": "You asked: “Is 104 €50?”", "facts": [said], "offer": None, "language": "en"}
    nothing = Stored(Path("nowhere"))
    assert unborne(turn, nothing) == []
    plain = {**turn, "facts": [], "reply": "It is €50."}
    assert unborne(plain, nothing) == ["['50'] in the reply, of no fact"]


@pytest.mark.parametrize(
    "reply", ["The total is €1,195.", "The total is 1.195 €.", "Total: €1,195.50", "١٬١٩٥ €"]
)
def test_sums_are_read_as_languages_write_them(reply: str) -> None:
    """Thousands and cents in English and German, and other scripts' digits."""
    amount = 1195.5 if ".50" in reply else 1195
    fact = {"kind": "said", "room": None, "values": {}, "total": amount}
    turn = {"reply": reply.replace("٬", ","), "facts": [fact], "offer": None, "language": "en"}
    assert unborne(turn, Stored(Path("nowhere"))) == []


def test_a_turn_that_does_not_end_is_wrong(shared: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    """The case fails at that turn, and the next case is played all the same."""
    turns = [{"say": DELUXE, "expect": {"route": "hotels"}}, {"say": "Thanks"}]
    case = {"id": "slow", "today": TODAY, "language": "en", "turns": turns}
    monkeypatch.setattr("tests.eval.cases.WAIT", 0.0)
    results = list(run_cases([case, case], shared))
    assert [result.wrong for result in results] == [["turn 1: the turn has not ended yet"]] * 2


def test_no_case_meets_the_bookings_of_another(shared: Parts) -> None:
    """The same room for the same nights is booked by each of two cases, which differ in nothing but their ids."""
    turns: list[dict[str, Any]] = [{"say": text} for text in BOOK[:-1]]
    turns.append({"say": BOOK[-1], "expect": {"booking": True, "contains": ["108"]}})
    cases = [{"id": f"twice-{n}", "today": TODAY, "language": "en", "turns": turns} for n in (1, 2)]
    results = list(run_cases(cases, shared))
    assert [result.wrong for result in results] == [[], []]
    assert dt.date.fromisoformat(results[1].turns[-1]["booking"]["arrival"]) == dt.date(2027, 2, 1)
