"""Whether what a turn says by comparing is so: the cheapest there is, nothing within the budget, the closest dates.

A room may be free at the rate that is told and yet not be the cheapest. So each such sentence is held against all
rooms that it could have named, as the databases have them. "Nothing within your budget" speaks of the type and hotel
that the sentence itself names; a superlative of those that the guest asked for; the closest dates of the hotel, type
and party that were asked, and are the closest as `HotelReader.nearest_free` says: of two days equally close the
earlier, of two rooms the cheaper, none before today.
"""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from tests.eval.replies import digits, names, value
from tests.eval.stored import Record, Row, Stored, free

Fact = Mapping[str, Any]
Turn = Mapping[str, Any]
PACK = Path(__file__).resolve().parents[2] / "data" / "hotels"
SUPERLATIVES = {  # as English and German replies say them: the column, and whether the best is the highest
    "most expensive|teuersten": ("rate", True),
    "cheapest|günstigsten": ("rate", False),
    "largest|größten": ("sleeps", True),
}
PARTIES = {"two": 2, "three": 3, "four": 4, "five": 5, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5}
_NUMBER = r"(\d+(?:[.,]\d+)*)"
_LIMIT = re.compile(
    rf"(?:€|\beur|\beuros?)\s?{_NUMBER}|{_NUMBER}\s?(?:€|euros?\b|eur\b)"
    rf"|(?:under|below|most|max\w*|than|budget|limit|unter|höchstens|als)(?: of| is| von| ist)? {_NUMBER}",
    re.IGNORECASE,
)
_IN_ALL = re.compile(
    r"\b(?:total|in all|altogether|whole|entire|insgesamt|ges?amt\w*|zusammen)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Scope:
    """The rooms that are compared: of these types and hotels (all when empty), for so many guests, up to a sum."""

    types: frozenset[str] = frozenset()
    hotels: frozenset[str] = frozenset()
    guests: int = 1
    most: float | None = None

    def rooms(self, fact: Fact, record: Record, stored: Stored) -> list[Row]:
        """Those of them that are free for the nights of the fact; all of them when it has none."""
        start, end = fact["arrival"], fact["departure"]
        return [
            room
            for room in stored.rooms(None)
            if (not self.types or room["type"] in self.types)
            and (not self.hotels or room["hotel"] in self.hotels)
            and room["sleeps"] >= self.guests
            and (self.most is None or room["rate"] <= self.most)
            and (not (start and end) or free(record.before, room["hotel"], room["room"], start, end))
        ]


def miscompared(fact: Fact, turns: Sequence[Turn], record: Record, stored: Stored, today: str) -> str | None:
    """Why the fact is not what its sentence makes of it by comparing, or None: it is, or nothing is compared."""
    if fact["kind"] == "nearest":
        return _not_nearest(fact, turns[-1], record, stored, today[: len("2026-12-01")])
    if fact["kind"] not in ("room_free", "room_rate") or fact["rooms"]:
        return None
    line = next((each for each in digits(turns[-1]["reply"]).splitlines() if names(each, fact["room"])), "")
    if fact["status"] == "over_budget":
        return _not_over_budget(fact, line, turns, record, stored)
    for words, (column, highest) in SUPERLATIVES.items():
        if re.search(rf"\b(?:{words})\b", line, re.IGNORECASE):
            scopes = _asked_for(fact, turns)
            found = [_beaten(fact, scope.rooms(fact, record, stored), column, highest) for scope in scopes]
            return None if None in found else found[0]
    return None


def _beaten(fact: Fact, rooms: Sequence[Row], column: str, highest: bool) -> str | None:
    """Which of these rooms has more, or less, than the fact's room; or that this is none of them."""
    own = [room for room in rooms if (room["hotel"], room["room"]) == (fact["hotel"], fact["room"])]
    if not own:
        return f"room {fact['room']} is not one of those that it is compared with"
    better = [
        room["room"]
        for room in rooms
        if (room[column] > own[0][column] if highest else room[column] < own[0][column])
    ]
    return (
        f"{better} have a {'higher' if highest else 'lower'} {column} than room {fact['room']}"
        if better
        else None
    )


def _not_over_budget(
    fact: Fact, line: str, turns: Sequence[Turn], record: Record, stored: Stored
) -> str | None:
    """Why it is not so that no such room is within the guest's budget and that this is the cheapest."""
    said = next((turn["text"] for turn in reversed(turns) if _LIMIT.search(turn["text"])), None)
    if said is None:
        return "the guest named no budget"
    (first, second, third), nights = _LIMIT.findall(said)[-1], 1
    if _IN_ALL.search(said) and fact["arrival"]:
        nights = (dt.date.fromisoformat(fact["departure"]) - dt.date.fromisoformat(fact["arrival"])).days
    budget = value(first or second or third)
    types, hotels = _named(line.partition(". ")[0])
    found: list[str | None] = []
    for guests in _parties(fact, turns):
        rooms = Scope(types, hotels, guests).rooms(fact, record, stored)
        within = [room["room"] for room in rooms if room["rate"] * nights <= budget]
        found.append(
            f"{within} are within {budget:g}" if within else _beaten(fact, rooms, "rate", highest=False)
        )
    return None if None in found else found[0]


def _asked_for(fact: Fact, turns: Sequence[Turn]) -> Iterator[Scope]:
    """What the guest may have asked the superlative of. What this message names counts; what an earlier one named
    may count still or not, and so may a sum that the guest wanted to keep to."""
    now, *earlier = [_named(turn["text"]) for turn in reversed(turns)]
    nothing: frozenset[str] = frozenset()
    kinds, places = (
        [now[at]] if now[at] else list(dict.fromkeys([nothing, *(named[at] for named in earlier)]))
        for at in (0, 1)
    )
    sums = [value("".join(found)) for turn in turns for found in _LIMIT.findall(turn["text"])]
    for types, hotels, guests, most in product(kinds, places, _parties(fact, turns), [None, *sums]):
        yield Scope(types, hotels, guests, most)


def _parties(fact: Fact, turns: Sequence[Turn]) -> list[int]:
    """How many the room was asked for. A rate does not say it: any number that the guest wrote may be it."""
    if fact["kind"] == "room_free":
        return [fact["guests"] or 1]
    words = [word for turn in turns for word in re.findall(r"\w+", digits(turn["text"]).casefold())]
    written = {PARTIES.get(word) or (int(word) if word.isdigit() else 1) for word in words}
    return sorted({1, *(number for number in written if number <= (fact["sleeps"] or 1))})


def _named(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The types and the hotels that a text names."""
    types, hotels = _names_of_pack()
    plain = text.casefold()

    def found(table: Mapping[str, Sequence[str]]) -> frozenset[str]:
        return frozenset(
            key for key, words in table.items() if any(re.search(rf"\b{re.escape(w)}", plain) for w in words)
        )

    return found(types), found(hotels)


@cache
def _names_of_pack() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Types and hotels of the pack, with all that they are called."""
    types: dict[str, list[str]] = {}
    for path in sorted(PACK.glob("languages/*/vocabulary.toml")):
        for key, words in tomllib.loads(path.read_text(encoding="utf-8"))["types"].items():
            types.setdefault(key, [key.casefold()]).extend(word.casefold() for word in words)
    branches = tomllib.loads((PACK / "pack.toml").read_text(encoding="utf-8"))["branch"]
    called = {each["id"]: [each["name"], *each["aliases"]] for each in branches}
    return types, {key: [word.casefold() for word in words] for key, words in called.items()}


def _not_nearest(fact: Fact, turn: Turn, record: Record, stored: Stored, today: str) -> str | None:
    """Why these are not the closest dates to those that were asked, or not the same dates."""
    if fact["status"] != "other_dates":
        days = {
            (other["arrival"], other["departure"])
            for other in turn["facts"]
            if other["arrival"] and other["kind"] != "nearest"
        }
        told = (fact["arrival"], fact["departure"])
        return "these are not the dates that were asked" if days and told not in days else None
    asked = [
        other
        for other in turn["facts"]
        if other["kind"] in ("room_taken", "none_free")
        and other["arrival"]
        and other["hotel"] == fact["hotel"]
    ]
    found = [_closer(fact, each, record, stored, today) for each in asked]
    if not found:
        return "nothing says which dates were asked"
    return None if None in found else found[0]


def _closer(fact: Fact, asked: Fact, record: Record, stored: Stored, today: str) -> str | None:
    """Which room is free on a day that is closer to the one asked, or is cheaper on the same day."""
    wanted, day = dt.date.fromisoformat(asked["arrival"]), dt.date.fromisoformat(fact["arrival"])
    stay = dt.date.fromisoformat(asked["departure"]) - wanted
    if dt.date.fromisoformat(fact["departure"]) - day != stay:
        return f"{stay.days} nights were asked"
    rooms = [
        room
        for room in sorted(stored.rooms(fact["hotel"]), key=lambda room: (room["rate"], room["room"]))
        if asked["type"] in (None, room["type"]) and room["sleeps"] >= (asked["guests"] or 1)
    ]
    if fact["room"] not in [room["room"] for room in rooms]:
        return f"room {fact['room']} is not what was asked"
    reach = abs(day - wanted).days
    days = sorted(
        (wanted + dt.timedelta(days=shift) for shift in range(-reach, reach + 1)),
        key=lambda each: (abs(each - wanted), each),
    )
    for each, room in product(days, rooms):
        if (each, room["room"]) == (day, fact["room"]):
            return None
        end = (each + stay).isoformat()
        if each.isoformat() >= today and free(
            record.before, fact["hotel"], room["room"], each.isoformat(), end
        ):
            return f"room {room['room']} is free from {each}"
    return "it is before today"
