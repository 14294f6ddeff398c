"""What more hotels cost a turn: two, ten and fifty side by side, over a stub model of a fixed latency.

One question, in English and in German, on a conversation of its own each time. The desks take turns, so that
whatever else the machine does meets all of them alike.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from desk.language import Detector
from desk.service import Desk
from desk.turn import Turn
from tests.bench.report import Line, Measured, aimed
from tests.bench.stubbed import LATENCY, StubModel, live_desk, stub_model
from tests.bench.turns import WAIT, Spent, timed
from tests.flow.support import make_pack
from tests.wire.ledger import longest_chain

FEW = 2
MOST = {10: 1.15, 50: 1.6}  # times what two hotels take
ASKS = {
    "English": "Is a Deluxe room free from 1 to 3 February, for two?",
    "German": "Ist vom 1. bis 3. Februar ein Deluxe-Zimmer für zwei Personen frei?",
}
CHAIN = {"English": 3, "German": 5}  # model calls one after the other; at most one more each would still do
REPEATS = 7


@dataclass(frozen=True)
class Sample:
    """One turn: how many hotels were asked, in which language, what it took, and its calls in a row."""

    hotels: int
    language: str
    turn: Turn
    spent: Spent
    chain: int


def measure(
    hotels: Mapping[int, float] = MOST,
    repeats: int = REPEATS,
    latency: float = LATENCY,
    detector: Detector | None = None,
) -> Measured:
    """Turns of desks with `FEW` hotels and with these numbers of them, compared."""
    with tempfile.TemporaryDirectory(prefix="desk-bench-") as folder, ExitStack() as open_until:
        stub, desks = open_until.enter_context(_desks(Path(folder), [FEW, *hotels], detector))
        stub.set_latency(latency)
        samples = [
            _ask(desks[number], stub, number, language)
            for repeat in range(repeats + 1)  # the first warms up: patterns, tool schemas, connections
            for language in ASKS
            for number in desks
        ][len(ASKS) * len(desks) :]
    return _found(samples, hotels, latency)


@contextmanager
def _desks(
    folder: Path, numbers: Sequence[int], detector: Detector | None
) -> Iterator[tuple[StubModel, dict[int, Desk]]]:
    packs = {number: make_pack(folder / f"pack{number}", number) for number in numbers}
    with ExitStack() as open_until:
        stub = open_until.enter_context(stub_model(packs[max(numbers)]))
        desks: dict[int, Desk] = {}
        for number, pack in packs.items():
            desk, parts = open_until.enter_context(live_desk(folder / f"home{number}", pack, stub, detector))
            desks[number], detector = desk, parts.detector
        yield stub, desks


def _ask(desk: Desk, stub: StubModel, hotels: int, language: str) -> Sample:
    thread = desk.new_thread()
    stub.take()
    turn, spent = timed(partial(say, desk, thread, ASKS[language]))
    if turn.problem or len(turn.facts) != hotels:
        raise RuntimeError(f"{hotels} hotels, {language}: the turn went wrong: {turn.problem}")
    return Sample(hotels, language, turn, spent, longest_chain(stub.take()))


def say(desk: Desk, thread: str, text: str) -> Turn:
    """Send one message and wait for its answer; not for the fold behind it."""
    return desk.wait(thread, desk.send(thread, text), WAIT)


def _found(samples: Sequence[Sample], hotels: Mapping[int, float], latency: float) -> Measured:
    lines: list[Line] = []
    data: dict[str, Any] = {
        "latency_seconds": latency,
        "repeats": len(samples) // len(ASKS) // (len(hotels) + 1),
    }
    for language in ASKS:
        found = {number: _of(samples, number, language) for number in (FEW, *hotels)}
        lines += [
            Line(f"{language}, {number} hotels, median", f"{row['seconds']:.2f} s")
            for number, row in found.items()
        ]
        lines += [
            Line(f"{language}, {number} hotels, processor time", f"{row['processor']:.2f} s")
            for number, row in found.items()
        ]
        for number, limit in hotels.items():
            found[number]["ratio"] = round(found[number]["seconds"] / found[FEW]["seconds"], 3)
            lines.append(aimed(f"{language}, {number} hotels / {FEW}", found[number]["ratio"], limit))
        chain = max(row["chain"] for row in found.values())
        lines.append(aimed(f"{language}, model calls one after the other", chain, CHAIN[language], digits=0))
        data[language] = found
    return Measured(f"More hotels, every model call taking {latency:g} s", lines, data)


def _of(samples: Sequence[Sample], hotels: int, language: str) -> dict[str, Any]:
    own = [sample for sample in samples if (sample.hotels, sample.language) == (hotels, language)]
    return {
        "seconds": round(statistics.median(sample.spent.seconds for sample in own), 4),
        "processor": round(statistics.median(sample.spent.processor for sample in own), 4),
        # What depends on one another stands in a row every time; on a busy machine hotels may, by chance.
        "chain": min(sample.chain for sample in own),
        "calls": own[-1].turn.model.calls,
        "input_tokens": own[-1].turn.model.input_tokens,
    }
