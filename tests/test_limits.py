"""What a turn costs, and the limits of a conversation's day: said politely, by code, and never in the way of help."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from desk.clock import Clock
from desk.context import Parts
from desk.errors import ModelUnreachable
from desk.pack import load_pack
from desk.runner import LIMITED
from desk.settings import ROOT
from desk.stores.spending import Spending
from desk.stores.turnlog import open_turnlog
from desk.stores.turnqueue import TurnQueue
from desk.turn import Turn
from tests.conftest import Opened
from tests.flow.support import Counting, handoff, marks_only, raises, routes, says
from tests.wire.http_stub import Reply, serving
from tests.wire.openai_stub import rehearsed

PRICED = {"prices": "rehearsal=0.25/2.00"}
HELLO: dict[str, Any] = {"coordinator": routes(handoff("direct")), "direct": says("Hello.")}
TODAY, TOMORROW = "2026-12-01T23:50", "2026-12-02T00:10"


def limit_lines(opened: Opened, code: str) -> list[str]:
    """The lines of the limit in this language, with the hotels' phones."""
    catalogue = opened.parts.catalogue
    phones = [f"{branch.name} {branch.phone}" for branch in opened.parts.pack.branches]
    return [catalogue.frame("limit", code), catalogue.frame("limit_call", code, phones=phones)]


def is_limited(turn: Turn, opened: Opened, code: str = "en") -> None:
    """The polite lines alone, no model call, nothing else ran, and `problem` says why."""
    assert turn.reply.splitlines() == limit_lines(opened, code)
    assert "112" in turn.reply
    assert all(branch.phone in turn.reply for branch in opened.parts.pack.branches)
    assert (turn.model.calls, turn.nodes, turn.route, turn.language) == (0, [], "direct", code)
    assert turn.problem
    assert "limit" in turn.problem


# What a turn costs


def test_a_turn_costs_what_its_calls_cost(open_at: Callable[..., Opened]) -> None:
    """Tokens times price, in the table's currency."""
    turn = open_at(prices_currency="EUR", **PRICED).ask("When is breakfast?")
    used = turn.model
    expected = (Decimal("0.25") * used.input_tokens + 2 * used.output_tokens) / 1_000_000
    assert used.calls > 0
    assert (used.cost, used.currency) == (float(expected), "EUR")


def test_each_model_has_its_own_price(
    open_at: Callable[..., Opened], shared: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two models in one turn: every call at the price of the model that answered it."""
    monkeypatch.setenv("DESK_MODEL_COORDINATOR", "small")
    plays, used = rehearsed(shared), []

    def answer(body: dict[str, Any]) -> Reply:
        status, told = plays(body)
        used.append((body["model"], told["usage"]["prompt_tokens"], told["usage"]["completion_tokens"]))
        return status, told

    with serving(answer) as stub:
        where = {"openai_base_url": f"{stub.url}/v1", "model": "big", "openai_api_key": "k"}
        turn = open_at(prices="small=1/10, big=3/50", **where).ask("When is breakfast?")
    assert {model for model, *_ in used} == {"small", "big"}
    price = {"small": (1, 10), "big": (3, 50)}
    expected = sum(Decimal(price[m][0] * given + price[m][1] * taken) for m, given, taken in used) / 1_000_000
    assert turn.model.cost == float(expected)


@pytest.mark.parametrize("prices", ["", "another=1/2"])
def test_an_unknown_price_is_not_guessed(open_at: Callable[..., Opened], prices: str) -> None:
    """Without a table, or with a model that it lacks, the cost is not known; it is not nothing."""
    used = open_at(prices=prices).ask("When is breakfast?").model
    assert used.calls > 0
    assert used.cost is None


# Limits


@pytest.mark.parametrize(("text", "code"), [("Is a room free?", "en"), ("Ist ein Zimmer frei?", "de")])
def test_the_limit_of_turns(open_at: Callable[..., Opened], text: str, code: str) -> None:
    """The message beyond it gets the line in the guest's language; it is stored, and people are pointed to it."""
    opened = open_at(limit_turns=2, **PRICED)
    thread = opened.thread()
    for _ in range(2):
        assert opened.say(thread, text).problem is None
    turn = opened.say(thread, text)
    is_limited(turn, opened, code)
    assert turn.model.cost == 0
    assert [logged.text for logged in opened.desk.turns(thread)] == [text] * 3
    assert opened.desk.thread(thread).flagged == LIMITED
    assert opened.ask(text).problem is None  # another conversation is another matter


def test_asking_again_counts(open_at: Callable[..., Opened]) -> None:
    """A turn that fails can be asked for again within the limit; beyond it no model runs, however often."""
    coordinator = Counting(raises(ModelUnreachable("down")))
    opened = open_at({"coordinator": coordinator}, limit_turns=2)
    thread = opened.thread()
    assert "limit" not in str(opened.say(thread, "Hello!").problem)
    problems = []
    for _ in range(4):
        assert opened.desk.retry(thread, 1)
        problems.append(str(opened.desk.wait(thread, 1, 60).problem))
    assert ["limit" in problem for problem in problems] == [False, True, True, True]
    assert len(coordinator.given) == 2
    is_limited(opened.say(thread, "And breakfast?"), opened)


def test_a_run_that_a_crash_cut_off_is_not_held_against_its_turn(open_at: Callable[..., Opened]) -> None:
    """The message is answered by the next desk also when it was the last of the day; then the limit is reached."""
    first = open_at()
    thread = first.thread()
    assert first.desk.close(30)
    log = open_turnlog(first.home, first.parts.clock)
    log.add_turn(thread, "When is breakfast?", time.time())
    assert TurnQueue(log, "dead").claim(time.time(), 0.1)
    Spending(log).begin_run(thread)
    log.close()

    opened = open_at(limit_turns=1)
    assert opened.desk.wait(thread, 1, 60).problem is None
    is_limited(opened.say(thread, "When is breakfast?"), opened)


def test_the_next_day_goes_on(open_at: Callable[..., Opened]) -> None:
    """Past the desk's own midnight the conversation goes on where it was, and what was left can be answered."""
    opened = open_at(limit_turns=1, today=TODAY)
    thread = opened.thread()
    opened.say(thread, "Is a Deluxe room free from 1 to 3 February?")
    is_limited(opened.say(thread, "The first one please."), opened)
    assert opened.desk.close(30)

    later = open_at(limit_turns=2, today=TOMORROW)
    assert later.desk.retry(thread, 2)
    answered = later.desk.wait(thread, 2, 60)
    assert answered.problem is None
    assert answered.offer is not None
    assert later.desk.thread(thread).flagged is None
    assert later.say(thread, "My name is Anna Kowalska.").problem is None
    is_limited(later.say(thread, "When is breakfast?"), later)


def test_the_limit_of_cost(open_at: Callable[..., Opened]) -> None:
    """It is reached by what the turns cost together, and `problem` says which limit it was."""
    cost = open_at(HELLO, name="one", **PRICED).ask("Hello!").model.cost
    assert cost
    opened = open_at(HELLO, limit_cost=Decimal(str(cost)) * Decimal("1.5"), **PRICED)
    thread = opened.thread()
    turns = [opened.say(thread, "Hello!") for _ in range(3)]
    assert [turn.problem for turn in turns[:2]] == [None, None]
    is_limited(turns[2], opened)
    assert "USD" in str(turns[2].problem)


def test_more_costs_than_what_was_answered(open_at: Callable[..., Opened]) -> None:
    """A turn that failed has cost something too, and so has a fold; both count to the day."""
    scripts = {**HELLO, "direct": raises(KeyError("a bug"))}
    opened = open_at(scripts, **PRICED)
    spending = Spending(opened.desk._log)
    thread = opened.thread()
    assert opened.say(thread, "Hello!").problem == "internal"
    failed = spending.spent_today(thread)
    assert failed > 0
    scripts.update(HELLO)
    costs = [Decimal(str(opened.say(thread, "Hello there, my friend!").model.cost)) for _ in range(3)]
    folded = spending.spent_today(thread) - failed - sum(costs)
    assert folded > 0


def test_days_are_the_desks_own(open_at: Callable[..., Opened]) -> None:
    """Nothing of yesterday counts today: the clock is the desk's, in the hotels' zone."""
    opened = open_at(today=TODAY, **PRICED)
    spending = Spending(opened.desk._log)
    thread = opened.thread()
    opened.say(thread, "When is breakfast?")
    assert spending.spent_today(thread) > 0
    assert spending.runs_today(thread) == 1
    zone = load_pack(ROOT / "data" / "hotels").zone
    opened.desk._log.clock = Clock.starting_at(dt.datetime.fromisoformat(TOMORROW), zone)
    assert spending.spent_today(thread) == 0
    assert spending.runs_today(thread) == 0


def test_a_forgotten_thread_leaves_no_costs(open_at: Callable[..., Opened]) -> None:
    """What a conversation cost goes with it, and nothing is noted of one that is gone."""
    opened = open_at(**PRICED)
    log = opened.desk._log
    thread = opened.thread()
    opened.say(thread, "When is breakfast?")
    log.delete_thread(thread)
    Spending(log).add(thread, Decimal(1))
    assert Spending(log).spent_today(thread) == 0


# What gets through


def test_the_button_of_the_offer_that_stands(open_at: Callable[..., Opened]) -> None:
    """What the desk has put before the guest can be confirmed beyond the limit; no other button talks on."""
    opened = open_at(limit_turns=3)
    thread = opened.thread()
    for text in (
        "Is a Deluxe room free from 1 to 3 February?",
        "The first one please, my name is Anna Kowalska.",
    ):
        offered = opened.say(thread, text)
    assert offered.offer is not None
    opened.say(thread, "When is breakfast?")
    held = opened.say(thread, "Yes, please book it.")
    is_limited(held, opened)
    assert held.offer == offered.offer
    is_limited(opened.say(thread, "Yes.", action="confirm:o-another"), opened)
    booked = opened.say(thread, "Yes.", action=f"confirm:{offered.offer.id}")
    assert booked.booking is not None
    assert booked.problem is None
    is_limited(opened.say(thread, "Yes.", action=f"confirm:{offered.offer.id}"), opened)


def test_a_button_that_cannot_book_yet_is_no_way_around(open_at: Callable[..., Opened]) -> None:
    """An offer that still waits for a name is not ended by its button, so the limit holds for it."""
    opened = open_at(limit_turns=2)
    thread = opened.thread()
    opened.say(thread, "Is a Deluxe room free from 1 to 3 February?")
    offered = opened.say(thread, "The first one please.")
    assert offered.offer is not None
    is_limited(opened.say(thread, "When is breakfast?", action=f"confirm:{offered.offer.id}"), opened)
    declined = opened.say(thread, "No.", action=f"decline:{offered.offer.id}")
    assert declined.offer is None
    assert declined.problem is None


@pytest.mark.parametrize(
    ("text", "code"),
    [("Help, there is a fire in my room!", "en"), ("Hilfe, in meinem Zimmer brennt es!", "de")],
)
def test_an_emergency_gets_through(open_at: Callable[..., Opened], text: str, code: str) -> None:
    """Beyond the limit the guest reads whom to call, in their language, and people are alerted, without a model."""
    opened = open_at(limit_turns=1)
    thread = opened.thread()
    opened.say(thread, "Guten Tag, wann gibt es Frühstück?" if code == "de" else "When is breakfast?")
    turn = opened.say(thread, text)
    assert "112" in turn.reply.splitlines()[0]
    assert all(branch.phone in turn.reply for branch in opened.parts.pack.branches)
    assert turn.reply.splitlines()[-1] == opened.parts.catalogue.frame("limit", code)
    assert [(request.kind, request.urgent) for request in turn.requests] == [("emergency", True)]
    assert [request.text for request in opened.desk.requests(thread)] == [text]
    assert opened.desk.thread(thread).flagged
    assert turn.model.calls == 0


def test_a_wish_for_people_gets_through(open_at: Callable[..., Opened]) -> None:
    """Beyond the limit what only people can do still goes to them, and the guest is told so."""
    opened = open_at(limit_turns=1)
    thread = opened.thread()
    opened.say(thread, "When is breakfast?")
    turn = opened.say(thread, "I would like to talk to a real person, please.")
    assert [request.kind for request in opened.desk.requests(thread)] == ["person"]
    assert turn.reply.splitlines()[1:] == limit_lines(opened, "en")
    assert "passed" in turn.reply.splitlines()[0]


def test_a_language_without_a_catalogue(open_at: Callable[..., Opened]) -> None:
    """A guest who writes French reads French."""
    opened = open_at(limit_turns=1)
    thread = opened.thread()
    opened.say(thread, "Bonjour, avez-vous une chambre libre ce soir ?")
    turn = opened.say(thread, "Et le petit déjeuner, c'est à quelle heure ?")
    assert turn.language == "fr"
    notices = opened.parts.honest_notices
    assert turn.reply.splitlines()[0] == notices["limit"]["fr"]
    assert all(branch.phone in turn.reply for branch in opened.parts.pack.branches)


def test_every_such_line_is_there_in_every_such_language(shared: Parts) -> None:
    """Languages that the desk can name have all the lines, with the phones where the catalogue has them."""
    wanted = set(shared.notices) - set(shared.languages)
    for key, lines in shared.honest_notices.items():
        assert set(lines) == wanted, key
        pattern = shared.catalogue._wordings["en"].frames[key]
        assert all(("{phones}" in line) == ("{phones}" in pattern) for line in lines.values()), key


def test_nothing_of_it_reaches_a_model(open_at: Callable[..., Opened]) -> None:
    """Beyond the limit no role is asked, not even for the fold behind the turn."""
    coordinator = Counting(routes(handoff("hotels", "guide: breakfast")))
    opened = open_at({"coordinator": coordinator, "merger": marks_only}, limit_turns=1)
    thread = opened.thread()
    opened.say(thread, "When is breakfast?")
    before = len(opened.parts.models.asked)  # type: ignore[attr-defined]
    for _ in range(3):
        is_limited(opened.say(thread, "When is breakfast?"), opened)
    assert len(opened.parts.models.asked) == before  # type: ignore[attr-defined]
