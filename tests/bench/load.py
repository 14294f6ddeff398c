"""Many guests at once on one desk: is every message answered once, in order, on its own thread, and how soon.

Each guest is a thread of this process that sends, waits for the answer, thinks and goes on, as people do. Now and
then a guest sends two messages at once, or one of them twice with the same key. In the end the files are read.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from desk.errors import DeskError
from desk.service import Desk
from desk.turn import Turn
from tests.bench.load_guests import Message, conversation
from tests.bench.load_judge import Sent, Verdict, judge, read
from tests.bench.report import Line, Measured, aimed, milliseconds, spread
from tests.bench.turns import bench_desk

GUESTS = 50
SHORT = (
    2 / 3,
    (2.0, 3.0),
)  # minutes, and seconds between an answer and the next message: ten times the usual load
PATIENCE = 60.0  # seconds until an answer is given up


@dataclass(frozen=True)
class Plan:
    """So many guests, each for `seconds` or for so many groups of messages, thinking so long in between."""

    guests: int
    think: tuple[float, float] = (0.0, 0.0)
    seconds: float = float("inf")
    groups: int | None = None


@dataclass
class Played:
    """What a load came to: the messages sent, in order for each guest, the time it took on the clock and of the
    processors, what became of the messages, and how many turns had to be run again."""

    sent: list[Sent]
    seconds: float
    processor: float
    verdict: Verdict
    run_again: int

    def figures(self) -> dict[str, float | int]:
        """Throughput, waiting, the processor's share (1: one core in full), and what came to grief."""
        waits = [one.seconds for one in self.sent if one.answer is not None]
        return {
            "turns": len(self.sent),
            "seconds": round(self.seconds, 1),
            "turns_per_minute": round(60 * len(waits) / self.seconds, 1),
            **spread(waits or [PATIENCE]),
            "longest": round(max(waits, default=PATIENCE), 4),
            "processor": round(self.processor / self.seconds, 3),
            "lost": len(self.verdict.lost),
            "doubled": len(self.verdict.doubled),
            "mixed": len(self.verdict.mixed),
            "disordered": len(self.verdict.disordered),
            "problems": sum(one.answer is not None and one.answer.problem is not None for one in self.sent),
            "run_again": self.run_again,
        }


@dataclass
class Guest:
    """One guest at the desk, on a thread of the conversation's own."""

    desk: Desk
    number: int
    plan: Plan
    thread: str = ""
    sent: list[Sent] = field(default_factory=list)
    last: Turn | None = None

    def talk(self, begun: float) -> None:
        """Say all there is to say, until the plan's time is over."""
        self.thread = self.desk.new_thread()
        chance = random.Random(self.number)
        time.sleep(chance.uniform(0.0, self.plan.think[1]))  # not all at the same moment
        for group in islice(conversation(self.number), self.plan.groups):
            if time.monotonic() - begun >= self.plan.seconds:
                return
            self._say(group)
            time.sleep(chance.uniform(*self.plan.think))

    def _say(self, group: Sequence[Message]) -> None:
        """Send all messages of the group, then wait for their answers."""
        sent = [(message, time.perf_counter(), self._send(message)) for message in group]
        for message, at, numbers in sent:
            answer = self._answer(numbers)
            self.sent.append(Sent(message, self.thread, numbers, time.perf_counter() - at, answer))
            self.last = answer or self.last

    def _send(self, message: Message) -> list[int]:
        offer = self.last.offer if self.last and message.confirms else None
        action = f"confirm:{offer.id}" if offer else None
        clicks = 2 if message.twice else 1

        def click(_: int) -> int:
            return self.desk.send(self.thread, message.text, action=action, key=message.mark)

        try:
            if clicks == 1:
                return [click(0)]
            with ThreadPoolExecutor(clicks) as fingers:
                return list(fingers.map(click, range(clicks)))
        except DeskError:
            return []

    def _answer(self, numbers: Sequence[int]) -> Turn | None:
        try:
            return self.desk.wait(self.thread, numbers[0], PATIENCE) if numbers else None
        except (DeskError, TimeoutError):
            return None


def play(plan: Plan) -> Played:
    """Have the guests at a desk of their own."""
    with tempfile.TemporaryDirectory(prefix="desk-bench-") as folder, bench_desk(Path(folder)) as (desk, _):
        return play_on(desk, Path(folder), plan)


def play_on(desk: Desk, home: Path, plan: Plan) -> Played:
    """Have the guests at this desk, then read what it has stored of them in `home`."""
    guests = [Guest(desk, number, plan) for number in range(plan.guests)]
    seconds, processor = _talk(guests)
    for guest in guests:
        desk.settle(guest.thread, PATIENCE)
    kept = read(home)
    sent = [one for guest in guests for one in guest.sent]
    again = sum(row.attempt > 1 for thread in kept.values() for row in thread.turns)
    return Played(sent, seconds, processor, judge(sent, kept), again)


def _talk(guests: Sequence[Guest]) -> tuple[float, float]:
    clock, processor = time.monotonic(), time.process_time()
    threads = [threading.Thread(target=guest.talk, args=(clock,), daemon=True) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.monotonic() - clock, time.process_time() - processor


def measure(options: argparse.Namespace) -> Measured:
    """The load that was asked for; without `--minutes` and `--think` a short one at ten times the usual pace."""
    minutes, think = options.minutes or SHORT[0], options.think or SHORT[1]
    plan = Plan(options.guests, think, 60 * minutes)
    played = play(plan)
    title = f"{plan.guests} guests at once for {minutes:.3g} minutes, thinking {think[0]:g} to {think[1]:g} s (SQLite)"
    return found(title, played, plan)


def found(title: str, played: Played, plan: Plan) -> Measured:
    """The load's figures. Of messages that came to grief the marks are named."""
    data = played.figures()
    lines = [
        Line("turns answered", f"{data['turns']}"),
        Line("a minute", f"{data['turns_per_minute']:.0f}"),
        Line("from sending to the answer, median", milliseconds(data["median"])),
        Line("from sending to the answer, p95", milliseconds(data["p95"])),
        Line("from sending to the answer, longest", milliseconds(data["longest"])),
        Line("processor, desk and guests, of one core", f"{data['processor']:.0%}"),
        Line("turns run again after a lost lease", f"{data['run_again']}"),
        Line("turns that ended in a problem", f"{data['problems']}"),
    ]
    for what in ("lost", "doubled", "mixed", "disordered"):
        marks = sorted(getattr(played.verdict, what))
        lines.append(aimed(f"turns {what}", len(marks), 0, "", 0))
        lines += [Line(f"  {mark}", "") for mark in marks[:5]]
    if plan.think == SHORT[1]:
        lines.append(Line("(ten times the pace of people; LOAD=full: 5 minutes, thinking 20 to 30 s)", ""))
    return Measured(title, lines, {"guests": plan.guests, "think": list(plan.think), **data})
