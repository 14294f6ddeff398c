"""A message as a row of semantic units: NUMBER, MONTH, WEEKDAY, FROM, TO, FOR …

The language's `dates.toml` says which words are which unit; digits, all-digit dates and what only looks
like a date (prices, times, phones, references) are told by their form. Each unit has a letter, so that
the grammar (`atoms.py`, `roles.py`) can be written as regular expressions over rows of letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from desk.languages import Language
from desk.reading.numbers import ARTICLE, CARDINAL, ORDINAL, add_numbers, digits_at, ordinal_suffixes
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, Token, fold, folded, plain, spellings, tokens

NEAR = 40  # characters behind a number in which the words that make it a time of day stand
LETTERS = {
    CARDINAL: "n", ARTICLE: "1", "dated": "o", "dotted": "p", ORDINAL: "P", "year": "y",
    "month": "m", "weak_month": "v", "weekday": "w", "weak_weekday": "z", "unit": "u",
    "day": "r", "night": "R", "now": "N", "season": "s", "holiday": "h", "week_number": "k",
    "next": "x", "after_next": "H", "this": "t", "coming": "c", "last": "l",
    "in": "i", "during": "I", "ago": "a", "hence": "g",
    "from": "f", "to": "b", "overnight": "Q", "between": "B", "and": "&", "for": "F", "on": "O",
    "arrive": "A", "depart": "L", "before": "<", "after": ">",
    "early": "e", "mid": "e", "late": "e",
    "from_after": "U", "to_after": "V", "depart_after": "W",
    "month_suffix": "q", "day_suffix": "j",
    "numeric": "X", "weak_numeric": "Y", "other": "_", "noise": "#",
}  # fmt: skip
_AFTER = ("from_after", "to_after", "depart_after")
_MARKS = {"-": "-", "/": "/", ",": ",", ".": ".", "?": ".", "!": ".", ";": "."}


@dataclass(frozen=True)
class Item:
    """One unit: its letter, its value, where it stands, and its other letter when it follows a date."""

    letter: str
    value: Any
    start: int
    end: int
    after: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Numeric:
    """An all-digit date: `parts` as written, the mark between them, year first or not."""

    parts: tuple[int, ...]
    mark: str


_NUMERIC = re.compile(
    r"(?<![\d.,/])(?:"
    r"(?P<y>\d{4})(?P<m1>[-/.])(?P<a>\d{1,2})(?P=m1)(?P<b>\d{1,2})"
    r"|(?P<c>\d{1,2})(?P<m2>[./-])\s?(?P<d>\d{1,2})(?P=m2)\s?(?P<e>\d{4}|\d{2})"
    r"|(?P<f>\d{1,2})\.\s?(?P<g>\d{1,2})\.(?!\d)"
    r"|(?!24/7\b)(?P<h>\d{1,2})/(?P<i>\d{1,2})(?![/\d])"
    r"|(?P<j>\d{1,2})\.(?P<k>\d{1,2})(?!\d)"
    r")(?![\d])"
)
_AMOUNT = r"\d+(?:[.,' ]\d{3})*(?:[.,]\d{1,2})?"
_SYMBOL = r"[$€£¥₹₺₽₩¢฿]"
_NOISE = re.compile(
    rf"{_SYMBOL}\s?{_AMOUNT}(?:\s?-\s?{_AMOUNT})?|{_AMOUNT}\s?(?:{_SYMBOL}(?!\s?\d)|%|‰|°)"
    r"|\b\d{1,2}:\d{2}\b|\b\d{1,2}h\d{2}\b|(?<![\d/])24/7(?![\d/])"
    r"|\+\d[\d\s()/-]{6,}\d|\b0\d{2,4}[\s/-]\d{3,}(?:[\s-]\d+)*|\b\d{9,}\b"
    r"|\b[A-Za-z]{2,3}-?\d{3,6}\b|\b\d{1,3}(?:\.\d{3})+\b|\b\d{1,3}(?:,\d{3})*,000\b",
)


def _numeric(match: re.Match[str]) -> tuple[str, Numeric] | None:
    group = {name: value for name, value in match.groupdict().items() if value is not None}
    if "y" in group:
        return "numeric", Numeric((int(group["y"]), int(group["a"]), int(group["b"])), "iso")
    if "e" in group:
        if group["m2"] == "-" and len(group["e"]) == 2:
            return None
        year = int(group["e"]) + (2000 if len(group["e"]) == 2 else 0)
        return "numeric", Numeric((int(group["c"]), int(group["d"]), year), group["m2"])
    for first, second, kind, mark in (
        ("f", "g", "numeric", "."), ("h", "i", "numeric", "/"), ("j", "k", "weak_numeric", "."),
    ):  # fmt: skip
        if first in group:
            parts = (int(group[first]), int(group[second]))
            return (kind, Numeric(parts, mark)) if _can_be_date(parts, mark) else None
    return None


def _can_be_date(parts: tuple[int, int], mark: str) -> bool:
    day_first = 1 <= parts[0] <= 31 and 1 <= parts[1] <= 12
    return day_first or (mark == "/" and 1 <= parts[1] <= 31 and 1 <= parts[0] <= 12)


@remembered
def date_lexicon(language: Language) -> Lexicon:
    """The language's date words, each with its unit."""
    table = language.table("dates")
    weak = frozenset(folded(word) for word in table.get("weak", ()))
    lexicon = Lexicon()
    lexicon.add(table.get("words", {}).get("opaque", ()), "other")
    for name, kind in (("months", "month"), ("weekdays", "weekday")):
        for key, words in table.get(name, {}).items():
            lexicon.add([word for word in words if folded(word) in weak], f"weak_{kind}", int(key))
            lexicon.add([word for word in words if folded(word) not in weak], kind, int(key))
    lexicon.add_table(table.get("units", {}), "unit")
    lexicon.add_table(table.get("days", {}), "day")
    lexicon.add_table(table.get("nights", {}), "night")
    lexicon.add_table(table.get("seasons", {}), "season")
    lexicon.add_table(table.get("holidays", {}), "holiday")
    for kind, words in table.get("words", {}).items():
        if kind not in _AFTER:
            lexicon.add(words, kind, kind)
    for kind in _AFTER:
        lexicon.add(table.get("words", {}).get(kind, ()), kind, kind)
    add_numbers(lexicon, language)
    return lexicon


@remembered
def _after_words(language: Language) -> dict[str, str]:
    words = language.table("dates").get("words", {})
    return {
        " ".join(token.text for token in tokens(phrase)): LETTERS[kind]
        for kind in _AFTER
        for phrase in words.get(kind, ())
    }


def _spans(text: str, masks: Iterable[tuple[int, int]]) -> dict[int, tuple[int, str, Any]]:
    """Spans told by their form: start → (end, kind, value). Masks are for what other readers own."""
    found: dict[int, tuple[int, str, Any]] = {start: (end, "noise", None) for start, end in masks}
    clean = plain(text)
    for match in _NUMERIC.finditer(clean):
        numeric = _numeric(match)
        if numeric and not _priced(clean, match.start(), match.end()):
            found.setdefault(match.start(), (match.end(), *numeric))
    taken = [(start, end) for start, (end, _, _) in found.items()]
    for match in _NOISE.finditer(clean):
        if all(match.end() <= start or match.start() >= end for start, end in taken):
            found[match.start()] = (match.end(), "noise", None)
    return found


def _priced(text: str, start: int, end: int) -> bool:
    before, after = text[:start].rstrip()[-1:], text[end:].lstrip()[:1]
    return bool(re.match(_SYMBOL, before) or re.match(rf"{_SYMBOL}|%", after))


def read_units(text: str, language: Language, masks: Sequence[tuple[int, int]] = ()) -> list[Item]:
    """The message as units, in order. `masks` are (start, end) of what must not be read as dates."""
    words = tokens(text)
    spans = _spans(text, masks)
    lexicon, after = date_lexicon(language), _after_words(language)
    suffixes = ordinal_suffixes(language)
    items: list[Item] = []
    at = 0
    while at < len(words):
        if words[at].start in spans:
            end, kind, value = spans[words[at].start]
            items.append(Item(LETTERS[kind], value, words[at].start, end, kind=kind))
            while at < len(words) and words[at].start < end:
                at += 1
            continue
        size, item = _unit_at(words, at, lexicon, after, suffixes)
        items.append(item)
        at += size
    return _times_out([item for item in items if item.kind != "skip"], text, language)


def _unit_at(
    words: Sequence[Token], at: int, lexicon: Lexicon, after: dict[str, str], suffixes: frozenset[str]
) -> tuple[int, Item]:
    start = words[at].start
    hit = lexicon.match(words, at)
    digits = digits_at(words, at, suffixes)
    if digits and (hit is None or hit[0] < digits[0]):
        size, kind, value = digits
        if kind == ORDINAL:
            # "18th" is hardly anything but a day; "18." may just end a sentence.
            kind = "dotted" if words[at + 1].text == "." else "dated"
        if kind == CARDINAL and 1990 <= value <= 2100 and len(words[at].text) == 4:
            kind = "year"
        return size, Item(LETTERS[kind], value, start, words[at + size - 1].end, kind=kind)
    if hit is None:
        letter = _MARKS.get(words[at].text, "_")
        kind = "other" if letter == "_" else "mark"
        return 1, Item(letter, words[at].text, start, words[at].end, kind=kind)
    size, meaning = hit
    phrase = " ".join(token.text for token in words[at : at + size])
    letter = LETTERS.get(meaning.kind, "_")
    end = words[at + size - 1].end
    return size, Item(letter, meaning.value, start, end, after.get(phrase, ""), meaning.kind)


def _times_out(items: list[Item], text: str, language: Language) -> list[Item]:
    """Turn numbers that are times of the day into noise: "at 8", "11 Uhr", "7 p.m."."""
    table = language.table("dates").get("time", {})
    before = {folded(word) for word in table.get("before", ())}
    after = [spellings(word)[0] for word in table.get("after", ())]

    def is_time(position: int) -> bool:
        item = items[position]
        if item.letter not in "nY" or (item.letter == "n" and item.value > 24):
            return False
        rest = tuple(token.text for token in tokens(text[item.end : item.end + NEAR])[:4])
        if any(rest[: len(word)] == word for word in after):
            return True
        previous = items[position - 1] if position else None
        following = items[position + 1].letter if position + 1 < len(items) else ""
        return (
            item.letter == "n"
            and previous is not None
            and fold(text[previous.start : previous.end]) in before
            and following not in ("m", "v", "u", "b", "-", "q", "j")
        )

    return [
        Item("#", None, item.start, item.end, kind="noise") if is_time(position) else item
        for position, item in enumerate(items)
    ]
