"""How many people come: "we are five", "2 adults and a child", "my wife and I", "zu viert".

The language's `people.toml` says which words are which unit; the grammar is written over their letters,
as that of dates is. What only mentions somebody ("My wife does not read Spanish") is not a party.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desk.languages import Language
from desk.reading.numbers import ARTICLE, CARDINAL, ORDINAL, add_numbers
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, Token, tokens

# A bare number ("for 4") above this is a price or a room; with a word for people it can be larger.
LARGEST_BARE = 60
LARGEST_PARTY = 10**7

_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:[.,']\d{3})+(?![\d.,])")  # "1,000,000 people"
_LETTERS = {
    CARDINAL: "n", ARTICLE: "1", ORDINAL: "_",
    "person": "p", "people": "P", "adult": "a", "adults": "A", "child": "c", "children": "C",
    "relative": "r", "relatives": "R", "pair": "q", "self": "s", "we": "w", "own": "h", "family": "F",
    "join": "&", "with": "+", "for": "f", "count": "#", "follow": "l", "within": "x", "stay": "k",
    "opaque": "_", "size": "S", "month": "M",
}  # fmt: skip
_ENDS = ".!?;:\n"


@dataclass(frozen=True)
class _Unit:
    letter: str
    value: int
    start: int
    end: int
    glued: bool


@dataclass(frozen=True)
class _Part:
    """Some people: how many, whether a number said so, and where in the row they stand."""

    kind: str
    count: int | None
    sure: bool
    first: int
    last: int


@remembered
def _lexicon(language: Language) -> Lexicon:
    table = language.table("people")
    lexicon = Lexicon()
    words = table.get("words", {})
    lexicon.add(words.get("opaque", ()), "opaque", 0)
    lexicon.add_table(table.get("sizes", {}), "size")
    add_numbers(lexicon, language)
    for kind, phrases in words.items():
        lexicon.add(phrases, kind, 0)
    for phrases in language.table("dates").get("months", {}).values():
        lexicon.add(phrases, "month", 0)
    return lexicon


def _units(text: str, language: Language) -> list[_Unit]:
    lexicon = _lexicon(language)
    words = tokens(text)
    return [_unit(words[first:last], meaning) for first, last, meaning in lexicon.scan(words)]


def _unit(words: Sequence[Token], meaning: object) -> _Unit:
    first, end = words[0], words[-1].end
    number = first.number
    if meaning is None and number is not None:
        return _Unit("n" if number <= LARGEST_PARTY else "_", number, first.start, end, first.glued)
    if meaning is None:
        letter = "." if first.text in _ENDS else "," if first.text in ",/&+" else "_"
        return _Unit("&" if first.text in "&+" else letter, 0, first.start, end, first.glued)
    kind, value = getattr(meaning, "kind", ""), getattr(meaning, "value", 0)
    return _Unit(_LETTERS.get(kind, "_"), int(value or 0), first.start, end, first.glued)


_PARTS = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"h?n_?[aA]?[pP]", "total"),
        (r"(?:(?<=[f#&+,.])|^)1_?p", "total"),
        (r"h?n_?[aA]", "adult"),
        (r"h?n_?[rRq]", "adult"),
        (r"h?n_?[cC]", "child"),
        (r"S", "size"),
        (r"#f?n(?=[fl.,&+x]|$)", "total"),
        (r"fn(?=[fl.,&+x]|$)", "total"),
        (r"[1h]_?[ar]|(?<=[+&,f])r", "one"),
        (r"h?_?q", "pair"),
        (r"[1h]_?c|(?<=[&,])c", "one_child"),
        (r"h?_?[RC]", "some"),
        (r"s", "self"),
    )
)


def _parts(units: Sequence[_Unit]) -> Iterator[_Part]:
    row = "".join(unit.letter for unit in units)
    at = 0
    while at < len(units):
        best = max(
            ((match.end(), kind) for pattern, kind in _PARTS if (match := pattern.match(row, at))),
            default=(at, ""),
            key=lambda found: found[0],
        )
        end, kind = best
        if end == at:
            at += 1
            continue
        part = _part(units[at:end], kind, at, end)
        if part is not None and not (kind == "total" and _goes_on(units, end)):
            yield part
        at = end


def _goes_on(units: Sequence[_Unit], end: int) -> bool:
    """Whether the number before is written on: "for 3.2.", "for 12,50", "für 5. Januar"."""
    if end + 1 >= len(units) or not units[end].glued:
        return False
    return units[end + 1].letter == "M" or (units[end + 1].glued and units[end + 1].letter in "n_")


def _part(units: Sequence[_Unit], kind: str, first: int, last: int) -> _Part | None:
    number = next((unit.value for unit in units if unit.letter == "n"), None)
    pair = any(unit.letter == "q" for unit in units)
    if kind == "size":
        size = units[0].value
        return _Part("self" if size == 1 else "total", size, True, first, last)
    if kind in ("total", "adult", "child"):
        count = (1 if number is None else number) * (2 if pair else 1)
        if units[-1].letter == "n" and count > LARGEST_BARE:
            return None
        return _Part(kind, count, True, first, last)
    counts = {"one": 1, "pair": 2, "one_child": 1, "self": 1, "some": None}
    name = {"one": "adult", "pair": "adult", "one_child": "child"}.get(kind, kind)
    return _Part(name, counts[kind], False, first, last)


def _groups(parts: Sequence[_Part], row: str) -> list[list[_Part]]:
    """Parts that only joining words stand between: "my wife, our two kids and I"."""
    groups: list[list[_Part]] = []
    for part in parts:
        between = row[groups[-1][-1].last : part.first] if groups else ""
        beside = between == "" and bool(groups) and groups[-1][-1].kind != "self"
        if groups and (beside or re.fullmatch(r"[,&+_]?[,&+f]|[,&+][&+]?", between)):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _counts(group: Sequence[_Part], row: str) -> bool:
    """Whether a group is a party, and not only somebody who is mentioned."""
    if any(part.sure for part in group):
        return True
    if any(part.kind == "some" for part in group):
        return False
    people = [part for part in group if part.kind != "self"]
    if not people:
        return False
    before = row[: group[0].first]
    clause = before[before.rfind(".") + 1 :]
    joined = len(group) > 1 and (len(people) < len(group) or before[-1:] == "f")
    brought = before[-1:] == "+" and ("s" in clause or "w" in clause)
    booked = before[-1:] == "f" and ("k" in clause or clause == "f")
    return joined or brought or booked


def read_people(text: str, language: Language) -> int | None:
    """The size of the party that the message names, or None when it names none."""
    units = _units(_GROUPED.sub(lambda number: re.sub(r"\D", "", number[0]), text), language)
    row = "".join(unit.letter for unit in units)
    groups = [group for group in _groups(list(_parts(units)), row) if _counts(group, row)]
    total = _total(groups, row)
    if total is not None:
        return total or None
    parts = [part for group in groups for part in group if part.kind not in ("self", "total")]
    selves = any(part.kind == "self" for group in groups for part in group)
    count = sum(part.count or 0 for part in parts) + selves
    if parts and count and not selves:
        count += _companions(groups, row)
    return count or None


def _total(groups: Sequence[Sequence[_Part]], row: str) -> int | None:
    """A number said for all of them, with whom "and" adds: "4 people and a baby"."""
    for group in groups:
        for at, part in enumerate(group):
            if part.kind != "total":
                continue
            more = 0
            for last, extra in zip(group[at:], group[at + 1 :], strict=False):
                if row[last.last : extra.first].strip(",") not in ("&", "+"):
                    break
                more += extra.count or 0
            return (part.count or 0) + more
    return None


def _companions(groups: Sequence[Sequence[_Part]], row: str) -> int:
    """Who speaks and comes along unnamed: "I am coming with my 3 sons" is four, "we … our two girls" four."""
    for group in groups:
        before = row[: group[0].first]
        clause = before[before.rfind(".") + 1 :]
        if before[-1:] not in ("+", "F") or any(part.kind == "total" for part in group):
            continue
        children = all(part.kind == "child" for part in group)
        earlier = any(other[0].first < group[0].first for other in groups)
        if earlier:
            return 0
        if "w" in clause or "#" in clause or "F" in clause:
            return 2 if children else 0
        if "s" in clause or children:
            return 1
    return 0


def party_spans(text: str, language: Language) -> list[tuple[int, int]]:
    """Where numbers of people stand in the text, (start, end) in characters: they are never dates."""
    units = _units(text, language)
    spans: list[tuple[int, int]] = []
    for part in _parts(units):
        first = next((unit for unit in units[part.first : part.last] if unit.letter == "n"), None)
        if first is not None and part.sure:
            spans.append((first.start, units[part.last - 1].end))
    return spans
