"""What may be logged: never a guest's words, and never a thread's id, which would open the conversation."""

from __future__ import annotations

import traceback

from desk.errors import DeskError


def without_words(error: BaseException) -> str:
    """The error's type and traceback, without the messages: they may quote a guest (a KeyError does).

    The desk's own errors promise not to, so theirs are kept.
    """
    lines = []
    step: BaseException | None = error
    seen: set[int] = set()
    while step is not None and id(step) not in seen:  # causes may run in a circle
        seen.add(id(step))
        said = f": {step}" if isinstance(step, DeskError) else ""
        lines.append(f"{type(step).__name__}{said}\n{''.join(traceback.format_tb(step.__traceback__))}")
        step = step.__cause__ or step.__context__
    return "caused by ".join(lines)
