"""How a message's dates change the stay that was asked for before."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from desk.languages import Language
from desk.reading.almanac import DAY, add_months, month_start, week_start
from desk.reading.dates import DateReading, read_dates, stay_problem
from desk.reading.impossible import MENDABLE
from desk.reading.shifts import Shift, read_shift
from desk.reading.words import read_place
from desk.records import Stay

# The guest's words and their English, each with the language whose tables read it.
Readings = Sequence[tuple[str, Language]]
# "We arrive on the 2nd instead" leaves the departure where it was, when that makes a stay.
LONGEST_KEPT = 21 * DAY
_NONE: dict[str, Any] = {
    "arrival": None,
    "departure": None,
    "period": False,
    "problem": None,
    "length": None,
    "readings": [],
    "readings_until": [],
}


def carried(readings: Readings, previous: Stay, today: dt.date) -> tuple[DateReading, Shift, dict[str, Any]]:
    """A message's dates, what it moves, and the fields of the stay that these change."""
    dates, shift = _dates(readings, previous, today)
    settled = _settled(dates, readings, previous, today)
    moved = None if settled else _moved(dates, shift, previous, today)
    changed = settled or moved or _stay_dates(dates, previous)
    if previous.problem in MENDABLE and changed:
        changed.setdefault("problem", None)
    if settled or moved:
        days = tuple(day for day in (changed["arrival"], changed["departure"]) if day is not None)
        dates = replace(
            dates,
            arrival=changed["arrival"],
            departure=changed["departure"],
            period=changed["period"],
            nights=(days[1] - days[0]).days if len(days) == 2 and days[1] > days[0] else None,
            problem=changed["problem"],
            readings=(),
            stated=tuple(dict.fromkeys((*days, *dates.stated))),
        )
    return dates, shift, changed


def _exact(stay: Stay) -> dt.date | None:
    """The arrival asked for, when it is an exact day that can be used."""
    usable = stay.problem is None or stay.problem in MENDABLE
    return stay.arrival if not stay.period and usable else None


def _dates(readings: Readings, previous: Stay, today: dt.date) -> tuple[DateReading, Shift]:
    """The dates of the guest's own words, or of their English when the language's tables find none."""
    arrival, span, near = _exact(previous), None, None
    if previous.period and previous.arrival is not None and previous.departure is not None:
        span = (previous.arrival, previous.departure)
    if arrival is not None:
        near = (arrival, previous.departure or arrival + DAY)
    reading, shift = DateReading(), Shift()
    for words, language in readings:
        shift = read_shift(words, language)
        reading = read_dates(
            words,
            language,
            today,
            within=span,
            arrival=arrival,
            near=near,
            among=previous.readings,
            without=shift.spans,
        )
        if reading.found or shift:
            break
    return reading, shift


def _moved(dates: DateReading, shift: Shift, previous: Stay, today: dt.date) -> dict[str, Any] | None:
    """The stay asked for before, moved; None when nothing is moved or the message names the days itself."""
    if not shift or dates.arrival is not None or dates.problem is not None:
        return None
    if previous.period and shift.whole:
        return _moved_period(shift, previous)
    before = _exact(previous)
    if before is None:
        length = (previous.length or 0) + shift.nights
        known = previous.length is not None and shift.nights and length > 0
        return {**_same(previous), "length": length} if known else None
    arrival, departure = shift.of(before, previous.departure or before + DAY)
    end: dt.date | None = departure
    if previous.departure is None and shift.whole:
        end = None
    if dates.departure is not None or dates.nights:
        end = dates.departure or arrival + (dates.nights or 1) * DAY
    return {**_NONE, "arrival": arrival, "departure": end, "problem": stay_problem(arrival, end, today)}


def _same(stay: Stay) -> dict[str, Any]:
    return {field: getattr(stay, field) for field in _NONE}


def _moved_period(shift: Shift, previous: Stay) -> dict[str, Any]:
    """A span moved by its own unit starts where that unit does: the next month on its first."""
    assert previous.arrival is not None
    assert previous.departure is not None
    arrival, departure = shift.of(previous.arrival, previous.departure)
    if any(move.months for move in shift.moves):
        arrival = month_start(arrival)
        departure = add_months(month_start(departure - DAY), 1)
    elif any(move.days % 7 == 0 for move in shift.moves):
        arrival = max(week_start(arrival), arrival - 7 * DAY)
    return {**_same(previous), "arrival": arrival, "departure": departure}


def _settled(dates: DateReading, readings: Readings, previous: Stay, today: dt.date) -> dict[str, Any] | None:
    """The stay, when the message says which of two possible days was meant."""
    if previous.problem != "ambiguous" or dates.problem is not None:
        return None
    at = _reading_meant(dates, readings, previous)
    if at is None:
        return None
    day = previous.readings[at]
    arrival, departure = day, _settled_end(day, at, dates, previous)
    if previous.arrival is not None:
        arrival, departure = previous.arrival, day
    return {
        **_NONE,
        "arrival": arrival,
        "departure": departure,
        "problem": stay_problem(arrival, departure, today),
    }


def _settled_end(day: dt.date, at: int, dates: DateReading, previous: Stay) -> dt.date | None:
    """The departure: said in this message, or the one that goes with the reading, or by the nights."""
    if not dates.period and dates.arrival is not None and dates.departure is not None:
        return dates.departure
    if at < len(previous.readings_until):
        return previous.readings_until[at]
    length = dates.nights or previous.length
    return day + length * DAY if length else None


def _reading_meant(dates: DateReading, readings: Readings, previous: Stay) -> int | None:
    """Which of the possible days is named: as a day, by its month, by the nights, or by its place."""
    days = previous.readings
    named = dates.arrival or dates.departure
    if named is not None and dates.period:
        inside = [day for day in days if named <= day < (dates.departure or named)]
        return days.index(inside[0]) if len(inside) == 1 else None
    if named in days:
        return days.index(named)
    if named is None and dates.nights and previous.arrival is not None:
        until = previous.arrival + dates.nights * DAY
        return days.index(until) if until in days else None
    if named is not None and dates.opens != "day":
        return None
    place = read_place([words for words, _ in readings], [language for _, language in readings])
    if place in ("earlier", "later"):
        return days.index(min(days) if place == "earlier" else max(days)) if days else None
    at = {"first": 0, "second": 1, "last": len(days) - 1}.get(place or "", len(days))
    return at if 0 <= at < len(days) else None


def _stay_dates(dates: DateReading, previous: Stay) -> dict[str, Any]:
    """What the dates of a message change in the stay."""
    if dates.problem is not None:
        unclear = dates.problem == "ambiguous"
        known = _exact(previous) if dates.leaving else None
        return {
            **_NONE,
            "arrival": dates.arrival or known,
            "departure": dates.departure,
            "problem": dates.problem,
            "length": dates.nights or (None if dates.ends else previous.length),
            "readings": list(dates.readings) if unclear else [],
            "readings_until": list(dates.ends) if unclear else [],
        }
    if dates.period:
        return {
            **_NONE,
            "arrival": dates.arrival,
            "departure": dates.departure,
            "period": True,
            "length": dates.nights or previous.length,
        }
    if dates.arrival is not None:
        return {**_NONE, "arrival": dates.arrival, "departure": dates.departure or _end(dates, previous)}
    return _partial(dates, previous)


def _end(dates: DateReading, previous: Stay) -> dt.date | None:
    """The departure of an arrival that came alone: with the nights asked before, or as it was."""
    assert dates.arrival is not None
    if previous.length:
        return dates.arrival + previous.length * DAY
    before = _exact(previous)
    if before is None or previous.departure is None or dates.opens is None:
        return None
    stays = previous.departure - dates.arrival
    if dates.opens == "arrive" and DAY <= stays <= LONGEST_KEPT:
        return previous.departure
    return dates.arrival + (previous.departure - before)


def _partial(dates: DateReading, previous: Stay) -> dict[str, Any]:
    """A departure or a number of nights alone: they go with the arrival that was said before."""
    known = _exact(previous)
    if dates.departure is not None:
        if known is not None and dates.departure <= known:
            return {"departure": dates.departure, "problem": "departure_first"}
        return {"departure": dates.departure, "period": False} if known is not None else {}
    if dates.nights is None:
        return {}
    if known is None:
        return {"length": dates.nights}
    return {"departure": known + dates.nights * DAY, "length": None}
