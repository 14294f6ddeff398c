"""The guest's page: the conversation, and beside it the team's panel. It only draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from desk import view
from desk.page_texts import PageTexts
from pages.parts import actions, chat, door, frame, team, where

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from desk.service import Desk
    from desk.stores.turnlog import LoggedTurn

# How often a running turn is asked how far it is, in seconds. Nothing polls when no turn runs.
POLL = 0.5
# Turns drawn at first, and so many more at each click: a page of hundreds takes seconds to draw, twice a message.
SHOWN = 30
STEP = 10  # turns leave the page by tens, so that it stays still in between


@dataclass(frozen=True)
class Scene:
    """What this drawing of the page is of. `panel` is where a running turn is followed for the team, `hidden` how
    many turns lie before those that are drawn."""

    desk: Desk
    thread: str
    texts: PageTexts
    hotels: Mapping[str, str]
    panel: DeltaGenerator | None
    hidden: int


def _follow(scene: Scene, rest: Sequence[view.Exchange]) -> None:
    """Draw the turns that are not answered yet, as far as they are; draw the page anew when one is."""
    with door.polite():
        waiting = [shown.number for shown in rest if shown.pending]
        progress = {number: scene.desk.progress(scene.thread, number) for number in waiting}
        if any(found.status not in view.PENDING for found in progress.values()):
            st.rerun()
        for shown in rest:
            found = progress.get(shown.number)
            if found is None:
                chat.draw_exchange(shown, scene.texts, busy=True)
                continue
            steps = view.step_lines(found.steps, scene.texts, scene.hotels)
            chat.draw_unanswered(shown, found, steps, scene.texts, waits=shown.number != waiting[0])
            # Also before a worker has taken it: Streamlit lets a fragment write later only where it wrote at first.
            if scene.panel is not None and shown.number == waiting[0]:
                with scene.panel:
                    team.draw_running(shown.text, shown.number, found.steps, scene.hotels)


def _draw_conversation(scene: Scene, log: Sequence[LoggedTurn]) -> None:
    exchanges = view.conversation(log, scene.texts, scene.hotels)
    first = next((at for at, shown in enumerate(exchanges) if shown.pending), len(exchanges))
    busy = first < len(exchanges)
    if scene.hidden:
        chat.draw_earlier(scene.hidden, SHOWN, scene.texts)
    for shown in exchanges[:first]:
        chat.draw_exchange(shown, scene.texts, busy)
    if busy:
        st.fragment(_follow, run_every=POLL)(scene, exchanges[first:])
        return
    if not exchanges:
        frame.draw_empty(scene.texts)
    chat.draw_suggestions(scene.texts)


def _draw_team(
    log: Sequence[LoggedTurn], texts: PageTexts, hotels: Mapping[str, str]
) -> DeltaGenerator | None:
    """Draw the team's panel; returns the place to follow a running turn in, when it shows one."""
    frame.draw_team_door(texts)
    picked = team.pick_turn(log)
    body = st.container()
    if picked is not None and picked.status in view.PENDING:
        return body
    if picked is not None:
        with body:
            team.draw_turn(picked, hotels)
    return None


def _hidden(turns: int) -> int:
    """How many of the first turns are left out."""
    over: int = max(0, turns - SHOWN - st.session_state.get("earlier", 0))
    return over // STEP * STEP


def _draw(desk: Desk, texts: PageTexts, place: DeltaGenerator) -> None:
    thread = where.find_thread(desk)
    where.settle_language(desk, thread, texts)
    hidden = _hidden(desk.thread(thread).turns) if thread else 0
    log = desk.turns(thread, after=hidden) if thread else []
    hotels, demo, panel = door.hotel_names(), door.is_demo(), None
    if demo:
        with place.container(key="team"):
            panel = _draw_team(log, texts, hotels)
    frame.draw_about(texts, desk.about, demo)
    frame.draw_tools(texts, dict(desk.about.languages), demo)
    if desk.about.rehearsal:
        frame.draw_rehearsal(texts)
    _draw_conversation(Scene(desk, thread, texts, hotels, panel, hidden), log)


def main() -> None:
    """Draw the page: first what needs no desk, then the rest."""
    texts = where.first_language()
    frame.draw_document(texts)
    # A message that is sent while the desk opens would take the place of one that already waits: Streamlit keeps one.
    # Later each is taken at once, so the field stays open: several may be sent while the desk answers.
    ready = door.opened().is_set()
    st.chat_input(texts("placeholder"), key=actions.SAY, disabled=not ready, on_submit=actions.say)
    left, right = st.columns([3, 2], gap="medium")
    with left.container(key="chat"):
        frame.draw_title(texts)
        with door.polite("closed"):
            with st.spinner(texts("opening")):
                desk = door.desk_for_pages()
            if not ready:
                door.opened().set()
                st.rerun()
            with door.polite():
                _draw(desk, texts, right)
        frame.draw_notice(texts)


main()
