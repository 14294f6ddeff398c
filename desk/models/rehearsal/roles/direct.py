"""The direct agent: courtesy, what this thread said before, and honest answers to what the desk cannot do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from desk.models.rehearsal.subject import Subject, briefing, call, calling, marks, mended, results, tasks

# What is said to each kind of message, as phrase keys; the first that fits is used.
SAYS: Mapping[str, tuple[str, ...]] = {
    "greeting": ("greeting.hello", "closing.how_can_i_help"),
    "thanks": ("thanks_reply",),
    "goodbye": ("goodbye",),
    "praise": ("praise_thanks",),
    "acknowledge": ("acknowledge",),
    "hold": ("hold",),
    "confirm": ("clarify_general",),
    "refuse": ("acknowledge",),
    "capabilities": ("who_am_i", "capabilities"),
    "remember_me": ("first_conversation",),
    "call_me": ("call_you_ok",),
    "language": ("language_switch_ok",),
    "other_guest": ("privacy_refusal",),
    "injection": ("cannot_obey", "capabilities"),
    "how_say": ("no_translation",),
    "smalltalk": ("smalltalk", "capabilities"),
}
LOOKED_FOR = {"recommendation": "recommended room"}  # the words under which the tool finds what was offered
NOT_UNDERSTOOD = ("not_understood",)
OPENERS = frozenset({"greeting", "acknowledge"})  # "ok, thanks" is answered as thanks


def reply(subject: Subject, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Look into this thread's past when that is asked, else say the phrases that fit."""
    found = briefing(messages)
    if again := mended(found):
        return again
    asked = tasks(found["task"]) or [("unknown", "")]
    kind, topic = next((task for task in asked if task[0] not in OPENERS), asked[0])
    if kind == "recall":
        return _recall(subject, messages, found, topic)
    keys = ("languages_known",) if (kind, topic) == ("language", "asked") else SAYS.get(kind, NOT_UNDERSTOOD)
    if found.get("calm") and kind in ("unknown", "acknowledge", "greeting"):
        keys = ("apology.general", *keys)
    return AIMessage(" ".join(subject.phrase(key) for key in keys))


def _recall(
    subject: Subject, messages: Sequence[BaseMessage], found: Mapping[str, str], topic: str
) -> AIMessage:
    came = results(messages)
    if not came:
        about = topic if topic in ("question", "reply", "dates") else "facts"
        looked_for = LOOKED_FOR.get(topic, topic)
        return calling(call("recall", query=f"{looked_for} {found['message']}", about=about))
    facts: list[dict[str, Any]] = [row for result in came for row in result.get("facts", [])]
    if topic == "recommendation":
        facts = facts[:1]  # what was recommended is the first of the listing
    return AIMessage(marks(facts) or subject.phrase("nothing_to_recall"))
