"""Times of day, numeric dates, and the names of weekdays and months."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from desk.reading.amounts.page import Mention, Page, Value, number_values
from desk.reading.amounts.tables import WORD, Counting

ENDINGS = 3  # letters that a language may hang on a name of the calendar ("listopadu", "Şubat'ta")
STEM = 5  # letters of a name that may lose its last one for them
_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_POINTED = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}|\d{2}))?(?!\d)")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})(?![\d/])")
_MONTHS = re.compile(r"(\d{1,2})\s?월")
_LONG = re.compile(r"(?<![\d:])(\d{1,2}):(\d\d):(\d\d)(?![\d:])")
_ZONED = re.compile(r"(?<![\d.,:])([01]\d|2[0-4])([0-5]\d)(?=\s?(?:gmt|utc|hrs|hours|uhr)\b)")
# The first hour of "5-7 pm".
_OPENING = re.compile(r"(?<![\d.,:/-])(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?:\s?-\s?|\s\w{1,4}\s)$")
_BEFORE, _AFTER = re.compile(r"\d[.,]?\s?$"), re.compile(r"[.,]{0,2}\s?\d")
_DAY = 24
NOON = 12


def numeric_dates(page: Page, counting: Counting) -> Iterator[Mention]:
    """Dates in digits. Where day and month cannot be told apart, either may be the month."""
    for match in page.found(_ISO):
        year, month, day = (int(group) for group in match.groups())
        start, end = match.span()
        page.take(start, end)
        # In the order of a written date, whose year stands last.
        yield from (_plain(day, start), _month_or_day(month, start + 1), _plain(year, start + 2))
    patterns = (_SLASHED,) if counting.separators[0] == "." else (_POINTED, _SLASHED)
    for pattern in patterns:
        for match in page.found(pattern):
            first, second = int(match.group(1)), int(match.group(2))
            if not (1 <= first <= 31 and 1 <= second <= 31):
                continue
            page.take(*match.span())
            yield from (_month_or_day(first, match.start(1)), _month_or_day(second, match.start(2)))
            if match.group(3):
                year = int(match.group(3))
                years = frozenset({Fraction(year), Fraction(year + 2000 * (year < 100))})
                yield Mention(match.group(3), years, span=match.span(3))
    for match in page.found(_MONTHS):
        page.take(*match.span())
        yield _month_or_day(int(match.group(1)), match.start())


def _plain(number: int, at: int) -> Mention:
    return Mention(str(number), number_values(Fraction(number)), span=(at, at + 1))


def _month_or_day(number: int, at: int) -> Mention:
    month = {f"m{number}"} if number <= 12 else set()
    return Mention(str(number), number_values(Fraction(number)) | month, span=(at, at + 1))


def clock(page: Page, counting: Counting) -> Iterator[Mention]:
    """Times of day: "14:00", "2 p.m.", "14 Uhr", "14h30", "下午3点"; "2:03:59" as one amount."""
    for match in page.found(_LONG):
        told = ":".join(str(int(group)) for group in match.groups())
        yield Mention(page.take(*match.span()), frozenset({told}), span=match.span())
    for match in page.found(_ZONED):
        page.take(*match.span())
        values = _hour(int(match.group(1)), int(match.group(2)), None)
        yield Mention(match.group(), values, span=match.span())
    for match in page.found(_times(counting)):
        hour, minute = int(match["hour"]), int(match["minute"] or match["beside"] or 0)
        half = next((h for g in ("before", "after", "late") if (h := _half(match[g], counting))), None)
        told = match["before"] or match["after"] or match["colon"] or match["beside"]
        if not told or hour > _DAY or minute > 59 or (half and hour > NOON and match["after"] is None):
            continue
        page.take(*match.span())
        digits = match.start("hour"), max(match.end(group) for group in ("hour", "minute", "beside"))
        yield Mention(match.group().strip(), _hour(hour, minute, half), span=digits)
        if opening := _OPENING.search(page.text[: match.start("hour")]):
            page.take(*opening.span())
            values = _hour(int(opening["hour"]), int(opening["minute"] or 0), half)
            values |= number_values(Fraction(opening["hour"]))
            yield Mention(opening["hour"], values, span=opening.span("hour"))


def _times(counting: Counting) -> re.Pattern[str]:
    halves = [*counting.listed("am"), *counting.listed("pm")]
    before = _any([*halves, *counting.listed("hour_before")], "before")
    after = _any([*halves, *counting.listed("hour_after")], "after")
    late = _any(halves, "late")  # "7 Uhr abends"
    return re.compile(
        rf"(?:{before}\s?)?(?<![\d.,:/])(?P<hour>\d{{1,2}})"
        r"(?:(?:(?P<colon>:)|\.)(?P<minute>\d\d)(?![\d:]|[.,]\d)|\s?(?:h|u|時|时|点|點|시)\s?(?P<beside>\d{1,2})\s?[分분]?(?![\d:]))?"
        rf"(?![\d:]|[.,/]\d)(?:\s?{after}(?:\s{late})?)?"
    )


def _any(words: list[str], name: str) -> str:
    """A pattern for one of the words; those of letters end where the word ends."""
    edged = [
        re.escape(w) + (r"(?![^\W\d_])" if w[-1] < "\u3000" and w[-1].isalpha() else "(?!間|间)")
        for w in words
    ]
    if name == "before":
        edged = [(r"(?<![^\W\d_])" if w[0] < "\u3000" else "") + w for w in edged]
    return f"(?P<{name}>{'|'.join(edged)})" if words else f"(?P<{name}>(?!))"


def _half(mark: str | None, counting: Counting) -> str | None:
    if mark is None:
        return None
    return next((half for half in ("am", "pm") if mark in counting.listed(half)), None)


def _hour(hour: int, minute: int, half: str | None) -> frozenset[Value]:
    """A time's values. A full hour may be bare in the other text; without its half it may be a duration too."""
    told = hour
    if half == "pm" and hour < NOON:
        hour += NOON
    if half == "am" and hour == NOON:
        hour = 0
    values: set[Value] = {f"t{hour % _DAY}:{minute:02}"}
    if minute == 0:
        values.add(f"b{told}{'p' if half == 'pm' else 'a'}")
    if minute == 0 and half is None:
        values.add(Fraction(told))
    return frozenset(values)


def calendar(page: Page, counting: Counting) -> Iterator[Mention]:
    """Weekdays and months by name. A name that is also a word counts only beside a digit."""
    doubtful = set(counting.listed("doubtful"))
    names = counting.calendar
    for name in sorted(names, key=len, reverse=True):
        if WORD.fullmatch(name.rstrip("*")) and name < "\u3000":
            continue  # one word of a script that parts its words: looked for as a word, below
        for match in page.found(re.compile(re.escape(name))):
            yield Mention(page.take(*match.span()), frozenset({names[name][0]}), span=match.span())
    for match in page.found(WORD):
        word = match.group()
        known = _name(word, counting)
        if known is None:
            continue
        value, short = names[known]
        before, after = page.text[: match.start()], page.text[match.end() :]
        beside = bool(_BEFORE.search(before) or _AFTER.match(after))
        if beside or not short:
            other = counting.sense((word,))  # "terça" is Tuesday or the third
            number = {Fraction(other.number)} if other and other.number is not None else set()
            certain = not number and (beside or word not in doubtful)
            yield Mention(page.take(*match.span()), frozenset({value, *number}), certain, match.span())


def _name(word: str, counting: Counting) -> str | None:
    """The name that a word is, with or without an ending."""
    names = counting.calendar
    if word in names:
        return word
    inflects = bool(counting.about.get("inflects_names"))
    beginnings = {word[:end] for end in range(1, len(word) + 1)}
    for name, (_, short) in names.items():
        stem = name[:-1]
        if stem not in beginnings:
            continue
        if name.endswith("*"):
            return name
        if short or len(name) < STEM or name in counting.listed("doubtful"):
            continue
        if word == f"{name}s" or (inflects and len(word) <= len(name) + ENDINGS):
            return name
    return None
