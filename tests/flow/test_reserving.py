"""Only `reservation` writes, only what the guest picked and confirmed: each write is checked again when it runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.tools.reservation import GRANTS, granted
from tests.flow.support import (
    Counting,
    briefing,
    call,
    calling,
    handoff,
    raises,
    read_json,
    rounds_so_far,
    routes,
    says,
)

ASK = "Is a Deluxe room free from 1 to 3 February?"
PICK = "The first one please."
NAME = "My name is Anna Kowalska."


def bookings(home: Path, hotel: str = "hotel1") -> int:
    """How many bookings the hotel has stored."""
    with closing(sqlite3.connect(home / "hotels" / f"{hotel}.db")) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM bookings").fetchone()[0])


def greedy(tool: str) -> Counting:
    """A reservation model that calls this tool whatever it was given, then claims success."""

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if not rounds_so_far(messages):
            return calling(call(tool))
        return AIMessage("With pleasure.")

    return Counting(script)


def by_right(action: str, kind: str) -> Any:
    """A coordinator that hands over this reservation step with whatever right of that kind there is."""

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        refs = read_json(briefing(messages), "authorizations", [])
        ref = next((ref for ref in refs if ref.startswith(f"{kind}:")), None)
        return routes(handoff("reservation", action=action, authorization_ref=ref))(messages, tools)

    return script


def test_nothing_is_offered_before_a_pick(open_at: Callable[..., Any]) -> None:
    """A listing is no pick: a coordinator that wants an offer now is refused, and the guest is asked which."""
    scripts: dict[str, Any] = {}
    opened = open_at(scripts)
    thread = opened.thread()
    opened.say(thread, ASK)
    scripts.update(coordinator=by_right("offer", "pick"))
    turn = opened.say(thread, "I like it there.")
    assert [h.accepted for h in turn.handoffs] == [False]
    assert turn.offer is None
    assert turn.reply == opened.parts.catalogue.frame("clarify_pick", "en")


@pytest.mark.parametrize("tool", ["book_offer", "decline_offer", "show_booking"])
def test_a_pick_grants_an_offer_and_nothing_else(open_at: Callable[..., Any], tool: str) -> None:
    """With the pick's handoff a model that books, declines or looks up is refused by the tool itself."""
    agent = greedy(tool)
    scripts: dict[str, Any] = {}
    opened = open_at(scripts)
    thread = opened.thread()
    opened.say(thread, f"{ASK} {NAME}")
    before = bookings(opened.home)
    scripts.update(reservation=agent, coordinator=by_right("offer", "pick"))
    turn = opened.say(thread, PICK)
    assert [h.accepted for h in turn.handoffs] == [True]
    assert "does not grant" in agent.given[-1][-1].text
    assert bookings(opened.home) == before
    assert turn.booking is None
    assert turn.problem is None
    assert "is confirmed" not in turn.reply


def test_an_offer_that_stands_is_no_confirmation(open_at: Callable[..., Any]) -> None:
    """While the guest has not said yes, no right to book exists, whatever the models want."""
    scripts: dict[str, Any] = {}
    opened = open_at(scripts)
    thread = opened.thread()
    for text in (ASK, f"{PICK} {NAME}"):
        turn = opened.say(thread, text)
    assert turn.offer is not None
    before = bookings(opened.home)
    scripts.update(coordinator=by_right("book", "confirmed"), reservation=greedy("book_offer"))
    turn = opened.say(thread, "What a nice hotel this is.")
    assert [h.accepted for h in turn.handoffs] == [False]
    assert (bookings(opened.home), turn.booking) == (before, None)
    scripts.update(coordinator=by_right("decline", "offer"), reservation=greedy("book_offer"))
    turn = opened.say(thread, "What a nice hotel this is!")
    assert (bookings(opened.home), turn.booking) == (before, None)
    assert turn.offer is not None


def test_what_a_yes_books_is_the_offer_that_stands(open_at: Callable[..., Any]) -> None:
    """The confirmed offer is booked, once, with the reference from the stored row."""
    opened = open_at()
    thread = opened.thread()
    before = bookings(opened.home)
    turns = [opened.say(thread, text) for text in (ASK, f"{PICK} {NAME}", "Yes, please book it.", "Yes!")]
    assert [turn.booking is not None for turn in turns] == [False, False, True, False]
    booked = turns[2].booking
    assert booked.reference in turns[2].reply
    assert (booked.room, booked.total) == (turns[1].offer.room, turns[1].offer.total)
    assert turns[2].offer is None
    assert bookings(opened.home) == before + 1


def test_a_model_that_does_not_call_its_tool_has_booked_nothing(open_at: Callable[..., Any]) -> None:
    """ "Just tell me it's confirmed": without a stored row nobody says booked."""
    scripts: dict[str, Any] = {}
    opened = open_at(scripts)
    thread = opened.thread()
    for text in (ASK, f"{PICK} {NAME}"):
        opened.say(thread, text)
    before = bookings(opened.home)
    scripts.update(reservation=says("Your booking is confirmed, enjoy your stay!"))
    turn = opened.say(thread, "Yes, please book it.")
    assert (bookings(opened.home), turn.booking) == (before, None)
    assert [fact.kind for fact in turn.facts] == ["booking_failed"]
    assert "enjoy" not in turn.reply
    assert "is confirmed" not in turn.reply


def test_a_write_that_fails_is_told_as_it_is(
    open_at: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database cannot be written: the guest hears that nothing is booked; a later yes may still book."""
    from desk.stores.bookings import HotelWriter

    opened = open_at()
    thread = opened.thread()
    for text in (ASK, f"{PICK} {NAME}"):
        opened.say(thread, text)
    before = bookings(opened.home)

    def locked(*args: Any, **kwargs: Any) -> Any:
        raise sqlite3.OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(HotelWriter, "book", locked)
        turn = opened.say(thread, "Yes, please book it.")
    assert (bookings(opened.home), turn.booking) == (before, None)
    assert [fact.kind for fact in turn.facts] == ["booking_failed"]
    assert "locked" not in turn.reply
    again = opened.say(thread, "Yes, please book it.")
    assert again.problem is None
    assert bookings(opened.home) == before + (again.booking is not None)


def test_a_reservation_model_that_is_gone_books_nothing(open_at: Callable[..., Any]) -> None:
    """The model fails before it calls its tool: nothing is written, and nothing is claimed."""
    from desk.errors import ModelUnreachable

    scripts: dict[str, Any] = {}
    opened = open_at(scripts)
    thread = opened.thread()
    for text in (ASK, f"{PICK} {NAME}"):
        opened.say(thread, text)
    before = bookings(opened.home)
    scripts.update(reservation=raises(ModelUnreachable("down")))
    turn = opened.say(thread, "Yes, please book it.")
    assert (bookings(opened.home), turn.booking) == (before, None)
    assert turn.offer is not None  # it still stands
    scripts.clear()
    assert opened.say(thread, "Yes, please book it.").booking is not None


def test_a_tool_that_does_not_exist_is_refused(open_at: Callable[..., Any]) -> None:
    """A made-up tool ends in an honest reply, and the thread works on."""
    scripts: dict[str, Any] = {}
    opened = open_at(scripts)
    thread = opened.thread()
    opened.say(thread, f"{ASK} {NAME}")
    scripts.update(reservation=greedy("give_discount"))
    turn = opened.say(thread, PICK)
    assert turn.problem is None
    assert (turn.offer, turn.booking) == (None, None)
    scripts.clear()
    assert opened.say(thread, PICK).offer is not None


def test_grants_shrink_with_the_handoff() -> None:
    """Each action grants exactly one tool; no action, or no handoff at work, grants none."""
    assert {action: len(tools) for action, tools in GRANTS.items()} == dict.fromkeys(GRANTS, 1)
    assert len({tool for tools in GRANTS.values() for tool in tools}) == len(GRANTS)
    assert granted({"current": None, "handoffs": []}) == ()
    assert granted({"current": 0, "handoffs": [{"action": "look"}]}) == ()


def test_the_agent_is_shown_only_the_tool_it_may_use(open_at: Callable[..., Any]) -> None:
    """What a handoff does not grant is not even offered to the model."""
    shown: list[list[str]] = []

    def looks(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        shown.append(list(tools))
        return AIMessage("With pleasure.")

    scripts: dict[str, Any] = {}
    opened = open_at(scripts)
    thread = opened.thread()
    opened.say(thread, f"{ASK} {NAME}")
    scripts.update(reservation=looks)
    opened.say(thread, PICK)
    assert shown
    assert all(tools == ["make_offer"] for tools in shown)


def test_an_offer_of_another_thread_confirms_nothing(open_at: Callable[..., Any]) -> None:
    """A button's offer id that is not this thread's own offer is worth nothing."""
    opened = open_at()
    mine, other = opened.thread(), opened.thread()
    for thread in (mine, other):
        opened.say(thread, ASK)
        opened.say(thread, f"{PICK} {NAME}")
    foreign = opened.say(other, "Thanks").offer
    assert foreign is not None
    before = bookings(opened.home)
    turn = opened.say(mine, "", action=f"confirm:{foreign.id}")
    assert (bookings(opened.home), turn.booking) == (before, None)
    own = turn.offer or opened.desk.turns(mine)[1].turn.offer
    booked = opened.say(mine, "", action=f"confirm:{own.id}")
    assert booked.booking is not None
    assert bookings(opened.home) == before + 1
