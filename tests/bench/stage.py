"""A desk and its rivals, opened on one pack before one stub of a model, and what a question costs each of them."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from desk.bootstrap import Replacements, desk_over, open_parts
from desk.context import Parts
from desk.language import Detector
from desk.service import Desk
from desk.settings import Settings, read_settings
from tests.bench.agents.brains import agents, playing
from tests.bench.agents.common import run
from tests.bench.agents.series import series_supervisor
from tests.bench.agents.single import single_agent
from tests.bench.answers import Question, Stated, stated_in, stated_in_turn, truth
from tests.bench.conversations import TODAY
from tests.wire.http_stub import Answer, after, serving
from tests.wire.ledger import Called, Ledger, longest_chain

DESK, SERIES, SERIAL, PARALLEL = "desk", "series", "serial", "parallel"  # the last two are a single agent
DESIGNS = (DESK, SERIES, SERIAL, PARALLEL)
TERSE = "terse series"  # beside them: a supervisor without the desk's texts
WAIT = 300.0

Ask = Callable[[str], frozenset[Stated]]


@dataclass(frozen=True)
class Cost:
    """What one question cost: seconds, calls, how many of them one behind the other, tokens, and those that were
    written along that chain. `right` is whether the answer is what the databases say."""

    right: bool
    seconds: float
    calls: int
    chain: int
    input_tokens: int
    output_tokens: int
    written: int

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.input_tokens + self.output_tokens


@dataclass
class Stage:
    """The designs by name, each a function that answers a guest, and the account of the stub behind them all."""

    parts: Parts
    designs: Mapping[str, Ask]
    ledger: Ledger
    play: Answer

    def latency(self, seconds: float) -> None:
        """From now on every call takes this long."""
        self.ledger.answer = after(seconds, self.play)

    def ask(self, design: str, question: Question) -> Cost:
        """Ask one design once."""
        self.ledger.take()
        said, seconds = _timed(self.designs[design], question.text)
        return _cost(said == truth(self.parts, question), seconds, self.ledger.take())

    def at_once(self, design: str, question: Question, guests: int) -> tuple[float, list[float], bool]:
        """So many guests ask at the same moment, each on a thread of their own. Seconds until the last has an
        answer, the seconds of each, and whether all answers are right."""
        expected, begun = truth(self.parts, question), time.perf_counter()
        with ThreadPoolExecutor(guests) as pool:
            done = list(pool.map(partial(_timed, self.designs[design]), [question.text] * guests))
        whole = time.perf_counter() - begun
        return whole, [seconds for _, seconds in done], all(said == expected for said, _ in done)


@contextmanager
def staged(pack: Path | None = None, detector: Detector | None = None) -> Iterator[Stage]:
    """The desk and its rivals over this pack (the desk's own if None), every model call to one stub."""
    with tempfile.TemporaryDirectory(prefix="desk-bench-") as folder, serving(_nobody) as stub:
        settings = _settings(Path(folder), f"{stub.url}/v1", pack)
        parts = open_parts(settings, Replacements(changed={"detector": detector} if detector else None))
        parts.detector.load()
        play = playing(parts)
        stub.answer = ledger = Ledger(play, agents(parts))
        with closing(desk_over(parts)) as desk:
            yield Stage(parts, _designs(parts, desk), ledger, play)


def _designs(parts: Parts, desk: Desk) -> dict[str, Ask]:
    rivals = {
        SERIES: series_supervisor(parts),
        TERSE: series_supervisor(parts, terse=True),
        SERIAL: single_agent(parts, parallel=False),
        PARALLEL: single_agent(parts, parallel=True),
    }

    def ask_desk(text: str) -> frozenset[Stated]:
        thread = desk.new_thread()
        return stated_in_turn(parts, desk.wait(thread, desk.send(thread, text), WAIT))

    def asking(name: str) -> Ask:
        return lambda text: stated_in(run(rivals[name], parts, text))

    return {DESK: ask_desk, **{name: asking(name) for name in rivals}}


def _settings(home: Path, url: str, pack: Path | None) -> Settings:
    given = {"pack": pack} if pack else {}
    return read_settings(
        home=home, today=TODAY, model="stub", openai_base_url=url, tavily_api_key=None, **given
    )


def _nobody(body: object) -> tuple[int, dict[str, str]]:
    return 503, {}


def _timed(ask: Ask, text: str) -> tuple[frozenset[Stated], float]:
    begun = time.perf_counter()
    said = ask(text)
    return said, time.perf_counter() - begun


def _cost(right: bool, seconds: float, calls: Sequence[Called]) -> Cost:
    return Cost(
        right,
        seconds,
        len(calls),
        longest_chain(calls),
        sum(call.prompt_tokens for call in calls),
        sum(call.answer_tokens for call in calls),
        written_in_a_row(calls),
    )


def written_in_a_row(calls: Sequence[Called]) -> int:
    """The most tokens that were written one call behind the other: what a model's speed of writing counts for."""
    so_far: list[tuple[float, int]] = []  # when a call had ended, and the most written by then
    for call in sorted(calls, key=lambda call: call.end):
        before = max((written for end, written in so_far if end <= call.start), default=0)
        so_far.append((call.end, before + call.answer_tokens))
    return max((written for _, written in so_far), default=0)
