"""The translator: guests' messages into English by the glossaries, the desk's phrases out of it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage

from desk.models.rehearsal.subject import Subject, briefing, structured
from desk.models.rehearsal.tone import read_tone

READABLE = 0.5  # share of content words known, below which a message counts as not understood


def reply(subject: Subject, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Answer `Translation` (inbound) or `TranslatedProse` (outbound)."""
    found = briefing(messages)
    code = found.get("language", "en")
    if "TranslatedProse" in tools:
        sentences = json.loads(found["sentences"])
        told = [subject.translation.from_english(sentence, code) or "" for sentence in sentences]
        return structured("TranslatedProse", sentences=told)
    gloss = subject.translation.to_english(found["message"], code)
    return structured(
        "Translation",
        english=gloss.english,
        tone=read_tone(gloss.english, subject.mood),
        understood=gloss.coverage >= READABLE,
    )
