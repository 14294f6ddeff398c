"""What page tests need: the scripted desk, and the app with it behind its door."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from re import sub

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from desk.service import Desk
from pages.parts import door
from tests.pages.fake_desk import NAMES, Script, fake_desk

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def script() -> Script:
    """The script that answers; a test may change its pace."""
    return Script()


@pytest.fixture
def desk(tmp_path: Path, script: Script) -> Iterator[Desk]:
    """A real desk whose turns the script answers."""
    opened = fake_desk(tmp_path / "home", script=script)
    yield opened
    opened.close()


@pytest.fixture
def app(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., AppTest]]:
    """Open the app on a thread, as a link does."""
    monkeypatch.setattr(door, "hotel_names", lambda: NAMES)

    def open_app(
        thread: str | None = None, locale: str | None = "en-GB", behind: Desk | None = None
    ) -> AppTest:
        monkeypatch.setattr(door, "desk_for_pages", lambda: behind or desk)
        monkeypatch.setattr("streamlit.runtime.context.ContextProxy.locale", locale)
        test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
        if thread:
            test.query_params["t"] = thread
        return test.run()

    yield open_app
    st.cache_resource.clear()


def shown(test: AppTest) -> str:
    """Everything that the page says, tags taken out: messages as a reader sees them."""
    bodies = [element.proto.body for element in test.get("html")]
    bodies += [element.value for kind in ("markdown", "title", "subheader") for element in test.get(kind)]
    bodies += [element.value for element in (*test.info, *test.warning)]
    return "\n".join(unescape(sub(r"(?s)<script>.*?</script>|<[^>]+>", "", body)) for body in bodies)


def answered(desk: Desk, thread: str) -> None:
    """Wait until every message of the thread is answered."""
    for logged in desk.turns(thread):
        desk.wait(thread, logged.number, timeout=20)


def thread_of(test: AppTest) -> str:
    """The conversation in the page's address."""
    value = test.query_params["t"]
    return value if isinstance(value, str) else value[0]
