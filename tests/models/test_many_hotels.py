"""Fifty hotels on a live model, over HTTP: side by side, within the desk's own budgets, on prompts that stay small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from desk.context import Parts
from desk.steps.branch import HISTORY, HISTORY_CHARACTERS
from desk.turn import Turn
from tests.conftest import Opened
from tests.flow.conftest import Stage, on_stage
from tests.flow.support import make_pack
from tests.wire.http_stub import Asked, Stub, serving
from tests.wire.ledger import Called, Ledger, longest_chain
from tests.wire.openai_stub import meeting, prefixes, rehearsed, roles

HOTELS = 50
MODEL = "stub-model"
LOOK = "Is a Deluxe room free from 1 to 3 February, for two?"
TALK = (  # what all hotels are asked; each reply has a line for each of them
    LOOK,
    "When is breakfast?",
    "And from 5 to 8 March?",
    "Ist vom 10. bis 12. April ein Deluxe-Zimmer frei?",
    "Gibt es einen Parkplatz?",
)
A_REPLY_AGO = HISTORY * (HISTORY_CHARACTERS // 4 + 10)  # tokens that a branch reads of what was said before


@pytest.fixture(scope="module")
def server() -> Iterator[Stub]:
    """A server that every desk here is on."""
    with serving(lambda body: (503, {})) as stub:
        yield stub


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, shared: Parts, server: Stub) -> Iterator[Stage]:
    """A desk with fifty hotels and the desk's own budgets."""
    home = tmp_path_factory.mktemp("large")
    where = {"openai_base_url": f"{server.url}/v1", "model": MODEL, "pack": make_pack(home / "pack", HOTELS)}
    with on_stage(home / "home", shared, scripted=False, **where) as stage:
        stage.parts.models.abilities.settle((f"{server.url}/v1", MODEL), "forced")  # type: ignore[attr-defined]
        yield stage


@dataclass(frozen=True)
class Talk:
    """One conversation: its turns, the calls of each, and what was sent."""

    turns: list[Turn]
    calls: list[list[Called]]
    asked: list[Asked]


@pytest.fixture(scope="module")
def talk(large: Stage, server: Stub) -> Talk:
    """One conversation about all hotels."""
    server.answer = ledger = Ledger(rehearsed(large.parts), roles(large.parts))
    server.asked.clear()
    thread = large.thread()
    turns, calls = zip(*((large.say(thread, text), ledger.take()) for text in TALK), strict=True)
    return Talk(list(turns), list(calls), list(server.asked))


def all_answered(turn: Turn) -> bool:
    """Whether every hotel was asked, was well, and stands in the reply, in priority order."""
    well = [branch.status for branch in turn.branches.values()] == ["ok"] * HOTELS
    said = list(dict.fromkeys(fact.hotel for fact in turn.facts))
    return turn.problem is None and well and said == [f"inn{n}" for n in range(1, HOTELS + 1)]


@pytest.mark.parametrize(
    ("text", "at_most"),
    [(LOOK, 3), ("Ist vom 1. bis 3. Februar ein Deluxe-Zimmer für zwei Personen frei?", 5)],
)
def test_all_hotels_at_once(large: Stage, server: Stub, text: str, at_most: int) -> None:
    """The request of each hotel waits for all others, and no more calls stand in a row than for two hotels."""
    server.answer = ledger = Ledger(meeting(HOTELS, rehearsed(large.parts)), roles(large.parts))
    turn = large.ask(text)
    assert all_answered(turn)
    assert [(fact.room, fact.rate) for fact in turn.facts] == [(str(500 + n), 100 + n) for n in range(1, 51)]
    calls = ledger.take()
    hotels = [call for call in calls if call.role == "hotel"]
    assert len(hotels) == HOTELS
    assert max(call.start for call in hotels) < min(call.end for call in hotels)
    assert longest_chain(calls) <= at_most


def test_a_conversation_within_the_budgets(talk: Talk, large: Stage) -> None:
    """Turn after turn each hotel answers and has its line in the reply, with room left for as much again."""
    settings = large.parts.settings
    assert (settings.budget_calls, settings.budget_tokens) == (None, None)
    for turn in talk.turns:
        assert all_answered(turn), turn.text
        assert 2 * turn.model.calls < settings.calls_a_turn(HOTELS)
        assert 2 * (turn.model.input_tokens + turn.model.output_tokens) < settings.tokens_a_turn(HOTELS)


def test_a_branch_reads_no_more_for_long_replies(talk: Talk) -> None:
    """Replies about fifty hotels lie behind the later turns; a branch reads a bounded piece of each, no more."""
    told = zip(talk.turns, talk.calls, strict=True)
    looks = [calls for turn, calls in told if turn.handoffs[0].task.startswith("free rooms")]
    first, *later = [max(call.prompt_tokens for call in calls if call.role == "hotel") for calls in looks]
    assert len(later) == 2
    assert all(len(turn.reply_english) > 3 * HISTORY_CHARACTERS for turn in talk.turns)
    assert max(later) <= first + A_REPLY_AGO


def test_prefixes_stay_the_same(talk: Talk) -> None:
    """Each of fifty hotels has one prefix of its own from turn to turn, as the other roles have."""
    sent = prefixes(talk.asked)
    assert len([opening for opening in sent if "assistant of Inn" in opening]) == HOTELS
    assert {opening: len(several) for opening, several in sent.items() if len(several) > 1} == {}


@pytest.mark.parametrize("limit", [{"budget_calls": 6}, {"budget_tokens": 3_000}], ids=str)
def test_a_budget_that_is_set_is_a_limit_for_any_pack(
    open_at: Callable[..., Opened], tmp_path: Any, limit: dict[str, int]
) -> None:
    """DESK_BUDGET_CALLS and _TOKENS do not grow with the hotels: ten of them end in the honest line."""
    opened = open_at(pack=make_pack(tmp_path / "pack", 10), **limit)
    turn = opened.ask(LOOK)
    assert turn.reply == opened.parts.catalogue.frame("budget", "en")
    assert "budget" in (turn.problem or "")
