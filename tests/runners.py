"""Stand-ins for the graph, and a small program that serves a DESK_HOME in a process of its own."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from desk.clock import Clock
from desk.errors import TurnStopped
from desk.progress import Progress
from desk.service import About, Desk
from desk.stores.turnlog import TurnLog, open_turnlog
from desk.turn import Turn
from desk.worker import Job, Runner, Why

CLOCK = Clock(ZoneInfo("Europe/Lisbon"))
ABOUT = About(True, "rehearsal", ("Harbour House", "Garden Court"), (("en", "English"), ("de", "Deutsch")))
PATIENCE = 20.0  # seconds that a test waits for what should take milliseconds


class EchoRunner(Runner):
    """Answers "you wrote: …"; some texts make it misbehave. Keeps the jobs and folds it was given."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.folded: list[str] = []
        self.go = threading.Event()  # what "hold" and folds of a held runner wait for
        self.began = threading.Semaphore(0)
        self.hold_folds = False

    def run(self, job: Job, progress: Progress) -> Turn:
        """Echo, after whatever the text asks for."""
        self.jobs.append(job)
        progress.node("echo", "started")
        self.began.release()
        if job.text.startswith("hold"):
            self._hold(progress)
        if job.text.startswith("bug"):
            raise KeyError(job.text)
        if job.text.startswith("slow"):
            time.sleep(0.02)
        progress.text("you wrote: ")
        progress.text(job.text)
        progress.node("echo", "ended", 0.01)
        return echo(job)

    def _hold(self, progress: Progress) -> None:
        while not self.go.wait(0.01):
            if progress.stopped():
                raise TurnStopped

    def fold(self, thread: str) -> None:
        """Note the thread."""
        if self.hold_folds:
            self.began.release()
            self.go.wait(PATIENCE)
        self.folded.append(thread)

    def failure(self, job: Job, why: Why) -> Turn:
        """Say why."""
        return Turn(thread=job.thread, turn=job.turn, text=job.text, reply=f"sorry: {why}", problem=why)


def echo(job: Job) -> Turn:
    """What EchoRunner answers."""
    return Turn(
        thread=job.thread, turn=job.turn, text=job.text, reply=f"you wrote: {job.text}", language="en"
    )


def open_log(home: Path) -> TurnLog:
    """The turn log of this home."""
    return open_turnlog(home, CLOCK)


def open_desk(home: Path, runner: Runner | None = None, **options: Any) -> Desk:
    """A desk on this home that echoes."""
    return Desk(open_log(home), runner or EchoRunner(), ABOUT, **options)


class Desks:
    """Opens desks on one home, and closes them all in the end, whatever their runners wait for."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._opened: list[tuple[Desk, Runner]] = []

    def __call__(self, runner: Runner | None = None, **options: Any) -> Desk:
        """Open one more."""
        runner = runner or EchoRunner()
        desk = open_desk(self.home, runner, **options)
        self._opened.append((desk, runner))
        return desk

    def close(self) -> None:
        """Close them."""
        for desk, runner in self._opened:
            if isinstance(runner, EchoRunner):
                runner.go.set()
            desk.close(PATIENCE)


class _Noting(EchoRunner):
    """Also writes each run down, one line a run, in a file that several processes share."""

    def __init__(self, notes: Path) -> None:
        super().__init__()
        self.notes = notes

    def run(self, job: Job, progress: Progress) -> Turn:
        """Note the run, then echo."""
        with self.notes.open("a", encoding="utf-8") as notes:
            notes.write(f"{job.thread} {job.turn} {job.attempt}\n")
        return super().run(job, progress)


def main(home: Path, notes: Path, lease: float, sends: list[str]) -> None:
    """Serve until standard input ends; `sends` are "THREAD=TEXT" messages that this process sends itself."""
    desk = open_desk(home, _Noting(notes), threads=4, lease=lease)
    print("ready", flush=True)
    sys.stdin.readline()
    for message in sends:
        thread, text = message.split("=", 1)
        desk.send(thread, text)
    print("sent", flush=True)
    sys.stdin.read()
    desk.close(10.0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:])
