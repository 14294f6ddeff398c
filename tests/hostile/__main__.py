"""`make hostile`: a thousand turns against the hostile model, and the figures. Exit code 1 when one is not zero.

`python -m tests.hostile [--turns N] [--seed S] [--json] [--mutations] [--kind NAME …]`
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tests.bench.report import machine, machine_line
from tests.hostile.judge import FIGURES
from tests.hostile.run import BY_NAME, KINDS, UNUSABLE, Report, Run, opened, quiet


def main() -> int:
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", default=[], choices=sorted(BY_NAME), help="only this kind")
    parser.add_argument("--json", action="store_true", help="one JSON object as the last line")
    parser.add_argument(
        "--mutations", action="store_true", help="switch each rule of the checker off, in turn"
    )
    given = parser.parse_args()
    print(machine_line(machine()), flush=True)
    quiet()
    with tempfile.TemporaryDirectory(prefix="desk-hostile-", ignore_cleanup_errors=True) as folder:
        if given.mutations:
            from tests.hostile.mutations import show_mutations

            return show_mutations(Path(folder), given.seed)
        kinds = [BY_NAME[name] for name in given.kind] or KINDS
        with opened(Path(folder) / "home") as desk:
            report = Run(desk, given.seed, kinds).play(given.turns)
    show(report, given.seed)
    if given.json:
        print(json.dumps(asdict(report), ensure_ascii=False, default=str))
    return 0 if report.clean else 1


def show(report: Report, seed: int) -> None:
    """The figures, and what failed."""
    for failure in report.failures[:60]:
        print(f"! {failure.finding.figure}: {failure.finding.what}")
        print(f"    seed {failure.seed}, {failure.kind}: {failure.reply[:400]}")
    print(f"seed {seed}: {report.turns} turns in {report.seconds:.0f} s, {report.truthful} of them truthful,")
    print(
        f"  {report.hostile_calls} hostile answers, {report.offers} with an offer, {report.bookings} bookings"
    )
    for name in FIGURES:
        print(f"  {name + ':':32}{report.figures[name]}")
    print(f"  {UNUSABLE + ':':32}{report.figures[UNUSABLE]} (of {report.probes} asked)")
    print(
        f"  checker: {report.retries} rewrites, {report.plain} plain replies, {report.english} left in English"
    )
    print(f"  apologies because the model failed: {report.apologies}")
    print(f"  French replies by the kept patterns alone: {report.french}")
    print("  kind of hostility (turns, of them the checker stepped in)")
    for kind, count in sorted(report.played.items()):
        print(f"    {kind:48}{count:5}{report.stepped_in[kind]:5}")


if __name__ == "__main__":
    sys.exit(main())
