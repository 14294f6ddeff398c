"""What guests and servers do to the page that nobody means to: messages at once, a restart."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.proto.ChatInput_pb2 import ChatInput
from streamlit.testing.v1 import AppTest

from desk.errors import StorageError
from desk.service import Desk
from pages.parts import door
from tests.pages.conftest import ROOT, shown, thread_of
from tests.pages.fake_desk import Script


def test_no_message_can_be_sent_while_the_desk_opens(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit keeps one submission that waits: a second, while the desk opens, would take the first one's place."""
    fields: list[bool] = []
    draw = st.chat_input
    monkeypatch.setattr(
        st, "chat_input", lambda *a, **more: (fields.append(more["disabled"]), draw(*a, **more))
    )
    assert not app().chat_input[0].disabled
    assert fields == [True, False]


def test_the_field_stays_open_while_the_desk_answers(
    app: Callable[..., AppTest], desk: Desk, script: Script
) -> None:
    """Further messages wait their turn; none is lost, and the field is never left closed."""
    script.pace = 0.3
    test = app()
    said = ["Is there a room free?", "And parking?"]
    for text in said:
        test.chat_input[0].set_value(text).run()
        assert not test.chat_input[0].disabled
        assert test.chat_input[0].proto.submit_mode == ChatInput.SUBMIT_MODE_SUBMIT
    assert [logged.text for logged in desk.turns(thread_of(test))] == said


def test_streamlit_finds_no_pages_of_its_own() -> None:
    """A script in pages/ is a page to Streamlit until app.py has run: after a restart browsers end there."""
    assert [path.name for path in Path(ROOT / "pages").glob("*.py")] == ["__init__.py"]


def test_what_a_desk_that_cannot_open_was_told_stays_in_the_field(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The guest reads one polite line and keeps the message; the log has one line that says what and where."""
    test = app()

    def closed() -> None:
        raise StorageError("/full/desk.db cannot be used: disk is full")

    monkeypatch.setattr(door, "desk_for_pages", closed)
    with caplog.at_level(logging.ERROR, logger="desk.pages"):
        test.chat_input[0].set_value("Is there a room free?").run()
    field = test.chat_input[0].proto
    assert field.set_value
    assert field.value == "Is there a room free?"
    assert "cannot open right now" in shown(test)
    assert "disk is full" not in shown(test)
    said = {record.getMessage() for record in caplog.records if record.name == "desk.pages"}
    assert said == {"the desk cannot do this: /full/desk.db cannot be used: disk is full"}
