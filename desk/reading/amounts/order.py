"""Whether a text and its translation state their amounts in the same order, each with its own unit.

That both have a 12 and a 5 does not say that each belongs to the same thing. Where code cannot read what an amount
belongs to, its place among the others tells: so a faithful translation that puts them in another order is refused too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from desk.reading.amounts import MOST, Mention, Numbers, scanned
from desk.reading.amounts.page import Value
from desk.reading.amounts.tables import WORD

# "5 to 10 €": what stands between two amounts of one unit, in languages that part words by spaces.
_JOINS = re.compile(r"\s?(?:-|\b(?:to|bis|or|oder|and|und|à|a|al|au|et|y|e|o|ou|tot|en|до|do)\b)\s?")
# "half an hour", "five-minute", "2 Mio. Euro".
_BETWEEN = r"(?:(?<=[^\W\d_])\.)?[\s-]{0,2}(?:d'|(?:de|di|do|of) )?(?:(?:an?|ein\w*) )?"
_HALF = Fraction(1, 2)
_MILLE = frozenset({Fraction(1000)})  # "mille grazie": thanks, in words

Units = Mapping[str, Iterable[str]]


@dataclass(frozen=True)
class Place:
    """One amount in its row. `needed`: it must have its like at its place in the other row."""

    values: frozenset[Value]
    needed: bool
    unit: str | None


@dataclass(frozen=True)
class Rows:
    """A text's numbers, months and weekdays, and the days or months of its dates in digits, each in order."""

    numbers: Sequence[Place]
    months: Sequence[Place]
    weekdays: Sequence[Place]
    either: Sequence[Place]


def in_order(source: str, code: str, translation: str, to: str, numbers: Numbers) -> bool:
    """Whether every amount of either text has its like at its place in the other, with the same unit.

    Percent and currencies are units in any language, and the others in those whose `units` are known. What may be
    a number and is certainly none ("a", "second") may be left out; "half" may not. Of a source whose number words are
    not known the translation's digits alone are compared.
    """
    unknown = code.partition("-")[0] not in numbers.languages
    units = _units(code, to, numbers)
    shared = {w.group() for w in WORD.finditer(source.casefold())} & {
        w.group() for w in WORD.finditer(translation.casefold())
    }
    told = _rows(source, code, numbers, units[0], shared, digits_only=False)
    said = _rows(translation, to, numbers, units[1], shared, digits_only=unknown)
    if told is None or said is None:
        return False
    if told.either and said.either and not _aligned(told.either, said.either):
        return False
    rows = ((told.numbers, said.numbers), (told.months, said.months), (told.weekdays, said.weekdays))
    return all(_aligned(ours, theirs) for ours, theirs in rows)


def _units(code: str, to: str, numbers: Numbers) -> list[Units]:
    own = [numbers.of(language).units for language in (code, to)]
    anyhow = {**numbers.currencies, **numbers.measures}
    if not all(own):
        return [anyhow, anyhow]
    return [
        {unit: [*anyhow.get(unit, ()), *known.get(unit, ())] for unit in {**anyhow, **known}} for known in own
    ]


def _rows(
    text: str, code: str, numbers: Numbers, units: Units, shared: set[str], digits_only: bool
) -> Rows | None:
    whole, mentions = scanned(text, code, numbers)
    if len(mentions) > MOST:
        return None
    mentions = sorted(mentions, key=lambda mention: mention.span)
    found: dict[str, list[Place]] = {"number": [], "m": [], "w": [], "either": []}
    for mention, unit in zip(mentions, _filled(whole, mentions, units), strict=True):
        kinds = {v[0] if isinstance(v, str) and v[0] in "mw" else "number" for v in mention.values}
        needed = _needed(mention, kinds, shared, digits_only)
        for kind in kinds:
            found[kind].append(Place(mention.values, needed, unit))
        if kinds == {"number", "m"} and mention.certain:
            found["either"].append(Place(mention.values, True, unit))
    return Rows(found["number"], found["m"], found["w"], found["either"])


def _needed(mention: Mention, kinds: set[str], shared: set[str], digits_only: bool) -> bool:
    worded = not any(sign.isdigit() for sign in mention.text)
    if worded and "number" in kinds and (digits_only or mention.text in shared or mention.values == _MILLE):
        return False
    return _HALF in mention.values or (mention.certain and len(kinds) == 1)


def _filled(whole: str, mentions: Sequence[Mention], units: Units) -> list[str | None]:
    """Each mention's unit; one that has none takes that of the amount which "to" or "and" joins it to."""
    marks = {unit: _marks(words) for unit, words in units.items()}
    found = [_unit(whole, mention, marks) for mention in mentions]
    for at, (one, next_one) in enumerate(pairwise(mentions)):
        between = whole[one.span[1] : next_one.span[0]]
        if found[at] and found[at + 1] is None and _JOINS.fullmatch(between):
            found[at + 1] = found[at]
        elif found[at] is None and found[at + 1] and _JOINS.fullmatch(between.rstrip("€$£¥₹ ") + " "):
            found[at] = found[at + 1]
    return found


def _unit(
    whole: str, mention: Mention, marks: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]]
) -> str | None:
    start, end = mention.span
    behind = (unit for unit, (after, _) in marks.items() if after.match(whole, end))
    ahead = (unit for unit, (_, before) in marks.items() if before.search(whole[max(0, start - 12) : start]))
    return next(behind, None) or next(ahead, None)


def _marks(words: Iterable[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns for one of these words or signs behind a number, and for a sign or a code before one."""
    bare = [word.lstrip("#").replace("_", " ") for word in words]
    behind = "|".join(re.escape(w.rstrip("*")) + _edge(w) for w in bare)
    codes = [re.escape(w) for w in bare if not w[-1].isalpha() or (len(w) == 3 and w.isascii())]
    ahead = "|".join(codes) or r"(?!)"
    return re.compile(f"{_BETWEEN}(?:{behind})"), re.compile(rf"(?<![^\W\d_])(?:us)?(?:{ahead})\s?$")


def _edge(word: str) -> str:
    if word.endswith("*"):
        return r"\w*"
    return r"(?![^\W\d_])" if word[-1].isalpha() and word[-1] < "\u0900" else ""


def _aligned(ours: Sequence[Place], theirs: Sequence[Place]) -> bool:
    """Whether both rows go together in order; a place that is not needed may be left out."""
    reached = [True]
    for theirs_one in theirs:
        reached.append(reached[-1] and not theirs_one.needed)
    for mine in ours:
        row = [reached[0] and not mine.needed]
        for at, other in enumerate(theirs):
            alike = mine.unit == other.unit and bool(mine.values & other.values)
            skipped = (reached[at + 1] and not mine.needed) or (row[at] and not other.needed)
            row.append(skipped or (reached[at] and alike))
        reached = row
    return reached[-1]
