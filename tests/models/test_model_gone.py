"""The model is gone in mid-conversation, over HTTP: an apology, a message kept, and an answer once it is back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from desk.errors import ModelUnreachable
from desk.runner import GONE
from tests.conftest import Opened
from tests.flow.support import handoff, raises, routes, says
from tests.wire.http_stub import Reply, Stub, serving
from tests.wire.openai_stub import rehearsed

GERMAN = "Ist vom 1. bis 3. Februar ein Deluxe-Zimmer für zwei Personen frei?"


def down(body: dict[str, Any]) -> Reply:
    """Nothing there but what stands before it."""
    return 503, "<html>Bad gateway</html>"


@pytest.fixture
def opened(open_at: Callable[..., Opened], server: Stub) -> Opened:
    """A desk on that server."""
    return open_at(openai_base_url=f"{server.url}/v1", model="stub-model")


@pytest.fixture
def server(shared: Any) -> Any:
    """A server that does its job until the test says otherwise."""
    with serving(rehearsed(shared, shared.models.subject)) as stub:
        yield stub


def statuses(opened: Opened, thread: str) -> list[str]:
    """How the thread's turns stand."""
    return [logged.status for logged in opened.desk.turns(thread)]


def test_answered_when_the_model_is_back(opened: Opened, server: Stub) -> None:
    """Down: the apology in German. Back: `retry` brings the real answer, once, to the message as it was written."""
    whole, server.answer = server.answer, down
    thread = opened.thread()
    turn = opened.say(thread, GERMAN)
    assert turn.reply == opened.parts.catalogue.frame("model_gone", "de")
    assert turn.language == "de"
    assert statuses(opened, thread) == ["failed"]
    assert opened.desk.thread(thread).flagged == GONE

    server.answer = whole
    assert opened.desk.retry(thread, turn.turn)
    answered = opened.desk.wait(thread, turn.turn, 60)
    assert (answered.problem, answered.text, answered.turn) == (None, GERMAN, 1)
    assert [fact.room for fact in answered.facts] == ["104", "108"]
    assert statuses(opened, thread) == ["done"]
    assert opened.desk.thread(thread).flagged is None
    assert not opened.desk.retry(thread, turn.turn)
    assert opened.desk.settle(thread, 60)
    assert len(opened.desk.turns(thread)) == 1


def test_still_gone(opened: Opened, server: Stub) -> None:
    """Asked for too early: the same apology, and it can be asked for again."""
    server.answer = down
    thread = opened.thread()
    opened.say(thread, GERMAN)
    assert opened.desk.retry(thread, 1)
    assert opened.desk.wait(thread, 1, 60).problem
    assert statuses(opened, thread) == ["failed"]


def test_what_was_passed_on_is_not_taken_back(open_at: Callable[..., Opened]) -> None:
    """Once the guest has read that people were told, they are; also when the model that is back sees no need."""
    scripts: dict[str, Any] = {"coordinator": raises(ModelUnreachable("down")), "direct": says("Hello.")}
    opened = open_at(scripts)
    thread = opened.thread()
    turn = opened.say(thread, "I would like to talk to a real person, please.")
    told = opened.desk.requests(thread)
    assert [request.kind for request in told] == ["person"]
    assert turn.requests == told

    scripts["coordinator"] = routes(handoff("direct"))
    assert opened.desk.retry(thread, 1)
    answered = opened.desk.wait(thread, 1, 60)
    assert (answered.problem, answered.routes, answered.requests) == (None, ["direct"], [])
    assert opened.desk.requests(thread) == told
    assert opened.desk.thread(thread).flagged == told[0].reason


def test_the_conversation_goes_on_meanwhile(opened: Opened, server: Stub) -> None:
    """A later message is answered as soon as the model is back; the flag stays for the one that was not."""
    whole, server.answer = server.answer, down
    thread = opened.thread()
    opened.say(thread, "When is breakfast?")
    server.answer = whole
    assert opened.say(thread, "Is a Deluxe room free from 1 to 3 February?").problem is None
    assert opened.desk.thread(thread).flagged == GONE
    assert opened.desk.retry(thread, 1)
    late = opened.desk.wait(thread, 1, 60)
    assert {fact.entry for fact in late.facts} == {"breakfast"}
    assert statuses(opened, thread) == ["done", "done"]
    assert opened.desk.thread(thread).flagged is None


def test_another_reason_for_a_flag_stays(opened: Opened, server: Stub) -> None:
    """What staff were asked for before is not written over, neither by the failure nor by the answer."""
    whole = server.answer
    thread = opened.thread()
    opened.say(thread, "Could we have more towels, please?")
    before = opened.desk.thread(thread).flagged
    assert before
    server.answer = down
    opened.say(thread, "When is breakfast?")
    assert opened.desk.thread(thread).flagged == before
    server.answer = whole
    opened.desk.retry(thread, 2)
    opened.desk.wait(thread, 2, 60)
    assert opened.desk.thread(thread).flagged == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Guten Tag, haben Sie ein Zimmer frei?", "de"),
        ("Bonjour, avez-vous une chambre libre ce soir ?", "fr"),
    ],
)
def test_the_first_message_gets_its_own_language(opened: Opened, server: Stub, text: str, code: str) -> None:
    """Found out by code: no model is there to ask, and the desk may have no catalogue of the language."""
    server.answer = down
    thread = opened.thread()
    turn = opened.say(thread, text)
    in_catalogue = opened.parts.catalogue.frame("model_gone", code)
    assert turn.reply == opened.parts.honest_notices["model_gone"].get(code, in_catalogue)
    assert turn.language == code
    assert [logged.text for logged in opened.desk.turns(thread)] == [text]
    assert opened.desk.thread(thread).flagged == GONE


def test_a_call_for_help_gets_through(opened: Opened, server: Stub) -> None:
    """With no model there, an emergency is read by code: people are alerted, and the guest reads whom to call."""
    server.answer = down
    thread = opened.thread()
    turn = opened.say(thread, "Hilfe, mein Mann atmet nicht mehr!")
    assert "112" in turn.reply.splitlines()[0]
    assert turn.reply.splitlines()[-1] == opened.parts.catalogue.frame("model_gone", "de")
    assert [request.urgent for request in opened.desk.requests(thread)] == [True]
    assert statuses(opened, thread) == ["failed"]
