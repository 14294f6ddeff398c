"""What a long conversation costs its guest, over a stub model: a turn that folds beside one that does not, and the
tokens of a late turn beside those of an early one.

A fold's model call is made by the desk's worker after the reply has gone out, so a turn that folds should take as
long as any other. A guest who writes while the summary is still being made should not wait for it either.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from desk.language import Detector
from desk.service import Desk
from desk.settings import ROOT
from desk.turn import Turn
from tests.bench.branches import say
from tests.bench.conversations import messages
from tests.bench.report import Line, Measured, aimed
from tests.bench.stubbed import LATENCY, StubModel, live_desk, stub_model
from tests.bench.turns import WAIT, timed

PACK = ROOT / "data" / "hotels"
ASK = "Is a Deluxe room free from 1 to 3 February, for two?"
BEFORE = ("When is breakfast?", "Is a Superior room free from 5 to 7 March?", "Can I bring my dog?")
REPEATS = 9
FOLDED = 1.05  # times what a turn takes that does not fold
EARLY, LATE = 10, 100
GROWTH = 1.2  # times the tokens of the early turn


def measure(
    repeats: int = REPEATS, latency: float = LATENCY, late: int = LATE, detector: Detector | None = None
) -> Measured:
    """Both comparisons on one desk."""
    with (
        tempfile.TemporaryDirectory(prefix="desk-bench-") as folder,
        stub_model(PACK) as stub,
        live_desk(Path(folder), PACK, stub, detector) as (desk, _),
    ):
        stub.set_latency(0.0)
        first, last = tokens(desk, [EARLY, late])
        kinds: dict[str, Callable[[Desk, StubModel, float], float]] = {
            "plain": _plain,
            "folded": _folded,
            "meanwhile": _meanwhile,
        }
        seconds: dict[str, list[float]] = {name: [] for name in kinds}
        for _ in range(repeats):
            for name, kind in kinds.items():
                seconds[name].append(kind(desk, stub, latency))
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    return _found(medians, first, last, latency, (EARLY, late))


def tokens(desk: Desk, numbers: Sequence[int], ask: str = ASK) -> list[int]:
    """The prompt tokens of the same question as these turns of one conversation; what lies between is all kinds."""
    thread = desk.new_thread()
    others = (each.text for each in messages(10 * max(numbers)) if each.guest is None)
    found: list[int] = []
    for number in range(1, max(numbers) + 1):
        turn = say(desk, thread, ask if number in numbers else next(others))
        desk.settle(thread, WAIT)
        if number in numbers:
            found.append(turn.model.input_tokens)
    return found


def _plain(desk: Desk, stub: StubModel, latency: float) -> float:
    """The third turn: not long enough a conversation to be folded."""
    return _asked(desk, stub, _begun(desk, stub, BEFORE[:2]), latency, folds=False)


def _folded(desk: Desk, stub: StubModel, latency: float) -> float:
    """The fourth turn, whose fold was prepared after the third."""
    return _asked(desk, stub, _begun(desk, stub, BEFORE), latency, folds=True)


def _meanwhile(desk: Desk, stub: StubModel, latency: float) -> float:
    """The fourth turn, sent at once, while the summary is still being made."""
    thread = _begun(desk, stub, BEFORE[:2])
    stub.set_latency(latency)
    say(desk, thread, BEFORE[2])
    return _asked(desk, stub, thread, latency, folds=None)


def _begun(desk: Desk, stub: StubModel, texts: Sequence[str]) -> str:
    """A conversation of these messages, had quickly."""
    stub.set_latency(0.0)
    thread = desk.new_thread()
    for text in texts:
        say(desk, thread, text)
        desk.settle(thread, WAIT)
    return thread


def _asked(desk: Desk, stub: StubModel, thread: str, latency: float, *, folds: bool | None) -> float:
    stub.set_latency(latency)
    turn: Turn
    turn, spent = timed(partial(say, desk, thread, ASK))
    if turn.problem or folds not in (None, bool(turn.folded)):
        raise RuntimeError(
            f"a turn that was to {'fold' if folds else 'stay unfolded'} did not: {turn.problem}"
        )
    desk.settle(thread, WAIT)
    return spent.seconds


def _found(
    medians: dict[str, float], first: int, last: int, latency: float, turns: tuple[int, int]
) -> Measured:
    folded, meanwhile = (medians[name] / medians["plain"] for name in ("folded", "meanwhile"))
    lines = [
        Line("a turn that does not fold, median", f"{medians['plain']:.2f} s"),
        aimed("a turn that folds / one that does not", folded, FOLDED),
        aimed("a turn sent while the fold is prepared / one that is not", meanwhile, FOLDED),
        Line(f"prompt tokens of turn {turns[0]} → {turns[1]}, same question", f"{first} → {last}"),
        aimed(f"prompt tokens, turn {turns[1]} / {turns[0]}", last / first, GROWTH),
    ]
    data = {
        "latency_seconds": latency,
        "seconds": {name: round(value, 4) for name, value in medians.items()},
        "folded_ratio": round(folded, 3),
        "meanwhile_ratio": round(meanwhile, 3),
        "prompt_tokens": {str(turns[0]): first, str(turns[1]): last},
        "tokens_ratio": round(last / first, 3),
    }
    return Measured(f"Folding, every model call taking {latency:g} s", lines, data)
