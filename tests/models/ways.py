"""Servers that lack one thing or another: each plays its role truthfully, in the way that it understands."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from langchain_core.messages import AIMessage

from tests.wire.http_stub import Reply
from tests.wire.openai_stub import completion

Answer = Callable[[dict[str, Any]], Reply]
PROSE = "Certainly! I would be glad to help you with that."


def method_of(body: dict[str, Any]) -> str:
    """In which way a request asks."""
    if "tool_choice" in body:
        return "forced"
    return "offered" if "tools" in body else "written"


def refusing(answer: Answer, status: int, *keys: str) -> Answer:
    """A server that answers this status to any request with one of these keys, and reads tools in words."""

    def told(body: dict[str, Any]) -> Reply:
        if any(key in body for key in keys):
            return status, {
                "error": {"message": f"{keys[0]} is not supported", "type": "invalid_request_error"}
            }
        return answer(body) if "tools" in body else in_words(answer, body)

    return told


def ignoring_tools(answer: Answer) -> Answer:
    """A server that takes tools and lets the model know nothing of them."""

    def told(body: dict[str, Any]) -> Reply:
        return in_words(answer, body) if method_of(body) == "written" else (200, prose(body))

    return told


def ignoring_the_choice(answer: Answer) -> Answer:
    """A server whose model calls a tool when it is asked to in words, but not because of `tool_choice`."""

    def told(body: dict[str, Any]) -> Reply:
        return (200, prose(body)) if method_of(body) == "forced" else answer(body)

    return told


def prose(body: dict[str, Any]) -> dict[str, Any]:
    """A completion that says nothing of use."""
    return completion(AIMessage(PROSE), body["model"])


def in_words(answer: Answer, body: dict[str, Any]) -> Reply:
    """What a model without tools would write: it gets tools, calls and results as words, and answers in words."""
    messages: list[dict[str, Any]] = []
    for row in body["messages"]:
        text = row.get("content") or ""
        if row["role"] == "assistant" and text.startswith("{"):
            made = [json.loads(line) for line in text.splitlines()]
            messages.append(
                {"role": "assistant", "tool_calls": [_call(n, row) for n, row in enumerate(made)]}
            )
        elif row["role"] == "user" and text.startswith("## Tool result"):
            results = text.partition("\n\n## Tools")[0].split("## Tool result\n")[1:]
            messages += [
                {"role": "tool", "tool_call_id": str(n), "content": result.strip()}
                for n, result in enumerate(results)
            ]
        else:
            messages.append(row)
    listed = str(body["messages"][-1].get("content")).partition("\n\n## Tools\n")[2].splitlines()[1:]
    tools = [{"type": "function", "function": json.loads(line)} for line in listed]
    status, told = answer({**body, "messages": messages, "tools": tools})
    message = told["choices"][0]["message"]
    made = [call["function"] for call in message.pop("tool_calls", [])]
    if made:
        lines = [json.dumps({"name": c["name"], "arguments": json.loads(c["arguments"])}) for c in made]
        record = made[0]["arguments"] if not tools else "\n".join(lines)
        message["content"] = f"```json\n{record}\n```" if not tools else record
    return status, told


def _call(number: int, made: dict[str, Any]) -> dict[str, Any]:
    function = {"name": made["name"], "arguments": json.dumps(made["arguments"])}
    return {"id": str(number), "type": "function", "function": function}
