"""The workers: order, side by side, crashes, takeovers, several processes, folds."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desk.errors import ModelSlow, StorageError
from desk.folding import Folding
from desk.logs import without_words
from desk.progress import Progress
from desk.records import Fact
from desk.service import Desk
from desk.stores.turnqueue import TurnQueue
from desk.turn import Turn
from desk.worker import ATTEMPTS, LAST_RESORT, Job, Why
from tests.conftest import wait_until
from tests.runners import PATIENCE, Desks, EchoRunner, echo, open_desk, open_log

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Desks]:
    """Opens desks on this test's home."""
    desks = Desks(tmp_path)
    yield desks
    desks.close()


def _replies(desk: Desk, thread: str) -> list[str | None]:
    return [logged.turn.reply if logged.turn else None for logged in desk.turns(thread)]


def test_messages_of_one_thread_are_answered_in_order(opened: Desks) -> None:
    """Ten messages at once on one thread: each is answered, one after the other, as they came."""
    runner = EchoRunner()
    desk = opened(runner)
    thread = desk.new_thread()
    turns = [desk.send(thread, f"slow {n}") for n in range(10)]
    answers = [desk.wait(thread, turn, PATIENCE) for turn in turns]
    assert [answer.reply for answer in answers] == [f"you wrote: slow {n}" for n in range(10)]
    assert [job.turn for job in runner.jobs] == turns == list(range(1, 11))
    assert desk.close(PATIENCE)


def test_threads_do_not_wait_for_each_other(opened: Desks) -> None:
    """While one guest's turn takes long, others are answered."""
    runner = EchoRunner()
    desk = opened(runner, threads=3)
    slow, quick = desk.new_thread(), desk.new_thread()
    held = desk.send(slow, "hold on")
    runner.began.acquire(timeout=PATIENCE)
    assert desk.wait(quick, desk.send(quick, "hi"), PATIENCE).reply == "you wrote: hi"
    assert desk.progress(slow, held).status == "running"
    runner.go.set()
    assert desk.wait(slow, held, PATIENCE).reply == "you wrote: hold on"


def test_no_more_turns_run_at_once_than_the_desk_allows(opened: Desks) -> None:
    """With two places the third guest's turn waits until one is free."""
    runner = EchoRunner()
    desk = opened(runner, threads=2)
    guests = [desk.new_thread() for _ in range(3)]
    sent = [desk.send(guest, "hold on") for guest in guests]
    for _ in range(2):
        assert runner.began.acquire(timeout=PATIENCE)
    assert not runner.began.acquire(timeout=0.2)
    assert desk.progress(guests[2], sent[2]).status == "queued"
    runner.go.set()
    answers = [desk.wait(guest, turn, PATIENCE) for guest, turn in zip(guests, sent, strict=True)]
    assert {answer.reply for answer in answers} == {"you wrote: hold on"}


class _Named(EchoRunner):
    """Notes which of the desk's threads runs each turn."""

    def __init__(self) -> None:
        super().__init__()
        self.ran_on: set[str] = set()

    def run(self, job: Job, progress: Progress) -> Turn:
        """Note it, and echo."""
        self.ran_on.add(threading.current_thread().name)
        return super().run(job, progress)


def test_turns_that_follow_one_another_share_a_thread(opened: Desks) -> None:
    """Threads are made for turns at once, not for turns."""
    runner = _Named()
    desk = opened(runner, threads=64)
    guest = desk.new_thread()
    for n in range(5):
        desk.wait(guest, desk.send(guest, f"hi {n}"), PATIENCE)
        assert desk.settle(guest, PATIENCE)
    assert runner.ran_on == {"desk-turns-0"}


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """While this is set, the machine has no thread left for a turn or a fold."""
    full, start = threading.Event(), threading.Thread.start

    def try_to_start(thread: threading.Thread) -> None:
        if full.is_set() and thread.name.startswith(("desk-turns", "desk-folds")):
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", try_to_start)
    yield full
    full.clear()


def test_a_turn_waits_for_a_thread_that_can_be_had(
    opened: Desks, no_threads: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    """It is queued as before, nothing is taken for running, and it is answered once there is a thread again."""
    runner = EchoRunner()
    desk = opened(runner, threads=1)
    guest = desk.new_thread()
    no_threads.set()
    turn = desk.send(guest, "hi")
    wait_until(lambda: "no thread can be started; turn record 1 waits" in caplog.text)
    wait_until(lambda: desk.progress(guest, turn).status == "queued")
    assert desk.settle(guest, 0)
    no_threads.clear()
    assert desk.wait(guest, turn, PATIENCE).reply == "you wrote: hi"
    assert [job.attempt for job in runner.jobs] == [1]


def test_a_desk_without_threads_closes(
    opened: Desks, no_threads: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither a fold nor a turn that could not be begun is waited for."""
    runner = EchoRunner()
    desk = opened(runner)
    guest, other = desk.new_thread(), desk.new_thread()
    turn = desk.send(guest, "hold on")
    assert runner.began.acquire(timeout=PATIENCE)
    no_threads.set()
    runner.go.set()
    assert desk.wait(guest, turn, PATIENCE).reply == "you wrote: hold on"
    assert desk.settle(guest, PATIENCE)
    assert "no thread can be started for a fold" in caplog.text
    runner.go.clear()
    for each in (guest, other):  # one of them has the thread that is there
        desk.send(each, "hold on")
    wait_until(lambda: "no thread can be started; turn record" in caplog.text)
    runner.go.set()
    assert desk.close(PATIENCE)


def test_a_result_that_cannot_be_stored_takes_no_place_for_good(
    opened: Desks, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log fails once as a turn ends: it is said, and the one place that there is serves the next guest."""
    finish, failed = TurnQueue.finish, threading.Event()

    def fails_once(self: TurnQueue, *given: Any) -> bool:
        if failed.is_set():
            return finish(self, *given)
        failed.set()
        raise StorageError("the disk is full")

    monkeypatch.setattr(TurnQueue, "finish", fails_once)
    desk = opened(threads=1)
    desk.send(desk.new_thread(), "hi")
    assert failed.wait(PATIENCE)
    guest = desk.new_thread()
    assert desk.wait(guest, desk.send(guest, "and I"), PATIENCE).reply == "you wrote: and I"
    assert "the disk is full" in caplog.text


def test_two_messages_sent_at_once_by_two_tabs_are_both_answered(opened: Desks) -> None:
    """Many senders on one thread: each gets a number of its own, and an answer to its own message."""
    desk = opened()
    thread = desk.new_thread()
    got: dict[str, str] = {}

    def tab(text: str) -> None:
        got[text] = desk.wait(thread, desk.send(thread, text), PATIENCE).reply

    tabs = [threading.Thread(target=tab, args=(f"tab {n}",)) for n in range(12)]
    for one in tabs:
        one.start()
    for one in tabs:
        one.join()
    assert got == {f"tab {n}": f"you wrote: tab {n}" for n in range(12)}
    assert [logged.number for logged in desk.turns(thread)] == list(range(1, 13))


def test_a_bug_ends_the_turn_and_not_the_worker(opened: Desks, caplog: pytest.LogCaptureFixture) -> None:
    """The guest gets the honest reply, the log the traceback without their words; the next turn works."""
    desk = opened(threads=1)
    thread = desk.new_thread()
    with caplog.at_level(logging.ERROR):
        answer = desk.wait(thread, desk.send(thread, "bug in my passport X123"), PATIENCE)
    assert (answer.reply, desk.turns(thread)[0].status) == ("sorry: internal", "failed")
    assert "KeyError" in caplog.text
    assert "runners.py" in caplog.text
    assert "X123" not in caplog.text
    assert thread not in caplog.text
    assert desk.wait(thread, desk.send(thread, "hi"), PATIENCE).reply == "you wrote: hi"


class _Unruly(EchoRunner):
    """Returns or raises what no runner should."""

    def run(self, job: Job, progress: Progress) -> Turn:
        """Misbehave as the text says."""
        if job.text == "unstorable":
            fact = Fact(id="f", kind="guide", values={"x": object()})
            return echo(job).model_copy(update={"facts": [fact]})
        if job.text == "nothing":
            return None  # type: ignore[return-value]
        if job.text == "exit":
            raise SystemExit(3)
        return super().run(job, progress)


@pytest.mark.parametrize("text", ["unstorable", "nothing", "exit"])
def test_whatever_the_runner_does_the_turn_ends(opened: Desks, text: str) -> None:
    """A Turn that cannot be stored, none at all, or an exit: an honest reply, and the worker lives."""
    desk = opened(_Unruly(), threads=1)
    thread = desk.new_thread()
    assert desk.wait(thread, desk.send(thread, text), PATIENCE).reply == "sorry: internal"
    assert desk.wait(thread, desk.send(thread, "hi"), PATIENCE).reply == "you wrote: hi"


class _Speechless(EchoRunner):
    """Has a bug in its apology too."""

    def failure(self, job: Job, why: Why) -> Turn:
        """Fail once more."""
        raise ValueError(job.text)


def test_without_an_apology_there_is_a_last_resort(opened: Desks, caplog: pytest.LogCaptureFixture) -> None:
    """The guest is never left without an answer."""
    desk = opened(_Speechless())
    thread = desk.new_thread()
    assert desk.wait(thread, desk.send(thread, "bug X123"), PATIENCE).reply == LAST_RESORT
    assert "ValueError" in caplog.text
    assert "X123" not in caplog.text


ABOUT_NOTHING: dict[str, str] = {}


def test_the_desks_own_errors_keep_their_text_in_the_log() -> None:
    """They promise to carry nobody's words; other exceptions are named by type and place alone."""
    words = "my " + "secret"

    def ask() -> None:
        try:
            ABOUT_NOTHING[words]
        except KeyError as cause:
            raise ModelSlow("no answer in 20 s") from cause

    with pytest.raises(ModelSlow) as raised:
        ask()
    text = without_words(raised.value)
    assert "ModelSlow: no answer in 20 s" in text
    assert "caused by KeyError" in text
    assert "my secret" not in text


def test_a_turn_cut_by_a_crash_is_found_and_run_again(tmp_path: Path, opened: Desks) -> None:
    """The dead worker's lease runs out, the turn is run whole, and the thread's next one follows it."""
    log = open_log(tmp_path)
    thread = log.new_thread()
    for text in ("first", "second"):
        log.add_turn(thread, text, time.time())
    assert TurnQueue(log, "dead").claim(time.time(), 0.3) is not None
    runner = EchoRunner()
    desk = opened(runner)
    assert desk.wait(thread, 2, PATIENCE).reply == "you wrote: second"
    assert [(job.text, job.attempt) for job in runner.jobs] == [("first", 2), ("second", 1)]


def test_a_turn_that_takes_every_worker_down_is_given_up(tmp_path: Path, opened: Desks) -> None:
    """After the first run and two takeovers it is not run again: the guest gets the honest reply."""
    log = open_log(tmp_path)
    thread = log.new_thread()
    log.add_turn(thread, "poison", time.time())
    for attempt in range(ATTEMPTS):
        assert TurnQueue(log, f"dead {attempt}").claim(time.time() + attempt, 0.5) is not None
    runner = EchoRunner()
    desk = opened(runner, wall=lambda: time.time() + ATTEMPTS + 1)
    assert desk.wait(thread, 1, PATIENCE).reply == "sorry: interrupted"
    assert runner.jobs == []
    assert desk.progress(thread, 1).status == "failed"
    assert desk.retry(thread, 1)
    assert desk.wait(thread, 1, PATIENCE).reply == "you wrote: poison"


def test_what_a_desk_finds_after_hours_waits_for_the_guest(tmp_path: Path, opened: Desks) -> None:
    """It is shown as interrupted, does nothing by itself, and is answered when the guest says so."""
    log = open_log(tmp_path)
    thread = log.new_thread()
    log.add_turn(thread, "yes, book it", time.time() - 7200, action="confirm:o1")
    runner = EchoRunner()
    desk = opened(runner)
    assert desk.progress(thread, 1).status == "interrupted"
    with pytest.raises(TimeoutError, match="interrupted"):
        desk.wait(thread, 1)
    assert desk.wait(thread, desk.send(thread, "hello?"), PATIENCE).reply == "you wrote: hello?"
    assert desk.retry(thread, 1)
    assert desk.wait(thread, 1, PATIENCE).reply == "you wrote: yes, book it"
    assert [job.turn for job in runner.jobs] == [2, 1]


def test_a_long_turn_keeps_its_lease(tmp_path: Path, opened: Desks) -> None:
    """A turn that runs for longer than a lease is not taken over while its worker lives."""
    runner, other = EchoRunner(), EchoRunner()
    now = [1_000.0]
    desk = opened(runner, lease=1.0, wall=lambda: now[0])
    thread = desk.new_thread()
    turn = desk.send(thread, "hold on")
    assert runner.began.acquire(timeout=PATIENCE)
    second = opened(other, lease=1.0, wall=lambda: now[0])
    for _ in range(3):
        now[0] += 0.8
        while _lease_until(tmp_path) < now[0] + 1.0:
            time.sleep(0.01)
    runner.go.set()
    assert second.wait(thread, turn, PATIENCE).reply == "you wrote: hold on"
    assert (len(runner.jobs), other.jobs) == (1, [])


def _lease_until(home: Path) -> float:
    with open_log(home).database.read() as connection:
        return float(connection.execute("SELECT lease_until FROM turns").fetchone()[0])


def test_a_runner_that_lost_its_turn_is_told_to_end(tmp_path: Path, opened: Desks) -> None:
    """When another worker has taken the turn over, the late one stops and its result is dropped."""
    runner = EchoRunner()
    desk = opened(runner, threads=1, lease=1.6)
    thread = desk.new_thread()
    turn = desk.send(thread, "hold on")
    runner.began.acquire(timeout=PATIENCE)
    thief = TurnQueue(open_log(tmp_path), "thief")
    claim = thief.claim(time.time() + 3600, 60.0)
    assert claim is not None
    assert claim.attempt == 2
    other = desk.new_thread()
    assert (
        desk.wait(other, desk.send(other, "hi"), PATIENCE).reply == "you wrote: hi"
    )  # the one thread is free
    assert desk.progress(thread, turn).status == "running"
    assert not runner.go.is_set()


# Closing, and folds


def test_closing_waits_for_the_turn_under_way_and_leaves_the_queue(tmp_path: Path, opened: Desks) -> None:
    """What runs is finished, what waits is answered by the next desk on this home."""
    runner = EchoRunner()
    desk = opened(runner, threads=1)
    thread = desk.new_thread()
    desk.send(thread, "hold on")
    desk.send(thread, "later")
    runner.began.acquire(timeout=PATIENCE)
    threading.Timer(0.2, runner.go.set).start()
    assert desk.close(PATIENCE)
    assert [logged.status for logged in open_log(tmp_path).turns(thread)] == ["done", "queued"]
    again = opened()
    assert again.wait(thread, 2, PATIENCE).reply == "you wrote: later"


def test_a_turn_that_does_not_end_in_time_is_free_for_the_next_desk(opened: Desks) -> None:
    """Closing gives it up, so that nobody waits for a lease; the next desk runs it."""
    runner = EchoRunner()
    desk = opened(runner)
    thread = desk.new_thread()
    desk.send(thread, "hold on")
    runner.began.acquire(timeout=PATIENCE)
    assert not desk.close(0.05)
    quick = EchoRunner()
    quick.go.set()
    again = opened(quick)
    assert again.wait(thread, 1, PATIENCE).reply == "you wrote: hold on"
    assert [job.attempt for job in quick.jobs] == [2]


def test_a_fold_runs_after_the_reply_and_nobody_waits_for_it(opened: Desks) -> None:
    """Answers go out while the fold is under way; closing and settling wait for it."""
    runner = EchoRunner()
    runner.hold_folds = True
    desk = opened(runner)
    thread = desk.new_thread()
    for text in ("one", "two", "three"):
        assert desk.wait(thread, desk.send(thread, text), PATIENCE).reply == f"you wrote: {text}"
    assert runner.folded == []
    assert not desk.settle(thread, 0.05)
    runner.go.set()
    assert desk.settle(thread, PATIENCE)
    assert set(runner.folded) == {thread}
    assert 1 <= len(runner.folded) <= 3
    desk.wait(thread, desk.send(thread, "four"), PATIENCE)
    assert desk.close(PATIENCE)
    assert 2 <= len(runner.folded) <= 4


def test_only_answered_turns_are_folded(opened: Desks) -> None:
    """A turn that failed has put nothing into the conversation."""
    runner = EchoRunner()
    desk = opened(runner)
    thread = desk.new_thread()
    desk.wait(thread, desk.send(thread, "bug"), PATIENCE)
    assert desk.settle(thread, PATIENCE)
    assert desk.close(PATIENCE)
    assert runner.folded == []


def test_folds_of_one_thread_never_overlap_and_a_failed_one_is_forgotten(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One fold at a time per thread, several threads side by side, and a failure stops none of them."""
    under_way: Counter[str] = Counter()
    most: Counter[str] = Counter()
    guard = threading.Lock()
    words = "my " + "secret"

    def fold(thread: str) -> None:
        with guard:
            under_way[thread] += 1
            most[thread] = max(most[thread], under_way[thread])
        time.sleep(0.01)
        with guard:
            under_way[thread] -= 1
        if thread == "bad":
            raise KeyError(thread + words)

    folding = Folding(fold, threads=3)
    for _ in range(5):
        for thread in ("a", "b", "bad"):
            folding.due(thread)
        time.sleep(0.005)
    assert folding.close(PATIENCE)
    assert most == {"a": 1, "b": 1, "bad": 1}
    assert "a fold failed: KeyError" in caplog.text
    assert "my secret" not in caplog.text


# Several processes on one home


def _server(home: Path, notes: Path, lease: float, *sends: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.runners", str(home), str(notes), str(lease), *sends],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def _tell(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    process.stdout.close()


def test_two_processes_on_one_home_lose_and_double_nothing(tmp_path: Path) -> None:
    """Twenty turns sent by both at once over five threads: each is run once, in order, and answered."""
    home, notes = tmp_path / "home", tmp_path / "notes"
    log = open_log(home)
    threads = [log.new_thread() for _ in range(5)]
    sends = [[f"{thread}=slow {side}{n}" for n in range(2) for thread in threads] for side in "ab"]
    servers = [_server(home, notes, 60.0, *each) for each in sends]
    for server in servers:
        _tell(server)
    watcher = open_desk(home, serve=False)
    for server in servers:
        assert server.stdout is not None
        assert server.stdout.readline() == "sent\n"
    for thread in threads:
        answers = [watcher.wait(thread, turn, PATIENCE) for turn in (1, 2, 3, 4)]
        assert all(answer.reply == f"you wrote: {answer.text}" for answer in answers)
        texts = [answer.text for answer in answers]
        assert sorted(texts) == ["slow a0", "slow a1", "slow b0", "slow b1"]
        assert texts.index("slow a0") < texts.index("slow a1")
    runs = [line.split() for line in notes.read_text(encoding="utf-8").splitlines()]
    assert len(runs) == 20
    assert {attempt for _, _, attempt in runs} == {"1"}
    for thread in threads:
        assert [turn for of, turn, _ in runs if of == thread] == ["1", "2", "3", "4"]
    watcher.close(PATIENCE)
    for server in servers:
        _end(server)


def test_a_killed_process_loses_no_turn(tmp_path: Path) -> None:
    """Killed in mid-turn, with a second message waiting: another process answers both."""
    home, notes = tmp_path / "home", tmp_path / "notes"
    thread = open_log(home).new_thread()
    server = _server(home, notes, 1.0, f"{thread}=hold on", f"{thread}=and then?")
    _tell(server)
    assert server.stdout is not None
    assert server.stdout.readline() == "sent\n"
    while not notes.exists():
        time.sleep(0.01)
    os.kill(server.pid, signal.SIGKILL)
    server.wait(PATIENCE)
    server.stdout.close()
    assert server.stdin is not None
    server.stdin.close()
    runner = EchoRunner()
    runner.go.set()
    desk = open_desk(home, runner)
    assert desk.turns(thread)[0].status == "running"
    assert desk.progress(thread, 1).steps == ()
    assert desk.wait(thread, 2, PATIENCE).reply == "you wrote: and then?"
    assert _replies(desk, thread) == ["you wrote: hold on", "you wrote: and then?"]
    assert [job.attempt for job in runner.jobs] == [2, 1]


def test_a_turn_of_another_process_can_be_followed_and_stopped(opened: Desks) -> None:
    """Its status is known here, and a stop reaches it there."""
    runner = EchoRunner()
    opened(runner)
    other = opened(serve=False)
    thread = other.new_thread()
    turn = other.send(thread, "hold on")
    runner.began.acquire(timeout=PATIENCE)
    seen = other.progress(thread, turn)
    assert (seen.status, seen.steps, seen.turn) == ("running", (), None)
    other.stop(thread, turn)
    assert other.wait(thread, turn, PATIENCE).reply == "sorry: stopped"
    assert other.progress(thread, turn).status == "stopped"
