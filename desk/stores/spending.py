"""What a conversation has taken of the desk on one day: its runs, and what its model calls cost.

Days are the desk's own. Both are kept beside the turns, because more is run and costs than what ends in a turn: a
fold, a turn that was stopped, a try that failed and was asked for again.
"""

from __future__ import annotations

from decimal import Decimal

from desk.stores.turnlog import TurnLog

_RUN = "0"  # the cost of the row that stands for a run; no other row costs nothing


class Spending:
    """Counts by thread and day, in the turn log's own file. Nothing is kept of a thread that is gone."""

    def __init__(self, log: TurnLog) -> None:
        self._log = log
        self._database = log.database

    def add(self, thread: str, cost: Decimal) -> None:
        """Note what was spent on the thread just now, if it was anything."""
        if cost:
            self._note(thread, str(cost))

    def begin_run(self, thread: str) -> None:
        """Note that a turn of the thread is about to run, be it for the first time or again."""
        self._note(thread, _RUN)

    def _note(self, thread: str, cost: str) -> None:
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO spending (thread, day, cost) SELECT id, ?, ? FROM threads WHERE id = ?",
                (self._today(), cost, thread),
            )

    def spent_today(self, thread: str) -> Decimal:
        """What the thread has cost today."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT cost FROM spending WHERE thread = ? AND day = ?", (thread, self._today())
            ).fetchall()
        return sum((Decimal(row["cost"]) for row in rows), Decimal(0))

    def runs_today(self, thread: str) -> int:
        """How often a turn of the thread was run today."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT COUNT(*) AS runs FROM spending WHERE thread = ? AND day = ? AND cost = ?",
                (thread, self._today(), _RUN),
            ).fetchone()
        return int(row["runs"])

    def _today(self) -> str:
        return self._log.clock.today().isoformat()
