"""Numbers and ordinals as a language writes them: digits of any script, words, "18th", "18."."""

from __future__ import annotations

from collections.abc import Sequence

from desk.languages import Language
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, Token, fold

ARTICLE = "article"
CARDINAL = "number"
ORDINAL = "ordinal"


def add_numbers(lexicon: Lexicon, language: Language) -> None:
    """Add the language's number words (`numbers.toml`) to a lexicon."""
    table = language.table("numbers")
    lexicon.add_table(table.get("cardinals", {}), CARDINAL)
    lexicon.add_table(table.get("ordinals", {}), ORDINAL)
    lexicon.add(table.get("articles", ()), ARTICLE, 1)


@remembered
def ordinal_suffixes(language: Language) -> frozenset[str]:
    """What turns digits into an ordinal when it touches them ("th", ".")."""
    return frozenset(fold(suffix) for suffix in language.table("numbers").get("ordinal_suffixes", ()))


def digits_at(words: Sequence[Token], at: int, suffixes: frozenset[str]) -> tuple[int, str, int] | None:
    """A number in digits at token `at`: (tokens it takes, kind, value), or None.

    A full stop is a suffix only where the sentence goes on after it, or there is nothing else it could be.
    """
    value = words[at].number
    if value is None:
        return None
    after = words[at + 1] if at + 1 < len(words) else None
    if after is None or not after.glued or after.text not in suffixes:
        return 1, CARDINAL, value
    return 2, ORDINAL, value
