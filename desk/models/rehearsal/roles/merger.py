"""The merger: one reply from the hotels' answers. The facts stand in the arrangement; it chooses the words before."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from desk.briefing import read_json
from desk.models.rehearsal.subject import Subject, briefing, marks


def reply(subject: Subject, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """An opening that fits the answer, then the facts' marks in their arrangement."""
    found = briefing(messages)
    facts = read_json(found, "facts", {})
    order = read_json(found, "arrangement", [])
    kinds = {str(facts.get(fact_id, "")).partition(":")[0] for fact_id in order}
    return AIMessage(
        f"{_opening(subject, kinds, 'calm' in found)} {marks([{'id': i} for i in order])}".strip()
    )


def _opening(subject: Subject, kinds: set[str], calm: bool) -> str:
    if not kinds:
        return subject.phrase("not_found")
    if calm:
        return subject.phrase("apology.general")
    if "room_free" in kinds:
        return subject.phrase("gladly")
    return subject.phrase("none_fits") if kinds & {"none_free", "room_taken", "over_budget"} else ""
