"""The trace of one turn: which nodes ran, when, and for how long, from LangGraph's own task events."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from desk.progress import Progress
from desk.turn import NodeTime


@dataclass
class Trace:
    """Collects task events. `progress` hears of each start and end as it happens."""

    progress: Progress
    started: float = field(default_factory=time.perf_counter)
    nodes: list[NodeTime] = field(default_factory=list)
    _open: dict[str, float] = field(default_factory=dict)

    def event(self, task: dict[str, Any]) -> None:
        """One event of stream mode `tasks`: a start has `triggers`, an end has `result` or `error`."""
        name, now = task["name"], time.perf_counter() - self.started
        if "triggers" in task:
            self._open[task["id"]] = now
            self.progress.node(name, "started")
            return
        began = self._open.pop(task["id"], now)
        self.nodes.append(NodeTime(name=name, start=round(began, 4), seconds=round(now - began, 4)))
        self.progress.node(name, "ended", now - began)

    def seconds(self) -> float:
        """Seconds since the turn's start."""
        return round(time.perf_counter() - self.started, 4)

    def follow(self, stream: Iterator[tuple[str, Any]]) -> dict[str, Any]:
        """Take in a run's events; returns the last state."""
        state: dict[str, Any] = {}
        for mode, payload in stream:
            if mode == "tasks":
                self.event(payload)
            else:
                state = payload
        self.nodes.sort(key=lambda node: node.start)
        return state
