"""What a message asks for: the stay, laid over what the guest had asked for before.

Read by code from the guest's own words, so that no model can shift a date or a room. The English of a
message is read as well, for what its language's tables do not cover.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from desk.languages import Language
from desk.reading.almanac import DAY
from desk.reading.dates import DateReading, read_dates
from desk.reading.people import read_people
from desk.reading.pick import read_pick
from desk.reading.words import (
    PackNames,
    Superlative,
    read_budget,
    read_hotels,
    read_rooms,
    read_sleeps,
    read_superlative,
    read_types,
    says,
)
from desk.records import Stay

__all__ = ["Ask", "read_ask", "read_pick"]

# The guest's words and their English, each with the language whose tables read it.
Readings = Sequence[tuple[str, Language]]


@dataclass(frozen=True)
class Ask:
    """One message's wishes.

    `stay` is the stay asked for so far, this message included; `fresh` names the fields of `Stay` that this
    message gave. `during_stay` is "during my stay": the dates of a booking the guest has.
    """

    stay: Stay
    fresh: frozenset[str]
    during_stay: bool
    dates: DateReading
    superlative: Superlative | None


def read_ask(
    text: str,
    english: str,
    language: Language,
    english_language: Language,
    pack: PackNames,
    previous: Stay,
    today: dt.date,
) -> Ask:
    """Read a message, given the stay asked for before.

    New dates replace the old ones, a new type keeps them; hotels and rooms hold for one message only.
    """
    readings: Readings = ((english, english_language),)
    if language.code != english_language.code:
        readings = ((text, language), *readings)
    texts = [words for words, _ in readings]
    languages = [tables for _, tables in readings]
    dates = _dates(readings, previous, today)
    found = {**_place(readings, pack), **_party(readings, previous)}
    types = read_types(texts, languages)
    if types:
        found["type"] = types[0] if len(types) == 1 else None
    fresh = {field for field, value in found.items() if value or field == "type"}
    stay = previous.model_copy(update={"hotels": [], "rooms": [], **{field: found[field] for field in fresh}})
    new_dates = _stay_dates(dates, previous)
    return Ask(
        stay=stay.model_copy(update=new_dates),
        fresh=frozenset(fresh | _fresh_dates(dates, new_dates)),
        during_stay=says("during_stay", texts, languages),
        dates=dates,
        superlative=read_superlative(texts, languages),
    )


def _dates(readings: Readings, previous: Stay, today: dt.date) -> DateReading:
    """The dates of the guest's own words, or of their English when the language's tables find none."""
    span = None
    if previous.period and previous.arrival is not None and previous.departure is not None:
        span = (previous.arrival, previous.departure)
    arrival = previous.arrival if not previous.period and previous.problem is None else None
    reading = DateReading()
    for words, language in readings:
        reading = read_dates(words, language, today, within=span, arrival=arrival)
        if reading.found:
            break
    return reading


def _place(readings: Readings, pack: PackNames) -> dict[str, Any]:
    rooms: list[str] = []
    for words, language in readings:
        rooms = rooms or read_rooms(words, language)
    return {"hotels": read_hotels([words for words, _ in readings], pack), "rooms": rooms}


def _party(readings: Readings, previous: Stay) -> dict[str, Any]:
    guests, budget = None, None
    for words, language in readings:
        guests = guests or read_people(words, language)
        budget = budget or read_budget(words, language)
    if guests is None and previous.guests is None:
        guests = read_sleeps([words for words, _ in readings], [language for _, language in readings])
    return {"guests": guests, "budget": budget}


def _stay_dates(dates: DateReading, previous: Stay) -> dict[str, Any]:
    """What the dates of a message change in the stay."""
    if dates.problem is not None:
        return {
            "arrival": dates.arrival,
            "departure": dates.departure,
            "period": False,
            "problem": dates.problem,
            "length": dates.nights or previous.length,
        }
    if dates.period:
        return {
            "arrival": dates.arrival,
            "departure": dates.departure,
            "period": True,
            "problem": None,
            "length": dates.nights or previous.length,
        }
    if dates.arrival is not None:
        waiting = previous.length if dates.departure is None else None
        departure = dates.departure or (dates.arrival + waiting * DAY if waiting else None)
        return {
            "arrival": dates.arrival,
            "departure": departure,
            "period": False,
            "problem": None,
            "length": None,
        }
    return _partial(dates, previous)


def _partial(dates: DateReading, previous: Stay) -> dict[str, Any]:
    """A departure or a number of nights alone: they go with the arrival that was said before."""
    known = previous.arrival if not previous.period and previous.problem is None else None
    if dates.departure is not None:
        if known is not None and dates.departure <= known:
            return {"departure": dates.departure, "problem": "departure_first"}
        return {"departure": dates.departure, "period": False} if known is not None else {}
    if dates.nights is None:
        return {}
    if known is None:
        return {"length": dates.nights}
    return {"departure": known + dates.nights * DAY, "length": None}


def _fresh_dates(dates: DateReading, changed: dict[str, Any]) -> set[str]:
    """The date fields that this message gave, whether or not they can be used."""
    fresh = {field for field in ("arrival", "departure") if changed.get(field) is not None}
    if dates.problem is not None:
        fresh |= {"arrival", "problem"}
    return fresh | ({"length"} if dates.nights and "departure" not in fresh else set())
