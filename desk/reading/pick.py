"""Which of the rooms that were offered a guest picks: "the one at Garden Court", "108 please", "the cheaper one"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from desk.languages import Language
from desk.reading.names import name_span
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, tokens
from desk.reading.words import PackNames, read_hotels, read_rooms, read_types
from desk.records import Fact

_CLAUSE = re.compile(r"[,;.!]\s")
_QUESTION = re.compile("[?？؟]")
_SELECTORS = ("first", "second", "third", "last", "other", "cheaper", "dearer", "larger")
# More words than these that say nothing about a room, and the message is about something else.
MOST_OTHER_WORDS = 3
SHORTEST_NAME_WORD = 4


def read_pick(
    english: str,
    text: str,
    options: Sequence[Fact],
    pack: PackNames,
    previous_pick: Fact | None,
    languages: Sequence[Language],
) -> Fact | None:
    """The option that the message picks, or None when it picks none or could mean several.

    `options` are free rooms in the order they were shown; `languages` are the guest's and English. A hotel
    in a question ("Is there parking at Garden Court?") is no pick, and with several options "book it" is none.
    """
    for words in dict.fromkeys((text, english)):
        wanted = what_is_wanted(words, languages)
        if options and is_pick(wanted, pack, languages):
            chosen = choose(wanted, options, pack, previous_pick, languages)
            if chosen is not None:
                return chosen
    return None


def what_is_wanted(text: str, languages: Sequence[Language]) -> str:
    """What is left when refusals are followed by a wish: "Not Harbour House, Garden Court please"."""
    clauses = [clause for clause in _CLAUSE.split(text) if clause.strip()]
    refused = [at for at, clause in enumerate(clauses) if _has(clause, "negation", languages)]
    return ", ".join(clauses[refused[-1] + 1 :]) if refused and refused[-1] + 1 < len(clauses) else text


@remembered
def _lexicon(kind: str, *languages: Language) -> Lexicon:
    lexicon = Lexicon()
    for language in languages:
        lexicon.add(language.subject("vocabulary").get("pick", {}).get(kind, ()), kind)
    return lexicon


def _has(text: str, kind: str, languages: Sequence[Language]) -> bool:
    return any(meaning for _, _, meaning in _lexicon(kind, *languages).scan(tokens(text)))


def without_name(text: str, languages: Sequence[Language], pack: PackNames) -> str:
    """The message without the name to book under, whose words say nothing about the room."""
    own = [
        word for branch in pack.branches for name in (branch.name, *branch.aliases) for word in name.split()
    ]
    for language in languages:
        span = name_span(text, language, own)
        if span is not None:
            return text[: span[0]] + " " * (span[1] - span[0]) + text[span[1] :]
    return text


def is_pick(text: str, pack: PackNames, languages: Sequence[Language]) -> bool:
    """Whether the message has the form of a pick: no question but one to book, nothing refused."""
    if _has(text, "not_pick", languages) or _has(text, "negation", languages):
        return False
    if _QUESTION.search(text) and not _has(text, "question_take", languages):
        return False
    return _other_words(without_name(text, languages, pack), pack, languages) <= MOST_OTHER_WORDS


@remembered
def _known_words(pack: PackNames, *languages: Language) -> Lexicon:
    """Words about the rooms and the picking of one."""
    lexicon = Lexicon()
    for branch in pack.branches:
        lexicon.add([branch.name, *branch.aliases], "known")
    for language in languages:
        vocabulary = language.subject("vocabulary")
        for table in ("types", "other_types"):
            for phrases in vocabulary.get(table, {}).values():
                lexicon.add(phrases, "known")
        for kind in ("take", "question_take", "filler", *_SELECTORS):
            lexicon.add(vocabulary.get("pick", {}).get(kind, ()), "known")
        for kind in ("yes", "taking", "filler"):
            lexicon.add(language.table("answers").get("words", {}).get(kind, ()), "known")
        for phrases in language.table("names").get("words", {}).values():
            lexicon.add(phrases, "known")
    return lexicon


def _other_words(text: str, pack: PackNames, languages: Sequence[Language]) -> int:
    """How many words are about neither the rooms nor the picking of one."""
    lexicon = _known_words(pack, *languages)
    row = tokens(text)
    return sum(
        1 for first, _, meaning in lexicon.scan(row) if meaning is None and row[first].text[0].isalpha()
    )


def choose(
    text: str,
    options: Sequence[Fact],
    pack: PackNames,
    previous: Fact | None,
    languages: Sequence[Language],
    *,
    strict: bool = False,
) -> Fact | None:
    """The one option that the text means; with `strict`, only when it says something about it."""
    text = without_name(text, languages, pack)
    left, said = named(text, options, pack, languages)
    if not left:
        return None
    selectors = [kind for kind in _SELECTORS if _has(text, kind, languages)]
    if selectors:
        chosen = _SELECT[selectors[0]](left, previous)
        return chosen if len(selectors) == 1 or len(left) == 1 else None
    if len(left) > 1:
        return None
    return left[0] if said or (not strict and _has(text, "take", languages)) else None


def named(
    text: str, options: Sequence[Fact], pack: PackNames, languages: Sequence[Language]
) -> tuple[list[Fact], bool]:
    """The options that fit what the message names, and whether it names anything."""
    rooms = list(dict.fromkeys(room for language in languages for room in read_rooms(text, language)))
    hotels = read_hotels((text,), pack) or _by_one_word(text, options, pack, languages)
    types = read_types((text,), languages)
    rates = [room for room in rooms if any(option.rate == int(room) for option in options)] or _amounts(
        text, options
    )
    rooms = [room for room in rooms if room not in rates]
    left = [
        option
        for option in options
        if (not rooms or option.room in rooms)
        and (not hotels or option.hotel in hotels)
        and (not types or option.type in types)
        and (not rates or (option.rate is not None and str(option.rate) in rates))
    ]
    return left, bool(rooms or hotels or types or rates)


def _amounts(text: str, options: Sequence[Fact]) -> list[str]:
    """The rates of options that the text states ("the one for 175 euros"), where no room has that number."""
    said = {str(token.number) for token in tokens(text) if token.number is not None}
    rooms = {option.room for option in options}
    return [str(option.rate) for option in options if str(option.rate) in said - rooms]


def _by_one_word(
    text: str, options: Sequence[Fact], pack: PackNames, languages: Sequence[Language]
) -> list[str]:
    """A hotel by one word of its name ("the Garden one"), where nothing but picking words stands beside it."""
    offered = {option.hotel for option in options}
    owners: dict[str, set[str]] = {}
    for branch in pack.branches:
        for token in tokens(branch.name):
            if len(token.text) >= SHORTEST_NAME_WORD:
                owners.setdefault(token.text, set()).add(branch.id)
    said = [token.text for token in tokens(text) if len(owners.get(token.text, ())) == 1]
    found = list(dict.fromkeys(branch for word in said for branch in owners[word] if branch in offered))
    return found if _other_words(text, pack, languages) <= len(said) else []


def _at(index: int) -> Callable[[Sequence[Fact], Fact | None], Fact | None]:
    def pick(options: Sequence[Fact], _: Fact | None) -> Fact | None:
        return options[index] if -len(options) <= index < len(options) else None

    return pick


def _other(options: Sequence[Fact], previous: Fact | None) -> Fact | None:
    """The other of two; with more than two, or nothing picked before, no other is meant."""
    if previous is None:
        return None
    rest = [option for option in options if (option.hotel, option.room) != (previous.hotel, previous.room)]
    return rest[0] if len(rest) == 1 else None


def _by(
    value: Callable[[Fact], Any], best: Callable[[list[Any]], Any]
) -> Callable[[Sequence[Fact], Fact | None], Fact | None]:
    def pick(options: Sequence[Fact], _: Fact | None) -> Fact | None:
        known = [option for option in options if value(option) is not None]
        if not known:
            return None
        wanted = best([value(option) for option in known])
        fitting = [option for option in known if value(option) == wanted]
        return fitting[0] if len(fitting) == 1 else None

    return pick


_SELECT = {
    "first": _at(0),
    "second": _at(1),
    "third": _at(2),
    "last": _at(-1),
    "other": _other,
    "cheaper": _by(lambda option: option.rate, min),
    "dearer": _by(lambda option: option.rate, max),
    "larger": _by(lambda option: option.sleeps, max),
}
