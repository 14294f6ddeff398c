"""The desk's own conversations, as `make eval` plays them, language by language."""

from __future__ import annotations

import pytest

from desk.context import Parts
from tests.eval.cases import run_cases
from tests.eval.idle import idle_results
from tests.eval.report import failures
from tests.eval.suites import LANGUAGES, SUITES, Outcome

ENOUGH = 0.95  # they are many and varied, and not all can be right


@pytest.mark.timeout(600)  # hundreds of turns
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_desks_own_cases_come_out_as_expected(language: str, shared: Parts) -> None:
    """At least 95 % of a language's own cases pass; those that fail are printed."""
    outcome = Outcome(language, list(run_cases(SUITES[0].cases({language}, set()), shared)))
    print("\n".join(failures(outcome)))
    assert outcome.results
    assert outcome.rate() >= ENOUGH


def test_doing_nothing_passes_none_of_them(shared: Parts) -> None:
    """Each case expects something that a desk does not get by thanking for the message."""
    results = idle_results(SUITES[0].cases(set(), set()), shared)
    assert [result.case["id"] for result in results if not result.wrong] == []
