"""The team's panel: one turn seen from inside. Staff texts are English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from desk import team_view
from desk.view import PENDING, branch_of
from pages.parts import team_html
from pages.parts.literal import draw_small, draw_text, plain

if TYPE_CHECKING:
    from desk.progress import Step
    from desk.stores.turnlog import LoggedTurn
    from desk.turn import BranchLog, Turn

# More branches than this would not fit beside one another as tabs.
TABS = 5
LATEST = 0
NOTHING_YET = "No conversation yet. As soon as a guest writes, this panel shows what happens inside the desk."
NO_TURN = "This message has no answer, so there is nothing to look into."


def pick_turn(log: Sequence[LoggedTurn]) -> LoggedTurn | None:
    """Let the team pick any turn; the latest is followed until another is picked. None when there is none."""
    st.html('<div class="desk-label">For the team</div>')
    if not log:
        st.html(f'<div class="desk-blank">{NOTHING_YET}</div>')
        return None
    by_number = {logged.number: logged for logged in log}
    latest = log[-1].number
    if st.session_state.get("team_turn") not in (LATEST, *by_number):
        st.session_state.team_turn = LATEST
    names = {
        number: f"Turn {number} · {' '.join(logged.text.split())[:60]}"
        for number, logged in by_number.items()
    }
    picked = st.selectbox(
        "Turn to look into",
        [LATEST, *sorted(by_number, reverse=True)],
        format_func=lambda number: f"Latest turn ({latest})" if number == LATEST else names[number],
        label_visibility="collapsed",
        key="team_turn",
    )
    return by_number[picked or latest]


def draw_turn(logged: LoggedTurn, hotels: Mapping[str, str]) -> None:
    """Draw one finished turn in tabs."""
    turn = logged.turn
    if turn is None:
        if logged.status not in PENDING:
            st.html(f'<div class="desk-blank">{NO_TURN} ({logged.status})</div>')
        return
    many = len(hotels) > TABS
    middle = ["Hotels"] if many else [plain(name) for name in hotels.values()]
    tabs = st.tabs(["Route", *middle, "Summary", "Mood", "Facts"], key="team_tabs")
    with tabs[0]:
        _draw_route(turn, hotels)
    if many:
        with tabs[1]:
            _draw_one_of_many(turn, hotels)
    else:
        for tab, branch in zip(tabs[1:], hotels, strict=False):
            with tab:
                _draw_branch(turn.branches.get(branch), hotels[branch])
    with tabs[-3]:
        _draw_summary(turn)
    with tabs[-2]:
        st.html(team_html.mood(team_view.mood(turn.sentiment)))
    with tabs[-1]:
        st.html(team_html.facts(turn.facts, hotels))


def draw_running(text: str, number: int, steps: Sequence[Step], hotels: Mapping[str, str]) -> None:
    """Draw the turn under way: the guest's text and every node so far."""
    st.html(f'<div class="desk-small">Turn {number} is under way.</div>' + team_html.pair(text, "", ""))
    st.html(
        team_html.live([(s.name, s.state, s.seconds, branch_of(s.name, hotels) is not None) for s in steps])
    )


def _draw_route(turn: Turn, hotels: Mapping[str, str]) -> None:
    st.html(team_html.pair(turn.text, turn.language, turn.english))
    st.html(team_html.handoffs([team_view.handoff_line(handoff) for handoff in turn.handoffs], turn.route))
    if turn.requests:
        st.html(team_html.requests(turn.requests))
    st.html(team_html.timeline(team_view.timeline(turn.nodes, hotels)))
    use = turn.model
    title, cost = team_view.cost(use)
    st.html(
        team_html.numbers(
            {
                "Model calls": str(use.calls),
                "Tokens": f"{use.input_tokens + use.output_tokens:,}".replace(",", "\u2009"),
                title: cost,
                "Retries": str(turn.checks.retries),
                "Grounded": team_view.grounded(turn),
            }
        )
    )
    for problem in team_view.problems(turn):
        draw_small(problem, warn=True)
    versions = " · ".join(f"{name} {version}" for name, version in sorted(turn.procedures.items()))
    draw_small(" · ".join(part for part in (use.name, versions) if part))


def _draw_branch(branch: BranchLog | None, name: str) -> None:
    if branch is None:
        st.html(f'<div class="desk-blank">{escape(name)} was not asked this turn.</div>')
        return
    st.html(team_html.status(branch.status, len(branch.messages)))
    for message in branch.messages:
        said = team_view.said(message)
        st.html(team_html.said(said))
        if said.data:
            st.code(said.data, language="json", wrap_lines=True)


def _draw_one_of_many(turn: Turn, hotels: Mapping[str, str]) -> None:
    asked = [branch for branch in hotels if branch in turn.branches]
    st.html(f'<div class="desk-small">{len(asked)} of {len(hotels)} hotels asked this turn.</div>')
    order = asked + [branch for branch in hotels if branch not in turn.branches]
    branch = st.selectbox("Hotel", order, format_func=lambda key: hotels[key], key="team_branch")
    _draw_branch(turn.branches.get(branch), hotels[branch])


def _draw_summary(turn: Turn) -> None:
    if turn.folded:
        draw_small(f"{turn.folded} messages were folded into the summary at the start of this turn.")
    if turn.summary:
        draw_text(turn.summary)
    else:
        st.html(
            '<div class="desk-blank">Nothing folded yet: the whole conversation is still word for word.</div>'
        )
