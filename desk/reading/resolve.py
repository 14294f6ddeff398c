"""From dates as they were said to days of the calendar, counted from the desk's today.

A bare day or month is the next one to come; a stay lies in the past only when the year was said.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Literal

from desk.reading import almanac
from desk.reading.almanac import DAY
from desk.reading.atoms import DateWords, SpanWords

# Other years are slips of the pen, and near the ends of the calendar that Python has.
YEARS = range(1900, 2200)
# A departure that the calendar year does not fix rolls into the next month or year, but not further
# than a stay can sensibly be: "from 14 to 10 December" is a slip, "from 28 to 3 January" is not.
LONGEST_ROLL = 21 * DAY
LONGEST_STAY = 183 * DAY


class NoSuchDate(Exception):
    """The calendar has no such day, or only in a year that no hotel's calendar has: `problem` says which."""

    def __init__(self, problem: Literal["no_such_date", "past", "too_far"] = "no_such_date") -> None:
        super().__init__(problem)
        self.problem: Literal["no_such_date", "past", "too_far"] = problem


class WrongWeekday(Exception):
    """The weekday and the date that were said do not go together; `readings` are the two days meant."""

    def __init__(self, *readings: dt.date) -> None:
        super().__init__("weekday and date differ")
        self.readings = readings


@dataclass(frozen=True)
class Frame:
    """What dates are counted from.

    `within` is a span that the message or the one before it set, `arrival` one that the guest had said
    before, `near` the stay asked for before, and `among` the days that an ambiguous date could be.
    """

    today: dt.date
    order: str
    within: tuple[dt.date, dt.date] | None = None
    arrival: dt.date | None = None
    near: tuple[dt.date, dt.date] | None = None
    among: tuple[dt.date, ...] = ()


def numeric_date(words: DateWords, order: str) -> DateWords:
    """An all-digit date with its day, month and year in this order ("dmy", "mdy")."""
    numeric = words.numeric
    if numeric is None:
        return words
    if numeric.mark == "iso":
        year, month, day = numeric.parts
        return replace(words, numeric=None, day=day, month=month, year=year)
    first, second, *rest = numeric.parts
    day, month = (second, first) if order == "mdy" and numeric.mark != "." else (first, second)
    return replace(words, numeric=None, day=day, month=month, year=rest[0] if rest else None)


def resolve(words: DateWords, frame: Frame, after: dt.date | None = None) -> dt.date:
    """The day meant; with `after`, the first such day after it (a departure after its arrival).

    Raises NoSuchDate, or WrongWeekday where a weekday was said that the date does not have.
    """
    words = numeric_date(words, frame.order)
    if words.holiday is not None:
        return _holiday(words, frame, after)
    if words.base is not None or words.days is not None:
        return _counted(words, frame)
    if words.month is not None:
        return _month_day(words, frame, after)
    if words.day is not None:
        return _day(words, frame, after)
    return _weekday(words, frame, after)


def _holiday(words: DateWords, frame: Frame, after: dt.date | None) -> dt.date:
    assert words.holiday is not None
    day, _ = almanac.next_holiday(words.holiday, frame.today, words.year)
    if after is not None and day <= after and words.year is None:
        day, _ = almanac.holiday(words.holiday, after.year + 1)
    return day


def _counted(words: DateWords, frame: Frame) -> dt.date:
    start = resolve(words.base, frame) if words.base is not None else frame.today
    if words.base is None and words.weekday is not None:
        start = almanac.next_weekday(words.weekday, frame.today)
    day = almanac.add_months(start, words.months) + (words.days or 0) * DAY
    if words.base is not None and words.weekday is not None:
        day += ((words.weekday - day.weekday() + 3) % 7 - 3) * DAY
    return day


def _month_day(words: DateWords, frame: Frame, after: dt.date | None) -> dt.date:
    month, number, wanted = words.month or 0, words.day or 0, words.year
    if words.ahead is not None:
        wanted = frame.today.year + words.ahead
    if wanted is not None:
        if wanted not in YEARS:
            raise NoSuchDate("too_far" if wanted >= YEARS.stop else "past" if wanted else "no_such_date")
        return _agreeing(words, almanac.make(wanted, month, number))
    start = frame.today if after is None else after + DAY
    for year in (start.year, start.year + 1):
        day = almanac.make(year, month, number)
        if day is not None and day >= start and day <= almanac.add_months(start, 12):
            return _agreeing(words, day)
    raise NoSuchDate


def _agreeing(words: DateWords, day: dt.date | None) -> dt.date:
    if day is None:
        raise NoSuchDate
    if words.weekday is not None and day.weekday() != words.weekday:
        raise WrongWeekday(day, day + ((words.weekday - day.weekday() + 3) % 7 - 3) * DAY)
    return day


def _day(words: DateWords, frame: Frame, after: dt.date | None) -> dt.date:
    assert words.day is not None
    start = frame.today if after is None else after + DAY
    if words.of_month is not None:
        first = almanac.add_months(almanac.month_start(frame.today), words.of_month)
        day = almanac.make(first.year, first.month, words.day)
        if day is None:
            raise NoSuchDate
        return day
    if words.weekday is not None:
        return _day_with_weekday(words.day, words.weekday, start)
    chosen = [day for day in frame.among if day.day == words.day]
    if len(chosen) == 1 and after is None:
        return chosen[0]
    if frame.within is not None and after is None:
        inside = almanac.next_day_number(words.day, max(start, frame.within[0]))
        if inside is not None and inside < frame.within[1]:
            return inside
    if frame.near is not None and after is None:
        beside = _day_near(words.day, frame.near, frame.today)
        if beside is not None:
            return beside
    found = almanac.next_day_number(words.day, start)
    if found is None:
        raise NoSuchDate
    return found


def _day_near(number: int, stay: tuple[dt.date, dt.date], today: dt.date) -> dt.date | None:
    """The day with this number in the month of the stay asked for before, or else in the months beside it."""
    own = {almanac.month_start(stay[0]), almanac.month_start(stay[1] - DAY)}
    beside = {almanac.add_months(min(own), -1), almanac.add_months(max(own), 1)}
    for months in (own, beside):
        days = [almanac.make(first.year, first.month, number) for first in months]
        open_ = [day for day in days if day is not None and day >= today]
        if open_:
            return min(open_, key=lambda day: abs(day - stay[0]))
    return None


def _day_with_weekday(number: int, weekday: int, start: dt.date) -> dt.date:
    """The next "Friday the 17th": the first 17th that is a Friday, within a year."""
    day = almanac.next_day_number(number, start)
    while day is not None and day.weekday() != weekday:
        day = almanac.next_day_number(number, day + DAY)
        if day is not None and day > almanac.add_months(start, 12):
            break
    if day is None:
        raise NoSuchDate
    return day


def _weekday(words: DateWords, frame: Frame, after: dt.date | None) -> dt.date:
    assert words.weekday is not None
    chosen = [day for day in frame.among if day.weekday() == words.weekday]
    if len(chosen) == 1 and after is None:
        return chosen[0]
    monday = almanac.week_start(frame.today)
    if words.past:
        return almanac.next_weekday(words.weekday, frame.today - 8 * DAY)
    if words.of_week is not None or words.which == "next":
        weeks = words.of_week if words.of_week is not None else 1
        day = monday + (7 * weeks + words.weekday) * DAY
        if after is None or day > after:
            return day
    if after is None and words.which is None and _week_long(frame.within):
        assert frame.within is not None
        day = almanac.next_weekday(words.weekday, frame.within[0] - DAY)
        return day if day >= frame.today else day + 7 * DAY
    return almanac.next_weekday(words.weekday, frame.today if after is None else after)


def _week_long(span: tuple[dt.date, dt.date] | None) -> bool:
    return span is not None and span[1] - span[0] <= 7 * DAY


def arrival_before(words: DateWords, end: DateWords, frame: Frame) -> dt.date:
    """The arrival of a range whose departure says more: "10 to 14 December", "28 December to 2 January 2027"."""
    words, end = numeric_date(words, frame.order), numeric_date(end, frame.order)
    if end.month is None or end.day is None or words.day is None or words.year is not None:
        return resolve(words, frame)
    if words.month is not None:
        return _before_year(words, end, frame)
    if not words.day_only:
        return resolve(words, frame)
    last = resolve(end, frame)
    same = almanac.make(last.year, last.month, words.day)
    if words.day < end.day:
        if same is None:
            raise NoSuchDate
        if same >= frame.today or end.year is not None:
            return same
        return resolve(replace(end, day=words.day, weekday=None), frame)
    previous = almanac.add_months(almanac.month_start(last), -1)
    day = almanac.make(previous.year, previous.month, words.day)
    rolled = day is not None and last - day <= LONGEST_ROLL and (day >= frame.today or end.year is not None)
    found = day if rolled else same
    if found is None:
        raise NoSuchDate
    return found


def _before_year(words: DateWords, end: DateWords, frame: Frame) -> dt.date:
    """The arrival in the departure's year, or in the year before where it would come long after it."""
    if end.year is None:
        return resolve(words, frame)
    last = resolve(end, frame)
    same = resolve(replace(words, year=last.year), frame)
    return same if same - last < LONGEST_STAY else resolve(replace(words, year=last.year - 1), frame)


def departure_after(words: DateWords, arrival: dt.date, start: DateWords, frame: Frame) -> dt.date:
    """The departure of a range: what was not said follows from the arrival. It may lie before the arrival."""
    words, start = numeric_date(words, frame.order), numeric_date(start, frame.order)
    if words.year is not None or words.days is not None or words.base is not None:
        return resolve(words, frame)
    if words.day_only and start.month is not None:
        assert words.day is not None
        day = almanac.next_day_number(words.day, arrival + DAY)
        same = almanac.make(arrival.year, arrival.month, words.day)
        if day is not None and (day - arrival <= LONGEST_ROLL or day.month == arrival.month or same is None):
            return day
        return same if same is not None else arrival
    day = resolve(words, frame, arrival)
    if words.month is not None and day - arrival > LONGEST_STAY and resolve(words, frame) <= arrival:
        return resolve(replace(words, year=day.year - 1), frame)
    return day


def resolve_span(words: SpanWords, frame: Frame) -> tuple[dt.date, dt.date, bool]:
    """A span as (start, end, exact): half-open, cut at today. Exact is a stay by itself: a weekend."""
    start, end = _bounds(words, frame)
    if end <= frame.today and not words.past:
        start, end = _bounds(_once_more(words, frame.today), frame)
    exact = words.unit in ("weekend", "long_weekend", "holiday") and words.count == 1
    if words.year is None or end > frame.today:
        start = max(start, frame.today)
    return start, end, exact


def _once_more(words: SpanWords, today: dt.date) -> SpanWords:
    """A span that is over, the next time it comes: "this weekend" on Sunday, "early May" on 20 May."""
    if words.unit in ("weekend", "long_weekend") and words.which == "this" and words.around is None:
        return replace(words, which="next")
    if words.month is not None and words.year is None and words.ahead is None:
        return replace(words, year=today.year + 1)
    return words


def _bounds(words: SpanWords, frame: Frame) -> tuple[dt.date, dt.date]:
    today = frame.today
    if words.unit == "holiday":
        assert words.holiday is not None
        return almanac.next_holiday(words.holiday, today, words.year)
    if words.unit == "season":
        assert words.season is not None
        return almanac.season(words.season, today, words.year)
    if words.index == 0:
        first = today if words.unit == "night" else today + DAY
        return first, first + words.count * DAY * (7 if words.unit == "week" else 1)
    if words.unit in ("week", "weekend", "long_weekend"):
        return _week(words, frame)
    if words.unit == "month":
        return _month(words, today)
    year = (
        words.year
        if words.year is not None
        else today.year + {"next": 1, "coming": 1, "last": -1}.get(words.which or "", 0)
    )
    return _part(dt.date(year, 1, 1), dt.date(year + 1, 1, 1), words.part)


def _week(words: SpanWords, frame: Frame) -> tuple[dt.date, dt.date]:
    today = frame.today
    if words.around is not None:
        monday = almanac.week_start(resolve(words.around, frame))
    elif words.month is not None:
        start, end = _month(replace(words, part=None, unit="month"), today)
        first = start + (words.index or 1) * 7 * DAY - 7 * DAY if words.index != -1 else end - 7 * DAY
        if words.unit == "week":
            return first, first + 7 * DAY
        friday = almanac.next_weekday(4, first - DAY)
        return friday, friday + 2 * DAY
    elif words.index is not None:
        found = almanac.week_of_year(words.index, today, words.year)
        if found is None:
            raise NoSuchDate
        monday = found
    else:
        weeks = {"next": 1, "after_next": 2, "last": -1}.get(words.which or "", 0)
        monday = almanac.week_start(today) + 7 * weeks * DAY
        if words.which == "coming" and words.unit == "week":
            monday += 7 * DAY
    if words.unit == "week":
        return _part(monday, monday + 7 * DAY, words.part)
    return monday + 4 * DAY, monday + (7 if words.unit == "long_weekend" else 6) * DAY


def _month(words: SpanWords, today: dt.date) -> tuple[dt.date, dt.date]:
    if words.month is None:
        ahead = {"next": 1, "coming": 1, "after_next": 2, "last": -1}.get(words.which or "", 0)
        start = almanac.add_months(almanac.month_start(today), ahead)
    elif words.year is not None or words.ahead is not None:
        start = dt.date(words.year or today.year + (words.ahead or 0), words.month, 1)
    else:
        year = today.year + (words.month < today.month)
        start = dt.date(year, words.month, 1)
    return _part(start, almanac.add_months(start, 1), words.part)


def _part(start: dt.date, end: dt.date, part: str | None) -> tuple[dt.date, dt.date]:
    """The early, middle or late part of a span: thirds of a month, halves of a longer one."""
    if part is None:
        return start, end
    days = (end - start).days
    if days > 31:
        half = almanac.add_months(start, 6)
        return (start, half) if part == "early" else (half, end)
    third = days // 3
    cuts = {"early": (0, third), "mid": (third, 2 * third), "late": (2 * third, days)}[part]
    return start + cuts[0] * DAY, start + cuts[1] * DAY
