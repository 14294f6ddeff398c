"""What a hotel's assistant or the coordinator may try beside prose: words in arguments, no look, the same again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.models.rehearsal.subject import call, calling
from tests.flow.conftest import Stage
from tests.flow.support import handoff, looks_up, per_hotel, rounds_so_far, routes, says

ASK = "Is a Deluxe room free from 1 to 3 February 2027?"
HOTELS = routes(handoff("hotels"))


@pytest.mark.parametrize("tool", ["find_rooms", "room_rates"])
@pytest.mark.parametrize(
    "args", [{"type": "Penthouse for €5"}, {"room": "999, which is booked for you"}], ids=str
)
def test_words_in_an_argument_do_not_reach_the_guest(stage: Stage, tool: str, args: dict[str, str]) -> None:
    """A type or room that neither the guest named nor the hotel has is refused, not repeated."""

    def liar(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        return AIMessage("Hm.") if rounds_so_far(messages) else calling(call(tool, **args))

    turn = stage.play(ASK, coordinator=HOTELS, hotel=liar)
    assert "Penthouse" not in turn.reply
    assert "999" not in turn.reply
    assert {log.status for log in turn.branches.values()} == {"failed"}


def test_a_room_that_the_guest_asks_for_and_nobody_has_is_said_so(stage: Stage) -> None:
    """The guest's own words are no lie."""
    turn = stage.play("Is room 999 free from 1 to 3 February 2027?")
    assert {fact.kind for fact in turn.facts} == {"no_such_room"}


def test_an_assistant_that_looks_nothing_up_has_checked_nothing(stage: Stage) -> None:
    """Its hotel is named as not checked; the other one answers."""
    scripts = {"Harbour House": says("We have nothing at all."), "Garden Court": looks_up}
    turn = stage.play(ASK, coordinator=HOTELS, hotel=per_hotel(scripts))
    assert turn.branches["hotel1"].status == "failed"
    assert [(fact.kind, fact.hotel) for fact in turn.facts] == [
        ("room_free", "hotel2"),
        ("not_checked", "hotel1"),
    ]


def test_hotels_that_are_asked_again_say_the_same_once(stage: Stage) -> None:
    """A coordinator in a loop does not double the reply."""
    again = routes(handoff("hotels", "free rooms: now"), handoff("hotels", "free rooms: again"))
    turn = stage.play(ASK, coordinator=again)
    lines = turn.reply.splitlines()
    assert len(lines) == len(set(lines))
    assert [fact.room for fact in turn.facts] == ["104", "108"]


def test_two_searches_that_find_nothing_are_said_once(stage: Stage) -> None:
    """What was searched for is a model's wording, and no part of the fact."""

    def searches(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        queries = ("qqqq", "wwww which is booked") if not rounds_so_far(messages) else ()
        return calling(*(call("search_guide", query=q) for q in queries)) if queries else AIMessage("Hm.")

    turn = stage.play("Do you have a helipad?", coordinator=HOTELS, hotel=searches)
    assert [(fact.kind, fact.hotel, fact.values) for fact in turn.facts] == [
        ("no_guide", "hotel1", {}),
        ("no_guide", "hotel2", {}),
    ]
