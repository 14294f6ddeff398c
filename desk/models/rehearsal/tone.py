"""The tone of an English message (or an English gloss), read from kinds of complaint.

Kinds are data (`mood.toml`): things that do not work, dirt, waiting, rude people, "would not come back" …
A reservation beside praise stays calm; a complaint does not. Praise for a bad event is sarcasm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desk.languages import Table
from desk.moodlexicon import Kind, MoodLexicon, mood_lexicon
from desk.moodtext import Clause, clauses
from desk.turn import Tone

COMPLAINT = 2  # the weight from which praise beside it does not count
PRAISED = "praised "  # stands for an idiom of praise: it still counts, and its words mislead no pattern
# Exclamation marks in a row, or words in capitals: a complaint that is shouted is an angry one.
_SHOUTING = re.compile(r"!\s?!|(?:\b[A-Z]{3,}\b[ ,]+){2,}[A-Z]{3,}\b")


@dataclass(frozen=True)
class Found:
    """A complaint: its kind, and where it stands in its clause."""

    kind: Kind
    start: int
    end: int


def read_tone(english: str, table: Table) -> Tone:
    """calm, upset, angry or sarcastic. `table` is the English subject table `mood`; calm for an empty one."""
    lexicon = mood_lexicon(table)
    parts = clauses(english)
    if any(sign in english for sign in lexicon.angry_signs):
        return "angry"
    complaints = [found for part in parts for found in _complaints(part, lexicon)]
    if _sarcastic(parts, lexicon, complains=bool(complaints)):
        return "sarcastic"
    if not complaints:
        return "calm"
    if any(found.kind.angry for found in complaints):
        return "angry"
    strong = any(found.kind.weight >= COMPLAINT for found in complaints)
    if strong and _SHOUTING.search(english):
        return "angry"
    praised = sum(_praise(part, lexicon) for part in parts)
    return "upset" if strong or not praised else "calm"


def _complaints(clause: Clause, lexicon: MoodLexicon) -> list[Found]:
    if clause.form == "condition":
        return []
    words = lexicon.idioms.sub(PRAISED, clause.words)
    return [
        Found(kind, match.start(), match.end())
        for kind in lexicon.kinds
        if _counts(kind, clause)
        for match in kind.pattern.finditer(words)
        if not (kind.negatable and lexicon.negation.search(words[: match.start()]))
    ]


def _counts(kind: Kind, clause: Clause) -> bool:
    """A question only counts for what nobody asks calmly; "why" and a request not for reservations."""
    if clause.form == "question":
        return kind.asked
    return clause.form == "statement" or kind.weight >= COMPLAINT or kind.asked


def _praise(clause: Clause, lexicon: MoodLexicon) -> int:
    """How often the clause praises, outside of what it complains of."""
    words = lexicon.idioms.sub(PRAISED, clause.words)
    taken = [(found.start, found.end) for found in _complaints(clause, lexicon)]
    return sum(
        not any(start < match.end() and match.start() < end for start, end in taken)
        and not lexicon.negation.search(words[: match.start()])
        for match in lexicon.praise.finditer(words)
    )


def _sarcastic(parts: list[Clause], lexicon: MoodLexicon, *, complains: bool) -> bool:
    stated = [part for part in parts if part.form in ("statement", "why")]
    if any(lexicon.ironies.search(part.words) for part in stated):
        return True
    return complains and bool(parts) and bool(lexicon.openers.fullmatch(parts[0].words))
