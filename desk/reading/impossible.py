"""Wishes that nobody can fulfil: "400 nights", "1.5 nights", "for 0 people", "32 January", "in March 9999".

Told by form, before the grammar of dates reads on: it would pass over a number that it has no use for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from desk.languages import Language
from desk.reading.people import read_people
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, Token, folded, plain, tokens
from desk.reading.units import date_lexicon

Impossible = Literal["no_such_date", "past", "too_far", "too_long", "no_nights", "part_night", "no_guests"]
# The dates beside these can be used once the guest has mended the rest.
MENDABLE = frozenset({"too_long", "no_nights", "part_night", "no_guests"})
LONGEST = 366  # nights of a stay: the hotels' calendars are open for a year
YEARS = range(1990, 2101)  # what `units.py` takes for a year
LAST_DAY = 31
YEAR_DIGITS = 4
_DAYS = {"night": 1, "day": 1, "week": 7}
_NUMBER = re.compile(r"(?<![\w€$£.,:/+-])\d+(?:[.,]\d+)*(?![\d:/%€$£]|\s?[€$£%])")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")


@dataclass(frozen=True)
class Found:
    """What cannot be, and where its number stands, (start, end) in characters."""

    problem: Impossible
    span: tuple[int, int]


@dataclass(frozen=True)
class _Number:
    """A number: its value (None for a fraction), its digits, and the kinds of word before and behind it."""

    value: int | None
    digits: str
    before: str
    behind: str
    later: str
    span: tuple[int, int]


@remembered
def _people(language: Language) -> Lexicon:
    words = language.table("people").get("words", {})
    lexicon = Lexicon()
    for kind in ("person", "people", "adult", "adults"):
        lexicon.add(words.get(kind, ()), "people")
    return lexicon


@remembered
def _marks(language: Language) -> Lexicon:
    """Words that settle what a number is: of another time or age, or that some part of a night is meant."""
    lexicon = Lexicon()
    for kind, phrases in language.table("dates").get("impossible", {}).items():
        lexicon.add(phrases, kind)
    return lexicon


def read_impossible(text: str, language: Language) -> Found | None:
    """The first thing in a message that no stay can be, or None."""
    row = tokens(text)
    for first, last, meaning in _marks(language).scan(row):
        if meaning is not None and meaning.kind == "part":
            return Found("part_night", (row[first].start, row[last - 1].end))
    for number in _numbers(text, row, language):
        problem = _of_length(number) or _of_date(number)
        if problem is None and number.value == 0 and number.behind == "people":
            problem = None if read_people(text, language) else "no_guests"
        if problem is not None:
            return Found(problem, number.span)
    return None


def _of_length(number: _Number) -> Impossible | None:
    unit = number.behind.removeprefix("unit ")
    if unit not in _DAYS or number.later == "other_time":
        return None
    if number.value is None:
        return "part_night"
    if number.value == 0:
        return "no_nights"
    return "too_long" if number.value * _DAYS[unit] > LONGEST else None


def _of_date(number: _Number) -> Impossible | None:
    if number.value is None:
        return None
    named = number.before in ("month", "weak_month") and len(number.digits) >= YEAR_DIGITS
    if number.before == "unit year" or named:
        if number.value in YEARS or number.behind in ("unit night", "unit day", "people"):
            return None
        return "no_such_date" if number.value == 0 else "past" if number.value < YEARS[0] else "too_far"
    of_month = number.behind == "month" or (number.before == "month" and not number.behind)
    strange = LAST_DAY < number.value < 10**2 or number.digits in ("0", "00")
    return "no_such_date" if of_month and strange else None


def _numbers(text: str, row: Sequence[Token], language: Language) -> Iterator[_Number]:
    zero = {folded(word) for word in language.table("dates").get("impossible", {}).get("zero", ())}
    for match in _NUMBER.finditer(plain(text)):
        yield _number(match[0], match.span(), row, language)
    for token in row:
        if token.text in zero:
            yield _number("0", (token.start, token.end), row, language)


def _number(digits: str, span: tuple[int, int], row: Sequence[Token], language: Language) -> _Number:
    grouped = _GROUPED.fullmatch(digits) is not None
    bare = re.sub(r"[.,]", "", digits) if grouped else digits
    before = [token for token in row if token.end <= span[0] and token.text not in (",", ".", "-")]
    behind = [token for token in row if token.start >= span[1]]
    while behind and (
        behind[0].text in (".", "-", *_suffixes(language)) or _kind(behind, language)[1] == "skip"
    ):
        behind = behind[1:]
    size, kind = _kind(behind, language)
    if kind == "weak_month" and behind and behind[0].start > span[1] + 1:
        kind = "month"  # "the 40th of May", not "45 may be"
    return _Number(
        value=int(bare) if bare.isdecimal() else None,
        digits=bare,
        before=_kind(before[-1:], language)[1],
        behind=kind,
        later=_kind(behind[size:], language)[1],
        span=span,
    )


@remembered
def _suffixes(language: Language) -> frozenset[str]:
    return frozenset(folded(suffix) for suffix in language.table("numbers").get("ordinal_suffixes", ()))


def _kind(row: Sequence[Token], language: Language) -> tuple[int, str]:
    """How many words stand for what at the head of a row: a month, a unit, people, another time, or nothing."""
    if not row:
        return 0, ""
    for lexicon in (_marks(language), _people(language)):
        hit = lexicon.match(row, 0)
        if hit is not None:
            return hit[0], hit[1].kind
    hit = date_lexicon(language).match(row, 0)
    if hit is None:
        return 1, "word" if row[0].text.isalpha() else ""
    if hit[1].kind == "unit":
        return hit[0], f"unit {hit[1].value}"
    return hit[0], hit[1].kind
