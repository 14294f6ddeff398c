"""The hotels' databases: what they hold, and how they are made, in one transaction, on first run.

Each hotel has a file of its own, `<branch>.db`: rooms, bookings, house guide. Nothing in it names a guest.
Names and references stand in `guests.db`, which the query tools never open. That they are in another file
is the protection: an authorizer alone does not hide a column (SQLite 3.40 reads the column of a
`FULL JOIN … USING (surname)` without asking it).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

from desk.errors import StorageError
from desk.pack import Branch, Pack
from desk.pack_files import GuideSeed, Room, SeedBooking, read_bookings, read_guide, read_rooms

BUSY_SECONDS = 15.0  # how long a writer waits for another one; a booking takes a few milliseconds
GUESTS = "guests.db"

# Numbered steps; `user_version` records how many a file has. Add a step, never change one.
GUESTS_STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE main.guests (
            offer_id TEXT PRIMARY KEY, hotel TEXT NOT NULL, booking TEXT NOT NULL UNIQUE,
            reference TEXT NOT NULL UNIQUE, name TEXT NOT NULL, surname TEXT NOT NULL)""",
    ),
)
HOTEL_STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE hotel.rooms (
            room TEXT PRIMARY KEY, type TEXT NOT NULL, sleeps INTEGER NOT NULL CHECK (sleeps > 0),
            rate NUMERIC NOT NULL CHECK (rate >= 0))""",
        # Dates are ISO text with leading zeros, so that comparing texts compares dates.
        """CREATE TABLE hotel.bookings (
            id TEXT PRIMARY KEY, room TEXT NOT NULL REFERENCES rooms (room),
            arrival TEXT NOT NULL CHECK (arrival IS date(arrival)),
            departure TEXT NOT NULL CHECK (departure IS date(departure) AND departure > arrival),
            guests INTEGER CHECK (guests > 0), rate NUMERIC NOT NULL, total NUMERIC NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('booked', 'changed', 'cancelled')))""",
        "CREATE INDEX hotel.bookings_by_room ON bookings (room, arrival)",
        """CREATE TABLE hotel.guide (
            position INTEGER PRIMARY KEY, kind TEXT NOT NULL UNIQUE, details TEXT NOT NULL)""",
        """CREATE VIRTUAL TABLE hotel.guide_fts USING fts5 (
            kind, keywords, details, tokenize = 'porter unicode61 remove_diacritics 2')""",
        "CREATE TABLE hotel.about (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    ),
    (
        # A booking of several rooms has one row a room; `stay` is the same in all of them.
        "ALTER TABLE hotel.bookings ADD COLUMN stay TEXT NOT NULL DEFAULT ''",
        "UPDATE hotel.bookings SET stay = id",
        "CREATE INDEX hotel.bookings_by_stay ON bookings (stay)",
        # `offer_id` is a digest of the offer's id, which may hold the thread's; `before` names nobody.
        """CREATE TABLE hotel.changes (
            offer_id TEXT PRIMARY KEY, booking TEXT NOT NULL,
            action TEXT NOT NULL CHECK (action IN ('change', 'cancel')),
            before TEXT NOT NULL CHECK (json_valid(before)),
            fee NUMERIC NOT NULL CHECK (fee >= 0), at TEXT NOT NULL)""",
        "CREATE INDEX hotel.changes_by_booking ON changes (booking)",
    ),
)


def hotel_file(folder: Path, branch_id: str) -> Path:
    """Where the database of this branch stands."""
    return folder / f"{branch_id}.db"


def in_cents(amount: float) -> int:
    """A sum in cents, in which sums add up and compare exactly."""
    return round(amount * 100)


def from_cents(cents: int) -> int | float:
    """Cents as a sum in the main unit: 189 and 189.5."""
    return cents // 100 if cents % 100 == 0 else cents / 100


def stay_total(rate: float, nights: int) -> int | float:
    """What `nights` at `rate` cost, to the cent: 269.97 for three nights at 89.99."""
    return from_cents(in_cents(rate) * nights)


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's and the file system's failures into one StorageError that names the file."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StorageError(f"{path} cannot be used: {error}") from error


@contextmanager
def writer(folder: Path, branch_id: str) -> Iterator[sqlite3.Connection]:
    """A write transaction over `guests.db` (schema main) and the branch's file (schema hotel).

    Commits at the end, rolls back on any exception. Each file commits by itself, `guests.db` first. Only a
    new booking writes both: a crash between the two leaves a guest without a booking, whom nobody finds and
    whom the repeated booking of the same offer completes; never a room taken by nobody. A change and a
    cancellation write the hotel's file alone, so that they are whole or not at all.

    SQLite commits several files as one only with rollback journals, and then a reader that may not write
    fails after a crash until somebody writes (SQLITE_READONLY_ROLLBACK, tried on 3.40).
    """
    with closing(sqlite3.connect(folder / GUESTS, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("ATTACH ? AS hotel", (str(hotel_file(folder, branch_id)),))
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")  # not reached after an exception: closing then rolls everything back


def make_databases(folder: Path, pack: Pack, today: dt.date) -> None:
    """Make what is missing of the pack's databases; bookings count their days from `today`.

    Safe when several processes start at once and when one dies half-way: a file is either empty or whole.
    An edited house guide replaces the stored one. Raises DataError and StorageError.
    """
    seeds = [(branch, *_read_seed(branch)) for branch in pack.branches]
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for branch, rooms, bookings, guide in seeds:
            _use_wal(folder / GUESTS)
            _use_wal(hotel_file(folder, branch.id))
            with writer(folder, branch.id) as connection:
                _migrate(connection, "main", GUESTS_STEPS)
                if _migrate(connection, "hotel", HOTEL_STEPS) == 0:
                    _fill(connection, branch, rooms, bookings, today)
                _refresh_guide(connection, guide)


def _read_seed(branch: Branch) -> tuple[list[Room], list[SeedBooking], list[GuideSeed]]:
    rooms = read_rooms(branch.folder)
    return rooms, read_bookings(branch.folder, rooms, branch.prefix), read_guide(branch.folder)


def _use_wal(path: Path) -> None:
    """Switch a file to write-ahead logging: readers and a writer then do not wait for each other.

    The switch does not use SQLite's busy handler, so that two processes that start together need this loop.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
        while not _switched(connection, last_try=time.monotonic() > deadline):
            time.sleep(0.01)


def _switched(connection: sqlite3.Connection, *, last_try: bool) -> bool:
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if last_try or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def _migrate(connection: sqlite3.Connection, schema: str, steps: Sequence[Sequence[str]]) -> int:
    """Apply the steps that the file lacks; returns how many it had."""
    had = int(connection.execute(f"PRAGMA {schema}.user_version").fetchone()[0])
    if had > len(steps):
        raise StorageError("the hotels' databases were made by a newer version of the desk: update the desk")
    for step in steps[had:]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA {schema}.user_version = {len(steps)}")
    return had


def _fill(
    connection: sqlite3.Connection,
    branch: Branch,
    rooms: Sequence[Room],
    bookings: Sequence[SeedBooking],
    today: dt.date,
) -> None:
    connection.execute("INSERT INTO hotel.about VALUES ('first_day', ?)", (today.isoformat(),))
    connection.executemany(
        "INSERT INTO hotel.rooms VALUES (?, ?, ?, ?)",
        [(room.room, room.type, room.sleeps, room.rate) for room in rooms],
    )
    rates = {room.room: room.rate for room in rooms}
    for number, seed in enumerate(bookings, 1):
        booking_id = f"pack-{branch.id}-{number}"
        arrival = today + dt.timedelta(days=seed.from_day)
        departure = today + dt.timedelta(days=seed.to_day)
        rate = rates[seed.room]
        total = stay_total(rate, seed.to_day - seed.from_day)
        connection.execute(
            """INSERT INTO hotel.bookings (id, stay, room, arrival, departure, guests, rate, total, status)
                VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'booked')""",
            (booking_id, seed.room, arrival.isoformat(), departure.isoformat(), seed.guests, rate, total),
        )
        if seed.reference:  # OR REPLACE: a crash may have left the guest of a hotel that was not made
            connection.execute(
                "INSERT OR REPLACE INTO main.guests VALUES (?, ?, ?, ?, ?, ?)",
                (booking_id, branch.id, booking_id, seed.reference, seed.name, seed.surname),
            )


def _refresh_guide(connection: sqlite3.Connection, guide: Sequence[GuideSeed]) -> None:
    """Store the guide when it is not the one already stored."""
    rows = [(entry.kind, entry.keywords, json.dumps(entry.values, ensure_ascii=False)) for entry in guide]
    digest = hashlib.sha256(repr(rows).encode()).hexdigest()
    stored = connection.execute("SELECT value FROM hotel.about WHERE key = 'guide'").fetchone()
    if stored and stored[0] == digest:
        return
    connection.execute("DELETE FROM hotel.guide")
    connection.execute("DELETE FROM hotel.guide_fts")
    for position, (kind, keywords, details) in enumerate(rows, 1):
        connection.execute("INSERT INTO hotel.guide VALUES (?, ?, ?)", (position, kind, details))
        words = " ".join(value for value in guide[position - 1].values.values() if isinstance(value, str))
        connection.execute(
            "INSERT INTO hotel.guide_fts (rowid, kind, keywords, details) VALUES (?, ?, ?, ?)",
            (position, _spellings(kind), keywords, words),
        )
    connection.execute("INSERT OR REPLACE INTO hotel.about VALUES ('guide', ?)", (digest,))


def _spellings(kind: str) -> str:
    """The words of a kind, apart and in pairs, as guests write either: "check out checkout"."""
    words = kind.split("_")
    return " ".join([*words, *(first + second for first, second in pairwise(words))])
