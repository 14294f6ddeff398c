"""The desk's own time a turn beside the same graph with empty nodes, and what a turn uses and stores.

The rehearsal model answers, so what is measured is the desk: no network, no provider. Every message of the
desk is followed by one of the empty graph, so that whatever else the machine does meets both alike.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from desk.bootstrap import desk_over, open_parts
from desk.context import Parts
from desk.flow import build_flow
from desk.service import Desk
from desk.settings import Settings, read_settings
from desk.stores.checkpoints import open_checkpoints
from desk.turn import NodeTime, Turn
from tests.bench.conversations import TODAY, Say, messages, one_round
from tests.bench.empty_flow import empty_flow, run_empty
from tests.bench.report import Line, Measured, aimed, milliseconds, spread
from tests.bench.storage import stored_bytes

RATIO = 3.0  # the desk's own work may cost twice what the graph's machinery costs, on top of it
WARM_UP = one_round()  # messages before the clock counts: the first of a kind and language compiles patterns
WAIT = 120.0


@dataclass(frozen=True)
class Spent:
    """What something took: seconds on the clock and of the processors, all threads together."""

    seconds: float
    processor: float


@dataclass
class Sample:
    """One message: the desk's Turn, what it took from sending to answer, and the empty graph beside it."""

    turn: Turn
    desk: Spent
    empty: Spent


@dataclass
class Talk:
    """Sends the bench's messages to a desk, each conversation on a thread of its own."""

    desk: Desk
    threads: dict[int, str] = field(default_factory=dict)

    def thread(self, say: Say) -> str:
        """The thread of this message's conversation, made when it begins."""
        if say.conversation not in self.threads:
            thread = self.desk.new_thread()
            if say.guest:
                self.desk.bind_guest(thread, say.guest)
            self.threads[say.conversation] = thread
        return self.threads[say.conversation]

    def send(self, say: Say) -> Turn:
        """Send one message and wait for its answer; not for the fold behind it."""
        thread = self.thread(say)
        return self.desk.wait(thread, self.desk.send(thread, say.text), WAIT)

    def settle(self, say: Say) -> None:
        """Wait for what still runs on the thread."""
        self.desk.settle(self.thread(say), WAIT)


def bench_settings(home: Path) -> Settings:
    """A desk of the rehearsal model without the network, whatever the environment says."""
    return read_settings(home=home, today=TODAY, model="rehearsal", tavily_api_key=None, openai_base_url=None)


@contextmanager
def bench_desk(home: Path) -> Iterator[tuple[Desk, Parts]]:
    """An open desk on which nothing has been said yet."""
    parts = bench_parts(home)
    with closing(desk_over(parts)) as desk:
        yield desk, parts


def bench_parts(home: Path) -> Parts:
    """The parts of a desk, its language models loaded, so that no turn waits for them."""
    parts = open_parts(bench_settings(home))
    parts.detector.load()
    return parts


def measure(count: int) -> Measured:
    """`count` messages of all kinds, measured."""
    with tempfile.TemporaryDirectory(prefix="desk-bench-") as folder:
        home, beside = Path(folder, "desk"), Path(folder, "empty")
        parts = bench_parts(home)
        with closing(desk_over(parts)):
            pass
        before = stored_bytes(home)
        with closing(desk_over(parts)) as desk:
            samples = _samples(desk, parts, beside, count)
        after = stored_bytes(home)
    turns = len(samples) + WARM_UP
    return _found(samples, {kind: round((after[kind] - before[kind]) / turns) for kind in after})


def _samples(desk: Desk, parts: Parts, beside: Path, count: int) -> list[Sample]:
    branches = [branch.id for branch in parts.pack.branches]
    talk, samples = Talk(desk), []
    with closing(open_checkpoints(beside)) as checkpoints:
        graph = empty_flow(build_flow(parts), branches, checkpoints.saver)
        for say in messages(WARM_UP + count):
            thread = talk.thread(say)
            turn, own = timed(partial(talk.send, say))
            talk.settle(say)
            _, empty = timed(partial(run_empty, graph, checkpoints, branches, thread, say.text))
            samples.append(Sample(turn, own, empty))
    return samples[WARM_UP:]


def timed(work: Callable[[], Any]) -> tuple[Any, Spent]:
    """What `work` returned, and what it took."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, Spent(time.perf_counter() - clock, time.process_time() - processor)


def _found(samples: Sequence[Sample], stored: dict[str, int]) -> Measured:
    hotels = [sample for sample in samples if "merge" in {node.name for node in sample.turn.nodes}]
    data = {
        "turns": len(samples),
        "desk_seconds": spread([s.desk.seconds for s in samples]),
        "graph_seconds": spread([s.turn.seconds for s in samples]),
        "empty_seconds": spread([s.empty.seconds for s in samples]),
        "ratio": _ratio(samples, "seconds"),
        "ratio_hotels": _ratio(hotels, "seconds"),
        "ratio_processor": _ratio(samples, "processor"),
        "nodes": by_node([sample.turn for sample in samples]),
        "outside_nodes_seconds": statistics.fmean(outside_nodes(s.turn) for s in samples),
        "calls": statistics.fmean(s.turn.model.calls for s in samples),
        "input_tokens": statistics.fmean(s.turn.model.input_tokens for s in samples),
        "output_tokens": statistics.fmean(s.turn.model.output_tokens for s in samples),
        "stored_bytes": sum(stored.values()),
        "stored_by_kind": stored,
        "problems": sum(s.turn.problem is not None for s in samples),
    }
    return Measured(
        f"A turn of the desk itself ({len(samples)} turns, rehearsal model, SQLite)", _lines(data), data
    )


def _ratio(samples: Sequence[Sample], what: Literal["seconds", "processor"]) -> float | None:
    if not samples:
        return None
    desk: float = statistics.median(getattr(sample.desk, what) for sample in samples)
    empty: float = statistics.median(getattr(sample.empty, what) for sample in samples)
    return round(desk / empty, 2)


def by_node(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """Each node: how often it ran, its median, and its share of a mean turn; the dearest first.

    Branches run side by side and share the processors, so shares may add up to more than one.
    """
    runs: dict[str, list[float]] = defaultdict(list)
    for turn in turns:
        for node in turn.nodes:
            runs[node.name].append(node.seconds)
    whole = sum(turn.seconds for turn in turns) or 1.0
    rows = [
        {
            "name": name,
            "runs": len(seconds),
            "median": round(statistics.median(seconds), 5),
            "per_turn": round(sum(seconds) / len(turns), 5),
            "share": round(sum(seconds) / whole, 3),
        }
        for name, seconds in runs.items()
    ]
    return sorted(rows, key=lambda row: -row["per_turn"])


def outside_nodes(turn: Turn) -> float:
    """Seconds of the turn in which no node ran: the graph's own machinery, checkpoints, the turn's record."""
    covered, end = 0.0, 0.0
    for node in sorted(turn.nodes, key=_start):
        covered += max(0.0, node.start + node.seconds - max(end, node.start))
        end = max(end, node.start + node.seconds)
    return max(0.0, turn.seconds - covered)


def _start(node: NodeTime) -> float:
    return node.start


def _lines(data: dict[str, Any]) -> list[Line]:
    desk, graph, empty = data["desk_seconds"], data["graph_seconds"], data["empty_seconds"]
    lines = [
        Line("from sending to the answer, median", milliseconds(desk["median"])),
        Line("from sending to the answer, p95", milliseconds(desk["p95"])),
        Line("of that in the graph, median", milliseconds(graph["median"])),
        Line("the same graph with empty nodes, median", milliseconds(empty["median"])),
        Line("the same graph with empty nodes, p95", milliseconds(empty["p95"])),
        aimed("desk / empty graph", data["ratio"], RATIO),
        Line("desk / empty graph, processor time", f"{data['ratio_processor']:.2f}"),
    ]
    if data["ratio_hotels"] is not None:
        lines.append(Line("desk / empty graph, turns that ask the hotels", f"{data['ratio_hotels']:.2f}"))
    lines += [
        Line(
            f"node {row['name']}: runs, median, share of the time",
            f"{row['runs']} × {milliseconds(row['median'])} {row['share']:4.0%}",
        )
        for row in data["nodes"]
    ]
    return [
        *lines,
        Line("outside all nodes, a turn", milliseconds(data["outside_nodes_seconds"])),
        Line("model calls a turn", f"{data['calls']:.1f}"),
        Line("tokens in / out a turn", f"{data['input_tokens']:.0f} / {data['output_tokens']:.0f}"),
        Line("bytes stored a turn, by the files' growth", f"{data['stored_bytes']}"),
        *(Line(f"of that {kind}", f"{size}") for kind, size in data["stored_by_kind"].items()),
        Line("turns that ended in a problem", f"{data['problems']}"),
    ]
