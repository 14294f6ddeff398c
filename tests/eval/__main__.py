"""`make eval`: plays the conversation suites, several trials of each case, scores the public sets, prints tables.

`python -m tests.eval [--trials K] [--limit N] [--data DIR] [--json] [--out DIR] [--kind KIND …] [--language CODE …]`.
DIR of `--data` is the folder of the public sets; without it they are not scored, and that is said. Exit code 0 when
it ran, whatever came of it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from tests.eval.cases import desk_at
from tests.eval.idle import idle_results
from tests.eval.public import Scores, score_public
from tests.eval.report import Played, as_json, count_tables, failures, pass_tables, public_table, transcripts
from tests.eval.suites import LANGUAGES, SEED, SUITES, Plan, play_suites

TRIALS = 4
DAY = "2026-12-01"  # any: cases bring their own


def main() -> None:
    """Run what the command line asks for."""
    given = _arguments()
    started = time.perf_counter()
    plan = Plan(set(given.language), set(given.kind), given.trials, given.limit, given.seed)
    with desk_at(DAY) as (_, shared):
        outcomes = play_suites(plan, shared)
        cases = [case for suite in SUITES for case in plan.cases(suite)]
        idle = {result.case["id"]: result for result in idle_results(cases, shared)}
    played = Played(outcomes, idle)
    public = score_public(given.data) if not given.kind else Scores({}, [])
    _print(played, public, given.out or Path(tempfile.mkdtemp(prefix="desk-eval-")))
    seconds = time.perf_counter() - started
    print(f"\n{len(cases)} cases, {plan.trials} trials of each, {seconds:.0f} s; seed {plan.seed}")
    if given.json:
        print(json.dumps(as_json(played, public, seconds), ensure_ascii=False))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description=__doc__)
    parser.add_argument("--trials", type=_from_one, default=TRIALS, help="how often each case is played")
    parser.add_argument(
        "--limit", type=_from_one, help="only so many cases of each kind and language, drawn by the seed"
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
    parser.add_argument("--language", action="append", default=[], help="only this language; may be repeated",
                        choices=LANGUAGES)  # fmt: skip
    return parser.parse_args()


def _from_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _print(played: Played, public: Scores, folder: Path) -> None:
    print(pass_tables(played), end="\n\n")
    print(count_tables(played), end="\n\n")
    print(public_table(public))
    for outcome in played.outcomes:
        for line in failures(outcome):
            print(line)
    path = transcripts(played.outcomes, folder)
    failing = sum(len(outcome.failing) for outcome in played.outcomes)
    print(f"\nthe {failing} failing trials are in {path}" if path else "\nno trial failed")


if __name__ == "__main__":
    main()
