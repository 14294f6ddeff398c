"""A text while its amounts are taken from it, and what is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from desk.reading.text import fold, plain

Value = Fraction | str  # a number; "t14:30", "m3", "w0"; "b8a" and "b8p" for a bare 8 that may be an hour
TAKEN = "\0"


@dataclass(frozen=True)
class Mention:
    """One amount as a text mentions it: every value it can stand for, and whether it is certainly an amount.

    `span` is where its number stands in the page's text, without the words that follow it.
    """

    text: str
    values: frozenset[Value]
    certain: bool = True
    span: tuple[int, int] = (0, 0)


class Page:
    """A folded text. What one scan has taken, the next does not see."""

    def __init__(self, text: str) -> None:
        """Begin with the whole text."""
        self.text = text

    def found(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """The matches in what is left. Takes nothing."""
        return pattern.finditer(self.text)

    def take(self, start: int, end: int) -> str:
        """Take this stretch away, and return it."""
        taken = self.text[start:end]
        self.text = self.text[:start] + TAKEN * (end - start) + self.text[end:]
        return taken


def place(text: str, at: int) -> int:
    """Where the sign at `at` of a text stands once the text is folded."""
    return len(fold(plain(text[:at])))


def number_values(number: Fraction) -> frozenset[Value]:
    """A bare number; up to twelve it may be an hour of the morning or of the evening."""
    hours = [f"b{number}a", f"b{number}p"] if number <= 12 and number.denominator == 1 else []
    return frozenset({number, *hours})
