"""What a measure found, as lines of a table for people and as data for programs."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Line:
    """One line of the table. `met` is None where nothing is aimed at."""

    what: str
    value: str
    aim: str = ""
    met: bool | None = None


@dataclass(frozen=True)
class Measured:
    """What one measure found: lines for people, `data` for programs. `skipped` says why there is nothing."""

    title: str
    lines: Sequence[Line] = ()
    data: dict[str, Any] = field(default_factory=dict)
    skipped: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The data, with the aims that were set and whether they were met."""
        if self.skipped:
            return {"skipped": self.skipped}
        aims = {line.what: {"aim": line.aim, "met": line.met} for line in self.lines if line.met is not None}
        return {**self.data, "aims": aims}


def aimed(what: str, value: float, limit: float, unit: str = "", digits: int = 2) -> Line:
    """A line whose value should be at most `limit`."""
    tail = f" {unit}" if unit else ""
    return Line(what, f"{value:.{digits}f}{tail}", f"≤ {limit:g}{tail}", value <= limit)


def milliseconds(seconds: float) -> str:
    """A duration for the table."""
    return f"{seconds * 1000:.1f} ms"


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile (nearest rank) and mean."""
    ordered = sorted(values)
    rank = max(0, -(-95 * len(ordered) // 100) - 1)
    return {
        "median": round(statistics.median(ordered), 5),
        "p95": round(ordered[rank], 5),
        "mean": round(statistics.fmean(ordered), 5),
    }


def machine() -> dict[str, Any]:
    """Where and when this was measured. Memory in MB."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": os.cpu_count(),
        "memory_mb": memory // 2**20,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "date": datetime.now(UTC).date().isoformat(),
    }


def machine_line(where: Mapping[str, Any]) -> str:
    """What `machine` says, as one line."""
    return " · ".join(f"{name} {value}" for name, value in where.items())


def resident_mb(process: int | str = "self") -> float | None:
    """Resident memory of a process in MB, from /proc; None where there is no /proc."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return None
    rows = dict(line.partition(":")[::2] for line in status.splitlines())
    return int(rows["VmRSS"].split()[0]) / 1024


def table(measured: Sequence[Measured]) -> str:
    """All of it as text, in three columns: what, how much, and what was aimed at."""
    rows = [line for found in measured for line in found.lines]
    what = max((len(line.what) for line in rows), default=0)
    value = max((len(line.value) for line in rows), default=0)
    shown: list[str] = []
    for found in measured:
        shown += ["", found.title]
        if found.skipped:
            shown.append(f"  skipped: {found.skipped}")
        shown += [f"  {line.what:<{what}}  {line.value:>{value}}{_aim(line)}" for line in found.lines]
    return "\n".join(shown)


def _aim(line: Line) -> str:
    if line.met is None:
        return ""
    return f"  {'met   ' if line.met else 'MISSED'} {line.aim}"
