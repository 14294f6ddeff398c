"""SQLite's date functions with the desk's clock in place of the machine's.

A query that a model wrote may say `date('now')`. With DESK_TODAY set, and in the hotels' own time zone, that
has to be the desk's day; so the functions that know "now" are replaced on the connection that runs it.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

Value = str | int | float | bytes | None

# How many arguments come before the time value, without which the function means now.
DATE_FUNCTIONS = {"date": 0, "time": 0, "datetime": 0, "julianday": 0, "unixepoch": 0, "strftime": 1}
CURRENT = {"current_date": "date", "current_time": "time", "current_timestamp": "datetime"}


@contextmanager
def clock_set(connection: sqlite3.Connection, now: dt.datetime | None) -> Iterator[None]:
    """Make the connection's date functions take `now` for now; without one, asking for now is an error."""
    said = now.replace(tzinfo=None).isoformat(" ", "seconds") if now else None
    with closing(sqlite3.connect(":memory:")) as plain:
        for name, before in DATE_FUNCTIONS.items():
            answer = partial(_call, plain, name, before, said)
            connection.create_function(name, -1, answer, deterministic=True)
        for name, function in CURRENT.items():
            current: Callable[[], Value] = partial(_call, plain, function, 0, said)
            connection.create_function(name, 0, current, deterministic=True)
        yield


def _call(plain: sqlite3.Connection, name: str, before: int, now: str | None, *arguments: Value) -> Value:
    given = list(arguments)
    if len(given) == before:
        given.append("now")
    for position, argument in enumerate(given):
        if isinstance(argument, str) and argument.strip().lower() == "now":
            if now is None:
                raise ValueError("no clock")
            given[position] = now
    places = ", ".join("?" * len(given))
    value: Value = plain.execute(f"SELECT {name}({places})", given).fetchone()[0]
    return value
