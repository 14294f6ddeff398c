"""Dates, as guests write them: the arrival, the departure, or the span within which they want a room.

One grammar for every language: `units.py` turns words into units by the language's `dates.toml`,
`atoms.py` joins units into dates, `roles.py` tells arrival from departure, `resolve.py` counts days.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from desk.languages import Language, Table
from desk.reading import almanac
from desk.reading.almanac import DAY
from desk.reading.atoms import DateWords, Duration, SpanWords, read_atoms
from desk.reading.impossible import LONGEST, MENDABLE, read_impossible
from desk.reading.names import name_span
from desk.reading.people import party_spans
from desk.reading.resolve import (
    Frame,
    NoSuchDate,
    WrongWeekday,
    arrival_before,
    departure_after,
    resolve,
    resolve_span,
)
from desk.reading.roles import Roles, read_roles
from desk.reading.text import spellings, tokens
from desk.reading.units import read_units

Problem = Literal[
    "past", "departure_first", "no_such_date", "too_far", "ambiguous",
    "too_long", "no_nights", "part_night", "no_guests",
]  # fmt: skip
Opens = Literal["arrive", "from", "day"]
# How far ahead rooms can be asked for: the hotels' calendars are open for a year.
MONTHS_AHEAD = 12


@dataclass(frozen=True)
class DateReading:
    """What a message says about dates.

    With `period`, arrival and departure are the half-open bounds of a span in which no exact stay was
    named. `stated` are all days that the words ground. `readings` are the days an ambiguous date can be, and
    `ends` the departure that goes with each; with `leaving`, or an arrival, they are departures themselves.
    `opens` says how an arrival alone was put: "arrive on", "from", or the day of the month only.
    """

    arrival: dt.date | None = None
    departure: dt.date | None = None
    nights: int | None = None
    period: bool = False
    stated: tuple[dt.date, ...] = ()
    problem: Problem | None = None
    readings: tuple[dt.date, ...] = ()
    ends: tuple[dt.date, ...] = ()
    leaving: bool = False
    opens: Opens | None = None

    @property
    def found(self) -> bool:
        """Whether the message says anything about a stay's dates."""
        return bool(self.arrival or self.departure or self.nights or self.problem)


def read_dates(
    text: str,
    language: Language,
    today: dt.date,
    *,
    within: tuple[dt.date, dt.date] | None = None,
    arrival: dt.date | None = None,
    near: tuple[dt.date, dt.date] | None = None,
    among: Sequence[dt.date] = (),
    without: Sequence[tuple[int, int]] = (),
) -> DateReading:
    """Read the dates of a stay from a guest's words.

    `within` is a span that was asked for before, in which a bare day ("the 9th") is looked for first;
    `arrival` one that was said before, which a departure alone ("until the 17th") comes after; `near` the
    stay asked for before, in whose month a bare day is looked for; `among` the days that an ambiguous date
    could be. `without` are parts of the text that say something else, (start, end) in characters.
    A date that can be read in two orders (07/08 in English) is a problem and never guessed.
    """
    impossible = read_impossible(text, language)
    if impossible is not None and impossible.problem not in MENDABLE:
        return DateReading(problem=impossible.problem)
    masks = [*party_spans(text, language), *without, *((impossible.span,) if impossible else ())]
    name = name_span(text, language)
    if name is not None:
        masks.append(name)
    table = language.table("dates")
    items = read_units(text, language, masks)
    atoms = read_atoms(items, ordinal_months=bool(table.get("ordinal_months", False)))
    known = near is not None or within is not None
    roles = read_roles(atoms, bare_days=known and not _of_hours(text, table))
    frames = [
        Frame(today, order, within, arrival, near, tuple(among))
        for order in table.get("numeric_orders", ("dmy",))
    ]
    reading = _one_of([_read(roles, frame) for frame in frames])
    if impossible is not None and reading.problem is None:
        kept = reading.departure if impossible.problem == "no_guests" else None
        return replace(reading, departure=kept, nights=None, problem=impossible.problem)
    if not reading.found and _wishes_for_the_past(text, table):
        yesterday = today - dt.timedelta(days=1)
        return replace(reading, arrival=yesterday, stated=(yesterday,), problem="past")
    return replace(reading, opens=_opens(roles)) if reading.arrival is not None else reading


def _wishes_for_the_past(text: str, table: Table) -> bool:
    """Whether a stay is wished for a day that is over ("a room for yesterday"); what is told of it is none."""
    return _holds(text, table.get("past_wishes", ()))


def _of_hours(text: str, table: Table) -> bool:
    """Whether bare numbers may be hours ("is breakfast from 7 to 10?")."""
    return _holds(text, table.get("time", {}).get("hourly", ()))


def _holds(text: str, phrases: Sequence[str]) -> bool:
    said = f" {' '.join(token.text for token in tokens(text))} "
    return any(f" {' '.join(spellings(phrase)[0])} " in said for phrase in phrases)


def _opens(roles: Roles) -> Opens | None:
    if roles.arrival is None or roles.departure is not None:
        return None
    if roles.opens is not None:
        return roles.opens
    return "day" if roles.arrival.day_only else None


def _one_of(readings: Sequence[DateReading]) -> DateReading:
    distinct = list(dict.fromkeys(readings))
    usable = [reading for reading in distinct if reading.problem is None]
    if len(usable) == 1:
        return usable[0]
    if not usable:
        return distinct[0]
    by_day = {day: reading for reading in reversed(usable) if (day := reading.arrival or reading.departure)}
    days = tuple(reversed(by_day))
    ends = tuple(reading.departure for day in days if (reading := by_day[day]).arrival and reading.departure)
    lengths = {reading.nights for reading in usable}
    one_length = len(lengths) == 1 or len(ends) < len(days)
    return DateReading(
        nights=usable[0].nights if one_length else None,
        stated=tuple(dict.fromkeys(day for reading in usable for day in reading.stated)),
        problem="ambiguous",
        readings=days,
        ends=ends if len(ends) == len(days) and not one_length else (),
        leaving=all(reading.arrival is None for reading in usable),
    )


def _read(roles: Roles, frame: Frame) -> DateReading:
    try:
        return _checked(_stay(roles, frame), roles, frame)
    except NoSuchDate as none:
        return DateReading(problem=none.problem, nights=_nights(roles.durations))
    except WrongWeekday as wrong:
        return _mismatch(roles, frame, wrong.readings)


def _mismatch(roles: Roles, frame: Frame, days: tuple[dt.date, ...]) -> DateReading:
    """A weekday and a date that do not go together: which of the stay's ends that leaves open, and what is sure."""
    known: dt.date | None = None
    ends: list[dt.date] = []
    leaving = roles.arrival is None
    if roles.arrival is not None and roles.departure is not None:
        try:
            known = _arrival(roles, frame)
            leaving = True
        except WrongWeekday:
            ends = _ends(roles, frame, days)
    return DateReading(
        arrival=known,
        problem="ambiguous",
        readings=days,
        ends=tuple(ends),
        stated=tuple(dict.fromkeys((*days, *ends, *((known,) if known else ())))),
        nights=None if ends or known else _nights(roles.durations),
        leaving=leaving,
    )


def _ends(roles: Roles, frame: Frame, days: Sequence[dt.date]) -> list[dt.date]:
    """The departure that goes with each of the days that the arrival could be; none when one has none."""
    assert roles.arrival is not None
    assert roles.departure is not None
    try:
        ends = [departure_after(roles.departure, day, roles.arrival, frame) for day in days]
    except (NoSuchDate, WrongWeekday):
        return []
    return ends if all(end > day for day, end in zip(days, ends, strict=True)) else []


def _nights(durations: Sequence[Duration]) -> int | None:
    """The nights of a length of stay; nights come before days ("13 nights, 14 days")."""
    exact = [duration for duration in durations if duration.unit == "night"] or list(durations)
    return exact[0].days or None if exact else None


def _months(durations: Sequence[Duration]) -> int:
    return durations[0].months if durations and not durations[0].days else 0


def _stay(roles: Roles, frame: Frame) -> DateReading:
    spans = _spans(roles, frame)
    if spans and (roles.arrival is not None or roles.departure is not None):
        start, end, _ = resolve_span(spans[0], frame)
        frame = replace(frame, within=(start, end))
    nights = _nights(roles.durations)
    if roles.arrival is None and roles.departure is None and spans:
        return _span_stay(roles, frame, nights)
    arrival = _arrival(roles, frame)
    departure = _departure(roles, arrival, frame)
    if arrival is None:
        return DateReading(departure=departure, nights=nights or _months_as_nights(roles, frame))
    if departure is None:
        departure = _end(arrival, nights, roles)
    elif roles.both_nights:
        departure = departure + DAY if departure - arrival == DAY else _end(arrival, nights, roles)
    elif nights is not None and departure - arrival != nights * DAY:
        return _contradiction(arrival, departure, nights)
    length = (departure - arrival).days if departure is not None else nights
    return DateReading(arrival, departure, length if length is None or length > 0 else None)


def _spans(roles: Roles, frame: Frame) -> list[SpanWords]:
    """The spans that can be asked for: none told of the past, nor one that is over where another is not."""
    spans = [span for span in roles.spans if not span.past]
    ahead = [span for span in spans if resolve_span(span, frame)[1] > frame.today]
    return ahead or [span for span in spans if span.unit != "year"]


def _months_as_nights(roles: Roles, frame: Frame) -> int | None:
    months = _months(roles.durations)
    return (almanac.add_months(frame.today, months) - frame.today).days if months else None


def _end(arrival: dt.date, nights: int | None, roles: Roles) -> dt.date | None:
    months = _months(roles.durations)
    if months:
        return almanac.add_months(arrival, months)
    if nights is None and roles.arrival is not None and roles.arrival.night:
        nights = 1
    return arrival + nights * DAY if nights else None


def _contradiction(arrival: dt.date, departure: dt.date, nights: int) -> DateReading:
    """Both the departure and another number of nights were said: two readings of the departure."""
    if departure <= arrival:
        return DateReading(arrival, departure)
    return DateReading(arrival, None, None, problem="ambiguous", readings=(arrival + nights * DAY, departure))


def _arrival(roles: Roles, frame: Frame) -> dt.date | None:
    if roles.arrival is None:
        return None
    if roles.departure is not None and (roles.ranged or roles.arrival.day_only):
        return arrival_before(roles.arrival, roles.departure, frame)
    return resolve(roles.arrival, frame)


def _departure(roles: Roles, arrival: dt.date | None, frame: Frame) -> dt.date | None:
    if roles.departure is None:
        return None
    if arrival is None or roles.arrival is None:
        return resolve(roles.departure, frame, frame.arrival)
    return departure_after(roles.departure, arrival, roles.arrival, frame)


def _span_stay(roles: Roles, frame: Frame, nights: int | None) -> DateReading:
    spans = _spans(roles, frame)
    start, end, exact = resolve_span(spans[0], frame)
    if len(spans) > 1 and spans[1].unit == spans[0].unit:
        end = max(end, resolve_span(spans[1], frame)[1])
    if exact:
        if nights:
            end = start + nights * DAY
        return DateReading(start, end, (end - start).days)
    return DateReading(start, end, nights or _months_as_nights(roles, frame), period=True)


def _checked(reading: DateReading, roles: Roles, frame: Frame) -> DateReading:
    """The reading with its problem, if it has one, and the days that it states."""
    others = [_other(words, frame) for words in roles.others]
    days = [reading.arrival, reading.departure, *reading.readings, *others]
    stated = tuple(dict.fromkeys(day for day in days if day is not None))
    return replace(reading, stated=stated, problem=reading.problem or _problem_of(reading, frame.today))


def _other(words: DateWords, frame: Frame) -> dt.date | None:
    try:
        return resolve(words, frame)
    except (NoSuchDate, WrongWeekday):
        return None


def _problem_of(reading: DateReading, today: dt.date) -> Problem | None:
    return stay_problem(reading.arrival, reading.departure, today, period=reading.period)


def stay_problem(
    arrival: dt.date | None, departure: dt.date | None, today: dt.date, *, period: bool = False
) -> Problem | None:
    """Why these days cannot be asked for, or None when they can."""
    if arrival is not None and departure is not None and departure <= arrival:
        return "departure_first"
    if arrival is not None and departure is not None and (departure - arrival).days > LONGEST and not period:
        return "too_long"
    first = arrival if arrival is not None else departure
    if first is None:
        return None
    if (first < today and not period) or (departure is not None and departure <= today):
        return "past"
    return "too_far" if first > almanac.add_months(today, MONTHS_AHEAD) else None
