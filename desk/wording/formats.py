"""How a language writes numbers, money, times, dates, stays and lists. Babel knows; what it does not
know (how a stay is said, what a unit is called) comes from the language's tables."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal

from desk.errors import DataError
from desk.wording.patterns import OTHER

NARROW = re.compile(r"\{(from|to):([^{}]+)\}")
DECIMALS = re.compile(r"(?<=0)\.0+")


@dataclass(frozen=True)
class Money:
    """A sum in the main unit of `currency` (ISO 4217)."""

    amount: int | float
    currency: str


@dataclass(frozen=True)
class Span:
    """A stay: nights from `arrival` until the morning of `departure`."""

    arrival: dt.date
    departure: dt.date

    def whole_month(self) -> bool:
        """Whether these are all nights of one calendar month."""
        after = (self.arrival.replace(day=1) + dt.timedelta(days=32)).replace(day=1)
        return self.arrival.day == 1 and self.departure == after


@dataclass(frozen=True)
class Month:
    """A month of any year, 1 to 12."""

    number: int


class Formats:
    """One language's way of writing values.

    `spans` holds the ways to say a stay: a table of `same_month`, `same_year`, `other` and, where a whole
    calendar month is said by its name, `month`. Their {from:PATTERN} are Unicode date patterns. `units`
    holds the plural forms of "{n} nights" and the like.
    """

    def __init__(
        self, locale: str, spans: Mapping[str, Mapping[str, str]], units: Mapping[str, Mapping[str, str]]
    ):
        """Raises DataError for a locale that Babel does not know."""
        try:
            self._locale = Locale.parse(locale.replace("-", "_"))
        except (UnknownLocaleError, ValueError) as error:
            raise DataError(f"{locale!r} is no locale that Babel knows: {error}") from None
        self.spans = spans
        self.units = units

    def write(self, value: Any, form: str | None) -> str:
        """A typed value as text: a sum, stay, month, time, date, or a number (with its unit, the form)."""
        match value:
            case Money():
                text = self.money(value.amount, value.currency)
            case Span():
                text = self.span(value, form or "plain")
            case Month():
                text = self.month(value)
            case dt.time():
                text = self.time(value)
            case dt.date():
                text = self.date(value)
            case _:
                text = self.counted(value, form) if form else self.number(value)
        return text

    def money(self, amount: float, currency: str) -> str:
        """A sum, without decimals when it is whole: "€189", "189,50 €"."""
        pattern = self._locale.currency_formats["standard"].pattern
        whole = float(amount).is_integer()
        shape = DECIMALS.sub("", pattern) if whole else pattern
        return str(format_currency(amount, currency, shape, locale=self._locale, currency_digits=not whole))

    def number(self, value: float) -> str:
        """A plain number: "12", "1,5"."""
        return str(format_decimal(value, locale=self._locale))

    def counted(self, value: float, unit: str) -> str:
        """A number with its unit in the right plural form: "1 night", "2 nights". A form "1" is for exactly one."""
        forms = self.units[unit]
        form = "1" if value == 1 and "1" in forms else self.plural(value)
        return forms.get(form, forms[OTHER]).replace("{n}", self.number(value))

    def plural(self, value: float) -> str:
        """The CLDR plural form of a number: "one", "few", "other"."""
        return str(self._locale.plural_form(value))

    def time(self, value: dt.time) -> str:
        """A time of day: "07:00", "7:00 PM"."""
        return str(format_time(value, "short", locale=self._locale))

    def date(self, value: dt.date, weekday: bool = False) -> str:
        """A date in full: "1 February 2027", "Montag, 1. Februar 2027"."""
        return str(format_date(value, "full" if weekday else "long", locale=self._locale))

    def month(self, value: Month) -> str:
        """The name of a month: "May"."""
        return str(format_date(dt.date(2000, value.number, 1), "LLLL", locale=self._locale))

    def span(self, value: Span, form: str = "plain") -> str:
        """A stay in one of the language's ways: "from 1 to 3 February 2027"."""
        shapes = self.spans[form]
        shape = shapes["month"] if "month" in shapes and value.whole_month() else shapes[_width(value)]
        ends = {"from": value.arrival, "to": value.departure}
        return NARROW.sub(
            lambda m: str(format_date(ends[m.group(1)], m.group(2), locale=self._locale)), shape
        )

    def listed(self, items: Iterable[str], either: bool = False) -> str:
        """A list in words: "a, b and c"; with `either`, "a, b or c"."""
        return str(format_list(list(items), "or" if either else "standard", locale=self._locale))


def _width(span: Span) -> str:
    if span.arrival.year != span.departure.year:
        return OTHER
    return "same_month" if span.arrival.month == span.departure.month else "same_year"
