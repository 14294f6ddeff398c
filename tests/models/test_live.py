"""The live models over the wire: whole turns through ChatOpenAI, and every way in which a server fails."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from desk.context import Parts
from desk.errors import SettingsError
from desk.models.live import PLACEHOLDER_KEY
from desk.settings import read_settings
from tests.conftest import wait_until
from tests.flow.conftest import Stage, on_stage
from tests.wire.http_stub import Reply, Stub, serving
from tests.wire.ledger import Ledger
from tests.wire.openai_stub import completion, rehearsed, roles

KEY = "sk-test-0123456789-very-secret"
MODEL = "stub-model"
ASKS = [
    ("Is a Deluxe room free from 1 to 3 February, for two?", "en"),
    ("Ist vom 1. bis 3. Februar ein Deluxe-Zimmer für zwei Personen frei?", "de"),
]


@pytest.fixture(scope="module")
def one_server(shared: Parts) -> Iterator[Stub]:
    """An OpenAI-compatible server, the same for all tests here."""
    with serving(rehearsed(shared, shared.models.subject)) as stub:  # type: ignore[attr-defined]
        yield stub


@pytest.fixture(scope="module")
def one_live_desk(
    tmp_path_factory: pytest.TempPathFactory, shared: Parts, one_server: Stub
) -> Iterator[Stage]:
    """A desk whose models are on that server."""
    home = tmp_path_factory.mktemp("live")
    where = {"openai_base_url": f"{one_server.url}/v1", "openai_api_key": KEY, "model": MODEL}
    with on_stage(home, shared, scripted=False, **where) as stage:
        yield stage


@pytest.fixture
def server(shared: Parts, one_server: Stub) -> Stub:
    """The server, which does the whole job unless the test says otherwise."""
    one_server.answer = rehearsed(shared, shared.models.subject)  # type: ignore[attr-defined]
    one_server.asked.clear()
    one_server.release.clear()
    return one_server


@pytest.fixture
def live(open_at: Callable[..., Any], one_live_desk: Stage, server: Stub) -> Callable[..., Any]:
    """The live desk; with other settings, one of the test's own."""

    def opener(**settings: Any) -> Any:
        if not settings:
            return one_live_desk
        return open_at(
            openai_base_url=f"{server.url}/v1", **{"model": MODEL, "openai_api_key": KEY, **settings}
        )

    return opener


@pytest.mark.parametrize(("text", "code"), ASKS)
def test_a_whole_turn(live: Callable[..., Any], server: Stub, text: str, code: str) -> None:
    """Two hotels with tool calls and a merge over HTTP; the tokens are those that the server reported."""
    opened = live()
    server.answer = ledger = Ledger(server.answer, roles(opened.parts))
    assert not opened.parts.models.rehearsal
    turn = opened.ask(text)
    assert (turn.language, turn.problem, turn.routes) == (code, None, ["hotels"])
    assert [(fact.room, fact.rate) for fact in turn.facts] == [("104", 189), ("108", 175)]
    assert turn.reply.index("104") < turn.reply.index("108")
    assert turn.model.name == MODEL
    assert turn.model.calls == len(server.asked)
    assert turn.model.input_tokens == sum(call.prompt_tokens for call in ledger.calls)
    assert turn.model.output_tokens == sum(call.answer_tokens for call in ledger.calls)
    assert {asked.path for asked in server.asked} == {"/v1/chat/completions"}
    assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}"}
    assert {asked.body["model"] for asked in server.asked} == {MODEL}


def test_a_booking_over_the_wire(live: Callable[..., Any]) -> None:
    """Look, pick, confirm: the same conversation as with the rehearsal model."""
    opened = live(budget_calls=20)  # a desk of its own: the room is gone afterwards
    thread = opened.thread()
    texts = (ASKS[0][0], "The first one please, my name is Anna Kowalska.", "Yes, please book it.")
    turns = [opened.say(thread, text) for text in texts]
    assert [turn.problem for turn in turns] == [None] * 3
    assert turns[2].booking is not None
    assert turns[2].booking.reference in turns[2].reply


def test_without_a_key_a_placeholder_is_sent(live: Callable[..., Any], server: Stub) -> None:
    """A local server needs no key; ChatOpenAI insists on one, so it gets one that says what it is."""
    turn = live(openai_api_key=None).ask("Hello there!")
    assert turn.problem is None
    expected = f"Bearer {PLACEHOLDER_KEY.get_secret_value()}"
    assert {asked.headers["authorization"] for asked in server.asked} == {expected}


def test_a_model_for_one_role(
    live: Callable[..., Any], server: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DESK_MODEL_<ROLE> names the model of one role; the others keep DESK_MODEL."""
    monkeypatch.setenv("DESK_MODEL_COORDINATOR", "small-one")
    live(budget_calls=20).ask("Hello there!")
    assert {asked.body["model"] for asked in server.asked} == {"small-one", MODEL}


def test_options_for_one_role(
    live: Callable[..., Any], server: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options travel with that role's calls: those of all roles, its own over them, and its own server's key."""
    monkeypatch.setenv("DESK_MODEL_OPTIONS", '{"temperature": 0.2, "seed": 7}')
    monkeypatch.setenv(
        "DESK_MODEL_DIRECT_OPTIONS", '{"temperature": 0.9, "max_tokens": 300, "api_key": "sk-b"}'
    )
    live(budget_calls=20).ask("Hello there!")
    names = ("temperature", "seed", "max_completion_tokens")
    sent = {
        (*(asked.body.get(name) for name in names), asked.headers["authorization"]) for asked in server.asked
    }
    assert sent == {(0.2, 7, None, f"Bearer {KEY}"), (0.9, 7, 300, "Bearer sk-b")}


def test_a_server_of_a_roles_own_gets_no_other_key(
    live: Callable[..., Any], server: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OPENAI_API_KEY goes to its own server alone."""
    options = f'{{"base_url": "{server.url}/other/v1"}}'
    monkeypatch.setenv("DESK_MODEL_DIRECT_OPTIONS", options)
    live(budget_calls=20).ask("Hello there!")
    keys = {asked.headers["authorization"] for asked in server.asked if asked.path.startswith("/other")}
    assert keys == {f"Bearer {PLACEHOLDER_KEY.get_secret_value()}"}


def test_a_structured_answer_is_asked_for_as_a_forced_tool(live: Callable[..., Any], server: Stub) -> None:
    """The coordinator's request forces the call of its schema, which every server tried understands."""
    live().ask("Hello there!")
    forced = server.asked[0].body
    assert forced["tool_choice"] == {"type": "function", "function": {"name": "Routing"}}
    assert "response_format" not in forced
    hotel_tools = [
        asked.body for asked in server.asked if "tools" in asked.body and "tool_choice" not in asked.body
    ]
    assert all("runtime" not in str(body["tools"]) for body in hotel_tools)


def error(status: int, code: str) -> Reply:
    """A failure as OpenAI words it."""
    return status, {"error": {"message": f"bad key {KEY}", "type": code, "code": code}}


FAILURES: dict[str, Callable[[dict[str, Any]], Reply]] = {
    "a fault": lambda body: error(500, "server_error"),
    "a bad key": lambda body: error(401, "invalid_api_key"),
    "an unknown model": lambda body: error(404, "model_not_found"),
    "asked to wait": lambda body: error(429, "rate_limit_exceeded"),
    "out of quota": lambda body: error(429, "insufficient_quota"),
    "a bad request": lambda body: error(400, "invalid_request"),
}


def is_an_apology(turn: Any, opened: Any, code: str) -> None:
    """The catalogue's apology in the guest's language, with `problem` set and nothing of the key."""
    assert turn.reply == opened.parts.catalogue.frame("model_gone", code)
    assert turn.problem
    assert turn.language == code
    assert KEY not in str(turn.to_json())


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES.keys())
@pytest.mark.parametrize(("text", "code"), ASKS)
def test_a_server_that_fails(
    live: Callable[..., Any],
    server: Stub,
    caplog: pytest.LogCaptureFixture,
    failure: Callable[[dict[str, Any]], Reply],
    text: str,
    code: str,
) -> None:
    """Whatever the server's fault, the guest gets an apology in their language, and no log has the key."""
    server.answer = failure
    opened = live()
    with caplog.at_level(logging.DEBUG):
        turn = opened.ask(text)
    is_an_apology(turn, opened, code)
    assert KEY not in caplog.text
    assert len(server.asked) <= 6  # a bounded wait: three tries, or two in each way of asking


def test_out_of_quota_is_not_tried_for_long(live: Callable[..., Any], server: Stub) -> None:
    """Nothing left to spend: the turn ends, and its problem says so."""
    server.answer = FAILURES["out of quota"]
    assert "quota" in (live().ask(ASKS[0][0]).problem or "")


@pytest.mark.parametrize(("text", "code"), ASKS)
def test_a_server_that_hangs(live: Callable[..., Any], server: Stub, text: str, code: str) -> None:
    """The wait is bounded by the turn's seconds, not by the client's patience."""
    server.answer = server.hang
    opened = live(budget_seconds=1.0)
    try:
        turn = opened.ask(text)
        assert not server.release.is_set()
    finally:
        server.release.set()
    honest = {opened.parts.catalogue.frame(key, code) for key in ("model_gone", "budget")}
    assert turn.reply in honest
    assert turn.problem
    assert turn.language == code


@pytest.mark.parametrize(("text", "code"), ASKS)
def test_a_server_that_is_not_there(open_at: Callable[..., Any], text: str, code: str) -> None:
    """Nobody listens: the same apology."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound and not listening, so that nobody else gets the port
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        opened = open_at(openai_base_url=url, model=MODEL, openai_api_key=KEY)
        is_an_apology(opened.ask(text), opened, code)


BROKEN: dict[str, Any] = {
    "no JSON": "<html>Bad gateway</html>",
    "no choices": {"id": "x", "object": "chat.completion", "created": 0, "model": MODEL, "choices": []},
    "null": "null",
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_a_server_that_answers_nonsense(live: Callable[..., Any], server: Stub, body: Any) -> None:
    """A 200 that is no completion ends in an honest reply, never in a traceback."""
    server.answer = lambda _: (200, body)
    opened = live()
    turn = opened.ask(ASKS[0][0])
    is_an_apology(turn, opened, "en")
    assert turn.problem != "internal"


def test_a_tool_call_written_as_text(live: Callable[..., Any], server: Stub) -> None:
    """Small servers write a forced call as JSON text; it is read all the same."""
    from langchain_core.messages import AIMessage

    whole = server.answer

    def as_text(body: dict[str, Any]) -> Reply:
        status, told = whole(body)
        made = told["choices"][0]["message"].get("tool_calls") or []
        if made and made[0]["function"]["name"] == "Routing":
            return status, completion(AIMessage(f"```json\n{made[0]['function']['arguments']}\n```"), MODEL)
        return status, told

    server.answer = as_text
    turn = live().ask(ASKS[0][0])
    assert [fact.room for fact in turn.facts] == ["104", "108"]


def test_the_same_call_id_in_two_branches(live: Callable[..., Any], server: Stub) -> None:
    """Servers that number their calls alike in each answer: results are paired within each branch."""
    whole = server.answer

    def numbered(body: dict[str, Any]) -> Reply:
        status, told = whole(body)
        for made in told["choices"][0]["message"].get("tool_calls") or []:
            made["id"] = "call_0"
        return status, told

    server.answer = numbered
    turn = live().ask(ASKS[0][0])
    assert [(fact.hotel, fact.room) for fact in turn.facts] == [("hotel1", "104"), ("hotel2", "108")]


def test_a_base_url_needs_a_model() -> None:
    """Which model a server serves cannot be guessed: one clear line at the start."""
    with pytest.raises(SettingsError, match="DESK_MODEL"):
        read_settings(openai_base_url="http://127.0.0.1:1/v1")


@pytest.mark.parametrize(("text", "code"), ASKS)
def test_a_step_is_seen_while_the_model_has_not_answered(
    live: Callable[..., Any], server: Stub, text: str, code: str
) -> None:
    """The guest sees that the desk is at work before any answer of the model, and nothing of a reply yet."""
    server.answer = server.hang
    opened = live()
    desk, thread = opened.desk, opened.thread()
    turn = desk.send(thread, text)
    try:
        wait_until(lambda: bool(server.asked) and bool(desk.progress(thread, turn).steps))
        seen = desk.progress(thread, turn)
        assert not server.release.is_set()
        assert (seen.status, seen.turn, seen.text) == ("running", None, "")
        assert [step.name for step in seen.steps if step.state == "started"]
        desk.stop(thread, turn)
        assert desk.wait(thread, turn, 60).reply == opened.parts.catalogue.frame("stopped", code)
    finally:
        server.release.set()
