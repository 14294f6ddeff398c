"""The lower half of the date grammar: units that stand together become dates, spans and durations.

`RULES` is the grammar: a regular expression over the letters of units (units.py) and what it builds. At
each place the longest rule that builds something wins. Nothing is resolved to a day here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desk.reading.units import Item, Numeric

NIGHT = "night"
WRONG = -1


@dataclass(frozen=True)
class DateWords:
    """A date as it was said; what was not said is None.

    `which` is next, this, coming or last; `of_week` the weeks from this one for "Tuesday next week",
    `of_month` the months from this one for "the 5th of next month", `ahead` the years; `days` and `months`
    count from today or from `base`; `night` says that this very night was named; `past` that it is told, not asked for.
    """

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    which: str | None = None
    of_week: int | None = None
    of_month: int | None = None
    days: int | None = None
    months: int = 0
    base: DateWords | None = None
    ahead: int | None = None
    holiday: str | None = None
    numeric: Numeric | None = None
    night: bool = False
    past: bool = False

    @property
    def day_only(self) -> bool:
        """Whether only the day of the month was said."""
        return self == DateWords(day=self.day, night=self.night)


@dataclass(frozen=True)
class SpanWords:
    """A stretch of time: a unit (week, weekend, month, year, season) and which one.

    `part` is early, mid or late; `index` the nth week of `month` (-1: the last); `around` a date in it.
    """

    unit: str
    which: str | None = None
    part: str | None = None
    month: int | None = None
    year: int | None = None
    season: str | None = None
    index: int | None = None
    count: int = 1
    ahead: int | None = None
    holiday: str | None = None
    around: DateWords | None = None
    past: bool = False


@dataclass(frozen=True)
class Duration:
    """A length of time. `vague` when it was said with an article ("a night"), as prices are too."""

    unit: str
    count: int
    vague: bool = False

    @property
    def days(self) -> int:
        """Its days, months left out."""
        return {"night": 1, "day": 1, "week": 7, "fortnight": 14, "weekend": 2, "long_weekend": 3}.get(
            self.unit, 0
        ) * self.count

    @property
    def months(self) -> int:
        """Its whole months."""
        return {"month": 1, "year": 12}.get(self.unit, 0) * self.count


@dataclass(frozen=True)
class Atom:
    """One place of the upper grammar: D date, d bare number, P span, T duration, else a unit's letter."""

    letter: str
    value: object
    after: str = ""


Built = DateWords | SpanWords | Duration | None
Builder = Callable[[Sequence[Item]], Built]
_WHICH = {"x": "next", "H": "after_next", "t": "this", "c": "coming", "l": "last"}
_WEEKS = {"x": 1, "H": 2, "t": 0, "c": 1}


def _first(items: Sequence[Item], letters: str) -> Item | None:
    return next((item for item in items if item.letter in letters), None)


def _value(items: Sequence[Item], letters: str) -> int | None:
    item = _first(items, letters)
    return None if item is None else int(item.value)


def _which(items: Sequence[Item]) -> str | None:
    item = _first(items, "xtclH")
    return None if item is None else _WHICH[item.letter]


def _day_number(items: Sequence[Item]) -> int | None:
    number = _value(items, "nopP")
    return number if number is not None and 1 <= number <= 31 else None


def _numeric(items: Sequence[Item]) -> Built:
    return DateWords(numeric=items[0].value)


def _day_month(items: Sequence[Item]) -> Built:
    day, ahead = _day_number(items), _years_ahead(items)
    if day is None or ahead is WRONG:
        return None
    return DateWords(
        day=day,
        month=_value(items, "mv"),
        year=_value(items, "y"),
        weekday=_value(items, "wz"),
        ahead=ahead,
    )


def _ordinal_month(items: Sequence[Item]) -> Built:
    day, month = items[0].value, items[1].value
    return DateWords(day=day, month=month) if 1 <= day <= 31 and 1 <= month <= 12 else None


def _day_of_month(items: Sequence[Item]) -> Built:
    day = _day_number(items)
    unit = _first(items, "u")
    if day is None or (unit is not None and unit.value != "month"):
        return None
    which = _first(items, "xtc")
    ahead = _WEEKS[which.letter] if which is not None else None
    return DateWords(day=day, of_month=ahead) if which is not None else DateWords(day=day)


def _weekday_and_day(items: Sequence[Item]) -> Built:
    day = _day_number(items)
    return None if day is None else DateWords(day=day, weekday=_value(items, "wz"))


def _weekday(items: Sequence[Item]) -> Built:
    day = _first(items, "r")
    if day is not None and day.value != 1:  # only the word for tomorrow also means morning
        return None
    which = _which(items)
    return DateWords(weekday=_value(items, "wz"), which=which, past=which == "last")


def _weekday_of_week(items: Sequence[Item]) -> Built:
    unit, which = _first(items, "u"), _first(items, "xtcH")
    if (unit is not None and unit.value != "week") or which is None:
        return None
    return DateWords(weekday=_value(items, "w"), of_week=_WEEKS[which.letter])


def _weekday_and_week(items: Sequence[Item]) -> Built:
    """ "Tuesday week": the one after the next."""
    if items[1].value != "week":
        return None
    return DateWords(weekday=items[0].value, days=7)


def _weekday_in_weeks(items: Sequence[Item]) -> Built:
    unit = _first(items, "u")
    if unit is None or unit.value not in ("week", "fortnight"):
        return None
    weeks = (_value(items, "n1") or 1) * (2 if unit.value == "fortnight" else 1)
    return DateWords(weekday=_value(items, "w"), days=7 * weeks)


def _relative(items: Sequence[Item]) -> Built:
    days = 0 if items[0].letter == "N" else int(items[0].value)
    return DateWords(days=days, night=items[0].letter == "R", past=days < 0)


def _day_after(items: Sequence[Item]) -> Built:
    return DateWords(days=1) if items[0].value == "day" else None


def _years_ahead(items: Sequence[Item]) -> int | None:
    """The years of "next year" behind a month, or WRONG where the unit is another one."""
    unit = _first(items, "u")
    if unit is None:
        return None
    which = _first(items, "xtc")
    if unit.value != "year" or which is None:
        return WRONG
    return _WEEKS[which.letter]


def _duration(items: Sequence[Item]) -> Duration | None:
    number, unit = _first(items, "n1"), _first(items, "u")
    if unit is None:
        return None
    count = int(number.value) if number is not None else 1
    return (
        Duration(unit.value, count, vague=number is None or number.letter == "1")
        if 0 < count <= 366
        else None
    )


def _some_nights(items: Sequence[Item]) -> Built:
    """ "3 to 5 nights": no length to count with."""
    return SpanWords(items[3].value, past=True) if items[3].value in ("night", "day") else None


def _plain_duration(items: Sequence[Item]) -> Built:
    return _duration(items)


def _offset(sign: int) -> Builder:
    def build(items: Sequence[Item]) -> Built:
        duration = _duration(items)
        today = _first(items, "r")
        if duration is None or (today is not None and today.value != 0):
            return None
        return DateWords(days=sign * duration.days, months=sign * duration.months, past=sign < 0)

    return build


def _offset_from_today(items: Sequence[Item]) -> Built:
    unit = _first(items, "u")
    return None if unit is None or unit.value == NIGHT else _offset(1)(items)


def _holiday(items: Sequence[Item]) -> Built:
    item = _first(items, "h")
    assert item is not None
    if ".." in item.value:
        return SpanWords("holiday", holiday=item.value, year=_value(items, "y"))
    return DateWords(holiday=item.value, year=_value(items, "y"), past=_which(items) == "last")


def _span(items: Sequence[Item]) -> Built:
    unit, part, which = _first(items, "u"), _first(items, "e"), _which(items)
    assert unit is not None
    if unit.value in ("night", "day", "fortnight"):
        return None
    # "this year" alone names no time: the year has no end of rooms.
    past = which == "last" or (unit.value == "year" and part is None and which != "next")
    return SpanWords(unit.value, which or "this", part=part.kind if part else None, past=past)


def _next_few(items: Sequence[Item]) -> Built:
    duration = _duration(items)
    return None if duration is None else SpanWords(duration.unit, "next", count=duration.count, index=0)


def _month(items: Sequence[Item]) -> Built:
    part, ahead = _first(items, "e"), _years_ahead(items)
    if ahead is WRONG:
        return None
    which = _which(items) if ahead is None else None
    return SpanWords(
        "month",
        which,
        part=part.kind if part else None,
        month=_value(items, "mv"),
        year=_value(items, "y"),
        ahead=ahead,
        past=which == "last",
    )


def _weekend(items: Sequence[Item]) -> Built:
    return SpanWords(items[0].value, "this") if items[0].value in ("weekend", "long_weekend") else None


def _week_number(items: Sequence[Item]) -> Built:
    unit = _first(items, "u")
    number = _value(items, "n") or 0
    if (unit is not None and unit.value != "week") or not 1 <= number <= 53:
        return None
    return SpanWords("week", index=number, year=_value(items, "y"))


def _week_of_month(items: Sequence[Item]) -> Built:
    unit = _first(items, "u")
    if unit is None or unit.value not in ("week", "weekend"):
        return None
    index = _value(items, "nopP") or -1
    return SpanWords(unit.value, month=_value(items, "mv"), year=_value(items, "y"), index=index)


def _season(items: Sequence[Item]) -> Built:
    item = _first(items, "s")
    assert item is not None
    return SpanWords("season", _which(items), season=item.value, year=_value(items, "y"))


def _year(items: Sequence[Item]) -> Built:
    return SpanWords("year", year=_value(items, "y"))


_BEFORE = "(?<=[fbOALB&FIi<>-])"
_RULES: tuple[tuple[str, Builder], ...] = (
    ("X", _numeric),
    (_BEFORE + "Y|Y(?=[-b])", _numeric),
    ("(?:[xtc]u,?O?)?(?:[xtc]?[wz],?O?)?[nopP][.-]?[mv](?:[,-]?y|,?O?[xtc]u)?", _day_month),
    ("(?:[wz],?)?[mv]-?O?[nopP](?![u#])(?:,?y|,?O?[xtc]u)?", _day_month),
    ("[xtc]?[wz],?O?[opP]|[wz],?n(?![u#])", _weekday_and_day),
    (f"o|{_BEFORE}p|p(?=[-b&])|{_BEFORE}P(?![_u])|P(?=[-b])", _day_of_month),
    ("[opP][Oi]*[xtc]?u", _day_of_month),
    (f"[xtcl]?w,?r?|wc|{_BEFORE}z|[xtcl]z|z(?=[-b])", _weekday),
    ("w,?[Oi]?[xtcH]u|[xtcH]u,?O?w|w,?[Oi]?uH|Hw|wH", _weekday_of_week),
    ("w,?i[n1]u|[n1]uOw", _weekday_in_weeks),
    ("wu(?!n)", _weekday_and_week),
    ("[rR]|(?<=f)N", _relative),
    ("u>(?=[.#]|$)", _day_after),
    ("r?,?i[n1]u|[n1]ug|[n1]ufN", _offset(1)),
    ("[n1]?ur|(?<!F)[n1]ufr", _offset_from_today),
    ("[n1]ua|<[n1]u", _offset(-1)),
    ("[xtcl]?h,?y?", _holiday),
    ("e?[Oi]?[xtclH]ue?|uH|eO?u", _span),
    ("[xtc][n1]u", _next_few),
    (f"(?:[xtc]u,?)?(?:e-?)?i?[xtcl]?m(?:,?y|,?O?[xtc]u)?|e-?[xt]?v|{_BEFORE}v|vy", _month),
    ("(?<=[FOiIft])u", _weekend),
    ("(?:ku?|(?<![n1opP])u)n(?![u#])(?:[,/-]?y)?", _week_number),
    ("[opPl]u[iO]?[mv]y?", _week_of_month),
    ("[xtc]s|(?<=[iIO])s", _season),
    ("(?<=[iI])y", _year),
    ("[n1]-?u|n_u", _plain_duration),
    ("n[-b]nu", _some_nights),
)
RULES = tuple((re.compile(pattern), build) for pattern, build in _RULES)
ORDINAL_MONTH = (re.compile("[pP][pP]"), _ordinal_month)
_LETTERS: dict[type, str] = {DateWords: "D", SpanWords: "P", Duration: "T"}


def read_atoms(items: Sequence[Item], *, ordinal_months: bool) -> list[Atom]:
    """Join units into atoms, in order."""
    row = "".join(item.letter for item in items)
    rules = (*RULES, ORDINAL_MONTH) if ordinal_months else RULES
    atoms: list[Atom] = []
    at = 0
    while at < len(items):
        size, built = _best(rules, row, items, at)
        if built is None:
            atoms.append(_single(items[at]))
            at += 1
            continue
        at += size
        if isinstance(built, DateWords) and row[at : at + 1] == "u" and items[at].value == NIGHT:
            built, at = replace(built, night=True), at + 1
        atoms.append(Atom(_LETTERS[type(built)], built))
    return atoms


def _best(
    rules: Sequence[tuple[re.Pattern[str], Builder]], row: str, items: Sequence[Item], at: int
) -> tuple[int, Built]:
    best: tuple[int, Built] = (0, None)
    for pattern, build in rules:
        match = pattern.match(row, at)
        if match is None or match.end() - at <= best[0]:
            continue
        built = build(items[at : match.end()])
        if built is not None:
            best = (match.end() - at, built)
    return best


def _single(item: Item) -> Atom:
    if item.letter in "npP" and 1 <= item.value <= 31:
        return Atom("d", DateWords(day=item.value))
    return Atom(item.letter, item.value, item.after)
