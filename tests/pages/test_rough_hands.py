"""What guests and servers do to the page that nobody means to: messages at once, a restart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamlit.proto.ChatInput_pb2 import ChatInput
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import ROOT


def test_a_message_is_taken_before_the_next_can_be_sent(app: Callable[..., AppTest]) -> None:
    """Streamlit keeps one submission that waits: a second, while the desk opens, would take the first one's place."""
    assert app().chat_input[0].proto.submit_mode == ChatInput.SUBMIT_MODE_DISABLE


def test_streamlit_finds_no_pages_of_its_own() -> None:
    """A script in pages/ is a page to Streamlit until app.py has run: after a restart browsers end there."""
    assert [path.name for path in Path(ROOT / "pages").glob("*.py")] == ["__init__.py"]
