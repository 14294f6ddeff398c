"""An OpenAI-compatible server for tests: it answers chat completions as the rehearsal model would.

It finds the role by the procedure that the request begins with, so what travels over the wire is what a real
server would get: messages, tool definitions and a forced tool.
"""

from __future__ import annotations

import json
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.utils import count_tokens_approximately

from desk.languages import Language
from desk.models.rehearsal.model import ROLES, rehearsal_models
from desk.models.rehearsal.subject import Subject
from desk.pack import Pack
from desk.procedures import Procedures
from tests.wire.http_stub import Answer, Asked, Reply

PATIENCE = 30.0  # seconds that one hotel's request waits for the others' before the test fails
ROLE_OF = {
    "coordinator": "coordinator",
    "direct": "direct",
    "hotel": "hotel",
    "merge": "merger",
    "rewrite": "merger",
    "reservation": "reservation",
    "web": "web",
    "translate_in": "translator",
    "translate_out": "translator",
    "translate_patterns": "translator",
    "summarise": "summariser",
}


class Known(Protocol):
    """What the stub must know of a desk: its Parts, or these three of them."""

    @property
    def pack(self) -> Pack:
        """Its hotels."""
        ...

    @property
    def languages(self) -> Mapping[str, Language]:
        """Its languages' tables."""
        ...

    @property
    def procedures(self) -> Procedures:
        """What a request of each role begins with."""
        ...


def rehearsed(parts: Known, subject: Subject | None = None) -> Answer:
    """An answer for `serving` that plays every role of the desk with these parts, however many hotels they have.

    `subject` is what the rehearsal model knows; it is read from the parts' own languages if not given.
    """
    names = [branch.name for branch in parts.pack.branches]
    known = subject or rehearsal_models(parts.languages, names).subject
    role_of = roles(parts)

    def answer(body: dict[str, Any]) -> Reply:
        messages = [_message(row) for row in body["messages"]]
        given = body.get("tools", [])
        tools = [tool["function"]["name"] for tool in given]
        told = ROLES[role_of(body)](known, messages, tools)
        return 200, completion(told, body["model"], count_tokens_approximately(messages, tools=given))

    return answer


def roles(parts: Known) -> Callable[[dict[str, Any]], str]:
    """A function that finds the role which a request is made to, by the procedure that it begins with."""
    openings = {re.split(r"[{\n]", text)[0]: ROLE_OF[name] for name, text in parts.procedures.texts.items()}

    def role_of(body: dict[str, Any]) -> str:
        first = body["messages"][0]["content"]
        return next(role for opening, role in openings.items() if first.startswith(opening))

    return role_of


def meeting(hotels: int, answer: Answer) -> Answer:
    """`answer`, but the requests of so many hotels' assistants wait until all of them have come.

    That they run side by side is then a fact and not luck: one after the other they would wait for ever.
    """
    all_there = threading.Barrier(hotels)

    def told(body: dict[str, Any]) -> Reply:
        if "find_rooms" in str(body.get("tools")):
            all_there.wait(PATIENCE)
        return answer(body)

    return told


def prefixes(asked: Iterable[Asked]) -> dict[str, set[str]]:
    """What requests begin with, by the first line of their procedure: procedure and tools, as providers cache them."""
    sent: dict[str, set[str]] = defaultdict(set)
    for one in asked:
        first = one.body["messages"][0]
        whole = json.dumps([first, one.body.get("tools"), one.body.get("tool_choice")])
        sent[first["content"].splitlines()[0]].add(whole)
    return sent


def completion(message: AIMessage, model: str, read: int = 0) -> dict[str, Any]:
    """A chat completion with this message. Its usage: `read` tokens of prompt, and those that the message has."""
    written = count_tokens_approximately([message])
    made = [
        {
            "id": c["id"],
            "type": "function",
            "function": {"name": c["name"], "arguments": json.dumps(c["args"])},
        }
        for c in message.tool_calls
    ]
    told = {"role": "assistant", "content": message.text or None, **({"tool_calls": made} if made else {})}
    return {
        "id": "chatcmpl-test",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": told, "finish_reason": "tool_calls" if made else "stop"}],
        "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
    }


def _message(row: dict[str, Any]) -> BaseMessage:
    text = row.get("content") or ""
    if row["role"] in ("system", "developer"):
        return SystemMessage(text)
    if row["role"] == "user":
        return HumanMessage(text)
    if row["role"] == "tool":
        return ToolMessage(text, tool_call_id=row["tool_call_id"])
    made = [
        {"name": c["function"]["name"], "args": json.loads(c["function"]["arguments"]), "id": c["id"]}
        for c in row.get("tool_calls") or []
    ]
    return AIMessage(text, tool_calls=made)
