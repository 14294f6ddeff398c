"""pass^k: how likely a case passes k times out of k, estimated without bias from n trials of it.

With c of n trials passed, the share of all choices of k trials that hold nothing but passes: C(c, k) / C(n, k),
averaged over the cases. The formula is that of tau-bench (Yao, Shinn, Razavi, Narasimhan 2024, arXiv:2406.12045,
section 3, "pass^k"). It falls with k unless every case always passes or always fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb


def pass_hat(passed: int, trials: int, k: int) -> float:
    """pass^k of one case that passed `passed` of `trials`. Raises ValueError for a k without so many trials."""
    if not 0 <= passed <= trials or not 1 <= k <= trials:
        raise ValueError(f"no pass^{k} of {passed} passes in {trials} trials")
    return comb(passed, k) / comb(trials, k)


def mean_pass_hat(cases: Sequence[tuple[int, int]], k: int) -> float:
    """pass^k over cases, each (passed, trials); 1.0 when there are none."""
    return sum(pass_hat(passed, trials, k) for passed, trials in cases) / len(cases) if cases else 1.0
