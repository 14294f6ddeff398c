"""What a hotel's folder in a pack holds: `rooms.csv`, `bookings.csv` and `guide.toml`, read and checked.

`bookings.csv` counts its days from the day on which the databases are first made (`from_day` 0 is that
day), so that a pack shows the same picture whenever it is opened. A row without a reference is a block:
the room is taken and nobody can ask for it by name.
"""

from __future__ import annotations

import csv
import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from desk.errors import DataError
from desk.languages import read_toml

T = TypeVar("T")

MOST = 10**9
MONTHS = 12
_WHOLE = re.compile(r"-?[0-9]{1,6}")
# What is written like one of these is meant as one.
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{1,2}|[0-9]{1,2}\.[0-9]{2}")
_CLOCK = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")
_MONTH = re.compile(r"--[0-9]{1,2}")


@dataclass(frozen=True)
class Room:
    """One room. `rate` is per night, in the main unit of the pack's currency."""

    room: str
    type: str
    sleeps: int
    rate: int | float


@dataclass(frozen=True)
class SeedBooking:
    """One booking of a pack; `from_day` and `to_day` are days from the first day, half-open."""

    room: str
    from_day: int
    to_day: int
    guests: int | None
    reference: str
    name: str
    surname: str


@dataclass(frozen=True)
class GuideEntry:
    """One entry of a house guide: its kind and its values, which code puts into words."""

    kind: str
    values: dict[str, Any]


@dataclass(frozen=True)
class GuideSeed(GuideEntry):
    """A guide entry as its file gives it, with the extra English words that find it."""

    keywords: str


def as_money(value: str | float) -> int | float:
    """A sum as people write it: 89, not 89.0. Raises ValueError when `value` is no number of at least 0."""
    try:
        amount = float(value)
    except ValueError:
        raise ValueError(f"{value!r} is no price") from None
    if not 0 <= amount < 1e9:
        raise ValueError(f"{value} is no price")
    return int(amount) if amount.is_integer() else amount


def read_rooms(folder: Path) -> list[Room]:
    """The rooms of `folder/rooms.csv`. Raises DataError with file and line."""
    path = folder / "rooms.csv"
    rooms = list(_rows(path, ("room", "type", "sleeps", "rate"), _room))
    if not rooms:
        raise DataError(f"{path} has no rooms")
    _unique(path, [room.room for room in rooms], "room")
    return rooms


def read_bookings(folder: Path, rooms: list[Room], prefix: str) -> list[SeedBooking]:
    """The bookings of `folder/bookings.csv`, none of which may overlap; references begin with `prefix`.

    Raises DataError with file and line.
    """
    path = folder / "bookings.csv"
    columns = ("room", "from_day", "to_day", "guests", "reference", "name", "surname")
    known = {room.room: room for room in rooms}
    bookings = list(_rows(path, columns, lambda row: _booking(row, known, prefix)))
    _unique(path, [booking.reference for booking in bookings if booking.reference], "reference")
    last: dict[str, int] = {}
    for booking in sorted(bookings, key=lambda each: (each.room, each.from_day)):
        if booking.from_day < last.get(booking.room, booking.from_day):
            raise DataError(f"{path}: two bookings of room {booking.room} overlap")
        last[booking.room] = booking.to_day
    return bookings


def read_guide(folder: Path) -> list[GuideSeed]:
    """The entries of `folder/guide.toml`, one a kind. Raises DataError with the file and the entry."""
    path = folder / "guide.toml"
    entries = []
    for number, entry in enumerate(read_toml(path).get("entry", []), 1):
        kind, values = entry.get("kind"), entry.get("values")
        if not isinstance(kind, str) or not kind or not isinstance(values, dict):
            raise DataError(f"{path}: entry {number} needs a kind and values")
        for key, value in values.items():
            if wrong := _wrong_value(value):
                raise DataError(f"{path}: {kind}, {key} = {value!r}: {wrong}")
        entries.append(GuideSeed(kind, values, str(entry.get("keywords", ""))))
    _unique(path, [entry.kind for entry in entries], "kind")
    return entries


def _wrong_value(value: Any) -> str | None:
    """Why a guide cannot have this value, or None. A text is a time, a date or a month by its form."""
    if isinstance(value, list):
        return next((wrong for item in value if (wrong := _wrong_value(item))), None)
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return None if 0 <= value < MOST else "a number must be at least 0 and below a billion"
    if not isinstance(value, str):
        return "it must be a text, a number, true, false or a list of these"
    if _TIME.fullmatch(value):
        return None if _CLOCK.fullmatch(value) else "a time of day is written as 07:00"
    if _DATE.fullmatch(value):
        return None if _is_date(value) else "there is no such date"
    if _MONTH.fullmatch(value):
        return None if 1 <= int(value[2:]) <= MONTHS else "a month is written as --05"
    return None


def _is_date(value: str) -> bool:
    try:
        dt.date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _number(row: dict[str, str], name: str) -> int:
    """The whole number in a column. Raises ValueError in plain words."""
    if not _WHOLE.fullmatch(row[name]):
        raise ValueError(f"{name} must be a whole number" + (f", not {row[name]!r}" if row[name] else ""))
    return int(row[name])


def _rows(path: Path, columns: tuple[str, ...], make: Callable[[dict[str, str]], T]) -> Iterator[T]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DataError(f"{path} is missing: restore it from the repository") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from None
    reader = csv.DictReader(text.splitlines())
    try:
        if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
            raise DataError(f"{path} line 1: the column {missing[0]} is missing")
        for row in reader:
            yield make({name: (row[name] or "").strip() for name in columns})
    except ValueError as error:
        raise DataError(f"{path} line {reader.line_num}: {error}") from None
    except csv.Error:
        raise DataError(f"{path} line {reader.line_num} cannot be read as a row of values") from None


def _room(row: dict[str, str]) -> Room:
    room = Room(row["room"], row["type"], _number(row, "sleeps"), as_money(row["rate"]))
    if not room.room or not room.type or room.sleeps < 1:
        raise ValueError("a room needs a number, a type and at least one bed")
    return room


def _booking(row: dict[str, str], rooms: dict[str, Room], prefix: str) -> SeedBooking:
    if row["room"] not in rooms:
        raise ValueError(f"there is no room {row['room']}")
    guests = _number(row, "guests") if row["guests"] else None
    booking = SeedBooking(
        row["room"],
        _number(row, "from_day"),
        _number(row, "to_day"),
        guests,
        row["reference"],
        row["name"],
        row["surname"],
    )
    if booking.to_day <= booking.from_day:
        raise ValueError("to_day must be after from_day")
    if guests is not None and not 1 <= guests <= rooms[booking.room].sleeps:
        raise ValueError(f"room {booking.room} does not sleep {guests}")
    if len({bool(booking.reference), bool(booking.name), bool(booking.surname)}) > 1:
        raise ValueError("a guest's booking needs reference, name and surname, a block none of them")
    if booking.reference and not booking.reference.startswith(f"{prefix}-"):
        raise ValueError(f"the reference {booking.reference} does not begin with {prefix}-")
    return booking


def _unique(path: Path, values: list[str], what: str) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise DataError(f"{path}: the {what} {value} is there twice")
        seen.add(value)
