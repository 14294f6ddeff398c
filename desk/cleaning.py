"""A guest message as the desk takes it in: readable text of a bounded length, or a clear refusal."""

from __future__ import annotations

import re
import unicodedata

from desk.errors import BadMessage

MAX_CHARACTERS = 4_000  # about two printed pages; more is a pasted document and not a message

_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# What nobody sees and nobody means: it hides words from readers, turns a line round, or smuggles a text past
# the eye. Joiners, direction marks and one variation selector stay: emoji, Persian and Japanese names need them.
_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_UNSEEN = re.compile(
    f"[\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]|(?<={_SELECTORS}){_SELECTORS}"
)


def clean(text: str) -> str:
    """The text without control and unseen characters, lone surrogates replaced, line ends as newlines, trimmed."""
    text = _UNSEEN.sub("", _CONTROL.sub("", _LINE_END.sub("\n", text)))
    return _LONE_SURROGATE.sub("\ufffd", text).strip()


def clean_message(text: str, *, may_be_empty: bool = False) -> str:
    """The cleaned guest message.

    Raises BadMessage: `empty` when nothing in it can be seen (blanks, zero-width characters), `too_long`
    beyond MAX_CHARACTERS.
    """
    text = clean(text)
    if not may_be_empty and not any(_visible(character) for character in text):
        raise BadMessage("empty")
    if len(text) > MAX_CHARACTERS:
        raise BadMessage("too_long")
    return text


def _visible(character: str) -> bool:
    return unicodedata.category(character) not in {"Cf", "Zs", "Cc", "Mn"}
