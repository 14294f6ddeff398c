"""What surrounds the conversation: style, title, tools, banner, notices."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from desk.page_texts import PageTexts
from desk.view import hotel_line
from pages.parts import actions
from pages.parts.literal import draw_text, plain

if TYPE_CHECKING:
    from desk.service import About

STYLE = Path(__file__).with_name("style.css")
ECHO = Path(__file__).with_name("echo.js")
AUTOMATIC = ""

# Streamlit has no way to set these two. The address holds the conversation's key, so no other site may
# learn it as a referrer; a screen reader needs the language the page is written in.
_DOCUMENT = """<script>
(() => {
  const page = document.documentElement;
  page.lang = %s;
  if (!document.querySelector('meta[name="referrer"]')) {
    const meta = document.createElement("meta");
    meta.name = "referrer";
    meta.content = "no-referrer";
    document.head.append(meta);
  }
})();
</script>"""


def draw_document(texts: PageTexts) -> None:
    """Style the page and say to the browser what language it is in and that its address is private."""
    st.html(STYLE)
    st.html(_DOCUMENT % json.dumps(texts.code), unsafe_allow_javascript=True)
    start = json.dumps(texts("running.start"))
    echo = ECHO.read_text(encoding="utf-8").replace("START", start, 1)
    st.html(f"<script>{echo}</script>", unsafe_allow_javascript=True)
    if texts.rtl:
        st.html("<style>.st-key-chat, [data-testid='stBottomBlockContainer'] { direction: rtl; }</style>")


def draw_title(texts: PageTexts) -> None:
    """Draw the title; needs no open desk."""
    st.title(plain(texts("title")), anchor=False)


def draw_about(texts: PageTexts, about: About, demo: bool) -> None:
    """Draw who answers here: the hotels, and in demo mode the badge that says so."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        line = texts("subtitle", hotels=hotel_line(about.hotels, texts))
        st.markdown(f"{plain(line)}", width="content")
        if demo:
            st.badge(plain(texts("demo")), icon=":material/school:", color="orange", help=texts("demo_help"))


def draw_rehearsal(texts: PageTexts) -> None:
    """Draw what the rehearsal model can do, and what a key or another server would change."""
    names = {"key": "OPENAI_API_KEY", "url": "OPENAI_BASE_URL"}
    live = plain(texts("rehearsal.live", **names))
    for name in names.values():
        live = live.replace(plain(name), f"`{name}`")
    st.info(f"{plain(texts('rehearsal.can'))} {live}", icon=":material/info:")


def draw_tools(texts: PageTexts, names: Mapping[str, str], team: bool) -> None:
    """Draw the quiet row of tools: new conversation, language by hand, privacy, the panel on a phone."""
    automatic = texts("language.automatic")
    with st.container(horizontal=True, gap="small", key="tools"):
        new = actions.new_conversation
        st.button(texts("new"), icon=":material/add_comment:", type="tertiary", key="new", on_click=new)
        label = texts("language.label")
        chosen = names.get(st.session_state.get("language") or AUTOMATIC, label)
        with st.popover(plain(chosen), icon=":material/translate:", type="tertiary", help=label):
            st.radio(
                label,
                [AUTOMATIC, *names],
                format_func=lambda code: plain(names.get(code, automatic)),
                help=texts("language.help"),
                key="language",
                on_change=actions.choose_language,
            )
        with st.popover(plain(texts("privacy.title")), icon=":material/lock:", type="tertiary"):
            draw_text(texts("privacy.text"))
            draw_text(texts("privacy.link"))
        if team:
            with st.container(key="team_button", width="content"):
                _team_button(texts("team_open"), ":material/insights:", True)


def _team_button(label: str, icon: str, opens: bool) -> None:
    st.button(label, icon=icon, type="tertiary", key=f"team_{opens}", on_click=_show_team, args=(opens,))


def _show_team(shown: bool) -> None:
    st.session_state.team_shown = shown


def draw_team_door(texts: PageTexts) -> None:
    """On a phone: what makes the open panel cover the page, and the way back."""
    if st.session_state.get("team_shown"):
        with st.container(key="team_shown"):  # the style sheet knows the open panel by this key
            _team_button(texts("team_close"), ":material/arrow_back:", False)


def draw_notice(texts: PageTexts) -> None:
    """Draw the notice kept for this drawing, once."""
    key = st.session_state.pop("notice", None)
    if key:
        st.warning(plain(texts(f"notices.{key}")), icon=":material/info:")


def draw_empty(texts: PageTexts) -> None:
    """Draw what stands where the conversation will be."""
    with st.container(key="empty"):
        st.subheader(plain(texts("empty.title")), anchor=False)
        draw_text(texts("empty.text"))
