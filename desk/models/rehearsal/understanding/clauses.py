"""Cuts an English message into clauses of plain words, so that two requests in one message stay two.

A message may be a word-by-word gloss of another language: nothing here relies on the order of words beyond
what stands between two marks of punctuation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desk.languages import Table

_QUOTES = str.maketrans(
    {"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
)
_HALF_DAY = re.compile(r"\b([ap])\.\s?m\b\.?", re.IGNORECASE)
_CLOCK = re.compile(r"(\d)\s(am|pm)\b", re.IGNORECASE)
_TITLE = re.compile(r"\b(mr|mrs|ms|dr|st)\.", re.IGNORECASE)
_DASH = re.compile(r"(?<=[^\d\s])\s[-–—]+\s|\s[-–—]+\s(?=[^\d\s])")
_MONEY = re.compile(
    r"[€$£]\s?(\d[\d.,]*\d|\d)|(\d[\d.,]*)\s?(?:€|\$|£|euros?\b|eur\b|dollars?\b|usd\b|pounds?\b)",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"[a-z]{2}\s?-\s?\d{4}\b"  # a booking reference
    r"|€\d+(?:[.,]\d+)*"
    r"|\d{1,4}(?:[:/]\d{1,2})+(?:/\d{2,4}|am|pm)?"  # a time or a date
    r"|\d+(?:[.,]\d+)*(?:st|nd|rd|th|am|pm)?"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*"
    r"|[^\w\s]|\n",
    re.IGNORECASE,
)
_NOT = re.compile(r"^(\w+)n't$")
_LONGEST_CLAUSE = 60  # words; matching gets slow beyond, and no sentence a guest writes is longer
_ENDS = frozenset("?!;:\n")
_SILENT = frozenset(".\"'()*-–—")


@dataclass(frozen=True)
class Token:
    """One word in lower case; `capital`: the guest wrote it with a capital letter inside a sentence."""

    word: str
    capital: bool = False


@dataclass(frozen=True)
class Clause:
    """One stretch of a message that says one thing.

    `asked`: it is put as a question. `located`: positions of words that only say where ("in the room", "at
    the pool") or when ("before breakfast"). `capitals`: positions written with a capital that no sentence
    start explains; `names`: those of them that the lexicon does not know.
    """

    words: tuple[str, ...]
    asked: bool
    located: frozenset[int]
    capitals: frozenset[int]
    names: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Splitter:
    """The words that decide where a clause ends and whether it asks, from `understanding.toml`."""

    spelling: Mapping[str, Sequence[str]]
    starts: frozenset[str]
    joiners: frozenset[str]
    openers: frozenset[str]
    lead_ins: frozenset[str]
    question_starts: frozenset[str]
    question_words: frozenset[str]
    places: frozenset[str]
    times: frozenset[str]
    definite: frozenset[str]
    modifiers: frozenset[str]
    date_words: frozenset[str]

    @classmethod
    def from_table(cls, table: Table) -> Splitter:
        """Read the tables `[spelling]` and `[clauses]`. Raises KeyError when one is missing."""
        lists = {name: frozenset(words) for name, words in table["clauses"].items()}
        spelling = {word: tuple(str(new).split()) for word, new in table["spelling"].items()}
        return cls(spelling=spelling, **lists)

    def split(self, text: str) -> tuple[Clause, ...]:
        """The clauses of a message, in its order; none for an empty one."""
        clauses = []
        for tokens, asked in self._pieces(list(self._tokens(text))):
            words = tuple(token.word for token in tokens)
            capitals = frozenset(i for i, token in enumerate(tokens) if token.capital)
            clauses.append(Clause(words, asked or self._asks(words), self._located(words), capitals))
        return tuple(clauses)

    def _tokens(self, text: str) -> Iterator[Token]:
        plain = unicodedata.normalize("NFKC", text).translate(_QUOTES)
        plain = _TITLE.sub(r"\1", _HALF_DAY.sub(r"\1m", _DASH.sub(" ; ", plain)))
        plain = _CLOCK.sub(r"\1\2", plain)
        plain = _MONEY.sub(lambda found: f" €{found[1] or found[2]} ", plain)
        start = True
        for found in _TOKEN.findall(plain):
            capital = found[0].isupper() and not start
            start = found in _ENDS or found == "."
            for word in self._spell(found.lower()):
                yield Token(word, capital)

    def _spell(self, word: str) -> Sequence[str]:
        """One written word as plain words: contractions in full, the spellings people use made one."""
        if word in self.spelling:
            return self.spelling[word]
        if negated := _NOT.match(word):
            return (*self.spelling.get(negated[1], (negated[1],)), "not")
        if word[:2].isalpha() and word[-4:].isdigit():
            return (re.sub(r"[\s-]", "", word),)
        return (word.removesuffix("'s").removesuffix("'"),) if len(word) > 1 else (word,)

    def _pieces(self, tokens: list[Token]) -> Iterator[tuple[list[Token], bool]]:
        piece: list[Token] = []
        for i, token in enumerate(tokens):
            mark = token.word
            if mark in _ENDS or (mark == "." and self._ends(tokens, i)):
                if piece:
                    yield piece, mark == "?"
                piece = []
            elif mark == "," or mark in self.joiners:
                if piece and self._begins(tokens, i, piece):
                    yield piece, False
                    piece = []
                if mark != ",":
                    piece.append(token)
            elif mark not in _SILENT:
                piece.append(token)
            if len(piece) >= _LONGEST_CLAUSE:
                yield piece, False
                piece = []
        if piece:
            yield piece, False

    def _ends(self, tokens: list[Token], i: int) -> bool:
        """Whether the full stop at `i` ends a sentence; in "1. to 3. February" it does not."""
        if i == 0 or i + 1 >= len(tokens) or not tokens[i - 1].word.isdigit():
            return True
        return len(tokens[i - 1].word) > 2 or tokens[i + 1].word not in self.date_words

    def _begins(self, tokens: list[Token], i: int, piece: list[Token]) -> bool:
        """Whether a new clause begins after the comma or joining word at `i`."""
        if tokens[i].word == "," and all(token.word in self.openers for token in piece):
            return True
        rest = i + 1
        while rest < len(tokens) and tokens[rest].word in self.joiners | {",", "please"}:
            rest += 1
        return rest < len(tokens) and tokens[rest].word in self.starts

    def _asks(self, words: Sequence[str]) -> bool:
        if words[:2] == ("what", "a"):
            return False  # "What a lovely room": an exclamation
        first = next((word for word in words if word not in self.joiners | self.lead_ins), "")
        return first in self.question_starts or any(word in self.question_words for word in words)

    def _located(self, words: Sequence[str]) -> frozenset[int]:
        found = set()
        for i, word in enumerate(words[:-1]):
            if word not in self.places | self.times:
                continue
            if words[i + 1] == "room" or (word in self.times and words[i + 1] not in self.definite):
                found.add(i + 1)
            elif words[i + 1] in self.definite and not words[min(i + 2, len(words) - 1)][0].isdigit():
                found.add(i + 2)
                if i + 3 < len(words) and words[i + 2] in self.modifiers:
                    found.add(i + 3)
        return frozenset(found)
