"""What `make eval` makes of played cases: its tables, its JSON line, the transcripts of what failed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.eval.cases import Result
from tests.eval.grading import grade
from tests.eval.public import SCORERS, Scores, score_public
from tests.eval.report import as_json, failures, kinds_table, public_table, transcripts
from tests.eval.suites import LANGUAGES, SUITES, Outcome

TURN: dict[str, Any] = {
    "text": "Is there a pool?",
    "language": "en",
    "english": "Is there a pool?",
    "route": "hotels",
    "routes": ["hotels"],
    "handoffs": [],
    "sentiment": {"label": "neutral", "polarity": 0.0, "tone": "calm", "deescalate": False},
    "facts": [],
    "requests": [],
    "offer": None,
    "booking": None,
    "reply": "Harbour House has no pool.",
    "problem": None,
}


def played(number: int, language: str, wrong: list[str]) -> Result:
    """A case of one turn that was played."""
    turns = [{"say": "Is there a pool?", "expect": {"route": "hotels"}}]
    case = {"id": f"pool-{number}", "kind": "guide", "language": language, "turns": turns}
    return Result(case, wrong, [TURN])


OUTCOME = Outcome(
    "own cases", [played(1, "en", []), played(2, "en", ["turn 1: route: odd"]), played(3, "de", [])]
)


def test_a_table_counts_kinds_by_language() -> None:
    """A line for each kind with passed / total for each language, and the sum with its share."""
    lines = [line.split() for line in kinds_table(OUTCOME).splitlines()]
    assert lines[2] == ["guide", "1", "/", "2", "1", "/", "1"]
    assert lines[3] == ["all", "1", "/", "2", "=", "50.0%", "1", "/", "1", "=", "100.0%"]


def test_failing_cases_are_listed_and_written_out(tmp_path: Path) -> None:
    """What was wrong is one line each; the conversation stands in a file."""
    assert list(failures(OUTCOME)) == ["pool-2: turn 1: route: odd"]
    assert transcripts([OUTCOME], tmp_path / "out") == 1
    text = (tmp_path / "out" / "own_cases.txt").read_text(encoding="utf-8")
    assert "guest   Is there a pool?" in text
    assert "desk    Harbour House has no pool." in text
    assert "WRONG   turn 1: route: odd" in text


def test_the_json_line_has_counts_and_no_public_texts() -> None:
    """Of the public sets only numbers are kept, never their sentences."""
    scores = Scores({"dates": {"rate": 0.5, "missed": ["a guest's sentence"]}}, ["mood: not there"])
    found = as_json([OUTCOME], scores, 1.23)
    assert found["suites"]["own cases"]["kinds"] == {"guide": {"en": (1, 2), "de": (1, 1)}}
    assert found["failing"] == [{"suite": "own cases", "id": "pool-2", "wrong": ["turn 1: route: odd"]}]
    assert found["public"] == {"dates": {"rate": 0.5}}
    assert "not scored: mood: not there" in public_table(scores)


def test_public_sets_that_are_not_there_are_named(tmp_path: Path) -> None:
    """Without a folder, or with an empty one, every set is named as not scored."""
    assert len(score_public(None).not_given) == len(score_public(tmp_path).not_given) == len(SCORERS)


def test_every_own_case_has_its_own_id_and_kind() -> None:
    """Ids are unique, kinds are given, and there is a good number of them for each language."""
    for code, least in zip(LANGUAGES, (170, 115), strict=True):
        cases = SUITES[0].cases({code}, set())
        assert len({case["id"] for case in cases}) == len(cases) >= least
        assert all(case["kind"] for case in cases)


def test_grading_sees_what_is_wrong(tmp_path: Path) -> None:
    """A wrong route, a missing text, an unknown guide entry and a line that stands twice are all named."""
    twice = {**TURN, "reply": "All right.\nAll right."}
    expect = {"route": "web", "contains": ["pool"], "guide": ["pool"], "urgent": True}
    found = [line.partition(":")[0] for line in grade(expect, [twice], tmp_path, "en")]
    assert found == ["route", "contains", "guide", "urgent", "said twice"]
