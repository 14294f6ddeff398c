"""What a model is given to read: labelled blocks in a fixed order, and how they are read back.

Stable text comes first (the procedure), then what changes. Everything that guests or the web wrote stands
in a block of its own, where a line that looks like a label is indented, so it cannot open another block.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage, SystemMessage

_LABEL = re.compile(r"^## (.+)$", re.MULTILINE)


def block(label: str, content: Any) -> str:
    """One labelled block. Anything but text is written as JSON; labels inside the text are indented."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, default=str)
    return f"## {label}\n" + _LABEL.sub(lambda found: " " + found.group(0), text)


def blocks(**contents: Any) -> str:
    """Several blocks in the order given; names with underscores become labels with spaces. None is left out."""
    named = ((name.replace("_", " ").capitalize(), content) for name, content in contents.items())
    return "\n\n".join(block(label, content) for label, content in named if content is not None)


def read_blocks(text: str) -> dict[str, str]:
    """The blocks of a briefing, by label in lower case with underscores (the inverse of `blocks`)."""
    parts = _LABEL.split(text)
    return {
        label.strip().lower().replace(" ", "_"): body.strip("\n")
        for label, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def read_json(found: Mapping[str, str], label: str, default: Any) -> Any:
    """One block's JSON value, or the default when the block is not there."""
    return json.loads(found[label]) if label in found else default


def shortened(text: str, characters: int) -> str:
    """The text's lines as far as they fit, and a sign that there was more; of one long line, its words."""
    if len(text) <= characters:
        return text
    fits = text[:characters]
    whole = fits.rpartition("\n")[0] or fits.rpartition(" ")[0] or fits
    return f"{whole}\n…"


def brief(procedure: str, history: Sequence[AnyMessage], **contents: Any) -> list[BaseMessage]:
    """The messages for one model call: procedure, the turns so far, then the blocks."""
    return [SystemMessage(procedure), *history, HumanMessage(blocks(**contents))]
