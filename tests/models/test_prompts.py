"""What models are sent, over HTTP: how many calls one after the other, the same prompt prefixes, no words in logs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import pytest

from desk.context import Parts
from tests.conftest import Opened
from tests.models.ways import Answer
from tests.wire.http_stub import Stub, serving
from tests.wire.ledger import Ledger, longest_chain
from tests.wire.openai_stub import ROLE_OF, meeting, prefixes, rehearsed, roles

MODEL = "stub-model"
TALK = (
    "Is a Deluxe room free from 1 to 3 February, for two?",
    "And a Standard room?",
    "When is breakfast, and can I bring my dog?",
    "Hello there!",
    "Ist vom 5. bis 7. Februar ein Superior-Zimmer frei?",
    "Gibt es einen Parkplatz?",
)


@pytest.fixture
def server(shared: Parts) -> Iterator[Stub]:
    """A server that does the whole job."""
    with serving(rehearsed(shared, shared.models.subject)) as stub:  # type: ignore[attr-defined]
        yield stub


@pytest.fixture
def opened(open_at: Callable[..., Opened], server: Stub) -> Opened:
    """A desk on that server, which it has found out about."""
    desk = open_at(openai_base_url=f"{server.url}/v1", model=MODEL)
    desk.parts.models.abilities.settle((f"{server.url}/v1", MODEL), "forced")  # type: ignore[attr-defined]
    return desk


@pytest.mark.parametrize(
    ("text", "at_most"),
    [
        ("Is a Deluxe room free from 1 to 3 February, for two?", 3),
        ("Ist vom 1. bis 3. Februar ein Deluxe-Zimmer für zwei Personen frei?", 5),
    ],
)
def test_calls_one_after_the_other(opened: Opened, server: Stub, text: str, at_most: int) -> None:
    """Coordinator, hotels, merger; in another language a translation before, and one after if there is prose."""
    server.answer = ledger = Ledger(meeting(2, server.answer), roles(opened.parts))
    turn = opened.ask(text)
    assert turn.problem is None
    assert [fact.room for fact in turn.facts] == ["104", "108"]
    assert longest_chain(ledger.take()) <= at_most


def test_english_costs_no_translation(opened: Opened, server: Stub) -> None:
    """No request of an English turn begins with a translator's procedure; a German one has one, or two."""
    opening = {text.splitlines()[0]: name for name, text in opened.parts.procedures.texts.items()}

    def translations(text: str) -> int:
        server.asked.clear()
        opened.ask(text)
        firsts = [asked.body["messages"][0]["content"].splitlines()[0] for asked in server.asked]
        return sum(ROLE_OF[opening[first]] == "translator" for first in firsts if first in opening)

    assert translations(TALK[0]) == 0
    assert translations("Ist vom 1. bis 3. Februar ein Deluxe-Zimmer frei?") == 1  # fact lines need none
    assert translations("Guten Tag!") in (1, 2)


def test_prefixes_stay_the_same(opened: Opened, server: Stub) -> None:
    """From turn to turn a role's first message and its tools are the same bytes, so that providers can cache them."""
    thread = opened.thread()
    for text in TALK:
        assert opened.say(thread, text).problem is None
    assert {[row["role"] for row in asked.body["messages"]].count("system") for asked in server.asked} == {1}
    sent = prefixes(server.asked)
    assert len(sent) >= 6  # coordinator, two hotels, merger, direct, the translator twice, summariser
    assert {opening: len(prefixes) for opening, prefixes in sent.items() if len(prefixes) > 1} == {}


def test_nothing_of_a_guest_in_ordinary_logs(
    opened: Opened, server: Stub, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither a turn that goes well nor one whose model fails or talks nonsense leaves words in the log."""
    secret = "Kowalska"
    text = f"My name is Anna {secret}. Is a Deluxe room free from 1 to 3 February?"
    whole = server.answer
    ways: list[Answer] = [
        whole,
        lambda body: (500, {"error": {"message": f"cannot read {secret}"}}),
        lambda body: (200, {"error": {"message": f"cannot read {secret}"}}),
        lambda body: (
            200,
            {
                **whole(body)[1],
                "choices": [
                    {"index": 0, "message": {"role": "assistant", "content": secret}, "finish_reason": "stop"}
                ],
            },
        ),
    ]
    with caplog.at_level(logging.INFO):
        for way in ways:
            server.answer = way
            opened.ask(text)
    assert secret not in caplog.text
    assert "February" not in caplog.text
