"""The team panel's drawings as HTML: every text in them is escaped here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from desk import team_view
from desk.team_view import HandoffLine, Mood, Row, Said
from pages.parts.literal import text_html

if TYPE_CHECKING:
    from desk.records import Fact, StaffRequest


def pair(text: str, language: str, english: str) -> str:
    """The guest's text and, under it, its English."""
    label = f"{escape(language)} → en" if language and language != "en" else "As written"
    rows = [f'<div><div class="desk-label">{label}</div>{text_html(text, language)}</div>']
    if english and english != text:
        rows.append(f'<div><div class="desk-label">English</div>{text_html(english, "en")}</div>')
    return f'<div class="desk-pair">{"".join(rows)}</div>'


def handoffs(lines: Sequence[HandoffLine], route: str) -> str:
    """Every handoff: accepted ones in the accent colour, refused ones marked and with the reason."""
    if not lines:
        return f'<div class="desk-blank">No handoff this turn; route {escape(route)}.</div>'
    rows = [
        f'<div class="desk-handoff{"" if line.accepted else " refused"}"><b>{escape(line.title)}</b>'
        f'<div class="desk-text">{escape(line.task)}</div>'
        f'<div class="desk-small{"" if line.accepted else " desk-warn"}">{escape(line.note)}</div></div>'
        for line in lines
    ]
    return "".join(rows)


def requests(items: Sequence[StaffRequest]) -> str:
    """What went to the hotel's people."""
    rows = [
        f'<div class="desk-handoff refused">'
        f"<b>To staff: {escape(item.kind)}{' · urgent' if item.urgent else ''}</b>"
        f'<div class="desk-small">{escape(item.reason)}</div></div>'
        for item in items
    ]
    return "".join(rows)


def timeline(rows: Sequence[Row]) -> str:
    """Every node on one time axis, the branches side by side in the accent colour."""
    if not rows:
        return '<div class="desk-blank">No node of this turn was timed.</div>'
    cells = []
    for row in rows:
        mark = " branch" if row.branch else ""
        bars = "".join(
            f'<span class="bar{mark}" style="left:{bar.left}%;width:{bar.width}%"></span>' for bar in row.bars
        )
        times = f" ×{len(row.bars)}" if len(row.bars) > 1 else ""
        cells.append(
            f'<span class="name{mark}">{escape(row.name)}{times}</span><span class="track">{bars}</span>'
            f'<span class="secs">{seconds(row.seconds)}</span>'
        )
    return f'<div class="desk-time" aria-label="Timeline of the nodes">{"".join(cells)}</div>'


def seconds(value: float | None) -> str:
    """A duration, short: milliseconds below a second."""
    if value is None:
        return "…"
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def live(steps: Sequence[tuple[str, str, float | None, bool]]) -> str:
    """The nodes of a running turn in the order they began: name, state, seconds, whether it is a branch's."""
    if not steps:
        return '<div class="desk-blank">Waiting for the first step …</div>'
    items = "".join(
        f'<li class="{"done" if state == "ended" else ""}">'
        f'<span class="{"branch" if branch else ""}">{escape(name)}</span>'
        f'<span class="desk-small">{seconds(taken) if state == "ended" else "running"}</span></li>'
        for name, state, taken, branch in steps
    )
    return f'<ul class="desk-steps desk-live">{items}</ul>'


def numbers(values: Mapping[str, str]) -> str:
    """A few figures side by side."""
    cells = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in values.items()
    )
    return f'<dl class="desk-numbers">{cells}</dl>'


def status(state: str, messages: int) -> str:
    """How a branch ended, and how much it said."""
    warn = " desk-warn" if state in ("failed", "timed_out") else ""
    return f'<div class="desk-small{warn}">{escape(state.replace("_", " "))} · {messages} messages</div>'


def said(message: Said) -> str:
    """Who speaks in a branch, and the text."""
    text = text_html(message.text) if message.text else ""
    return f'<div class="desk-said"><div class="who">{escape(message.who)}</div>{text}</div>'


def mood(found: Mood) -> str:
    """Score and tone, the scored words, and where the two disagree."""
    place = 50 + 50 * max(-1.0, min(1.0, float(found.score)))
    deescalate = "yes" if found.deescalate else "no"
    parts = [
        numbers({"Score": found.score, "Label": found.label, "Tone": found.tone, "De-escalate": deescalate}),
        f'<div class="desk-gauge" role="img" aria-label="Score {found.score}">',
        f'<span style="left:{place}%"></span></div>',
        '<div class="desk-small desk-ends"><span>−1 negative</span><span>+1 positive</span></div>',
    ]
    if found.disagreement:
        parts.append(f'<div class="desk-small desk-warn">{escape(found.disagreement)}</div>')
    words = "".join(f'<span class="desk-chip">{escape(word)}</span>' for word in found.words)
    if words:
        parts.append(f'<div class="desk-label desk-apart">Scored words</div>{words}')
    else:
        parts.append('<div class="desk-blank">No word of this message carries a score.</div>')
    return "".join(parts)


def facts(items: Sequence[Fact], hotels: Mapping[str, str]) -> str:
    """The facts that the reply states."""
    if not items:
        return '<div class="desk-blank">The reply of this turn states no facts.</div>'
    return "".join(_fact(fact, hotels) for fact in items)


def _fact(fact: Fact, hotels: Mapping[str, str]) -> str:
    kind = " · ".join(part for part in (fact.kind.replace("_", " "), fact.status) if part)
    again = " · stated before" if fact.recalled else ""
    pairs = "".join(
        f'<span class="pair"><i>{escape(name)}</i> '
        f"{escape(hotels.get(value, value) if name == 'hotel' else value)}</span>"
        for name, value in team_view.fact_values(fact)
    )
    origin = " · ".join(part for part in (fact.id, fact.source) if part)
    return (
        f'<div class="desk-fact"><span class="kind">{escape(kind)}</span>'
        f'<span class="desk-small"> · {escape(origin)}{again}</span><div>{pairs}</div></div>'
    )
