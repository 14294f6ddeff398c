"""Yes or no to an offer, in the guest's own words.

A booking hangs on this, so it is strict: a message is an answer only when every word of it is one that
can stand in an answer. A question, a condition or a change ("yes, but for three nights") is none.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from desk.languages import Language
from desk.reading.names import name_span
from desk.reading.remember import remembered
from desk.reading.text import Lexicon, phrase_lexicon, tokens

Answer = Literal["yes", "no"]
_QUESTION = re.compile("[?？؟;]\\s*$|[?？؟]")
# In this order a phrase that is in two lists counts: "perfect" is an answer, beside one a filler.
_CANCELS = ("cancelling", "keeping")
_KINDS = ("spoils", "negates", "no", "yes", "taking", "filler")


@remembered
def _lexicon(language: Language, *kinds: str) -> Lexicon:
    words = language.table("answers").get("words", {})
    return phrase_lexicon({kind: words.get(kind, []) for kind in kinds})


def read_answer(
    text: str,
    language: Language,
    *,
    offered: Collection[str] = (),
    just_offered: bool = True,
    cancels: bool = False,
) -> Answer | None:
    """A clear confirmation or refusal of an offer, or None.

    `offered` are words of the offer itself that may be said along (hotel, type, room number). "OK" or
    "perfect" alone is a yes only when the offer is the last thing that was said (`just_offered`). When the
    offer is to cancel a booking (`cancels`), "cancel it" is a yes and "keep it" a no.
    """
    if _QUESTION.search(text):
        return None
    kinds = _said(text, language, offered, cancels)
    if kinds is None or "spoils" in kinds:
        return None
    if "negates" in kinds:
        return "no"  # "do not book it"
    if "no" in kinds:
        return None if "yes" in kinds else "no"
    if "yes" in kinds:
        return "yes"
    return "yes" if "taking" in kinds and just_offered else None


def _said(text: str, language: Language, offered: Collection[str], cancels: bool) -> list[str] | None:
    """The kinds of the message's phrases in order, or None when one word of it is not known."""
    name = name_span(text, language)
    if name is not None:
        text = text[: name[0]] + " " * (name[1] - name[0]) + text[name[1] :]
    known = {token.text for phrase in offered for token in tokens(phrase)}
    words = tokens(text)
    kinds: list[str] = []
    lexicon = _lexicon(language, *(_CANCELS if cancels else ()), *_KINDS)
    for first, _, meaning in lexicon.scan(words):
        if meaning is not None:
            kinds.append({"cancelling": "yes", "keeping": "no"}.get(meaning.kind, meaning.kind))
        elif words[first].text[0].isalnum() and words[first].text not in known:
            return None
    return kinds
