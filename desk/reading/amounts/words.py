"""Numbers in words: "two hundred and five", "dreiundzwanzig", "quatre-vingt-dix", "mil millones"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from desk.reading.amounts.page import Mention, Page, number_values
from desk.reading.amounts.tables import WORD, Counting, Sense

_GAP = re.compile(r"[\s'-]{1,2}")
SHORTEST = 3  # letters of a number word that may begin another word ("zweitägig", "пятидневный")
LONGEST = 80  # letters of a number written as one word
ENGLISH_JOINS = 100  # "twenty and three" are two numbers, "a hundred and three" is one


@dataclass(frozen=True)
class Piece:
    """A word or phrase of the text with its sense."""

    start: int
    end: int
    sense: Sense
    joined: bool = False  # "and" is hung on it, as in Arabic


class Run:
    """Number words in a row, added up as they come."""

    def __init__(self, counting: Counting) -> None:
        """Nothing yet."""
        self._counting = counting
        self._total = 0
        self._current = 0
        self._lowest = 0  # the smallest scale so far
        self.pieces: list[Piece] = []

    @property
    def value(self) -> int:
        """What the words come to."""
        return self._total + self._current

    def take(self, piece: Piece, joined: bool) -> bool:
        """Add a word if it can go on from here; `joined` says that "and" stands before it."""
        sense = piece.sense
        fits = self._scaled(sense.scale) if sense.scale else self._added(sense.number or 0, joined)
        if fits:
            self.pieces.append(piece)
        return fits

    def _scaled(self, scale: int) -> bool:
        if scale == 100:
            if self._current >= 100 or self._current % 10 == 0 and self._current > 0:
                return False
            self._current = 100 * (self._current or 1)
        elif self._current:
            if self._lowest and scale >= self._lowest:
                return False
            self._total += self._current * scale
            self._current, self._lowest = 0, scale
        elif self._total:
            if scale <= self._lowest:
                return False
            self._total, self._lowest = self._total * scale, scale
        else:
            self._total, self._lowest = scale, scale
        return True

    def _added(self, number: int, joined: bool) -> bool:
        now = self._current
        if joined and self._counting.about.get("units_first") and number % 10 == 0 and 20 <= number < 100:
            fits = 0 < now % 100 < 10
        elif joined and self._counting.code == "en" and self.value < ENGLISH_JOINS:
            fits = False
        elif not self.pieces:
            fits = True
        elif number == 0 or (self._lowest and number >= self._lowest):
            fits = False
        else:
            fits = self._goes_on(number)
        if fits:
            self._current += number
        return fits

    def _goes_on(self, number: int) -> bool:
        now = self._current
        if now % 100 in self._counting.about.get("teens_after", ()) and now % 100 and number < 20:
            return True
        if number < 10:
            return now % 10 == 0 and now % 100 != 10
        return now % (100 if number < 100 else 1000) == 0


def number_words(page: Page, counting: Counting) -> Iterator[Mention]:
    """The numbers that stand in words. Of a word that may be none, the mention is not certain."""
    pieces = list(_pieces(page.text, counting))
    at = 0
    while at < len(pieces):
        run, at = _run(pieces, at, page.text, counting)
        if run is None:
            continue
        start, end = run.pieces[0].start, run.pieces[-1].end
        only = run.pieces[0].sense if len(run.pieces) == 1 else Sense()
        number = Fraction(run.value)
        short = bool(only.scale) and end - start < SHORTEST and page.text[start:end].isascii()
        if not short:
            doubtful = number in only.loose or number == 1
            values = number_values(number) | only.loose
            yield Mention(page.take(start, end), values, not doubtful, (start, end))


def _run(pieces: Sequence[Piece], at: int, text: str, counting: Counting) -> tuple[Run | None, int]:
    """The longest run of number words from `at`, or None, and where to go on."""
    run = Run(counting)
    if pieces[at].sense.number is None and not pieces[at].sense.scale:
        return None, at + 1
    joined = False
    end = at
    for i in range(at, len(pieces)):
        piece = pieces[i]
        if run.pieces and not _GAP.fullmatch(text[pieces[i - 1].end : piece.start] or " "):
            break
        counts = piece.sense.number is not None or piece.sense.scale
        if piece.sense.joins and not counts and run.pieces and not joined:
            joined = True
            continue
        if not counts or not run.take(piece, joined or piece.joined):
            break
        joined, end = False, i + 1
    return run, max(end, at + 1)


def loose_words(page: Page, counting: Counting) -> Iterator[Mention]:
    """What is left and may be a number: "a", "both", "second", "zweitägig"."""
    for piece in _pieces(page.text, counting):
        if piece.sense.loose:
            span = (piece.start, piece.end)
            yield Mention(page.take(*span), frozenset(piece.sense.loose), certain=False, span=span)
    for match in page.found(WORD):
        word = match.group()
        for end in range(len(word) - SHORTEST, SHORTEST - 1, -1):
            sense = counting.exact.get((word[:end],))
            if sense is not None and sense.number is not None:
                span = (match.start(), match.start() + end)
                yield Mention(word, frozenset({Fraction(sense.number)}), certain=False, span=span)
                break


def _pieces(text: str, counting: Counting) -> Iterator[Piece]:
    """The text's words and phrases that have a sense; one that has none comes as one without."""
    words = list(WORD.finditer(text))
    at = 0
    while at < len(words):
        for size in range(min(counting.longest, len(words) - at) or 1, 0, -1):
            part = words[at : at + size]
            gaps = (text[a.end() : b.start()] for a, b in pairwise(part))
            sense = counting.sense(tuple(word.group() for word in part))
            if sense is not None and all(_GAP.fullmatch(gap) for gap in gaps):
                yield Piece(part[0].start(), part[-1].end(), sense)
                break
        else:
            size = 1
            yield from _inside(words[at], counting)
        at += size


def _inside(word: re.Match[str], counting: Counting) -> Iterator[Piece]:
    """A word that is made of number words, or that has "and" hung on it."""
    start, end = word.span()
    glued = str(counting.about.get("glued_and", ""))
    if glued and word.group().startswith(glued):
        sense = counting.sense((word.group()[len(glued) :],))
        yield Piece(start, end, sense or Sense(), joined=True)
        return
    compound = counting.about.get("compound") and end - start <= LONGEST
    parts = _split(word.group(), counting) if compound else ()
    if not parts:
        yield Piece(start, end, Sense())
    for part in parts:
        yield Piece(start, start + len(part), counting.exact[(part,)])
        start += len(part)


def _split(word: str, counting: Counting) -> tuple[str, ...]:
    """The number words that a word is made of from end to end, or none."""
    for end in range(len(word), 1, -1):
        sense = counting.exact.get((word[:end],))
        if sense is None or not (sense.number is not None or sense.scale or sense.joins):
            continue
        if end == len(word):
            return (word,)
        if rest := _split(word[end:], counting):
            return (word[:end], *rest)
    return ()
