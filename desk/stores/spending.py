"""What a conversation has taken of the desk on one day: its messages, and what its model calls cost.

Days are the desk's own. Costs are kept beside the turns, because more costs than what ends in a turn: a fold, a
turn that was stopped, a first try that failed.
"""

from __future__ import annotations

from decimal import Decimal

from desk.stores.turnlog import TurnLog


class Spending:
    """Counts by thread and day, in the turn log's own file."""

    def __init__(self, log: TurnLog) -> None:
        self._log = log
        self._database = log.database

    def add(self, thread: str, cost: Decimal) -> None:
        """Note what was spent on the thread just now. Nothing is kept of nothing, or of a thread that is gone."""
        if not cost:
            return
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO spending (thread, day, cost) SELECT id, ?, ? FROM threads WHERE id = ?",
                (self._today(), str(cost), thread),
            )

    def spent_today(self, thread: str) -> Decimal:
        """What the thread has cost today."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT cost FROM spending WHERE thread = ? AND day = ?", (thread, self._today())
            ).fetchall()
        return sum((Decimal(row["cost"]) for row in rows), Decimal(0))

    def turns_today(self, thread: str, before: int) -> int:
        """How many messages of the thread came in today, of those before number `before`."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT COUNT(*) AS turns FROM turns WHERE thread = ? AND turn < ? AND substr(created, 1, 10) = ?",
                (thread, before, self._today()),
            ).fetchone()
        return int(row["turns"])

    def _today(self) -> str:
        return self._log.clock.today().isoformat()
