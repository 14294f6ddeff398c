"""The models of the desk's rivals, played over the wire beside the rehearsed roles of the desk.

They read what any model would get, the system text, the messages and the tools, and state what tool results
say. What the guest asks for they take from the same lexicon as the desk's rehearsal model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage, convert_to_messages
from langchain_core.messages.utils import count_tokens_approximately

from desk.briefing import read_blocks, read_json
from desk.context import Parts
from desk.models.rehearsal.model import rehearsal_models
from desk.models.rehearsal.subject import Subject, call, calling
from desk.models.rehearsal.understand import understand
from tests.bench.agents import series, single
from tests.bench.agents.common import OWN_WORDS
from tests.bench.answers import stated_by
from tests.wire.http_stub import Answer, Reply
from tests.wire.openai_stub import completion, rehearsed, roles

Brain = Callable[[Subject, Sequence[AnyMessage], dict[str, Any]], AIMessage]


def playing(parts: Parts) -> Answer:
    """An answer for `serving` that plays the desk's roles and its rivals' agents."""
    subject = rehearsal_models(parts.languages, [branch.name for branch in parts.pack.branches]).subject
    desk = rehearsed(parts, subject)

    def answer(body: dict[str, Any]) -> Reply:
        agent = agent_of(body)
        if agent is None:
            return desk(body)
        messages = convert_to_messages(body["messages"])
        read = count_tokens_approximately(messages, tools=body["tools"])
        return 200, completion(BRAINS[agent](subject, messages, body), body["model"], read)

    return answer


def agents(parts: Parts) -> Callable[[dict[str, Any]], str]:
    """Tells whom a request is made to: an agent of a rival, or a role of the desk."""
    role_of = roles(parts)
    return lambda body: agent_of(body) or role_of(body)


def agent_of(body: dict[str, Any]) -> str | None:
    """Which agent of a rival a request is made to; None for a role of the desk."""
    text = body["messages"][0]["content"]
    if OWN_WORDS not in text:
        return None
    return "single" if single.HERE in text else "supervisor" if series.HERE in text else "assistant"


def _single(subject: Subject, messages: Sequence[AnyMessage], body: dict[str, Any]) -> AIMessage:
    """Asks about each hotel, all at once if it may; then states all that came."""
    found = read_blocks(messages[1].text)
    names = read_json(found, "hotels", {})
    asked = {made["args"]["hotel"] for made in _calls(messages)}
    missing = [hotel for hotel in names if hotel not in asked]
    if not missing:
        return AIMessage(_reply(subject, _lines(messages, names)))
    now = missing if body["parallel_tool_calls"] else missing[:1]
    return calling(*(_look(subject, found, hotel=hotel) for hotel in now))


def _supervisor(subject: Subject, messages: Sequence[AnyMessage], body: dict[str, Any]) -> AIMessage:
    """Hands over to the hotels in order; then states all that was reported."""
    been = {made["name"].removeprefix(series.TRANSFER) for made in _calls(messages)}
    for hotel in read_json(read_blocks(messages[1].text), "hotels", {}):
        if hotel not in been:
            return calling(call(f"{series.TRANSFER}{hotel}"))
    reports = [message.text for message in messages if isinstance(message, AIMessage) and message.name]
    return AIMessage(_reply(subject, [line for report in reports for line in report.splitlines()]))


def _assistant(subject: Subject, messages: Sequence[AnyMessage], body: dict[str, Any]) -> AIMessage:
    """Looks up what the guest asks, then reports it."""
    found = read_blocks(messages[1].text)
    came = messages[-1:]
    if "facts" in came[0].text:
        lines = _lines(came, read_json(found, "hotels", {}))
        return AIMessage("\n".join(lines) or "I found nothing on this.")
    return calling(_look(subject, found))


BRAINS: dict[str, Brain] = {"single": _single, "supervisor": _supervisor, "assistant": _assistant}


def _look(subject: Subject, found: dict[str, str], **more: str) -> dict[str, Any]:
    """The tool call that answers the guest."""
    act = understand(found["message"], subject.understanding).acts[0]
    if act.kind == "guide":
        return call("search_guide", query=act.topic, **more)
    return call("find_rooms" if read_json(found, "stay", {})["arrival"] else "room_rates", **more)


def _calls(messages: Sequence[AnyMessage]) -> list[Any]:
    return [made for message in messages if isinstance(message, AIMessage) for made in message.tool_calls]


def _lines(messages: Sequence[AnyMessage], names: dict[str, str]) -> list[str]:
    results = [json.loads(message.text) for message in messages if isinstance(message, ToolMessage)]
    return [stated_by(fact, names).line() for result in results for fact in result.get("facts", [])]


def _reply(subject: Subject, lines: Sequence[str]) -> str:
    return "\n".join([subject.phrase("gladly"), *lines]) if lines else subject.phrase("not_found")
