"""The web agent: one search for what was asked, then what it found."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from desk.models.rehearsal.subject import Subject, briefing, call, calling, marks, results, tasks


def reply(subject: Subject, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Search once for each place or thing that the task names; then the marks of what came."""
    came = results(messages)
    if not came:
        found = briefing(messages)
        queries = dict.fromkeys(_query(kind, value, found["message"]) for kind, value in tasks(found["task"]))
        return calling(*[call("search_web", query=query) for query in queries])
    facts = [row for result in came for row in result.get("facts", [])]
    return AIMessage(marks(facts) or subject.phrase("web.none"))


def _query(kind: str, value: str, message: str) -> str:
    """For a kind of place its name and the guest's words, which may name a taste or a part of town."""
    return f"{value.replace('_', ' ')} {message}" if kind == "places" and value != "other" else message
