"""What an answer states, in one form for every design, and what the databases say themselves."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from desk.context import Parts
from desk.turn import Turn

_ROOM = re.compile(r"(.+): room (\S+), (.+), EUR (\S+) a night(?:, from (\S+) to (\S+))?\.")
_ENTRY = re.compile(r"(.+): (\w+): (.+)\.")


@dataclass(frozen=True)
class Stated:
    """One thing stated: a hotel's room with type, rate and dates, or an entry of its guide with its values."""

    hotel: str
    room: str = ""
    type: str = ""
    rate: str = ""
    arrival: str = ""
    departure: str = ""
    entry: str = ""
    values: str = ""

    def line(self) -> str:
        """It in English, as the rivals' agents write it."""
        if self.entry:
            return f"{self.hotel}: {self.entry}: {self.values}."
        dates = f", from {self.arrival} to {self.departure}" if self.arrival else ""
        return f"{self.hotel}: room {self.room}, {self.type}, EUR {self.rate} a night{dates}."


@dataclass(frozen=True)
class Question:
    """What a guest asks, and the SELECT over a hotel's own database that has the answer."""

    name: str
    text: str
    sql: str


QUESTIONS = (
    Question(
        "free rooms",
        "Is there a Deluxe room free from 1 to 3 February 2027?",
        """SELECT room, type, rate, '2027-02-01' AS arrival, '2027-02-03' AS departure FROM rooms
           WHERE type = 'Deluxe' AND room NOT IN (SELECT room FROM bookings
           WHERE status <> 'cancelled' AND arrival < '2027-02-03' AND departure > '2027-02-01')""",
    ),
    Question(
        "house guide",
        "What time is breakfast?",
        "SELECT kind AS entry, details AS \"values\" FROM guide WHERE kind = 'breakfast'",
    ),
)


def truth(parts: Parts, question: Question) -> frozenset[Stated]:
    """The answer as the databases of all hotels have it."""
    found: set[Stated] = set()
    for branch in parts.pack.branches:
        path = parts.hotels.reader(branch.id).path
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            for row in connection.execute(question.sql):
                found.add(stated_by({**dict(row), "hotel": branch.id}, {branch.id: branch.name}))
    return frozenset(found)


def stated_by(row: Mapping[str, Any], names: Mapping[str, str]) -> Stated:
    """What a fact or a row of a database states."""
    hotel = names[row["hotel"]]
    if row.get("entry"):
        values = row["values"]
        return Stated(
            hotel,
            entry=row["entry"],
            values=_in_words(json.loads(values) if isinstance(values, str) else values),
        )
    fields = ("room", "type", "rate", "arrival", "departure")
    return Stated(hotel, **{field: str(row.get(field) or "") for field in fields})


def stated_in(text: str) -> frozenset[Stated]:
    """What an answer in English lines states; other lines state nothing."""
    found: set[Stated] = set()
    for line in text.splitlines():
        if room := _ROOM.fullmatch(line):
            found.add(Stated(*(part or "" for part in room.groups())))
        elif entry := _ENTRY.fullmatch(line):
            found.add(Stated(entry[1], entry=entry[2], values=entry[3]))
    return frozenset(found)


def stated_in_turn(parts: Parts, turn: Turn) -> frozenset[Stated]:
    """What the desk's reply states: its facts, as far as the words of the reply have them."""
    names = {branch.id: branch.name for branch in parts.pack.branches}
    rows = [fact.model_dump(mode="json") for fact in turn.facts]
    return frozenset(
        stated_by(row, names)
        for row in rows
        if _is_said(row, names.get(row["hotel"], ""), turn.reply_english)
    )


def _is_said(row: Mapping[str, Any], hotel: str, reply: str) -> bool:
    """Whether one line of the reply has the hotel with the room and its rate, or with every number and hour of the
    guide's entry. What the entry says with yes and no is told in words, which nothing here reads."""
    given = row["values"].values() if row.get("entry") else (row.get("room"), row.get("rate"))
    marks = [str(value) for value in given if re.search(r"\d", str(value))]
    return any(
        hotel in line and marks and all(_has(line, mark) for mark in marks) for line in reply.splitlines()
    )


def _has(line: str, mark: str) -> bool:
    return re.search(rf"(?<![\d.,:]){re.escape(mark)}", line) is not None


def _in_words(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
