"""`make eval`: plays the conversation suites on rehearsal desks, scores the public sets, and prints tables.

`python -m tests.eval [--data DIR] [--json] [--out DIR] [--kind KIND …] [--language CODE …]`. DIR is the folder of the
public sets; without it they are not scored, and that is said. Exit code 0 when it ran, whatever came of it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from tests.eval.public import Scores, score_public
from tests.eval.report import as_json, failures, kinds_table, public_table, transcripts
from tests.eval.suites import LANGUAGES, Outcome, play_suites


def main() -> None:
    """Run what the command line asks for."""
    given = _arguments()
    started = time.perf_counter()
    outcomes = play_suites(set(given.language), set(given.kind))
    public = score_public(given.data) if not given.kind else Scores({}, [])
    folder = given.out or Path(tempfile.mkdtemp(prefix="desk-eval-"))
    _print(outcomes, public, folder)
    seconds = time.perf_counter() - started
    print(f"\n{sum(len(outcome.results) for outcome in outcomes)} cases in {seconds:.0f} s")
    if given.json:
        print(json.dumps(as_json(outcomes, public, seconds), ensure_ascii=False))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description=__doc__)
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
        help="only this language; may be repeated",
        choices=LANGUAGES,
    )
    return parser.parse_args()


def _print(outcomes: list[Outcome], public: Scores, folder: Path) -> None:
    for outcome in outcomes:
        print(kinds_table(outcome), end="\n\n")
    print(public_table(public))
    for outcome in outcomes:
        for line in failures(outcome):
            print(line)
    written = transcripts(outcomes, folder)
    if written:
        print(f"\nthe {written} failing conversations are in {folder}")


if __name__ == "__main__":
    main()
