"""Drafts: what a writer hands to the checker. Prose and fact marks, with catalogue lines around them.

`lead` is the key of one of the desk's phrases and `frame` that of a catalogue line; code puts them before
and after; `text` is the writer's own;
`expected` are the ids of the facts that the rules ask for, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from desk.records import Fact

UNFINISHED = "budget"  # the catalogue line of a task that came to nothing


def draft(
    writer: str,
    text: str,
    expected: Sequence[Fact] = (),
    *,
    lead: str | None = None,
    frame: str | None = None,
) -> dict[str, Any]:
    """One draft as the state keeps it. A writer that has nothing to say says that it could not finish."""
    if not text and not frame:
        frame = UNFINISHED
    return {
        "writer": writer,
        "text": text,
        "expected": [f.id for f in expected],
        "lead": lead,
        "frame": frame,
    }
