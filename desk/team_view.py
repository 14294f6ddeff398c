"""A turn → what the team's panel shows: route, branches, mood, facts. No streamlit here.

The team reads English; what a guest wrote stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desk.view import branch_of

if TYPE_CHECKING:
    from desk.records import Fact
    from desk.turn import BranchMessage, HandoffRecord, ModelUse, NodeTime, Sentiment, Turn

# A bar thinner than this share of the timeline could not be seen.
THINNEST = 0.8
SMALLEST = 0.0001  # of a currency: four decimals would show less as nothing


@dataclass(frozen=True)
class Bar:
    """One run of a node: where it starts and how wide it is, in percent of the turn."""

    left: float
    width: float


@dataclass(frozen=True)
class Row:
    """One node of the timeline with all its runs; `branch` is the hotel it belongs to."""

    name: str
    branch: str | None
    bars: tuple[Bar, ...]
    seconds: float


@dataclass(frozen=True)
class HandoffLine:
    """One handoff in words."""

    title: str
    task: str
    note: str
    accepted: bool


@dataclass(frozen=True)
class Mood:
    """How the guest sounds: TextBlob's score, the tone beside it, and where the two disagree."""

    score: str
    label: str
    tone: str
    words: tuple[str, ...]
    disagreement: str
    deescalate: bool


@dataclass(frozen=True)
class Said:
    """One message of a branch: who, the text, and the JSON that goes with it (calls or a result)."""

    who: str
    text: str
    data: str


def timeline(nodes: Sequence[NodeTime], hotels: Mapping[str, str]) -> list[Row]:
    """Every node that ran, one row each in the order it first began, with all its runs."""
    whole = max((node.start + node.seconds for node in nodes), default=0.0) or 1.0
    by_name: dict[str, list[NodeTime]] = {}
    for node in sorted(nodes, key=lambda node: node.start):
        by_name.setdefault(node.name, []).append(node)
    rows = []
    for name, runs in by_name.items():
        bars = tuple(_bar(100 * run.start / whole, 100 * run.seconds / whole) for run in runs)
        rows.append(Row(name, branch_of(name, hotels), bars, sum(run.seconds for run in runs)))
    return _branches_together(rows)


def _bar(left: float, width: float) -> Bar:
    width = max(width, THINNEST)
    return Bar(round(min(left, 100 - width), 2), round(width, 2))


def _branches_together(rows: list[Row]) -> list[Row]:
    """The branches' rows next to each other, at the place of the first: side by side is what they show."""
    first = next((at for at, row in enumerate(rows) if row.branch), len(rows))
    branches = sorted((row for row in rows[first:] if row.branch), key=lambda row: row.branch or "")
    return rows[:first] + branches + [row for row in rows[first:] if not row.branch]


def handoff_line(handoff: HandoffRecord) -> HandoffLine:
    """One handoff: who hands to whom, the task, and what code said to it and how it ended."""
    if handoff.accepted:
        parts = ["accepted", handoff.status or "", handoff.reason]
        if handoff.completion_criteria:
            parts.append(f"done when {handoff.completion_criteria}")
    else:
        parts = [f"refused: {handoff.refused_because or 'no reason kept'}", handoff.reason]
    note = " · ".join(part for part in parts if part)
    return HandoffLine(f"{handoff.from_} → {handoff.destination}", handoff.task, note, handoff.accepted)


def mood(sentiment: Sentiment) -> Mood:
    """The guest's mood in words, and a sentence where score and tone do not agree."""
    upset = sentiment.tone != "calm"
    disagreement = ""
    if upset and sentiment.label != "negative":
        disagreement = f"The score reads {sentiment.label}, but the guest sounds {sentiment.tone}."
    elif not upset and sentiment.label == "negative":
        disagreement = "The score reads negative, but the guest sounds calm."
    return Mood(
        score=f"{sentiment.polarity:+.2f}",
        label=sentiment.label,
        tone=sentiment.tone,
        words=tuple(sentiment.words),
        disagreement=disagreement,
        deescalate=sentiment.deescalate,
    )


def said(message: BranchMessage) -> Said:
    """One branch message; JSON in it, and tool calls, come out indented."""
    who = {"human": "Desk", "ai": "Assistant", "tool": "Tool result", "system": "Instruction"}[message.role]
    if message.tool_calls:
        calls = "\n".join(_call(call) for call in message.tool_calls)
        return Said(f"{who} calls", message.text, calls)
    pretty = _pretty(message.text) if message.role == "tool" else ""
    return Said(who, "" if pretty else message.text, pretty)


def _call(call: Mapping[str, object]) -> str:
    arguments = call.get("args") or call.get("arguments") or {}
    if isinstance(arguments, str):
        arguments = _pretty(arguments) or arguments
    else:
        arguments = json.dumps(arguments, indent=2, ensure_ascii=False, default=str)
    return f"{call.get('name', 'tool')}({arguments})"


def _pretty(text: str) -> str:
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except ValueError:
        return ""


def fact_values(fact: Fact) -> list[tuple[str, str]]:
    """A fact's values that are set, in the record's own order and words."""
    skipped = {"id", "kind", "status", "turn", "source", "recalled", "values"}
    values = fact.model_dump(mode="json", exclude=skipped, exclude_none=True, exclude_defaults=True)
    pairs = [(name, str(value)) for name, value in values.items()]
    return pairs + [(name, _plain(value)) for name, value in fact.values.items()]


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value)
    return str(value)


def grounded(turn: Turn) -> str:
    """Whether the reply's facts are grounded, and how many there are."""
    if turn.checks.grounded is None:
        return "–"
    return f"{len(turn.facts)} / {len(turn.facts)}" if turn.checks.grounded else "no"


def cost(use: ModelUse) -> tuple[str, str]:
    """What the turn's model calls cost, under a title that names the currency; a dash when that is not known."""
    title = f"Cost, {use.currency}" if use.currency else "Cost"
    if use.cost is None:
        return title, "–"
    return title, f"< {SMALLEST}" if 0 < use.cost < SMALLEST else f"{use.cost:.4f}" if use.cost else "0"


def problems(turn: Turn) -> list[str]:
    """What went wrong in the turn: the checker's findings, and an honest failure's text."""
    found: Iterable[str] = [*turn.checks.problems, *([turn.problem] if turn.problem else [])]
    return list(dict.fromkeys(found))
