"""Calendar arithmetic that the date grammar needs: months, weeks, Easter, the next day of a kind."""

from __future__ import annotations

import calendar
import datetime as dt
import re

DAY = dt.timedelta(days=1)
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}  # meteorological, northern: first month


def add_months(day: dt.date, months: int) -> dt.date:
    """The same day `months` later, or the last day of a month that is shorter."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return dt.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def week_start(day: dt.date) -> dt.date:
    """Monday of the day's week (ISO 8601)."""
    return day - dt.timedelta(days=day.weekday())


def month_start(day: dt.date) -> dt.date:
    """The first of the day's month."""
    return day.replace(day=1)


def make(year: int, month: int, day: int) -> dt.date | None:
    """The date, or None where the calendar has none (30 February)."""
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def easter(year: int) -> dt.date:
    """Easter Sunday, Gregorian (the anonymous algorithm, Meeus 1991, "Astronomical Algorithms", chapter 8)."""
    a, (b, c) = year % 19, divmod(year, 100)
    (d, e), f = divmod(b, 4), (b + 8) // 25
    h = (19 * a + b - d - (b - f + 1) // 3 + 15) % 30
    i, k = divmod(c, 4)
    weekday = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * weekday) // 451
    month, day = divmod(h + weekday - 7 * m + 114, 31)
    return dt.date(year, month, day + 1)


def holiday(rule: str, year: int) -> tuple[dt.date, dt.date]:
    """A holiday's first and last day in a year: "12-25", "12-27..12-31" or "easter-2"."""
    moving = re.fullmatch(r"easter([+-]\d+)", rule)
    if moving:
        day = easter(year) + int(moving[1]) * DAY
        return day, day
    first, _, last = rule.partition("..")
    days = [dt.date(year, *map(int, part.split("-"))) for part in (first, last or first)]
    return days[0], days[1]


def next_holiday(rule: str, today: dt.date, year: int | None = None) -> tuple[dt.date, dt.date]:
    """The holiday in `year`, or the next time it comes, today counted."""
    if year is not None:
        return holiday(rule, year)
    this = holiday(rule, today.year)
    return this if this[1] >= today else holiday(rule, today.year + 1)


def season(name: str, today: dt.date, year: int | None = None) -> tuple[dt.date, dt.date]:
    """A season as a half-open span: in `year`, or the next that is not over."""
    first = _SEASONS[name]
    for candidate in (year,) if year is not None else (today.year - 1, today.year, today.year + 1):
        start = dt.date(candidate, first, 1)
        end = add_months(start, 3)
        if year is not None or end > today:
            return start, end
    raise AssertionError("one of three years in a row has not ended")


def next_weekday(weekday: int, after: dt.date) -> dt.date:
    """The first such weekday after a day."""
    return after + dt.timedelta(days=(weekday - after.weekday() - 1) % 7 + 1)


def next_day_number(number: int, start: dt.date) -> dt.date | None:
    """The first day with this number in its month on or after `start`; None for what no month has."""
    for months in range(13):
        first = add_months(month_start(start), months)
        day = make(first.year, first.month, number)
        if day is not None and day >= start:
            return day
    return None


def week_of_year(week: int, today: dt.date, year: int | None = None) -> dt.date | None:
    """Monday of an ISO week: in `year`, or the next one that is not over."""
    for candidate in (year,) if year is not None else (today.year, today.year + 1):
        try:
            monday = dt.date.fromisocalendar(candidate, week, 1)
        except ValueError:
            continue
        if year is not None or monday + 7 * DAY > today:
            return monday
    return None
