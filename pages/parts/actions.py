"""What the guest's clicks and messages do: one call to the desk each.

Streamlit runs these once per click, before the page is drawn anew, so a rerun never sends a message twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from desk.errors import DeskError
from pages.parts import door

if TYPE_CHECKING:
    from desk.service import Desk

SAY = "say"


def current_thread() -> str | None:
    """The conversation that this page's address opens, if it names one."""
    return st.query_params.get("t") or None


def _thread(desk: Desk) -> str:
    """The page's conversation. The first message begins it: looking at the page leaves nothing behind.

    Its id is kept in the session too: a second message may be sent before the browser's address has it.
    """
    thread = current_thread() or st.session_state.get("begun")
    if thread and desk.has_thread(thread):
        return thread
    thread = desk.new_thread(st.context.locale)
    chosen = st.session_state.get("language")
    if chosen:
        desk.set_language(thread, chosen)
    st.session_state.begun = thread
    st.query_params["t"] = thread
    return thread


def _send(text: str, action: str | None = None, key: str | None = None) -> None:
    with door.polite():
        try:
            desk = door.desk_for_pages()
            desk.send(_thread(desk), text, locale=st.context.locale, action=action, key=key)
        except DeskError:
            if action is None:
                st.session_state[SAY] = text  # nobody should have to write a long message again
            raise
    st.session_state.team_turn = 0


def say() -> None:
    """Send what stands in the input."""
    text = st.session_state.get(SAY)
    if text:
        _send(text)


def send(text: str) -> None:
    """Send this text: a suggestion that was chosen, or a message that was stopped before."""
    _send(text)


def answer_offer(answer: str, offer: str, shown: int, text: str) -> None:
    """Confirm or decline exactly this offer. `shown` is the turn it stood under: a second click on the same
    card, here or in another tab, is the same answer; the same room offered later is another question."""
    _send(text, action=f"{answer}:{offer}", key=f"{answer}:{offer}:{shown}")


def begin(text: str) -> None:
    """Put the beginning of a message into the input for the guest to finish."""
    st.session_state[SAY] = text


def stop(number: int) -> None:
    """Stop a turn."""
    thread = current_thread()
    with door.polite():
        if thread:
            door.desk_for_pages().stop(thread, number)


def retry(number: int) -> None:
    """Answer a message that was left without an answer."""
    thread = current_thread()
    with door.polite():
        if thread:
            door.desk_for_pages().retry(thread, number)


def show_earlier(more: int) -> None:
    """Draw so many more of the conversation's earlier turns from now on."""
    st.session_state.earlier = st.session_state.get("earlier", 0) + more


def choose_language() -> None:
    """Keep to the chosen language from now on; automatic follows what the guest writes."""
    thread = current_thread()
    with door.polite():
        if thread:
            door.desk_for_pages().set_language(thread, st.session_state.language or None)


def new_conversation() -> None:
    """Leave this conversation; its address still opens it."""
    st.query_params.pop("t", None)
    st.session_state.pop("notice", None)
    st.session_state.pop("begun", None)
    st.session_state.pop("earlier", None)
    st.session_state.team_turn = 0
