"""The reservation agent: uses the one tool that its handoff grants, and says nothing that code does not word."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from desk.models.rehearsal.subject import Subject, briefing, call, calling, marks, mended, results


def reply(subject: Subject, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Call the granted tool once; then the facts it gave, with a word of courtesy."""
    found = briefing(messages)
    if again := mended(found):
        return again
    came = results(messages)
    if not came and tools:
        return calling(call(tools[0]))
    facts = [row for result in came for row in result.get("facts", [])]
    return AIMessage(f"{_opening(subject, found.get('action', ''), facts)} {marks(facts)}".strip())


def _opening(subject: Subject, action: str, facts: Sequence[dict[str, object]]) -> str:
    kinds = {row["kind"] for row in facts}
    if "booking_failed" in kinds:
        if "offer" in kinds:
            return subject.phrase("booking.changed")
        broke = any(row["kind"] == "booking_failed" and row.get("status") == "failed" for row in facts)
        return subject.phrase("booking.sorry") if broke else ""
    if action == "decline":
        return subject.phrase("booking.declined")
    if "booking" in kinds:
        booked = any(row["kind"] == "booking" and row.get("status") == "booked" for row in facts)
        return subject.phrase("booking.thanks" if booked else "acknowledge")
    return subject.phrase("gladly") if "offer" in kinds else ""
