"""A guest who asks for time, puts the name off, or gives it late: the offer stands, and nothing is taken for a name."""

from __future__ import annotations

from typing import Any

import pytest

TALKS = [
    ("A Deluxe from 5 to 7 January please", "Garden Court please", "Hold on, let me ask my wife", "yes"),
    ("A Deluxe from 5 to 7 January please", "Garden Court please", "I need to check with my boss", "yes"),
    ("Ein Deluxe vom 5. bis 7. Januar bitte", "Garden Court bitte", "Moment, ich frage meinen Mann", "ja"),
    ("Ein Deluxe vom 5. bis 7. Januar bitte", "Garden Court bitte", "Ich überlege es mir noch", "ja"),
]


@pytest.mark.parametrize(("asked", "picked", "holds", "yes"), TALKS)
def test_the_offer_stands_while_the_guest_asks_somebody(
    desk: Any, asked: str, picked: str, holds: str, yes: str
) -> None:
    """Neither a yes nor a no: the same offer is still there for the yes that comes later."""
    thread = desk.thread()
    for text in (asked, picked, "Koch"):
        offer = desk.say(thread, text).offer
    turn = desk.say(thread, holds)
    assert turn.booking is None
    assert turn.offer == offer
    assert turn.reply.startswith(("Of course, take your time.", "Natürlich, lassen Sie sich Zeit."))
    assert desk.say(thread, yes).booking is not None


def test_a_name_after_a_question_in_between(desk: Any) -> None:
    """It is no strange word: the offer comes with the question whether to book it, and nothing else."""
    thread = desk.thread()
    for text in ("A Deluxe from 5 to 7 January please", "Garden Court please", "Do you have parking?"):
        desk.say(thread, text)
    turn = desk.say(thread, "Mr Long")
    assert [fact.kind for fact in turn.facts] == ["offer"]
    assert "did not quite understand" not in turn.reply


@pytest.mark.parametrize("text", ["I would like to change my room", "Ich möchte mein Zimmer wechseln"])
def test_a_room_is_changed_with_the_booking(desk: Any, text: str) -> None:
    """A guest whose booking is known is asked what to change; another one for the reference and surname."""
    turn = desk.ask(text, guest="HH-1002:Miller")
    assert turn.reply in (
        "What would you like to change: the dates, or the room?",
        "Was möchten Sie ändern: die Tage oder das Zimmer?",
    )
    assert not turn.requests
    stranger = desk.ask(text)
    assert "surname" in stranger.reply or "Nachnamen" in stranger.reply
