"""What the rehearsal model knows: the desk's subject, read from data files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from desk.briefing import read_blocks, read_json
from desk.languages import Language, Table
from desk.models.rehearsal.translation import Translation
from desk.models.rehearsal.understand import Lexicon


@dataclass(frozen=True)
class Subject:
    """The translator's glossaries, the lexicon of what guests ask, and the lexicon of moods."""

    translation: Translation
    understanding: Lexicon
    mood: Table

    @classmethod
    def of(cls, languages: Mapping[str, Language], hotels: Sequence[str]) -> Subject:
        """The subject of these languages; `hotels` are names that pass untranslated."""
        english = languages["en"]
        return cls(
            Translation(languages, hotels),
            Lexicon.from_table(english.subject("understanding")),
            english.subject("mood"),
        )

    def phrase(self, key: str, **values: str) -> str:
        """One of the desk's own English phrases."""
        return self.translation.phrase(key, "en", **values)


def briefing(messages: Sequence[BaseMessage]) -> dict[str, str]:
    """The blocks of the newest briefing."""
    for message in reversed(messages):
        if isinstance(message, HumanMessage) and message.text.startswith("## "):
            return read_blocks(message.text)
    return {}


def results(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
    """The tool results since the newest briefing, oldest first; errors come as {"error": …}."""
    found: list[dict[str, Any]] = []
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        if isinstance(message, ToolMessage):
            try:
                content = json.loads(message.text)
            except json.JSONDecodeError:
                content = {"error": message.text}
            found.insert(0, content if isinstance(content, dict) else {"error": message.text})
    return found


def call(name: str, **args: Any) -> dict[str, Any]:
    """One tool call."""
    return {"name": name, "args": args, "id": f"call-{uuid4().hex[:12]}", "type": "tool_call"}


def calling(*calls: dict[str, Any]) -> AIMessage:
    """An answer that calls tools."""
    return AIMessage("", tool_calls=list(calls))


def structured(name: str, **args: Any) -> AIMessage:
    """An answer to a structured request: a forced call of its schema."""
    return calling(call(name, **args))


def marks(rows: Sequence[Mapping[str, Any]]) -> str:
    """Fact marks for these facts, in order; one that two tools gave stands once."""
    return " ".join(dict.fromkeys(f"[[{row['id']}]]" for row in rows))


def mended(found: Mapping[str, str]) -> AIMessage | None:
    """The answer to a draft that came back with problems: its facts alone, as arranged; None for other briefings."""
    if "problems" not in found:
        return None
    return AIMessage(marks([{"id": fact} for fact in read_json(found, "arrangement", [])]))


def tasks(text: str) -> list[tuple[str, str]]:
    """The tasks that the coordinator wrote: "look up: a; guide: parking" → [("look up", "a"), …]."""
    parts = (part.partition(":") for part in re.split(r";\s*", text) if part.strip())
    return [(name.strip(), value.strip()) for name, _, value in parts]
