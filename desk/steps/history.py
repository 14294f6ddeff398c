"""fold_history: puts the summary that the worker made ahead into the place of the old messages."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import RemoveMessage
from langgraph.runtime import Runtime

from desk.context import TurnContext


def fold_history(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Apply the fold that is ready, if its messages are still all there; else leave everything as it is.

    No model is called here, so nobody waits. A fold that no longer matches is dropped: the worker makes a
    new one after this turn.
    """
    fold = runtime.context.fold
    present = {message.id for message in state.get("messages", [])}
    if fold is None or not fold.removes or not present.issuperset(fold.removes):
        return {"folded": 0}
    return {
        "folded": len(fold.removes),
        "summary": fold.summary,
        "messages": [RemoveMessage(id=message_id) for message_id in fold.removes],
    }
