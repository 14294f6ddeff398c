"""An OpenAI-compatible server for tests: it answers chat completions as the rehearsal model would.

It finds the role by the procedure that the request begins with, so what travels over the wire is what a real
server would get: messages, tool definitions and a forced tool.
"""

from __future__ import annotations

import json
import re
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from desk.context import Parts
from desk.models.rehearsal.model import ROLES
from desk.models.rehearsal.subject import Subject
from tests.wire.http_stub import Answer, Reply

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
    "summarise": "summariser",
}


def rehearsed(parts: Parts, subject: Subject) -> Answer:
    """An answer for `serving` that plays every role of the desk with these parts."""
    openings = {re.split(r"[{\n]", text)[0]: ROLE_OF[name] for name, text in parts.procedures.texts.items()}

    def answer(body: dict[str, Any]) -> Reply:
        messages = [_message(row) for row in body["messages"]]
        role = next(role for opening, role in openings.items() if messages[0].text.startswith(opening))
        tools = [tool["function"]["name"] for tool in body.get("tools", [])]
        return 200, completion(ROLES[role](subject, messages, tools), body["model"])

    return answer


def completion(message: AIMessage, model: str) -> dict[str, Any]:
    """A chat completion with this message, and usage."""
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
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
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
