"""translate_in: finds out the language of the message and puts it into English."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from desk.briefing import blocks
from desk.context import TurnContext
from desk.errors import ModelUnparseable
from desk.models import calls
from desk.reading.amounts import added_words
from desk.reading.amounts.order import in_order
from desk.reading.kept import added
from desk.turn import Tone

TRIES = 2  # a translation that adds a number or a day, or exchanges them, is asked for once more
# What a button says: its text is the page's own, and no translator is asked about it.
PRESSED = {"confirm": "Yes, please.", "decline": "No, thank you."}
ADDED = (
    "Its numbers, days, months or weekdays are not those of the message in the order of the message. "
    "Keep each, in that order. Number words stay words."
)


class Translation(BaseModel):
    """The translator's answer: the English, the guest's tone, and whether it could read the message."""

    english: str
    tone: Tone | None = None
    understood: bool = True


def translate_in(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Detect the language, translate, and note the tone that came with the translation.

    An English message costs no call. The language that the guest chose by hand wins over detection; short
    or ambiguous messages keep the thread's language.
    """
    context = runtime.context
    text = state["text"]
    language = context.chosen_language or _detect(context, text, state.get("language"))
    english = text if language.partition("-")[0] == "en" else PRESSED.get(_verb(context))
    if english is not None:
        return {"language": language, "english": english, "tone": None, "covered": True}
    found = _translate(context, text, language)
    return {"language": language, "english": found.english, "tone": found.tone, "covered": found.understood}


def _verb(context: TurnContext) -> str:
    """Which button was pressed; empty for none."""
    return (context.action or "").partition(":")[0]


def _detect(context: TurnContext, text: str, current: str | None) -> str:
    found = context.parts.detector.detect(text, current=current, locale=context.locale)
    return found.code


def _translate(context: TurnContext, text: str, language: str) -> Translation:
    own = context.parts.languages.get(language.partition("-")[0])
    dates = own.table("dates") if own else {}
    problem: str | None = None
    for _ in range(TRIES):
        messages = [
            SystemMessage(context.parts.procedures.text("translate_in")),
            HumanMessage(blocks(language=language, message=text, problem=problem)),
        ]
        try:
            found = calls.ask_for(context, "translator", messages, Translation)
        except ModelUnparseable:
            break
        strange = added(text, found.english, language, dates)
        if own is None:  # the desk then reads what the guest wants from the English alone
            numbers = context.parts.numbers
            strange += added_words(text, language, found.english, "en", numbers)
            if not in_order(text, language, found.english, "en", numbers):
                strange.append("order")
        if found.english.strip() and not strange:
            return found
        problem = ADDED
    # The desk then works on the guest's own words, and says so if it cannot make sense of them.
    return Translation(english=text, tone=None, understood=False)
