"""Several of the rooms that were offered, picked in one message: "104 and 108", "both", "the two Standard rooms"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from desk.languages import Language
from desk.reading.numbers import CARDINAL, add_numbers
from desk.reading.people import party_spans
from desk.reading.pick import choose, is_pick, named, read_pick, what_is_wanted, without_name
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, Token, contains, tokens
from desk.reading.words import PackNames, read_hotels
from desk.records import Fact


def read_picks(
    english: str,
    text: str,
    options: Sequence[Fact],
    pack: PackNames,
    previous_pick: Fact | None,
    languages: Sequence[Language],
) -> list[Fact]:
    """The options that the message picks, in the order they were shown; empty when it picks none.

    Takes what `read_pick` takes, and agrees with it where one is picked. A part of the message that could
    mean several ("the Superior and a Standard") makes the whole no pick: nothing is guessed.
    """
    one = read_pick(english, text, options, pack, previous_pick, languages)
    for words in dict.fromkeys((text, english)):
        wanted = what_is_wanted(words, languages)
        if len(options) < 2 or not is_pick(wanted, pack, languages):
            continue
        bare = without_name(wanted, languages, pack)
        chosen = _all_named(bare, options, pack, languages)
        if not chosen and (one is None or _joins(bare, languages)):
            chosen = _each(bare, options, pack, previous_pick, languages)
        if chosen:
            return [option for option in options if option in chosen]
    return [one] if one is not None else []


@remembered
def _lexicon(*languages: Language) -> Lexicon:
    lexicon = Lexicon()
    for language in languages:
        words = language.subject("vocabulary").get("pick", {})
        lexicon.add(words.get("both", ()), "both")
        lexicon.add(words.get("all", ()), "all")
    for language in languages:
        add_numbers(lexicon, language)
    return lexicon


@remembered
def _joining(*languages: Language) -> Lexicon:
    lexicon = Lexicon()
    for language in languages:
        lexicon.add(language.table("dates").get("words", {}).get("and", ()), "and")
        lexicon.add(language.table("people").get("words", {}).get("join", ()), "and")
    return lexicon


def _all_named(
    text: str, options: Sequence[Fact], pack: PackNames, languages: Sequence[Language]
) -> list[Fact]:
    """All that fit: "both", "all of them", "the two Standard rooms", where there are as many as were said."""
    text = _without_party(text, languages)
    left, _ = named(text, options, pack, languages)
    row = _row_end(text, left, languages)
    if row:
        return row
    said = contains(_lexicon(*languages), text)
    kinds = {meaning.kind for meaning in said}
    counts = {int(meaning.value) for meaning in said if meaning.kind == CARDINAL} | (
        {2} if "both" in kinds else set()
    )
    digits = {token.number for token in tokens(text) if token.number is not None}
    counts |= {number for number in digits if number <= len(options)}
    if len(left) < 2:
        return []
    if "all" in kinds:
        return left if not counts or counts == {len(left)} else []
    return left if counts == {len(left)} else []


def _without_party(text: str, languages: Sequence[Language]) -> str:
    """The message without how many people come: "for two people" picks no two rooms."""
    for language in languages:
        for start, end in party_spans(text, language):
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def _row_end(text: str, left: Sequence[Fact], languages: Sequence[Language]) -> list[Fact]:
    """The first, last, cheapest or dearest few: "the first two", "die beiden günstigsten"."""
    row = tokens(text)
    scanned = [
        (meaning.kind, meaning.value) if meaning is not None else ("", row[first].number)
        for first, _, meaning in _counting(*languages).scan(row)
    ]
    for one, other in pairwise(scanned):
        for (kind, _), (number, value) in ((one, other), (other, one)):
            count = 2 if number == "both" else value
            if kind in _ENDS and number in (CARDINAL, "both", "") and isinstance(count, int):
                return _ENDS[kind](left, count) if 2 <= count <= len(left) else []
    return []


def _by_rate(left: Sequence[Fact], count: int) -> list[Fact]:
    """So many from the cheapest up (or, below nothing, from the dearest down), when the rates say which."""
    ranked = sorted((option for option in left if option.rate is not None), key=lambda one: one.rate or 0)
    if count < 0:
        ranked.reverse()
    size = abs(count)
    if len(ranked) < size or (len(ranked) > size and ranked[size - 1].rate == ranked[size].rate):
        return []
    return ranked[:size]


_ENDS: dict[str, Callable[[Sequence[Fact], int], list[Fact]]] = {
    "first": lambda left, count: list(left[:count]),
    "last": lambda left, count: list(left[-count:]),
    "cheaper": _by_rate,
    "dearer": lambda left, count: _by_rate(left, -count),
}


@remembered
def _counting(*languages: Language) -> Lexicon:
    lexicon = Lexicon()
    for language in languages:
        words = language.subject("vocabulary").get("pick", {})
        for kind in (*_ENDS, "both"):
            lexicon.add(words.get(kind, ()), kind)
    for language in languages:
        add_numbers(lexicon, language)
    return lexicon


def _each(
    text: str,
    options: Sequence[Fact],
    pack: PackNames,
    previous: Fact | None,
    languages: Sequence[Language],
) -> list[Fact]:
    """What the parts of a list pick, each one room: "the Deluxe at Garden Court and 101".

    A part that could mean several takes the hotel from the others: "the Deluxe and 102 at Harbour House".
    """
    hotels = {option.hotel for option in options if option.hotel in read_hotels((text,), pack)}
    chosen: list[Fact] = []
    for part in _parts(text, languages):
        several = _all_named(part, options, pack, languages)
        if several:
            chosen += [option for option in several if option not in chosen]
            continue
        option = choose(part, options, pack, previous, languages, strict=True)
        _, said = named(part, options, pack, languages)
        if option is None and said and len(hotels) == 1:
            there = [each for each in options if each.hotel in hotels]
            option = choose(part, there, pack, previous, languages, strict=True)
        if option is None and said:
            return []
        if option is not None and option not in chosen:
            chosen.append(option)
    return chosen if len(chosen) > 1 else []


def _joins(text: str, languages: Sequence[Language]) -> bool:
    """Whether the text says "and", so that one room is only a part of what it picks."""
    return bool(contains(_joining(*languages), text)) or "&" in text


def _parts(text: str, languages: Sequence[Language]) -> list[str]:
    """The text cut at commas and words for "and"."""
    row: list[Token] = tokens(text)
    cuts = [0]
    for first, last, meaning in _joining(*languages).scan(row):
        if meaning is not None or row[first].text in (",", "&", "+"):
            cuts += [row[first].start, row[last - 1].end]
    cuts.append(len(text))
    pieces = [text[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=True)]
    return [piece for piece in pieces if re.search(r"\w", piece)]
