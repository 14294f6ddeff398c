"""Nothing ungrounded goes out: writers that lie are asked once more, and then only code speaks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.errors import ModelUnreachable
from desk.turn import Turn
from tests.flow.conftest import Stage
from tests.flow.support import (
    Counting,
    Script,
    briefing,
    call,
    calling,
    handoff,
    in_turn,
    marks_only,
    raises,
    read_json,
    rounds_so_far,
    routes,
    says,
    structured,
)

ASK = "Is a Deluxe room free from 1 to 3 February?"
HOTELS = routes(handoff("hotels"))


def arrangement(messages: Sequence[BaseMessage]) -> list[str]:
    """The ids that the writer was told to state."""
    found: list[str] = read_json(briefing(messages), "arrangement", [])
    return found


def swapped(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Puts the second hotel first."""
    return AIMessage(" ".join(f"[[{fact}]]" for fact in reversed(arrangement(messages))))


def doubled(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Says everything twice."""
    return AIMessage(" ".join(f"[[{fact}]]" for fact in arrangement(messages) * 2))


def with_prose(prose: str) -> Script:
    """Marks as they should be, with this beside them."""
    return lambda messages, tools: AIMessage(f"{prose} {marks_only(messages, tools).text}")


def half(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Leaves the last fact out."""
    return AIMessage(" ".join(f"[[{fact}]]" for fact in arrangement(messages)[:-1]))


LIARS = {
    "ids that nobody gave": says("Room here: [[t1-deadbeef]]"),
    "another turn's ids": says("[[t0-12345678]]"),
    "swapped": swapped,
    "twice": doubled,
    "one left out": half,
    "digits": with_prose("It costs only 99!"),
    "a booking": with_prose("Your room is booked."),
    "a hotel's name": with_prose("Take Garden Court, it is better."),
    "prose alone": says("We have lovely rooms for you."),
    "nothing but marks of nothing": says("[[]] [[ ]]"),
    "a fact in words": says("[[Deluxe 109 at Harbour House is free at 50 a night]]"),
    "instructions": says('## Facts\n{"t1-deadbeef": "Room 109 is free"} [[t1-deadbeef]]'),
}


def states_the_truth(turn: Turn) -> None:
    """The two free Deluxe rooms, in priority order, at their own rates, and nothing else."""
    assert [(fact.hotel, fact.room, fact.rate, fact.total) for fact in turn.facts] == [
        ("hotel1", "104", 189, 378),
        ("hotel2", "108", 175, 350),
    ]
    assert turn.reply.index("104") < turn.reply.index("108")
    for false in ("109", "99", "booked", "gebucht", "[[", "]]", "deadbeef", "##"):
        assert false not in turn.reply, false
    assert turn.booking is None
    assert turn.offer is None
    assert turn.problem is None


@pytest.mark.parametrize("liar", LIARS.values(), ids=LIARS.keys())
@pytest.mark.parametrize("text", [ASK, "Ist vom 1. bis 3. Februar ein Deluxe-Zimmer frei?"], ids=["en", "de"])
def test_a_lying_merger_gets_nothing_false_into_the_reply(stage: Stage, liar: Script, text: str) -> None:
    """It is asked once more; when it lies again, the reply is the fact lines in a plain frame."""
    merger = Counting(liar)
    turn = stage.play(text, coordinator=HOTELS, merger=merger)
    states_the_truth(turn)
    assert len(merger.given) == 2  # the draft and the one rewrite
    assert turn.checks.retries == 1
    assert turn.checks.problems
    assert turn.checks.grounded is True
    assert [node.name for node in turn.nodes].count("checker") == 2
    assert [node.name for node in turn.nodes].count("rewrite") == 1


def test_one_rewrite_is_enough_for_an_honest_writer(stage: Stage) -> None:
    """A writer that mends its draft keeps its own words."""
    merger = Counting(in_turn(says("We have rooms!"), with_prose("With pleasure.")))
    turn = stage.play(ASK, coordinator=HOTELS, merger=merger)
    states_the_truth(turn)
    assert turn.reply.startswith("With pleasure.")
    assert turn.checks.retries == 1
    told = briefing(merger.given[1])
    assert "left out" in told["problems"]
    assert told["draft"] == "We have rooms!"


def test_a_clean_draft_is_not_rewritten(stage: Stage) -> None:
    """A good draft costs no second call."""
    merger = Counting(with_prose("Gladly."))
    turn = stage.play(ASK, coordinator=HOTELS, merger=merger)
    states_the_truth(turn)
    assert (len(merger.given), turn.checks.retries, turn.checks.problems) == (1, 0, [])


@pytest.mark.parametrize("failing", [raises(ModelUnreachable("down")), says("")], ids=["down", "empty"])
def test_a_merger_that_fails_costs_only_its_words(stage: Stage, failing: Script) -> None:
    """The facts are there whether or not a model words the opening."""
    states_the_truth(stage.play(ASK, coordinator=HOTELS, merger=failing))


def test_a_rewriter_that_fails_leaves_the_plain_lines(stage: Stage) -> None:
    """The first draft lies, the rewrite does not come: code alone speaks."""
    merger = in_turn(says("[[t1-deadbeef]]"), raises(ModelUnreachable("down")))
    states_the_truth(stage.play(ASK, coordinator=HOTELS, merger=merger))


def test_a_lying_direct_agent_says_nothing_false(stage: Stage) -> None:
    """Its words go through the same checks; what is left is a polite question."""
    turn = stage.play(
        "Hello!", coordinator=routes(handoff("direct")), direct=says("Your room 104 is booked at €5.")
    )
    assert turn.reply == stage.parts.catalogue.frame("not_understood", "en")
    assert turn.facts == []


def test_a_lying_web_agent_says_only_what_was_found(stage: Stage) -> None:
    """The places come from the guide; the agent's own claims do not go out."""

    def liar(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if not rounds_so_far(messages):
            return calling(call("search_web", query="restaurant"))
        return AIMessage("Go to Chez Lie, open until 23:00. [[t1-deadbeef]]")

    turn = stage.play(
        "A restaurant nearby?", coordinator=routes(handoff("web", "places: restaurant")), web=liar
    )
    assert "Chez Lie" not in turn.reply
    assert turn.facts
    assert {fact.kind for fact in turn.facts} == {"place"}


def test_a_lying_translator_cannot_change_a_fact(stage: Stage) -> None:
    """Facts are never translated by a model; prose that gains a claim goes out in English, and says so."""

    def liar(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        found = briefing(messages)
        if "Translation" in tools:
            return structured("Translation", english=ASK, tone="calm", understood=True)
        assert "sentences" in found
        return structured("TranslatedProse", sentences=["Zimmer 109 ist für 5 Euro gebucht."])

    translator = Counting(liar)
    turn = stage.play(
        "Ist vom 1. bis 3. Februar ein Deluxe-Zimmer frei?",
        coordinator=HOTELS,
        merger=with_prose("With pleasure."),
        translator=translator,
    )
    states_the_truth(turn)
    assert "With pleasure." in turn.reply
    assert stage.parts.catalogue.frame("translated_not", "de") in turn.reply
    assert turn.checks.translated is False
    assert len(translator.given) == 3  # in, out, and out once more


@pytest.mark.parametrize(
    "sentences",
    [
        [],
        ["Gern.", "Und noch etwas."],
        [""],
        ["Gern, {name}."],
        ["Das macht 5 Euro."],
        ["Es ist gebucht."],
        ["Nicht gern."],
        ["Gern. Das sage ich Ihnen. Ich helfe gern."],
        ["Con mucho gusto."],
        ["Gern (Anmerkung: unklar)."],
        ["Das Frühstück ist dabei."],
    ],
    ids=[
        "none",
        "one too many",
        "empty",
        "a placeholder",
        "a sum",
        "a claim",
        "a not",
        "more",
        "another language",
        "a note",
        "a rule of the house",
    ],
)
def test_unfaithful_translations_are_seen(stage: Stage, sentences: list[str]) -> None:
    """More or fewer, empty, a placeholder, a number, a claim, a not, a note, another language: English goes out."""

    def translator(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if "Translation" in tools:
            return structured("Translation", english="Hello!", tone="calm")
        return structured("TranslatedProse", sentences=sentences)

    scripts = {
        "coordinator": routes(handoff("direct")),
        "direct": says("With pleasure."),
        "translator": translator,
    }
    turn = stage.play("Guten Tag, wie geht es Ihnen?", **scripts)
    assert turn.reply.splitlines() == ["With pleasure.", stage.parts.catalogue.frame("translated_not", "de")]
    assert turn.checks.translated is False
