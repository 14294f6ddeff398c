"""Runs conversation cases through desks of the rehearsal model, and grades every turn."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desk.bootstrap import Replacements, desk_over, open_parts
from desk.context import Parts
from desk.service import Desk
from desk.settings import read_settings
from tests.eval.grading import grade

WAIT = 120.0
Case = Mapping[str, Any]


@dataclass
class Result:
    """One case's outcome: what was wrong, turn by turn, and what was said."""

    case: Case
    wrong: list[str] = field(default_factory=list)
    turns: list[Mapping[str, Any]] = field(default_factory=list)


def read_cases(path: Path, languages: Iterable[str] | None = None) -> list[Case]:
    """The cases of a JSON-lines file, of these languages (all when None)."""
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    wanted = None if languages is None else set(languages)
    return [case for case in cases if wanted is None or case["language"] in wanted]


def replacements(shared: Parts | None) -> Replacements:
    """What a new desk takes over from parts that are open already: what is slow to make and never changes."""
    if shared is None:
        return Replacements(web=None)
    return Replacements(models=shared.models, changed={"detector": shared.detector})


@contextmanager
def desk_at(today: str, shared: Parts | None = None) -> Iterator[tuple[Desk, Parts]]:
    """A rehearsal desk of its own, on `today`, in a folder that is gone afterwards; no key of yours is used."""
    with tempfile.TemporaryDirectory(prefix="desk-eval-") as folder:
        settings = read_settings(home=Path(folder), today=today, model="rehearsal", tavily_api_key=None)
        parts = open_parts(settings, replacements(shared))
        desk = desk_over(parts)
        try:
            yield desk, parts
        finally:
            desk.close()


def run_case(case: Case, shared: Parts | None = None) -> Result:
    """Play one case on a fresh desk."""
    with desk_at(case["today"], shared) as (desk, parts):
        return play(case, desk, parts.settings.home)


def run_cases(cases: Iterable[Case], shared: Parts | None = None) -> Iterator[Result]:
    """Play cases one after the other, each on a thread of its own.

    A desk serves until a case has booked a room on it, or until a case wants another day: so no case meets the
    bookings of another.
    """
    waiting = list(cases)
    while waiting:
        today, booked = waiting[0]["today"], False
        with desk_at(today, shared) as (desk, parts):
            shared = shared or parts
            while waiting and not booked and waiting[0]["today"] == today:
                result = play(waiting.pop(0), desk, parts.settings.home)
                booked = any(turn["booking"] for turn in result.turns)
                yield result


def play(case: Case, desk: Desk, home: Path) -> Result:
    """Play one case on a thread of its own."""
    result = Result(case)
    thread = desk.new_thread()
    if case.get("guest"):
        desk.bind_guest(thread, case["guest"])
    for number, turn in enumerate(case["turns"], 1):
        said = desk.wait(thread, desk.send(thread, turn["say"]), WAIT).to_json()
        desk.settle(thread, WAIT)
        result.turns.append(said)
        found = grade(turn.get("expect", {}), result.turns, home, case["language"])
        result.wrong += [f"turn {number}: {what}" for what in found]
    return result
