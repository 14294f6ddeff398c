"""The runner: one turn through the graph, whole or not at all, and everything about it in the Turn."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.context import Parts
from desk.flow import build_flow
from desk.progress import LiveTurn
from desk.runner import GraphRunner
from desk.stores.checkpoints import Checkpoints, open_checkpoints
from desk.stores.turnlog import TurnLog, open_turnlog
from desk.turn import Turn
from desk.worker import Job
from tests.flow.support import PATIENCE, Counting, handoff, marks_only, raises, routes, says

HELLO = {"coordinator": routes(handoff("direct")), "direct": says("I see.")}
ASK = "Is a Deluxe room free from 1 to 3 February?"


class Killed(BaseException):
    """What ends a process in the middle of a turn."""


class Bench:
    """A runner over stores of its own, without the desk's workers: tests run each attempt themselves."""

    def __init__(self, parts: Parts, checkpoints: Checkpoints, log: TurnLog) -> None:
        self.log = log
        self.graph = build_flow(parts, checkpoints.saver)
        self.runner = GraphRunner(parts, self.graph, checkpoints, log)
        self.thread = log.new_thread()

    def job(self, text: str, **more: Any) -> Job:
        """A message of the guest, written to the log."""
        turn = self.log.add_turn(self.thread, text, 0.0)
        fields = {"locale": None, "language": None, "guest": None, "action": None, "attempt": 1}
        return Job(thread=self.thread, turn=turn, text=text, **{**fields, **more})

    def run(self, job: Job) -> Turn:
        """One attempt at this turn."""
        return self.runner.run(job, LiveTurn())

    def messages(self) -> list[str]:
        """The ids of the conversation's stored messages."""
        state = self.graph.get_state({"configurable": {"thread_id": self.thread}}).values
        return [str(message.id) for message in state.get("messages", [])]


@pytest.fixture
def bench(open_at: Callable[..., Any], tmp_path: Path) -> Iterator[Callable[[dict[str, Any]], Bench]]:
    """Makes a bench whose models say what the scripts say."""
    opened: list[tuple[Checkpoints, TurnLog]] = []

    def make(scripts: dict[str, Any]) -> Bench:
        parts: Parts = open_at(scripts).parts
        stores = open_checkpoints(tmp_path / "bench"), open_turnlog(tmp_path / "bench", parts.clock)
        opened.append(stores)
        return Bench(parts, *stores)

    yield make
    for checkpoints, log in opened:
        checkpoints.close()
        log.close()


def test_a_turn_that_runs_again_does_not_double_anything(bench: Callable[..., Bench]) -> None:
    """The process died before the result was stored: the second run ends as the first did, once."""
    at = bench(dict(HELLO))
    at.run(at.job("Hello!"))
    second = at.job("And again!")
    once = at.run(second)
    twice = at.run(second)
    assert at.messages() == ["t1-guest", "t1-desk", "t2-guest", "t2-desk"]
    assert (once.reply, once.turn, once.folded) == (twice.reply, twice.turn, twice.folded)


@pytest.mark.parametrize("role", ["coordinator", "hotel", "merger"])
def test_a_turn_killed_anywhere_is_run_again_whole(bench: Callable[..., Bench], role: str) -> None:
    """Cut in the coordinator, in a branch or in the merge, then run again: one reply, nothing of the cut run."""
    scripts: dict[str, Any] = {"coordinator": routes(handoff("hotels")), "merger": marks_only}
    at = bench(scripts)
    job = at.job(ASK)
    whole = scripts.pop(role, None)
    scripts[role] = raises(Killed())
    with pytest.raises(Killed):
        at.run(job)
    assert at.messages() == []
    scripts.pop(role)
    if whole:
        scripts[role] = whole
    turn = at.run(job)
    assert at.messages() == ["t1-guest", "t1-desk"]
    assert [fact.room for fact in turn.facts] == ["104", "108"]


def test_a_cut_run_leaves_the_conversation_as_it_was(bench: Callable[..., Bench]) -> None:
    """What came before a cut turn is whole; the cut turn's own message is not in it."""
    scripts = dict(HELLO)
    at = bench(scripts)
    at.run(at.job("Hello!"))
    scripts["coordinator"] = raises(Killed())
    with pytest.raises(Killed):
        at.run(at.job("Cut this."))
    assert at.messages() == ["t1-guest", "t1-desk"]


def test_a_fold_is_applied_once_when_its_turn_runs_again(bench: Callable[..., Bench]) -> None:
    """A prepared fold stays until the turn that applied it is stored: a second run folds the same."""
    at = bench(dict(HELLO))
    for text in ("One.", "Two.", "Three."):
        at.run(at.job(text))
    at.runner.fold(at.thread)
    fourth = at.job("Four.")
    for _ in range(2):
        assert at.run(fourth).folded == 4
        assert at.messages() == ["t3-guest", "t3-desk", "t4-guest", "t4-desk"]
    at.runner.fold(at.thread)  # after the result was stored: the fold has done its work
    assert at.log.fold(at.thread) is None


def test_a_turn_tells_everything_about_itself(bench: Callable[..., Bench]) -> None:
    """Procedures, model use, nodes in order, branches, facts and checks of one turn about rooms."""
    at = bench({"coordinator": routes(handoff("hotels")), "merger": marks_only})
    turn = at.run(at.job(ASK))
    assert turn.thread == at.thread
    assert (turn.turn, turn.text, turn.english, turn.language) == (1, ASK, ASK, "en")
    assert set(turn.procedures) >= {"coordinator", "hotel", "merge", "rewrite", "summarise"}
    assert turn.model.name == "scripted"
    assert turn.model.calls == 6  # the coordinator, two hotels twice, the merger
    assert turn.model.input_tokens > turn.model.output_tokens > 0
    assert [node.start for node in turn.nodes] == sorted(node.start for node in turn.nodes)
    assert all(node.seconds >= 0 for node in turn.nodes)
    assert turn.seconds >= max(node.start + node.seconds for node in turn.nodes) - 0.001
    assert {m.role for branch in turn.branches.values() for m in branch.messages} == {"human", "ai", "tool"}
    assert (turn.route, turn.routes, turn.handoffs[0].status) == ("hotels", ["hotels"], "ok")
    assert turn.checks.grounded is True
    assert Turn.model_validate(turn.to_json()) == turn


def test_a_turn_of_a_parent_binding_is_verified(bench: Callable[..., Bench]) -> None:
    """A right binding verifies the thread and is noted in the log; a wrong one does neither, and says no more."""
    at = bench(dict(HELLO))
    at.run(at.job("Hello!", guest="HH-1002:Wrong"))
    state = at.graph.get_state({"configurable": {"thread_id": at.thread}}).values
    assert state["guest"] is None
    at.run(at.job("Hello, my reference is HH-1002, Bob Miller."))
    state = at.graph.get_state({"configurable": {"thread_id": at.thread}}).values
    assert state["guest"]["reference"] == "HH-1002"
    assert at.log.threads_of("HH-1002") == [at.thread]


@pytest.mark.parametrize(
    ("text", "code"), [(ASK, "en"), ("Ist vom 1. bis 3. Februar ein Deluxe frei?", "de")]
)
@pytest.mark.parametrize(("why", "frame"), [("stopped", "stopped"), ("internal", "sorry_failed")])
def test_a_failure_is_worded_by_code(
    bench: Callable[..., Bench], text: str, code: str, why: Any, frame: str
) -> None:
    """The honest reply of a turn without an answer is in the guest's language, and needs no model."""
    counted = Counting(HELLO["coordinator"])
    at = bench({"coordinator": counted})
    turn = at.runner.failure(at.job(text), why)
    assert (turn.language, turn.problem, turn.routes) == (code, why, ["direct"])
    catalogue = at.runner._parts.catalogue
    assert (turn.reply, turn.reply_english) == (catalogue.frame(frame, code), catalogue.frame(frame, "en"))
    assert counted.given == []


def test_the_language_chosen_by_hand_wins_in_an_apology(bench: Callable[..., Bench]) -> None:
    """A guest who chose German hears the apology in German, whatever the message was."""
    at = bench(dict(HELLO))
    turn = at.runner.failure(at.job("ok", language="de"), "internal")
    assert turn.reply == at.runner._parts.catalogue.frame("sorry_failed", "de")


# Stopping


def test_the_guest_stops_a_turn_whose_model_hangs(open_at: Callable[..., Any]) -> None:
    """A turn ends when the guest says so, even while a model call hangs; the thread goes on."""
    release, began = threading.Event(), threading.Event()

    def hangs(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        began.set()
        release.wait(PATIENCE * 3)
        return AIMessage("At last.")

    scripts: dict[str, Any] = {**HELLO, "coordinator": hangs}
    opened = open_at(scripts)
    thread = opened.thread()
    number = opened.desk.send(thread, "Guten Tag, ist ein Zimmer frei?")
    assert began.wait(PATIENCE)
    opened.desk.stop(thread, number)
    try:
        turn = opened.desk.wait(thread, number, PATIENCE)
        assert not release.is_set()
    finally:
        release.set()
    assert turn.problem == "stopped"
    assert turn.reply == opened.parts.catalogue.frame("stopped", "de")
    seen = Counting(HELLO["coordinator"])
    scripts.update(HELLO, coordinator=seen)
    after = opened.say(thread, "Hello!")
    assert (after.reply, after.language) == ("I see.", "en")  # nothing of the stopped turn is left
    assert len(seen.given[0]) == 2  # the procedure and the briefing, no history


def test_stopping_one_thread_stops_no_other(open_at: Callable[..., Any]) -> None:
    """A stop is one turn's own."""
    release, began = threading.Event(), threading.Semaphore(0)

    def waits(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        began.release()
        release.wait(PATIENCE * 3)
        return HELLO["coordinator"](messages, tools)

    opened = open_at({**HELLO, "coordinator": waits})
    one, two = opened.thread(), opened.thread()
    first, second = opened.desk.send(one, "Hello!"), opened.desk.send(two, "Hello!")
    assert began.acquire(timeout=PATIENCE)
    assert began.acquire(timeout=PATIENCE)
    opened.desk.stop(one, first)
    try:
        assert opened.desk.wait(one, first, PATIENCE).problem == "stopped"
    finally:
        release.set()
    assert opened.desk.wait(two, second, PATIENCE).reply == "I see."
