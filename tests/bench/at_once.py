"""One, ten and fifty conversations at once, nobody thinking in between: what the desk gets through, and how soon.

The model takes no time here, so this is the desk's own work on one process's interpreter. All of it is judged as
the load is.
"""

from __future__ import annotations

from tests.bench.load import Plan, play
from tests.bench.report import Line, Measured, aimed, milliseconds

PLANS = (
    Plan(1, groups=80),
    Plan(10, groups=16),
    Plan(50, groups=4),
)  # guests, and groups of messages of each


def measure() -> Measured:
    """Throughput and waiting with each number of guests."""
    lines, data, grief = [], {}, 0
    for plan in PLANS:
        found = play(plan).figures()
        data[str(plan.guests)] = found
        grief += sum(int(found[what]) for what in ("lost", "doubled", "mixed", "disordered"))
        lines.append(
            Line(
                f"{plan.guests} at once: turns a minute, median, p95",
                f"{found['turns_per_minute']:.0f}, {milliseconds(found['median'])}, {milliseconds(found['p95'])}",
            )
        )
    lines.append(aimed("turns lost, doubled, mixed or disordered", grief, 0, "", 0))
    return Measured("Conversations at once, without a pause (rehearsal model)", lines, data)
