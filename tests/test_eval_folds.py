"""What `make eval` counts of folded conversations: what the summary holds, what recall finds, what is lost."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from desk.context import Parts
from tests.eval.cases import Case, Result, run_cases
from tests.eval.folds import (
    LOST,
    RECALL,
    SUMMARY,
    concrete,
    dropping,
    facts_kept,
    folded_turns,
    folds_table,
    words_kept,
)
from tests.eval.suites import FOLDS, LANGUAGES

ROOM, LONG = "en-fold-room-1", "en-fold-long-1"


def case(name: str) -> Case:
    """One of the long conversations."""
    return next(each for each in FOLDS.cases(set(), set()) if each["id"] == name)


@pytest.fixture(scope="module")
def kept(shared: Parts) -> dict[str, Result]:
    """Two of them, played on the rehearsal model."""
    return {result.case["id"]: result for result in run_cases([case(ROOM), case(LONG)], shared)}


def test_there_are_enough_of_them_in_each_language() -> None:
    """Each asks at the end for what was said at the beginning, and expects that it was folded."""
    for code in LANGUAGES:
        cases = FOLDS.cases({code}, set())
        assert len({each["id"] for each in cases}) == len(cases) >= 12
        assert all(each["turns"][-1]["expect"]["folded"] for each in cases)
        assert all(len(each["turns"]) >= 6 for each in cases)


def test_every_folded_fact_is_counted_once(kept: dict[str, Result]) -> None:
    """Of the first two turns that are folded, all facts with numbers; on the rehearsal model none is lost."""
    result = kept[ROOM]
    assert [turn["folded"] for turn in result.turns].count(0) < len(result.turns)
    folded = folded_turns(result)
    assert 2 <= len(folded) < len(result.turns)
    facts = [fact for turn in folded for fact in turn["facts"] if concrete(fact)]
    assert facts_kept(result) == {SUMMARY: len(facts)}


def test_what_falls_off_a_long_summary_is_found_by_recall(kept: dict[str, Result]) -> None:
    """In a conversation beyond the summary's budget some facts are only in the turn log, and none is lost."""
    found = facts_kept(kept[LONG])
    assert found[RECALL] > 0 < found[SUMMARY]
    assert found[LOST] == 0


def test_what_is_gone_counts_as_lost(kept: dict[str, Result]) -> None:
    """Without the summary a fact counts by recall alone; without the turn that stated it too, it is lost."""
    result = copy.deepcopy(kept[ROOM])
    result.turns[-1]["summary"] = ""
    total = facts_kept(result).total()
    assert facts_kept(result) == {RECALL: total}
    for fact in result.turns[0]["facts"]:
        fact["kind"] = "said"  # what recall never gives back as a fact
    assert facts_kept(result)[LOST] == len(result.turns[0]["facts"])


def test_one_wrong_number_in_the_summary_is_not_kept(kept: dict[str, Result]) -> None:
    """A summary that has every number of a fact but one does not hold the fact."""
    result = copy.deepcopy(kept[ROOM])
    result.turns[-1]["summary"] = result.turns[-1]["summary"].replace("378", "387")
    assert facts_kept(result)[SUMMARY] == facts_kept(kept[ROOM])[SUMMARY] - 1


def test_guests_words_are_looked_for_in_the_summary(kept: dict[str, Result]) -> None:
    """They are nobody's fact, so only the summary can hold them."""
    result = Result({**kept[ROOM].case, "keep": ["two people", "three people"]}, [], kept[ROOM].turns)
    assert words_kept(result) == {SUMMARY: 1, LOST: 1}


def test_a_summariser_that_drops_everything_loses_no_fact(shared: Parts) -> None:
    """Over the wire: the model's summary has no fact in it, the guard puts each back, and the guest is answered."""
    with dropping(shared) as forgetful:
        result = next(run_cases([case(ROOM)], forgetful))
    assert result.wrong == []
    assert result.turns[0]["model"]["name"] == "forgetful"
    assert "talked." in result.turns[-1]["summary"]
    assert facts_kept(result)[SUMMARY] > 0 == facts_kept(result)[LOST]


def test_the_table_has_a_line_for_each_summariser_and_language(kept: dict[str, Result]) -> None:
    """And says so when nothing was folded."""
    lines = folds_table({"plain": list(kept.values())}, ["en", "de"]).splitlines()
    assert [line.split("  ")[0] for line in lines[2:]] == ["plain, en"]
    assert lines[2].rstrip().endswith("2 / 2 = 100.0%")
    assert folds_table({"plain": []}, ["en"]) == "no conversation was long enough to be folded"


def test_a_facts_numbers_are_read_as_a_summary_writes_them() -> None:
    """Days without a leading zero and without their month, hours whole, references whole."""
    nothing: dict[str, Any] = dict.fromkeys(("room", "rate", "total", "reference", "arrival", "departure"))
    fact = {
        **nothing,
        "room": "104",
        "arrival": "2027-02-01",
        "reference": "HH-1A2B3C",
        "values": {"from": "07:00"},
    }
    assert concrete(fact) == {"104", "2027", "1", "HH-1A2B3C", "07:00"}
    assert concrete({**nothing, "values": {"available": False}}) == set()
