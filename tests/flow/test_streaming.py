"""What a guest sees of a reply while it is made: always the beginning of what it will be, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.errors import BudgetSpent, ModelUnreachable
from desk.models.rehearsal.model import ROLES
from desk.progress import LiveTurn
from desk.steps import outbound
from desk.turn import Turn
from tests.conftest import Opened, Script
from tests.flow.support import handoff, marks_only, raises, routes, says, structured

ENGLISH = "Is a Deluxe room free from 1 to 3 February?"
GERMAN = "Ist vom 1. bis 3. Februar ein Deluxe-Zimmer frei?"
FOREIGN = "Bonjour, avez-vous une chambre libre du 1 au 3 février ?"
HOTELS = routes(handoff("hotels"))
PROSE, PROSA = "With pleasure.", "Sehr gern."


class Watching:
    """A desk whose every model call first looks at what the guest sees by then."""

    def __init__(self, opener: Callable[..., Opened], scripts: Mapping[str, Script]) -> None:
        self.seen: list[tuple[str, str]] = []
        self.opened = opener({role: self._watched(role, scripts.get(role)) for role in ROLES})
        self.thread = self.opened.thread()

    def _watched(self, role: str, script: Script | None) -> Script:
        def watched(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
            asked = "out" if "TranslatedProse" in tools else role
            self.seen.append((asked, self.opened.desk.progress(self.thread, 1).text))
            if script is not None:
                return script(messages, tools)
            return ROLES[role](self.opened.parts.models.subject, messages, tools)  # type: ignore[attr-defined]

        return watched

    def say(self, text: str) -> Turn:
        """One message. Whatever was seen on the way must be the beginning of the reply."""
        turn = self.opened.say(self.thread, text)
        for asked, shown in self.seen:
            assert turn.reply.startswith(shown), asked
            assert asked == "out" or shown == "", asked
        return turn

    def before_translation(self) -> list[str]:
        """What stood on the page each time the translator was asked for the reply's prose."""
        return [shown for asked, shown in self.seen if asked == "out"]


def with_prose(before: str = "", after: str = "") -> Script:
    """A merger that writes the facts in their order, and prose around them."""

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        return AIMessage(f"{before} {marks_only(messages, tools).text} {after}".strip())

    return script


def translates(*answers: Sequence[str]) -> Script:
    """A translator that reads as the desk does, and gives these answers for the reply's prose, one a call."""
    left = iter(answers)

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if "TranslatedProse" not in tools:
            return structured("Translation", english=ENGLISH, tone="calm", understood=True)
        return structured("TranslatedProse", sentences=list(next(left)))

    return script


def fact_lines(turn: Turn) -> list[str]:
    """The reply's lines that name a room."""
    return [line for line in turn.reply.splitlines() if any(room in line for room in ("104", "108"))]


def test_what_is_certain_does_not_wait_for_the_translator(open_at: Callable[..., Opened]) -> None:
    """Facts before the prose are on the page, in German, while the prose is still being translated."""
    desk = Watching(
        open_at,
        {"coordinator": HOTELS, "merger": with_prose(after=PROSE), "translator": translates([PROSA])},
    )
    turn = desk.say(GERMAN)
    assert desk.before_translation() == ["\n".join(fact_lines(turn))]
    assert len(fact_lines(turn)) == 2
    assert PROSA in turn.reply.splitlines()


def test_nothing_overtakes_prose_that_comes_first(open_at: Callable[..., Opened]) -> None:
    """The order on the page is the reply's: facts behind prose wait for it, and no English stands in for it."""
    desk = Watching(
        open_at,
        {"coordinator": HOTELS, "merger": with_prose(before=PROSE), "translator": translates([PROSA])},
    )
    turn = desk.say(GERMAN)
    assert desk.before_translation() == [""]
    assert turn.reply.splitlines()[0] == PROSA


def test_a_translation_that_is_refused_was_never_shown(open_at: Callable[..., Opened]) -> None:
    """The first answer claims something, so it is asked for again; what was shown meanwhile still begins the reply."""
    translator = translates(["Es ist gebucht."], [PROSA])
    desk = Watching(
        open_at, {"coordinator": HOTELS, "merger": with_prose(after=PROSE), "translator": translator}
    )
    turn = desk.say(GERMAN)
    first, second = desk.before_translation()
    assert first == second == "\n".join(fact_lines(turn))
    assert "gebucht" not in turn.reply
    assert turn.checks.translated


@pytest.mark.parametrize(
    "error", [ModelUnreachable("down"), BudgetSpent("model calls")], ids=["gone", "spent"]
)
def test_a_translation_that_cannot_be_had(
    open_at: Callable[..., Opened], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Facts were shown and then the translator fails: they stay, the prose follows in English, and a line says so."""
    desk = Watching(
        open_at, {"coordinator": HOTELS, "merger": with_prose(after=PROSE), "translator": translates()}
    )
    shown: list[str] = []

    def fails(context: Any, *args: Any) -> Any:
        shown.append(desk.opened.desk.progress(desk.thread, 1).text)
        raise error

    monkeypatch.setattr(outbound.calls, "ask_for", ask_for_but(fails))
    turn = desk.say(GERMAN)
    assert shown == ["\n".join(fact_lines(turn))]
    assert turn.problem is None
    assert PROSE in turn.reply.splitlines()
    assert turn.reply.splitlines()[-1] == desk.opened.parts.catalogue.frame("translated_not", "de")
    assert turn.reply.startswith(shown[0])


def ask_for_but(fails: Callable[..., Any]) -> Callable[..., Any]:
    """`ask_for`, but for the reply's prose."""
    real = outbound.calls.ask_for

    def ask_for(context: Any, role: str, messages: Any, schema: Any) -> Any:
        return (fails if schema is outbound.TranslatedProse else real)(context, role, messages, schema)

    return ask_for


def test_nothing_of_a_refused_draft_is_shown(open_at: Callable[..., Opened]) -> None:
    """A draft with a claim goes back to its writer: by then nothing is on the page, and nothing of it ever is."""
    drafts = iter([with_prose(before="Room 999 is booked."), marks_only])

    def merger(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        return next(drafts)(messages, tools)

    desk = Watching(open_at, {"coordinator": HOTELS, "merger": merger})
    turn = desk.say(ENGLISH)
    assert turn.checks.retries == 1
    assert [asked for asked, _ in desk.seen].count("merger") == 2
    assert "999" not in turn.reply


@pytest.mark.parametrize("text", [ENGLISH, GERMAN, FOREIGN])
def test_the_pieces_are_the_reply(
    open_at: Callable[..., Opened], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Put together they are the reply to the letter, in its order; no piece is a model's own text."""
    pieces: list[str] = []
    kept = LiveTurn.text

    def text_of(self: LiveTurn, piece: str) -> None:
        pieces.append(piece)
        kept(self, piece)

    monkeypatch.setattr(LiveTurn, "text", text_of)
    desk = Watching(open_at, {})
    turn = desk.say(text)
    assert "".join(pieces) == turn.reply
    assert len(pieces) == len(turn.reply.splitlines())
    assert not any(sign in turn.reply for sign in ("{", "[[", "Routing"))


def test_a_turn_without_an_answer_showed_nothing(open_at: Callable[..., Opened]) -> None:
    """The model goes in mid-turn, after a branch has answered: the apology takes nothing back."""
    desk = Watching(
        open_at, {"coordinator": HOTELS, "merger": says("x"), "hotel": raises(ModelUnreachable("x"))}
    )
    turn = desk.say(GERMAN)
    assert {shown for _, shown in desk.seen} == {""}
    assert turn.reply
