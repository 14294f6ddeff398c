"""Scores the rehearsal model's reading of real guest utterances, where the public data is there.

The data stays outside the repository. `nlupp_hotels.jsonl` names, for a part of its rows, the routes that count
as right; the other two files have no route, so for them it is counted what the desk says it understands.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desk.models.rehearsal.acts import Context, Understanding
from desk.models.rehearsal.understand import Lexicon, understand

TABLE = Path(__file__).resolve().parents[2] / "data" / "hotels" / "languages" / "en" / "understanding.toml"
ROUTES: Mapping[str, str] = {
    **dict.fromkeys(("availability", "price", "guide", "rooms"), "hotels"),
    **dict.fromkeys(("book", "change_booking", "cancel_booking", "lookup_booking", "confirm"), "reservation"),
    **dict.fromkeys(("nearby", "web"), "web"),
    **dict.fromkeys(("staff", "complaint"), "staff"),
}


def route_of(understanding: Understanding) -> str:
    """The route of a message's first act; what is only talk, and what is not understood, is `direct`."""
    return ROUTES.get(understanding.acts[0].kind, "direct")


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def score(data_dir: Path) -> dict[str, Any]:
    """Read every utterance without context.

    Returns, of each file that is there: `routes` {rows, hits, rate, missed: [(text, wanted, got)]} of the rows
    with routes; `questions` {rows, guide, other, web, unknown} of the questions on hotels' facts; `turns`
    {rows, understood, kinds}. A file that is missing is left out.
    """
    lexicon = Lexicon.from_table(tomllib.loads(TABLE.read_text(encoding="utf-8")))

    def read(text: str) -> Understanding:
        return understand(text, lexicon, context=Context())

    result: dict[str, Any] = {}
    routed = [row for row in _rows(data_dir / "nlupp_hotels.jsonl") if "routes" in row]
    if routed:
        got = [(row["text"], row["routes"], route_of(read(row["text"]))) for row in routed]
        missed = [row for row in got if row[2] not in row[1]]
        hits = len(routed) - len(missed)
        result["routes"] = {"rows": len(routed), "hits": hits, "rate": hits / len(routed), "missed": missed}
    if questions := [read(row["q"]) for row in _rows(data_dir / "hotel_faq.jsonl")]:
        result["questions"] = {"rows": len(questions), **Counter(_sort(found) for found in questions)}
    if turns := [read(row["text"]) for row in _rows(data_dir / "hotel_user_turns_en.jsonl")]:
        kinds = Counter(found.acts[0].kind for found in turns)
        understood = sum(found.understood for found in turns)
        result["turns"] = {"rows": len(turns), "understood": understood, "kinds": dict(kinds)}
    return result


def _sort(found: Understanding) -> str:
    act = found.acts[0]
    if act.kind == "guide":
        return "other" if act.topic == "other" else "guide"
    return act.kind
