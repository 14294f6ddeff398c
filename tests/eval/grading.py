"""Grades a turn against what a case expects, from the Turn object and the hotels' databases.

The checker of the desk is never asked: rooms, rates and bookings are looked up in the databases themselves.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Turn = Mapping[str, Any]
CANNOT = ("none_free", "room_taken", "no_such_room")


def grade(expect: Mapping[str, Any], turns: Sequence[Turn], home: Path, language: str) -> list[str]:
    """What is wrong with the last of these turns; empty when all that is expected holds."""
    turn = turns[-1]
    wrong = [f"problem: {turn['problem']}"] if turn.get("problem") else []
    wanted = {**expect, "language": expect.get("language", language)}
    for key, value in wanted.items():
        check = CHECKS.get(key)
        why = check(value, turn, turns) if check else None
        wrong += [f"{key}: {why}"] if why else []
    return wrong + false_facts(turn, home)


def _equal(path: str) -> Any:
    def check(value: Any, turn: Turn, turns: Sequence[Turn]) -> str | None:
        found: Any = turn
        for part in path.split("."):
            found = found[part]
        return None if found == value else f"{found!r} instead of {value!r}"

    return check


def _language(value: str, turn: Turn, turns: Sequence[Turn]) -> str | None:
    found = turn["language"].partition("-")[0]
    return None if found == value else f"{found} instead of {value}"


def _routes(value: Sequence[str], turn: Turn, turns: Sequence[Turn]) -> str | None:
    return None if set(turn["routes"]) == set(value) else f"{turn['routes']}"


def _polarity(value: float, turn: Turn, turns: Sequence[Turn]) -> str | None:
    found = turn["sentiment"]["polarity"]
    return None if abs(found - value) <= 0.005 else f"{found}"


def stands(text: str, reply: str) -> re.Match[str] | None:
    """Where `text` stands in the reply: as whole words, in any case; a number as a whole number."""
    digits = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in reply)
    return re.search(rf"(?<![\w]){re.escape(text)}(?![\w])", digits, re.IGNORECASE)


def _contains(value: Sequence[str], turn: Turn, turns: Sequence[Turn]) -> str | None:
    missing = [text for text in value if not stands(text, turn["reply"])]
    return f"{missing} not in the reply" if missing else None


def _excludes(value: Sequence[str], turn: Turn, turns: Sequence[Turn]) -> str | None:
    found = [text for text in value if stands(text, turn["reply"])]
    return f"{found} in the reply" if found else None


def _order(value: Sequence[str], turn: Turn, turns: Sequence[Turn]) -> str | None:
    places = [stands(text, turn["reply"]) for text in value]
    starts = [place.start() for place in places if place]
    return None if len(starts) == len(value) and starts == sorted(starts) else f"not in order {value}"


def _none_free(value: bool, turn: Turn, turns: Sequence[Turn]) -> str | None:
    kinds = [fact["kind"] for fact in turn["facts"]]
    says = any(kind in CANNOT for kind in kinds) and "room_free" not in kinds
    return None if says == value else f"the facts stated are {kinds}"


def _unavailable(value: Sequence[str], turn: Turn, turns: Sequence[Turn]) -> str | None:
    offered = [fact["room"] for fact in turn["facts"] if fact["kind"] in ("room_free", "offer")]
    wrong = [room for room in value if room in offered]
    return f"{wrong} offered" if wrong else None


def _offer(value: bool, turn: Turn, turns: Sequence[Turn]) -> str | None:
    return None if (turn["offer"] is not None) == value else f"offer {turn['offer']}"


def _booking(value: bool | None, turn: Turn, turns: Sequence[Turn]) -> str | None:
    booking = turn["booking"]
    if not value:
        return f"written: {booking}" if booking else None
    if not booking:
        return "nothing was written"
    return None if stands(booking["reference"], turn["reply"]) else "the reference is not in the reply"


def _folded(value: bool, turn: Turn, turns: Sequence[Turn]) -> str | None:
    return None if any(t["folded"] for t in turns) == value else "no turn has folded"


def _stated(kind: str, turn: Turn) -> list[Turn]:
    return [fact for fact in turn["facts"] if fact["kind"] == kind]


def _guide(value: Sequence[str], turn: Turn, turns: Sequence[Turn]) -> str | None:
    found = {fact["entry"] for fact in _stated("guide", turn)}
    return None if set(value) <= found else f"the guide entries stated are {sorted(found)}"


def _places(value: Sequence[str], turn: Turn, turns: Sequence[Turn]) -> str | None:
    found = {fact["values"].get("category") for fact in _stated("place", turn)}
    return None if found and found <= set(value) else f"the places stated are of {sorted(found)}"


def _states(value: Sequence[str], turn: Turn, turns: Sequence[Turn]) -> str | None:
    found = {fact["kind"] for fact in turn["facts"]}
    return None if found == set(value) else f"the facts stated are {sorted(found)}"


def _dates(value: str, turn: Turn, turns: Sequence[Turn]) -> str | None:
    found = [fact["status"] for fact in _stated("date_problem", turn)]
    return None if found == [value] else f"the problems stated with the dates are {found}"


def _request(value: str, turn: Turn, turns: Sequence[Turn]) -> str | None:
    found = [request["kind"] for request in turn["requests"]]
    return None if value in found else f"the requests to staff are {found}"


def _urgent(value: bool, turn: Turn, turns: Sequence[Turn]) -> str | None:
    found = any(request["urgent"] for request in turn["requests"])
    return None if found == value else f"urgent is {found}"


# The keys of a case's `expect`. Beside those of the cases that the desk was given: `guide` (entries of the house
# guide that are stated), `places` (places are stated, all of these categories), `states` (the kinds of facts
# stated, and no others), `dates` (the one problem stated with the dates), `request` and `urgent` (what went to staff).
CHECKS: Mapping[str, Any] = {
    "route": _equal("route"),
    "routes": _routes,
    "language": _language,
    "sentiment": _equal("sentiment.label"),
    "polarity": _polarity,
    "deescalate": _equal("sentiment.deescalate"),
    "tone": _equal("sentiment.tone"),
    "contains": _contains,
    "excludes": _excludes,
    "order": _order,
    "none_free": _none_free,
    "unavailable": _unavailable,
    "offer": _offer,
    "booking": _booking,
    "folded": _folded,
    "guide": _guide,
    "places": _places,
    "states": _states,
    "dates": _dates,
    "request": _request,
    "urgent": _urgent,
}


def false_facts(turn: Turn, home: Path) -> list[str]:
    """Facts stated in the reply that the hotels' databases contradict, and lines that stand in it twice."""
    lines = [line for line in turn["reply"].splitlines() if line]
    wrong = [f"said twice: {line}" for line in dict.fromkeys(lines) if lines.count(line) > 1]
    for fact in turn["facts"]:
        if fact.get("room") and fact["kind"] in ("room_free", "room_rate", "nearest", "offer", "booking"):
            wrong += _false_room(fact, home)
    if turn["booking"] and not _stored(turn["booking"], home):
        wrong.append(f"booked without a row: {turn['booking']['reference']}")
    return wrong


def _false_room(fact: Mapping[str, Any], home: Path) -> list[str]:
    row = _query(home, fact["hotel"], "SELECT type, rate FROM rooms WHERE room = ?", fact["room"])
    if not row:
        return [f"no such room: {fact['room']}"]
    kind, rate = row[0]
    wrong = [] if (kind, float(rate)) == (fact["type"], float(fact["rate"])) else [f"type or rate: {fact}"]
    if fact.get("total") is not None and float(fact["total"]) != float(rate) * fact["nights"]:
        wrong.append(f"total: {fact}")
    if fact["kind"] in ("room_free", "nearest") and not fact["recalled"]:
        sql = "SELECT 1 FROM bookings WHERE room = ? AND status <> 'cancelled' AND arrival < ? AND ? < departure"
        taken = _query(home, fact["hotel"], sql, fact["room"], fact["departure"], fact["arrival"])
        wrong += [f"not free: {fact}"] if taken else []
    return wrong


def _stored(booking: Mapping[str, Any], home: Path) -> bool:
    """Whether the reference leads to a stored row with this room and these dates."""
    ids = _query(home, "guests", "SELECT booking FROM guests WHERE reference = ?", booking["reference"])
    sql = "SELECT 1 FROM bookings WHERE id = ? AND room = ? AND arrival = ? AND departure = ?"
    keys = ("room", "arrival", "departure")
    return bool(ids) and bool(_query(home, booking["hotel"], sql, ids[0][0], *(booking[key] for key in keys)))


def _query(home: Path, hotel: str, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(f"file:{home}/hotels/{hotel}.db?mode=ro", uri=True)
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        connection.close()
