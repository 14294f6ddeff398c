"""Resident memory of a desk after some turns and after many, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench.conversations import messages
from tests.bench.report import Line, Measured, aimed, resident_mb
from tests.bench.turns import Talk, bench_desk

EARLY, LATE = 20, 200
MOST_MB = 900.0  # with every language's models loaded
GROWTH_MB = 50.0  # between EARLY and LATE: what a turn leaves behind belongs on disk
ROOT = Path(__file__).resolve().parents[2]


def measure(early: int = EARLY, late: int = LATE) -> Measured:
    """Memory after `early` and `late` turns."""
    title = "Memory of the desk's process"
    if resident_mb() is None:
        return Measured(title, skipped="this system has no /proc to read it from")
    command = [sys.executable, "-m", "tests.bench.memory", str(early), str(late)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    found = dict(zip(("opened", "early", "late"), json.loads(done.stdout.splitlines()[-1]), strict=True))
    growth = found["late"] - found["early"]
    lines = [
        Line("opened, before the first turn", f"{found['opened']:.0f} MB"),
        Line(f"after {early} turns", f"{found['early']:.0f} MB"),
        aimed(f"after {late} turns", found["late"], MOST_MB, "MB", 0),
        aimed(f"growth from {early} to {late} turns", growth, GROWTH_MB, "MB", 1),
    ]
    data = {f"{name}_mb": round(megabytes, 1) for name, megabytes in found.items()}
    return Measured(title, lines, {**data, "growth_mb": round(growth, 1), "turns": [early, late]})


def resident_after(counts: Sequence[int]) -> list[float]:
    """Resident memory in MB of this process with a desk opened, and after each of these numbers of turns."""
    with tempfile.TemporaryDirectory(prefix="desk-bench-") as folder, bench_desk(Path(folder)) as (desk, _):
        talk, seen = Talk(desk), [resident_mb() or 0.0]
        for done, say in enumerate(messages(max(counts)), 1):
            talk.send(say)
            talk.settle(say)
            if done in counts:
                seen.append(resident_mb() or 0.0)
        return seen


if __name__ == "__main__":
    print(json.dumps(resident_after([int(count) for count in sys.argv[1:]])))
