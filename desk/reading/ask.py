"""What a message asks for: the stay, laid over what the guest had asked for before.

Read by code from the guest's own words, so that no model can shift a date or a room. The English of a
message is read as well, but for dates, people, rooms and budget only where the language has no tables: a
translator must not be able to add a "tomorrow" or a "for two".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from desk.languages import Language
from desk.reading.anew import begins_anew, follows_on
from desk.reading.budget import Budget, read_budget
from desk.reading.carry import Readings, carried
from desk.reading.dates import DateReading
from desk.reading.people import read_people
from desk.reading.pick import read_pick
from desk.reading.picks import read_picks
from desk.reading.shifts import NO_SHIFT, Shift
from desk.reading.shorthand import written_out
from desk.reading.text import fold
from desk.reading.wanted import Wanted, read_wanted, rooms_asked
from desk.reading.words import (
    PackNames,
    Superlative,
    read_hotels,
    read_rooms,
    read_sleeps,
    read_superlative,
    read_types,
    says,
)
from desk.records import Stay

__all__ = ["Ask", "read_ask", "read_pick", "read_picks"]


@dataclass(frozen=True)
class Ask:
    """One message's wishes.

    `stay` is the stay asked for so far, this message included; `fresh` names the fields of `Stay` that this
    message gave. `during_stay` is "during my stay": the dates of a booking the guest has. `shift` is what the
    message moves in a stay known before ("one night longer"): `shift.of` moves another one, such as a booking's.
    """

    stay: Stay
    fresh: frozenset[str]
    during_stay: bool
    dates: DateReading
    superlative: Superlative | None
    shift: Shift = NO_SHIFT


def read_ask(
    text: str,
    english: str,
    language: Language,
    english_language: Language,
    pack: PackNames,
    previous: Stay,
    today: dt.date,
    listed: bool = False,
) -> Ask:
    """Read a message, given the stay asked for before, and whether it answers rooms that were `listed`.

    New dates replace the old ones, a new type keeps them; hotels and rooms hold for the message that names them
    and for one of nothing but dates right behind it.
    """
    text, english = written_out(text, language), written_out(english, english_language)
    own: Readings = ((english, english_language),)
    if language.code != english_language.code:
        own = ((text, language), *(own if in_own_words(text, english, language) else ()))
    texts = [words for words, _ in own]
    languages = [tables for _, tables in own]
    dates, shift, new_dates = carried(own, previous, today)
    wanted = next((rooms for words, tables in own if (rooms := read_wanted(words, tables))), None)
    found = {**_place(own, texts, pack), **_party(own, previous, wanted)}
    types = read_types(texts, languages)
    if types:
        found["type"] = types[0] if len(types) == 1 else None
    found |= _rooms_wanted(wanted, types, previous)
    budget = next((said for words, tables in own if (said := read_budget(words, tables, listed))), None)
    found["budget"] = budget.amount if budget else None
    given = {field for field, value in found.items() if value or field in ("type", "wanted")}
    fresh = frozenset(given | _fresh_dates(dates, new_dates))
    superlative = read_superlative(texts, languages)
    kept: dict[str, Any] = {"hotels": [], "rooms": []}
    if follows_on(fresh, superlative, texts, languages):
        kept = {}
    elif begins_anew(fresh, superlative, texts, languages):
        kept |= {"type": None, "wanted": []}
    kept |= _limit(budget, fresh, superlative)
    if previous.problem == "no_guests" and "guests" in fresh:
        new_dates.setdefault("problem", None)
    stay = previous.model_copy(update={**kept, **{field: found[field] for field in given}})
    return Ask(
        stay=stay.model_copy(update=new_dates),
        fresh=fresh,
        during_stay=says("during_stay", texts, languages),
        dates=dates,
        superlative=superlative,
        shift=shift,
    )


def in_own_words(text: str, english: str, language: Language) -> bool:
    """Whether what the English says is the guest's own: they wrote it, or their language has no tables."""
    return language.code == "en" or fold(text).split() == fold(english).split()


def _limit(budget: Budget | None, fresh: frozenset[str], superlative: Superlative | None) -> dict[str, Any]:
    """What becomes of the budget: a new one counts, and one of before not for a type, a room or the dearest."""
    if budget is not None:
        return {"budget_whole": budget.whole}
    ends = bool(fresh & {"type", "rooms"}) or superlative in ("dearest", "largest")
    return {"budget": None, "budget_whole": False} if ends else {}


def _place(own: Readings, texts: Sequence[str], pack: PackNames) -> dict[str, Any]:
    rooms: list[str] = []
    for words, language in own:
        rooms = rooms or read_rooms(words, language)
    return {"hotels": read_hotels(texts, pack), "rooms": rooms}


def _rooms_wanted(wanted: Wanted | None, types: Sequence[str], previous: Stay) -> dict[str, Any]:
    """Several rooms, and the type that they have in common."""
    rooms = rooms_asked(wanted, types, previous)
    if rooms is None:
        return {}
    common = {"type": rooms[0] if len(set(rooms)) == 1 else None} if rooms else {}
    return {"wanted": rooms, **common}


def _party(readings: Readings, previous: Stay, wanted: Wanted | None) -> dict[str, Any]:
    guests = next((said for words, tables in readings if (said := read_people(words, tables))), None)
    if guests is None and previous.guests is None and wanted is not None and len(wanted.rooms) > 1:
        guests = wanted.sleeps
    elif guests is None and previous.guests is None:
        guests = read_sleeps([words for words, _ in readings], [language for _, language in readings])
    return {"guests": guests}


def _fresh_dates(dates: DateReading, changed: dict[str, Any]) -> set[str]:
    """The date fields that this message gave, whether or not they can be used."""
    fresh = {field for field in ("arrival", "departure") if changed.get(field) is not None}
    if dates.problem is not None:
        fresh |= {"arrival", "problem"}
    return fresh | ({"length"} if dates.nights and "departure" not in fresh else set())
