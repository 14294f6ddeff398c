"""Patterns over the words of a clause, as `understanding.toml` writes them.

towel*            a word that begins so
room service      these words one after the other; small words ("the", "some") may stand between
leave|put_down    either; "_" joins the words of one alternative
@car              any pattern of the class `car`
left .. in        the second after the first, at most five words on
leave & @car      both, anywhere in the clause: what glosses with another word order need
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from desk.errors import DataError
from desk.models.rehearsal.understanding.clauses import Clause

NAMED = "named"
_GAP = 5
_SMALL_SKIP = 2

Span = frozenset[int]


@dataclass(frozen=True)
class Atom:
    """One place of a pattern: whole words, beginnings of words, or classes."""

    words: frozenset[str]
    stems: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    classes: tuple[str, ...]
    far: bool  # may stand up to five words after the atom before it

    @classmethod
    def parse(cls, text: str, far: bool) -> Atom:
        """Read `leave|put|park*|@car`."""
        parts = text.split("|")
        plain = [part for part in parts if part[0] != "@" and "_" not in part]
        return cls(
            words=frozenset(part for part in plain if part[-1] != "*"),
            stems=tuple(part[:-1] for part in plain if part[-1] == "*"),
            phrases=tuple(tuple(part.split("_")) for part in parts if "_" in part),
            classes=tuple(part[1:] for part in parts if part[0] == "@"),
            far=far,
        )

    @property
    def begins(self) -> frozenset[str] | None:
        """The words that it can begin with; None when beginnings of words or classes are among them."""
        if self.stems or self.classes:
            return None
        return self.words.union(phrase[0] for phrase in self.phrases)


Row = tuple[Atom, ...]


@dataclass(frozen=True)
class Pattern:
    """Rows of atoms that must all stand in the clause, without sharing a word.

    `size` is how many atoms there are: a pattern that asks for more says more. `key` are the words of one of
    them, if there is one of plain words only: a clause without any of them need not be looked at closer.
    `first` are the words that the first row can begin with, or None when they cannot be listed.
    """

    rows: tuple[Row, ...]
    size: int
    key: frozenset[str] | None
    first: frozenset[str] | None

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Read one pattern; its grammar is at the top of this file. Raises DataError for an empty one."""
        rows = tuple(cls._row(part) for part in text.split(" & "))
        if not all(rows):
            raise DataError(f"understanding.toml: the pattern {text!r} has an empty part")
        atoms = [atom for row in rows for atom in row]
        keys = [atom.words for atom in atoms if not (atom.stems or atom.phrases or atom.classes)]
        return cls(rows, len(atoms), min(keys, key=len, default=None), rows[0][0].begins)

    @staticmethod
    def _row(text: str) -> Row:
        atoms: list[Atom] = []
        far = False
        for word in text.split():
            if word != "..":
                atoms.append(Atom.parse(word, far))
            far = word == ".."
        return tuple(atoms)


@dataclass(frozen=True)
class Words:
    """The classes of a table: named lists of patterns, and classes of words by their shape."""

    classes: Mapping[str, tuple[Pattern, ...]]
    shapes: Mapping[str, re.Pattern[str]]
    small: frozenset[str]

    @classmethod
    def from_table(
        cls, classes: Mapping[str, Sequence[str]], shapes: Mapping[str, str], small: Sequence[str]
    ) -> Words:
        """Compile the tables `[classes]` and `[shapes]` and the list of small words."""
        compiled = {name: tuple(Pattern.parse(text) for text in texts) for name, texts in classes.items()}
        for name, patterns in compiled.items():
            if any(len(pattern.rows) > 1 for pattern in patterns):
                raise DataError(f"understanding.toml: class {name} may not use '&'")
        return cls(compiled, {name: re.compile(shape) for name, shape in shapes.items()}, frozenset(small))


@dataclass
class Matcher:
    """Finds patterns in one clause; remembers which classes stand where."""

    words: Words
    clause: Clause
    _seen: dict[tuple[str, int], tuple[Span, ...]] = field(default_factory=dict)
    _present: dict[str, bool] = field(default_factory=dict)

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(self.clause.words)

    def find(self, pattern: Pattern) -> Span | None:
        """The positions of the first match, or None."""
        if pattern.key is not None and pattern.key.isdisjoint(self._all):
            return None
        if not all(self._may(atom) for row in pattern.rows for atom in row):
            return None  # most patterns end here: some atom stands nowhere in the clause
        return self._rows(pattern.rows, frozenset())

    def any(self, patterns: Sequence[Pattern]) -> bool:
        """Whether one of the patterns stands in the clause."""
        return any(self.find(pattern) is not None for pattern in patterns)

    def has(self, name: str) -> bool:
        """Whether the class stands anywhere in the clause."""
        if name not in self._present:
            self._present[name] = any(self._class(name, at) for at in range(len(self.clause.words)))
        return self._present[name]

    def span(self, name: str) -> Span:
        """Every position that some match of the class covers."""
        return frozenset().union(*(s for at in range(len(self.clause.words)) for s in self._class(name, at)))

    def _may(self, atom: Atom) -> bool:
        return (
            not atom.words.isdisjoint(self._all)
            or (bool(atom.stems) and any(word.startswith(atom.stems) for word in self._all))
            or any(phrase[0] in self._all for phrase in atom.phrases)
            or any(self.has(name) for name in atom.classes)
        )

    def _rows(self, rows: tuple[Row, ...], used: Span) -> Span | None:
        if not rows:
            return used
        for start in range(len(self.clause.words)):
            for span in self._row(rows[0], start):
                if not span & used and (found := self._rows(rows[1:], used | span)) is not None:
                    return found
        return None

    def _row(self, row: Row, at: int) -> Iterator[Span]:
        """Every match of the row that begins exactly at `at`."""
        for first in self._atom(row[0], at):
            if len(row) == 1:
                yield first
                continue
            for start in self._next(max(first) + 1, row[1].far):
                for rest in self._row(row[1:], start):
                    yield first | rest

    def _next(self, at: int, far: bool) -> Iterator[int]:
        """Where the next atom may begin: right here, after small words, or within the gap."""
        words = self.clause.words
        skipped = 0
        while at < len(words):
            yield at
            allowed = skipped < _GAP if far else skipped < _SMALL_SKIP and words[at] in self.words.small
            if not allowed:
                return
            skipped += 1
            at += 1

    def _atom(self, atom: Atom, at: int) -> Iterator[Span]:
        word = self.clause.words[at]
        if word in atom.words or (atom.stems and word.startswith(atom.stems)):
            yield frozenset((at,))
        for phrase in atom.phrases:
            if self.clause.words[at : at + len(phrase)] == phrase:
                yield frozenset(range(at, at + len(phrase)))
        for name in atom.classes:
            yield from self._class(name, at)

    def _class(self, name: str, at: int) -> tuple[Span, ...]:
        key = (name, at)
        if key not in self._seen:
            self._seen[key] = ()  # a class that leads back to itself matches nothing
            if name == NAMED:
                self._seen[key] = (frozenset((at,)),) if at in self.clause.names else ()
            elif name in self.words.shapes:
                fits = self.words.shapes[name].match(self.clause.words[at])
                self._seen[key] = (frozenset((at,)),) if fits else ()
            else:
                word = self.clause.words[at]
                begun = (p for p in self.words.classes[name] if p.first is None or word in p.first)
                self._seen[key] = tuple(span for p in begun for span in self._row(p.rows[0], at))
        return self._seen[key]
