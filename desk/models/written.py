"""Asking in words: for servers that do not take tools, or do not take being told to call one.

Only the last message changes; the procedure stays as it is, byte for byte, so that providers can cache it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel

from desk.briefing import block

USE_TOOL = "Answer by calling the tool {name}, and with nothing else."
USE_JSON = "Answer with one JSON object of this schema and with nothing else: no words around it.\n{schema}"
USE_TOOLS = (
    'To use a tool, answer with one JSON object {"name": …, "arguments": {…}} a line and with nothing else.'
    " Once you have the results that you need, answer in words.\n"
)


def asking_to_call(messages: Sequence[BaseMessage], schema: type[BaseModel]) -> list[BaseMessage]:
    """The messages, with the request to call the schema's tool at their end."""
    return _with_end(messages, block("Form", USE_TOOL.replace("{name}", schema.__name__)))


def asking_for_json(messages: Sequence[BaseMessage], schema: type[BaseModel]) -> list[BaseMessage]:
    """The messages, with the schema written out at their end."""
    written = json.dumps(schema.model_json_schema(), ensure_ascii=False)
    return _with_end(messages, block("Form", USE_JSON.replace("{schema}", written)))


def with_tools_in_words(messages: Sequence[BaseMessage], tools: Sequence[Any]) -> list[BaseMessage]:
    """The messages with tools, calls and results in plain words, for a server that knows nothing of tools."""
    told = [json.dumps(convert_to_openai_tool(tool)["function"], ensure_ascii=False) for tool in tools]
    plain: list[BaseMessage] = []
    for message in messages:
        if isinstance(message, AIMessage) and message.tool_calls:
            made = [json.dumps({"name": c["name"], "arguments": c["args"]}) for c in message.tool_calls]
            plain.append(AIMessage("\n".join(made)))
        elif isinstance(message, ToolMessage):
            result = block("Tool result", message.text)
            if plain and isinstance(plain[-1], HumanMessage) and plain[-1].name == "tools":
                plain[-1] = HumanMessage(f"{plain[-1].text}\n\n{result}", name="tools")
            else:
                plain.append(HumanMessage(result, name="tools"))
        else:
            plain.append(message)
    unnamed = [HumanMessage(m.text) if isinstance(m, HumanMessage) else m for m in plain]
    return _with_end(unnamed, block("Tools", USE_TOOLS + "\n".join(told)))


def _with_end(messages: Sequence[BaseMessage], end: str) -> list[BaseMessage]:
    last = messages[-1]
    if isinstance(last, HumanMessage):
        return [*messages[:-1], HumanMessage(f"{last.text}\n\n{end}")]
    return [*messages, HumanMessage(end)]
