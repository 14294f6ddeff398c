"""The pages' one way to the desk, and what they say when the desk cannot do something."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import streamlit as st

from desk.errors import BadMessage, DeskError, UnknownThread
from desk.logs import without_words
from desk.pack import load_pack
from desk.page_texts import PageTexts, load_page_texts
from desk.settings import read_settings

if TYPE_CHECKING:
    from desk.service import Desk

log = logging.getLogger("desk.pages")

DATA = Path(__file__).resolve().parent.parent.parent / "data"


@st.cache_resource(show_spinner=False)
def desk_for_pages() -> Desk:
    """The open desk, shared by every session of this server. Opened when the first page asks for it."""
    from desk.bootstrap import open_desk

    return open_desk(read_settings())


@st.cache_resource(show_spinner=False)
def opened() -> Event:
    """Set by the first page that found the desk open, so that the next can tell without asking for it."""
    return Event()


@st.cache_resource(show_spinner=False)
def hotel_names() -> dict[str, str]:
    """The hotels' names by branch id, in priority order."""
    return {branch.id: branch.name for branch in load_pack(read_settings().pack).branches}


@st.cache_resource(show_spinner=False)
def is_demo() -> bool:
    """Whether everything is open to everybody on this machine, the team's panel too."""
    return read_settings().access == "demo"


@st.cache_resource(show_spinner=False)
def page_texts() -> dict[str, PageTexts]:
    """The page texts of every language, by code."""
    return load_page_texts(DATA)


def notice(key: str) -> None:
    """Keep one line to show at the next drawing; `key` is under [notices] in page.toml."""
    st.session_state.notice = key


@contextmanager
def polite(key: str = "trouble") -> Iterator[None]:
    """Whatever the desk raises inside becomes one polite line; what it was goes to the log.

    This is the page's outermost edge: the only place where every exception is caught, because a guest must
    never see a traceback. Streamlit's own control flow is not an Exception and passes through.
    """
    try:
        yield
    except BadMessage as error:
        notice(error.reason)
    except UnknownThread:
        notice("unknown_thread")
    except DeskError as error:
        log.error("the desk cannot do this: %s", error)  # noqa: TRY400 - one line that says what and where
        notice(key)
    except Exception as error:
        log.error("a page failed: %s", without_words(error))  # noqa: TRY400 - a message may quote a guest
        notice(key)
