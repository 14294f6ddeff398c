"""The desk's own messages with what they ask, and how many the rehearsal model reads right."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from desk.models.rehearsal.acts import Act, Context
from desk.models.rehearsal.understand import Lexicon, understand

CASES = Path(__file__).parent / "cases" / "understand_en.jsonl"


@dataclass(frozen=True)
class Case:
    """One message: `acts` is all that it asks, in its order, after what `context` says went before."""

    text: str
    acts: tuple[Act, ...]
    context: Context


def read_cases(path: Path = CASES) -> list[Case]:
    """The cases of a JSON-lines file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Case(
            row["text"],
            tuple(Act(kind, topic) for kind, topic in row["acts"]),
            Context(**row.get("context", {})),
        )
        for row in rows
    ]


def misread(cases: list[Case], lexicon: Lexicon) -> list[tuple[str, tuple[Act, ...], tuple[Act, ...]]]:
    """The cases that come out otherwise: (text, wanted, got)."""
    read = ((case, understand(case.text, lexicon, context=case.context).acts) for case in cases)
    return [(case.text, case.acts, got) for case, got in read if got != case.acts]
