"""A stub model of a fixed latency, and desks that are live on it.

The stub runs in a process of its own: what it takes to make up its answers does not count as the desk's work.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx

from desk.bootstrap import DATA, Replacements, desk_over, open_parts
from desk.context import Parts
from desk.language import Detector
from desk.languages import Language, load_languages
from desk.pack import Pack, load_pack
from desk.procedures import Procedures, load_procedures
from desk.service import Desk
from desk.settings import read_settings
from tests.bench.conversations import TODAY
from tests.wire.http_stub import Answer, Reply, after, serving
from tests.wire.ledger import Called, Ledger
from tests.wire.openai_stub import rehearsed, roles

LATENCY = 0.5  # seconds that every call takes, as a fast live model does
MODEL = "stub"
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class StubModel:
    """The stub as the bench talks to it."""

    url: str

    def set_latency(self, seconds: float) -> None:
        """How long every call takes from now on."""
        httpx.post(self.url, json={"latency": seconds}).raise_for_status()

    def take(self) -> list[Called]:
        """The calls since this was asked last, in the order in which they came."""
        taken = httpx.post(self.url, json={"take": True}).raise_for_status()
        return [Called(**row) for row in taken.json()]


@contextmanager
def stub_model(pack: Path) -> Iterator[StubModel]:
    """The stub in its own process, for desks whose hotels are all in this pack."""
    command = [sys.executable, "-m", "tests.bench.stubbed", str(pack)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        if not url:
            raise RuntimeError("the stub model did not start")
        yield StubModel(url)
        assert process.stdin is not None
        process.stdin.close()  # that ends it


@contextmanager
def live_desk(
    home: Path, pack: Path, stub: StubModel, detector: Detector | None
) -> Iterator[tuple[Desk, Parts]]:
    """A desk of this pack on the stub, with the desk's own budgets. `detector`: one that is loaded already."""
    settings = read_settings(
        home=home,
        pack=pack,
        today=TODAY,
        model=MODEL,
        openai_base_url=f"{stub.url}/v1",
        openai_api_key=None,
        tavily_api_key=None,
    )
    parts = open_parts(settings, Replacements(changed={"detector": detector} if detector else None))
    parts.detector.load()
    with closing(desk_over(parts)) as desk:
        yield desk, parts


@dataclass(frozen=True)
class _Known:
    """What the stub knows of the desks: no more than it takes to play their models."""

    pack: Pack
    languages: Mapping[str, Language]
    procedures: Procedures


class _Paced:
    """An answer whose latency can be changed."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.seconds = LATENCY

    def __call__(self, body: dict[str, Any]) -> Reply:
        return after(self.seconds, self.answer)(body)


def _serve(folder: Path) -> None:
    """Serve until standard input is closed; the address is the first line of output."""
    pack = load_pack(folder)
    known = _Known(pack, load_languages(DATA, pack.folder), load_procedures(DATA / "procedures"))
    paced = _Paced(rehearsed(known))
    ledger = Ledger(paced, roles(known))

    def answer(body: dict[str, Any]) -> Reply:
        if "take" in body:
            return 200, [asdict(call) for call in ledger.take()]
        if "latency" in body:
            paced.seconds = body["latency"]
            return 200, {}
        return ledger(body)

    with serving(answer) as stub:
        print(stub.url, flush=True)
        sys.stdin.read()


def main(arguments: Sequence[str]) -> None:
    """Serve the stub for the pack in this folder."""
    _serve(Path(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
