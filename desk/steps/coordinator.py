"""coordinator: decides who answers. It only routes; code accepts or refuses each handoff before it runs."""

from __future__ import annotations

import logging
from typing import Any, Literal

from langgraph.runtime import Runtime

from desk import mood
from desk.briefing import brief
from desk.context import TurnContext
from desk.drafts import draft
from desk.errors import ModelUnparseable
from desk.handoff import (
    CRITERIA,
    DESTINATIONS,
    NO_OFFER,
    NO_PICK,
    NOT_CONFIRMED,
    NOT_VERIFIED,
    Desk,
    Handoff,
    Routing,
    refusal,
)
from desk.models import calls
from desk.sentiment import sentiment_of
from desk.turn import Tone

log = logging.getLogger(__name__)
# What the guest is asked when a step was refused for want of something that only they can give.
QUESTIONS = {
    NO_PICK: "clarify_pick",
    NOT_CONFIRMED: "confirm_offer",
    NO_OFFER: "no_offer",
    NOT_VERIFIED: "ask_reference",
}


def coordinator(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Ask the model for handoffs when there are none left to run, check each, and take the next one.

    The accepted record and the changed state are returned together, so they are saved together or not at
    all. Running out of the handoff budget ends the turn with what there is.
    """
    context = runtime.context
    waiting = _next(state["handoffs"])
    if waiting is not None:
        return {"current": waiting}
    if len(state["handoffs"]) >= context.parts.settings.budget_handoffs:
        return {"current": None}
    routing = _ask(state, context)
    proposed = routing.handoffs[: context.parts.settings.budget_handoffs - len(state["handoffs"])]
    handoffs = state["handoffs"] + _judge(proposed, state, context)
    if not state["handoffs"]:
        handoffs = _with_people(handoffs, state, context)
    tone = state["tone"] or routing.tone
    return {
        "handoffs": handoffs,
        "current": _next(handoffs),
        "rounds": state["rounds"] + 1,
        "tone": tone,
        "sentiment": _sentiment(state, tone, context),
        "drafts": state["drafts"] or _clarify(handoffs, state),
    }


def _sentiment(state: dict[str, Any], tone: Tone | None, context: TurnContext) -> dict[str, Any]:
    """The sentiment under the tone that is known by now; scored anew only when the tone is another."""
    if (tone or "calm") == state["sentiment"]["tone"]:
        return dict(state["sentiment"])
    table = context.parts.languages["en"].subject("mood")
    return sentiment_of(state["english"], tone, table).model_dump()


def next_agent(
    state: dict[str, Any],
) -> Literal["mapper", "reservation", "web_search", "direct", "to_staff", "checker"]:
    """Where the accepted handoff goes; to the checker when there is none."""
    if state["current"] is None:
        return "checker"
    return DESTINATIONS[state["handoffs"][state["current"]]["destination"]]  # type: ignore[return-value]


def desk_of(state: dict[str, Any], context: TurnContext) -> Desk:
    """What the handoff checks may know of this thread: its evidence, and what authorizes what."""
    evidence: dict[str, str] = {}
    for message in state["messages"]:
        ref = f"turn:{str(message.id).partition('-')[0].removeprefix('t')}"
        evidence[ref] = f"{evidence.get(ref, '')}{message.text}\n"
    evidence["stay:now"] = str(state["stay"])
    allowed: set[str] = set()
    for kind, found, key in (("pick", state.get("pick"), "id"), ("offer", state.get("offer"), "id")):
        if found:
            evidence[f"{kind}:{found[key]}"] = str(found)
            allowed.add(f"{kind}:{found[key]}")
    offer = state.get("offer")
    if offer and state.get("confirmed") == offer["id"]:
        allowed.add(f"confirmed:{offer['id']}")
    if state.get("guest"):
        reference = state["guest"]["reference"]
        evidence[f"guest:{reference}"] = str(state["guest"])
        allowed.add(f"guest:{reference}")
    hotels = frozenset(branch.id for branch in context.parts.pack.branches)
    return Desk(evidence=evidence, authorizations=frozenset(allowed), hotels=hotels)


def _ask(state: dict[str, Any], context: TurnContext) -> Routing:
    desk = desk_of(state, context)
    history = state["messages"][:-1]
    messages = brief(
        context.parts.procedures.text("coordinator"),
        history,
        hotels={branch.id: branch.name for branch in context.parts.pack.branches},
        criteria=dict(CRITERIA),
        summary=state.get("summary") or None,
        thread=_thread(state),
        authorizations=sorted(desk.authorizations),
        evidence=sorted(desk.evidence),
        done=[
            {k: h[k] for k in ("destination", "task", "status", "refused_because")} for h in state["handoffs"]
        ]
        or None,
        calm="The guest is upset: be brief, warm and concrete." if state["sentiment"]["deescalate"] else None,
        message=state["english"],
    )
    try:
        return calls.ask_for(context, "coordinator", messages, Routing)
    except ModelUnparseable:
        log.warning("the coordinator's answer could not be read; the guest is asked to say it again")
        return Routing(handoffs=[])


def _thread(state: dict[str, Any]) -> dict[str, Any]:
    """What the thread has so far, as code keeps it."""
    return {
        "stay": state["stay"],
        "fresh": state["ask"]["fresh"],
        "own_stay": state["ask"]["own_stay"],
        "picked": state["ask"]["picked"],
        "insists": state["ask"]["insists"],
        "named": state["ask"]["named"],
        "change": (state["ask"].get("change") or {}).get("fresh") or [],
        "shifts": bool((state["ask"].get("change") or {}).get("shifts")),
        "reference": state["ask"]["reference"],
        "answer": state["answer"],
        "stale_button": state["ask"].get("stale", False),
        "pick": state["pick"]["id"] if state.get("pick") else None,
        "offer": state["offer"]["id"] if state.get("offer") else None,
        "confirmed": bool(state.get("confirmed")),
        "options": len(state.get("options") or []),
        "asked": state.get("asked"),
        "last_task": state.get("last_task"),
        "verified": bool(state.get("guest")),
        "understood": state["covered"],
    }


def _judge(proposed: list[Handoff], state: dict[str, Any], context: TurnContext) -> list[dict[str, Any]]:
    """Each proposal as a record, accepted or refused with its reason."""
    desk = desk_of(state, context)
    records: list[dict[str, Any]] = []
    for handoff in proposed:
        why = refusal(handoff, desk) or _repeats(handoff, [*state["handoffs"], *records])
        records.append(
            {**handoff.model_dump(), "accepted": why is None, "refused_because": why, "status": None}
        )
    return records


def _repeats(handoff: Handoff, earlier: list[dict[str, Any]]) -> str | None:
    """A route taken again for the same task brings no new evidence: that is a loop."""
    same = [h for h in earlier if h["accepted"] and h["destination"] == handoff.destination]
    again = any((h["task"], sorted(h["hotels"])) == (handoff.task, sorted(handoff.hotels)) for h in same)
    if again or len(same) >= 2:
        return "this route was already taken this turn and brought nothing new"
    return None


def _with_people(
    handoffs: list[dict[str, Any]], state: dict[str, Any], context: TurnContext
) -> list[dict[str, Any]]:
    """Safety, theft and health always reach people, whatever the model thought."""
    alarm = mood.alarm(state["english"], context.parts.languages["en"].subject("mood"))
    if alarm is None or any(h["accepted"] and h["destination"] == "staff" for h in handoffs):
        return handoffs
    call = Handoff(
        destination="staff",
        reason=f"a {alarm} matter",
        task="Tell the hotel's people at once.",
        completion_criteria=CRITERIA["staff"],
        request_kind="emergency",
    )
    return [{**call.model_dump(), "accepted": True, "refused_because": None, "status": None}, *handoffs][:3]


def _clarify(handoffs: list[dict[str, Any]], state: dict[str, Any]) -> list[dict[str, Any]]:
    """What is asked about a refused step, also beside accepted ones; in general when nothing was accepted."""
    asked = [QUESTIONS[h["refused_because"]] for h in handoffs if h["refused_because"] in QUESTIONS]
    if not asked and any(h["accepted"] for h in handoffs):
        return []
    frame = asked[0] if asked else "not_understood"
    if frame == QUESTIONS[NOT_VERIFIED]:
        # A reference that did not open a booking is said so, and no more; after too many the thread waits.
        frame = {"given": "unverified", "wait": "wait_reference"}.get(state["ask"]["reference"] or "", frame)
    return [draft("coordinator", "", frame=frame)]


def _next(handoffs: list[dict[str, Any]]) -> int | None:
    """The first accepted handoff that has not run yet."""
    return next((i for i, h in enumerate(handoffs) if h["accepted"] and h["status"] is None), None)
