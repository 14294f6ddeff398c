"""The guard on folding: what a summary must still hold, and what it may take up.

A model may drop a price or a date when it sums up. Code compares: every concrete thing in the folded turns
that is missing from the new summary is appended to it, with the id of its turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages.utils import count_tokens_approximately

SUMMARY_TOKENS = 600
# Prices, numbers, times, references; and names, which are capitalised words inside a sentence.
CONCRETE = re.compile(
    r"[€$£]?\d[\d.,:]*\d|\d|[A-Z]{2,4}-[A-Z0-9]{4,}|(?<=[a-z,] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*"
)


@dataclass(frozen=True)
class FoldedTurn:
    """One turn that is to be folded: its number, what the guest said, what the desk replied (both English)."""

    turn: int
    guest: str
    desk: str


def guarded(summary: str, turns: Sequence[FoldedTurn]) -> str:
    """The summary with one line added for each turn of which it dropped something concrete."""
    lines = [summary.strip()]
    for turn in turns:
        missing = [item for item in concrete(f"{turn.guest} {turn.desk}") if not _holds(summary, item)]
        if missing:
            lines.append(f"[t{turn.turn}] Also: {', '.join(missing)}")
    return "\n".join(line for line in lines if line)


def concrete(text: str) -> list[str]:
    """Prices, dates, rooms, references and names in a text, each once, in order."""
    return list(dict.fromkeys(found.group(0) for found in CONCRETE.finditer(text)))


def within_budget(summary: str, tokens: int = SUMMARY_TOKENS) -> str:
    """The newest lines that fit. What falls off stays findable for the recall tool, in the turn log."""
    kept: list[str] = []
    used = 0
    for line in reversed(summary.splitlines()):
        used += count_tokens_approximately([line])
        if used > tokens and kept:
            break
        kept.insert(0, line)
    return "\n".join(kept)


def _holds(summary: str, item: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(item)}(?!\w)", summary) is not None
