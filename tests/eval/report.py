"""What `make eval` prints and writes: tables, the failing cases, one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.eval.cases import Result
from tests.eval.public import Scores
from tests.eval.suites import LANGUAGES, Count, Outcome, kind_of


def kinds_table(outcome: Outcome) -> str:
    """A table of one suite: a line for each kind, passed / total for each language, and their sum."""
    counts = outcome.counts()
    languages = [code for code in LANGUAGES if any(code in row for row in counts.values())]
    rows = [[kind, *(_cell(row.get(code)) for code in languages)] for kind, row in counts.items()]
    sums = [_sum([row[code] for row in counts.values() if code in row]) for code in languages]
    rows.append(["all", *(f"{_cell(total)} = {total[0] / total[1]:.1%}" for total in sums)])
    return _table([outcome.name, *languages], rows)


def public_table(public: Scores) -> str:
    """A line for each number of the public sets, and one for each set that was not given."""
    rows = [[name, key, _number(value)] for name, found in public.given.items() for key, value in flat(found)]
    lines = [_table(["public set", "measure", "value"], rows)] if rows else []
    return "\n".join([*lines, *(f"not scored: {why}" for why in public.not_given)])


def failures(outcome: Outcome) -> Iterator[str]:
    """One line for each thing that was wrong."""
    for result in outcome.failing:
        yield from (f"{result.case['id']}: {what}" for what in result.wrong)


def transcripts(outcomes: Sequence[Outcome], folder: Path) -> int:
    """Write every failing conversation to a file of its suite in the folder; returns how many there were."""
    folder.mkdir(parents=True, exist_ok=True)
    for outcome in outcomes:
        text = "\n".join(_transcript(result) for result in outcome.failing)
        (folder / f"{outcome.name.replace(' ', '_')}.txt").write_text(text, encoding="utf-8")
    return sum(len(outcome.failing) for outcome in outcomes)


def as_json(outcomes: Sequence[Outcome], public: Scores, seconds: float) -> dict[str, Any]:
    """All of it as plain values. Of the public sets only numbers, no texts."""
    suites = {
        outcome.name: {
            "passed": len(outcome.results) - len(outcome.failing),
            "total": len(outcome.results),
            "kinds": outcome.counts(),
        }
        for outcome in outcomes
    }
    failing = [
        {"suite": outcome.name, "id": result.case["id"], "wrong": result.wrong}
        for outcome in outcomes
        for result in outcome.failing
    ]
    scores = {name: dict(flat(found)) for name, found in public.given.items()}
    return {
        "suites": suites,
        "failing": failing,
        "public": scores,
        "not_scored": public.not_given,
        "seconds": round(seconds, 1),
    }


def flat(found: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The numbers and names in nested results, under dotted keys; lists of texts are left out."""
    for key, value in found.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{key}.")
        elif isinstance(value, int | float | str):
            yield f"{before}{key}", value


def _transcript(result: Result) -> str:
    lines = [f"## {result.case['id']} ({kind_of(result.case)})"]
    for asked, said in zip(result.case["turns"], result.turns, strict=False):
        lines += [
            f"guest   {asked['say']}",
            f"expect  {json.dumps(asked.get('expect', {}), ensure_ascii=False)}",
            f"read    {said['language']} | {said['english']} | {said['routes']}"
            f" | {[h['task'] for h in said['handoffs']]} | {_mood(said['sentiment'])}",
            *(f"desk    {line}" for line in said["reply"].splitlines()),
        ]
    return "\n".join([*lines, *(f"WRONG   {what}" for what in result.wrong), ""])


def _mood(sentiment: Mapping[str, Any]) -> str:
    calms = "de-escalates" if sentiment["deescalate"] else "stays as it is"
    return f"{sentiment['label']} {sentiment['polarity']}, {sentiment['tone']}, {calms}"


def _cell(count: Count | None) -> str:
    return f"{count[0]} / {count[1]}" if count else ""


def _sum(counts: Sequence[Count]) -> Count:
    return sum(count[0] for count in counts), sum(count[1] for count in counts)


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell."""
    lines = [head, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
    padded.insert(1, ["-" * width for width in widths])
    return "\n".join("  ".join(line).rstrip() for line in padded)
