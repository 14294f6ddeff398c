"""Ways to put text on a page that Markdown must not touch."""

from __future__ import annotations

import re
from html import escape

import streamlit as st

from desk.view import literal_html

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!~$|<>:])")


def plain(text: str) -> str:
    """`text` for a Streamlit label, which reads Markdown: every sign that Markdown would eat is escaped."""
    return _MARKDOWN.sub(r"\\\1", text)


# A message longer than this many characters scrolls in its own box, so that its answer stays in sight.
LONG = 1_500


def text_html(text: str, language: str = "", fold: bool = False) -> str:
    """A block of text exactly as it was written, in its own direction; with `fold` a long one scrolls."""
    lang = f' lang="{escape(language)}"' if language else ""
    box = ' tabindex="0" class="desk-text desk-long"' if fold and len(text) > LONG else ' class="desk-text"'
    return f'<div{box} dir="auto"{lang}>{literal_html(text)}</div>'


def draw_text(text: str, language: str = "", fold: bool = False) -> None:
    """Draw a block of text exactly as it was written."""
    st.html(text_html(text, language, fold))


def draw_small(text: str, warn: bool = False) -> None:
    """Draw one quiet line."""
    st.html(f'<div class="desk-small{" desk-warn" if warn else ""}" dir="auto">{literal_html(text)}</div>')
