"""The pack's lexicon of moods (`mood.toml`), read into patterns.

A pattern is words with single spaces between them, and

    towel*     a word that begins so              (a|b c)    one of these
    <class>    a word of `[classes]`              (a)?       one of these or nothing
    _ and __   up to two, up to five words        (?!a|b)    unless one of these comes next
    ^ and $    the clause's start and end
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from desk.errors import DataError
from desk.languages import Table

_PIECE = re.compile(r"(?:\((?:[^()]|\([^()]*\))*\)|\S)+")
_STAR = re.compile(r"(?<=[a-z])\*")  # not the one of a pattern's own \w*
_GAPS = {"_": r"(?:\w+ ){0,2}?", "__": r"(?:\w+ ){0,5}?"}
_CLASS = re.compile(r"<(\w+)>")
Frozen = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Kind:
    """One kind of complaint. `weight`: 1 a reservation, 2 a complaint. `negatable`: "not dirty" is none."""

    name: str
    weight: int
    pattern: re.Pattern[str]
    negatable: bool
    angry: bool
    asked: bool  # counts in a question too


@dataclass(frozen=True)
class MoodLexicon:
    """Everything of `mood.toml` that patterns are made of."""

    kinds: tuple[Kind, ...]
    negation: re.Pattern[str]
    idioms: re.Pattern[str]
    limits: re.Pattern[str]
    praise: re.Pattern[str]
    openers: re.Pattern[str]
    ironies: re.Pattern[str]
    alarms: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]]
    harmless: re.Pattern[str]
    angry_signs: str


def mood_lexicon(table: Table) -> MoodLexicon:
    """The lexicon of a parsed `mood.toml`; read once for each table. Raises DataError for a broken one."""
    return _of(_Itself(table))


class _Itself:
    """A table as a key: it is equal to itself alone. A table is read from its file once and never changed."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __hash__(self) -> int:
        return id(self.table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.table is self.table


@lru_cache(maxsize=8)
def _of(key: _Itself) -> MoodLexicon:
    frozen = _frozen(key.table)
    return _build(frozen if isinstance(frozen, tuple) else ())


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple((key, _frozen(each)) for key, each in value.items())
    return tuple(value) if isinstance(value, list) else value


@lru_cache(maxsize=8)
def _build(frozen: Frozen) -> MoodLexicon:
    table = dict(frozen)
    classes = {name: "|".join(_words(listed)) for name, listed in table.get("classes", ())}
    kinds = [_kind(name, dict(fields), classes) for name, fields in table.get("kinds", ())]
    irony = dict(table.get("sarcasm", ()))
    alarms = {name: dict(fields) for name, fields in table.get("alarms", ())}
    return MoodLexicon(
        kinds=tuple(kinds),
        negation=re.compile(_any(table.get("negation", ()), classes).pattern + "$"),
        idioms=_any(table.get("idioms", ()), classes),
        limits=_any(table.get("limits", ()), classes),
        praise=_any(table.get("praise", ()), classes),
        openers=_any(irony.get("openers", ()), classes),
        ironies=_any(irony.get("ironies", ()), classes),
        alarms={
            name: (_any(fields["patterns"], classes), _any(fields.get("asked", ()), classes))
            for name, fields in alarms.items()
        },
        harmless=_any(table.get("harmless", ()), classes),
        angry_signs="".join(table.get("angry_signs", ())),
    )


def _kind(name: str, fields: Mapping[str, Any], classes: Mapping[str, str]) -> Kind:
    return Kind(
        name=name,
        weight=int(fields.get("weight", 2)),
        pattern=_any(fields["patterns"], classes),
        negatable=bool(fields.get("negatable", True)),
        angry=bool(fields.get("angry", False)),
        asked=bool(fields.get("asked", False)),
    )


def _words(listed: tuple[str, ...]) -> list[str]:
    return [re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", " ") for word in listed]


def _any(patterns: tuple[str, ...], classes: Mapping[str, str]) -> re.Pattern[str]:
    """One expression for all of `patterns`; one that never matches for none."""
    if not patterns:
        return re.compile(r"(?!)")
    return re.compile(r"(?<!\w)(?:" + "|".join(_compiled(each, classes) for each in patterns) + ")")


def _compiled(pattern: str, classes: Mapping[str, str]) -> str:
    return "".join(_piece(piece, classes) for piece in _PIECE.findall(pattern))


def _piece(piece: str, classes: Mapping[str, str]) -> str:
    if piece in _GAPS:
        return _GAPS[piece]
    if piece in "^$":
        return piece
    optional = piece.endswith((")?", ">?"))
    word = _STAR.sub(r"\\w*", piece[:-1] if optional else piece)
    try:
        word = _CLASS.sub(lambda found: f"(?:{classes[found[1]]})", word)
    except KeyError as missing:
        raise DataError(f"mood.toml: no class {missing} for the pattern {piece!r}") from None
    if word.startswith("(?!") and word.endswith(")"):
        return f"(?!(?:{word[3:-1]}) )"
    return f"(?:(?:{word}) )" + ("?" if optional else "")
