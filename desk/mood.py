"""The mood of a message: TextBlob's polarity of its English, alarm words, and when the desk calms a guest.

The polarity is always TextBlob's; what it cannot see (sarcasm, "nothing works", "I am furious") is the tone's
part, read beside it. Which words raise an alarm is data: `mood.toml` of the pack's English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from desk.languages import Table
from desk.moodlexicon import MoodLexicon, mood_lexicon
from desk.moodtext import Clause, clauses, expand
from desk.turn import Label, Tone

Alarm = Literal["safety", "theft", "health"]

NEGATIVE = -0.1  # at or below: negative
POSITIVE = 0.1  # at or above: positive
_DIGITS = 6  # TextBlob's means carry rounding dust: 0.1 arrives as 0.10000000000000003

# Words that TextBlob counts against a text although they only say when, how big or how warm.
_DESCRIPTORS = frozenset([
    "late", "small", "little", "tiny", "long", "short", "far", "low", "down", "thin", "thick", "narrow",
    "tight", "cold", "dark", "black", "hard", "heavy", "slow", "busy", "empty", "raw", "expensive",
    "cheap", "basic", "half", "few", "less", "only", "other", "previous", "different", "due", "average",
    "base", "minor", "spare", "common", "simple", "rare", "remote", "strange", "foreign", "subject",
    "sorry", "wrong", "not", "no", "sure", "certain", "able", "possible", "necessary", "ready", "closed",
    "hidden", "ill", "sick", "past", "right", "really",
])  # fmt: skip
# Words of dislike or worry that a guest says of other things on the way to a question: "I hate rushing, …?"
_ASIDES = frozenset(
    ["hate", "tired", "afraid", "nervous", "worried", "stressed", "crazy", "mad", "wild", "serious"]
)
_THANKS = re.compile(
    r"^(?:(?:ok|okay|great|perfect|lovely|no|yes|hi|hello|dear \w+) )*"
    r"(?:many thanks|thanks|thank you|thankyou|thx|cheers|much appreciated"
    r"|(?:i|we) (?:really |very much )?appreciate)\b"
)
_REPORT = re.compile(r"\b(?:and|because|since|as|so) (?=(?:i|we|he|she|my|our|there|someone|somebody) )")


@dataclass(frozen=True)
class Score:
    """TextBlob's polarity (-1..1) with its label, and the words that were scored, as they came."""

    polarity: float
    label: Label
    words: tuple[str, ...]


def score(english: str) -> Score:
    """TextBlob's polarity of the text with its contractions written out. Needs no corpora."""
    found = _assess(expand(english))
    polarity = round(float(found.polarity), _DIGITS)
    label: Label = "neutral"
    if polarity <= NEGATIVE:
        label = "negative"
    elif polarity >= POSITIVE:
        label = "positive"
    words = [word for chunk, *_ in found.assessments for word in chunk if word != "!"]
    return Score(polarity, label, tuple(dict.fromkeys(words)))


def _assess(text: str) -> Any:
    # Imported here: it takes half a second, and a page that only draws needs none of it.
    from textblob import TextBlob

    return TextBlob(text).sentiment_assessments


def alarm(english: str, table: Table) -> Alarm | None:
    """Whether the guest reports danger, theft or illness. `table` is the English subject table `mood`.

    What is only asked or supposed ("Is there a smoke detector?", "What if I lose my key?") raises none.
    """
    lexicon = mood_lexicon(table)
    kinds: tuple[Alarm, ...] = ("health", "safety", "theft")
    parts = [(asked, lexicon.harmless.sub("", words)) for asked, words in _told(clauses(english))]
    for kind in kinds:
        if any(_alarms(lexicon, kind, words, asked=asked) for asked, words in parts):
            return kind
    return None


def _told(found: list[Clause]) -> Iterator[tuple[bool, str]]:
    """The clauses that can report something, each with whether it only asks.

    In "Can you come, my wife fell" and "Can you come because she fell" the second half reports.
    """
    for clause in found:
        if clause.form == "condition":
            continue
        asks, *reports = _REPORT.split(clause.words) if clause.form == "question" else [clause.words]
        yield clause.form == "question" and not clause.reports, asks
        yield from ((False, words) for words in reports)


def _alarms(lexicon: MoodLexicon, kind: Alarm, words: str, *, asked: bool) -> bool:
    if kind not in lexicon.alarms:
        return False
    reported, also_asked = lexicon.alarms[kind]
    return any(
        not lexicon.negation.search(words[: match.start()])
        for pattern in ([also_asked] if asked else [also_asked, reported])
        for match in pattern.finditer(words)
    )


def deescalates(score: Score, tone: Tone, alarm: str | None, *, question: bool, thanks: bool) -> bool:
    """Whether the desk answers to calm: an alarm, a tone that is not calm, or a negative text that is
    neither a plain question nor thanks."""
    if alarm is not None or tone != "calm":
        return True
    return score.label == "negative" and not question and not thanks


def is_plain_question(english: str, table: Table | None = None) -> bool:
    """Whether the message only asks, requests or tells plans; "I will arrive late" is as plain as a question.

    With the `mood` table, sayings such as "you cannot go wrong" and limits such as "no more than 90 euros" are
    not held against it either.
    """
    lexicon = mood_lexicon(table or {})
    found = clauses(english)
    asks = any(clause.form == "question" for clause in found)
    allowed = _DESCRIPTORS | _ASIDES if asks else _DESCRIPTORS
    return bool(found) and all(
        _plain(lexicon.limits.sub("", lexicon.idioms.sub("", clause.words)), clause.form, allowed)
        for clause in found
    )


def _plain(words: str, form: str, allowed: frozenset[str]) -> bool:
    if form in ("question", "condition", "request"):
        return True
    found = _assess(words)
    if round(found.polarity, _DIGITS) > NEGATIVE:
        return True
    against = {word for chunk, polarity, *_ in found.assessments if polarity < 0 for word in chunk}
    return against <= allowed


def is_thanks(english: str) -> bool:
    """Whether the message is thanks: it opens or closes with them."""
    return any(_THANKS.match(clause.words) for clause in clauses(english))
