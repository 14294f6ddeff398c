"""mood: TextBlob's score of the English text, and whether the guest needs calming."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from desk.context import TurnContext
from desk.sentiment import sentiment_of


def mood(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Score the English. The tone of an English message is not known yet: the coordinator adds it."""
    table = runtime.context.parts.languages["en"].subject("mood")
    return {"sentiment": sentiment_of(state["english"], state.get("tone"), table).model_dump()}
