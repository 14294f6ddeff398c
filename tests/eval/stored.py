"""What is stored: the rows of the hotels' databases and of the turn log, read with sqlite3 alone.

Nothing of the desk's own stores, tools or checker is used here, so that what the desk claims can be held against
what it wrote.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Record:
    """What is stored of one turn: the bookings before and after it, and what it sent to the hotels' people."""

    before: tuple[Row, ...] = ()
    after: tuple[Row, ...] = ()
    requests: tuple[Row, ...] = ()

    @property
    def written(self) -> list[Row]:
        """The bookings that this turn made or altered, as they are now; one that is gone counts as altered."""
        kept = [row for row in self.before if row not in self.after]
        new = [row for row in self.after if row not in self.before]
        ids = {(row["hotel"], row["id"]) for row in new}
        return new + [row for row in kept if (row["hotel"], row["id"]) not in ids]


@dataclass(frozen=True)
class Stored:
    """The files of one desk's home."""

    home: Path
    _fixed: dict[str, Any] = field(default_factory=dict, repr=False)  # what no turn changes, read once

    def record(self, before: tuple[Row, ...], thread: str, turn: int) -> Record:
        """What is stored of this turn, now that it has ended."""
        sql = "SELECT kind, urgent FROM requests WHERE thread = ? AND turn = ? ORDER BY id"
        return Record(before, self.bookings(), tuple(_read(self.home / "desk.db", sql, thread, turn)))

    def bookings(self) -> tuple[Row, ...]:
        """Every row of every hotel's bookings, with its hotel, and the reference and surname it is under."""
        guests = {
            row["booking"]: row for row in _read(self.home / "hotels" / "guests.db", "SELECT * FROM guests")
        }
        rows = []
        for path in self._hotels():
            for row in _read(path, "SELECT * FROM bookings ORDER BY id"):
                guest = guests.get(row["stay"], {})
                named = {"reference": guest.get("reference"), "surname": guest.get("surname")}
                rows.append({**row, **named, "hotel": path.stem})
        return tuple(rows)

    def rooms(self, hotel: str | None, **where: Any) -> list[Row]:
        """The hotel's rooms with these columns; of every hotel when None."""
        rows: list[Row] = self._once("rooms", "SELECT * FROM rooms")
        return [
            row
            for row in rows
            if hotel in (None, row["hotel"]) and all(row[key] == value for key, value in where.items())
        ]

    def guide(self, hotel: str, kind: str) -> Any:
        """The values of this entry of the hotel's guide, or None when it has none."""
        rows = self._once("guide", "SELECT * FROM guide")
        found = [row["details"] for row in rows if (row["hotel"], row["kind"]) == (hotel, kind)]
        return json.loads(found[0]) if found else None

    def hotels(self) -> list[str]:
        """The hotels that have a file."""
        return [path.stem for path in self._hotels()]

    def _once(self, key: str, sql: str) -> list[Row]:
        if key not in self._fixed:
            rows = [{**row, "hotel": path.stem} for path in self._hotels() for row in _read(path, sql)]
            self._fixed[key] = rows
        found: list[Row] = self._fixed[key]
        return found

    def _hotels(self) -> list[Path]:
        return [path for path in sorted((self.home / "hotels").glob("*.db")) if path.stem != "guests"]


def _read(path: Path, sql: str, *values: Any) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql, values)]


def free(
    bookings: tuple[Row, ...], hotel: str, room: str, arrival: str, departure: str, but: str | None = None
) -> bool:
    """Whether no booking of this room overlaps these nights, that with the reference `but` left out."""
    return not any(
        (row["hotel"], row["room"]) == (hotel, room)
        and row["status"] != "cancelled"
        and row["arrival"] < departure
        and arrival < row["departure"]
        and (but is None or row["reference"] != but)
        for row in bookings
    )
