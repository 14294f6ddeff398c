"""An English message as clauses of plain words, ready for the mood's patterns.

Also what both halves of the mood need: contractions written out, in straight, curly and missing apostrophes.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

Form = Literal["statement", "question", "why", "request", "condition"]

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
# Written without an apostrophe these are no other English word; "were", "ill" or "well" would be.
_BARE = "is|are|was|were|do|does|did|has|have|had|would|could|should|ai|ca|wo|must|need"
# Text that went through a tokenizer has them apart: "wasn ' t".
_APART = re.compile(r"(?<=\w) ?' ?(?=(?:t|s|m|re|ve|ll|d)\b)", re.IGNORECASE)
_NEGATED = re.compile(rf"\b(\w+?)n't\b|\b({_BARE})nt\b", re.IGNORECASE)
_IRREGULAR = {"wo": "will", "ca": "can", "sha": "shall", "ai": "is"}
_CANNOT = re.compile(r"\bcan ?not\b", re.IGNORECASE)
_ENDINGS = {"m": "am", "re": "are", "ve": "have", "ll": "will"}
_SHORTENED = re.compile(r"\b(\w+)'(m|re|ve|ll)\b", re.IGNORECASE)
_IS = re.compile(
    r"\b(it|that|there|here|he|she|what|who|where|how|everything|nothing|this)'s\b", re.IGNORECASE
)

_SENTENCE = re.compile(r"(?<=[.!?…])\s+|[\n\r]+|(?<=[a-z]{2}[.!?])(?=[A-Z])")
_BREAK = re.compile(
    r"[,;:()\"“”„…]| [-–—]+ |—|(?=\b(?:but|although|even though|however|whereas)\b)|(?<!even )(?=\bthough\b)",
    re.IGNORECASE,
)
_NO_WORD = re.compile(r"[^\w]+")
_LEAD = (
    r"(?:(?:and|or|but|so|also|then|well|ok|okay|hi|hello|hey|dear|please|sorry|yes|no|oh"
    r"|excuse me|by the way) )*"
)
_ASKS = re.compile(
    _LEAD + r"(?:(?:is|are|do|does|am) (?!not\b)\w"
    r"|(?:can|could|may|might|will|would|shall|should) "
    r"(?:i|we|you|he|she|they|it|there|this|that|the|a|my|our|some|any)"
    r"|(?:when|where|what|how) (?:\w+ ){0,2}?(?:is|are|do|does|can|could|may|will|would|shall|should|to) "
    r"|(?:any|what about|how about) )"
)
# With a question mark these open a question too; without one they may be a report in short.
_ASKS_MARKED = re.compile(
    _LEAD + r"(?:has|have|had|was|were|did|must|when|where|which|who|whose|what|how) \w"
)
_WHY = re.compile(
    _LEAD + r"(?:why|how (?:is it|can it be|come|can you|could you|long (?:do|must|should|will))|when will)\b"
)
_REQUEST = re.compile(
    r"\b(?:please|(?:would|d|should) (?:like|love|prefer|rather)"
    r"|can (?:you|we|i)|could (?:you|we|i|someone|somebody)"
    r"|i need|we need|i want|we want|looking for|send someone|i (?:will|shall) take|we (?:will|shall) take) "
)
_DEMAND = re.compile(r"\b(?:want|demand|need) (?:\w+ )?(?:\w+ )?(?:money|refund|compensation|manager)\b")
_CONDITION = re.compile(
    _LEAD + r"(?:if(?! (?:you|i could|we could)\b)|in case|what if|unless|whether|suppose|what happens"
    r"|i wonder|wondering) "
)
# "Can you come, my wife fell": the second half belongs to the question, and reports all the same.
_REPORTS = re.compile(
    _LEAD + r"(?:i|we|he|she|they|my|our|his|her|there (?:is|are)|someone|somebody|a man) \w"
)


@dataclass(frozen=True)
class Clause:
    """Lower-case words, each followed by one space; `form`: does it state, ask, request or suppose.

    `reports`: it stands in a question and tells something of the guest's own.
    """

    words: str
    form: Form
    reports: bool = False


def expand(english: str) -> str:
    """Write contractions out: "isn't", "isn’t" and "isnt" all become "is not". Keeps everything else."""
    text = unicodedata.normalize("NFC", english).translate(_APOSTROPHES)
    text = _APART.sub("'", text)
    text = _NEGATED.sub(_negation, text)
    text = _CANNOT.sub("can not", text)
    text = _SHORTENED.sub(lambda found: f"{found[1]} {_ENDINGS[found[2].lower()]}", text)
    return _IS.sub(r"\1 is", text)


def _negation(found: re.Match[str]) -> str:
    stem = found[1] or found[2]
    return f"{_IRREGULAR.get(stem.lower(), stem)} not"


def sentences(text: str) -> list[str]:
    """The sentences of `text`, each with its end mark."""
    return [part.strip() for part in _SENTENCE.split(text) if part and part.strip()]


def clauses(english: str) -> list[Clause]:
    """The clauses of a message in order. A clause that follows a question in its sentence belongs to it."""
    found: list[Clause] = []
    for sentence in sentences(expand(english)):
        found += _of_sentence(sentence)
    return found


def _of_sentence(sentence: str) -> list[Clause]:
    marked = sentence.rstrip("\"'”) ").endswith("?")
    parts = [_plain(part) for part in _BREAK.split(sentence)]
    parts = [part for part in parts if part]
    opened = next((index for index, part in enumerate(parts) if _opens_question(part, marked=marked)), None)
    if marked and opened is None:
        opened = 0
    return [
        Clause(
            part,
            _form(part, asked=opened is not None and index >= opened),
            reports=bool(_REPORTS.match(part)) and not _opens_question(part, marked=False),
        )
        for index, part in enumerate(parts)
    ]


def _opens_question(part: str, *, marked: bool) -> bool:
    return bool(_ASKS.match(part) or _WHY.match(part) or (marked and _ASKS_MARKED.match(part)))


def _form(part: str, *, asked: bool) -> Form:
    if _CONDITION.match(part):
        return "condition"
    if _WHY.match(part):
        return "why"
    if asked:
        return "question"
    return "request" if _REQUEST.search(part) and not _DEMAND.search(part) else "statement"


def _plain(part: str) -> str:
    words = _NO_WORD.sub(" ", part.casefold().replace("'s ", " ").replace("'", "")).strip()
    return f"{words} " if words else ""
