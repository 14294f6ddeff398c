"""What `make eval` prints and writes: tables, the failing cases, one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.eval import tables
from tests.eval.cases import Result
from tests.eval.folds import as_counts, folds_table
from tests.eval.public import Scores
from tests.eval.spending import spent
from tests.eval.suites import LANGUAGES, Outcome, kind_of

FAILING = "failing.txt"


@dataclass(frozen=True)
class Played:
    """All that was played: the suites, what a desk that does nothing makes of their cases, by id, and the long
    conversations with a summariser that drops every fact."""

    outcomes: Sequence[Outcome]
    idle: Mapping[str, Result]
    dropped: Sequence[Result] = ()

    @property
    def results(self) -> list[Result]:
        """The trials of all suites."""
        return [result for outcome in self.outcomes for result in outcome.results]

    @property
    def languages(self) -> list[str]:
        """The languages of the cases, in the desk's order."""
        found = {result.case["language"] for result in self.results}
        return [code for code in LANGUAGES if code in found]

    def free(self, cases: Mapping[str, Any]) -> int:
        """How many of these cases, by id, a desk that does nothing passes."""
        return sum(not self.idle[case].wrong for case in cases)


def pass_tables(played: Played) -> str:
    """For each suite and language, a line for each kind: its cases, pass^1 … pass^k, and what doing nothing gets."""
    blocks = []
    for outcome in played.outcomes:
        for language in played.languages:
            rows = _pass_rows(played, outcome, language)
            ks = [f"pass^{k}" for k in range(1, outcome.trials + 1)]
            head = [f"{outcome.name}, {language}", "cases", *ks, "doing nothing"]
            blocks += [tables.table(head, rows)] if rows else []
    return "\n\n".join(blocks)


def _pass_rows(played: Played, outcome: Outcome, language: str) -> list[list[object]]:
    kinds = [kind for kind, row in outcome.counts().items() if language in row]
    rows: list[list[object]] = []
    for kind in [*kinds, None] if kinds else []:
        cases = outcome.by_case(kind, language)
        shares = [f"{outcome.pass_hat(k, kind, language):.1%}" for k in range(1, outcome.trials + 1)]
        rows.append([kind or "all", len(cases), *shares, tables.share(played.free(cases), len(cases))])
    return rows


def count_tables(played: Played) -> str:
    """What the turns add up to, over all suites and trials."""
    results, languages = played.results, played.languages
    return "\n\n".join(
        [
            *(tables.routes_table(results, language) for language in languages),
            tables.facts_table(results),
            tables.mood_table(results, languages),
            tables.languages_table(results),
            tables.dates_table(results, languages),
            tables.handoffs_table(results, languages),
            folds_table(_by_summariser(played), languages),
            spent(results).line(),
        ]
    )


def _by_summariser(played: Played) -> dict[str, Sequence[Result]]:
    return {"as it sums up": played.results, "a summariser that drops all": played.dropped}


def public_table(public: Scores) -> str:
    """A line for each number of the public sets, and one for each set that was not given."""
    rows = [[name, key, _number(value)] for name, found in public.given.items() for key, value in flat(found)]
    lines = [tables.table(["public set", "measure", "value"], rows)] if rows else []
    return "\n".join([*lines, *(f"not scored: {why}" for why in public.not_given)])


def failures(outcome: Outcome) -> Iterator[str]:
    """One line for each thing that was wrong, with the number of trials in which it was."""
    for case, trials in outcome.by_case().items():
        found = [what for result in trials for what in result.wrong]
        for what in dict.fromkeys(found):
            often = sum(what in result.wrong for result in trials)
            yield f"{case}: {what}" + (f" ({often} of {len(trials)} trials)" if len(trials) > 1 else "")


def transcripts(outcomes: Sequence[Outcome], folder: Path) -> Path | None:
    """Write every trial that failed to one file in the folder; returns it, or None when none did."""
    failing = [(outcome.name, result) for outcome in outcomes for result in outcome.failing]
    if not failing:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FAILING
    path.write_text("\n".join(_transcript(suite, result) for suite, result in failing), encoding="utf-8")
    return path


def as_json(played: Played, public: Scores, seconds: float) -> dict[str, Any]:
    """All of it as plain values. Of the public sets only numbers, no texts."""
    failing = [
        {"suite": outcome.name, "id": result.case["id"], "trial": result.trial, "wrong": result.wrong}
        for outcome in played.outcomes
        for result in outcome.failing
    ]
    return {
        "suites": {outcome.name: _suite(played, outcome) for outcome in played.outcomes},
        "routes": {language: _routes(played, language) for language in played.languages},
        "handoffs": {code: dict(tables.handoffs(played.results, code)) for code in played.languages},
        "folds": {name: as_counts(results) for name, results in _by_summariser(played).items()},
        "model": asdict(spent(played.results)),
        "failing": failing,
        "public": {name: dict(flat(found)) for name, found in public.given.items()},
        "not_scored": public.not_given,
        "seconds": round(seconds, 1),
    }


def _suite(played: Played, outcome: Outcome) -> dict[str, Any]:
    counts = outcome.counts()
    every = [count for row in counts.values() for count in row.values()]
    return {
        "passed": sum(passed for passed, _ in every),
        "total": sum(total for _, total in every),
        "trials": outcome.trials,
        "pass": {
            code: [round(outcome.pass_hat(k, language=code), 4) for k in range(1, outcome.trials + 1)]
            for code in played.languages
            if outcome.by_case(language=code)
        },
        "doing_nothing": played.free(outcome.by_case()),
        "kinds": counts,
    }


def _routes(played: Played, language: str) -> dict[str, int]:
    found = tables.confusion(played.results, language)
    return {f"{wanted} > {taken}": count for (wanted, taken), count in sorted(found.items())}


def flat(found: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The numbers and names in nested results, under dotted keys; lists of texts are left out."""
    for key, value in found.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{key}.")
        elif isinstance(value, int | float | str):
            yield f"{before}{key}", value


def _transcript(suite: str, result: Result) -> str:
    lines = [f"## {result.case['id']} ({suite}, {kind_of(result.case)}, trial {result.trial})"]
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


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
