"""The subject's words in a message: room types, hotels, room numbers, prices, superlatives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

from desk.languages import Language
from desk.reading.people import party_spans
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, contains, plain, tokens
from desk.reading.units import Item, read_units

Superlative = Literal["cheapest", "dearest", "largest"]
# Rooms of most hotels have three digits; where the word "room" is said, any number up to four will do.
ROOM_DIGITS = 3


class BranchNames(Protocol):
    """What reading needs of a branch: its id and what guests call it."""

    @property
    def id(self) -> str:
        """The branch's id."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def aliases(self) -> Sequence[str]:
        """Other names that guests use."""


class PackNames(Protocol):
    """What reading needs of a pack: its branches."""

    @property
    def branches(self) -> Sequence[BranchNames]:
        """The branches, in priority order."""


def _table(language: Language, name: str) -> dict[str, Any]:
    return dict(language.subject("vocabulary").get(name, {}))


@remembered
def type_lexicon(*languages: Language) -> Lexicon:
    """All the languages' words for room types; the value is the type's own name."""
    lexicon = Lexicon()
    for language in languages:
        for name in ("types", "other_types"):
            for key, phrases in _table(language, name).items():
                lexicon.add(phrases, "type", key)
    return lexicon


@remembered
def hotel_lexicon(pack: PackNames) -> Lexicon:
    """The branches' names and aliases; the value is the branch's id."""
    lexicon = Lexicon()
    for branch in pack.branches:
        lexicon.add([branch.name, *branch.aliases], "hotel", branch.id)
    return lexicon


@remembered
def _table_lexicon(name: str, *languages: Language) -> Lexicon:
    lexicon = Lexicon()
    for language in languages:
        lexicon.add_table(_table(language, name), name)
    return lexicon


@remembered
def word_lexicon(kind: str, *languages: Language) -> Lexicon:
    """The languages' phrases of this kind, from their vocabularies' [words]."""
    lexicon = Lexicon()
    for language in languages:
        lexicon.add(_table(language, "words").get(kind, ()), kind)
    return lexicon


@remembered
def _place_lexicon(*languages: Language) -> Lexicon:
    lexicon = Lexicon()
    for language in languages:
        for place in ("first", "second", "last"):
            lexicon.add(_table(language, "pick").get(place, ()), "place", place)
        for place in ("earlier", "later"):
            lexicon.add(language.table("dates").get("shift", {}).get(place, ()), "place", place)
    return lexicon


@remembered
def _mark_lexicon(language: Language) -> Lexicon:
    """Words that say what the number after them is: a room, a room's type, or a price."""
    lexicon = Lexicon()
    words = _table(language, "words")
    lexicon.add(words.get("room", ()), "room")
    for phrases in _table(language, "types").values():
        lexicon.add(phrases, "type")
    for kind in ("budget", "price_before", "currency"):
        lexicon.add(words.get(kind, ()), "price")
    return lexicon


@remembered
def other_price_lexicon(language: Language) -> Lexicon:
    """What else than a room has a price; what comes with a room ("with breakfast") is the room's own."""
    lexicon, words = Lexicon(), _table(language, "words")
    others = words.get("other_prices", ())
    lexicon.add([f"{with_} {other}" for with_ in words.get("including", ()) for other in others], "own")
    lexicon.add(others, "other")
    return lexicon


@remembered
def amount_lexicon(language: Language) -> Lexicon:
    """Words that make the number before them a price."""
    lexicon = Lexicon()
    for kind in ("currency", "rate"):
        lexicon.add(_table(language, "words").get(kind, ()), kind)
    return lexicon


def _found(lexicon: Lexicon, texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(str(meaning.value) for text in texts for meaning in contains(lexicon, text)))


def read_types(texts: Sequence[str], languages: Sequence[Language]) -> list[str]:
    """The room types that the texts name, by the hotels' own names, each once."""
    return _found(type_lexicon(*languages), texts)


def read_hotels(texts: Sequence[str], pack: PackNames) -> list[str]:
    """The ids of the branches that the texts name."""
    return _found(hotel_lexicon(pack), texts)


def read_sleeps(texts: Sequence[str], languages: Sequence[Language]) -> int | None:
    """How many a "double room" must sleep, or None when no such word is said."""
    lexicon = _table_lexicon("sleeps", *languages)
    found = [int(meaning.value) for text in texts for meaning in contains(lexicon, text)]
    return max(found, default=None)


def read_superlative(texts: Sequence[str], languages: Sequence[Language]) -> Superlative | None:
    """Whether the cheapest, the dearest or the largest is asked for."""
    found = _found(_table_lexicon("superlatives", *languages), texts)
    kinds: tuple[Superlative, ...] = ("cheapest", "dearest", "largest")
    return next((kind for kind in kinds if kind in found), None)


def says(kind: str, texts: Sequence[str], languages: Sequence[Language]) -> bool:
    """Whether one of the vocabulary's phrases of this kind stands in a text."""
    lexicon = word_lexicon(kind, *languages)
    return any(contains(lexicon, text) for text in texts)


def read_place(texts: Sequence[str], languages: Sequence[Language]) -> str | None:
    """Which of two things said before is meant: "first", "second", "last", "earlier" or "later"."""
    return next((str(place) for place in _found(_place_lexicon(*languages), texts)), None)


def read_rooms(text: str, language: Language) -> list[str]:
    """Room numbers in one text: after a word for room or a type, or three digits that are nothing else.

    Prices, dates, times, phone numbers, references and numbers of nights or people are none.
    """
    items = read_units(text, language, party_spans(text, language))
    marks = _marks(text, language)
    rooms: list[str] = []
    for at, item in enumerate(items):
        if item.letter not in "nopy" or not isinstance(item.value, int):
            continue
        digits = plain(text[item.start : item.end]).rstrip(".")
        if not digits.isdecimal() or not int(digits):
            continue
        before = marks.get(item.start, "")
        follows_room = _after_room(items, at, rooms, text) and len(digits) == ROOM_DIGITS
        named = before == "room" and (
            len(digits) == ROOM_DIGITS or (item.letter == "n" and not _unit_follows(items, at))
        )
        alone = len(digits) == ROOM_DIGITS and before != "price" and not _rated(items, at, text, language)
        if named or follows_room or alone:
            rooms.append(digits)
    return list(dict.fromkeys(rooms))


def _marks(text: str, language: Language) -> dict[int, str]:
    """What stands right before each number: start of the number → room, type or price."""
    row = tokens(text)
    marks: dict[int, str] = {}
    for _, last, meaning in _mark_lexicon(language).scan(row):
        at = last
        while at < len(row) and row[at].text in ("#", ".", ":", "-"):
            at += 1
        if meaning is not None and at < len(row):
            marks[row[at].start] = meaning.kind
    return marks


def _after_room(items: Sequence[Item], at: int, rooms: Sequence[str], text: str) -> bool:
    """Whether the number goes on a list of rooms: "rooms 103 and 104"."""
    if at < 2 or not rooms or items[at - 1].letter not in "&,/-":
        return False
    return plain(text[items[at - 2].start : items[at - 2].end]).rstrip(".") == rooms[-1]


def _unit_follows(items: Sequence[Item], at: int) -> bool:
    return at + 1 < len(items) and items[at + 1].letter in "umv1"


def _rated(items: Sequence[Item], at: int, text: str, language: Language) -> bool:
    """Whether a number is a price or a length by what follows it."""
    rest = tokens(text[items[at].end :])
    rated = bool(rest) and amount_lexicon(language).match(rest, 0) is not None
    return rated or (at + 1 < len(items) and items[at + 1].letter == "u")
