"""The recall tool: what this thread said and was told in earlier turns, from the thread's own turn log.

It reaches what folding put away. What it gives is marked as recalled: it may be stated as what was said
then, never as what holds now.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from langchain_core.tools import BaseTool, tool

from desk.records import Fact, make_fact
from desk.tools.results import RunOf, answer
from desk.turn import Turn

_WORD = re.compile(r"\w+")
LISTED = 6


def recall_tools() -> list[BaseTool]:
    """The one recall tool, over the archive that the run's context carries."""

    @tool
    def recall(runtime: RunOf, query: str, about: str = "facts") -> str:
        """Earlier turns of this conversation. `about`: "question" gives what the guest wrote last, "dates" what
        they wrote when they asked for their dates, "reply" what the desk stated last, "facts" what it stated that
        matches the query best."""
        turns = runtime.context.archive()
        if about in ("question", "dates"):
            return answer(said(dated(turns) if about == "dates" else turns, runtime.context.turn))
        names = {branch.id: branch.name for branch in runtime.context.parts.pack.branches}
        return answer(stated_last(turns) if about == "reply" else stated(turns, query, names))

    return [recall]


def said(turns: Sequence[Turn], now: int) -> list[Fact]:
    """What the guest wrote in the last of these turns, in their own words."""
    if not turns:
        return []
    last = turns[-1]
    return [make_fact(now, "said", values={"text": last.text, "english": last.english, "turn": last.turn})]


def dated(turns: Sequence[Turn]) -> list[Turn]:
    """The turns up to the one in which the dates that were looked up last were asked for."""
    stays = [next(((f.arrival, f.departure) for f in turn.facts if f.arrival), None) for turn in turns]
    new = [at for at, stay in enumerate(stays) if stay and stay not in [s for s in stays[:at] if s][-1:]]
    return list(turns[: new[-1] + 1]) if new else []


def stated_last(turns: Sequence[Turn]) -> list[Fact]:
    """What the turn before stated."""
    return [fact.model_copy(update={"recalled": True}) for fact in turns[-1].facts[:LISTED]] if turns else []


def stated(turns: Sequence[Turn], query: str, names: Mapping[str, str]) -> list[Fact]:
    """Facts stated before, of the latest turn that matches the query best, in the order they were stated."""
    wanted = set(_WORD.findall(query.casefold()))
    best: list[Fact] = []
    best_score = 0
    for turn in turns:
        facts = [
            fact for fact in turn.facts if not fact.recalled and fact.kind not in ("said", "staff_request")
        ]
        score = max((len(wanted & _words(fact, names)) for fact in facts), default=0)
        if facts and score >= best_score and score > 0:
            best_score = score
            best = [fact for fact in facts if len(wanted & _words(fact, names)) == score]
    return [fact.model_copy(update={"recalled": True}) for fact in best[:LISTED]]


def _words(fact: Fact, names: Mapping[str, str]) -> set[str]:
    """Words under which a stated fact is found: its kind, room, type, hotel, guide entry and values."""
    kinds = {
        "room_free": "room recommend recommended offered price rate cost free available",
        "room_rate": "room price rate cost",
        "place": "place nearby restaurant web",
        "guide": "guide house",
        "booking": "booking booked reservation reference",
        "offer": "offer offered booking price total",
    }
    text = " ".join(
        str(part)
        for part in (
            kinds.get(fact.kind, ""),
            fact.room,
            fact.type,
            fact.hotel,
            names.get(fact.hotel or ""),
            fact.entry,
            *fact.values.values(),
        )
        if part
    )
    return set(_WORD.findall(text.casefold().replace("_", " ")))
