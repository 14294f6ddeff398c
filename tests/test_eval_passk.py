"""pass^k: the formula, against its definition by counting, and against what it must do at its ends."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.eval.passk import mean_pass_hat, pass_hat


@pytest.mark.parametrize("trials", range(1, 8))
def test_it_is_the_share_of_choices_that_all_pass(trials: int) -> None:
    """For every number of passes and every k, the formula is what counting all choices of k trials gives."""
    for passed in range(trials + 1):
        came_out = [True] * passed + [False] * (trials - passed)
        for k in range(1, trials + 1):
            choices = list(combinations(came_out, k))
            assert pass_hat(passed, trials, k) == pytest.approx(sum(map(all, choices)) / len(choices))


def test_its_ends() -> None:
    """One of one is the plain share; more tries than passes give 0; all of them 1 only when all passed."""
    assert pass_hat(3, 4, 1) == 0.75
    assert pass_hat(3, 4, 2) == 0.5  # 3 of the 6 pairs; three quarters squared would be too much
    assert pass_hat(1, 4, 2) == 0.0
    assert (pass_hat(4, 4, 4), pass_hat(3, 4, 4)) == (1.0, 0.0)


@pytest.mark.parametrize(("passed", "trials", "k"), [(1, 1, 2), (1, 4, 0), (5, 4, 1), (-1, 4, 1), (0, 0, 1)])
def test_what_was_not_tried_has_no_estimate(passed: int, trials: int, k: int) -> None:
    """No pass^k beyond the trials that were made, and none from numbers that cannot be."""
    with pytest.raises(ValueError, match="no pass"):
        pass_hat(passed, trials, k)


def test_over_cases_it_is_the_mean() -> None:
    """One case that always passes, one that passes half of the time, one that never does."""
    cases = [(4, 4), (2, 4), (0, 4)]
    assert mean_pass_hat(cases, 1) == pytest.approx(0.5)
    assert mean_pass_hat(cases, 2) == pytest.approx((1 + 1 / 6 + 0) / 3)
    assert mean_pass_hat(cases, 4) == pytest.approx(1 / 3)
    assert mean_pass_hat([], 4) == 1.0
