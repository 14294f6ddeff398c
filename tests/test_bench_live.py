"""The bench's desks on a stub model: right answers from every desk, and figures that add up. No time is asserted."""

from __future__ import annotations

import pytest

from desk.context import Parts
from tests.bench import branches, folds
from tests.conftest import Opened


def test_desks_of_several_sizes_are_compared(shared: Parts) -> None:
    """Each size answers rightly in both languages, and a third hotel costs one more call."""
    found = branches.measure({3: 9.0}, repeats=1, latency=0.0, detector=shared.detector).to_json()
    for language in branches.ASKS:
        few, more = found[language][branches.FEW], found[language][3]
        assert more["calls"] == few["calls"] + 1
        assert more["input_tokens"] > few["input_tokens"]
        assert more["ratio"] == pytest.approx(more["seconds"] / few["seconds"], abs=0.001)
        assert few["chain"] >= 3  # coordinator, hotels, merger
    assert f"English, 3 hotels / {branches.FEW}" in found["aims"]


def test_turns_with_and_without_a_fold_are_compared(shared: Parts) -> None:
    """The turn meant to fold does, the other does not, and both comparisons are reported with their aims."""
    found = folds.measure(repeats=1, latency=0.0, late=12, detector=shared.detector).to_json()
    assert set(found["seconds"]) == {"plain", "folded", "meanwhile"}
    assert found["prompt_tokens"].keys() == {"10", "12"}
    assert [aim["aim"] for aim in found["aims"].values()] == ["≤ 1.05", "≤ 1.05", "≤ 1.2"]


def test_a_late_turn_reads_no_more_than_an_early_one(desk: Opened) -> None:
    """The same question as turn 100 of a conversation takes hardly more prompt tokens than as turn 10."""
    early, late = folds.tokens(desk.desk, [folds.EARLY, folds.LATE])
    assert late <= folds.GROWTH * early
