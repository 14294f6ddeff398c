"""The web agent: one search for what was asked, then what it found."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from desk.models.rehearsal.subject import Subject, briefing, call, calling, marks, mended, results, tasks

PLACES = frozenset({"travel", "transport"})  # looked up among the places: what stops or leaves nearby


def reply(subject: Subject, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Search once for each place or thing that the task names; then the marks of what came."""
    found = briefing(messages)
    if again := mended(found):
        return again
    came = results(messages)
    if not came:
        kinds = dict.fromkeys(_kind(kind, value) for kind, value in tasks(found["task"]))
        return calling(*[call("search_web", query=found["message"], kind=kind) for kind in kinds])
    facts = [row for result in came for row in result.get("facts", [])]
    return AIMessage(marks(facts) or subject.phrase("web.none"))


def _kind(kind: str, value: str) -> str | None:
    """What the search is to look for: a kind of place, or what no guide of places can know."""
    if kind == "look up" and value not in PLACES:
        return "facts"
    return None if value == "other" else value
