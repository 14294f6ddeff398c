"""Sentence patterns as data files give them, and the choice of the one that fits.

A kind has one or more blocks, and the first that fits is used: its `when` agrees with the fields, and
the fields have all that its sentence names. `{name}` stands for a field and `{name.form}` for a field in
a form: a number with its unit, a stay or a room type as the sentence needs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from desk.errors import DataError

Fields = Mapping[str, Any]

PLACEHOLDER = re.compile(r"\{([a-z][a-z_]*)(?:\.([a-z_]+))?\}")
ANY_PLACE = re.compile(r"\{[^{}]*\}")  # those of spans too, as in {from:d}
BRACE = re.compile(r"[{}]")
PRESENT, ABSENT = "*", "-"
OTHER = "other"


@dataclass(frozen=True)
class Block:
    """One sentence with its conditions.

    `say` holds the sentence by plural form, under "other" when it has only one. `by` names the number
    that chooses the form.
    """

    when: Mapping[str, Any]
    say: Mapping[str, str]
    by: str | None = None

    def placeholders(self) -> Iterator[tuple[str, str | None]]:
        """Every field the sentence names, with the form it wants."""
        for sentence in self.say.values():
            for match in PLACEHOLDER.finditer(sentence):
                yield match.group(1), match.group(2)

    @cached_property
    def needs(self) -> frozenset[str]:
        """The fields without which this block cannot be said."""
        named = frozenset(name for name, _ in self.placeholders())
        return named | {self.by} if self.by else named

    def fits(self, fields: Fields) -> bool:
        """Whether the fields agree with `when` and have everything the sentence names."""
        return self.needs <= fields.keys() and all(
            _agrees(fields.get(key), want) for key, want in self.when.items()
        )


def _agrees(value: Any, wanted: Any) -> bool:
    if wanted == PRESENT:
        return value is not None
    if wanted == ABSENT:
        return value is None
    return bool(value == wanted)


def read_blocks(kind: str, rows: Any, where: str) -> tuple[Block, ...]:
    """The blocks of one kind. Raises DataError, naming `where` and the kind, when one is malformed."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DataError(f"{where}: {kind} must be written as [[{kind}]] blocks")
    return tuple(_block(row, f"{where}: {kind}, block {number}") for number, row in enumerate(rows, 1))


def _block(row: Mapping[str, Any], where: str) -> Block:
    say, when = row.get("say"), row.get("when", {})
    by = row.get("by")
    if isinstance(say, str):
        say = {OTHER: say}
    elif not isinstance(say, dict) or OTHER not in say or not by:
        raise DataError(f"{where} needs `say`: a sentence, or plural forms with `other` and a `by`")
    if not isinstance(when, dict):
        raise DataError(f"{where}: `when` must be a table")
    for sentence in say.values():
        if BRACE.search(PLACEHOLDER.sub("", sentence)):
            raise DataError(f"{where} has a brace that is no placeholder: {sentence}")
    return Block(when, say, by)


def choose(blocks: Sequence[Block], fields: Fields) -> Block | None:
    """The first block that fits, or None."""
    return next((block for block in blocks if block.fits(fields)), None)


def fill(sentence: str, write: Callable[[str, str | None], str]) -> str:
    """The sentence with each placeholder written by `write(name, form)`.

    A sentence that begins with a form of a word ({type.no}) gets its first letter in upper case.
    """
    filled = PLACEHOLDER.sub(lambda match: write(match.group(1), match.group(2)), sentence)
    first = PLACEHOLDER.match(sentence)
    return filled[:1].upper() + filled[1:] if first and first.group(2) else filled
