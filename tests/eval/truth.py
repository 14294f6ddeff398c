"""Whether what a turn stated is so: each fact against the rows of the databases.

A fact is true, false, or nothing that is stored here (what the web said, why a date cannot be read).
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.eval.comparing import miscompared
from tests.eval.stored import Record, Row, Stored, free

Fact = Mapping[str, Any]
Turn = Mapping[str, Any]
PLACES = Path(__file__).resolve().parents[2] / "data" / "hotels" / "neighbourhood.toml"


@dataclass(frozen=True)
class Verdict:
    """What came of one stated fact: `why` says what is wrong; not `checked` when nothing stored tells."""

    kind: str
    checked: bool = True
    why: str | None = None


def verdicts(turns: Sequence[Turn], record: Record, stored: Stored, today: str) -> list[Verdict]:
    """What came of each fact that the last of these turns stated."""
    return [_verdict(fact, turns, record, stored, today) for fact in turns[-1]["facts"]]


def _verdict(fact: Fact, turns: Sequence[Turn], record: Record, stored: Stored, today: str) -> Verdict:
    kind = fact["kind"]
    if fact["recalled"]:  # what was true when it was said need not be so any more
        ever = any(_said_before(fact, earlier) for turn in turns[:-1] for earlier in turn["facts"])
        return Verdict(kind, why=None if ever else "was never stated before")
    if kind in _CHECKS:
        why = _CHECKS[kind](fact, record, stored)
        return Verdict(kind, why=why or miscompared(fact, turns, record, stored, today))
    if kind == "said":
        return Verdict(kind, why=None if _wrote(fact, turns) else "the guest never wrote this")
    if kind == "date_problem" and fact["status"] in _DATES:
        return Verdict(
            kind, why=None if _DATES[fact["status"]](fact, today) else "these dates have no problem"
        )
    return Verdict(kind, checked=False)


def false_offer(turn: Turn, record: Record, stored: Stored) -> str | None:
    """Why the offer that stands after the turn is not one that the rows allow, or None."""
    if turn["offer"] is None:
        return None
    why: str | None = _offer(turn["offer"], record, stored)
    return why


def _said_before(fact: Fact, earlier: Fact) -> bool:
    loose = ("id", "turn", "source", "recalled")
    return all(fact[key] == earlier[key] for key in fact if key not in loose)


def _wrote(fact: Fact, turns: Sequence[Turn]) -> bool:
    return any(turn["text"] == fact["values"]["text"] for turn in turns[:-1])


_DATES: Mapping[str, Any] = {
    "past": lambda fact, today: fact["arrival"] is None or fact["arrival"] < today[: len("2026-12-01")],
    "departure_first": lambda fact, today: (fact["departure"] or "") <= (fact["arrival"] or ""),
}


# One check a kind: why the fact is not so, or None.


def _priced(fact: Fact, record: Record, stored: Stored) -> str | None:
    """Room, type, size, rate and total of a fact, or of each of its rooms."""
    nights = _nights(fact)
    if fact["nights"] not in (None, nights):
        return f"these are {nights} nights"
    for room in fact["rooms"] or [fact]:
        rows = stored.rooms(fact["hotel"], room=room["room"])
        if not rows:
            return f"there is no room {room['room']}"
        if room["type"] != rows[0]["type"] or room["rate"] != rows[0]["rate"]:
            return f"room {room['room']} is {rows[0]['type']} at {rows[0]['rate']}"
        if room.get("sleeps") not in (None, rows[0]["sleeps"]):
            return f"room {room['room']} sleeps {rows[0]['sleeps']}"
        if room["total"] is not None and round(room["total"] - room["rate"] * nights, 2):
            return f"room {room['room']} costs {room['rate'] * nights}"
    if fact["rooms"] and round(sum(room["total"] for room in fact["rooms"]) - fact["total"], 2):
        return "the total is not the sum of its rooms"
    return None


def _nights(fact: Fact) -> int:
    """The nights from arrival to departure; 0 for a fact without days, such as a rate."""
    if not (fact["arrival"] and fact["departure"]):
        return 0
    return (dt.date.fromisoformat(fact["departure"]) - dt.date.fromisoformat(fact["arrival"])).days


def _is_free(fact: Fact, room: str, record: Record) -> bool:
    """Whether the room was free before the turn; a guest's own booking does not stand in its own way."""
    return free(record.before, fact["hotel"], room, fact["arrival"], fact["departure"], fact["reference"])


def _room_free(fact: Fact, record: Record, stored: Stored) -> str | None:
    if not (fact["arrival"] and fact["departure"]):
        return "it does not say when"
    taken = [room["room"] for room in fact["rooms"] or [fact] if not _is_free(fact, room["room"], record)]
    return _priced(fact, record, stored) or (f"{taken} not free" if taken else None)


def _room_taken(fact: Fact, record: Record, stored: Stored) -> str | None:
    return "it is free" if _is_free(fact, fact["room"], record) else None


def _no_such_room(fact: Fact, record: Record, stored: Stored) -> str | None:
    return "there is such a room" if stored.rooms(fact["hotel"], room=fact["room"]) else None


def _none_free(fact: Fact, record: Record, stored: Stored) -> str | None:
    rooms = stored.rooms(fact["hotel"], **({"type": fact["type"]} if fact["type"] else {}))
    if fact["status"] == "no_such_type":
        return "there is such a type" if rooms else None
    fitting = [room for room in rooms if room["sleeps"] >= (fact["guests"] or 1)]
    if fact["status"] == "too_small":
        named = [room for room in fitting if fact["room"] in (None, room["room"])]
        return "one is large enough" if named else None
    can = [room for room in fitting if _is_free(fact, room["room"], record)]
    few = fact["values"].get("count", 1) if fact["status"] == "too_few" else 1
    return f"{[room['room'] for room in can]} are free" if len(can) >= few else None


def _guide(fact: Fact, record: Record, stored: Stored) -> str | None:
    held = stored.guide(fact["hotel"], fact["entry"])
    return None if held == fact["values"] else f"the house guide has {held}"


def _place(fact: Fact, record: Record, stored: Stored) -> str | None:
    held: Row = next((place for place in _places() if place["name"] == fact["values"].get("name")), {})
    same = all(held.get(key) == value for key, value in fact["values"].items())
    return None if held and same else "the neighbourhood guide says otherwise"


@cache
def _places() -> list[Row]:
    places: list[Row] = tomllib.loads(PLACES.read_text(encoding="utf-8"))["place"]
    return places


def _offer(fact: Fact, record: Record, stored: Stored) -> str | None:
    known = fact["reference"] is None or any(row["reference"] == fact["reference"] for row in record.before)
    if fact["action"] == "cancel":
        return None if known else "there is no such booking"
    return _room_free(fact, record, stored) if known else "there is no such booking"


def _booking(fact: Fact, record: Record, stored: Stored) -> str | None:
    """The rows that stand under the reference now are these rooms, nights and price."""
    rows = [row for row in record.after if row["reference"] == fact["reference"]]
    said = {
        (fact["hotel"], room["room"], fact["arrival"], fact["departure"]) for room in fact["rooms"] or [fact]
    }
    if said != {(row["hotel"], row["room"], row["arrival"], row["departure"]) for row in rows}:
        return "no such rows are stored"
    if (fact["status"] == "cancelled") != all(row["status"] == "cancelled" for row in rows):
        return f"it is stored as {rows[0]['status']}"
    asked = fact["total"]
    return None if asked is None or asked == sum(row["total"] for row in rows) else "another total is stored"


def _booking_failed(fact: Fact, record: Record, stored: Stored) -> str | None:
    return "something was written" if record.written else None


def _staff_request(fact: Fact, record: Record, stored: Stored) -> str | None:
    urgent = fact["status"] == "urgent"
    kinds = [row["kind"] for row in record.requests if bool(row["urgent"]) == urgent]
    return None if fact["values"]["kind"] in kinds else "no such request is stored"


_CHECKS: Mapping[str, Any] = {
    "room_free": _room_free,
    "nearest": _room_free,
    "room_rate": _priced,
    "room_taken": _room_taken,
    "no_such_room": _no_such_room,
    "none_free": _none_free,
    "guide": _guide,
    "place": _place,
    "offer": _offer,
    "booking": _booking,
    "stay": _booking,
    "booking_failed": _booking_failed,
    "staff_request": _staff_request,
}
