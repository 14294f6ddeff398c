"""Several rooms in one request: "two rooms", "a Deluxe and a Standard", "2 Standardzimmer und ein Superior"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desk.languages import Language
from desk.reading.numbers import ARTICLE, CARDINAL, add_numbers
from desk.reading.people import party_spans
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, tokens
from desk.records import Stay

MOST_ROOMS = 20  # a larger number before the word is a room's own
_LETTERS = {
    CARDINAL: "n", ARTICLE: "1", "type": "t", "room": "r", "sleeps": "s", "more": "m", "extra": "m",
    "and": "&", "only": "!", "definite": "D", "apart": "X", "either": "|", "unit": "u",
    "from": "#", "to": "#", "for": "#", "in": "#", "on": "#", "overnight": "#", "with": "#", "during": "#",
}  # fmt: skip
_ENDS = ".!?;:\n"
_ROOM = r"(?:t_?[rs]?|s_?t|r_?t|s(?!u)|r(?!n))"
# A counted room: an adjective or two may stand between ("two quiet adjoining rooms").
_ELEMENT = re.compile(
    rf"(?<![Dr])!?(?P<count>[n1]m?|m)[_x]{{0,2}}(?P<room>{_ROOM})|t_?r?(?P<times>xn)|(?P<bare>{_ROOM})"
)
_JOINED = re.compile(r"[,_]?&_?|,_?|_?")


@dataclass(frozen=True)
class Room:
    """A room asked for: its type, and how many it must sleep, as far as they were said."""

    type: str | None = None
    sleeps: int | None = None


@dataclass(frozen=True)
class Wanted:
    """The rooms of one message. `more` are asked for beside those asked for before."""

    rooms: tuple[Room, ...] = ()
    more: bool = False

    @property
    def types(self) -> list[str | None]:
        """Each room's type, None where none was said."""
        return [room.type for room in self.rooms]

    @property
    def sleeps(self) -> int | None:
        """How many they must sleep together, when that was said of each."""
        known = [room.sleeps for room in self.rooms if room.sleeps is not None]
        return sum(known) if known and len(known) == len(self.rooms) else None


@dataclass(frozen=True)
class _Unit:
    letter: str
    value: object
    start: int
    end: int


@dataclass(frozen=True)
class _Element:
    """Some rooms of one kind. `count` is None where no number stands before them."""

    count: int | None
    more: bool
    beside: bool
    room: Room
    first: int
    last: int


@remembered
def _lexicon(language: Language) -> Lexicon:
    vocabulary = language.subject("vocabulary")
    words = vocabulary.get("wanted", {})
    lexicon = Lexicon()
    lexicon.add(words.get("opaque", ()), "other")
    for name in ("types", "other_types"):
        for key, phrases in vocabulary.get(name, {}).items():
            lexicon.add(phrases, "type", key)
    lexicon.add_table(vocabulary.get("sleeps", {}), "sleeps")
    lexicon.add(words.get("single", ()), "sleeps", 1)
    for kind in ("room", "only", "definite", "apart", "either", "more"):
        lexicon.add(words.get(kind, ()), kind)
    # Words of place and time part a number from a room: "two towels to room 101".
    for kind in ("and", "from", "to", "for", "in", "on", "overnight", "during"):
        lexicon.add(language.table("dates").get("words", {}).get(kind, ()), kind)
    lexicon.add(language.table("people").get("words", {}).get("with", ()), "with")
    add_numbers(lexicon, language)
    lexicon.add_table(language.table("dates").get("units", {}), "unit")
    return lexicon


def _units(text: str, language: Language) -> list[_Unit]:
    words = tokens(text)
    people = party_spans(text, language)
    found = []
    for first, last, meaning in _lexicon(language).scan(words):
        start, end = words[first].start, words[last - 1].end
        kind, value = (meaning.kind, meaning.value) if meaning is not None else ("", words[first].number)
        letter = _LETTERS.get(kind, "_")
        if not kind:
            letter = "n" if value is not None else _mark(words[first].text)
        if letter in "n1" and any(low <= start < high for low, high in people):
            letter = "#"
        found.append(_Unit(letter, value, start, end))
    return found


def _mark(text: str) -> str:
    return (
        "."
        if text in _ENDS
        else ","
        if text in ",/"
        else "&"
        if text in "&+"
        else "x"
        if text in "x×"
        else "_"
    )


def read_wanted(text: str, language: Language) -> Wanted | None:
    """The rooms that the message counts, or None when it counts none."""
    units = _units(text, language)
    row = "".join(unit.letter for unit in units)
    groups = _groups(list(_elements(units, row)), row)
    if "X" in row:
        return None
    if "|" in row:
        return _either(groups)
    counted = [group for group in groups if any(part.count is not None for part in group)]
    if not counted:
        return None
    rooms = [room for group in counted for part in group for room in [part.room] * (part.count or 1)]
    more = any(part.more for group in counted for part in group)
    return Wanted(_together(counted, rooms, groups), more=more)


def _either(groups: Sequence[Sequence[_Element]]) -> Wanted | None:
    """A choice: "two Deluxe or two Superior rooms" are two of any type, "a Deluxe or a Standard" is no number."""
    counts = {part.count or 1 for group in groups for part in group}
    if len(counts) != 1 or counts == {1} or any(len(group) > 1 for group in groups):
        return None
    return Wanted((Room(),) * counts.pop())


def _elements(units: Sequence[_Unit], row: str) -> list[_Element]:
    found = []
    for match in _ELEMENT.finditer(row):
        inside = units[match.start() : match.end()]
        number = next((unit.value for unit in inside if unit.letter == "n"), None)
        said = match["count"] or match["times"] or ""
        generic = not any(unit.letter in "ts" for unit in inside)
        article = "n" not in said and bool(said)
        count = number if isinstance(number, int) else (1 if said else None)
        if article and generic and "m" not in said and not match.group().startswith("!"):
            count = None  # "a room" is how one asks for any, not how many
        if count is not None and not 0 < count <= MOST_ROOMS:
            continue
        beside = re.match("[,_]?&", row[match.end() :]) is not None
        found.append(_Element(count, "m" in said, beside, _room(inside), match.start(), match.end()))
    return found


def _room(units: Sequence[_Unit]) -> Room:
    type_ = next((str(unit.value) for unit in units if unit.letter == "t"), None)
    sleeps = next((unit.value for unit in units if unit.letter == "s"), None)
    return Room(type_, sleeps if isinstance(sleeps, int) else None)


def _groups(parts: Sequence[_Element], row: str) -> list[list[_Element]]:
    """Rooms that only joining words stand between."""
    groups: list[list[_Element]] = []
    for part in parts:
        between = row[groups[-1][-1].last : part.first] if groups else "."
        if groups and _JOINED.fullmatch(between):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _together(
    counted: Sequence[Sequence[_Element]], rooms: Sequence[Room], groups: Sequence[Sequence[_Element]]
) -> tuple[Room, ...]:
    """One list of rooms: "two rooms, a Deluxe and a Standard" are two, and so are "two rooms, both Deluxe"."""
    parts = [part for group in counted for part in group]
    totals = [part.count or 1 for part in parts if _heads(part, parts)]
    typed = [room for part in parts if part.room.type is not None for room in [part.room] * (part.count or 1)]
    bare = {part.room.type for group in groups for part in group if part.count is None and part.room.type}
    if len(totals) != 1:
        return tuple(rooms)
    uncounted = [part for part in parts if part.room.type is not None and part.count is None]
    if len(uncounted) == len([part for part in parts if part.room.type is not None]) and len(bare) == 1:
        one = next(room for room in (Room(type=kind) for kind in bare))
        return (one,) * totals[0]
    rest = totals[0] - len(typed)
    others = [part.room for part in parts if part.room.type is None and (part.count or 1) == totals[0]]
    return (*typed, *([others[0]] * rest)) if typed and rest >= 0 else tuple(rooms)


def _heads(part: _Element, parts: Sequence[_Element]) -> bool:
    """Whether a number of rooms stands for those named after it, not beside them ("two rooms and a suite")."""
    return part.room.type is None and (part.count or 1) > 1 and not part.beside and parts[0] is part


def rooms_asked(wanted: Wanted | None, types: Sequence[str], previous: Stay) -> list[str | None] | None:
    """The rooms asked for so far: this message's, laid over those before; None when it changes nothing."""
    before = previous.wanted or ([previous.type] if previous.arrival is not None else [])
    if wanted is None:
        return [types[0]] * len(previous.wanted) if len(types) == 1 and previous.wanted else None
    asked = [*before, *wanted.types] if wanted.more and before else wanted.types
    if len(asked) == 1:
        return [] if previous.wanted else None
    if not types and not wanted.more and len(set(before)) == 1 and not any(wanted.types):
        return [before[0]] * len(asked)
    return asked
