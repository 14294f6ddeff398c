"""What guests and servers do to the page that nobody means to: messages at once, a restart."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.proto.ChatInput_pb2 import ChatInput
from streamlit.testing.v1 import AppTest

from desk.errors import StorageError
from pages.parts import door
from tests.pages.conftest import ROOT, shown


def test_a_message_is_taken_before_the_next_can_be_sent(app: Callable[..., AppTest]) -> None:
    """Streamlit keeps one submission that waits: a second, while the desk opens, would take the first one's place."""
    assert app().chat_input[0].proto.submit_mode == ChatInput.SUBMIT_MODE_DISABLE


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
