"""The desk's rivals in the bench: they answer rightly, in the way they claim, and a wrong answer is noticed.

No time is asserted: the stub answers at once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from desk.context import Parts
from desk.turn import Turn
from tests.bench import compare, stage
from tests.bench.agents import brains
from tests.bench.answers import QUESTIONS, Stated, stated_in, stated_in_turn, truth
from tests.bench.report import table
from tests.bench.stage import (
    DESIGNS,
    DESK,
    PARALLEL,
    SERIAL,
    SERIES,
    TERSE,
    Cost,
    Stage,
    staged,
    written_in_a_row,
)
from tests.wire.http_stub import Answer, Reply
from tests.wire.ledger import Called

ROOMS, GUIDE = QUESTIONS
COST = Cost(True, 1.0, 4, 3, 100, 10, 8)


@pytest.fixture(scope="module")
def opened(shared: Parts) -> Iterator[Stage]:
    """The desk and its rivals on the hotel pack; the languages' models are loaded once."""
    with staged(detector=shared.detector) as found:
        yield found


@pytest.fixture
def bench(opened: Stage) -> Iterator[Stage]:
    """The stage; what a test makes of the stub's answers ends with it."""
    yield opened
    opened.ledger.answer = opened.play


class Watching:
    """Answers as `answer` does; `together` is how many calls were under way at once at most, `usage` what was sent."""

    def __init__(self, answer: Answer, meet: threading.Barrier | None = None) -> None:
        self.answer, self.meet = answer, meet
        self.under_way, self.together = 0, 0
        self.usage: list[dict[str, int]] = []
        self.lock = threading.Lock()

    def __call__(self, body: dict[str, Any]) -> Reply:
        """Count, answer, and let the hotels' assistants wait for one another if they are to meet."""
        with self.lock:
            self.under_way += 1
            self.together = max(self.together, self.under_way)
        if self.meet and "You are the assistant of" in body["messages"][0]["content"]:
            self.meet.wait(20)
        status, told = self.answer(body)
        with self.lock:
            self.under_way -= 1
            self.usage.append(told["usage"])
        return status, told


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
@pytest.mark.parametrize("design", [*DESIGNS, TERSE])
def test_every_design_answers_as_the_databases_do(bench: Stage, design: str, question: Any) -> None:
    """Both kinds of question; so all designs say the same."""
    assert bench.ask(design, question).right


def test_the_truth_is_the_known_table(bench: Stage) -> None:
    """Harbour House has 104 at 189 and Garden Court 108 at 175, both free in February."""
    found = {(s.hotel, s.room, s.type, s.rate, s.arrival, s.departure) for s in truth(bench.parts, ROOMS)}
    dates = ("2027-02-01", "2027-02-03")
    assert found == {
        ("Harbour House", "104", "Deluxe", "189", *dates),
        ("Garden Court", "108", "Deluxe", "175", *dates),
    }


@pytest.mark.parametrize(("design", "calls"), [(SERIES, 7), (SERIAL, 3), (PARALLEL, 2)])
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_rivals_calls_stand_in_a_row(bench: Stage, design: str, calls: int, question: Any) -> None:
    """A supervisor asks three times and each of two assistants twice, never two at once; one agent asks a
    round more than it has rounds of tools."""
    bench.ledger.answer = watching = Watching(bench.play)
    cost = bench.ask(design, question)
    assert (cost.calls, cost.chain, watching.together) == (calls, calls, 1)


def test_the_supervisor_asks_one_assistant_after_the_other(bench: Stage) -> None:
    """Control goes out and comes back for each hotel."""
    bench.ledger.take()
    bench.designs[SERIES](ROOMS.text)
    asked = [call.role for call in bench.ledger.take()]
    assert asked == ["supervisor", "assistant", "assistant"] * 2 + ["supervisor"]


def test_the_desks_branches_are_under_way_at_once(bench: Stage) -> None:
    """Each hotel's assistant is answered only once the other one has asked too: in series this would not end."""
    bench.ledger.answer = Watching(bench.play, threading.Barrier(2))
    cost = bench.ask(DESK, ROOMS)
    assert (cost.right, cost.calls, cost.chain) == (True, 4, 3)


def test_guests_do_not_wait_for_one_anothers_model(bench: Stage) -> None:
    """Twenty turns are under way at once: the model answers no coordinator before all twenty have asked."""
    meet = threading.Barrier(20)

    def answer(body: dict[str, Any]) -> Reply:
        if body["messages"][0]["content"].startswith("You are the coordinator"):
            with suppress(threading.BrokenBarrierError):
                meet.wait(20)
        return bench.play(body)

    bench.ledger.answer = answer
    _, each, right = bench.at_once(DESK, ROOMS, 20)
    assert (len(each), right, meet.broken) == (20, True, False)


@pytest.mark.parametrize("design", DESIGNS)
def test_tokens_are_those_that_the_server_reports(bench: Stage, design: str) -> None:
    """The sums of the usage in the answers that went out."""
    bench.ledger.answer = watching = Watching(bench.play)
    cost = bench.ask(design, ROOMS)
    assert cost.input_tokens == sum(usage["prompt_tokens"] for usage in watching.usage) > 0
    assert cost.output_tokens == sum(usage["completion_tokens"] for usage in watching.usage) > 0


def lying(agent: str, old: str, new: str) -> Any:
    """The brain of this agent, but for one thing that it says."""
    honest = brains.BRAINS[agent]

    def brain(*given: Any) -> AIMessage:
        said = honest(*given)
        return said.model_copy(update={"content": said.text.replace(old, new)})

    return brain


@pytest.mark.parametrize(
    ("design", "agent"),
    [(SERIAL, "single"), (PARALLEL, "single"), (SERIES, "assistant"), (SERIES, "supervisor")],
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("EUR 175", "EUR 157"),
        ("room 104", "room 106"),
        ("to 2027-02-03", "to 2027-02-04"),
        ("Garden Court: room 108", "Also free there: 108"),
        ("Gladly.", "Inn: room 1, Deluxe, EUR 1 a night."),
    ],
    ids=["rate", "room", "dates", "left out", "made up"],
)
def test_a_wrong_answer_is_noticed(
    bench: Stage, monkeypatch: pytest.MonkeyPatch, design: str, agent: str, old: str, new: str
) -> None:
    """Whatever of an answer is not what the databases say. An assistant opens with no "Gladly"."""
    if (agent, old) == ("assistant", "Gladly."):
        old, new = "Harbour House", "Inn: room 1, Deluxe, EUR 1 a night.\nHarbour House"
    monkeypatch.setitem(brains.BRAINS, agent, lying(agent, old, new))
    assert not bench.ask(design, ROOMS).right
    assert not bench.at_once(design, ROOMS, 1)[2]


@pytest.mark.parametrize(
    ("question", "old", "new", "left"),
    [
        (ROOMS, "189", "198", {"Garden Court"}),
        (GUIDE, "07:00", "06:00", {"Garden Court"}),
        (GUIDE, "€14", "€41", {"Garden Court"}),
        (GUIDE, "Garden Court", "it", {"Harbour House"}),
        (GUIDE, None, "Gladly.", set()),
    ],
    ids=["rate", "hour", "price", "hotel", "nothing said"],
)
def test_what_the_desk_does_not_say_it_does_not_state(
    bench: Stage, question: Any, old: str | None, new: str, left: set[str]
) -> None:
    """A fact of the turn whose rate, hour, price or hotel the reply lacks is not stated: the desk's words are
    compared too, and so a reply that leaves the answer out is wrong."""
    asked: list[Turn] = []
    keep = stage.stated_in_turn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage, "stated_in_turn", lambda parts, turn: asked.append(turn) or keep(parts, turn))
        bench.designs[DESK](question.text)
    turn = asked[0]
    assert stated_in_turn(bench.parts, turn) == truth(bench.parts, question)
    reply = turn.reply_english.replace(old, new) if old else new
    altered = turn.model_copy(update={"reply_english": reply})
    assert {stated.hotel for stated in stated_in_turn(bench.parts, altered)} == left


def test_the_table_shows_wrong_in_place_of_a_time() -> None:
    """Neither the line nor the data of a wrong answer has its time, and no aim is met with it."""
    costs = {DESK: COST, SERIES: replace(COST, right=False), SERIAL: COST, PARALLEL: COST}
    lines = compare.two_lines({"rooms": costs}, {"rooms": COST})
    shown = {line.what: line for line in lines}
    assert shown["two hotels, rooms: series"].value == "wrong"
    assert not any(line.met for line in lines)
    assert compare.ratio(costs, SERIAL, "seconds") == 1.0
    assert "series wrong" in compare.many_lines({"rooms": {10: costs}})[0].value
    assert compare.from_how_many({2: {**costs, DESK: costs[SERIES]}}, SERIAL, "tokens") == "wrong"


@pytest.mark.parametrize(
    ("desk", "told"),
    [
        ((2.0, 0.5, 0.5), "from 3 hotels on"),
        ((0.5, 2.0, 0.5), "from 10 hotels on"),
        ((0.5, 0.5, 1.0), "never"),
    ],
)
def test_from_how_many_hotels_on(desk: tuple[float, ...], told: str) -> None:
    """The number from which the desk stays below the rival; a single good figure before a bad one is none."""
    many = {
        hotels: {DESK: replace(COST, seconds=seconds), SERIAL: COST}
        for hotels, seconds in zip((2, 3, 10), desk, strict=True)
    }
    assert compare.from_how_many(many, SERIAL, "seconds").startswith(told)


def test_writing_counts_along_the_longest_way() -> None:
    """Of two calls at once the longer answer counts, and what follows is added."""

    def called(start: float, end: float, written: int) -> Called:
        return Called("r", "m", start, end, 0, written)

    assert written_in_a_row([called(0, 1, 10), called(1, 2, 5), called(1, 2, 50), called(2, 3, 1)]) == 61


@pytest.mark.parametrize(
    "stated",
    [
        Stated("Inn A", "1", "Deluxe", "89.5", "2027-01-01", "2027-01-02"),
        Stated("Inn A", "1", "Family Suite", "89"),
        Stated("Inn A", entry="breakfast", values="from 07:00, price 14"),
    ],
)
def test_a_written_line_reads_back(stated: Stated) -> None:
    """What an agent writes is what the bench reads; courtesies state nothing."""
    assert stated_in(f"Gladly.\n{stated.line()}\nGoodbye: see you.") == {stated}


def test_all_of_it_is_measured(shared: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small numbers and no latency: every figure is there, every answer right, and the rivals' lacks are said."""
    monkeypatch.setattr(compare, "staged", lambda pack=None, detector=None: staged(pack, shared.detector))
    small = {"ROUNDS": 1, "LATENCY": 0.0, "LATENCY_MANY": 0.0, "HOTELS": (3,), "SHOWN": (3,), "GUESTS": (2,)}
    for name, value in small.items():
        monkeypatch.setattr(compare, name, value)
    found = compare.measure()
    said = found.to_json()
    assert "wrong" not in table([found])
    assert "no checked facts" in table([found])
    assert set(said["two_hotels"]["free rooms"]) == set(DESIGNS)
    assert set(said["hotels"]["house guide"][3]) == {DESK, SERIAL, PARALLEL}
    assert said["guests"][0]["guests"] == 2
    assert {"two hotels, free rooms: tokens, desk / series"} <= set(said["aims"])
