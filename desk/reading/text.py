"""From a guest's text to tokens, and from a language's word lists to what the tokens mean.

Nothing here knows a language. Words are compared folded: without case, accents of the Latin script and
full-width forms, so that "März", "MARZ" and "marz" are one word. Scripts without spaces become one token
a character, so that their words are found by the same longest match.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

# Latin letters that Unicode does not take apart, and how people type them without the keyboard.
_TYPED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
_SINGLE = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x3040, 0x30FF),  # Japanese syllables
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han
    (0xAC00, 0xD7AF),  # Korean syllables
)
DASHES = "-‐‑‒–—―−~〜～"
APOSTROPHES = "'’‘ʼ`´"


@dataclass(frozen=True)
class Token:
    """One token: its folded text, where it stands in the text, and whether it touches the one before."""

    text: str
    start: int
    end: int
    glued: bool

    @property
    def number(self) -> int | None:
        """The value of a run of digits of any script, else None."""
        return int(self.text) if self.text.isdecimal() else None


def fold(word: str) -> str:
    """A word in the form in which words are compared."""
    if word.isascii():
        return word.casefold()
    apart = unicodedata.normalize("NFKD", word)
    bare = "".join(mark for mark in apart if not 0x300 <= ord(mark) <= 0x36F)
    return unicodedata.normalize("NFC", bare).casefold().translate(_TYPED)


def plain(text: str) -> str:
    """The text with ASCII digits and one kind of dash and apostrophe, each character in its place."""
    return "".join(_plain_character(character) for character in text)


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    if character in DASHES:
        return "-"
    if character in APOSTROPHES:
        return "'"
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    wide = unicodedata.normalize("NFKC", character)
    return wide if len(wide) == 1 and not wide.isspace() else character


@lru_cache(maxsize=4096)
def _kind(character: str) -> str:
    if character.isdecimal():
        return "digit"
    code = ord(character)
    if any(low <= code <= high for low, high in _SINGLE):
        return "single"
    if unicodedata.category(character)[0] in "LM":
        return "letter"
    return "space" if character.isspace() else "mark"


def tokens(text: str) -> list[Token]:
    """The text's tokens: runs of digits, words, and single marks; spaces only part them."""
    found: list[Token] = []
    start = 0
    clean = plain(text)
    for end in range(1, len(clean) + 1):
        kind = _kind(clean[start])
        if end < len(clean) and kind in ("digit", "letter") and _kind(clean[end]) == kind:
            continue
        if kind != "space":
            glued = bool(found) and found[-1].end == start
            found.append(Token(fold(clean[start:end]), start, end, glued))
        start = end
    return found


@lru_cache(maxsize=32_768)
def spellings(phrase: str) -> tuple[tuple[str, ...], ...]:
    """How a phrase of a word list can be written, in folded words: as it stands, and with hyphens.

    Remembered, as word lists are looked up with every message; never called with what a guest wrote.
    """
    forms = dict.fromkeys((phrase, phrase.replace(" ", "-")))
    return tuple(tuple(token.text for token in tokens(form)) for form in forms)


@lru_cache(maxsize=32_768)
def folded(phrase: str) -> str:
    """A word of a word list, folded and remembered."""
    return fold(phrase)


@dataclass(frozen=True)
class Meaning:
    """What a word stands for: a kind of unit and its value."""

    kind: str
    value: Any = None


class Lexicon:
    """Words and phrases of one language, each with one meaning; the longest phrase wins."""

    def __init__(self) -> None:
        """An empty lexicon."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}

    def add(self, phrases: Iterable[str], kind: str, value: Any = None) -> None:
        """Give every phrase this meaning, also written with hyphens; one that it already has stays."""
        for phrase in phrases:
            meaning = Meaning(kind, value)
            for words in spellings(phrase):
                self._add(words, meaning)

    def _add(self, words: tuple[str, ...], meaning: Meaning) -> None:
        if not words:
            return
        entries = self._by_first.setdefault(words[0], [])
        if all(known != words for known, _ in entries):
            entries.append((words, meaning))

    def add_table(self, table: Mapping[str, Sequence[str]], kind: str) -> None:
        """Add a table of value → phrases; values that are whole numbers become int."""
        for key, phrases in table.items():
            self.add(phrases, kind, int(key) if key.lstrip("-").isdecimal() else key)

    def match(self, words: Sequence[Token], at: int) -> tuple[int, Meaning] | None:
        """The longest phrase that starts at token `at`: how many tokens it takes, and its meaning."""
        best: tuple[int, Meaning] | None = None
        for phrase, meaning in self._by_first.get(words[at].text, ()):
            size = len(phrase)
            if best is not None and size <= best[0]:
                continue
            if tuple(token.text for token in words[at : at + size]) == phrase:
                best = (size, meaning)
        return best

    def scan(self, words: Sequence[Token]) -> Iterator[tuple[int, int, Meaning | None]]:
        """Walk the tokens: (first, past the last, meaning), with None for a token that has none."""
        at = 0
        while at < len(words):
            hit = self.match(words, at)
            size, meaning = hit if hit else (1, None)
            yield at, at + size, meaning
            at += size


def contains(lexicon: Lexicon, text: str) -> list[Meaning]:
    """The meanings of all the lexicon's phrases in the text, in order."""
    return [meaning for _, _, meaning in lexicon.scan(tokens(text)) if meaning is not None]


def phrase_lexicon(table: Mapping[str, Any]) -> Lexicon:
    """A lexicon whose kinds are the table's keys, from lists of phrases; other values are left out."""
    lexicon = Lexicon()
    for kind, phrases in table.items():
        if isinstance(phrases, list):
            lexicon.add([str(phrase) for phrase in phrases], kind)
    return lexicon
