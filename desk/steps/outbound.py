"""translate_out: words the reply, facts by code and prose by translation, in English and for the guest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from desk.briefing import blocks
from desk.context import TurnContext
from desk.errors import BudgetSpent, ModelError
from desk.grounding import load_facts, pieces
from desk.handoff import NOT_VERIFIED
from desk.models import calls
from desk.prose import unfaithful
from desk.quotes import QUOTE, to_translate, usable, with_quote
from desk.records import Fact
from desk.standing import NOTHING, OTHER_ROOMS
from desk.wording import Position

ASKS = {
    "clarify_pick": "pick",
    "confirm_pick": "pick",
    "confirm_nearest": "pick",
    "pick_nearest": "pick",
    "clarify_dates": "dates",
    "ask_name": "name",
    "confirm_offer": "confirm",
    "confirm_change": "confirm",
    "confirm_cancel": "confirm",
    "ask_change": "change",
}
TRIES = 2
LISTED = ("room_free", "nearest")  # rooms that can be had as they are named, and so be picked
NO_ROOM = ("none_free", "room_taken", "date_problem", "no_such_room")


class TranslatedProse(BaseModel):
    """The translator's answer: one sentence for each that was given, in the same order; so with quotations."""

    sentences: list[str]
    quotes: list[str] = []


@dataclass
class Lines:
    """The reply as it is put together, line by line, in both languages. `alike`: lines that are the same in both."""

    english: list[str] = field(default_factory=list)
    local: list[str] = field(default_factory=list)
    stated: list[Fact] = field(default_factory=list)
    translated: bool | None = None
    alike: int = 0
    shown: int = 0
    quotes: dict[str, str] = field(default_factory=dict)  # quotation → the translation that may stand for it

    def add(self, english: str, local: str, quoted: bool = False) -> None:
        """One more line; empty ones are left out. What is `quoted` may be the same in every language."""
        if english:
            self.english.append(english)
        if local:
            self.local.append(local)
            self.alike += local == english and not quoted

    def show(self, context: TurnContext) -> None:
        """Show the guest what stands and is not shown yet. Nothing may be put before it, or changed in it, later."""
        for line in self.local[self.shown :]:
            context.say(f"\n{line}" if self.shown else line)
            self.shown += 1


def translate_out(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Put the checked drafts into words and note what the next turn needs: what was listed and asked."""
    context = runtime.context
    lines = compose(state, context)
    lines.show(context)
    reply_english = "\n".join(lines.english)
    options = [f.model_dump(mode="json") for f in lines.stated if f.kind in LISTED and not f.recalled]
    asked = next((ASKS[d["frame"]] for d in reversed(state["drafts"]) if d["frame"] in ASKS), None)
    if asked is None and _speaks_of_others(state, lines.stated):
        asked = OTHER_ROOMS
    # A step that only waits for the guest's reference is what a reference is then given for.
    followed = [h for h in state["handoffs"] if h["accepted"] or h["refused_because"] == NOT_VERIFIED]
    changed: dict[str, Any] = {"options": []} if state["booking"] else {}
    if options:
        # A new listing is a new question: an older offer or pick no longer answers it.
        changed = {"options": options, **NOTHING}
    elif _answered_otherwise(state, lines.stated):
        changed = {**NOTHING}
    return {
        "messages": [AIMessage(reply_english, id=f"t{context.turn}-desk")],
        "reply_english": reply_english,
        "reply": "\n".join(lines.local),
        "stated": [fact.model_dump(mode="json") for fact in lines.stated],
        "asked": asked,
        "last_task": followed[0]["task"] if followed else state.get("last_task", ""),
        "checks": {**state["checks"], "translated": lines.translated},
        **changed,
    }


def _speaks_of_others(state: dict[str, Any], stated: list[Fact]) -> bool:
    """Whether the reply is about rooms, and not those of the offer that stands."""
    offer = state.get("offer")
    if not offer or offer["action"] != "book":
        return False
    own = {offer["room"], *(room["room"] for room in offer["rooms"])}
    return any(fact.kind in (*NO_ROOM, "room_rate") and fact.room not in own for fact in stated)


def _answered_otherwise(state: dict[str, Any], stated: list[Fact]) -> bool:
    """Whether rooms were looked for that are not those of the offer that stands, for other nights or people.

    The guest then heard that there is none; a "yes" after that must not book what was offered before.
    """
    offer = state.get("offer")
    if not offer or offer["action"] != "book" or not any(fact.kind in NO_ROOM for fact in stated):
        return False
    stay = state["stay"]
    nights = (stay.get("arrival"), stay.get("departure")) != (offer["arrival"], offer["departure"])
    return nights or bool(stay.get("problem")) or (stay.get("guests") or 0) > (offer["guests"] or 0)


def compose(state: dict[str, Any], context: TurnContext) -> Lines:
    """Every draft's lines in order; a catalogue line that two drafts end with stands once, at the end.

    The lines before the first that needs the translator are shown while it works.
    """
    facts = {fact.id: fact for fact in load_facts(state["facts"])}
    guests = state["language"].partition("-")[0]
    code = guests if context.parts.catalogue.speaks(guests) else "en"
    drafts = state["drafts"]
    prose = [text for d in drafts for kind, text in pieces(d["text"]) if kind == "prose"]
    lines = Lines(translated=None if code == "en" else True)
    told = _without_a_call(prose, code, context)
    rest = [sentence for sentence in dict.fromkeys(prose) if sentence not in told]
    stated = [facts[content] for d in drafts for kind, content in pieces(d["text"]) if kind == "fact"]
    # Quotations go along with prose that is translated anyway; for them alone no call is made.
    quotes = to_translate(stated, code, context.parts.detector) if rest else []
    catalogue = context.parts.catalogue
    named = state.get("called") or state.get("name") or ""
    places = _positions(state)
    stay_hotels = state["stay"].get("hotels") or []
    for draft in drafts:
        if draft["lead"]:
            lines.add(catalogue.phrase(draft["lead"], "en"), catalogue.phrase(draft["lead"], code))
        for kind, content in pieces(draft["text"]):
            if kind == "prose":
                if content not in told:
                    lines.show(context)
                    told |= _translate(rest, quotes, code, context, lines)
                lines.add(content.replace("{name}", named), told[content].replace("{name}", named))
                continue
            fact = facts[content]
            if fact.values.get(QUOTE) in quotes and rest[0] not in told:
                lines.show(context)
                told |= _translate(rest, quotes, code, context, lines)
            position = next(places) if fact.kind in ("room_free", "room_rate") else "plain"
            asked_for = fact.hotel in stay_hotels
            wordings = (("en", fact), (code, with_quote(fact, lines.quotes)))
            said = [catalogue.fact(each, c, position, named=asked_for) for c, each in wordings]
            lines.add(said[0], said[1], quoted=fact.kind == "web_result")
            lines.stated.append(fact)
    for frame in dict.fromkeys(d["frame"] for d in drafts if d["frame"]):
        lines.add(catalogue.frame(frame, "en"), catalogue.frame(frame, code))
    if not lines.english:
        lines.add(catalogue.frame("not_understood", "en"), catalogue.frame("not_understood", code))
    _say_limits(lines, guests, context)
    return lines


def _positions(state: dict[str, Any]) -> Iterator[Position]:
    """How the rooms of a listing are introduced: the answer to a superlative, or the first and the others."""
    superlative: Position | None = state["ask"]["superlative"]
    yield superlative or "first"
    while True:
        yield superlative or "alternative"


def _without_a_call(prose: list[str], code: str, context: TurnContext) -> dict[str, str]:
    """The prose that needs no translator: the desk's own sentences have their wording in each of its languages.

    In English that is all of it, as it is. In a language that a machine translated, whose prose cannot be checked, what
    is not the desk's own is left out.
    """
    rules, catalogue = context.parts.rules, context.parts.catalogue
    if catalogue.by_machine(code):
        kept = catalogue.own(code)
        return {sentence: rules.own_wording(sentence, code, kept) or "" for sentence in prose}
    if code == "en":
        return {sentence: sentence for sentence in prose}
    return {sentence: told for sentence in prose if (told := rules.own_wording(sentence, code))}


def _translate(
    rest: list[str], quotes: list[str], code: str, context: TurnContext, lines: Lines
) -> dict[str, str]:
    """The prose in the guest's language; English where it could not be had, and `translated` says which."""
    parts = context.parts
    messages = [
        SystemMessage(parts.procedures.text("translate_out")),
        HumanMessage(blocks(language=code, sentences=rest, quotes=quotes or None)),
    ]
    for _ in range(TRIES):
        try:
            answer = calls.ask_for(context, "translator", messages, TranslatedProse)
        except (BudgetSpent, ModelError):
            break
        if unfaithful(parts.rules, rest, answer.sentences, code) is None:
            lines.quotes = usable(quotes, answer.quotes, code, parts.rules, parts.numbers, parts.detector)
            return dict(zip(rest, answer.sentences, strict=True))
    lines.translated = False
    return {sentence: sentence for sentence in rest}


def _say_limits(lines: Lines, code: str, context: TurnContext) -> None:
    """One line in the guest's language where the desk could not put the reply into it, or a machine did."""
    catalogue, notices = context.parts.catalogue, context.parts.english_notices
    if catalogue.by_machine(code):
        _say_limits_of_machine(lines, code, context)
    elif code not in context.parts.languages:
        notices = context.parts.notices if context.parts.models.rehearsal else notices
        lines.local.insert(0, notices.get(code) or notices["en"])
        lines.translated = False
    elif lines.translated is False:
        lines.add(catalogue.frame("translated_not", "en"), catalogue.frame("translated_not", code))


def _say_limits_of_machine(lines: Lines, code: str, context: TurnContext) -> None:
    """In a language that a machine translated: what is in English, and once that nobody has reviewed the rest."""
    catalogue, notices = context.parts.catalogue, context.parts.english_notices
    lines.translated = bool(lines.local) and not lines.alike
    if lines.alike == len(lines.local):
        lines.local = [notices.get(code) or notices["en"], *lines.english]
        return
    if lines.alike:
        lines.add(catalogue.frame("translated_not", "en"), catalogue.frame("translated_not", code))
    automatic = catalogue.automatic(code)
    if automatic and not any(automatic in turn.reply for turn in context.archive()):
        lines.local.insert(0, automatic)
