"""What a reply may state: the arrangement of facts by the desk's rules, and the checks on a draft.

A draft is prose with fact marks, `[[id]]`: the writer chooses words and marks, code words the facts. So a
price, a date, a room or "booked" reaches the guest only from a record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desk.prose import Rules
from desk.records import OVER_BUDGET, Fact

MARK = re.compile(r"\[\[([^\[\]]*)\]\]")
HELPS = ("room_free", "room_rate")
CANNOT = ("room_taken", "none_free", "no_such_room", "nearest")
ROOM_KINDS = (*HELPS, *CANNOT)


@dataclass(frozen=True)
class Question:
    """What the arrangement depends on: priority order, the hotels the guest named, a superlative."""

    order: Sequence[str]
    named: Sequence[str] = ()
    superlative: str | None = None


def pieces(text: str) -> list[tuple[str, str]]:
    """A draft's pieces in order: ("prose", words) and ("fact", id). Empty prose is left out."""
    found: list[tuple[str, str]] = []
    end = 0
    for mark in MARK.finditer(text):
        found.append(("prose", text[end : mark.start()].strip()))
        found.append(("fact", mark.group(1).strip()))
        end = mark.end()
    found.append(("prose", text[end:].strip()))
    return [piece for piece in found if piece[1]]


def fact_ids(text: str) -> list[str]:
    """The ids that a draft marks, in order."""
    return [content for kind, content in pieces(text) if kind == "fact"]


def mark(facts: Iterable[Fact]) -> str:
    """Marks for these facts, in order."""
    return " ".join(f"[[{fact.id}]]" for fact in facts)


def arrange(facts: Sequence[Fact], question: Question) -> list[Fact]:
    """The facts that a complete answer states, in the order in which it states them.

    The first hotel by priority that can help comes first and the others follow; one that cannot help is
    left out unless none can, or unless the guest named it; a hotel that could not be checked is always
    said; a superlative is answered across hotels.
    """
    unique = list({fact.id: fact for fact in facts}.values())
    ranked = sorted(unique, key=lambda fact: _rank(fact, question))
    problems = [fact for fact in ranked if fact.kind == "date_problem"][:1]
    rooms = [] if problems else _rooms([f for f in ranked if f.kind in ROOM_KINDS], question)
    guide = _guide([f for f in ranked if f.kind in ("guide", "no_guide")], question)
    unchecked = [fact for fact in ranked if fact.kind == "not_checked"]
    settled = ("date_problem", "guide", "no_guide", "not_checked", *ROOM_KINDS)
    rest = [fact for fact in unique if fact.kind not in settled]
    return problems + rooms + guide + unchecked + rest


def _rank(fact: Fact, question: Question) -> int:
    return question.order.index(fact.hotel) if fact.hotel in question.order else len(question.order)


def _rooms(rooms: list[Fact], question: Question) -> list[Fact]:
    helping = [fact for fact in rooms if fact.kind in HELPS]
    free = [fact for fact in helping if fact.kind == "room_free"]
    helping = free or helping  # a rate is no answer beside a room that is free
    affordable = [fact for fact in helping if fact.status != OVER_BUDGET]
    refused = [f for f in rooms if f.kind in CANNOT and f.kind != "nearest" and f.hotel in question.named]
    if helping and not affordable:
        dear = _extreme(_of_named(helping, question), "cheapest")
        instead = [fact for fact in rooms if fact.kind == "nearest" and fact.status == "other_type"]
        return refused + dear + _of_named(instead, question)[:1]
    dear = [fact for fact in helping if fact.status == OVER_BUDGET and fact.hotel in question.named]
    helping = affordable
    named = [fact for fact in helping if fact.hotel in question.named]
    if question.superlative and helping:
        best = _extreme(named or helping, question.superlative)
        return best if named else dear + refused + best
    if named:
        return named
    if helping:
        return dear + refused + helping
    # That the other hotels have no room of this number is nothing to say beside the one that has it.
    had = {fact.room for fact in rooms if fact.room and fact.kind != "no_such_room"}
    return [f for f in rooms if f.kind in CANNOT and not (f.kind == "no_such_room" and f.room in had)]


def _of_named(rooms: list[Fact], question: Question) -> list[Fact]:
    """Those of the hotels that the guest named, or all if these have none."""
    return [fact for fact in rooms if fact.hotel in question.named] or rooms


def _extreme(rooms: list[Fact], superlative: str) -> list[Fact]:
    if superlative == "largest":
        best = max(fact.sleeps or 0 for fact in rooms)
        return [fact for fact in rooms if fact.sleeps == best]
    choose = max if superlative == "dearest" else min
    best_rate = choose(fact.rate or 0 for fact in rooms)
    return [fact for fact in rooms if fact.rate == best_rate]


def _guide(entries: list[Fact], question: Question) -> list[Fact]:
    if any(fact.hotel in question.named for fact in entries):
        entries = [fact for fact in entries if fact.hotel in question.named]
    topics = list(dict.fromkeys(fact.entry for fact in entries))
    chosen: list[Fact] = []
    for topic in topics:
        told = [fact for fact in entries if fact.entry == topic]
        chosen += [fact for fact in told if fact.kind == "guide"] or told
    return chosen


@dataclass(frozen=True)
class Draft:
    """A draft as its rules look at it: the ids it marks in order, the facts known and those to be stated."""

    text: str
    known: Mapping[str, Fact]
    wanted: Sequence[str]
    turn: int
    rules: Rules

    @property
    def ids(self) -> list[str]:
        """The ids that it marks."""
        return fact_ids(self.text)

    @property
    def stated(self) -> list[str]:
        """Those of them that are to be stated."""
        return [i for i in self.ids if i in self.wanted]


def facts_exist(draft: Draft) -> list[str]:
    """Every mark is a fact that a tool gave."""
    return [f"no such fact: {i}" for i in draft.ids if i not in draft.known]


def facts_of_now(draft: Draft) -> list[str]:
    """Every fact is this turn's, or marked as recalled."""
    known = [draft.known[i] for i in draft.ids if i in draft.known]
    return [
        f"fact of another turn: {fact.id}" for fact in known if fact.turn != draft.turn and not fact.recalled
    ]


def all_stated(draft: Draft) -> list[str]:
    """Nothing that the arrangement asks for is left out."""
    return [f"left out: {i}" for i in draft.wanted if i not in draft.ids]


def no_others(draft: Draft) -> list[str]:
    """Nothing else is stated."""
    ids = dict.fromkeys(draft.ids)
    return [f"not to be stated: {i}" for i in ids if i in draft.known and i not in draft.wanted]


def stated_once(draft: Draft) -> list[str]:
    """Each fact stands once."""
    return ["a fact is stated twice"] if len(draft.stated) != len(set(draft.stated)) else []


def in_order(draft: Draft) -> list[str]:
    """The facts stand in the order of the arrangement."""
    stated = list(dict.fromkeys(draft.stated))
    return ["facts are out of order"] if [i for i in draft.wanted if i in stated] != stated else []


def prose_clean(draft: Draft) -> list[str]:
    """The words between the facts carry none themselves."""
    prose = [content for kind, content in pieces(draft.text) if kind == "prose"]
    return [why for content in prose if (why := draft.rules.unclean(content, "en"))]


DRAFT_RULES: tuple[Callable[[Draft], list[str]], ...] = (
    facts_exist,
    facts_of_now,
    all_stated,
    no_others,
    stated_once,
    in_order,
    prose_clean,
)


def draft_problems(
    text: str, known: Mapping[str, Fact], expected: Sequence[Fact], turn: int, rules: Rules
) -> list[str]:
    """What is wrong with a draft; empty when it may go out."""
    draft = Draft(text, known, [fact.id for fact in expected], turn, rules)
    return [problem for rule in DRAFT_RULES for problem in rule(draft)]


def load_facts(rows: Iterable[Mapping[str, Any]]) -> list[Fact]:
    """Facts from the state's plain values."""
    return [Fact.model_validate(row) for row in rows]
