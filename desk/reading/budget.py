"""The most that a guest wants to pay for a room: "under €120", "höchstens 100 Euro die Nacht", "400 in total".

An amount is one only where the guest speaks of a room, or of what was listed for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from desk.languages import Language
from desk.reading.numbers import CARDINAL, digits_at, ordinal_suffixes
from desk.reading.text import Lexicon, Token, contains, plain, tokens
from desk.reading.units import date_lexicon, read_units
from desk.reading.words import (
    amount_lexicon,
    other_price_lexicon,
    read_sleeps,
    says,
    type_lexicon,
    word_lexicon,
)

_SUM = re.compile(
    r"(?<![\d.,])(?:[$€£]\s?)?(\d{1,3}(?:[.,]\d{3})+(?!\d)|\d+(?:[.,]\d{1,2}(?!\d))?)(?:\s?[$€£](?!\s?\d))?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_PARTS = re.compile(r"[!?;]|(?<!\d)\.|,(?!\d)")
DATED = frozenset("mwrNXRu")  # units that a stay's days or nights are said with
BESIDE = 2  # characters between the amount and the word that makes it a limit
NEAR = 4  # words behind an amount in which "for three nights" stands
LEAST = 20  # a bare number behind the word "budget" below this is none


@dataclass(frozen=True)
class Budget:
    """The most that is to be paid, a night or with `whole` for the whole stay."""

    amount: float
    whole: bool = False


def read_budget(text: str, language: Language, listed: bool = False) -> Budget | None:
    """The guest's limit for a room, or None. What something else may cost ("a taxi for under 20 euros") is none.

    `listed`: the desk has just put rooms before the guest; a limit alone ("and under 90 euros?") is about those.
    """
    row = tokens(text)
    limits = _spans(word_lexicon("budget", language), row)
    for start, end, amount in _amounts(text, row, language):
        near = any(0 <= start - last <= BESIDE or 0 <= first - end <= BESIDE for first, last in limits)
        if near and _for_a_room(text, start, language, listed):
            return Budget(amount, _whole(text, row, end, language))
    return None


def _for_a_room(text: str, start: int, language: Language, listed: bool) -> bool:
    """Whether the amount that starts here is for a room: what its own part of the message speaks of tells it,
    else the nearest part before that speaks of either, else the nearest behind."""
    ends = [match.start() for match in _PARTS.finditer(plain(text))]
    bounds = [0, *ends, len(text)]
    parts = [text[first:last] for first, last in pairwise(bounds)]
    own = sum(end < start for end in ends)
    order = [*reversed(parts[: own + 1]), *parts[own + 1 :]]
    return next((about for part in order if (about := _about_a_room(part, language)) is not None), listed)


def _about_a_room(part: str, language: Language) -> bool | None:
    """Whether this part speaks of a room or a stay; False when of something else with a price; None for neither."""
    if any(meaning.kind == "other" for meaning in contains(other_price_lexicon(language), part)):
        return False
    said = any(says(kind, [part], [language]) for kind in ("lodging", "nightly", "any", "budget_named"))
    named = contains(type_lexicon(language), part) or read_sleeps([part], [language])
    return True if said or named or any(i.letter in DATED for i in read_units(part, language)) else None


def _spans(lexicon: Lexicon, row: Sequence[Token]) -> list[tuple[int, int]]:
    return [(row[first].start, row[last - 1].end) for first, last, meaning in lexicon.scan(row) if meaning]


def _amounts(text: str, row: Sequence[Token], language: Language) -> Iterator[tuple[int, int, float]]:
    """Sums of money: (start, end, amount), what they are for ("a night") included. A bare number is one behind
    the word "budget" only."""
    clean = plain(text)
    ends = {token.end: at + 1 for at, token in enumerate(row)}
    lexicon, named = amount_lexicon(language), word_lexicon("budget_named", language)
    bare = [end for _, end in _spans(named, row)]
    for match in _SUM.finditer(clean):
        value, next_ = _value(match[1]), ends.get(match.end())
        behind = _past(lexicon, row, next_) if next_ is not None else next_
        priced = match[0] != match[1] or behind != next_
        sum_ = value >= LEAST and not _YEAR.fullmatch(match[1])
        if priced or (sum_ and any(0 <= match.start() - end <= BESIDE for end in bare)):
            yield match.start(), row[behind - 1].end if behind else match.end(), value


def _past(lexicon: Lexicon, row: Sequence[Token], at: int) -> int:
    """The first token behind the words that make the number before them a price."""
    while at < len(row) and (hit := lexicon.match(row, at)) is not None:
        at += hit[0]
    return at


def _value(digits: str) -> float:
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", digits):
        return float(re.sub(r"[.,]", "", digits))
    return float(digits.replace(",", "."))


def _whole(text: str, row: Sequence[Token], end: int, language: Language) -> bool:
    """Whether the amount that ends here is for the whole stay: so it is said, or "for 3 nights" follows it."""
    if says("nightly", [text], [language]):
        return False
    return says("in_all", [text], [language]) or _nights_follow(row, end, language)


def _nights_follow(row: Sequence[Token], end: int, language: Language) -> bool:
    """Whether "for three nights" stands there, and not "for a night"."""
    rest = [token for token in row if token.start >= end][:NEAR]
    lexicon, suffixes = date_lexicon(language), ordinal_suffixes(language)
    kinds = []
    for at in range(len(rest)):
        hit = lexicon.match(rest, at)
        kinds.append("number" if digits_at(rest, at, suffixes) else hit[1].kind if hit else "")
    kinds = [kind for kind in kinds if kind != "skip"][:3]
    return kinds[:1] == ["for"] and kinds[1:2] in (["number"], [CARDINAL]) and kinds[2:] == ["unit"]
