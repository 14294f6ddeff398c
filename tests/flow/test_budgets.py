"""A turn's budgets: running out of one ends in an honest reply in the guest's language, never in an exception."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.errors import ModelMisconfigured, ModelOutOfQuota, ModelRateLimited, ModelSlow, ModelUnreachable
from tests.flow.conftest import Stage
from tests.flow.support import (
    PATIENCE,
    Counting,
    call,
    calling,
    handoff,
    in_rounds,
    in_turn,
    marks_only,
    raises,
    routes,
    says,
    structured,
)

ASKS = [
    ("Is a Deluxe room free from 1 to 3 February?", "en"),
    ("Ist vom 1. bis 3. Februar ein Deluxe frei?", "de"),
]


def always(*destinations: str, **more: Any) -> Counting:
    """A coordinator that hands over again and again, each time with another task, whatever came back."""
    turn = itertools.cycle(destinations)
    number = itertools.count()

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        task = f"look up: thing {next(number)}"
        return structured("Routing", handoffs=[handoff(next(turn), task, **more)])

    return Counting(script)


IDLE = {
    "hotel": says("I cannot help."),
    "web": says("I found nothing."),
    "direct": says("I see."),
    "merger": says("Hm."),
}


@pytest.mark.parametrize(
    "destinations",
    [
        ("hotels",),
        ("web",),
        ("direct",),
        ("staff",),
        ("reservation",),
        ("hotels", "web"),
        ("web", "direct", "hotels"),
    ],
    ids="-".join,
)
def test_handing_back_and_forth_ends(stage: Stage, destinations: tuple[str, ...]) -> None:
    """On every route a coordinator that never stops is stopped, and the guest gets an honest reply."""
    coordinator = always(*destinations, request_kind="towels")
    turn = stage.play("Do something for me.", coordinator=coordinator, **IDLE)
    limit = stage.parts.settings.budget_handoffs
    assert len(turn.handoffs) <= limit
    assert len(coordinator.given) <= limit
    assert turn.model.calls <= stage.parts.settings.calls_a_turn(2)
    assert turn.reply.strip()
    assert turn.booking is None
    taken = [h.destination for h in turn.handoffs if h.accepted]
    assert all(taken.count(destination) <= 2 for destination in taken)


def test_the_same_route_without_new_evidence_is_a_loop(stage: Stage) -> None:
    """Handed to the same hotels for the same task once more: refused as a loop, and recorded so."""
    again = Counting(lambda messages, tools: structured("Routing", handoffs=[handoff("hotels")]))
    turn = stage.play("Do something for me.", **{**IDLE, "coordinator": again})
    assert [h.accepted for h in turn.handoffs] == [True, False]
    assert "nothing new" in (turn.handoffs[1].refused_because or "")
    assert [node.name for node in turn.nodes].count("merge") == 1


def test_a_handoff_budget_of_one(open_at: Callable[..., Any]) -> None:
    """With one handoff allowed, one runs, and its answer goes out."""
    both = routes(handoff("direct"), handoff("hotels", "guide: breakfast"))
    turn = open_at({**IDLE, "coordinator": both}, budget_handoffs=1).ask("Hello! When is breakfast?")
    assert [h.destination for h in turn.handoffs] == ["direct"]
    assert turn.reply == "I see."


@pytest.mark.parametrize(("text", "code"), ASKS)
@pytest.mark.parametrize("budget", [{"budget_calls": 1}, {"budget_calls": 3}, {"budget_tokens": 1}], ids=str)
def test_calls_and_tokens(open_at: Callable[..., Any], budget: dict[str, int], text: str, code: str) -> None:
    """Out of model calls or tokens, at the beginning or inside the branches: one honest line, and `problem`."""
    opened = open_at(name="small", **budget)
    thread = opened.thread()
    turn = opened.say(thread, text)
    assert turn.reply == opened.parts.catalogue.frame("budget", code)
    assert turn.problem
    assert "budget" in turn.problem
    assert turn.language == code
    assert turn.model.calls <= budget.get("budget_calls", 40)
    assert (turn.offer, turn.booking, turn.facts) == (None, None, [])
    after = opened.say(thread, "Thanks")
    assert after.turn == 2  # the thread goes on


def test_a_turn_that_ran_out_leaves_no_half_conversation(open_at: Callable[..., Any]) -> None:
    """What a turn without an answer had begun is taken back: the next turn starts from the last whole one."""
    scripts: dict[str, Any] = {"coordinator": routes(handoff("direct")), "direct": says("Hello.")}
    opened = open_at(scripts, budget_calls=3)
    thread = opened.thread()
    opened.say(thread, "Hello!")
    scripts.update(coordinator=routes(handoff("hotels")), hotel=in_rounds(2))
    assert opened.say(thread, "Is a room free from 1 to 3 February?").problem
    seen = Counting(routes(handoff("direct")))
    scripts.update(coordinator=seen)
    assert opened.say(thread, "Hello again!").reply == "Hello."
    told = [message.text for message in seen.given[0]]
    assert "Hello!" in told
    assert not any("1 to 3 February" in text for text in told[:-1])


def test_seconds(open_at: Callable[..., Any]) -> None:
    """A model that hangs is waited for no longer than the turn may take."""
    release = threading.Event()

    def hangs(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        release.wait(PATIENCE * 3)
        return AIMessage("At last.")

    opened = open_at({"coordinator": hangs}, budget_seconds=0.5)
    try:
        turn = opened.ask("Ist ein Zimmer frei?")
        assert not release.is_set()
    finally:
        release.set()
    honest = {opened.parts.catalogue.frame(key, "de") for key in ("model_gone", "budget")}
    assert turn.reply in honest  # the second, when the time was gone before the call
    assert turn.problem


def test_hotels_that_hang_past_the_turns_end(open_at: Callable[..., Any]) -> None:
    """All branches hang until the turn's seconds are gone: an honest reply all the same."""
    release = threading.Event()

    def hangs(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        release.wait(PATIENCE * 3)
        return AIMessage("At last.")

    opened = open_at({"coordinator": routes(handoff("hotels")), "hotel": hangs}, budget_seconds=1.0)
    try:
        turn = opened.ask("Is a room free from 1 to 3 February?")
    finally:
        release.set()
    assert turn.problem
    assert turn.reply == opened.parts.catalogue.frame("budget", "en")


def test_rounds_of_a_branch(open_at: Callable[..., Any]) -> None:
    """A branch that calls tools for ever is ended after its rounds; what its tools gave is stated."""
    for_ever = Counting(lambda messages, tools: calling(call("find_rooms")))
    scripts = {
        "coordinator": routes(handoff("hotels", hotels=["hotel1"])),
        "hotel": for_ever,
        "merger": marks_only,
    }
    turn = open_at(scripts, budget_rounds=2).ask("Is a Deluxe room free from 1 to 3 February?")
    assert len(for_ever.given) == 3  # two rounds, and the call that was one too many
    assert [node.name for node in turn.nodes].count("hotel1_tools") == 2
    assert [fact.room for fact in turn.facts] == ["104"]


def test_rounds_that_bring_nothing(open_at: Callable[..., Any]) -> None:
    """Rounds spent without a fact: the hotel could not be checked, and the reply says so."""
    for_ever = lambda messages, tools: calling(call("no_such_tool"))  # noqa: E731
    scripts = {
        "coordinator": routes(handoff("hotels", hotels=["hotel1"])),
        "hotel": for_ever,
        "merger": marks_only,
    }
    turn = open_at(scripts, budget_rounds=2).ask("Is a Deluxe room free from 1 to 3 February?")
    assert turn.branches["hotel1"].status == "failed"
    assert [fact.kind for fact in turn.facts] == ["not_checked"]
    assert turn.handoffs[0].status == "failed"


@pytest.mark.parametrize("role", ["direct", "web", "reservation"])
def test_rounds_of_the_other_agents(open_at: Callable[..., Any], role: str) -> None:
    """Every loop ends after its rounds, with a reply."""
    to = {
        "direct": (handoff("direct", "recall: room"), "recall", {"query": "room"}),
        "web": (handoff("web"), "search_web", {"query": "museum"}),
        "reservation": (
            handoff("reservation", action="decline", authorization_ref="offer:o-1"),
            "decline_offer",
            {},
        ),
    }
    proposal, tool, args = to[role]
    for_ever = Counting(lambda messages, tools: calling(call(tool, **args)))
    opened = open_at({"coordinator": routes(proposal), role: for_ever}, budget_rounds=2)
    turn = opened.ask("Please look for it.")
    assert len(for_ever.given) <= 3
    assert turn.reply.strip()


FAILURES = [
    ModelUnreachable("down"),
    ModelSlow("slow"),
    ModelRateLimited("wait"),
    ModelOutOfQuota("empty"),
    ModelMisconfigured("bad key"),
]


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(("text", "code"), ASKS)
def test_a_model_that_cannot_be_had(stage: Stage, error: Exception, text: str, code: str) -> None:
    """The apology is in the guest's language and needs no model; the problem names no key and no prompt."""
    turn = stage.play(text, coordinator=raises(error), translator=raises(error))
    assert turn.reply == stage.parts.catalogue.frame("model_gone", code)
    assert turn.problem == str(error)
    assert turn.language == code


@pytest.mark.parametrize(
    ("role", "proposal"),
    [
        ("direct", handoff("direct")),
        ("web", handoff("web")),
        ("direct", handoff("direct", "recall: room")),
    ],
    ids=["direct", "web", "recall"],
)
@pytest.mark.parametrize(("text", "code"), [("Hello there!", "en"), ("Guten Tag!", "de")])
def test_an_agent_whose_model_is_gone(
    stage: Stage, role: str, proposal: dict[str, Any], text: str, code: str
) -> None:
    """When the one agent asked has no model, the guest hears that, and not that they were not understood."""
    turn = stage.play(text, coordinator=routes(proposal), **{role: raises(ModelUnreachable("down"))})
    assert turn.reply == stage.parts.catalogue.frame("model_gone", code)
    assert turn.problem


def test_one_of_two_agents_without_a_model(stage: Stage) -> None:
    """The other's answer goes out, and the reply does not sound complete."""
    both = routes(handoff("hotels", "guide: breakfast"), handoff("direct"))
    down = raises(ModelUnreachable("down"))
    turn = stage.play("Hello! When is breakfast?", coordinator=both, merger=marks_only, direct=down)
    assert {fact.entry for fact in turn.facts} == {"breakfast"}
    assert turn.reply.endswith(stage.parts.catalogue.frame("budget", "en"))
    assert [h.status for h in turn.handoffs] == ["ok", "failed"]


def test_a_bug_is_loud_in_the_log_and_quiet_on_the_page(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    """A bug ends in an apology in the guest's language; the log has the traceback, the page has nothing of it."""
    bug = raises(KeyError("passport X123"))
    turn = stage.play("Guten Tag, ist ein Zimmer frei?", coordinator=bug)
    assert turn.reply == stage.parts.catalogue.frame("sorry_failed", "de")
    assert turn.problem == "internal"
    assert "KeyError" in caplog.text
    assert "X123" not in caplog.text


def test_the_reply_after_a_bug_is_normal(stage: Stage) -> None:
    """The thread goes on after a turn that failed."""
    thread = stage.thread()
    coordinator = in_turn(raises(KeyError("a bug")), routes(handoff("direct")))
    stage.scripts.update(coordinator=coordinator, direct=says("Hello."))
    assert stage.say(thread, "Hello!").problem == "internal"
    assert stage.say(thread, "Hello!").reply == "Hello."
