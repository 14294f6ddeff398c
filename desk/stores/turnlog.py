"""The turn log: every thread and turn, written before the graph runs, so that a crash loses nothing.

The chat page draws from it; it stays whole whatever the graph folds away. `turnqueue.py` works on the same
file: who runs which turn. Times named `created` are the desk's; leases count the machine's seconds.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import secrets
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from desk.clock import Clock
from desk.errors import UnknownThread
from desk.reading.names import read_reference
from desk.records import StaffRequest
from desk.stores.db import Database, open_database, prepare_home
from desk.stores.turnlog_schema import MIGRATIONS
from desk.turn import Turn

Status = Literal["queued", "running", "done", "stopped", "failed", "interrupted"]
ENDED: tuple[Status, ...] = ("done", "stopped", "failed")

LARGEST_NUMBER = 2**63 - 1  # what a database's whole numbers go to
NO_SUCH_TURN = "this conversation has no such turn"
_THREAD_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


@dataclass(frozen=True)
class ThreadInfo:
    """What is kept of a thread beside its turns. `flagged` says why it needs a person, if it does."""

    id: str
    created: dt.datetime
    locale: str | None
    language: str | None
    chosen_language: str | None
    guest: str | None
    flagged: str | None
    turns: int


@dataclass(frozen=True)
class LoggedTurn:
    """One turn as the page shows it; `turn` is None until it has ended."""

    number: int
    text: str
    status: Status
    created: dt.datetime
    action: str | None
    turn: Turn | None


@dataclass(frozen=True)
class Fold:
    """A prepared fold, made after a reply went out and applied by a later turn. `turn` is its newest."""

    turn: int
    payload: dict[str, Any]


class TurnLog:
    """Threads and turns in one SQLite file. Safe across threads and processes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    # Threads

    def new_thread(self, locale: str | None = None) -> str:
        """Begin a thread; its id is 128 random bits, and is all that opens it."""
        thread = secrets.token_urlsafe(16)
        with self.database.write() as connection:
            connection.execute(
                "INSERT INTO threads (id, created, locale) VALUES (?, ?, ?)", (thread, self.now(), locale)
            )
        return thread

    def has_thread(self, thread: str) -> bool:
        """Whether this id opens a thread. Any text may be asked about."""
        if not _THREAD_ID.fullmatch(thread):
            return False
        with self.database.read() as connection:
            return connection.execute("SELECT 1 FROM threads WHERE id = ?", (thread,)).fetchone() is not None

    def thread(self, thread: str) -> ThreadInfo:
        """What is kept of the thread. Raises UnknownThread."""
        self.require(thread)
        with self.database.read() as connection:
            row = connection.execute(
                "SELECT *, (SELECT COUNT(*) FROM turns WHERE thread = threads.id) AS turns"
                " FROM threads WHERE id = ?",
                (thread,),
            ).fetchone()
        return ThreadInfo(
            id=row["id"],
            created=dt.datetime.fromisoformat(row["created"]),
            locale=row["locale"],
            language=row["language"],
            chosen_language=row["chosen"],
            guest=row["guest"],
            flagged=row["flag"],
            turns=row["turns"],
        )

    def choose_language(self, thread: str, code: str | None) -> None:
        """The guest's choice by hand; None gives it back to detection. Raises UnknownThread."""
        self._set("UPDATE threads SET chosen = ? WHERE id = ?", thread, code)

    def bind_guest(self, thread: str, guest: str | None) -> None:
        """Bind "REF:SURNAME" to the thread, unchecked, in place of an earlier binding. Raises UnknownThread.

        Every reference that a thread was ever bound to is kept beside it, for forgetting.
        """
        self._set("UPDATE threads SET guest = ? WHERE id = ?", thread, guest)
        reference = read_reference(guest or "")
        if reference:
            with self.database.write() as connection:
                connection.execute(
                    "INSERT OR IGNORE INTO thread_references (thread, reference) VALUES (?, ?)",
                    (thread, reference),
                )

    def flag(self, thread: str, reason: str | None) -> None:
        """Say why the thread needs a person, or None when it no longer does. Raises UnknownThread."""
        self._set("UPDATE threads SET flag = ? WHERE id = ?", thread, reason)

    def _set(self, statement: str, thread: str, value: str | None) -> None:
        self.require(thread)
        with self.database.write() as connection:
            connection.execute(statement, (value, thread))

    def require(self, thread: str) -> None:
        """Raise UnknownThread unless the id opens a thread."""
        if not self.has_thread(thread):
            raise UnknownThread("no conversation has this id")

    # Turns

    def add_turn(
        self,
        thread: str,
        text: str,
        queued_at: float,
        *,
        locale: str | None = None,
        action: str | None = None,
        key: str | None = None,
    ) -> int:
        """Write a guest message and queue it; returns its number in the thread.

        A `key` that the thread has seen returns the number of the message it came with, and writes
        nothing. `queued_at` is the machine's time in seconds. Raises UnknownThread.
        """
        self.require(thread)
        with self.database.write() as connection:
            seen = connection.execute(
                "SELECT turn FROM turns WHERE thread = ? AND key = ?", (thread, key)
            ).fetchone()
            if seen is not None:
                return int(seen["turn"])
            row = connection.execute(
                "INSERT INTO turns (thread, turn, key, text, locale, action, status, created, queued_at)"
                " SELECT :thread, COALESCE(MAX(turn), 0) + 1, :key, :text, :locale, :action,"
                " 'queued', :created, :queued_at FROM turns WHERE thread = :thread RETURNING turn",
                {
                    "thread": thread,
                    "key": key,
                    "text": text,
                    "locale": locale,
                    "action": action,
                    "created": self.now(),
                    "queued_at": queued_at,
                },
            ).fetchone()
            return int(row["turn"])

    def turn(self, thread: str, turn: int) -> LoggedTurn:
        """One turn. Raises UnknownThread, also when the thread has no such turn."""
        self.require(thread)
        if abs(turn) > LARGEST_NUMBER:
            raise UnknownThread(NO_SUCH_TURN)
        with self.database.read() as connection:
            row = connection.execute(
                "SELECT * FROM turns WHERE thread = ? AND turn = ?", (thread, turn)
            ).fetchone()
        if row is None:
            raise UnknownThread(NO_SUCH_TURN)
        return _logged(row)

    def turns(self, thread: str, after: int = 0) -> list[LoggedTurn]:
        """The thread's turns in order, those beyond number `after`. Raises UnknownThread."""
        self.require(thread)
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT * FROM turns WHERE thread = ? AND turn > ? ORDER BY turn", (thread, after)
            ).fetchall()
        return [_logged(row) for row in rows]

    def start_from(self, thread: str, turn: int, newest: str | None) -> str | None:
        """The checkpoint that the turn begins from: `newest` at its first run, the same one at any later run.

        A turn that was cut and is run again must not begin from what the cut run left behind.
        """
        with self.database.write() as connection:
            row = connection.execute(
                "UPDATE turns SET base = COALESCE(base, ?) WHERE thread = ? AND turn = ? RETURNING base",
                (newest or "", thread, turn),
            ).fetchone()
        return (row["base"] or None) if row is not None else newest

    # Forgetting

    def threads_of(self, reference: str) -> list[str]:
        """The threads that were ever bound to this booking reference, whatever its spelling."""
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT thread FROM thread_references WHERE reference = ?", (read_reference(reference),)
            ).fetchall()
        return [row["thread"] for row in rows]

    def delete_thread(self, thread: str) -> None:
        """Delete a thread with all its turns, requests and folds. A thread that is gone stays gone."""
        with self.database.write() as connection:
            connection.execute("DELETE FROM threads WHERE id = ?", (thread,))

    # What went to staff

    def requests(self, thread: str) -> list[StaffRequest]:
        """What the thread's turns sent to staff, in order. Raises UnknownThread."""
        self.require(thread)
        with self.database.read() as connection:
            rows = connection.execute(
                "SELECT kind, text, reason, urgent FROM requests WHERE thread = ? ORDER BY turn, id",
                (thread,),
            ).fetchall()
        return [
            StaffRequest(kind=r["kind"], text=r["text"], reason=r["reason"], urgent=bool(r["urgent"]))
            for r in rows
        ]

    # Folds

    def save_fold(self, thread: str, turn: int, payload: dict[str, Any]) -> None:
        """Keep a prepared fold, in place of an older one. A thread that is gone keeps nothing."""
        with self.database.write() as connection:
            connection.execute(
                "INSERT INTO folds (thread, turn, payload) SELECT id, ?, ? FROM threads WHERE id = ?"
                " ON CONFLICT (thread) DO UPDATE SET turn = excluded.turn, payload = excluded.payload"
                " WHERE excluded.turn >= folds.turn",
                (turn, json.dumps(payload), thread),
            )

    def fold(self, thread: str) -> Fold | None:
        """The prepared fold. It stays until dropped: a turn that is cut and run again finds it again."""
        with self.database.read() as connection:
            row = connection.execute("SELECT turn, payload FROM folds WHERE thread = ?", (thread,)).fetchone()
        return None if row is None else Fold(row["turn"], json.loads(row["payload"]))

    def drop_fold(self, thread: str, turn: int) -> None:
        """Drop the fold that takes in `turn` as its newest; one prepared since then stays."""
        with self.database.write() as connection:
            connection.execute("DELETE FROM folds WHERE thread = ? AND turn = ?", (thread, turn))

    def now(self) -> str:
        """The desk's time as it is stored: ISO with zone."""
        return self.clock.now().isoformat(timespec="milliseconds")


def open_turnlog(home: Path, clock: Clock) -> TurnLog:
    """Open `home/desk.db`, made on first run. Raises StorageError."""
    return TurnLog(open_database(prepare_home(home) / "desk.db", MIGRATIONS), clock)


def _logged(row: sqlite3.Row) -> LoggedTurn:
    status: Status = row["status"]
    assert status in get_args(Status)
    return LoggedTurn(
        number=row["turn"],
        text=row["text"],
        status=status,
        created=dt.datetime.fromisoformat(row["created"]),
        action=row["action"],
        turn=None if row["result"] is None else Turn.model_validate(json.loads(row["result"])),
    )
