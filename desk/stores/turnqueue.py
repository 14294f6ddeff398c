"""Who runs which turn: claims with a lease, on the turn log's own table.

A turn is claimed by one worker at a time, in order within its thread, whatever the number of processes on
the file. A worker renews its leases while it lives; when a lease has run out, another worker takes the turn
over and runs it again whole. What a worker writes after losing its turn is not taken.

`now` is always the machine's time in seconds: the desk's own clock may be fixed, and differs by process.
"""

# ruff: noqa: S608 - statements are put together from this file's own fixed texts

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from desk.records import StaffRequest
from desk.stores.turnlog import Status, TurnLog
from desk.turn import Turn

RESULT_BYTES = 256_000  # of one stored Turn; a usual one has 5 to 30 KB
_CUT_TEXTS = (4_000, 800, 100)  # characters that a branch's message keeps when the Turn is larger

Key = tuple[str, int]  # thread, turn

_OPEN = "status IN ('queued', 'running')"  # word for word as in the partial index, or SQLite scans the table

_FREE = f"""
    FROM turns AS t INDEXED BY open_turns
    WHERE t.{_OPEN} AND (t.status = 'queued' OR t.lease_until < :now)
    AND NOT EXISTS (
        SELECT 1 FROM turns AS other WHERE other.thread = t.thread AND other.{_OPEN}
        AND (other.turn < t.turn OR (other.turn > t.turn AND other.status = 'running')))
"""

_CLAIM = f"""
    UPDATE turns SET status = 'running', owner = :owner, lease_until = :until, attempt = attempt + 1
    WHERE id = (SELECT t.id {_FREE} ORDER BY t.id LIMIT 1)
    RETURNING *
"""


@dataclass(frozen=True)
class Claim:
    """A turn that a worker has taken. `id` is what logs may name; `attempt` counts from 1."""

    id: int
    thread: str
    turn: int
    text: str
    locale: str | None
    language: str | None
    guest: str | None
    action: str | None
    attempt: int
    stop: bool

    @property
    def key(self) -> Key:
        """Thread and number."""
        return (self.thread, self.turn)


@dataclass(frozen=True)
class Outcome:
    """How a turn ended. `stored` is the Turn as JSON, of a bounded size."""

    status: Status
    turn: Turn
    stored: str


def outcome(status: Status, turn: Turn) -> Outcome:
    """An Outcome; raises whatever is wrong with a Turn that cannot be written as JSON."""
    return Outcome(status, turn, to_stored(turn))


class TurnQueue:
    """The queue of one turn log, as one worker sees it. `owner` is unique to that worker."""

    def __init__(self, log: TurnLog, owner: str) -> None:
        self._log = log
        self._database = log.database
        self._owner = owner

    def waiting(self, now: float) -> bool:
        """Whether some turn can be claimed. Takes no lock."""
        with self._database.read() as connection:
            row = connection.execute(f"SELECT 1 {_FREE} LIMIT 1", {"now": now})
            return row.fetchone() is not None

    def claim(self, now: float, lease: float) -> Claim | None:
        """Take the oldest turn that is free, for `lease` seconds; None when there is none."""
        if not self.waiting(now):
            return None  # most looks find nothing: do not hold up the writers for them
        with self._database.write() as connection:
            row = connection.execute(
                _CLAIM, {"now": now, "until": now + lease, "owner": self._owner}
            ).fetchone()
            if row is None:
                return None
            thread = connection.execute("SELECT * FROM threads WHERE id = ?", (row["thread"],)).fetchone()
        return Claim(
            id=row["id"],
            thread=row["thread"],
            turn=row["turn"],
            text=row["text"],
            locale=row["locale"] or thread["locale"],
            language=thread["chosen"],
            guest=thread["guest"],
            action=row["action"],
            attempt=row["attempt"],
            stop=bool(row["stop"]),
        )

    def renew(self, keys: Collection[Key], now: float, lease: float) -> set[Key]:
        """Renew the leases of these turns; returns those that are no longer this worker's."""
        lost: set[Key] = set()
        with self._database.write() as connection:
            for thread, turn in keys:
                done = connection.execute(
                    "UPDATE turns SET lease_until = ? WHERE thread = ? AND turn = ? AND owner = ?"
                    " AND status = 'running'",
                    (now + lease, thread, turn, self._owner),
                )
                if done.rowcount == 0:
                    lost.add((thread, turn))
        return lost

    def release(self, keys: Collection[Key]) -> None:
        """Give up these turns before their leases run out, so that another worker need not wait."""
        with self._database.write() as connection:
            connection.executemany(
                "UPDATE turns SET lease_until = 0 WHERE thread = ? AND turn = ? AND owner = ?"
                " AND status = 'running'",
                [(thread, turn, self._owner) for thread, turn in keys],
            )

    def give_back(self, claim: Claim) -> None:
        """Queue the turn as it was before it was claimed: it could not be begun."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE turns SET status = 'queued', owner = NULL, lease_until = NULL, attempt = attempt - 1"
                " WHERE id = ? AND owner = ? AND attempt = ? AND status = 'running'",
                (claim.id, self._owner, claim.attempt),
            )

    def finish(self, claim: Claim, outcome: Outcome) -> bool:
        """Store how the turn ended and what went to staff. False when it is no longer this worker's."""
        turn = outcome.turn
        with self._database.write() as connection:
            done = connection.execute(
                "UPDATE turns SET status = ?, result = ?, owner = NULL, lease_until = NULL"
                " WHERE id = ? AND owner = ? AND attempt = ? AND status = 'running'",
                (outcome.status, outcome.stored, claim.id, self._owner, claim.attempt),
            )
            if done.rowcount == 0:
                return False
            if outcome.status == "done":
                connection.execute(
                    "UPDATE threads SET language = ? WHERE id = ?", (turn.language, claim.thread)
                )
            self._send_to_staff(connection, claim, turn.requests)
        return True

    def _send_to_staff(
        self, connection: sqlite3.Connection, claim: Claim, requests: Sequence[StaffRequest]
    ) -> None:
        """Store the requests, but those that a run before this one has sent: what was passed on stays so."""
        rows = connection.execute(
            "SELECT kind, MAX(urgent) AS urgent FROM requests WHERE thread = ? AND turn = ? GROUP BY kind",
            claim.key,
        )
        sent = {row["kind"]: bool(row["urgent"]) for row in rows}
        new = [r for r in requests if r.kind not in sent or (r.urgent and not sent[r.kind])]
        if not new:
            return
        created = self._log.now()
        connection.executemany(
            "INSERT INTO requests (thread, turn, created, kind, text, reason, urgent)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(*claim.key, created, r.kind, r.text, r.reason, r.urgent) for r in new],
        )
        connection.execute("UPDATE threads SET flag = ? WHERE id = ?", (new[0].reason, claim.thread))

    def ask_to_stop(self, thread: str, turn: int, answer: Turn) -> None:
        """Stop a turn: one that waits ends here with `answer`, one that runs is told to end."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE turns SET stop = 1, result = CASE status WHEN 'queued' THEN ? END,"
                " status = CASE status WHEN 'queued' THEN 'stopped' ELSE status END"
                f" WHERE thread = ? AND turn = ? AND {_OPEN}",
                (to_stored(answer), thread, turn),
            )

    def stops(self) -> set[Key]:
        """The turns of this worker that somebody, perhaps in another process, asked to stop."""
        with self._database.read() as connection:
            rows = connection.execute(
                f"SELECT thread, turn FROM turns WHERE {_OPEN} AND owner = ? AND stop = 1", (self._owner,)
            )
            return {(row["thread"], row["turn"]) for row in rows}

    def retry(self, thread: str, turn: int, now: float) -> bool:
        """Queue an interrupted or failed turn again; False when it is neither.

        Turns that were answered since then are part of the conversation it now begins from.
        """
        with self._database.write() as connection:
            done = connection.execute(
                "UPDATE turns SET status = 'queued', result = NULL, attempt = 0, stop = 0, queued_at = ?,"
                " base = CASE WHEN EXISTS (SELECT 1 FROM turns AS later WHERE later.thread = turns.thread"
                " AND later.turn > turns.turn AND later.status = 'done') THEN NULL ELSE base END"
                " WHERE thread = ? AND turn = ? AND status IN ('interrupted', 'failed')",
                (now, thread, turn),
            )
        return done.rowcount > 0

    def set_aside(self, before: float) -> int:
        """Mark as interrupted what nobody has worked on since `before`; returns how many turns that were.

        For the opening of a desk that was down for long: the guest has gone, and a confirmation would book
        now what they wanted then. The page offers to answer such a turn (`retry`).
        """
        with self._database.write() as connection:
            done = connection.execute(
                "UPDATE turns SET status = 'interrupted', owner = NULL, lease_until = NULL"
                f" WHERE {_OPEN} AND queued_at < :before AND COALESCE(lease_until, 0) < :before",
                {"before": before},
            )
        return done.rowcount


def to_stored(turn: Turn) -> str:
    """The Turn as JSON of at most RESULT_BYTES or so: when it is larger, its branches' messages are cut.

    ASCII JSON, because half of a surrogate pair in a model's answer cannot be written as UTF-8.
    """
    plain = turn.to_json()
    stored = json.dumps(plain)
    for limit in _CUT_TEXTS:
        if len(stored) <= RESULT_BYTES:
            break
        for branch in plain["branches"].values():
            branch["messages"] = [_cut(message, limit) for message in branch["messages"][-40:]]
        stored = json.dumps(plain)
    return stored


def _cut(message: dict[str, object], limit: int) -> dict[str, object]:
    text = str(message["text"])
    calls = message.get("tool_calls")
    too_long = calls is not None and len(json.dumps(calls)) > limit
    return {
        **message,
        "text": text if len(text) <= limit else f"{text[:limit]}…",
        "tool_calls": [] if too_long else calls,
    }
