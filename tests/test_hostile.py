"""The hostile model in the ordinary suite: some hundred turns of it, and proof that the judge sees a hole.

`make hostile` plays a thousand. A failure is repeated with the seed that it prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.context import Parts
from tests.hostile.breakage import BROKEN, FAULTS
from tests.hostile.judge import FIGURES
from tests.hostile.lies import LIES
from tests.hostile.mutations import Mutation, caught_by, mutations, play
from tests.hostile.patterns import PATTERN_KINDS
from tests.hostile.run import UNUSABLE, Opened, Run, opened

TURNS = 180


@pytest.fixture(scope="module")
def hostile_desk(tmp_path_factory: pytest.TempPathFactory, shared: Parts) -> Iterator[Opened]:
    """A desk over the hostile model."""
    with opened(tmp_path_factory.mktemp("hostile"), shared.detector) as desk:
        yield desk


def test_nothing_wrong_reaches_a_guest(tmp_path: Path, shared: Parts) -> None:
    """Lies, broken answers and faults over every route in three languages: every figure is zero."""
    kinds = [
        kind for kind in (*LIES, *PATTERN_KINDS, *BROKEN, *FAULTS) if kind.name != "fault: hang"
    ]  # those take long
    with opened(tmp_path, shared.detector) as desk:
        report = Run(desk, 11, kinds, probe=0.25).play(TURNS)
    wrong = [f"{f.seed} {f.kind}: {f.finding.figure}: {f.finding.what}\n  {f.reply}" for f in report.failures]
    assert not wrong, "\n".join(wrong[:10])
    assert {name: report.figures[name] for name in (*FIGURES, UNUSABLE)} == dict.fromkeys(
        (*FIGURES, UNUSABLE), 0
    )
    assert report.hostile_calls > TURNS  # it was hostile
    assert report.bookings > 0  # and true offers and confirmations happened
    assert report.retries > 0
    assert report.french > 0  # and French was spoken by patterns that were translated


def test_a_hang_ends_within_the_budget(hostile_desk: Opened) -> None:
    """A model that does not answer costs the turn its seconds and no more."""
    hang = next(kind for kind in FAULTS if kind.name == "fault: hang")
    run = Run(hostile_desk, 5, [hang], truthful=0.0)
    run.conversation(0, ["talk"])
    assert run.report.clean, run.report.failures
    assert run.report.apologies > 0


@pytest.mark.parametrize("mutation", mutations(), ids=lambda mutation: mutation.rule)
def test_each_rule_switched_off_is_seen(hostile_desk: Opened, mutation: Mutation) -> None:
    """Without this rule something wrong gets through, and the judge says so."""
    assert caught_by(play(hostile_desk, mutation, 1), mutation)
