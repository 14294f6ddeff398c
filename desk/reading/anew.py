"""What of the stay asked for before a new message still means: the rooms it spoke of, or a wish of its own.

"And from the 11th to the 13th?" is about the room that was spoken of; "anything from the 11th?" is about any.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desk.languages import Language
from desk.reading.remember import remembered
from desk.reading.words import Superlative, says

DATES = frozenset({"arrival", "departure", "length", "problem"})
A_STAY = frozenset({"arrival", "departure", "guests"})


def any_room(texts: Sequence[str], languages: Sequence[Language]) -> bool:
    """Whether a message asks for a room whichever it is. Each text is in the language beside it."""
    told = (_any_room(language).search(text) for text, language in zip(texts, languages, strict=True))
    return any(told) or says("any", texts, languages)


@remembered
def _any_room(language: Language) -> re.Pattern[str]:
    """The language's pattern for it; one that finds nothing where it has none."""
    return re.compile(
        language.subject("vocabulary").get("patterns", {}).get("any_room", "(?!)"), re.IGNORECASE
    )


def begins_anew(
    fresh: frozenset[str],
    superlative: Superlative | None,
    texts: Sequence[str],
    languages: Sequence[Language],
) -> bool:
    """Whether the type asked for before no longer holds: other dates or people come with a room of any type,
    other dates with a superlative ("the dearest one, 3 to 5 April"), or that is asked of all there are."""
    if "type" in fresh:
        return False
    if superlative and (fresh & {"arrival", "departure"} or says("overall", texts, languages)):
        return True
    return bool(fresh & A_STAY) and any_room(texts, languages)


def follows_on(
    fresh: frozenset[str],
    superlative: Superlative | None,
    texts: Sequence[str],
    languages: Sequence[Language],
) -> bool:
    """Whether a message gives nothing but other dates, or insists, so that it is about the rooms spoken of before."""
    if not fresh:
        return insists(texts, languages)
    return fresh <= DATES and superlative is None and not any_room(texts, languages)


def insists(texts: Sequence[str], languages: Sequence[Language]) -> bool:
    """Whether a guest wants all the same what they heard cannot be had ("book it anyway")."""
    return says("insist", texts, languages)
