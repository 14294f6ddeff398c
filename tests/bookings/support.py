"""What the booking dialogues share: reading the hotels' files from outside, and getting to an offer quickly."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from desk.context import Parts
from desk.stores.hotels import open_hotels
from desk.turn import Turn

HOTELS = ("hotel1", "hotel2")
STAY = "from 11 to 13 February"


def at_home(parts: Parts, home: Path) -> Parts:
    """The same parts over another DESK_HOME; opening all of them anew takes a second."""
    settings = parts.settings.model_copy(update={"home": home})
    hotels = open_hotels(home, parts.pack, parts.clock.today())
    return replace(parts, settings=settings, hotels=hotels)


def rows(home: Path) -> list[tuple[str, ...]]:
    """Every booking of every hotel as it is stored, in a fixed order."""
    found: list[tuple[str, ...]] = []
    for hotel in HOTELS:
        with closing(sqlite3.connect(home / "hotels" / f"{hotel}.db")) as connection:
            found += connection.execute(
                "SELECT room, arrival, departure, status, guests, total FROM bookings ORDER BY 1, 2, 3, 4"
            ).fetchall()
    return found


def taken(home: Path, room: str) -> list[tuple[str, str]]:
    """The nights that a room is booked for, as (arrival, departure)."""
    return [(row[1], row[2]) for row in rows(home) if row[0] == room and row[3] != "cancelled"]


def talk(opened: Any, thread: str, *texts: str) -> list[Turn]:
    """Say these one after the other; the Turns."""
    return [opened.say(thread, text) for text in texts]


def offered(
    opened: Any,
    stay: str = STAY,
    kind: str = "Family Suite",
    name: str = "Lena Novak",
    picks: Sequence[str] = ("yes",),
) -> tuple[str, Turn]:
    """A thread with an offer that only waits for a yes, and the turn that made it."""
    thread = opened.thread()
    turn = talk(opened, thread, f"Is the {kind} free {stay}?", *picks, f"My name is {name}")[-1]
    assert turn.offer is not None
    assert turn.booking is None
    return thread, turn


def shown(offer: Any) -> tuple[Any, ...]:
    """What an offer or a booking is about: hotel, room, nights, total."""
    return (offer.hotel, offer.room, offer.arrival.isoformat(), offer.departure.isoformat(), offer.total)
