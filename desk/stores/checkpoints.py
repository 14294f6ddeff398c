"""LangGraph's own checkpoints, in `DESK_HOME/checkpoints.db`, kept to what the next turn needs.

LangGraph's SqliteSaver has no `prune`; without one a thread's file grows by every super-step of every turn,
and what was removed from the conversation stays readable in older rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from desk.stores.db import compact, connect, prepare_home, private_file, translated


class Checkpoints:
    """The saver that graphs are compiled with (`saver`), and what the desk does to its rows after a turn."""

    def __init__(self, path: Path, saver: SqliteSaver) -> None:
        self.path = path
        self.saver = saver

    def newest(self, thread: str) -> str | None:
        """The id of the thread's newest checkpoint; None when it has none."""
        with translated(self.path), self.saver.cursor(transaction=False) as cursor:
            cursor.execute(
                "SELECT MAX(checkpoint_id) FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ''",
                (thread,),
            )
            found = cursor.fetchone()[0]
        return None if found is None else str(found)

    def keep_last(self, thread: str) -> int:
        """Delete all of the thread but its newest checkpoint with that one's writes; returns how many went.

        For the beginning of a turn, when the one before it has been stored: the checkpoint that a turn began
        from must outlive the turn, which may be cut and run again. Checkpoints of subgraphs go
        too: they serve a turn that is under way. The kept one no longer names a parent, so channels that are
        stored as differences cannot be used.
        """
        newest = self.newest(thread)
        if newest is None:
            return 0
        with translated(self.path), self.saver.cursor() as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            gone = cursor.execute(
                "DELETE FROM checkpoints WHERE thread_id = ? AND (checkpoint_ns <> '' OR checkpoint_id < ?)",
                (thread, newest),
            ).rowcount
            cursor.execute(
                "DELETE FROM writes WHERE thread_id = ? AND (checkpoint_ns <> '' OR checkpoint_id < ?)",
                (thread, newest),
            )
            cursor.execute(
                "UPDATE checkpoints SET parent_checkpoint_id = NULL"
                " WHERE thread_id = ? AND checkpoint_id = ?",
                (thread, newest),
            )
        return gone

    def forget_since(self, thread: str, checkpoint: str | None) -> int:
        """Delete what was saved after `checkpoint`, or all of the thread for None; returns how many went.

        For a turn that was cut: it is run again from where it began. Checkpoint ids sort by their time. When
        `checkpoint` is there no more, nothing is deleted: what came after it is all that is left.
        """
        since = checkpoint or ""
        with translated(self.path), self.saver.cursor() as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            cursor.execute(
                "SELECT 1 FROM checkpoints WHERE thread_id = ? AND checkpoint_id = ?", (thread, since)
            )
            if since and cursor.fetchone() is None:
                return 0
            gone = cursor.execute(
                "DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_id > ?", (thread, since)
            ).rowcount
            cursor.execute("DELETE FROM writes WHERE thread_id = ? AND checkpoint_id > ?", (thread, since))
        return gone

    def forget(self, thread: str) -> None:
        """Delete all of the thread."""
        with translated(self.path):
            self.saver.delete_thread(thread)

    def compact(self) -> bool:
        """Rewrite the file without what was deleted; False when somebody is reading: run it again."""
        with translated(self.path), self.saver.lock:
            self.saver.conn.commit()
            return compact(self.saver.conn)

    def close(self) -> None:
        """Close the file, after the statement that is under way."""
        with self.saver.lock:
            self.saver.conn.close()


def open_checkpoints(home: Path, records: Sequence[type] = ()) -> Checkpoints:
    """Open `home/checkpoints.db`, made on first run. Raises StorageError.

    `records` are the desk's own classes that a graph's state may hold. With any given, reading a checkpoint
    makes no other classes than these and LangChain's own.
    """
    path = private_file(prepare_home(home) / "checkpoints.db")
    with translated(path):
        connection = connect(path)
        connection.row_factory = None  # LangGraph unpacks plain tuples,
        connection.isolation_level = "DEFERRED"  # and begins its transactions by the driver's guess
        serde = (
            JsonPlusSerializer(allowed_msgpack_modules=tuple(records)) if records else JsonPlusSerializer()
        )
        saver = SqliteSaver(connection, serde=serde)
        saver.setup()
    return Checkpoints(path, saver)
