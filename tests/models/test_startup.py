"""At the start: a wrong setting is one clear line, and an outage does not keep the desk down."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from desk import bootstrap
from desk.bootstrap import Replacements, open_desk
from desk.context import Parts
from desk.errors import SettingsError
from desk.models import startup
from desk.settings import read_settings
from tests.conftest import TODAY
from tests.models.ways import ignoring_the_choice, method_of, prose, refusing
from tests.wire.http_stub import Reply, Stub, serving
from tests.wire.openai_stub import completion

KEY = "sk-test-0123456789-very-secret"
MODEL = "stub-model"


def ready(body: dict[str, Any]) -> Reply:
    """A server that is."""
    call = {"name": "Ready", "args": {"ready": True}, "id": "1"}
    said = AIMessage("", tool_calls=[call]) if "tools" in body else AIMessage('{"ready": true}')  # type: ignore[list-item]
    return 200, completion(said, body["model"])


@pytest.fixture
def server() -> Iterator[Stub]:
    """A server that is ready unless the test says otherwise."""
    with serving(ready) as stub:
        yield stub


@pytest.fixture
def begin(tmp_path: Any, shared: Parts) -> Callable[..., str]:
    """Opens a desk as the command line does, and closes it; returns the name of its model."""

    def opener(url: str, **settings: Any) -> str:
        chosen = {
            "home": tmp_path,
            "today": TODAY,
            "openai_base_url": f"{url}/v1",
            "model": MODEL,
            **settings,
        }
        own = Replacements(changed={"detector": shared.detector})
        desk = open_desk(read_settings(**chosen), own)
        assert desk.close(30)
        return desk.about.model

    return opener


@pytest.mark.parametrize(
    ("make", "tried"),
    [
        (lambda answer: answer, ["forced"]),
        (ignoring_the_choice, ["forced", "forced", "offered"]),
        (lambda answer: refusing(answer, 400, "tool_choice"), ["forced", "offered"]),
    ],
)
def test_a_server_that_answers(
    begin: Callable[..., str], server: Stub, make: Callable[..., Any], tried: list[str]
) -> None:
    """One small question, and no more than it takes to find out how to ask."""
    server.answer = make(ready)
    assert begin(server.url) == MODEL
    assert [method_of(asked.body) for asked in server.asked] == tried


def test_each_model_is_asked_once(
    begin: Callable[..., str], server: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Roles that share a model share the question."""
    monkeypatch.setenv("DESK_MODEL_COORDINATOR", "small-one")
    monkeypatch.setenv("DESK_MODEL_MERGER", "small-one")
    begin(server.url)
    assert sorted(asked.body["model"] for asked in server.asked) == ["small-one", MODEL]


def failing(status: int, message: str, code: str) -> Callable[[dict[str, Any]], Reply]:
    """A server that answers every request with this error."""
    return lambda body: (status, {"error": {"message": f"{message} {KEY}", "type": code, "code": code}})


WRONG: dict[str, tuple[Callable[[dict[str, Any]], Reply], str]] = {
    "a key": (failing(401, "Incorrect API key", "invalid_api_key"), "OPENAI_API_KEY: "),
    "a key without rights": (failing(403, "Not allowed", "forbidden"), "OPENAI_API_KEY: "),
    "a model": (failing(404, "The model does not exist", "model_not_found"), f"DESK_MODEL: {MODEL}"),
    "a path": (lambda body: (404, {"detail": "Not Found"}), "OPENAI_BASE_URL: "),
    "a web site": (lambda body: (200, "<html>Welcome</html>"), "OPENAI_BASE_URL: "),
    "a model that only chats": (lambda body: (200, prose(body)), f"DESK_MODEL: {MODEL}"),
    "a server that takes nothing": (failing(400, "Bad request", "invalid_request"), f"DESK_MODEL: {MODEL}"),
}


@pytest.mark.parametrize(("answer", "line"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_setting(begin: Callable[..., str], server: Stub, answer: Any, line: str) -> None:
    """One line that begins with the variable; it holds no key, and nothing of what the server said."""
    server.answer = answer
    with pytest.raises(SettingsError) as raised:
        begin(server.url, openai_api_key=KEY)
    assert str(raised.value).startswith(line)
    assert "\n" not in str(raised.value)
    assert KEY not in str(raised.value)


def test_a_wrong_model_of_one_role(
    begin: Callable[..., str], server: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line names the variable of that role."""
    monkeypatch.setenv("DESK_MODEL_MERGER", "no-such-one")
    unknown = WRONG["a model"][0]
    server.answer = lambda body: unknown(body) if body["model"] == "no-such-one" else ready(body)
    with pytest.raises(SettingsError, match=r"^DESK_MODEL_MERGER: no-such-one"):
        begin(server.url)


def test_a_wrong_key_of_one_role(
    begin: Callable[..., str], server: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A role with a key of its own is asked too, and the line names its options."""
    monkeypatch.setenv("DESK_MODEL_WEB_OPTIONS", '{"api_key": "sk-other"}')
    wrong = WRONG["a key"][0]
    server.answer = lambda body: wrong(body) if len(server.asked) > 1 else ready(body)
    with pytest.raises(SettingsError, match=r"^(DESK_MODEL_WEB_OPTIONS|OPENAI_API_KEY): ") as raised:
        begin(server.url, openai_api_key=KEY)
    refused = server.asked[-1].headers["authorization"]
    assert str(raised.value).startswith("DESK_MODEL_WEB_OPTIONS") == (refused == "Bearer sk-other")
    assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {KEY}", "Bearer sk-other"}


PASSING: dict[str, Callable[[dict[str, Any]], Reply]] = {
    "out of quota": failing(429, "You exceeded your quota", "insufficient_quota"),
    "asked to wait": failing(429, "Slow down", "rate_limit_exceeded"),
    "a fault": failing(500, "Oops", "server_error"),
    "an outage": lambda body: (503, "<html>Back soon</html>"),
}


@pytest.mark.parametrize("answer", PASSING.values(), ids=PASSING.keys())
def test_what_passes(
    begin: Callable[..., str], server: Stub, caplog: pytest.LogCaptureFixture, answer: Any
) -> None:
    """The desk starts, and says once that its model does not answer."""
    server.answer = answer
    with caplog.at_level(logging.WARNING):
        begin(server.url, openai_api_key=KEY)
    assert len([r for r in caplog.records if r.name == startup.__name__]) == 1
    assert KEY not in caplog.text


def test_a_server_that_hangs(
    begin: Callable[..., str], server: Stub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The start does not wait for it beyond its limit."""
    server.answer = server.hang
    find_out = startup.find_out
    monkeypatch.setattr(bootstrap, "find_out", lambda parts: find_out(parts, seconds=0.3))
    begin(server.url)
    assert not server.release.is_set()
    assert "does not answer" in caplog.text


def test_a_server_that_is_not_there(begin: Callable[..., str], caplog: pytest.LogCaptureFixture) -> None:
    """Nobody listens: the desk starts all the same."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        begin(f"http://127.0.0.1:{unused.getsockname()[1]}")
    assert "does not answer" in caplog.text


def test_the_rehearsal_model_is_not_asked(
    tmp_path: Any, shared: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs no finding out, and neither do models that a caller brings."""
    monkeypatch.setattr(bootstrap, "find_out", lambda parts: pytest.fail("nobody is to be asked"))
    changed = {"detector": shared.detector}
    for models in (None, shared.models):
        settings = read_settings(home=tmp_path, today=TODAY, model="rehearsal")
        assert open_desk(settings, Replacements(models=models, changed=changed)).close(30)
