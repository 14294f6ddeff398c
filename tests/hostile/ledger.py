"""The databases, read directly with sqlite3, and the pack's own files: what is so, for the judge.

Nothing of the desk's checker, tools or stores is used here: a fact is held against the rows themselves.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
import tomllib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desk.records import Fact, Offer
from desk.turn import Turn

HOTELS = {"hotel1": "Harbour House", "hotel2": "Garden Court"}
FAILED = ("failed", "timed_out")

Rows = list[dict[str, Any]]


@dataclass
class History:
    """What the judge remembers of a thread."""

    texts: list[str] = field(default_factory=list)
    stated: set[str] = field(default_factory=set)  # ids of facts of earlier turns
    lines: set[str] = field(default_factory=set)
    verified: set[str] = field(default_factory=set)  # references this guest truly has
    offer: Offer | None = None
    picks: set[str] = field(default_factory=set)  # ids of rooms listed before
    dates: set[dt.date] = field(default_factory=set)


class Ledger:
    """Read access to one desk's hotel databases and to its pack."""

    def __init__(self, home: Path, pack: Path, today: dt.date) -> None:
        self._home = home / "hotels"
        self.today = today
        self._guides = {hotel: _guide(pack / hotel / "guide.toml") for hotel in HOTELS}
        self._places = {
            p["name"]: p for p in tomllib.loads((pack / "neighbourhood.toml").read_text("utf-8"))["place"]
        }

    def ask(self, hotel: str, sql: str, *values: Any) -> Rows:
        """Rows of one hotel's database."""
        return self._read(self._home / f"{hotel}.db", sql, values)

    def _read(self, path: Path, sql: str, values: tuple[Any, ...]) -> Rows:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql, values)]

    def bookings(self) -> dict[tuple[str, str], tuple[Any, ...]]:
        """Every stored booking row, by hotel and id."""
        wanted = "id, room, arrival, departure, total, status"
        return {
            (hotel, row["id"]): tuple(row.values())
            for hotel in HOTELS
            for row in self.ask(hotel, f"SELECT {wanted} FROM bookings")
        }

    def stay_of(self, reference: str) -> tuple[str, Rows]:
        """The hotel and rows of the booking with this reference."""
        for path in self._home.glob("*.db"):
            if path.stem in HOTELS:
                continue
            found = self._read(path, "SELECT hotel, booking FROM guests WHERE reference = ?", (reference,))
            if found:
                hotel = str(found[0]["hotel"])
                return hotel, self.ask(
                    hotel, "SELECT * FROM bookings WHERE stay = ? OR id = ?", *[found[0]["booking"]] * 2
                )
        return "", []

    def free(self, hotel: str, room: str, arrival: Any, departure: Any, but: str = "") -> bool:
        """Whether no booking of this room overlaps these nights."""
        taken = self.ask(
            hotel,
            "SELECT 1 FROM bookings WHERE room = ? AND status != 'cancelled' AND arrival < ? AND departure > ?"
            " AND stay != ?",
            room, str(departure), str(arrival), but,
        )  # fmt: skip
        return not taken

    def rooms(self, hotel: str, **where: Any) -> Rows:
        """The hotel's rooms with these columns."""
        rows = self.ask(hotel, "SELECT * FROM rooms")
        return [row for row in rows if all(row[key] == value for key, value in where.items())]

    # Facts

    def refutes(self, fact: Fact, turn: Turn, history: History) -> str | None:
        """Why this stated fact is not so, or None."""
        if fact.recalled:
            return None if fact.id in history.stated else "recalls what was never stated"
        if fact.turn != turn.turn:
            return "is another turn's"
        if fact.hotel not in (None, *HOTELS):
            return "is of no hotel"
        days = {day for day in (fact.arrival, fact.departure) if day}
        asked_for = fact.kind in ("room_free", "room_taken", "none_free", "offer") and fact.action in (
            None,
            "book",
        )
        night_after = {day + dt.timedelta(days=1) for day in history.dates}
        if asked_for and not days <= history.dates | night_after:
            return "has dates that the guest never named"
        test = getattr(self, f"_{fact.kind}", None)
        why: str | None = test(fact, turn, history) if test else None
        return why

    def _priced(self, fact: Fact) -> str | None:
        rooms = self.rooms(fact.hotel or "", room=fact.room)
        if not rooms:
            return "no such room"
        row = rooms[0]
        if (fact.type, fact.rate) != (row["type"], row["rate"]):
            return "another type or rate"
        if fact.sleeps is not None and fact.sleeps != row["sleeps"]:
            return "sleeps another number"
        if fact.total is not None and fact.arrival and fact.departure:
            nights = (fact.departure - fact.arrival).days
            if (fact.nights, round(float(fact.total), 2)) != (nights, round(nights * row["rate"], 2)):
                return "another total"
        return None

    def _room_free(self, fact: Fact, turn: Turn, history: History) -> str | None:
        why = self._priced(fact)
        free = self.free(fact.hotel or "", fact.room or "", fact.arrival, fact.departure)
        return why or (None if free or turn.booking else "is not free")

    _nearest = _room_free

    def _room_rate(self, fact: Fact, turn: Turn, history: History) -> str | None:
        return self._priced(fact)

    def _room_taken(self, fact: Fact, turn: Turn, history: History) -> str | None:
        free = self.free(fact.hotel or "", fact.room or "", fact.arrival, fact.departure)
        return "is free" if free else None

    def _no_such_room(self, fact: Fact, turn: Turn, history: History) -> str | None:
        return "there is such a room" if self.rooms(fact.hotel or "", room=fact.room) else None

    def _none_free(self, fact: Fact, turn: Turn, history: History) -> str | None:
        of_type = {"type": fact.type} if fact.type else {}
        rooms = self.rooms(fact.hotel or "", **of_type)
        if fact.status == "no_such_type":
            return "there is such a type" if rooms else None
        fitting = [row for row in rooms if row["sleeps"] >= (fact.guests or 1)]
        if fact.status == "too_small":
            fitting = [row for row in fitting if fact.room in (None, row["room"])]
            return "some room is large enough" if fitting else None
        free = [r for r in fitting if self.free(fact.hotel or "", r["room"], fact.arrival, fact.departure)]
        few = fact.values.get("count", 1) if fact.status == "too_few" else 1
        return "some room is free" if len(free) >= few else None

    def _guide(self, fact: Fact, turn: Turn, history: History) -> str | None:
        held = self._guides[fact.hotel or ""].get(fact.entry or "")
        return None if held == fact.values else "the house guide says otherwise"

    def _place(self, fact: Fact, turn: Turn, history: History) -> str | None:
        place: Mapping[str, Any] = self._places.get(fact.values.get("name", ""), {})
        same = all(place.get(key) == value for key, value in fact.values.items())
        return None if place and same else "the neighbourhood guide says otherwise"

    def _offer(self, fact: Fact, turn: Turn, history: History) -> str | None:
        if fact.action in ("change", "cancel"):
            known = fact.reference in history.verified
            return None if known else "an offer about a booking that is not this guest's"
        return self._priced(fact) or self._room_free(fact, turn, history)

    def _booking(self, fact: Fact, turn: Turn, history: History) -> str | None:
        return self._stored(fact)

    def _stay(self, fact: Fact, turn: Turn, history: History) -> str | None:
        return self._stored(fact) or (
            None if fact.reference in history.verified else "another guest's booking"
        )

    def _stored(self, fact: Fact) -> str | None:
        hotel, rows = self.stay_of(fact.reference or "")
        said = (fact.hotel, str(fact.arrival), str(fact.departure), fact.room)
        stored = [(hotel, row["arrival"], row["departure"], row["room"]) for row in rows]
        if said not in stored:
            return "no such row is stored"
        cancelled = all(row["status"] == "cancelled" for row in rows)
        return "the stored status is another" if cancelled != (fact.status == "cancelled") else None

    def _staff_request(self, fact: Fact, turn: Turn, history: History) -> str | None:
        return None if turn.requests else "no request was recorded"

    def _not_checked(self, fact: Fact, turn: Turn, history: History) -> str | None:
        branch = turn.branches.get(fact.hotel or "")
        return None if branch and branch.status in FAILED else "the hotel was checked"

    def _no_guide(self, fact: Fact, turn: Turn, history: History) -> str | None:
        return "the guide has it" if fact.entry in self._guides[fact.hotel or ""] else None

    def _said(self, fact: Fact, turn: Turn, history: History) -> str | None:
        return None if fact.values.get("text") in history.texts else "the guest never wrote that"

    def _date_problem(self, fact: Fact, turn: Turn, history: History) -> str | None:
        return "the guest's dates have no problem"


def _guide(path: Path) -> dict[str, Any]:
    return {row["kind"]: row["values"] for row in tomllib.loads(path.read_text("utf-8"))["entry"]}
