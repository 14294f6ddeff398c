"""What `make eval` makes of played cases: its tables, its JSON line, the transcripts of what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from desk.context import Parts
from desk.models.rehearsal.model import ROLES
from tests.conftest import TODAY, ScriptedModels
from tests.eval.cases import Result, run_cases
from tests.eval.claims import Seen
from tests.eval.grading import grade
from tests.eval.idle import idle_results
from tests.eval.public import SCORERS, Scores, score_public
from tests.eval.report import Played, as_json, count_tables, failures, pass_tables, public_table, transcripts
from tests.eval.stored import Record, Stored
from tests.eval.suites import LANGUAGES, SUITES, Outcome, Plan, kind_of
from tests.eval.tables import (
    ROUTES,
    confusion,
    dates_table,
    facts_table,
    handoffs_table,
    languages_table,
    mood_table,
)
from tests.eval.truth import Verdict
from tests.flow.support import handoff, routes

TURN: dict[str, Any] = {
    "text": "Is there a pool?",
    "language": "en",
    "english": "Is there a pool?",
    "route": "hotels",
    "routes": ["hotels"],
    "handoffs": [{"destination": "hotels", "task": "guide", "accepted": True, "refused_because": None}],
    "nodes": [{"name": "mapper"}],
    "sentiment": {"label": "neutral", "polarity": 0.0, "tone": "calm", "deescalate": False},
    "facts": [],
    "requests": [],
    "offer": None,
    "booking": None,
    "reply": "Harbour House has no pool.",
    "folded": 0,
    "summary": "",
    "model": {
        "name": "none",
        "calls": 2,
        "input_tokens": 30,
        "output_tokens": 4,
        "cost": 0.5,
        "currency": "USD",
    },
    "problem": None,
}


def played(number: int, language: str, wrong: list[str], trial: int = 1, **turn: Any) -> Result:
    """A trial of a case of one turn that was played."""
    turns = [{"say": "Is there a pool?", "expect": {"route": "hotels", "deescalate": False}}]
    case = {"id": f"pool-{number}", "kind": "guide", "language": language, "turns": turns}
    return Result(case, wrong, [{**TURN, "language": language, **turn}], trial=trial)


WRONG = "turn 1: route: 'web' instead of 'hotels'"
OUTCOME = Outcome(
    "own cases",
    [
        *(played(1, "en", [], trial) for trial in (1, 2)),
        played(2, "en", []),
        played(2, "en", [WRONG], trial=2, route="web"),
        *(played(3, "de", [], trial) for trial in (1, 2)),
    ],
)
IDLE = {"pool-1": played(1, "en", []), "pool-2": played(2, "en", ["x"]), "pool-3": played(3, "de", ["x"])}
ALL = Played([OUTCOME], IDLE)


def test_a_table_has_a_line_for_each_kind_and_a_column_for_each_k() -> None:
    """Per language and kind: cases, pass^1 and pass^2 over two trials, and what a desk that does nothing passes."""
    english, german = [block.splitlines() for block in pass_tables(ALL).split("\n\n")]
    assert english[0].split("  ")[0] == "own cases, en"
    assert english[2].split() == ["guide", "2", "75.0%", "50.0%", "1", "/", "2", "=", "50.0%"]
    assert english[3].split()[:2] == ["all", "2"]
    assert german[3].split() == ["all", "1", "100.0%", "100.0%", "0", "/", "1", "=", "0.0%"]


def test_the_confusion_adds_up() -> None:
    """Every turn of the language that expects a route is in one field, the wrong one in that of what was taken."""
    found = confusion(OUTCOME.results, "en")
    assert found.total() == 4
    assert (found["hotels", "hotels"], found["hotels", "web"]) == (3, 1)
    assert {taken for _, taken in found} <= set(ROUTES)
    assert "route, en: 3 / 4 = 75.0% (2 cases)" in count_tables(ALL)


def test_facts_are_counted_by_what_the_databases_say() -> None:
    """True, false and not stored add up to what was stated; an expectation that failed counts as not met."""
    result = played(1, "en", ["turn 1: guide: nothing"])
    result.case["turns"][0]["expect"]["guide"] = ["pool"]  # type: ignore[index]
    result.verdicts = [[Verdict("guide"), Verdict("guide", why="x"), Verdict("web_result", checked=False)]]
    lines = [line.split() for line in facts_table([result]).splitlines()]
    assert ["guide", "2", "1", "1", "0"] in lines
    assert ["all", "3", "1", "1", "1"] in lines
    assert "1 / 1 = 100.0%" in facts_table([result]).splitlines()[-1]


def test_de_escalation_has_its_recall_and_its_precision() -> None:
    """Of three that want it two are calmed, and one that does not want it: recall 2 of 3, precision 2 of 3."""
    calms = {"sentiment": {**TURN["sentiment"], "deescalate": True}}
    results = [played(n, "en", [], **more) for n, more in enumerate([calms, calms, {}, calms, {}])]
    for result, wanted in zip(results, [True, True, True, False, False], strict=True):
        result.case["turns"][0]["expect"]["deescalate"] = wanted  # type: ignore[index]
    assert mood_table(results, ["en"]).splitlines()[-1].count("2 / 3 = 66.7%") == 2


def test_languages_and_dates_have_their_lines() -> None:
    """Each language with what it was taken for; stays and impossible dates with what was understood."""
    results = [played(1, "de", []), played(2, "de", []), played(3, "en", ["turn 1: stay: other days"])]
    results[1].turns[0] = {**results[1].turns[0], "language": "nl"}
    for result in results:
        result.case["turns"][0]["expect"]["stay"] = ["2026-12-01", "2026-12-02"]  # type: ignore[index]
    german, english = [line.split("  ") for line in languages_table(results).splitlines()[2:]]
    assert german[0] == "de"
    assert "1 / 2 = 50.0%" in [cell.strip() for cell in german]
    assert german[-1].strip() == "1 as nl"
    assert english[-1].strip() == "1 / 1 = 100.0%"
    lines = dates_table(results, ["en", "de"]).splitlines()[2:]
    cells = [[cell.strip() for cell in line.split("  ") if cell] for line in lines]
    assert cells == [["en", "0 / 1 = 0.0%", "-"], ["de", "2 / 2 = 100.0%", "-"]]


def test_refused_handoffs_stand_with_their_reason() -> None:
    """Accepted ones, refused ones by reason, and the trials whose wanted handoffs were all accepted."""
    refused = {"destination": "hotels", "accepted": False, "refused_because": "no"}
    results = [played(1, "en", []), played(2, "en", [], handoffs=[refused])]
    lines = [line.split("  ") for line in handoffs_table(results, ["en"]).splitlines()]
    cells = {line[0]: line[-1].strip() for line in lines}
    assert cells["accepted"] == cells["refused: no"] == "1"
    assert cells["trials with all wanted handoffs accepted"] == "1 / 2 = 50.0%"


def test_failing_trials_are_listed_and_written_to_one_file(tmp_path: Path) -> None:
    """What was wrong is one line each, with how often; the conversation stands in the one file, with its trial."""
    assert list(failures(OUTCOME)) == [f"pool-2: {WRONG} (1 of 2 trials)"]
    path = transcripts([OUTCOME], tmp_path / "out")
    assert path is not None
    assert [each.name for each in (tmp_path / "out").iterdir()] == [path.name]
    text = path.read_text(encoding="utf-8")
    assert text.count("## ") == 1
    assert "## pool-2 (own cases, guide, trial 2)" in text
    assert "guest   Is there a pool?" in text
    assert "desk    Harbour House has no pool." in text
    assert f"WRONG   {WRONG}" in text
    assert transcripts([Outcome("own cases", [played(1, "en", [])])], tmp_path / "none") is None


def test_the_json_line_has_counts_and_no_public_texts() -> None:
    """Cases that passed every trial, pass^k, the idle desk; of the public sets numbers, never their sentences."""
    scores = Scores({"dates": {"rate": 0.5, "missed": ["a guest's sentence"]}}, ["mood: not there"])
    found = as_json(ALL, scores, 1.23)
    suite = found["suites"]["own cases"]
    assert suite["kinds"] == {"guide": {"en": (1, 2), "de": (1, 1)}}
    assert (suite["passed"], suite["total"], suite["trials"], suite["doing_nothing"]) == (2, 3, 2, 1)
    assert suite["pass"] == {"en": [0.75, 0.5], "de": [1.0, 1.0]}
    assert found["failing"] == [{"suite": "own cases", "id": "pool-2", "trial": 2, "wrong": [WRONG]}]
    assert found["routes"]["en"] == {"hotels > hotels": 3, "hotels > web": 1}
    assert found["model"]["calls"] == 12
    assert (found["model"]["cost"], found["model"]["currency"]) == (3.0, "USD")
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
    seen = Seen([twice], Record())
    found = [line.partition(":")[0] for line in grade(expect, seen, Stored(tmp_path), "en")]
    assert found == ["route", "contains", "guide", "urgent", "said twice"]


def test_no_answer_is_wrong(tmp_path: Path) -> None:
    """Whatever was expected: a reply without a word is none."""
    for reply in ("", " \n"):
        assert grade({}, Seen([{**TURN, "reply": reply}], Record()), Stored(tmp_path), "en") == [
            "nothing was said"
        ]


def test_trials_come_in_orders_of_their_own() -> None:
    """The first in that of the files; others shuffled, each differently, and the same again with the same seed."""
    cases = SUITES[0].cases({"en"}, set())
    orders = [[case["id"] for case in Plan().ordered(cases, trial)] for trial in (1, 2, 3, 2)]
    assert orders[0] == [case["id"] for case in cases]
    assert orders[1] == orders[3]
    assert len({tuple(order) for order in orders}) == 3
    assert all(sorted(order) == sorted(orders[0]) for order in orders)


def test_a_limit_draws_from_every_kind() -> None:
    """So many of each kind and language, the same ones with the same seed and others with another."""
    drawn = Plan(limit=2).cases(SUITES[0])
    kinds = {(kind_of(case), case["language"]) for case in SUITES[0].cases(set(), set())}
    counts = [sum((kind_of(case), case["language"]) == kind for case in drawn) for kind in kinds]
    assert set(counts) <= {1, 2}
    assert counts.count(2) > counts.count(1)
    assert drawn == Plan(limit=2).cases(SUITES[0]) != Plan(limit=2, seed=1).cases(SUITES[0])


def test_a_desk_that_does_nothing_passes_what_asks_for_nothing(shared: Parts) -> None:
    """Where nothing is expected but to keep calm it passes, in its language; where words, a room, a booking or comfort
    are, it fails."""
    cases = SUITES[0].cases(set(), {"praise", "price", "booking", "complaint", "courtesy"})
    results = idle_results(cases, shared)
    assert [result.case["id"] for result in results] == [case["id"] for case in cases]
    assert all(result.wrong for result in results)
    asking = [
        {
            **case,
            "turns": [
                {"say": turn["say"], "expect": {"states": [], "deescalate": False}} for turn in case["turns"]
            ],
        }
        for case in cases
    ]
    assert [result.wrong for result in idle_results(asking, shared)] == [[] for _ in cases]


def test_what_passes_only_sometimes_falls_with_k(shared: Parts) -> None:
    """A coordinator that is right at every other time passes half of four trials, and never four of four."""
    asked: list[int] = []

    def flaky(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        asked.append(1)
        if len(asked) % 2:
            return routes(handoff("direct"))(messages, tools)
        return ROLES["coordinator"](subject, messages, tools)

    subject = shared.models.subject  # type: ignore[attr-defined]
    models = ScriptedModels({"coordinator": flaky}, subject)
    turns = [{"say": "What time is breakfast?", "expect": {"route": "hotels", "guide": ["breakfast"]}}]
    case = {"id": "breakfast", "kind": "guide", "today": TODAY, "language": "en", "turns": turns}
    results = list(run_cases([case] * 4, replace(shared, models=models)))
    outcome = Outcome("flaky", results)
    assert [bool(result.wrong) for result in results] == [True, False, True, False]
    assert outcome.pass_hat(1) == 0.5
    assert outcome.pass_hat(2) < outcome.pass_hat(1)
    assert outcome.pass_hat(4) == 0.0
    assert outcome.counts() == {"guide": {"en": (0, 1)}}
