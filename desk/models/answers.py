"""Reading a model's answer: what ended it, the tool calls in it, also those written as text, and records."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Collection, Iterator
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, ToolCall
from langchain_core.messages.tool import tool_call
from pydantic import BaseModel

from desk.errors import ModelUnparseable, ModelUnreadable

Schema = TypeVar("Schema", bound=BaseModel)

_THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL)
_TAGGED = re.compile(r"<(tool_call|function_call)>\s*(.*?)\s*(?:</\1>|\Z)", re.DOTALL)
_FENCED = re.compile(r"```(?:json|tool_call|tool_code)?\s*\n?(.*?)\s*```", re.DOTALL)
_MARKERS = re.compile(r"^\s*(?:\[TOOL_CALLS\]|<\|python_tag\|>)\s*")
_NAMES = ("name", "tool", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "input")


def tidy(message: AIMessage, tools: Collection[str], role: str) -> AIMessage:
    """The answer as the desk keeps it. `tools` are the names of those that were given.

    A call written as text becomes a call; every call gets an id of its own, and the message none, because
    servers use them again. Raises ModelUnparseable for an answer that was cut off, refused or filtered, and
    ModelUnreadable for one that says nothing.
    """
    _check_ending(message, role)
    text = _THOUGHTS.sub("", storable(message.text))
    made: list[ToolCall] = list(message.tool_calls)
    if not made and tools:
        made = written_calls(text, tools)
        text = "" if made else text
    if not made and not text.strip():
        raise ModelUnreadable(f"{role}: the answer was empty")
    # Calls that could not be read are left out: the server would wait for their results in vain.
    return message.model_copy(
        update={
            "id": None,
            "content": text,
            "tool_calls": [
                tool_call(**storable({"name": c["name"], "args": c["args"]}), id=new_id()) for c in made
            ],
            "invalid_tool_calls": [],
        }
    )


def storable(value: Any) -> Any:
    """The value without halves of characters: JSON can hold them alone, and nothing that stores text takes them."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {storable(key): storable(each) for key, each in value.items()}
    return [storable(each) for each in value] if isinstance(value, list) else value


def new_id() -> str:
    """An id for a tool call: nine letters and digits, the only form that every server takes (Mistral's)."""
    return uuid.uuid4().hex[:9]


def _check_ending(message: AIMessage, role: str) -> None:
    ending = message.response_metadata.get("finish_reason")
    if ending in ("length", "max_tokens"):
        raise ModelUnparseable(f"{role}: the answer was cut off at the token limit")
    if ending == "content_filter" or message.additional_kwargs.get("refusal"):
        raise ModelUnparseable(f"{role}: the model refused to answer")


def record_of(message: AIMessage, schema: type[Schema], role: str) -> Schema:
    """The record in an answer: the arguments of the schema's call, or JSON in the text.

    Raises ModelUnreadable when there is none, or when it does not fit the schema.
    """
    made = [call["args"] for call in message.tool_calls if call["name"] == schema.__name__]
    try:
        return schema.model_validate(made[0] if made else _object_in(message.text))
    except (ValueError, RecursionError):  # ValidationError, JSONDecodeError, and numbers without an end
        # The cause is left out: it would quote the answer, and that may quote the guest.
        raise ModelUnreadable(f"{role}: the answer was not of the form asked for") from None


def _object_in(text: str) -> Any:
    fenced = _FENCED.search(text)
    body = fenced.group(1) if fenced else text
    try:
        return json.loads(body)
    except json.JSONDecodeError:
        return json.loads(body[body.index("{") : body.rindex("}") + 1] if "{" in body and "}" in body else "")


def written_calls(text: str, tools: Collection[str]) -> list[ToolCall]:
    """The tool calls that a text consists of: bare JSON, fenced, or in tags. Other tools' names are not read.

    JSON in the middle of a sentence is not a call: it may be quoted.
    """
    tagged = [body for _, body in _TAGGED.findall(text)]
    bodies = tagged or _FENCED.findall(text) or [_MARKERS.sub("", text)]
    rows = [row for body in bodies for row in _objects(body)]
    return [call for row in rows if (call := _as_call(row, tools))]


def _objects(text: str) -> Iterator[Any]:
    """The JSON objects of a text that holds nothing else: one, several one after the other, or a list."""
    decoder = json.JSONDecoder()
    found: list[Any] = []
    rest = text.strip()
    while rest:
        try:
            value, end = decoder.raw_decode(rest)
        except (ValueError, RecursionError):
            return
        found += value if isinstance(value, list) else [value]
        rest = rest[end:].lstrip(" \t\r\n,;")
    yield from found


def _as_call(row: Any, tools: Collection[str]) -> ToolCall | None:
    if not isinstance(row, dict):
        return None
    inner = row.get("function")
    row = inner if isinstance(inner, dict) else row
    name = next((row[key] for key in _NAMES if isinstance(row.get(key), str)), None)
    args: Any = next((row[key] for key in _ARGUMENTS if key in row), None)
    if isinstance(args, str):
        try:
            args = json.loads(args or "{}")
        except (ValueError, RecursionError):
            return None
    args = {} if args is None else args
    if name not in tools or not isinstance(args, dict):
        return None
    return tool_call(name=str(name), args=args, id=None)
