"""The desk's graph beside its rivals, on one stub of a model with a fixed latency: time, calls and tokens.

The rivals are one agent with all hotels' tools, which asks about one hotel a round (serial) or about all at once
(parallel), and a supervisor that hands over to the hotels' assistants one after the other (series). They have the
desk's own tools, procedure texts, databases and model client, and the dates that the desk's code reads in the
guest's words. They lack what only the desk does; `LACKING` says what, in the table too.
What counts are ratios within one run. An answer that is not what the databases say is shown as wrong, without
its time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tests.bench.answers import QUESTIONS, Question
from tests.bench.report import Line, Measured, aimed, spread
from tests.bench.stage import DESIGNS, DESK, PARALLEL, SERIAL, SERIES, TERSE, Cost, Stage, staged
from tests.flow.support import make_pack

ROUNDS = 3
LATENCY = 0.5  # seconds that a call takes, as with a quick model
LATENCY_MANY = 0.25  # with many hotels, where up to 51 calls stand one behind the other
HOTELS = (2, 3, 5, 10, 50)
SHOWN = (10, 50)  # in the table; all are in the JSON
SERIES_HOTELS = (10,)  # of two it is measured above; of fifty alone it would take a minute
GUESTS = (1, 10, 50)
WRITING = 100.0  # tokens a second, for what a model's writing adds; the stub writes at once
TIME_RATIO = 0.6  # the desk's time for two hotels against the supervisor's
LACKING = "the rivals: no checked facts, no guard on bookings, no other language, no memory, nothing stored"

Costs = Mapping[str, Cost]  # by design


def measure() -> Measured:
    """All of it: two hotels, many hotels, many guests at once."""
    with staged() as stage:
        warm_up(stage, DESIGNS)
        terse = {question.name: stage.ask(TERSE, question) for question in QUESTIONS}
        stage.latency(LATENCY)
        two = {question.name: rounds(stage, question, ROUNDS) for question in QUESTIONS}
        guests = [at_once(stage, count) for count in GUESTS]
        detector = stage.parts.detector
    many: dict[str, dict[int, Costs]] = {question.name: {} for question in QUESTIONS}
    for hotels in HOTELS:
        with (
            tempfile.TemporaryDirectory(prefix="desk-pack-") as folder,
            staged(make_pack(Path(folder, "pack"), hotels), detector) as stage,
        ):
            for name, costs in with_hotels(stage, hotels).items():
                many[name][hotels] = costs
    lines = [*two_lines(two, terse), *many_lines(many), *guest_lines(guests), Line(LACKING, "")]
    data = {
        "two_hotels": {name: _shown(costs) for name, costs in two.items()},
        "terse_series": _shown(terse),
        "hotels": {name: {n: _shown(costs) for n, costs in found.items()} for name, found in many.items()},
        "guests": guests,
        "latency": LATENCY,
        "latency_many": LATENCY_MANY,
        "writing": WRITING,
    }
    title = f"The desk beside its rivals ({LATENCY:g} s a call, {LATENCY_MANY:g} s with many hotels)"
    return Measured(title, lines, data)


def warm_up(stage: Stage, designs: Sequence[str]) -> None:
    """Each question once without latency: the first of a kind compiles patterns and opens connections."""
    for question in QUESTIONS:
        for design in designs:
            stage.ask(design, question)


def rounds(stage: Stage, question: Question, count: int, designs: Sequence[str] = DESIGNS) -> Costs:
    """The median cost of each design over so many rounds, in which every design is asked once."""
    asked = [{d: stage.ask(d, question) for d in designs} for _ in range(count)]
    return {design: _median([costs[design] for costs in asked]) for design in asked[0]}


def with_hotels(stage: Stage, hotels: int) -> dict[str, Costs]:
    """What each question costs with so many hotels."""
    designs = [d for d in DESIGNS if d != SERIES or hotels in SERIES_HOTELS]
    warm_up(stage, designs)
    stage.latency(LATENCY_MANY)
    return {question.name: rounds(stage, question, 1, designs) for question in QUESTIONS}


def at_once(stage: Stage, guests: int) -> dict[str, Any]:
    """So many guests who ask the two hotels at the same moment: seconds of all together, and p95 of each."""
    found: dict[str, Any] = {"guests": guests}
    for design in DESIGNS:
        whole, each, right = stage.at_once(design, QUESTIONS[0], guests)
        found[design] = {"seconds": round(whole, 3), "p95": spread(each)["p95"]} if right else "wrong"
    return found


def two_lines(two: Mapping[str, Costs], terse: Costs) -> list[Line]:
    """Two hotels: each design's cost, and the desk's against the supervisor's, which is aimed at."""
    lines: list[Line] = []
    for name, costs in two.items():
        lines += [Line(f"two hotels, {name}: {design}", in_words(cost)) for design, cost in costs.items()]
        for what, limit in (("seconds", TIME_RATIO), ("tokens", 1.0)):
            label = f"two hotels, {name}: {what}, desk / series"
            against = ratio(costs, SERIES, what)
            missed = Line(label, "wrong", f"≤ {limit:g}", met=False)
            lines.append(missed if against is None else aimed(label, against, limit))
        against = ratio({**costs, TERSE: terse[name]}, TERSE, "tokens")
        told = "wrong" if against is None else f"{against:.2f}"
        lines.append(Line(f"two hotels, {name}: tokens, desk / series without the desk's texts", told))
    return lines


def many_lines(many: Mapping[str, Mapping[int, Costs]]) -> list[Line]:
    """Many hotels: what all designs need, and from how many on the desk needs less than a single agent."""
    lines = [
        Line(f"{hotels} hotels, {name}, {what}", _side_by_side(costs, what))
        for name, found in many.items()
        for hotels, costs in found.items()
        if hotels in SHOWN
        for what in NEEDS
    ]
    for name, found in many.items():
        for rival in (SERIAL, PARALLEL):
            told = ", ".join(f"{what} {from_how_many(found, rival, what)}" for what in NEEDS)
            lines.append(Line(f"{name}: desk needs less than {rival}", told))
    return lines


def guest_lines(guests: Sequence[Mapping[str, Any]]) -> list[Line]:
    """Each number of guests at once: the seconds of all together, and the p95 of one."""
    lines: list[Line] = []
    for found in guests:
        designs = {name: told for name, told in found.items() if name != "guests"}
        for what in ("seconds", "p95"):
            shown = (
                f"{name} {told if isinstance(told, str) else format(told[what], '.2f')}"
                for name, told in designs.items()
            )
            lines.append(Line(f"{found['guests']} guests at once, {what}", ", ".join(shown)))
    return lines


def in_words(cost: Cost) -> str:
    """One design's cost for the table."""
    if not cost.right:
        return "wrong"
    calls = f"{cost.chain} calls in a row of {cost.calls}"
    return f"{cost.seconds:.2f} s, {calls}, tokens {cost.input_tokens} in, {cost.output_tokens} out"


def from_how_many(many: Mapping[int, Costs], rival: str, what: str) -> str:
    """From which number of hotels on, of those that were measured, the desk needs less than the rival."""
    better_from: int | None = None
    for hotels, costs in sorted(many.items()):
        against = ratio(costs, rival, what)
        if against is None:
            return "wrong"
        better_from = (better_from or hotels) if against < 1 else None
    return f"from {better_from} hotels on" if better_from else "never"


def ratio(costs: Costs, rival: str, what: str) -> float | None:
    """The desk's need against the rival's; None when one of them is wrong."""
    if not (costs[DESK].right and costs[rival].right):
        return None
    return NEEDS[what](costs[DESK]) / NEEDS[what](costs[rival])


def _writing(cost: Cost) -> float:
    """Seconds with a model that writes `WRITING` tokens a second: those measured, and the writing in a row."""
    return cost.seconds + cost.written / WRITING


NEEDS: Mapping[str, Callable[[Cost], float]] = {
    "seconds": lambda cost: cost.seconds,
    "seconds with writing": _writing,
    "tokens": lambda cost: cost.tokens,
}


def _side_by_side(costs: Costs, what: str) -> str:
    digits = 0 if what == "tokens" else 2
    return ", ".join(
        f"{design} {f'{NEEDS[what](cost):.{digits}f}' if cost.right else 'wrong'}"
        for design, cost in costs.items()
    )


def _median(costs: Sequence[Cost]) -> Cost:
    """The round of the middle time; wrong if any round was."""
    middle = sorted(costs, key=NEEDS["seconds"])[len(costs) // 2]
    return replace(middle, right=all(cost.right for cost in costs))


def _shown(costs: Costs) -> dict[str, Any]:
    """For programs; of a wrong answer nothing but that."""
    return {design: asdict(cost) if cost.right else "wrong" for design, cost in costs.items()}
