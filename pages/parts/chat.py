"""The conversation: messages, the running turn, the offer. Only draws; what happens is in `actions`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from desk.page_texts import PageTexts
from desk.view import Card, Exchange, Link, StepLine, literal_html
from pages.parts import actions
from pages.parts.literal import draw_small, draw_text, plain

if TYPE_CHECKING:
    from desk.progress import TurnProgress

GUEST = ":material/person:"
DESK = ":material/concierge:"


def draw_exchange(exchange: Exchange, texts: PageTexts, busy: bool) -> None:
    """Draw one guest message and what stands under it. `busy`: a later turn runs, so offers wait."""
    draw_guest(exchange.text)
    with st.chat_message("assistant", avatar=DESK):
        if exchange.trouble:
            _draw_trouble(exchange, exchange.trouble, texts, busy)
            return
        draw_text(exchange.reply, exchange.language)
        if exchange.booking:
            _draw_card(exchange.booking, f"booking_card_{exchange.number}")
        if exchange.offer:
            _draw_offer(exchange.offer, exchange.number, texts, busy)
        draw_small(exchange.trust)
        if exchange.sources:
            _draw_sources(exchange.sources, texts)


def draw_earlier(hidden: int, more: int, texts: PageTexts) -> None:
    """Draw the way to what lies before the turns on the page."""
    st.button(
        texts.count("earlier", hidden), icon=":material/history:", type="tertiary", key="earlier_turns",
        on_click=actions.show_earlier, args=(more,),
    )  # fmt: skip


def draw_guest(text: str) -> None:
    """Draw what the guest wrote."""
    with st.chat_message("user", avatar=GUEST):
        draw_text(text, fold=True)


def draw_unanswered(
    shown: Exchange, found: TurnProgress, steps: Sequence[StepLine], texts: PageTexts, waits: bool
) -> None:
    """Draw a turn under way: its steps, the reply as far as it has come, and the way to stop it.

    `waits`: a message before it is not answered yet.
    """
    draw_guest(shown.text)
    with st.chat_message("assistant", avatar=DESK):
        if found.text:
            draw_text(found.text)
        elif waits:
            draw_small(texts("running.queued"))
        else:
            _draw_steps(steps or [StepLine(texts("running.start"), False)])
        st.button(
            texts("running.stop"),
            icon=":material/stop_circle:",
            type="tertiary",
            key=f"stop_{shown.number}",
            on_click=actions.stop,
            args=(shown.number,),
        )


def _draw_steps(steps: Sequence[StepLine]) -> None:
    items = "".join(f'<li class="{"done" if line.done else ""}">{escape(line.text)}</li>' for line in steps)
    st.html(f'<ul class="desk-steps" role="status" aria-live="polite">{items}</ul>')


def draw_suggestions(texts: PageTexts) -> None:
    """Draw the quick suggestions; choosing one sends it."""
    with st.container(horizontal=True, gap="xsmall", key="suggestions"):
        for at, suggestion in enumerate(texts.get("suggestions.list") or []):
            st.button(
                plain(suggestion["show"]),
                key=f"suggestion_{at}",
                on_click=actions.send,
                args=(suggestion["say"],),
            )


def _draw_trouble(exchange: Exchange, trouble: str, texts: PageTexts, busy: bool) -> None:
    if exchange.reply:
        draw_text(exchange.reply, exchange.language)
    else:
        draw_small(texts(f"{trouble}.text"))
    again, argument = (
        (actions.send, exchange.text) if trouble == "stopped" else (actions.retry, exchange.number)
    )
    st.button(
        texts(f"{trouble}.retry"), icon=":material/replay:", key=f"retry_{exchange.number}", disabled=busy,
        on_click=again, args=(argument,),
    )  # fmt: skip


def _draw_sources(sources: Sequence[Link], texts: PageTexts) -> None:
    parts = []
    for link in sources:
        label = literal_html(link.label)
        address = escape(link.url, quote=True)
        parts.append(
            f'<a href="{address}" target="_blank" rel="noopener noreferrer">{label}</a>'
            if link.url
            else label
        )
    st.html(f'<div class="desk-small" dir="auto">{escape(texts("trust.sources"))}{" · ".join(parts)}</div>')


def _card_html(card: Card, label: str) -> str:
    fields = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{literal_html(value)}</dd></div>" for name, value in card.fields
    )
    return (
        f'<div class="desk-label">{escape(label)}</div>'
        f'<div class="desk-card-title">{literal_html(card.title)}</div>'
        f'<dl class="desk-fields">{fields}</dl>'
    )


def _draw_card(card: Card, key: str) -> None:
    with st.container(border=True, key=key):
        st.html(_card_html(card, card.words["label"]))


def _draw_offer(card: Card, number: int, texts: PageTexts, busy: bool) -> None:
    """The offer that stands: one primary button, one way to change, one quiet way out."""
    with st.container(border=True, key=f"offer_card_{card.id}"):
        words = card.words
        st.html(_card_html(card, words["label"]))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                words["confirm"], type="primary", key=f"confirm_{card.id}", disabled=busy,
                on_click=actions.answer_offer, args=("confirm", card.id, number, words["say_confirm"]),
            )  # fmt: skip
            if "change" in words:
                st.button(
                    words["change"], key=f"change_{card.id}", disabled=busy,
                    on_click=actions.begin, args=(words["say_change"],),
                )  # fmt: skip
            st.button(
                words["decline"], type="tertiary", key=f"decline_{card.id}", disabled=busy,
                on_click=actions.answer_offer, args=("decline", card.id, number, words["say_decline"]),
            )  # fmt: skip
        draw_small(words["note"])
