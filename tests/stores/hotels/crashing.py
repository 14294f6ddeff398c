"""Runs one write over and over in children that are killed, each at another point; see test_hotels_crashes.

Started as a program of its own, so that it may fork without taking a test run's threads along. Reads a JSON
object from standard input: the folders, one for each point, and what to do. Answers with the signal or the
exit code that ended each child.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

from desk.pack import load_pack
from desk.records import Offer
from desk.stores.hotels import Hotels
from tests.stores.hotels.lisbon import NOW, PACK, carry_out


class Dying(sqlite3.Connection):
    """A connection that kills its process before or after its n-th statement."""

    point = -1
    passed = 0

    def execute(self, *arguments: Any) -> sqlite3.Cursor:  # type: ignore[override]
        """Run a statement, unless the point lies before it, and survive it, unless the point lies behind."""
        self._pass()
        cursor = super().execute(*arguments)
        self._pass()
        return cursor

    @classmethod
    def _pass(cls) -> None:
        if cls.passed == cls.point:
            os.kill(os.getpid(), signal.SIGKILL)
        cls.passed += 1


def _child(folder: Path, offer: Offer, point: int | None, bytes_left: int | None) -> None:
    """Do it, and die on the way: at a statement, or when the hotel's log has grown by `bytes_left`."""
    if point is not None:
        Dying.point = point
        connect = sqlite3.connect
        sqlite3.connect = lambda *given, **named: connect(*given, **named, factory=Dying)  # type: ignore[assignment]
    if bytes_left is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        size = (folder / f"{offer.hotel}.db-wal").stat().st_size + bytes_left
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    carry_out(Hotels(load_pack(PACK), folder), offer, NOW)


def main() -> None:
    """Fork a child for each job of the standard input and wait for it."""
    ends = []
    for job in json.load(sys.stdin):
        pid = os.fork()
        if pid == 0:
            _child(Path(job["folder"]), Offer.model_validate(job["offer"]), job["point"], job["bytes_left"])
            os._exit(0)
        ends.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    print(json.dumps(ends))


if __name__ == "__main__":
    main()
