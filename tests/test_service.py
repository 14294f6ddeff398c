"""The Desk as pages and the command line use it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.cleaning import MAX_CHARACTERS, clean
from desk.errors import BadMessage, StorageError, UnknownThread
from desk.progress import LiveTurn, Step
from desk.records import StaffRequest
from desk.service import Desk
from desk.turn import NodeTime, Turn
from desk.worker import Job
from tests.runners import ABOUT, PATIENCE, Desks, EchoRunner, echo, open_log

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Desks]:
    """Opens desks on this test's home."""
    desks = Desks(tmp_path)
    yield desks
    desks.close()


@pytest.fixture
def desk(opened: Desks) -> Desk:
    """An open desk that echoes."""
    return opened()


def _held(opened: Desks) -> tuple[Desk, EchoRunner, str, int]:
    """A desk with one turn that is under way."""
    runner = EchoRunner()
    desk = opened(runner)
    thread = desk.new_thread()
    turn = desk.send(thread, "hold on")
    assert runner.began.acquire(timeout=PATIENCE)
    return desk, runner, thread, turn


# Messages


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("hello", "hello"),
        ("  two\r\nlines\rmore ", "two\nlines\nmore"),
        ("nul\x00bell\x07esc\x1b[31m", "nulbellesc[31m"),
        ("c1\x9bcontrols\x7f", "c1controls"),
        ("half \ud83d a pair", "half \ufffd a pair"),
        ("tab\tstays", "tab\tstays"),
        ("👨‍👩‍👧 می‌خواهم שלום", "👨‍👩‍👧 می‌خواهم שלום"),
        ("costs $5 and *more* _now_", "costs $5 and *more* _now_"),
    ],
)
def test_a_message_is_cleaned_of_what_nobody_can_read(desk: Desk, text: str, cleaned: str) -> None:
    """Control characters go, halves of surrogate pairs are replaced, everything readable stays as typed."""
    assert clean(text) == cleaned
    thread = desk.new_thread()
    assert desk.wait(thread, desk.send(thread, text), PATIENCE).text == cleaned


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00\x00", "\u200b\u200d", "\u00a0"])
def test_a_message_without_anything_to_see_is_refused(desk: Desk, text: str) -> None:
    """Nothing is stored, and nothing runs."""
    thread = desk.new_thread()
    with pytest.raises(BadMessage) as refused:
        desk.send(thread, text)
    assert refused.value.reason == "empty"
    assert desk.turns(thread) == []


def test_a_message_may_be_as_long_as_the_limit(desk: Desk) -> None:
    """What counts is the cleaned text; beyond the limit the refusal names its reason."""
    thread = desk.new_thread()
    for text in ("x" * 20_000, "x" * (MAX_CHARACTERS + 1), "ä" * 5_000_000):
        with pytest.raises(BadMessage) as refused:
            desk.send(thread, text)
        assert refused.value.reason == "too_long"
    assert desk.turns(thread) == []
    longest = desk.wait(thread, desk.send(thread, "😊" * MAX_CHARACTERS + " \x00\n"), PATIENCE)
    assert len(longest.text) == MAX_CHARACTERS


@pytest.mark.parametrize("text", ["?", "…", "2", "😊", "104", "ok"])
def test_short_messages_are_messages(desk: Desk, text: str) -> None:
    """A sign or a number says something."""
    thread = desk.new_thread()
    assert desk.wait(thread, desk.send(thread, text), PATIENCE).text == text


def test_a_rerun_of_the_page_sends_nothing_twice(desk: Desk) -> None:
    """The same key gives the same turn, while it runs and after it has ended."""
    thread = desk.new_thread()
    turns = {desk.send(thread, "hello", key="page-1") for _ in range(5)}
    desk.wait(thread, 1, PATIENCE)
    turns.add(desk.send(thread, "hello", key="page-1"))
    assert turns == {1}
    assert len(desk.turns(thread)) == 1
    assert desk.send(thread, "hello", key="page-2") == 2


def test_a_button_may_speak_without_words(opened: Desks) -> None:
    """An action reaches the runner with its offer; anything that is no action is a mistake of the caller."""
    runner = EchoRunner()
    desk = opened(runner)
    thread = desk.new_thread("pt-PT")
    desk.wait(thread, desk.send(thread, "", action="confirm:offer-7"), PATIENCE)
    assert runner.jobs[0].action == "confirm:offer-7"
    assert desk.turns(thread)[0].action == "confirm:offer-7"
    for action in ("confirm:", "book:offer-7", "confirm:a b", "confirm:ü", "confirm:" + "x" * 300):
        with pytest.raises(ValueError, match="confirm:OFFER_ID"):
            desk.send(thread, "yes", action=action)


def test_what_comes_from_the_browser_is_not_trusted(opened: Desks) -> None:
    """Only what looks like a locale reaches the runner; the message's own goes before the thread's."""
    runner = EchoRunner()
    desk = opened(runner)
    thread = desk.new_thread("pt-PT")
    for locale in ("de-AT", "zh-Hant-TW", "'; DROP TABLE turns", "x" * 999, "", None):
        desk.wait(thread, desk.send(thread, "hi", locale=locale), PATIENCE)
    assert [job.locale for job in runner.jobs] == ["de-AT", "zh-Hant-TW", "pt-PT", "pt-PT", "pt-PT", "pt-PT"]


# Following a turn


def test_a_running_turn_shows_its_steps_and_text(opened: Desks) -> None:
    """Steps as they start, and the whole Turn once it has ended."""
    desk, runner, thread, turn = _held(opened)
    seen = desk.progress(thread, turn)
    assert (seen.status, seen.steps, seen.text, seen.turn) == (
        "running",
        (Step("echo", "started"),),
        "",
        None,
    )
    waiting = desk.send(thread, "next")
    assert desk.progress(thread, waiting).status == "queued"
    with pytest.raises(TimeoutError):
        desk.wait(thread, waiting, 0.05)
    runner.go.set()
    answer = desk.wait(thread, turn, PATIENCE)
    done = desk.progress(thread, turn)
    assert (done.status, done.text, done.turn) == ("done", "you wrote: hold on", answer)


def test_progress_keeps_parallel_and_repeated_nodes_apart() -> None:
    """An end belongs to its own start; text grows piece by piece; copies do not change afterwards."""
    live = LiveTurn()
    for name in ("hotel1", "hotel2", "hotel1"):
        live.node(name, "started")
    before = live.seen("running")
    live.node("hotel1", "ended", 0.2)
    live.node("hotel2", "ended", 0.3)
    live.text("Room 104 ")
    live.text("is free.")
    after = live.seen("running")
    assert before.steps == tuple(Step(name, "started") for name in ("hotel1", "hotel2", "hotel1"))
    assert after.steps == (
        Step("hotel1", "started"),
        Step("hotel2", "ended", 0.3),
        Step("hotel1", "ended", 0.2),
    )
    assert after.text == "Room 104 is free."
    assert before.text == ""


def test_progress_of_one_turn_is_bounded() -> None:
    """A loop that reports without end does not fill the memory."""
    live = LiveTurn()
    for _ in range(2_000):
        live.node("loop", "started")
        live.text("x" * 100)
    seen = live.seen("running")
    assert len(seen.steps) <= 500
    assert len(seen.text) <= 20_000


class _Timed(EchoRunner):
    def run(self, job: Job, progress: object) -> Turn:
        """Answer with node times."""
        return echo(job).model_copy(update={"nodes": [NodeTime(name="merge", start=0.0, seconds=0.5)]})


def test_the_steps_of_an_ended_turn_come_from_its_record(opened: Desks) -> None:
    """After a refresh the page still shows what ran."""
    desk = opened(_Timed())
    thread = desk.new_thread()
    desk.wait(thread, desk.send(thread, "hi"), PATIENCE)
    assert desk.progress(thread, 1).steps == (Step("merge", "ended", 0.5),)


def test_a_conversation_survives_a_refresh_and_a_restart(opened: Desks) -> None:
    """Another desk on the same home shows the same turns, with what was chosen for the thread."""
    first = opened()
    thread = first.new_thread("de-DE")
    for text in ("eins", "zwei"):
        first.wait(thread, first.send(thread, text), PATIENCE)
    first.set_language(thread, "de")
    before = first.turns(thread)
    assert first.close(PATIENCE)
    assert first.close(PATIENCE)
    again = opened()
    assert again.has_thread(thread)
    assert again.turns(thread) == before
    assert [(logged.number, logged.text, logged.status) for logged in before] == [
        (1, "eins", "done"),
        (2, "zwei", "done"),
    ]
    info = again.thread(thread)
    assert (info.chosen_language, info.language, info.locale, info.turns) == ("de", "en", "de-DE", 2)
    assert [logged.text for logged in again.turns(thread, after=1)] == ["zwei"]


def test_a_closed_desk_takes_nothing_more(desk: Desk) -> None:
    """The sender is told, instead of losing the message."""
    thread = desk.new_thread()
    desk.close(PATIENCE)
    with pytest.raises(StorageError):
        desk.send(thread, "hello")


# Stopping and trying again


def test_a_guest_stops_a_turn_that_runs(opened: Desks) -> None:
    """The turn ends as stopped with an honest reply, and the next message is answered."""
    desk, _, thread, turn = _held(opened)
    desk.stop(thread, turn)
    assert desk.wait(thread, turn, PATIENCE).reply == "sorry: stopped"
    assert desk.progress(thread, turn).status == "stopped"
    assert desk.wait(thread, desk.send(thread, "hi"), PATIENCE).reply == "you wrote: hi"


def test_a_turn_that_waits_is_stopped_without_running(opened: Desks) -> None:
    """While the turn before it still runs, its end is already known."""
    desk, runner, thread, turn = _held(opened)
    second = desk.send(thread, "never mind")
    desk.stop(thread, second)
    assert desk.wait(thread, second, PATIENCE).reply == "sorry: stopped"
    assert desk.progress(thread, turn).status == "running"
    runner.go.set()
    desk.wait(thread, turn, PATIENCE)
    assert [job.turn for job in runner.jobs] == [turn]


def test_an_answered_turn_can_be_neither_stopped_nor_retried(desk: Desk) -> None:
    """What the guest has read stays."""
    thread = desk.new_thread()
    answer = desk.wait(thread, desk.send(thread, "hi"), PATIENCE)
    desk.stop(thread, 1)
    assert not desk.retry(thread, 1)
    assert desk.turns(thread)[0].turn == answer


def test_a_failed_turn_can_be_tried_again(opened: Desks) -> None:
    """Its own message is run again; the conversation keeps its order."""
    runner = EchoRunner()
    desk = opened(runner)
    thread = desk.new_thread()
    assert desk.wait(thread, desk.send(thread, "bug"), PATIENCE).problem == "internal"
    assert desk.retry(thread, 1)
    assert desk.wait(thread, 1, PATIENCE).problem == "internal"
    assert [(job.turn, job.text) for job in runner.jobs] == [(1, "bug"), (1, "bug")]


# Threads


def test_a_link_opens_only_its_own_conversation(desk: Desk) -> None:
    """A made-up id opens nothing, through any of the doors; one guest's words are not in another's turns."""
    ana, bob = desk.new_thread(), desk.new_thread()
    desk.wait(ana, desk.send(ana, "I am Ana"), PATIENCE)
    assert desk.turns(bob) == []
    for thread in ("", "1", ana[:-1], ana + "x", ana.swapcase(), "../desk.db", "\ud800"):
        assert not desk.has_thread(thread)
        for call in (
            lambda t: desk.send(t, "hi"),
            desk.turns,
            desk.thread,
            lambda t: desk.progress(t, 1),
            lambda t: desk.wait(t, 1, 1.0),
            lambda t: desk.stop(t, 1),
            lambda t: desk.retry(t, 1),
            lambda t: desk.set_language(t, "de"),
            lambda t: desk.bind_guest(t, "HH-1002:Miller"),
            desk.requests,
        ):
            with pytest.raises(UnknownThread):
                call(thread)
    for turn in (0, -1, 2, 10**15):
        with pytest.raises(UnknownThread):
            desk.progress(ana, turn)


def test_language_and_guest_reach_the_runner(opened: Desks) -> None:
    """As chosen by hand and as bound, until they are given back; an unknown language is refused."""
    runner = EchoRunner()
    desk = opened(runner)
    thread = desk.new_thread()
    desk.set_language(thread, "de")
    desk.bind_guest(thread, " HH-1002:Mi\x00ller ")
    desk.wait(thread, desk.send(thread, "hi"), PATIENCE)
    desk.set_language(thread, None)
    desk.bind_guest(thread, "")
    desk.wait(thread, desk.send(thread, "ho"), PATIENCE)
    seen = [(job.language, job.guest) for job in runner.jobs]
    assert seen == [("de", "HH-1002:Miller"), (None, None)]
    with pytest.raises(ValueError, match="language"):
        desk.set_language(thread, "tlh")


class _Forwarding(EchoRunner):
    def run(self, job: Job, progress: object) -> Turn:
        """Send it to staff."""
        request = StaffRequest(kind="taxi", text=job.text, reason="asked for a taxi")
        return echo(job).model_copy(update={"requests": [request], "language": "de"})


def test_what_goes_to_staff_flags_the_thread(opened: Desks) -> None:
    """The request is there for staff, and the thread says why it needs a person."""
    desk = opened(_Forwarding())
    thread = desk.new_thread()
    assert desk.thread(thread).flagged is None
    desk.wait(thread, desk.send(thread, "a taxi, please"), PATIENCE)
    assert [request.text for request in desk.requests(thread)] == ["a taxi, please"]
    assert desk.thread(thread).flagged == "asked for a taxi"
    assert desk.thread(thread).language == "de"


def test_the_banner_is_told_what_the_desk_is(desk: Desk) -> None:
    """Whether it rehearses, the model, the hotels, the languages."""
    assert desk.about == ABOUT


def test_everything_is_closed_in_order(tmp_path: Path) -> None:
    """The other stores close after the last turn and fold, so that these can still write."""
    order: list[str] = []
    runner = EchoRunner()
    runner.hold_folds = True
    desk = Desk(open_log(tmp_path), runner, ABOUT, also_close=(lambda: order.append(str(runner.folded)),))
    thread = desk.new_thread()
    desk.wait(thread, desk.send(thread, "hi"), PATIENCE)
    assert runner.began.acquire(timeout=PATIENCE)
    assert runner.began.acquire(timeout=PATIENCE)
    runner.go.set()
    assert desk.close(PATIENCE)
    assert order == [str([thread])]


def test_the_desk_knows_neither_pages_nor_graph() -> None:
    """Nothing here imports Streamlit, and only the checkpoints know LangGraph."""
    names = ("service.py", "worker.py", "progress.py", "folding.py", "stores/db.py")
    files = [*(ROOT / "desk" / name for name in names), *(ROOT / "desk" / "stores").glob("turn*.py")]
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            imported += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(n.startswith(("streamlit", "langgraph", "langchain")) for n in imported), path
