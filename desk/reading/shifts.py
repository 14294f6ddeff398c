"""Wishes that start from the stay asked for before: "one night longer", "a week later", "arrive a day earlier".

The language's `dates.toml` says in `[shift]` which words make a stay longer, shorter, earlier or later; the
grammar is written over their letters, as that of dates is. What is only told ("we came a day later than
planned") is no wish.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from desk.languages import Language
from desk.reading.almanac import DAY, add_months
from desk.reading.numbers import ARTICLE, CARDINAL, add_numbers
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, Token, tokens

End = Literal["arrival", "departure", "both"]

_LETTERS = {
    CARDINAL: "n", ARTICLE: "1", "unit": "u", "more": "m", "extra": "x", "add": "M", "extend": "X",
    "less": "s", "shorten": "S", "earlier": "e", "later": "l", "forward": "E", "postpone": "P",
    "following": "F", "definite": "D", "next": "N", "too": "p", "before": "<", "after": ">", "by": "b", "limit": "T",
    "arrive": "A", "depart": "L", "arrive_after": "q", "depart_after": "Q", "and": "&", "told": "!",
}  # fmt: skip
# (days, months) of the units that a stay can be shifted by.
_UNITS = {"night": (1, 0), "day": (1, 0), "week": (7, 0), "fortnight": (14, 0), "month": (0, 1)}
_ENDS = ".!?;:\n"
MOST_UNITS = 60  # a longer way from the stay asked for is another stay
_RULES = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"[n1M]D?u[e<]", "earlier"),
        (r"[n1M]D?ul", "later"),
        (r"e_?b[n1]u", "earlier"),
        (r"l_?b[n1]u", "later"),
        (r"[n1D]u>D?(?=[.,&p]|$)", "later"),
        (r"Du<D?(?=[.,&p]|$)|Due", "earlier"),
        (r"D?Fu|Dul|DNu", "later"),
        (r"E[_DpAL]{0,4}b?[n1]u|(?<!T)[n1]u[_Dp]{0,2}E", "earlier"),
        (r"P[_DpAL]{0,4}b?[n1]u|(?<!T)[n1]u[_Dp]{0,2}P", "later"),
        (r"M?[n1]?[mx]nu|M?[n1][mx]u|M[mx]u|M?xu", "longer"),
        (r"M[n1]?u|[n1]um|mb[n1]u", "longer"),
        (r"X[_Dp]{0,5}b?[n1]u|(?<!T)[n1]u[_Dp]{0,3}X", "longer"),
        (r"[n1]su|[n1]us|sb[n1]u", "shorter"),
        (r"S[_Dp]{0,5}b?[n1]u|(?<!T)[n1]u[_Dp]{0,3}S", "shorter"),
    )
)
_CLAUSE = re.compile(r"[.,&]")


@dataclass(frozen=True)
class Move:
    """One end of the stay, or both, moved by days or whole months; earlier is less than nothing."""

    end: End
    days: int
    months: int = 0

    def day(self, day: dt.date) -> dt.date:
        """The day moved. Raises OverflowError at the ends of the calendar."""
        return add_months(day, self.months) + self.days * DAY


@dataclass(frozen=True)
class Shift:
    """What a message moves, and where in the text it says so, or tells of it: (start, end) in characters."""

    moves: tuple[Move, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is moved."""
        return bool(self.moves)

    @property
    def nights(self) -> int:
        """How many nights more, or less than nothing: fewer."""
        return sum(move.days for move in self.moves if move.end == "departure" and not move.months)

    @property
    def whole(self) -> bool:
        """Whether the stay is moved as a whole and nothing else is changed."""
        return bool(self.moves) and all(move.end == "both" for move in self.moves)

    def of(self, arrival: dt.date, departure: dt.date) -> tuple[dt.date, dt.date]:
        """The stay moved. An arrival that would come after the departure takes it along."""
        for move in self.moves:
            along = move.end == "arrival" and move.day(arrival) >= departure
            if move.end in ("departure", "both") or along:
                departure = move.day(departure)
            if move.end in ("arrival", "both"):
                arrival = move.day(arrival)
        return arrival, departure


NO_SHIFT = Shift()


@dataclass(frozen=True)
class _Unit:
    letter: str
    value: object
    start: int
    end: int


@remembered
def _lexicon(language: Language) -> Lexicon:
    table, words = language.table("dates"), language.table("dates").get("shift", {})
    lexicon = Lexicon()
    lexicon.add(words.get("opaque", ()), "other")
    for name in ("days", "nights"):
        for phrases in table.get(name, {}).values():
            lexicon.add(phrases, "other")
    for kind, phrases in words.items():
        lexicon.add(phrases, kind)
    for kind in ("arrive", "depart", "before", "after", "and", "next"):
        lexicon.add(table.get("words", {}).get(kind, ()), kind)
    add_numbers(lexicon, language)
    lexicon.add_table(table.get("units", {}), "unit")
    return lexicon


def _units(text: str, language: Language) -> list[_Unit]:
    words = tokens(text)
    found = []
    for first, last, meaning in _lexicon(language).scan(words):
        start, end = words[first].start, words[last - 1].end
        if meaning is not None and meaning.kind == "skip":
            continue
        if meaning is not None:
            found.append(_Unit(_LETTERS.get(meaning.kind, "_"), meaning.value, start, end))
        else:
            found.append(_Unit(_plain_letter(words[first]), words[first].number, start, end))
    return found


def _plain_letter(token: Token) -> str:
    if token.number is not None:
        return "n"
    return "." if token.text in _ENDS else "," if token.text == "," else "&" if token.text in "&+" else "_"


def read_shift(text: str, language: Language) -> Shift:
    """What the message changes in a stay that was asked for before; nothing is moved when it says none."""
    units = _units(text, language)
    row = "".join(unit.letter for unit in units)
    moves: list[Move] = []
    spans: list[tuple[int, int]] = []
    found = sorted((match.start(), match.end(), kind) for match, kind in _matches(row))
    for start, end, kind in found:
        move = _move(units, row, start, end, kind)
        if move is None:
            continue
        spans.append((units[start].start, units[end - 1].end))
        if not _told(row, start, end) and move not in moves:
            moves.append(move)  # said twice, it is still one wish
    return Shift(tuple(moves), tuple(spans))


def _matches(row: str) -> list[tuple[re.Match[str], str]]:
    """What the rules find, the first rule first; no unit belongs to two."""
    found: list[tuple[re.Match[str], str]] = []
    for pattern, kind in _RULES:
        match = pattern.search(row)
        while match is not None:
            found.append((match, kind))
            row = row[: match.start()] + "=" * (match.end() - match.start()) + row[match.end() :]
            match = pattern.search(row)
    return found


def _told(row: str, start: int, end: int) -> bool:
    """Whether the part of the sentence around a match tells of the past."""
    before = max(row.rfind(".", 0, start), row.rfind(",", 0, start)) + 1
    after = next((at for at in range(end, len(row)) if row[at] in ".,"), len(row))
    return "!" in row[before:after]


def _move(units: Sequence[_Unit], row: str, start: int, end: int, kind: str) -> Move | None:
    unit = next(unit for unit in units[start:end] if unit.letter == "u")
    number = next((unit.value for unit in units[start:end] if unit.letter == "n"), 1)
    count = number if isinstance(number, int) else 1
    if unit.value not in _UNITS or not 0 < count <= MOST_UNITS:
        return None
    if "N" in row[start:end] and unit.value != "day":
        return None  # the next week is counted from today
    days, months = _UNITS[str(unit.value)]
    sign = -1 if kind in ("earlier", "shorter") else 1
    moved: End = "departure" if kind in ("longer", "shorter") else _end(row, start, end)
    if moved == "arrival" and (months or days >= 7):
        moved = "both"  # nobody who comes a week earlier means to stay a week longer
    return Move(moved, sign * count * days, sign * count * months)


def _end(row: str, start: int, end: int) -> End:
    """Which end is moved: the one whose word stands next to the match in its clause."""
    inside = row[start:end]
    before = _CLAUSE.split(row[:start])[-1]
    after = _CLAUSE.split(row[end:])[0]
    if after[:1] in ("q", "Q"):
        return "arrival" if after[0] == "q" else "departure"
    near = {letter: _distance(letter, before, inside, after) for letter in "AL"}
    if near["A"] == near["L"]:
        return "both"
    return "arrival" if near["A"] < near["L"] else "departure"


def _distance(letter: str, before: str, inside: str, after: str) -> int:
    """How far from the match the letter stands; further than any where it does not."""
    far = len(before) + len(after) + 1
    if letter in inside:
        return 0
    return min(
        len(before) - before.rfind(letter) if letter in before else far,
        after.find(letter) + 1 if letter in after else far,
    )
