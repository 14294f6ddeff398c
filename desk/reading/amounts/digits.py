"""Numbers in digits: separators as the locale has them, scales in words, fractions, decades, telephone numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction

from desk.reading.amounts.page import Mention, Page, Value, number_values, place
from desk.reading.amounts.tables import WORD, Counting

SPACES = " \u00a0\u2009\u202f"
_ENDLESS = re.compile(r"\d{20,}")  # no amount: too long to be counted with
_PHONE = re.compile(r"\+\d[\d ()/.\u00a0-]{6,}\d")
_SMALL = re.compile(r"(?:(?<!\d)(\d{1,6})[ \u00a0]?)?([¼½¾⅐-⅞])")
_NUMBER = re.compile(r"\d+(?:[.,'٬٫]\d+)*")
_SPACED = re.compile(rf"\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?!\d)(?:[.,]\d+)?")
_NARROW = re.compile(r"\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d+)?")
_FRACTION = re.compile(r"(?<![\d/.,])(\d{1,2})/(\d{1,2})(?![\d/])")
_GAP = re.compile(rf"[{SPACES}-]{{0,2}}")
_MONEY = re.compile(r"[€$£]\s?$")
_RANGE = re.compile(r"\s?-\s?|\s\w{1,4}\s")
_DECADE = re.compile(r"'?s\b|er\b")
GLUED = {"m": 10**6, "b": 10**9}  # after a sum of money: "$2m"


def phones(page: Page, counting: Counting) -> Iterator[Mention]:
    """Rows of digits that are no amounts: telephone numbers with their country, however they are grouped."""
    for match in page.found(_ENDLESS):
        text = page.take(*match.span())
        yield Mention(text, frozenset({text}), span=match.span())
    for match in page.found(_PHONE):
        text = page.take(*match.span())
        yield Mention(text, frozenset({"+" + re.sub(r"\D", "", text)}), span=match.span())


def small_fractions(text: str) -> tuple[str, list[Mention]]:
    """ "½" and "2½", which folding would take apart, and the text without them."""
    bare = _SMALL.sub(lambda match: " " * len(match.group()), text)
    found = []
    for match in _SMALL.finditer(text):
        part = Fraction(unicodedata.numeric(match.group(2))).limit_denominator(10)
        span = (place(bare, match.start()), place(bare, match.end()))
        found.append(Mention(match.group(), frozenset({int(match.group(1) or 0) + part}), span=span))
    return bare, found


def fractions(page: Page, counting: Counting) -> Iterator[Mention]:
    """ "1/3". A fraction may be a date, so its denominator asks for nothing."""
    for match in page.found(_FRACTION):
        over, under = int(match.group(1)), int(match.group(2))
        text = page.take(*match.span())
        shares: set[Value] = {Fraction(over, under)} if 0 < over < under <= 12 else set()
        yield Mention(text, number_values(Fraction(over)) | _month(over) | shares, span=match.span(1))
        yield Mention(text, number_values(Fraction(under)) | _month(under), not shares, match.span(2))


def _month(number: int) -> set[str]:
    return {f"m{number}"} if 1 <= number <= 12 else set()


def digit_numbers(page: Page, counting: Counting) -> Iterator[Mention]:
    """Every other number in digits, with the scale that follows it ("4 млн")."""
    grouping = _SPACED if counting.separators[1] in SPACES else _NARROW
    found: list[tuple[int, int, frozenset[Fraction], int]] = []
    for pattern in (grouping, _NUMBER):
        for match in page.found(pattern):
            text = page.take(*match.span())
            scale, end = _scale(page, match.start(), match.end(), counting)
            page.take(match.end(), end)
            found.append((match.start(), end, parse(text, counting), scale))
    found.sort()
    for at, (start, end, numbers, scale) in enumerate(found):
        values = frozenset[object]().union(*(number_values(number * scale) for number in numbers))
        follows = found[at + 1] if at + 1 < len(found) else None
        if scale == 1 and follows and follows[3] > 1 and _RANGE.fullmatch(page.text[end : follows[0]]):
            values |= {number * follows[3] for number in numbers}  # "3 to 4 million"
        if _DECADE.match(page.text, end):
            values |= {decade for number in numbers for decade in _decades(number)}
        elif page.text[start - 1 : start] == "'":
            values |= {number + 1900 for number in numbers if number < 100}  # '98
        yield Mention(str(next(iter(numbers))), values, span=(start, end))  # type: ignore[arg-type]


def parse(text: str, counting: Counting) -> frozenset[Fraction]:
    """The numbers that these digits can be: one, but where a language writes its separators both ways."""
    decimal, _ = counting.separators
    bare = re.sub(rf"[{SPACES}']", "", text).replace("٬", ",")
    if "٫" in bare:
        return frozenset({Fraction(bare.replace(",", "").replace("٫", "."))})
    signs = re.findall(r"[.,]", bare)
    if not signs:
        return frozenset({Fraction(bare)})
    last = signs[-1]
    head, tail = bare.rsplit(last, 1)
    grouped = frozenset({Fraction(re.sub(r"[.,]", "", bare))})
    pointed = frozenset({Fraction(re.sub(r"[.,]", "", head) + "." + tail)})
    if len(set(signs)) == 2:
        return pointed
    if len(signs) > 1:
        return grouped
    if len(tail) != 3 or head.startswith("0") or len(head) > 3:
        return pointed
    if counting.about.get("mixed_separators"):
        return grouped | pointed
    return pointed if last == decimal else grouped


def _scale(page: Page, start: int, end: int, counting: Counting) -> tuple[int, int]:
    """The scales after a number, multiplied ("3 mil millones"), and where they end."""
    scale = 1
    while True:
        gap = _GAP.match(page.text, end)
        word = WORD.match(page.text, gap.end() if gap else end)
        if word is None:
            return scale, end
        glued = word.start() == end
        sense = counting.sense((word.group(),))
        if glued and word.group() == "k":
            scale *= 1000
        elif glued and word.group() in GLUED and _MONEY.search(page.text[:start]):
            scale *= GLUED[word.group()]
        elif sense is not None and sense.scale and (glued or len(word.group()) > 1):
            scale *= sense.scale
        else:
            return scale, end
        end = word.end()


def _decades(number: Fraction) -> set[Fraction]:
    if number % 10:
        return set()
    return {number % 100} if number > 100 else {number + 1900}
