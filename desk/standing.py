"""The offer that stands while the guest talks on: which stay counts, and what a new wish makes of it.

Read by code from the guest's own words, as all that a "yes" may book.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Any

from desk.languages import Language
from desk.reading.anew import any_room
from desk.reading.answers import read_answer
from desk.reading.ask import Ask
from desk.records import Fact, Offer, Stay

_QUESTION = re.compile("[?？؟]")
_CLAUSE = re.compile(r"[,.;:!–-]\s")
OTHER_ROOMS = "other_rooms"  # what was last spoken of: after it a bare yes may mean one or the other
NOTHING: dict[str, Any] = {"offer": None, "pick": None, "picks": [], "confirmed": None}


def asked_before(state: Mapping[str, Any]) -> Stay:
    """The stay asked for so far.

    While an offer stands its nights are the ones that count: a day that a question in between named ("What
    time is breakfast tomorrow?") has not moved them.
    """
    stay = Stay.model_validate(state.get("stay") or {})
    offer = state.get("offer")
    if not offer or offer["action"] != "book":
        return stay
    made = Offer.model_validate(offer)
    nights = {"arrival": made.arrival, "departure": made.departure, "period": False, "length": None}
    return stay.model_copy(update={**nights, "problem": None, "readings": [], "readings_until": []})


def overtaken(
    state: Mapping[str, Any], ask: Ask, stay: Stay, languages: Sequence[Language]
) -> dict[str, Any]:
    """What becomes of the offer when the guest wants other nights or comes with more people, as state fields:
    a later "yes" must not book the old one.

    "No, one night longer" picks the same rooms for the new nights; with another type, hotel or room named the
    offer simply falls. A question about another day is none of this: what it is about, the coordinator says.
    """
    offer = state.get("offer")
    if not offer or not _alters(state["text"], ask, stay, offer, languages):
        return {}
    picks = [Fact.model_validate(pick) for pick in state.get("picks") or ()]
    whichever = any_room([state["text"], state["english"]], languages)
    same_room = not ask.fresh & {"type", "hotels", "rooms"} and not whichever
    crowded = len(picks) == 1 and (stay.guests or 0) > (picks[0].sleeps or 0)
    if offer["action"] != "book" or not same_room or stay.problem or not picks or crowded:
        return NOTHING
    options = [Fact.model_validate(option) for option in state.get("options") or ()]
    moved = [_moved(pick, picks[0], stay) for pick in picks]
    return {
        **NOTHING,
        **picked_fields(moved),
        "options": _rows(_moved(room, picks[0], stay) for room in options),
    }


def again(state: Mapping[str, Any]) -> dict[str, Any]:
    """The same pick once more."""
    return {"pick": state.get("pick"), "picks": state.get("picks") or []}


def picked_fields(picks: Sequence[Fact]) -> dict[str, Any]:
    """The state fields of these picks."""
    rows = _rows(picks)
    return {"pick": rows[0], "picks": rows}


def _rows(facts: Any) -> list[dict[str, Any]]:
    return [fact.model_dump(mode="json") for fact in facts]


def _moved(room: Fact, like: Fact, stay: Stay) -> Fact:
    """A room listed for the nights of `like`, now for those of the stay; what was listed for others stays."""
    if (room.arrival, room.departure) != (like.arrival, like.departure):
        return room
    span = {"arrival": stay.arrival, "departure": stay.departure, "guests": stay.guests}
    return room.model_copy(update={**span, "nights": None, "total": None})


def _alters(text: str, ask: Ask, stay: Stay, offer: Mapping[str, Any], languages: Sequence[Language]) -> bool:
    """Whether the message wants the offered stay otherwise, in a form that can mean nothing else."""
    asks = _QUESTION.search(text) is not None
    if "guests" in ask.fresh and stay.guests != offer["guests"] and not asks:
        return True
    if not ask.fresh & {"arrival", "departure"} or _nights(stay) == (offer["arrival"], offer["departure"]):
        return False
    if ask.shift:
        return True
    dates = ask.dates
    whole = dates.departure is not None or dates.nights is not None or dates.opens == "arrive"
    return not asks and (whole or dates.problem is not None or _refuses_first(text, languages))


def _nights(stay: Stay) -> tuple[str | None, str | None]:
    return _iso(stay.arrival), _iso(stay.departure)


def _iso(day: dt.date | None) -> str | None:
    return day.isoformat() if day else None


def _refuses_first(text: str, languages: Sequence[Language]) -> bool:
    """Whether the message begins with a plain no: "no, on the 12th"."""
    first = _CLAUSE.split(f"{text} ")[0]
    return any(read_answer(first, language) == "no" for language in languages)
