"""What a reply may state: the arrangement by the desk's rules, and a checker that each broken rule trips."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from desk.context import Parts
from desk.grounding import Question, arrange, draft_problems, fact_ids, mark, pieces
from desk.prose import Rules
from desk.records import Fact, make_fact

TURN = 3
SPAN: dict[str, Any] = {"arrival": dt.date(2027, 2, 1), "departure": dt.date(2027, 2, 3)}
ORDER = ("hotel1", "hotel2", "hotel3")
RULES = Rules(words={"en": frozenset({"booked", "free", "february"})}, names=frozenset({"harbour house"}))


def room(hotel: str, number: str, rate: int, kind: Any = "room_free", **more: Any) -> Fact:
    """A room as a fact of this turn."""
    return make_fact(TURN, kind, hotel=hotel, room=number, rate=rate, **{"type": "Deluxe", **SPAN, **more})


ONE = room("hotel1", "104", 189)
TWO = room("hotel2", "108", 175, sleeps=2)
FAMILY = room("hotel3", "301", 240, sleeps=5)
NONE = make_fact(TURN, "none_free", status="booked", hotel="hotel1", **SPAN)
NEAR = room("hotel1", "104", 189, "nearest", status="other_dates")
UNCHECKED = make_fact(TURN, "not_checked", status="failed", hotel="hotel2")


def arranged(facts: Sequence[Fact], **question: Any) -> list[Fact]:
    """The facts in the order in which a reply states them."""
    return arrange(facts, Question(**{"order": ORDER, **question}))


# The arrangement


def test_the_priority_order_governs_a_listing() -> None:
    """Whatever order the branches answered in, the first hotel by priority is stated first."""
    assert arranged([FAMILY, TWO, ONE]) == [ONE, TWO, FAMILY]


def test_one_that_cannot_help_is_left_out_unless_none_can() -> None:
    """A hotel without a room is not mentioned beside one that has one; alone it is, with what comes closest."""
    assert arranged([NONE, NEAR, TWO]) == [TWO]
    assert arranged([NONE, NEAR]) == [NONE, NEAR]


def test_a_hotel_that_could_not_be_checked_is_always_said() -> None:
    """An incomplete answer never sounds complete."""
    assert arranged([UNCHECKED, ONE]) == [ONE, UNCHECKED]
    assert arranged([UNCHECKED, NONE]) == [NONE, UNCHECKED]


def test_a_named_hotel_is_answered_about_itself() -> None:
    """Another is mentioned only when the named one cannot help, and then the named one's refusal stands first."""
    assert arranged([ONE, TWO], named=["hotel2"]) == [TWO]
    assert arranged([NONE, NEAR, TWO], named=["hotel1"]) == [NONE, TWO]


@pytest.mark.parametrize(
    ("superlative", "expected"), [("cheapest", [TWO]), ("dearest", [FAMILY]), ("largest", [FAMILY])]
)
def test_a_superlative_is_answered_across_hotels(superlative: str, expected: list[Fact]) -> None:
    """The cheapest of all hotels, whichever comes first by priority."""
    assert arranged([ONE, TWO, FAMILY], superlative=superlative) == expected


def test_a_superlative_at_a_hotel_that_has_none_says_so_first() -> None:
    """The guest named the hotel: what another one has is no answer without a word on that."""
    assert arranged([NONE, TWO, FAMILY], superlative="cheapest", named=["hotel1"]) == [NONE, TWO]
    assert arranged([ONE, TWO, FAMILY], superlative="cheapest", named=["hotel1"]) == [ONE]


def test_equal_extremes_are_all_stated_in_order() -> None:
    """Two rooms of the same lowest rate are two answers."""
    same = room("hotel3", "302", 175)
    assert arranged([same, TWO, ONE], superlative="cheapest") == [TWO, same]


def test_a_date_that_cannot_be_used_is_all_that_is_said_of_rooms() -> None:
    """No rooms are stated for dates that are past; the problem is said once, not once a hotel."""
    problem = make_fact(TURN, "date_problem", status="past", arrival=dt.date(2026, 11, 3))
    assert arranged([problem, ONE, problem]) == [problem]


def test_a_guide_answer_beats_no_answer() -> None:
    """A hotel whose guide says nothing is left out beside one whose guide does; alone it is said."""
    pool = make_fact(TURN, "guide", hotel="hotel2", entry="pool", values={"available": True})
    nothing = make_fact(TURN, "no_guide", hotel="hotel1", entry="pool")
    assert arranged([nothing, pool]) == [pool]
    assert arranged([nothing]) == [nothing]


def test_the_same_statement_is_stated_once() -> None:
    """Two tool calls that say the same are one fact: its id is made of what it says."""
    again = room("hotel1", "104", 189)
    assert again.id == ONE.id
    assert arranged([ONE, again]) == [ONE]


@pytest.mark.parametrize(
    "change",
    [{"rate": 188}, {"room": "105"}, {"hotel": "hotel2"}, {"arrival": dt.date(2027, 2, 2)}, {"status": "x"}],
)
def test_a_changed_fact_has_another_id(change: dict[str, Any]) -> None:
    """An id cannot be made to mean another price, room, hotel, date or status."""
    kept = ONE.model_dump(exclude={"id", "turn", "kind"}, exclude_none=True) | change
    assert make_fact(TURN, "room_free", **kept).id != ONE.id


# The checks on a draft

KNOWN = {fact.id: fact for fact in (ONE, TWO, NONE)}
OLD = make_fact(TURN - 1, "room_free", hotel="hotel1", room="104", rate=150)
GOOD = f"Gladly. {mark([ONE, TWO])}"


def problems(text: str, expected: Sequence[Fact] = (ONE, TWO), **known: Fact) -> list[str]:
    """What the checker says to this draft."""
    return draft_problems(
        text, {**KNOWN, **{fact.id: fact for fact in known.values()}}, expected, TURN, RULES
    )


def test_a_good_draft_passes() -> None:
    """The base of all the cases below has no problem, so each fails for its one fault."""
    assert problems(GOOD) == []


BROKEN = {
    "an id that nobody gave": (f"{GOOD} [[t3-00000000]]", "no such fact"),
    "a made-up mark": (f"{GOOD} [[room 109 is free]]", "no such fact"),
    "one left out": (f"Gladly. {mark([ONE])}", "left out"),
    "prose only": ("Gladly.", "left out"),
    "nothing": ("", "left out"),
    "swapped": (mark([TWO, ONE]), "out of order"),
    "one too many": (f"{GOOD} {mark([NONE])}", "not to be stated"),
    "stated twice": (f"{GOOD} {mark([ONE])}", "stated twice"),
    "a digit": (f"Only 150! {mark([ONE, TWO])}", "digit"),
    "an Arabic digit": (f"Only ١٥٠! {mark([ONE, TWO])}", "digit"),
    "a Roman numeral sign": (f"Room Ⅻ! {mark([ONE, TWO])}", "digit"),
    "a fraction": (f"Only ½! {mark([ONE, TWO])}", "digit"),
    "a price sign": (f"Costs few €. {mark([ONE, TWO])}", "price sign"),
    "a link": (f"See https://example.org {mark([ONE, TWO])}", "link"),
    "a www link": (f"See www.example.org {mark([ONE, TWO])}", "link"),
    "half a mark": (f"Gladly [[ {mark([ONE, TWO])}", "a mark"),
    "a placeholder of its own": (f"Gladly {{rate}}. {mark([ONE, TWO])}", "mark"),
    "booked": (f"It is booked. {mark([ONE, TWO])}", "prose claims"),
    "Booked, in capitals": (f"BOOKED! {mark([ONE, TWO])}", "prose claims"),
    "free, after the facts": (f"{mark([ONE, TWO])} All are free", "prose claims"),
    "a month": (f"In February. {mark([ONE, TWO])}", "prose claims"),
    "a hotel's name": (f"At harbour house. {mark([ONE, TWO])}", "names a hotel"),
}


@pytest.mark.parametrize(("text", "why"), BROKEN.values(), ids=BROKEN.keys())
def test_each_broken_rule_is_seen(text: str, why: str) -> None:
    """Every way to state something that no tool said, or not to state what one said, is a problem."""
    assert any(why in problem for problem in problems(text)), problems(text)


def test_a_fact_of_another_turn_must_be_marked_as_recalled() -> None:
    """What held two turns ago may be stated only as what was said then."""
    assert any("another turn" in p for p in problems(mark([OLD]), [OLD], old=OLD))
    recalled = OLD.model_copy(update={"recalled": True})
    assert problems(mark([recalled]), [recalled], old=recalled) == []


def test_the_name_placeholder_is_the_only_one() -> None:
    """Prose may greet a guest by name, which code puts in."""
    assert problems(f"Gladly, {{name}}. {mark([ONE, TWO])}") == []


def test_pieces_keep_the_order_of_prose_and_facts() -> None:
    """A draft is read as words and marks in turn; empty words are none."""
    assert pieces("Hi. [[a]][[ b ]] Bye.") == [
        ("prose", "Hi."),
        ("fact", "a"),
        ("fact", "b"),
        ("prose", "Bye."),
    ]
    assert fact_ids("[[a]] x [[b]]") == ["a", "b"]


# The rules that the desk really has


@pytest.mark.parametrize("code", ["en", "de"])
def test_every_language_forbids_claims_of_status(shared: Parts, code: str) -> None:
    """Each language has words that its prose may not carry, and the hotels' names are among the names."""
    assert len(shared.rules.words[code]) > 20
    assert {branch.name.casefold() for branch in shared.pack.branches} <= shared.rules.names


@pytest.mark.parametrize(
    ("prose", "code"),
    [
        ("Your room is booked.", "en"),
        ("It is confirmed for Monday.", "en"),
        ("The Deluxe is available.", "en"),
        ("It costs two hundred euros.", "en"),
        ("Ihr Zimmer ist gebucht.", "de"),
        ("Es ist am Montag frei.", "de"),
        ("Im Harbour House.", "de"),
    ],
)
def test_claims_are_not_clean_prose(shared: Parts, prose: str, code: str) -> None:
    """The desk's own word lists catch plain claims in each language."""
    assert shared.rules.unclean(prose, code) is not None


@pytest.mark.parametrize("code", ["en", "de"])
def test_the_desks_own_phrases_are_clean(shared: Parts, code: str) -> None:
    """The phrases that the rehearsal model may say pass the checks that its drafts must pass, in each language."""
    from desk.models.rehearsal.roles.direct import NOT_UNDERSTOOD, SAYS

    phrase: Callable[..., str] = shared.models.subject.translation.phrase  # type: ignore[attr-defined]
    keys = {key for keys in SAYS.values() for key in keys} | set(NOT_UNDERSTOOD)
    unclean = {key: shared.rules.unclean(phrase(key, code), code) for key in keys}
    assert {key: why for key, why in unclean.items() if why} == {}


def test_no_rules_no_cleanliness() -> None:
    """The words come from data: without them a claim would pass. The test above is not empty."""
    assert replace(RULES, words={}).unclean("It is booked.", "en") is None
