"""Running SQL that a model wrote, on a database that it can only read: the engine sees to it, not the text.

- The file is opened read-only and `query_only` is set.
- An authorizer lets through reads of this one file, functions, and the one pragma that FTS5 itself uses.
  ATTACH, VACUUM INTO, every other pragma, transactions, temporary and virtual tables are refused by it.
- Run-time limits bound a value, the statement and its parts; a progress handler bounds steps and seconds.
- Rows and characters that come back are bounded.

What must not be read is not in the file at all (hotel_schema.py says why).
"""

from __future__ import annotations

import datetime as dt
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from desk.errors import StorageError, ToolRefused
from desk.stores.sql_clock import clock_set

READ_SECONDS = 5.0  # how long a reader waits for a lock; with write-ahead logging it hardly ever does
MAX_SECONDS = 1.0  # the desk's own queries take about a millisecond
MAX_STEPS = 2_000_000  # virtual machine steps, so that a loop ends the same way on a fast and a slow machine
STEPS_BETWEEN_CHECKS = 200
MAX_CHARACTERS = 20_000  # of one answer; about what a model can take in one tool message

# A value of 10,000 bytes is far above any the hotels store. With a million values a second, a sort can put
# some hundred megabytes into SQLite's temporary file before the time limit; a larger limit would allow more.
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 10_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 5_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 50,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 10,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 16,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 9,  # FTS5's own statements have some
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
# Tried on SQLite 3.40: the JSON aggregates build their text past SQLITE_LIMIT_LENGTH (400 MB in one second),
# and printf('%.*c', 900000000, 'x') counts to the end within one step, so that no progress handler stops it.
REFUSED_FUNCTIONS = {
    "load_extension",
    "fts3_tokenizer",
    "json_group_array",
    "json_group_object",
    "printf",
    "format",
}
READ_ACTIONS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE}
OUR_FAULT = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_NOMEM,
}
ONE_SELECT = "send exactly one SELECT statement, without placeholders"
NO_CLOCK = "there is no clock here: write the date as 'YYYY-MM-DD'"
ONLY_READING = "only reading this hotel's tables is allowed"
TOO_LONG = "the query takes too long: ask for less"
TOO_BIG = "the answer is too large: ask for less"


class Rows(list[dict[str, Any]]):
    """The rows of an answer by column name; `cut` says that there were more than were asked for."""

    cut: bool = False


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection to `path`, for the desk's own queries, closed at the end.

    One for each use: nothing is shared between threads, and no reader stays open. Raises StorageError.
    """
    try:
        with closing(_open(path)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise StorageError(f"{path} cannot be read: {error}") from error


def run_query(path: Path, sql: str, *, fts_table: str, max_rows: int, now: dt.datetime | None) -> Rows:
    """Run one SELECT that a model wrote; at most `max_rows` rows come back.

    `fts_table` is the full-text table that must work under the guard, `now` what SQL's 'now' means.
    Raises ToolRefused, in words for the model, for anything but one affordable SELECT, and StorageError when
    the database itself fails.
    """
    with reading(path) as connection, clock_set(connection, now):
        _guard(connection, fts_table)
        try:
            return _fetch(connection.execute(sql), max_rows)
        except (sqlite3.Warning, sqlite3.ProgrammingError, ValueError):
            # a second statement (3.11: either of the first two), a placeholder, a NUL, half a character
            raise ToolRefused(ONE_SELECT) from None
        except sqlite3.Error as error:
            raise _translated(error, path) from error


def _open(path: Path) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, timeout=READ_SECONDS, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA query_only = ON")
    return connection


def _guard(connection: sqlite3.Connection, fts_table: str) -> None:
    # FTS5 declares its table when it is first used, which the authorizer would refuse: use it once before.
    prime = f"SELECT rowid FROM {fts_table} WHERE {fts_table} MATCH 'a' LIMIT 1"  # noqa: S608  the desk's own name
    connection.execute(prime).fetchall()
    for limit, value in LIMITS.items():
        connection.setlimit(limit, value)
    connection.set_progress_handler(_Meter(), STEPS_BETWEEN_CHECKS)
    connection.set_authorizer(_authorize)


class _Meter:
    """Counts steps and seconds; answers True, which interrupts the query, when one of them is used up."""

    def __init__(self) -> None:
        self.steps = 0
        self.deadline = time.monotonic() + MAX_SECONDS

    def __call__(self) -> bool:
        self.steps += STEPS_BETWEEN_CHECKS
        return self.steps > MAX_STEPS or time.monotonic() > self.deadline


def _authorize(
    action: int, first: str | None, second: str | None, schema: str | None, _view: str | None
) -> int:
    if action in READ_ACTIONS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_READ:  # no schema: a common table expression, or no column is read
        return sqlite3.SQLITE_OK if schema in (None, "main") else sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION:
        refused = (second or "").lower() in REFUSED_FUNCTIONS
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and first == "data_version" and second is None:
        return sqlite3.SQLITE_OK  # FTS5 asks for it at each query; it tells only whether the file has changed
    return sqlite3.SQLITE_DENY


def _fetch(cursor: sqlite3.Cursor, max_rows: int) -> Rows:
    if cursor.description is None:
        raise ToolRefused(ONE_SELECT)
    names = _distinct([column[0] for column in cursor.description])
    rows, characters = Rows(), 0
    for row in cursor:
        if len(rows) == max_rows:
            rows.cut = True
            break
        values = [f"<{len(value)} bytes>" if isinstance(value, bytes) else value for value in row]
        characters += sum(len(str(value)) for value in values) + sum(map(len, names))
        if characters > MAX_CHARACTERS:
            raise ToolRefused(TOO_BIG)
        rows.append(dict(zip(names, values, strict=True)))
    return rows


def _distinct(names: Sequence[str]) -> list[str]:
    """Column names with a number where one comes twice, so that no column hides another."""
    made: list[str] = []
    for name in names:
        fresh, number = name, 1
        while fresh in made:
            number += 1
            fresh = f"{name}_{number}"
        made.append(fresh)
    return made


def _translated(error: sqlite3.Error, path: Path) -> StorageError | ToolRefused:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in OUR_FAULT:
        return StorageError(f"{path} cannot be read: {error}")
    if code in (sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY) or "prohibited" in str(error):
        return ToolRefused(ONLY_READING)
    if code == sqlite3.SQLITE_INTERRUPT:
        return ToolRefused(TOO_LONG)
    if code == sqlite3.SQLITE_TOOBIG:
        return ToolRefused(TOO_BIG)
    if "user-defined function" in str(error):
        return ToolRefused(NO_CLOCK)
    return ToolRefused(f"the query does not work: {error}")
