"""Whether an English translation of a message states what the message does not: numbers, months, weekdays.

What the guest wants is read from the English too, where the tables of their language do not cover it. So a
number or a day that the translator adds could become the guest's: this finds them by code, in any language
whose calendar Babel knows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from babel import Locale, UnknownLocaleError

from desk.languages import Table

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
# "May I", "march on": words, unless a day or a word of time stands beside them.
_NO_MONTH = re.compile(
    r"(?<!\d )(?<!\dth )(?<!\dst )(?<!\dnd )(?<!\drd )(?<!\bin )(?<!\bof )(?<!\bto )(?<!from )(?<!next )(?<!until )"
    r"\b(?:may|march)\b(?! \d)",
    re.IGNORECASE,
)
SHORTEST = 3  # letters by which a name of the calendar is known: "févr." is février, "Mo" may be anything

Names = frozenset[tuple[int, str]]  # months from 1, weekdays from 0 (Monday)


def added(text: str, english: str, code: str, dates: Table) -> list[str]:
    """The numbers, months and weekdays of the English that the message, in language `code`, does not have.

    `dates` is the language's own table, with names that Babel lacks; it may be empty. A month that the message
    writes as a number ("1.2.") counts as named. Number words are not compared.
    """
    given = _numbers(text)
    in_words = any(c.isnumeric() and not c.isdecimal() for c in text)  # 二月: its numbers cannot be compared
    strange = [] if in_words else sorted(_numbers(english) - given)
    bare = _NO_MONTH.sub(" ", english)
    for kind in ("months", "weekdays"):
        own = _names(code, kind) | _listed(dates, kind)
        if not own:
            continue
        named = {number for number, _ in _found(text, own)}
        told = {number for number, _ in _found(bare, _names("en", kind))} - named
        strange += [
            f"{kind} {number}" for number in sorted(told) if kind != "months" or str(number) not in given
        ]
    return strange


def _numbers(text: str) -> set[str]:
    """The numbers of a text in ASCII digits, without leading zeros; "20h30" has two."""
    ascii_digits = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    return {number.lstrip("0") or "0" for number in _NUMBER.findall(ascii_digits)}


@lru_cache(maxsize=64)
def _names(code: str, kind: str) -> Names:
    """The names of months or weekdays in a language, lower case; none if the language is not known."""
    try:
        locale = Locale.parse(code.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return frozenset()
    table = locale.months if kind == "months" else locale.days
    return _long_enough(
        (number, str(name).casefold().rstrip("."))
        for form in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for number, name in table[form][width].items()
    )


def _listed(dates: Table, kind: str) -> Names:
    table = dates.get(kind, {})
    return _long_enough(
        (int(number), str(name).casefold()) for number, names in table.items() for name in names
    )


def _long_enough(names: Iterable[tuple[int, str]]) -> Names:
    return frozenset((n, name) for n, name in names if len(name) >= SHORTEST or not name.isascii())


def _found(text: str, names: Names) -> Names:
    """Which names of the calendar a text has. Endings that a language hangs on ("Şubat'ta") do not matter."""
    lowered = text.casefold()
    words = [word for word in _WORD.findall(lowered) if len(word) >= SHORTEST]
    short = {(n, name) for n, name in names if len(name) < SHORTEST and name in lowered}
    return frozenset(short | {(n, name) for n, name in names for word in words if _is(word, name)})


def _is(word: str, name: str) -> bool:
    return word == name or (len(name) > SHORTEST and word.startswith(name) and len(word) <= len(name) + 3)
