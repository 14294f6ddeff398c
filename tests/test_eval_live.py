"""`make eval LIVE=1`: the model that the environment names is asked, few cases, and what it may take is said before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desk.bootstrap import Replacements, open_parts
from desk.context import Parts
from tests.eval.__main__ import main
from tests.eval.sources import rehearsing
from tests.models.test_startup import ready
from tests.wire.http_stub import Reply, Stub, serving
from tests.wire.openai_stub import rehearsed, roles

MODEL = "stub-model"
KINDS = ["--kind", "guide", "--kind", "price", "--kind", "booking", "--language", "en"]


@pytest.fixture
def server(shared: Parts, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """A server that plays every role as the rehearsal model does; the environment names it."""
    play = rehearsed(shared)

    def answer(body: dict[str, Any]) -> Reply:
        return ready(body) if "Are you ready?" in str(body["messages"]) else play(body)

    with serving(answer) as stub:
        own = Replacements(changed={"detector": shared.detector})  # loading another takes seconds
        monkeypatch.setattr("tests.eval.sources.open_parts", lambda settings: open_parts(settings, own))
        monkeypatch.setenv("OPENAI_BASE_URL", f"{stub.url}/v1")
        monkeypatch.setenv("DESK_MODEL", MODEL)
        monkeypatch.setenv("DESK_PRICES", f"{MODEL}=1/10")
        yield stub


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, dict[str, Any]]:
    """What the command prints with these arguments, and its JSON line."""
    main([*arguments, "--json"])
    text = capsys.readouterr().out
    found: dict[str, Any] = json.loads(text.splitlines()[-1])
    return text, found


def test_a_live_model_is_asked_and_graded_by_the_same_records(
    server: Stub, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """One case of each kind by itself; first where it runs and what it may take, then what it took."""
    text, found = printed(capsys, "--live", "--out", str(tmp_path), *KINDS)
    suite = found["suites"]["own cases"]
    assert (suite["total"], suite["trials"], suite["pass"]) == (3, 1, {"en": [1.0]})
    where, foreseen = text.splitlines()[:2]
    assert found["machine"]["date"] in where
    assert foreseen.startswith(f"{MODEL} is asked now: 3 cases, 1 trials of each")
    assert found["model"]["model"] == MODEL
    assert found["model"]["calls"] > found["model"]["turns"] > 3
    assert found["model"]["cost"] > 0
    assert f"model {MODEL}: " in text
    asked = [each for each in server.asked if "Are you ready?" not in str(each.body["messages"])]
    assert len(asked) >= found["model"]["calls"]
    assert "no trial failed" in text


def test_the_forecast_is_near_to_what_is_taken(server: Stub, capsys: pytest.CaptureFixture[str]) -> None:
    """A model that answers as the rehearsal model does takes the calls that were foreseen."""
    text, found = printed(capsys, "--live", "--trials", "2", "--kind", "guide", "--language", "en")
    assert f"takes {found['model']['calls']} calls" in text
    assert found["suites"]["own cases"]["trials"] == 2


def test_a_wrong_live_model_fails(
    server: Stub, shared: Parts, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """One that hands every message to the wrong agent passes nothing, and its conversations stand in the file."""
    play, role_of = server.answer, roles(shared)

    def astray(body: dict[str, Any]) -> Reply:
        status, told = play(body)
        if "Are you ready?" not in str(body["messages"]) and role_of(body) == "coordinator":
            call = told["choices"][0]["message"]["tool_calls"][0]["function"]  # type: ignore[index,call-overload]
            call["arguments"] = call["arguments"].replace('"hotels"', '"direct"')
        return status, told

    server.answer = astray
    text, found = printed(capsys, "--live", "--kind", "guide", "--language", "en", "--out", str(tmp_path))
    assert found["suites"]["own cases"]["pass"] == {"en": [0.0]}
    assert f"failing trials are in {tmp_path / 'failing.txt'}" in text
    assert "expect  " in (tmp_path / "failing.txt").read_text(encoding="utf-8")


def test_without_a_live_model_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played, and the line names the variables."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DESK_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SystemExit, match="eval: OPENAI_API_KEY, or OPENAI_BASE_URL"):
        main(["--live"])


def test_a_live_model_that_refuses_the_key_is_one_line(server: Stub) -> None:
    """So is a server that will not have the key."""
    server.answer = lambda body: (401, {"error": {"message": "no", "code": "invalid_api_key"}})
    with pytest.raises(SystemExit, match="eval: OPENAI_API_KEY: "):
        main(["--live"])


def test_without_live_no_setting_of_yours_is_used(server: Stub) -> None:
    """The rehearsal model plays although the environment names a live one, which is never asked."""
    with rehearsing() as parts:
        assert parts.models.rehearsal
        assert parts.settings.openai_base_url is None
    with rehearsing() as parts:  # and the environment was put back in between
        assert parts.models.rehearsal
    assert server.asked == []
