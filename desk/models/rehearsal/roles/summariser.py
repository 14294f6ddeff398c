"""The summariser: one line a turn, what the guest said and what the desk stated."""

from __future__ import annotations

import re
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from desk.briefing import read_json
from desk.models.rehearsal.subject import Subject, briefing

GUEST_CHARACTERS = 160
DESK_CHARACTERS = 320


def reply(subject: Subject, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """The lines for the turns given; each begins with its turn's id, `[t2]`."""
    turns = read_json(briefing(messages), "turns", [])
    lines = [
        f"[t{turn['turn']}] Guest: {_short(turn['guest'], GUEST_CHARACTERS)} "
        f"Desk: {_short(turn['desk'], DESK_CHARACTERS)}"
        for turn in turns
    ]
    return AIMessage("\n".join(lines) or "Nothing yet.")


def _short(text: str, limit: int) -> str:
    flat = re.sub(r"\s+", " ", text).strip()
    return flat if len(flat) <= limit else flat[:limit].rsplit(" ", 1)[0] + " …"
