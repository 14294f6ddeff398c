"""`make bench`: what the desk itself costs a turn, in time, memory and storage; what more hotels and a long
conversation add to it; its graph beside a single agent and a supervisor; and how fast the page is there.

Prints a table, and with `--json` one JSON object as the last line. A missed aim does not fail the command: times
depend on the machine, ratios less so.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence

from tests.bench import (
    at_once,
    branches,
    compare,
    first_paint,
    first_step,
    folds,
    growth,
    load,
    memory,
    pages,
    turns,
)
from tests.bench.report import Measured, machine, machine_line, table

TURNS = 100

# Every comparison is one more entry: a name, and a function that measures.
MEASURES: Mapping[str, Callable[[argparse.Namespace], Measured]] = {
    "turn": lambda options: turns.measure(options.turns),
    "growth": lambda options: growth.measure(),
    "at_once": lambda options: at_once.measure(),
    "load": load.measure,
    "memory": lambda options: memory.measure(),
    "branches": lambda options: branches.measure(),
    "folds": lambda options: folds.measure(),
    "compare": lambda options: compare.measure(),
    "page": lambda options: first_paint.measure(),
    "pages": lambda options: pages.measure(),
    "step": lambda options: first_step.measure(),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for, and print it."""
    options = _options(arguments)
    where = machine()
    print(machine_line(where), flush=True)
    found: dict[str, Measured] = {}
    for name in options.only or MEASURES:
        found[name] = MEASURES[name](options)
        print(table([found[name]]), flush=True)
    if options.json:
        print(json.dumps({"machine": where, **{name: part.to_json() for name, part in found.items()}}))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object as the last line")
    parser.add_argument("--turns", type=int, default=TURNS, help="turns to time (default %(default)s)")
    parser.add_argument(
        "--only", action="append", choices=list(MEASURES), help="this measure; may be repeated"
    )
    parser.add_argument("--guests", type=int, default=load.GUESTS, help="of the load (default %(default)s)")
    parser.add_argument("--minutes", type=float, help="of the load (default: a short one)")
    parser.add_argument(
        "--think", type=_span, metavar="LOW-HIGH", help="seconds that a guest of the load thinks"
    )
    return parser.parse_args(arguments)


def _span(text: str) -> tuple[float, float]:
    low, _, high = text.partition("-")
    return float(low), float(high or low)


if __name__ == "__main__":
    raise SystemExit(main())
