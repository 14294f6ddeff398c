"""Once something is written the guest hears it, whatever fails afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from tests.conftest import Opened

TALK = (
    "Is a Deluxe room free from 1 to 3 February for two?",
    "The one at Garden Court. My name is Lena Novak.",
)


def offered(opened: Opened) -> str:
    """A thread on which an offer stands."""
    thread = opened.thread()
    for text in TALK:
        turn = opened.say(thread, text)
    assert turn.offer is not None
    return thread


def test_no_model_is_needed_after_the_write(open_at: Callable[..., Opened]) -> None:
    """The agent is not asked again once the booking is stored: code words it, and thanks."""
    calls: list[str] = []

    def count(messages: Any, tools: Any) -> AIMessage:
        calls.append("reservation")
        return AIMessage("", tool_calls=[{"name": tools[0], "args": {}, "id": f"call-{len(calls)}"}])

    opened = open_at()
    thread = offered(opened)
    opened.desk.close()
    opened = open_at({"reservation": count})
    turn = opened.say(thread, "Yes, please book it.")
    assert turn.booking is not None
    assert turn.booking.reference in turn.reply
    assert calls == ["reservation"]


@pytest.mark.parametrize("failing", ["checker", "translate_out"])
def test_a_bug_after_the_write_still_tells_of_the_booking(
    open_at: Callable[..., Opened], monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """The honest reply names the stored reference, and "yes" again books nothing twice."""
    opened = open_at()
    thread = offered(opened)
    opened.desk.close()

    def broken(state: Any, runtime: Any) -> Any:
        if state.get("booking"):
            raise RuntimeError("a bug")
        raise AssertionError("only the booking turn comes here")

    monkeypatch.setattr(f"desk.flow.{failing}", broken)
    opened = open_at()
    turn = opened.say(thread, "Yes, please book it.")
    assert turn.problem is not None
    assert turn.booking is not None
    assert turn.booking.reference in turn.reply
    opened.desk.close()
    monkeypatch.undo()
    again = open_at().say(thread, "Yes, please book it.")
    assert again.booking is None or again.booking.reference == turn.booking.reference


def test_the_guest_verified_last_is_the_one(desk: Opened) -> None:
    """A second reference with its surname takes the place of the first, for this and later turns."""
    thread = desk.thread()
    assert "HH-1002" in desk.say(thread, "My booking is HH-1002, my name is Miller.").reply
    assert "GC-2001" in desk.say(thread, "And what is booked under GC-2001, surname Costa?").reply
    later = desk.say(thread, "What is my booking?").reply
    assert "GC-2001" in later
    assert "HH-1002" not in later


def test_forgetting_finds_every_guest_a_thread_was_verified_for(desk: Opened) -> None:
    """The thread goes for the first guest as for the last."""
    thread = desk.thread()
    desk.say(thread, "My booking is HH-1002, my name is Miller.")
    desk.say(thread, "And what is booked under GC-2001, surname Costa?")
    assert desk.desk.forget("HH-1002:Miller").conversations == 1
    assert not desk.desk.has_thread(thread)
