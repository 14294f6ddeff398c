"""The coordinator: whatever it answers, code decides what runs; what it cannot read ends in a polite question."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.handoff import MAX_EVIDENCE, NO_PICK, NOT_VERIFIED
from tests.flow.conftest import Stage
from tests.flow.support import (
    Counting,
    asks_named,
    briefing,
    call,
    calling,
    handoff,
    marks_only,
    routes,
    says,
    structured,
)

AGENTS = {"mapper", "reservation", "web_search", "direct", "to_staff"}
GOOD = {"handoffs": [handoff("direct")], "tone": "calm"}

UNREADABLE = {
    "cut off": AIMessage('{"handoffs": [{"destination": "hotels", "reas'),
    "null": AIMessage("null"),
    "prose": AIMessage("Sure! I would send this to the hotels."),
    "empty": AIMessage(""),
    "a list": AIMessage("[]"),
    "a text": AIMessage('"hotels"'),
    "fenced and cut off": AIMessage('```json\n{"handoffs": [{"destination"\n```'),
    "an unknown tone": structured("Routing", handoffs=[handoff("direct")], tone="furious"),
    "an unknown action": structured("Routing", handoffs=[handoff("direct", action="dance")]),
    "texts missing": structured("Routing", handoffs=[{"destination": "hotels"}]),
    "four at once": structured("Routing", handoffs=[handoff("direct")] * 4),
    "another tool": calling(call("book_offer")),
    "handoffs of a wrong kind": structured("Routing", handoffs="hotels"),
    "a refusal": AIMessage("", additional_kwargs={"refusal": "I cannot help with that."}),
}


@pytest.mark.parametrize("answer", UNREADABLE.values(), ids=UNREADABLE.keys())
@pytest.mark.parametrize(("text", "code"), [("Is there a room?", "en"), ("Haben Sie ein Zimmer frei?", "de")])
def test_an_unreadable_answer_ends_in_a_polite_question(
    stage: Stage, answer: AIMessage, text: str, code: str
) -> None:
    """Nothing runs, nothing is claimed, and the guest is asked in their own language."""
    turn = stage.play(text, coordinator=lambda messages, tools: answer)
    assert turn.reply == stage.parts.catalogue.frame("not_understood", code)
    assert (turn.route, turn.routes, turn.handoffs, turn.problem) == ("direct", ["direct"], [], None)
    assert not AGENTS & {node.name for node in turn.nodes}
    assert turn.language == code


@pytest.mark.parametrize(
    "answer",
    [
        AIMessage(json.dumps(GOOD)),
        AIMessage(f"```json\n{json.dumps(GOOD)}\n```"),
        AIMessage(f"```\n{json.dumps(GOOD)}\n```"),
        structured("Routing", **GOOD),
    ],
    ids=["json", "fenced", "fenced without a word", "tool call"],
)
def test_a_good_answer_is_read_in_every_form(stage: Stage, answer: AIMessage) -> None:
    """Servers differ in how they answer a structured request; a whole answer is read however it comes."""
    turn = stage.play("Hi there!", coordinator=lambda messages, tools: answer, direct=says("Hello."))
    assert (turn.reply, turn.routes) == ("Hello.", ["direct"])


REFUSED = {
    "no such destination": (handoff("payments"), "no such destination"),
    "no such hotel": (handoff("hotels", hotels=["hotel9"]), "no such hotel"),
    "an empty reason": (handoff("direct", reason=" "), "required"),
    "another criterion": (handoff("direct", completion_criteria="the guest is happy"), "cannot be checked"),
    "another way back": (handoff("direct", return_to="translate_out"), "not allowed"),
    "made-up evidence": (handoff("hotels", evidence_refs=["turn:99"]), "no such evidence"),
    "evidence that it may not read": (handoff("web", evidence_refs=["stay:now"]), "may not read"),
    "a booking of a made-up offer": (
        handoff("reservation", action="book", authorization_ref="confirmed:o-1"),
        "not confirmed",
    ),
    "a booking by no right at all": (handoff("reservation", action="book"), "not confirmed"),
    "an offer without a pick": (handoff("reservation", action="offer"), NO_PICK),
    "somebody's own stay": (
        handoff("reservation", action="own_stay", authorization_ref="guest:HH-1002"),
        NOT_VERIFIED,
    ),
    "an open task": (handoff("reservation"), "must say what"),
}


@pytest.mark.parametrize(("proposal", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refused_handoff_is_recorded_and_runs_nothing(
    stage: Stage, proposal: dict[str, Any], why: str
) -> None:
    """The record keeps the reason, no agent ran, no model but the coordinator was asked, a question goes out."""
    turn = stage.play("Please do something for me.", coordinator=routes(proposal))
    assert [(h.accepted, h.status) for h in turn.handoffs] == [(False, None)]
    assert why in (turn.handoffs[0].refused_because or "")
    assert not AGENTS & {node.name for node in turn.nodes}
    assert turn.model.calls == 1
    assert turn.routes == ["direct"]
    assert (turn.facts, turn.offer, turn.booking, turn.problem) == ([], None, None, None)
    assert turn.reply.strip()
    assert "HH-1002" not in turn.reply


@pytest.mark.parametrize(
    ("proposal", "frame"),
    [
        (handoff("reservation", action="offer"), "clarify_pick"),
        (handoff("reservation", action="book"), "confirm_offer"),
        (handoff("reservation", action="decline"), "no_offer"),
        (handoff("reservation", action="own_stay"), "ask_reference"),
        (handoff("payments"), "not_understood"),
    ],
)
@pytest.mark.parametrize(
    ("text", "code"), [("Please do it for me.", "en"), ("Bitte machen Sie das für mich.", "de")]
)
def test_the_question_fits_what_was_refused(
    stage: Stage, proposal: dict[str, Any], frame: str, text: str, code: str
) -> None:
    """The guest is asked for what is missing: the pick, the reference, the dates. In their own language."""
    turn = stage.play(text, coordinator=routes(proposal))
    assert turn.problem is None
    assert turn.reply == stage.parts.catalogue.frame(frame, code)


def test_a_refused_step_beside_an_accepted_one_is_asked_about(stage: Stage) -> None:
    """ "Book it, and when is breakfast?": the guide answers, and the missing pick is asked for as well."""
    coordinator = routes(handoff("hotels", "guide: breakfast"), handoff("reservation", action="offer"))
    turn = stage.play("Book it for me, and when is breakfast?", coordinator=coordinator, merger=marks_only)
    assert [h.accepted for h in turn.handoffs] == [True, False]
    assert {fact.entry for fact in turn.facts} == {"breakfast"}
    assert stage.parts.catalogue.frame("clarify_pick", "en") in turn.reply


def test_evidence_over_the_limit_is_refused(stage: Stage) -> None:
    """A handoff may carry so much of the conversation and no more."""
    thread, long, hello = stage.thread(), "long " * (MAX_EVIDENCE // 7), says("Hello.")
    one, two = (routes(handoff("direct", evidence_refs=refs)) for refs in (["turn:1"], ["turn:1", "turn:2"]))
    assert stage.play(long, thread, coordinator=one, direct=hello).handoffs[0].accepted
    refused = stage.play(long, thread, coordinator=two, direct=hello).handoffs[0]
    assert refused.refused_because == "the evidence is too large"


def test_two_requests_are_two_handoffs_in_one_reply(stage: Stage) -> None:
    """Two accepted handoffs run one after the other; both answers stand in the one reply."""
    coordinator = routes(handoff("hotels", "guide: breakfast"), handoff("web", "places: restaurant"))
    asked = "When is breakfast, and is there a restaurant nearby?"
    turn = stage.play(asked, coordinator=coordinator, merger=marks_only)
    assert turn.routes == ["hotels", "web"]
    assert [h.status for h in turn.handoffs] == ["ok", "ok"]
    assert {fact.kind for fact in turn.facts} == {"guide", "place"}


def test_the_coordinator_is_not_asked_again_when_all_is_done(stage: Stage) -> None:
    """A handoff that came back done needs no second look: one call of the coordinator."""
    coordinator = Counting(routes(handoff("direct")))
    stage.play("Hi!", coordinator=coordinator, direct=says("Hello."))
    assert len(coordinator.given) == 1


def test_a_danger_reaches_people_whatever_the_coordinator_thinks(stage: Stage) -> None:
    """Safety, theft and health go to staff even when the model hands over elsewhere or nowhere."""
    for coordinator in (routes(handoff("direct")), says("no idea")):
        turn = stage.play("There is a fire in my room!", coordinator=coordinator, direct=says("Hello."))
        assert turn.route == "staff"
        assert [request.urgent for request in turn.requests] == [True]
        assert "112" in turn.reply


def test_calming_is_asked_for_only_when_the_guest_is_upset(stage: Stage) -> None:
    """De-escalation adds an instruction to the coordinator and the writers, and only then."""
    cases = (("The service is terrible and the room was dirty.", True), ("Can I bring my small dog?", False))
    for text, upset in cases:
        coordinator, direct = Counting(routes(handoff("direct"))), Counting(says("Noted."))
        turn = stage.play(text, coordinator=coordinator, direct=direct)
        assert turn.sentiment.deescalate is upset
        assert [("calm" in briefing(given)) for given in (coordinator.given[0], direct.given[0])] == [
            upset,
            upset,
        ]


def test_the_tone_of_an_english_message_comes_with_the_routing(stage: Stage) -> None:
    """For English the coordinator's own answer brings the tone: no call more than without it."""
    coordinator = routes(handoff("direct"), tone="sarcastic")
    turn = stage.play("Great, another cold shower.", coordinator=coordinator, direct=says("I see."))
    assert (turn.sentiment.tone, turn.sentiment.deescalate, turn.model.calls) == ("sarcastic", True, 2)
    assert turn.sentiment.label == "positive"  # the polarity stays TextBlob's


def test_a_coordinator_sees_no_branch_and_no_summary_leaks(stage: Stage) -> None:
    """What the guest reads never holds the coordinator's JSON, its reasons or its instructions."""

    def chatty(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        answer = asks_named(messages, tools)
        answer.content = "I think this is for the hotels. SECRET-REASONING"
        return answer

    asked = "Ask hotel1 about a Deluxe from 1 to 3 February."
    turn = stage.play(asked, coordinator=chatty, merger=marks_only)
    assert "SECRET" not in turn.reply
    assert "104" in turn.reply
