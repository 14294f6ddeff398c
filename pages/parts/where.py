"""Which conversation the page shows, and in which language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from desk.page_texts import PageTexts, choose_language
from pages.parts import actions, door, frame

if TYPE_CHECKING:
    from desk.service import Desk


def first_language() -> PageTexts:
    """The language to begin drawing in, before the desk is asked: as last time, else the browser's."""
    return choose_language([st.session_state.get("page_language"), st.context.locale], door.page_texts())


def find_thread(desk: Desk) -> str:
    """The conversation in the address, or "": an unknown one is said so, and a new one can begin."""
    thread = actions.current_thread() or st.session_state.get("begun") or ""
    if thread and not desk.has_thread(thread):
        st.query_params.pop("t", None)
        st.session_state.pop("begun", None)
        door.notice("unknown_thread")
        return ""
    return thread


def settle_language(desk: Desk, thread: str, shown: PageTexts) -> None:
    """The page follows the conversation's language; before there is one, the hand's or browser's choice."""
    if thread:
        info = desk.thread(thread)
        if st.session_state.get("language_of") != thread:
            st.session_state.language = info.chosen_language or frame.AUTOMATIC
            st.session_state.language_of = thread
        wanted = [info.chosen_language, info.language]
    else:
        wanted = [st.session_state.get("language")]
    texts = choose_language([*wanted, st.context.locale], door.page_texts())
    st.session_state.page_language = texts.code
    if texts.code != shown.code:
        st.rerun()
