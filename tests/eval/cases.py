"""Runs conversation cases through desks of their own, and grades every turn."""

from __future__ import annotations

import datetime as dt
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from desk.bootstrap import desk_over, open_parts
from desk.clock import Clock
from desk.context import Parts
from desk.service import Desk
from desk.settings import read_settings
from desk.stores.hotels import open_hotels
from tests.eval.claims import Seen
from tests.eval.grading import grade
from tests.eval.stored import Record, Stored
from tests.eval.truth import Verdict, verdicts

WAIT = 120.0
Case = Mapping[str, Any]


@dataclass
class Result:
    """One trial of a case: what was wrong, turn by turn, what was said, and what is stored of it."""

    case: Case
    wrong: list[str] = field(default_factory=list)
    turns: list[Mapping[str, Any]] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    verdicts: list[list[Verdict]] = field(default_factory=list)
    trial: int = 1


def read_cases(path: Path, languages: Iterable[str] | None = None) -> list[Case]:
    """The cases of a JSON-lines file, of these languages (all when None)."""
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    wanted = None if languages is None else set(languages)
    return [case for case in cases if wanted is None or case["language"] in wanted]


@contextmanager
def desk_at(today: str, shared: Parts | None = None) -> Iterator[tuple[Desk, Parts]]:
    """A desk of its own, on `today`, in a folder that is gone afterwards.

    What is slow to make and never changes is that of the `shared` parts, their models included. Without them it is a
    rehearsal desk that searches no web, so that no key of yours is used.
    """
    with tempfile.TemporaryDirectory(prefix="desk-eval-") as folder:
        parts = _parts(Path(folder), today, shared)
        desk = desk_over(parts)
        try:
            yield desk, parts
        finally:
            desk.close()


def _parts(home: Path, today: str, shared: Parts | None) -> Parts:
    if shared is None:
        return open_parts(read_settings(home=home, today=today, model="rehearsal", tavily_api_key=None))
    day = dt.datetime.fromisoformat(today)
    morning = day.replace(hour=9) if len(today) == len("2026-12-01") else day
    clock = Clock.starting_at(morning, shared.pack.zone)
    settings = shared.settings.model_copy(update={"home": home, "today": morning})
    hotels = open_hotels(home, shared.pack, clock.today())
    return replace(shared, settings=settings, clock=clock, hotels=hotels)


def run_case(case: Case, shared: Parts | None = None) -> Result:
    """Play one case on a fresh desk."""
    with desk_at(case["today"], shared) as (desk, parts):
        return play(case, desk, Stored(parts.settings.home))


def run_cases(cases: Iterable[Case], shared: Parts | None = None) -> Iterator[Result]:
    """Play cases one after the other, each on a thread of its own, a day's cases together.

    A desk serves until something was written in its hotels' databases, or until a case wants another day: so no
    case meets the bookings of another.
    """
    waiting = sorted(cases, key=lambda case: str(case["today"]))
    while waiting:
        today, written = waiting[0]["today"], False
        with desk_at(today, shared) as (desk, parts):
            shared = shared or parts
            stored = Stored(parts.settings.home)
            untouched = stored.bookings()
            while waiting and not written and waiting[0]["today"] == today:
                yield play(waiting.pop(0), desk, stored)
                written = stored.bookings() != untouched


def play(case: Case, desk: Desk, stored: Stored) -> Result:
    """Play one case on a thread of its own, and grade each turn by what is stored of it.

    A turn that does not end in time is wrong, and the last one of its case.
    """
    result = Result(case)
    thread = desk.new_thread()
    if case.get("guest"):
        desk.bind_guest(thread, case["guest"])
    for number, turn in enumerate(case["turns"], 1):
        before = stored.bookings()
        try:
            said = desk.wait(thread, desk.send(thread, turn["say"]), WAIT).to_json()
        except TimeoutError as error:
            result.wrong.append(f"turn {number}: {error}")
            return result
        desk.settle(thread, WAIT)
        result.turns.append(said)
        result.records.append(stored.record(before, thread, number))
        result.verdicts.append(verdicts(result.turns, result.records[-1], stored, case["today"]))
        seen = Seen(result.turns, result.records[-1], result.verdicts[-1])
        found = grade(turn.get("expect", {}), seen, stored, case["language"])
        result.wrong += [f"turn {number}: {what}" for what in found]
    return result
