"""Confirms an offer in children that are killed on the way, each at another point; see test_crashes.

A program of its own, so that it may fork without a test run's threads. Reads a JSON object from standard
input: the thread, and a folder for each point. Answers with what ended each child.
"""

from __future__ import annotations

import functools
import json
import os
import resource
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from desk import bootstrap, flow
from desk.context import Parts
from desk.runner import GraphRunner
from desk.settings import read_settings
from desk.steps import reservation
from desk.stores import bookings
from desk.stores.turnqueue import TurnQueue
from desk.tools import reservation as tools
from tests.bookings.support import at_home, offered
from tests.conftest import TODAY, Opened

SECONDS = 60


def die() -> None:
    """End this process as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


def before(place: Any, name: str, act: Callable[[], None] = die) -> Callable[[], None]:
    """Act when the function is called."""
    return lambda: _wrap(place, name, act, None)


def after(place: Any, name: str, act: Callable[[], None] = die) -> Callable[[], None]:
    """Act when the function has done its work."""
    return lambda: _wrap(place, name, None, act)


def _wrap(place: Any, name: str, first: Callable[[], None] | None, then: Callable[[], None] | None) -> None:
    real = getattr(place, name)

    @functools.wraps(real)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if first:
            first()
        result = real(*args, **kwargs)
        if then:
            then()
        return result

    setattr(place, name, wrapped)


def _saver() -> Any:
    from langgraph.checkpoint.sqlite import SqliteSaver

    return SqliteSaver


def no_room_left() -> None:
    """Let the system end the process when COMMIT makes the hotel's log grow, after that of the guests."""
    size = (Path(os.environ["CRASH_HOME"]) / "hotels" / "hotel2.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


POINTS: dict[str, Callable[[], None]] = {
    "before the guest's words are read": before(flow, "identify"),
    "before the model is asked": before(reservation, "take_step"),
    "before the write": before(tools, "carry_out"),
    "before the transaction": before(bookings.HotelWriter, "book"),
    "inside it, the guest stored": after(bookings.HotelWriter, "_add_guest"),
    "inside it, the rooms stored": after(bookings, "add_rows"),
    "between the commits of two files": after(bookings, "add_rows", no_room_left),
    "after the commit": after(bookings.HotelWriter, "book"),
    "after the write": after(tools, "carry_out"),
    "before the reply is worded": before(flow, "translate_out"),
    "after the reply is worded": after(flow, "translate_out"),
    "before the checkpoint": before(_saver(), "put"),
    "after the checkpoint": after(_saver(), "put"),
    "before the guest is bound": before(GraphRunner, "_settle_guest"),
    "before the turn is stored": before(TurnQueue, "finish"),
    "after the turn is stored": after(TurnQueue, "finish"),
}


@contextmanager
def _long_log(home: Path) -> Iterator[None]:
    """Make the hotel's log longer than any other file of the desk, so that only its growth passes the limit."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with closing(sqlite3.connect(home / "hotels" / "hotel2.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(20):
            connection.execute("INSERT OR REPLACE INTO about VALUES ('length', ?)", (f"{number}" * 20_000,))
        yield


def _child(home: Path, thread: str, point: str, parts: Parts) -> None:
    os.environ["CRASH_HOME"] = str(home)
    POINTS[point]()
    desk = bootstrap.desk_over(at_home(parts, home), threads=1)
    with _long_log(home):
        desk.wait(thread, desk.send(thread, "yes"), SECONDS)
        threading.Event().wait(5)  # the last points lie behind the reply


def main() -> None:
    """Fork a child for each folder and wait for it."""
    job = json.load(sys.stdin)
    parts = _parts(Path(job["scratch"]))
    ends = {}
    for point, home in job["homes"].items():
        pid = os.fork()
        if pid == 0:
            try:
                _child(Path(home), job["thread"], point, parts)
            finally:
                os._exit(0)
        ends[point] = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(json.dumps(ends))


def _parts(scratch: Path) -> Parts:
    """What is slow to make, made once, and warm from a booking; no thread is left that a fork would lose."""
    parts = bootstrap.open_parts(read_settings(home=scratch, today=TODAY, model="rehearsal"))
    parts.detector.load()
    opened = Opened(bootstrap.desk_over(parts), parts, scratch)
    thread, _ = offered(opened)
    opened.say(thread, "yes")
    opened.desk.close(SECONDS)
    return parts


if __name__ == "__main__":
    main()
