"""How far a turn has come: what its runner reports while it runs, and what a page may ask about it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from desk.stores.turnlog import Status
from desk.turn import Turn

StepState = Literal["started", "ended"]

STEPS = 400  # kept of one turn: 50 branches of a few rounds each
TEXT = 20_000  # characters kept of a streamed reply


class Progress(Protocol):
    """What a runner tells about the turn under way, from any thread."""

    def node(self, name: str, state: StepState, seconds: float | None = None) -> None:
        """A node of the graph has started, or ended after `seconds`."""

    def text(self, piece: str) -> None:
        """The next piece of the reply as the guest will read it."""

    def stopped(self) -> bool:
        """Whether the turn should end now: the guest stopped it, or it is no longer this worker's."""


@dataclass(frozen=True)
class Step:
    """One run of one node; `seconds` is None while it runs."""

    name: str
    state: StepState
    seconds: float | None = None


@dataclass(frozen=True)
class TurnProgress:
    """How far a turn has come. `text` is the reply so far; `turn` is there once the turn has ended.

    Of a turn that another process runs, only the status is known until it has ended.
    """

    status: Status
    steps: tuple[Step, ...] = ()
    text: str = ""
    turn: Turn | None = None


class LiveTurn:
    """The Progress of one running turn. Readers get consistent copies."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.abandoned = False
        self._steps: list[Step] = []
        self._text = ""

    def node(self, name: str, state: StepState, seconds: float | None = None) -> None:
        """See Progress. An end belongs to the newest start of that name that has none."""
        with self._lock:
            if state == "ended":
                for place in reversed(range(len(self._steps))):
                    step = self._steps[place]
                    if step.name == name and step.state == "started":
                        self._steps[place] = replace(step, state="ended", seconds=seconds)
                        return
            if len(self._steps) < STEPS:
                self._steps.append(Step(name, state, seconds))

    def text(self, piece: str) -> None:
        """See Progress."""
        with self._lock:
            self._text = (self._text + piece)[:TEXT]

    def stopped(self) -> bool:
        """See Progress."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ask the runner to end the turn, because the guest wants it."""
        self._stop.set()

    def abandon(self) -> None:
        """Ask the runner to end the turn, which another worker will run or already runs."""
        self.abandoned = True
        self._stop.set()

    def seen(self, status: Status) -> TurnProgress:
        """A copy of how far the turn has come."""
        with self._lock:
            return TurnProgress(status, tuple(self._steps), self._text)


def ended(status: Status, turn: Turn) -> TurnProgress:
    """The progress of a turn that has ended, from its log."""
    steps = tuple(Step(node.name, "ended", node.seconds) for node in turn.nodes)
    return TurnProgress(status, steps, turn.reply, turn)
