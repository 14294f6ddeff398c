"""merge: reads every branch's answer in priority order and writes one reply as a draft."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from desk.briefing import brief, shortened
from desk.context import TurnContext
from desk.drafts import draft
from desk.errors import ModelError
from desk.grounding import ROOM_KINDS, Question, arrange, load_facts, mark
from desk.models import calls
from desk.records import OVER_BUDGET, Fact
from desk.state import message_key

ANSWER_CHARACTERS = 300  # of each assistant's answer; what it found stands in the facts
# The facts that hotels' assistants find. What staff or a booking gave this turn stands in a draft of its own.
OF_HOTELS = frozenset({*ROOM_KINDS, "guide", "no_guide", "not_checked", "date_problem"})


def question_of(state: dict[str, Any], context: TurnContext) -> Question:
    """What the arrangement of this turn's facts depends on."""
    return Question(
        order=[branch.id for branch in context.parts.pack.branches],
        named=state["stay"].get("hotels") or [],
        superlative=state["ask"]["superlative"],
    )


def merge(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Ask the merger for a draft; if it cannot be had, the arranged facts alone are the draft."""
    context = runtime.context
    facts = [f for f in load_facts(state["facts"]) if f.turn == context.turn and f.kind in OF_HOTELS]
    arranged = arrange(facts, question_of(state, context))
    said = {fact_id for each in state["drafts"] for fact_id in each["expected"]}
    if arranged and said.issuperset(fact.id for fact in arranged):
        return {"drafts": state["drafts"]}  # asked again, the hotels said what stands in the reply already
    arranged = [fact for fact in arranged if fact.id not in said]
    try:
        text = str(calls.ask(context, "merger", _brief(state, context, facts, arranged)).text)
    except ModelError:
        text = mark(arranged)
    return {
        "drafts": [*state["drafts"], draft("merge", text, arranged, frame=_question(arranged, state["stay"]))]
    }


def _question(arranged: list[Fact], stay: dict[str, Any]) -> str | None:
    """What the desk asks after a listing: which one, whether to book the only one or the
    nearest, or for which dates."""
    free = [fact for fact in arranged if fact.kind == "room_free"]
    if any(fact.total is None for fact in free):
        return "clarify_dates"
    nearest = sum(fact.kind == "nearest" for fact in arranged)
    if free:
        return "clarify_pick" if len(free) + nearest > 1 else "confirm_pick"
    if nearest:
        return "confirm_nearest" if nearest == 1 else "pick_nearest"
    rates_only = any(fact.kind == "room_rate" for fact in arranged)
    return "clarify_dates" if rates_only and not stay.get("arrival") else None


def _kind(fact: Fact) -> str:
    """A fact's kind as the merger reads it; a room above the budget is no room that fits."""
    return OVER_BUDGET if fact.status == OVER_BUDGET else fact.kind


def _brief(state: dict[str, Any], context: TurnContext, facts: list[Fact], arranged: list[Fact]) -> Any:
    catalogue = context.parts.catalogue
    answers = {
        branch.id: shortened(state[message_key(branch.id)][-1].text, ANSWER_CHARACTERS)
        for branch in context.parts.pack.branches
        if branch.id in state["branch_status"]
    }
    return brief(
        context.parts.procedures.text("merge"),
        [],
        message=state["english"],
        stay=state["stay"],
        status=state["branch_status"],
        answers=answers,
        facts={fact.id: f"{_kind(fact)}: {catalogue.fact(fact, 'en')}" for fact in facts},
        arrangement=[fact.id for fact in arranged],
        called=state.get("called") or None,
        # An apology that an earlier draft of this turn makes is not made again.
        calm="yes"
        if state["sentiment"]["deescalate"] and not any(d["lead"] for d in state["drafts"])
        else None,
    )
