"""`make eval`: plays the conversation suites, several trials of each case, scores the public sets, prints tables.

`python -m tests.eval [--live] [--trials K] [--limit N] [--seed N] [--data DIR] [--json] [--out DIR] [--kind KIND …]
[--language CODE …]`. With `--live` the model is the one that the environment names; it is asked one trial of one case
of each kind and language, unless `--trials` and `--limit` say otherwise, and what that may take is said before. DIR of
`--data` is the folder of the public sets; without it they are not scored, and that is said.

Exit code 0 when it ran, whatever came of it; 1 when the live model cannot be asked, with one line on standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from desk.context import Parts
from desk.errors import SettingsError
from tests.bench.report import machine, machine_line
from tests.eval.cases import Result, run_cases
from tests.eval.folds import dropping
from tests.eval.idle import idle_results
from tests.eval.public import Scores, score_public
from tests.eval.report import Played, as_json, count_tables, failures, pass_tables, public_table, transcripts
from tests.eval.sources import live, rehearsed_parts, rehearsing
from tests.eval.spending import forecast
from tests.eval.suites import FOLDS, LANGUAGES, SEED, Plan, play_suites

TRIALS = 4
FEW = 1  # cases of each kind and language, and trials of each, that a live model is asked by itself


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the command line asks for."""
    given = _arguments(arguments)
    started = time.perf_counter()
    where = machine()
    print(machine_line(where), flush=True)
    plan = Plan(set(given.language), set(given.kind), given.trials, given.limit, given.seed)
    try:
        with live() if given.live else rehearsing() as parts:
            played = _play(plan, parts)
    except SettingsError as error:
        sys.exit(f"eval: {error}")
    public = score_public(given.data) if not given.kind else Scores({}, [])
    _print(played, public, given.out or Path(tempfile.mkdtemp(prefix="desk-eval-")))
    seconds = time.perf_counter() - started
    print(f"\n{len(played.idle)} cases, {plan.trials} trials of each, {seconds:.0f} s; seed {plan.seed}")
    if given.json:
        print(json.dumps({"machine": where, **as_json(played, public, seconds)}, ensure_ascii=False))


def _play(plan: Plan, parts: Parts) -> Played:
    cases = plan.all_cases()
    dropped: list[Result] = []
    if parts.models.rehearsal:
        with dropping(parts) as forgetful:
            dropped = list(run_cases(plan.cases(FOLDS), forgetful))
    else:
        print(forecast(list(run_cases(cases, rehearsed_parts(parts))), plan.trials, parts), flush=True)
    idle = {result.case["id"]: result for result in idle_results(cases, parts)}
    return Played(play_suites(plan, parts), idle, dropped)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description=__doc__)
    parser.add_argument("--live", action="store_true", help="the model that the environment names")
    parser.add_argument("--trials", type=_from_one, help=f"of each case; {TRIALS}, and {FEW} with --live")
    parser.add_argument(
        "--limit", type=_from_one, help=f"cases of each kind and language; all, and {FEW} with --live"
    )
    parser.add_argument(
        "--seed", type=int, default=SEED, help="for what is drawn, and the order of the trials"
    )
    parser.add_argument("--data", type=Path, help="the folder of the public sets")
    parser.add_argument("--json", action="store_true", help="one JSON object as the last line")
    parser.add_argument("--out", type=Path, help="where the failing transcripts go; a temporary folder else")
    parser.add_argument(
        "--kind", action="append", default=[], help="only cases of this kind; may be repeated"
    )
    parser.add_argument(
        "--language",
        action="append",
        default=[],
        choices=LANGUAGES,
        help="only this language; may be repeated",
    )
    given = parser.parse_args(arguments)
    given.trials = given.trials or (FEW if given.live else TRIALS)
    given.limit = given.limit or (FEW if given.live else None)
    return given


def _from_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _print(played: Played, public: Scores, folder: Path) -> None:
    print(pass_tables(played), end="\n\n")
    print(count_tables(played), end="\n\n")
    print(public_table(public))
    print(
        "\nwhat was wrong:" if any(outcome.failing for outcome in played.outcomes) else "\nnothing was wrong"
    )
    for outcome in played.outcomes:
        for line in failures(outcome):
            print(line)
    path = transcripts(played.outcomes, folder)
    failing = sum(len(outcome.failing) for outcome in played.outcomes)
    print(f"\nthe {failing} failing trials are in {path}" if path else "\nno trial failed")


if __name__ == "__main__":
    main()
