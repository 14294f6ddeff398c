"""SQLite files under DESK_HOME: the folder, the connections, the numbered migrations.

Every store that keeps a file of its own goes through `Database`, so that the way of opening it, the wait for
another process's write, and the translation of SQLite's failures into StorageError stand in one place.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desk.errors import StorageError

BUSY_SECONDS = 10.0  # far above the longest write of the desk; only a stuck process is waited for this long
JOURNAL_BYTES = 4_000_000  # what the -wal file is cut back to; it grows without end otherwise
_WAL_TRIES = 100  # ... of 50 ms: SQLite does not wait by itself when two processes switch to WAL at once


def compact(connection: sqlite3.Connection) -> bool:
    """Rewrite a file without what was deleted from it, in the file and in its write-ahead log.

    False when another connection is reading, so that the log could not be emptied: then run it again. VACUUM
    alone reports success and leaves deleted text in the log.
    """
    connection.execute("VACUUM")
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return bool(busy == 0)


@dataclass(frozen=True)
class Migration:
    """One change of a file's schema. `number` counts from 1 without gaps; a released one is never edited."""

    number: int
    name: str
    statements: tuple[str, ...]


def prepare_home(home: Path) -> Path:
    """Make the desk's folder, readable by its owner alone, and return it as an absolute path.

    A folder that is already there keeps its mode (it is the operator's); the files in it are made 0600
    all the same. Raises StorageError, one line, when the folder cannot be made or written to.
    """
    home = home.absolute()
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = home / f".probe-{os.getpid()}-{threading.get_ident()}"
        os.close(os.open(probe, os.O_CREAT | os.O_WRONLY, 0o600))
        probe.unlink()
    except OSError as error:
        raise StorageError(f"DESK_HOME {home} cannot be written: {error.strerror}") from None
    return home


def private_file(path: Path) -> Path:
    """Make `path`, empty, with mode 0600, or give an existing file that mode.

    SQLite gives its -wal and -shm files the mode of the database. Raises StorageError.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except OSError as error:
        raise StorageError(f"{path} cannot be opened: {error.strerror}") from None
    return path


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's failures into StorageError: which file, and what. The one place that does."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a mistake in the desk's own code, not in the storage
    except sqlite3.OperationalError as error:
        hint = " (another process holds it)" if "locked" in str(error) else ""
        raise StorageError(f"{path} cannot be used: {error}{hint}") from error
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{path} cannot be read: {error}") from error


def connect(path: Path) -> sqlite3.Connection:
    """A connection in WAL mode that waits for other writers. It may be closed by another thread.

    `isolation_level` stays None: transactions are begun by name, never by the driver's guess.
    """
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.row_factory = sqlite3.Row
        _enter_wal(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"PRAGMA journal_size_limit={JOURNAL_BYTES}")
        connection.execute("PRAGMA foreign_keys=ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _enter_wal(connection: sqlite3.Connection) -> None:
    for _ in range(_WAL_TRIES):
        try:
            mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(0.05)
        else:
            if mode == "wal":
                return
            raise sqlite3.OperationalError("this file system does not allow SQLite's WAL mode")
    raise sqlite3.OperationalError("database is locked")


class _Handle:
    """One thread's connection. It closes itself when its thread has ended and nobody holds it any more."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.in_use = threading.RLock()

    def __del__(self) -> None:
        self.connection.close()


class Database:
    """One SQLite file with one connection a thread. Open it with `open_database`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._handles: weakref.WeakSet[_Handle] = weakref.WeakSet()
        self._guard = threading.Lock()
        # SQLite lets a writer that has to wait sleep longer and longer; within this process they queue instead.
        self._writing = threading.RLock()
        self._closed = False

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection, outside a transaction: each statement sees what is committed by then."""
        handle = self._handle()
        with handle.in_use, translated(self.path):
            self._refuse_when_closed()
            yield handle.connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One write transaction: all of the block is stored, or, when it raises, nothing.

        It takes the write lock at once. A transaction that reads first and writes later would fail without
        waiting when another process had written in between.
        """
        with self._writing, self.read() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def compact(self) -> bool:
        """See `compact`."""
        with self.read() as connection:
            return compact(connection)

    def close(self) -> None:
        """Close every thread's connection; one that is at work closes when its thread lets it go."""
        with self._guard:
            self._closed = True
            handles = list(self._handles)
        for handle in handles:
            if handle.in_use.acquire(timeout=1.0):
                handle.connection.close()
                handle.in_use.release()

    def _handle(self) -> _Handle:
        handle: _Handle | None = getattr(self._local, "handle", None)
        if handle is None or self._closed:
            with translated(self.path):
                handle = self._open()
        return handle

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise StorageError(f"{self.path} is closed")

    def _open(self) -> _Handle:
        with self._guard:
            self._refuse_when_closed()
            handle = self._local.handle = _Handle(connect(self.path))
            self._handles.add(handle)
            return handle


def open_database(path: Path, migrations: Sequence[Migration]) -> Database:
    """Open the file, making it when there is none, and bring its schema up to date.

    Two processes may do this at once: each migration is applied by one of them. Raises StorageError when
    the file is not a database, cannot be written, or was made by a newer desk than this.
    """
    database = Database(private_file(path))
    try:
        _migrate(database, migrations)
    except BaseException:
        database.close()
        raise
    return database


def _migrate(database: Database, migrations: Sequence[Migration]) -> None:
    with database.write() as connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations"
            " (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
            " applied TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')))"
        )
        done = {row["number"] for row in connection.execute("SELECT number FROM migrations")}
        newest = max((migration.number for migration in migrations), default=0)
        if done and max(done) > newest:
            raise StorageError(
                f"{database.path} was made by a newer version of the desk (schema {max(done)})"
            )
        for migration in migrations:
            if migration.number in done:
                continue
            for statement in migration.statements:
                connection.execute(statement)
            connection.execute(
                "INSERT INTO migrations (number, name) VALUES (?, ?)", (migration.number, migration.name)
            )
