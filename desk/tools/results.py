"""What tools answer: facts as JSON, or an error in plain words; and how facts are read back."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.tools import InjectedToolArg
from langgraph.prebuilt import ToolRuntime
from pydantic import PlainSerializer

from desk.errors import DeskError
from desk.logs import without_words
from desk.records import Fact

log = logging.getLogger(__name__)
TOOL_FAILED = "This tool could not be used just now."
# What a tool gets of the run. LangChain copies a tool's arguments out of its schema at every call: without
# this it would copy the whole desk, all languages and the pack, each time.
RunOf = Annotated[ToolRuntime[Any, Any], InjectedToolArg, PlainSerializer(lambda runtime: None)]


def answer(facts: Iterable[Fact], **more: Any) -> str:
    """A tool's answer: its facts, and whatever else the model may read."""
    rows = [fact.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for fact in facts]
    return json.dumps({"facts": rows, **more}, ensure_ascii=False, default=str)


def refuse(why: str) -> str:
    """A tool's refusal, in words that the model can act on."""
    return json.dumps({"error": why})


def tool_failed(error: Exception) -> str:
    """What the model reads when a tool raises: the desk's own words, and nothing internal."""
    if isinstance(error, DeskError):
        return refuse(str(error))
    log.error("a tool failed: %s", without_words(error))
    return refuse(TOOL_FAILED)


def facts_of(messages: Sequence[AnyMessage]) -> list[Fact]:
    """The facts in a loop's tool results, each once, in the order in which they came."""
    found: dict[str, Fact] = {}
    for message in messages:
        for row in content_of(message).get("facts", []):
            fact = Fact.model_validate(row)
            found.setdefault(fact.id, fact)
    return list(found.values())


def all_failed(messages: Sequence[AnyMessage]) -> bool:
    """Whether tools were called and every call failed."""
    tried = [message for message in messages if isinstance(message, ToolMessage)]
    return bool(tried) and all(m.status == "error" or "error" in content_of(m) for m in tried)


def rounds_of(messages: Sequence[AnyMessage]) -> int:
    """How often the model of a loop has called tools."""
    return sum(1 for message in messages if isinstance(message, AIMessage) and message.tool_calls)


def content_of(message: AnyMessage) -> dict[str, Any]:
    """A tool result's JSON; empty for other messages, and for what LangGraph says of a tool that is not there."""
    if not isinstance(message, ToolMessage):
        return {}
    try:
        content = json.loads(message.text)
    except json.JSONDecodeError:
        return {}
    return content if isinstance(content, dict) else {}
