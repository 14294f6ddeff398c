"""The public sets that `make eval` scores when it is given their folder. They stay outside the repository."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A scorer has `score(data_dir) -> dict`; `{"missing": path}`, or nothing at all, where its data is not there.
SCORERS = ("language", "dates", "mood", "routes", "numbers")


@dataclass(frozen=True)
class Scores:
    """What the public sets gave, by scorer; and why the others gave nothing."""

    given: dict[str, dict[str, Any]]
    not_given: list[str]


def score_public(data_dir: Path | None) -> Scores:
    """Score every public set that is there."""
    given: dict[str, dict[str, Any]] = {}
    not_given: list[str] = []
    for name in SCORERS:
        if data_dir is None:
            not_given.append(f"{name}: no folder given (DATA=folder)")
            continue
        found = _score(name, data_dir)
        if not found or "missing" in found:
            not_given.append(f"{name}: {found.get('missing', data_dir)} is not there")
        else:
            given[name] = found
    return Scores(given, not_given)


def _score(name: str, data_dir: Path) -> dict[str, Any]:
    module = f"tests.eval.public_{name}"
    if importlib.util.find_spec(module) is None:
        return {"missing": module}
    found: dict[str, Any] = importlib.import_module(module).score(data_dir)
    return found
