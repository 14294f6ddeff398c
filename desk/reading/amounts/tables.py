"""How people count, read from `data/languages/numbers.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError

from desk.errors import DataError
from desk.languages import Table, read_toml
from desk.reading.text import fold

# Letters, with the marks that Indic and Arabic scripts hang on them.
WORD = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f])+")


@dataclass(frozen=True)
class Sense:
    """What a word or phrase may mean: a number, a scale, numbers that it only may mean, "and" between numbers."""

    number: int | None = None
    scale: int | None = None
    loose: frozenset[Fraction] = frozenset()
    joins: bool = False


@dataclass(frozen=True)
class Counting:
    """How one language counts. `exact` and `stems` are by the folded words of a phrase."""

    code: str
    exact: Mapping[tuple[str, ...], Sense] = field(default_factory=dict)
    stems: Mapping[str, Sense] = field(default_factory=dict)
    about: Table = field(default_factory=dict)

    @cached_property
    def longest(self) -> int:
        """Words of the longest phrase."""
        return max((len(phrase) for phrase in self.exact), default=0)

    @cached_property
    def separators(self) -> tuple[str, str]:
        """The locale's decimal sign and its sign between thousands."""
        locale = _locale(self.code)
        signs = locale.number_symbols.get("latn") or locale.number_symbols if locale else {}
        return str(signs.get("decimal", ".")), str(signs.get("group", ","))

    def sense(self, words: tuple[str, ...]) -> Sense | None:
        """What these words mean together."""
        found = self.exact.get(words)
        if len(words) > 1 or (found is not None and (found.number is not None or found.scale)):
            return found
        starts = (words[0][:end] for end in range(len(words[0]), 0, -1))
        stem = next((self.stems[start] for start in starts if start in self.stems), None)
        if stem is not None:
            return _both(found, stem)
        return found or self._prefixed(words[0])

    def _prefixed(self, word: str) -> Sense | None:
        prefixes = (prefix for prefix in self.listed("prefixes") if word.startswith(prefix))
        return next((s for prefix in prefixes if (s := self.exact.get((word.removeprefix(prefix),)))), None)

    def listed(self, key: str) -> Sequence[str]:
        """The folded words of one of the section's own lists, the longest first."""
        return self._lists.get(key, ())

    @cached_property
    def _lists(self) -> Mapping[str, Sequence[str]]:
        texts = {key: value.split() for key, value in self.about.items() if isinstance(value, str)}
        return {
            key: sorted((fold(word).replace("_", " ") for word in words), key=len, reverse=True)
            for key, words in texts.items()
        }

    def valued(self, table: str) -> dict[str, int]:
        """The folded words of one of the section's tables with their values."""
        return {
            fold(word): int(value)
            for value, words in self.about.get(table, {}).items()
            for word in str(words).split()
        }

    @cached_property
    def relative(self) -> Mapping[str, list[str]]:
        """The folded words for days that are counted from today, by their kind ("tomorrow", "weekend")."""
        table = self.about.get("relative", {})
        return {
            kind: [fold(word).replace("_", " ") for word in words.split()] for kind, words in table.items()
        }

    @cached_property
    def units(self) -> Mapping[str, list[str]]:
        """The folded words and signs of units by their unit; empty where a language's are not known."""
        return {unit: fold(words).split() for unit, words in self.about.get("units", {}).items()}

    @cached_property
    def calendar(self) -> Mapping[str, tuple[str, bool]]:
        """Folded names of weekdays and months: "w2" or "m3", and whether the name counts only beside a digit."""
        locale = _locale(self.code)
        own = {
            fold(word): (mark, False)
            for mark, words in self.about.get("calendar", {}).items()
            for word in words.split()
        }
        return {**(_calendar(locale) if locale else {}), **own}


@dataclass(frozen=True)
class Numbers:
    """Every language's counting, and how currencies and the measures of any language are known."""

    languages: Mapping[str, Counting]
    currencies: Mapping[str, Iterable[str]]
    measures: Mapping[str, Iterable[str]] = field(default_factory=dict)

    def of(self, code: str) -> Counting:
        """The counting of a language; of one that is not listed, only what its locale tells."""
        base = code.partition("-")[0]
        return self.languages.get(base) or Counting(base)


def read_numbers(path: Path) -> Numbers:
    """Read the tables. Raises DataError when the file is missing or a value is no number."""
    tables = read_toml(path)
    currencies, measures = (
        {code: fold(words).split() for code, words in tables.pop(name, {}).items()}
        for name in ("currencies", "measures")
    )
    try:
        return Numbers({c: _counting(c, table) for c, table in tables.items()}, currencies, measures)
    except (ValueError, AttributeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from None


def _counting(code: str, table: Table) -> Counting:
    exact: dict[tuple[str, ...], Sense] = {}
    stems: dict[str, Sense] = {}
    for written, sense in _senses(table):
        for word in _expanded(written, table.get("endings", ())):
            if word.endswith("*"):
                stem = fold(word[:-1])
                stems[stem] = _both(stems.get(stem), sense)
                continue
            phrase = tuple(WORD.findall(fold(word.replace("_", " "))))
            if phrase:
                exact[phrase] = _both(exact.get(phrase), sense)
    return Counting(code, exact, stems, table)


def _senses(table: Table) -> Iterator[tuple[str, Sense]]:
    for value, words in table.get("words", {}).items():
        yield from ((word, Sense(number=int(value))) for word in words.split())
    for value, words in table.get("scales", {}).items():
        yield from ((word, Sense(scale=int(value))) for word in words.split())
    for value, words in table.get("loose", {}).items():
        yield from ((word, Sense(loose=frozenset({Fraction(int(value))}))) for word in words.split())
    for value, words in table.get("parts", {}).items():
        yield from ((word, Sense(loose=frozenset({Fraction(1, int(value))}))) for word in words.split())
    yield from ((word, Sense(joins=True)) for word in table.get("and", ()))


def _both(old: Sense | None, new: Sense) -> Sense:
    if old is None:
        return new
    return replace(
        old,
        number=new.number if old.number is None else old.number,
        scale=new.scale if old.scale is None else old.scale,
        loose=old.loose | new.loose,
        joins=old.joins or new.joins,
    )


def _expanded(word: str, endings: Iterable[str]) -> list[str]:
    if not word.endswith("+"):
        return [word]
    return [word[:-1] + ending for ending in endings]


@lru_cache(maxsize=64)
def _locale(code: str) -> Any:
    try:
        return Locale.parse(code.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return None


def _calendar(locale: Any) -> dict[str, tuple[str, bool]]:
    """Name → ("w2" or "m3", whether it counts only beside a digit). One character is no name."""
    found: dict[str, tuple[str, bool]] = {}
    for kind, mark in (("days", "w"), ("months", "m")):
        table = getattr(locale, kind)
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in table[form][width].items():
                    folded = fold(str(name)).rstrip(".")
                    short = width == "abbreviated" and folded < "\u0600"
                    if len(folded) > 1 and not any(c.isdecimal() for c in folded):
                        found.setdefault(folded, (f"{mark}{number}", short))
    return found
