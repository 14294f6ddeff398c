"""The given conversations, one by one, each on a desk of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk.context import Parts
from tests.eval.cases import Case, read_cases, run_case
from tests.eval.suites import LANGUAGES

GIVEN = read_cases(Path(__file__).parent / "cases" / "guests.jsonl", LANGUAGES)


@pytest.mark.parametrize("case", GIVEN, ids=lambda case: case["id"])
def test_a_given_conversation_comes_out_as_expected(case: Case, shared: Parts) -> None:
    """Every turn of the conversation is answered as the case says, and states nothing that is not so."""
    result = run_case(case, shared)
    said = "\n".join(f"{turn['text']}\n→ {turn['reply']}" for turn in result.turns)
    assert not result.wrong, f"{result.wrong}\n{said}"
