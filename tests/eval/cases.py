"""Runs conversation cases through a desk of their own, and grades every turn."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desk.bootstrap import Replacements, open_desk
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


@contextmanager
def desk_at(today: str, own: Replacements | None = None) -> Iterator[tuple[Desk, Path]]:
    """A desk of its own, on `today`, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="desk-eval-") as folder:
        home = Path(folder)
        desk = open_desk(read_settings(home=home, today=today), own)
        try:
            yield desk, home
        finally:
            desk.close()


def run_case(case: Case, own: Replacements | None = None) -> Result:
    """Play one case on a fresh desk."""
    with desk_at(case["today"], own) as (desk, home):
        return play(case, desk, home)


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
