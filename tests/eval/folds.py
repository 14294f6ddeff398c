"""What is left of a long conversation once its beginning has been folded.

Counted are the facts that the folded turns stated, as far as they have numbers in them (rooms, rates, totals, days,
references, hours), and the words of the guest that the case says must stay (`keep`). Each is in the summary, or the
recall tool still finds it, or it is lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage

from desk.context import Parts
from desk.models.live import LiveModels
from desk.tools.recall import stated
from desk.turn import Turn
from tests.eval.cases import Result
from tests.eval.grading import stands
from tests.eval.tables import share, table
from tests.wire.http_stub import Reply, serving
from tests.wire.openai_stub import completion, rehearsed, roles

SUMMARY, RECALL, LOST = "in the summary", "found by recall", "lost"
Kept = Counter[str]


def folds_table(by_summariser: Mapping[str, Sequence[Result]], languages: Sequence[str]) -> str:
    """For each summariser and language: facts and guests' words that are left, and conversations that came out
    right at the end."""
    head = ["folds", "facts folded", SUMMARY, RECALL, LOST, "guests' words kept", "right at the end"]
    rows = []
    for summariser, results in by_summariser.items():
        for language in languages:
            folded = [r for r in results if r.case["language"] == language and folded_turns(r)]
            facts, words = as_counts(folded).values()
            counts = [sum(facts.values()), *(facts.get(where, 0) for where in (SUMMARY, RECALL, LOST))]
            right = share(sum(not result.wrong for result in folded), len(folded))
            kept = share(words.get(SUMMARY, 0), sum(words.values()))
            rows += [[f"{summariser}, {language}", *counts, kept, right]] if folded else []
    return table(head, rows) if rows else "no conversation was long enough to be folded"


def as_counts(results: Sequence[Result]) -> dict[str, dict[str, int]]:
    """Facts and guests' words by where they are, over all conversations that were folded."""
    folded = [result for result in results if folded_turns(result)]
    facts, words = (
        sum((count(result) for result in folded), Counter()) for count in (facts_kept, words_kept)
    )
    return {"facts": dict(facts), "words": dict(words)}


def folded_turns(result: Result) -> list[Mapping[str, Any]]:
    """The turns that stand in the last turn's summary: two messages each, from the first one on."""
    return result.turns[: sum(turn["folded"] for turn in result.turns) // 2]


def facts_kept(result: Result) -> Kept:
    """Where the facts are that the folded turns stated."""
    archive = [Turn.model_validate(turn) for turn in result.turns[:-1]]
    summary = result.turns[-1]["summary"]
    facts = [fact for turn in folded_turns(result) for fact in turn["facts"] if not fact["recalled"]]
    return Counter(_where(fact, summary, archive) for fact in facts if concrete(fact))


def words_kept(result: Result) -> Kept:
    """Where the guest's words are that must stay; what the guest said, recall does not look for."""
    summary = result.turns[-1]["summary"]
    return Counter(SUMMARY if stands(words, summary) else LOST for words in result.case.get("keep", []))


def concrete(fact: Mapping[str, Any]) -> set[str]:
    """What of a fact a summary could lose: its numbers, and its reference."""
    told = ("room", "rate", "total", "reference", "arrival", "departure", "values")
    found = " ".join(str(fact[key]) for key in told if fact[key] is not None)
    numbers = re.findall(
        r"\b\d{1,2}:\d{2}\b|[A-Z]{2}-[A-Z0-9]{4,}|\d+", re.sub(r"(\d{4})-(\d\d)-", r"\1 ", found)
    )
    return {number if ":" in number or "-" in number else number.lstrip("0") or "0" for number in numbers}


def _where(fact: Mapping[str, Any], summary: str, archive: Sequence[Turn]) -> str:
    if all(stands(text, summary) for text in concrete(fact)):
        return SUMMARY
    asked = " ".join(str(fact[key]) for key in ("kind", "type", "room", "entry", "reference") if fact[key])
    again = {found.id for found in stated(archive, asked.replace("_", " "), {})}
    return RECALL if fact["id"] in again else LOST


@contextmanager
def dropping(shared: Parts) -> Iterator[Parts]:
    """Parts whose model answers over the wire as the rehearsal model does, but sums up without a single fact."""
    answer, role_of = rehearsed(shared), roles(shared)

    def forgetful(body: dict[str, Any]) -> Reply:
        if role_of(body) == "summariser":
            return 200, completion(AIMessage("The guest and the desk talked."), body["model"])
        return answer(body)

    with serving(forgetful) as stub:
        live = {"openai_base_url": f"{stub.url}/v1", "model": "forgetful", "openai_api_key": None}
        settings = shared.settings.model_copy(update=live)
        yield replace(shared, settings=settings, models=LiveModels(settings))
