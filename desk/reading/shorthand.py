"""Words written out that people shorten: "rm 4 2 ppl 2morrow", "DZ f. 2 Pers.". By each language's `shorthand.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from desk.languages import Language
from desk.reading.remember import remembered

Written = tuple[re.Pattern[str], Mapping[str, str]]


@remembered
def _words(language: Language) -> Written | None:
    words = {key.casefold(): str(full) for key, full in language.table("shorthand").get("words", {}).items()}
    if not words:
        return None
    longest = sorted(words, key=len, reverse=True)
    # "DZ" and "DZ." are one; a full stop that ends the sentence is taken along, which does no harm.
    row = "|".join(re.escape(word) for word in longest)
    return re.compile(rf"(?<![\w.-])(?:{row})(?![\w-])", re.IGNORECASE), words


@remembered
def _patterns(language: Language) -> list[tuple[re.Pattern[str], str]]:
    table = language.table("shorthand").get("patterns", {})
    return [(re.compile(pattern, re.IGNORECASE), str(full)) for pattern, full in table.items()]


def written_out(text: str, language: Language) -> str:
    """The text with its shortened words in full. What is not in the table stays as it is."""
    for pattern, full in _patterns(language):
        text = pattern.sub(full, text)
    found = _words(language)
    if found is None:
        return text
    row, words = found
    return row.sub(lambda match: words[match[0].casefold()], text)
