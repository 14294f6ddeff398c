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
CHARACTERS_A_TOKEN = 4  # as LangChain's approximate count has it, ...
OVERHEAD = 40  # ... which adds a few tokens for each message
_NAME = r"[A-ZÀ-ÖØ-Þ\u0100-\u024F\u0386-\u03AB\u0400-\u042F][\w'’-]+"  # a word with a capital, of any European script
# Prices, numbers, times, references; names, which are capitalised words inside a sentence or several in a row.
CONCRETE = re.compile(
    rf"[€$£]?\d[\d.,:]*\d|\d|[A-Z]{{2,4}}-[A-Z0-9]{{4,}}|(?<=[\w,] ){_NAME}(?: {_NAME})*|{_NAME}(?: {_NAME})+"
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
    """The newest lines that fit; of a single line that is too long, its beginning.

    What falls off stays findable for the recall tool, in the turn log.
    """
    kept: list[str] = []
    for line in reversed(summary.splitlines()):
        if count_tokens_approximately(["\n".join([line, *kept])]) > tokens:
            break
        kept.insert(0, line)
    newest = summary.splitlines()[-1] if summary.strip() and not kept else ""
    return "\n".join(kept) or newest[: tokens * CHARACTERS_A_TOKEN - OVERHEAD]


def _holds(summary: str, item: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(item)}(?!\w)", summary) is not None
