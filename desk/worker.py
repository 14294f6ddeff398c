"""The desk's own workers: turns belong to the desk and not to the page, so they run here.

One thread claims queued turns from the turn log; each turn runs on a thread of its own through a Runner, which is
the graph. One more thread, the pulse, renews leases and looks for what other processes queued or asked to stop.
"""

# ruff: noqa: TRY400 - logging.exception would print messages that may quote a guest

from __future__ import annotations

import logging
import os
import queue
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from desk.errors import StorageError, TurnStopped
from desk.folding import Folding
from desk.logs import without_words
from desk.progress import LiveTurn, Progress
from desk.stores.turnlog import TurnLog
from desk.stores.turnqueue import Claim, Key, Outcome, TurnQueue, outcome
from desk.turn import Turn

logger = logging.getLogger(__name__)

Why = Literal["internal", "interrupted", "stopped"]

ATTEMPTS = 3  # the first run and two takeovers; a turn that takes three workers down is not tried on a fourth
POLL_SECONDS = 0.5  # how soon another process's turn is seen
LEASE_SECONDS = 15.0  # how long a crashed worker's turn waits; a busy machine must not lose its own
ABANDONED_SECONDS = 900.0  # a quarter of an hour without a worker: the guest is asked before it is answered
LAST_RESORT = "Sorry, something went wrong on our side. Please try again, or ask at the reception."


@dataclass(frozen=True)
class Job:
    """A turn to run. `language` is the guest's choice by hand, `guest` "REF:SURNAME" as bound and unchecked,
    `action` "confirm:OFFER_ID" or "decline:OFFER_ID" from a page's button; `attempt` counts from 1."""

    thread: str
    turn: int
    text: str
    locale: str | None
    language: str | None
    guest: str | None
    action: str | None
    attempt: int


class Runner(Protocol):
    """What answers a guest message: the graph, or a stand-in."""

    def run(self, job: Job, progress: Progress) -> Turn:
        """Answer the message. Raises TurnStopped when `progress.stopped()` made it end early.

        A Turn with a `problem` left the message unanswered: it has failed, and may be retried.
        Any other exception is a bug: it is logged, and the guest gets `failure(job, "internal")`.
        """

    def fold(self, thread: str) -> None:
        """Prepare the next fold of the thread. Called after the reply has gone out; nobody waits for it."""

    def failure(self, job: Job, why: Why) -> Turn:
        """The honest reply of a turn that was stopped, or could not be answered. Code only, and quick."""


class Worker:
    """Runs queued turns, at most `threads` at once, one turn at a time a thread of conversation, in order.

    `wall` tells the machine's time in seconds, for leases. Nothing runs before `start`.
    """

    def __init__(
        self,
        log: TurnLog,
        runner: Runner,
        *,
        wall: Callable[[], float] = time.time,
        threads: int = 8,
        lease: float = LEASE_SECONDS,
    ) -> None:
        self._runner = runner
        self._wall = wall
        self._lease = lease
        self._queue = TurnQueue(log, f"{os.getpid()}-{secrets.token_hex(8)}")
        self._folding = Folding(runner.fold)
        self._changed = threading.Condition()
        self._wakes = 0
        self._closing = False
        self._live: dict[Key, LiveTurn] = {}
        self._over = threading.Event()
        self._most, self._busy = threads, 0
        self._claims: queue.SimpleQueue[tuple[Claim, LiveTurn] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []  # made as they are needed, and kept
        # One thread looks for turns: many would all wake for each of them, and stand in each other's way.
        self._claimer = threading.Thread(target=self._serve, name="desk-claims", daemon=True)
        self._pulse = threading.Thread(target=self._beat, name="desk-pulse", daemon=True)

    # What the desk asks for

    def start(self) -> None:
        """Begin to serve. What a crash left behind is taken over; what was left long ago is set aside."""
        self._queue.set_aside(self._wall() - ABANDONED_SECONDS)
        for thread in (self._claimer, self._pulse):
            thread.start()

    def wake(self) -> None:
        """Something was queued."""
        with self._changed:
            self._wakes += 1
            self._changed.notify_all()

    def live(self, thread: str, turn: int) -> LiveTurn | None:
        """The turn's progress, when it runs in this process."""
        with self._changed:
            return self._live.get((thread, turn))

    def stop(self, job: Job) -> None:
        """Stop a turn, wherever it waits or runs."""
        self._queue.ask_to_stop(job.thread, job.turn, self._failure(job, "stopped"))
        live = self.live(job.thread, job.turn)
        if live is not None:
            live.stop()
        self.wake()

    def retry(self, thread: str, turn: int) -> bool:
        """Queue an interrupted or failed turn again; False when it is neither."""
        queued = self._queue.retry(thread, turn, self._wall())
        self.wake()
        return queued

    def changes(self) -> int:
        """A number that grows whenever a turn of this process was queued or has ended."""
        with self._changed:
            return self._wakes

    def wait_for_change(self, seen: int, seconds: float) -> None:
        """Return when `changes()` is no longer `seen`, at the latest after `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: self._wakes != seen, seconds)

    def settle(self, thread: str, timeout: float | None = None) -> bool:
        """Wait until nothing runs on the thread in this process, folds included. False when time ran out."""
        limit = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            idle = self._changed.wait_for(lambda: not any(key[0] == thread for key in self._live), timeout)
        return idle and self._folding.settle(thread, None if limit is None else limit - time.monotonic())

    def close(self, timeout: float) -> bool:
        """Take no more turns; wait for those and the folds under way. What is queued stays queued.

        False when `timeout` seconds were not enough: then the turns still running are told to end, and are
        free at once for another process to take over.
        """
        limit = time.monotonic() + timeout
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._claimer.is_alive():
            self._claimer.join(max(0.0, limit - time.monotonic()))
        for _ in self._threads:
            self._claims.put(None)
        for thread in self._threads:
            thread.join(max(0.0, limit - time.monotonic()))
        with self._changed:
            left = dict(self._live)
        for live in left.values():
            live.abandon()
        folded = self._folding.close(max(0.0, limit - time.monotonic()))
        self._over.set()
        if self._pulse.is_alive():
            self._pulse.join(1.0)
        if left:
            self._queue.release(left.keys())
        return folded and not left

    # The thread that claims turns, and those that run them

    def _serve(self) -> None:
        while True:
            with self._changed:
                if self._closing:
                    return
                seen, room = self._wakes, self._busy < self._most
            try:
                claim = self._queue.claim(self._wall(), self._lease) if room else None
                if claim is not None and self._begin(claim):
                    continue
            except StorageError as error:
                logger.error("the turn log does not work: %s", error)
            except Exception as error:  # a worker that ends silently would leave a desk that never answers
                logger.error("a worker failed: %s", without_words(error))
            with self._changed:
                if self._wakes == seen and not self._closing:
                    self._changed.wait()

    def _begin(self, claim: Claim) -> bool:
        """Hand the turn to a thread; there is one for each turn that is under way. False when there is none."""
        live = LiveTurn()
        try:
            self._make_room()
        except RuntimeError:  # the turn waits, and the pulse has it tried again
            logger.error("no thread can be started; turn record %d waits", claim.id)
            self._queue.give_back(claim)
            return False
        with self._changed:
            self._live[claim.key] = live
            self._busy += 1
        self._claims.put((claim, live))
        return True

    def _make_room(self) -> None:
        """Start one more thread if all are at work. Raises RuntimeError when there is none to be had."""
        with self._changed:
            if self._busy < len(self._threads):
                return
        name = f"desk-turns-{len(self._threads)}"
        thread = threading.Thread(target=self._take_turns, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _take_turns(self) -> None:
        while (taken := self._claims.get()) is not None:
            try:
                self._answer(*taken)
            except StorageError as error:
                logger.error("the turn log does not work: %s", error)
            except Exception as error:  # a thread that ends silently would leave turns that nobody answers
                logger.error("a worker failed: %s", without_words(error))

    def _answer(self, claim: Claim, live: LiveTurn) -> None:
        try:
            ending = self._run(claim, live)
            if ending is None:
                logger.warning("turn record %d is left to another worker", claim.id)
            elif not self._queue.finish(claim, ending):
                logger.warning("turn record %d was taken over or deleted; this result is dropped", claim.id)
            elif ending.status == "done":
                self._folding.due(claim.thread)
        finally:
            with self._changed:
                if self._live.get(claim.key) is live:  # a lapsed turn may have been claimed anew meanwhile
                    del self._live[claim.key]
                self._busy -= 1
                self._wakes += 1
                self._changed.notify_all()

    def _run(self, claim: Claim, live: LiveTurn) -> Outcome | None:
        job = _job(claim)
        if claim.stop:
            return outcome("stopped", self._failure(job, "stopped"))
        if claim.attempt > ATTEMPTS:
            logger.error("turn record %d was cut off %d times; it is given up", claim.id, ATTEMPTS)
            return outcome("failed", self._failure(job, "interrupted"))
        try:
            turn = self._runner.run(job, live)
            return outcome("failed" if turn.problem else "done", turn)
        except TurnStopped:
            if live.abandoned:
                return None
            return outcome("stopped", self._failure(job, "stopped"))
        except BaseException as error:  # a bug in the graph must not take the worker with it
            logger.error("turn record %d failed: %s", claim.id, without_words(error))
            return outcome("failed", self._failure(job, "internal"))

    def _failure(self, job: Job, why: Why) -> Turn:
        try:
            return self._runner.failure(job, why)
        except Exception as error:  # the guest still gets an answer
            logger.error("no failure reply could be made: %s", without_words(error))
            return Turn(
                thread=job.thread, turn=job.turn, text=job.text, problem=why,
                reply=LAST_RESORT, reply_english=LAST_RESORT,
            )  # fmt: skip

    # The pulse

    def _beat(self) -> None:
        renewed = time.monotonic()
        while not self._over.wait(POLL_SECONDS):
            try:
                if self._queue.waiting(self._wall()):
                    self.wake()
                with self._changed:
                    running = dict(self._live)
                if not running:
                    continue
                for key in self._queue.stops() & running.keys():
                    running[key].stop()
                if time.monotonic() - renewed > self._lease / 4:
                    renewed = time.monotonic()
                    for key in self._queue.renew(running.keys(), self._wall(), self._lease):
                        running[key].abandon()
            except StorageError as error:
                logger.error("the turn log does not work: %s", error)


def _job(claim: Claim) -> Job:
    return Job(
        thread=claim.thread,
        turn=claim.turn,
        text=claim.text,
        locale=claim.locale,
        language=claim.language,
        guest=claim.guest,
        action=claim.action,
        attempt=claim.attempt,
    )
