"""identify: code reads from the guest's own words who they are and what they pin down.

Dates, party, room, name, pick and confirmation are read here, by code, from what the guest wrote. Models
never set them, so no model can shift a date or confirm a booking.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from desk.context import Parts, TurnContext
from desk.languages import Language
from desk.reading.amounts import shares_amount
from desk.reading.anew import insists
from desk.reading.answers import read_answer
from desk.reading.ask import Ask, in_own_words, read_ask, read_picks
from desk.reading.names import read_bare_name, read_name, read_reference, without_named_word
from desk.reading.words import read_hotels, read_types
from desk.records import Fact, Guest, Stay
from desk.standing import OTHER_ROOMS, again, asked_before, overtaken, picked_fields

_CALL_ME = re.compile(r"\b(?:call(?:ed)?|address(?:ed)?) me\b", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_][\w'’-]*")
STATED = 60  # dates of the guest's that are kept; a thread's state must not grow with every turn
NAME_WORDS = 3  # words behind a reference that may be the surname with it
MAX_WRONG = 5  # wrong references in a row on one thread, after which it waits
WAIT = dt.timedelta(minutes=10)


def identify(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Read the message and the thread's binding; write only what changed."""
    context = runtime.context
    parts = context.parts
    english = parts.languages["en"]
    language = parts.languages.get(state["language"].partition("-")[0], english)
    ask = read_ask(
        state["text"],
        state["english"],
        language,
        english,
        parts.pack,
        asked_before(state),
        parts.clock.today(),
        listed=_rooms_put(state),
    )
    guest, tries = _verified(state, context, language)
    ask = _fitting(ask, parts)
    own = guest is not None and (ask.during_stay or _names_own_stay(state["english"], guest))
    stay = _stay(ask, guest if own else None)
    answered = _answer(state, context, language)
    spoken = (language, english)
    picked = _pick(state, ask, answered, parts, language) or overtaken(state, ask, stay, spoken)
    insisting = _insists(state, spoken)
    if insisting:
        answered, picked = None, {}
    if picked.get("confirmed") and not context.action and state.get("asked") == OTHER_ROOMS:
        # The desk spoke of other rooms last: what the yes is to is put before the guest once more.
        answered, picked = None, {**again(state), "confirmed": None}
    names = _names(state, language, _not_names(parts), bool(picked.get("pick")))
    change = _change(state, guest, context, language) if guest else None
    return {
        "messages": [HumanMessage(state["english"], id=f"t{context.turn}-guest")],
        "stay": stay.model_dump(mode="json"),
        "stated_dates": _stated(state, ask, stay),
        "guest": guest.model_dump(mode="json") if guest else None,
        "answer": answered,
        "ask": {
            "fresh": sorted(ask.fresh),
            "superlative": ask.superlative,
            "during_stay": ask.during_stay,
            "own_stay": own,
            "picked": bool(picked.get("pick")),
            "insists": insisting,
            "named": "name" in names,
            "reference": _reference_said(state, tries, parts),
            "change": change,
            "stale": context.action is not None and answered is None,
        },
        "tries": tries,
        # A yes holds for its own turn, and for the name that was then asked for; not for what is said later.
        **({} if "name" in names else {"confirmed": None}),
        **picked,
        **names,
    }


def _rooms_put(state: dict[str, Any]) -> bool:
    """Whether the desk's last reply put rooms before the guest, to pick or to confirm."""
    offer = state.get("offer")
    books = offer is not None and offer["action"] == "book"
    return state.get("asked") in ("pick", "dates", "name") or (state.get("asked") == "confirm" and books)


def _fitting(ask: Ask, parts: Parts) -> Ask:
    """The wish without the type asked for before, where a party named now is too large for all rooms of it."""
    stay = ask.stay
    if "guests" not in ask.fresh or "type" in ask.fresh or not stay.type or stay.guests is None:
        return ask
    rooms = [room for b in parts.pack.branches for room in parts.hotels.reader(b.id).rooms(stay.type)]
    if not rooms or any(room.sleeps >= stay.guests for room in rooms):
        return ask
    return replace(ask, stay=stay.model_copy(update={"type": None}))


def _verified(
    state: dict[str, Any], context: TurnContext, language: Language
) -> tuple[Guest | None, dict[str, Any]]:
    """Whom the thread is verified for, by its binding, this message or from before; and the wrong tries so far.

    After `MAX_WRONG` wrong references in a row the thread waits: until then no reference is looked at.
    """
    hotels = context.parts.hotels
    now = context.parts.clock.now()
    tries: dict[str, Any] = state.get("tries") or {"wrong": 0, "until": None}
    known = state.get("guest")
    guest = Guest.model_validate(known) if known else None
    if context.binding:
        reference, _, surname = context.binding.partition(":")
        guest = hotels.find_guest(reference, surname) or guest
    said = read_reference(state["text"], _prefixes(context.parts))
    if said is None or (guest and guest.reference == said):
        return guest, tries
    if tries["until"] and dt.datetime.fromisoformat(tries["until"]) > now:
        return guest, tries
    for surname in _surnames(state, said, context.parts, language):
        found = hotels.find_guest(said, surname)
        if found:
            return found, {"wrong": 0, "until": None}
    wrong = tries["wrong"] + 1
    wait = now + WAIT if wrong >= MAX_WRONG else None
    return guest, {"wrong": 0 if wait else wrong, "until": wait.isoformat() if wait else None}


def _surnames(state: dict[str, Any], reference: str, parts: Parts, language: Language) -> list[str]:
    """What of a message may be the surname that goes with its reference: the name it gives, or the words
    right beside the reference. Not any of its words: a list of surnames must not try them all."""
    found = read_name(state["text"], language, _not_names(parts))
    full = [name for name in (found, state.get("name")) if name]
    text = unicodedata.normalize("NFC", state["text"])
    parted = re.split(re.escape(reference.partition("-")[2]), text, flags=re.IGNORECASE)
    before, behind = _WORDS.findall(parted[0]), _WORDS.findall(parted[-1])[:NAME_WORDS]
    prefix = reference.partition("-")[0].casefold()
    before = [word for word in before if word.casefold().strip("-") != prefix][-1:]  # "Miller, HH-1002"
    beside = [" ".join(behind), *behind[:1], *behind[-1:], *before]  # "HH-1002, miller"
    return list(dict.fromkeys([*full, *(name.split()[-1] for name in full), *filter(None, beside)]))


def _prefixes(parts: Parts) -> list[str]:
    return [branch.prefix for branch in parts.pack.branches]


def _reference_said(state: dict[str, Any], tries: dict[str, Any], parts: Parts) -> str | None:
    """Whether the message names a reference: "wait" when no more are looked at for now, else "given"."""
    if read_reference(state["text"], _prefixes(parts)) is None:
        return None
    waits = tries["until"] and dt.datetime.fromisoformat(tries["until"]) > parts.clock.now()
    return "wait" if waits else "given"


def _change(state: dict[str, Any], guest: Guest, context: TurnContext, language: Language) -> dict[str, Any]:
    """The message read against the guest's own booking, for the case that they want to change it."""
    parts = context.parts
    english = parts.languages["en"]
    booking = parts.hotels.find_booking(guest.reference)
    if booking is None:
        return {}
    own = Stay(arrival=booking.arrival, departure=booking.departure, guests=booking.guests, type=booking.type)
    read = read_ask(state["text"], state["english"], language, english, parts.pack, own, parts.clock.today())
    return {**read.stay.model_dump(mode="json"), "fresh": sorted(read.fresh), "shifts": bool(read.shift)}


def _names_own_stay(english: str, guest: Guest) -> bool:
    """Whether "Bob's stay" is said by Bob."""
    owners = re.findall(r"([^\W\d_]+)['’]s?\s+(?:stay|booking|reservation|visit)", english)
    own = {word.casefold() for word in guest.name.split()}
    return any(owner.casefold() in own for owner in owners)


def _stay(ask: Ask, guest: Guest | None) -> Stay:
    if guest is None:
        return ask.stay
    return ask.stay.model_copy(
        update={"arrival": guest.arrival, "departure": guest.departure, "period": False, "problem": None}
    )


def _stated(state: dict[str, Any], ask: Ask, stay: Stay) -> list[str]:
    """The dates that the guest's words ground, this turn's and earlier ones, those named last at the end."""
    here = [day.isoformat() for day in (*ask.dates.stated, stay.arrival, stay.departure) if day]
    earlier = [day for day in state.get("stated_dates", []) if day not in here]
    return [*earlier, *dict.fromkeys(here)][-STATED:]


def _answer(state: dict[str, Any], context: TurnContext, language: Language) -> str | None:
    """Yes or no to the offer that stands: by the page's button, or in the guest's own words."""
    offer = state.get("offer")
    if context.action:
        verb, _, offer_id = context.action.partition(":")
        if offer and offer["id"] == offer_id:
            return {"confirm": "yes", "decline": "no"}.get(verb)
        return None
    parts = context.parts
    options = state.get("options") or []
    meant = offer or (options[0] if len(options) == 1 else None)
    offered = _words_for(meant, parts) if meant else ()
    asked = state.get("asked") in ("confirm", "pick", "name")
    english = parts.languages["en"]
    # A guest may well answer a German offer with "yes".
    for spoken in (language, english):
        cancels = offer is not None and offer["action"] == "cancel"
        said = without_named_word(state["text"], spoken)
        answer = read_answer(said, spoken, offered=offered, just_offered=asked, cancels=cancels)
        if answer:
            return answer
    return None


def _words_for(room: dict[str, Any], parts: Parts) -> list[str]:
    """What an answer may call the room that it is about: "yes, the Deluxe at Garden Court"."""
    hotel = next(branch for branch in parts.pack.branches if branch.id == room["hotel"])
    return [hotel.name, *hotel.aliases, room["type"], room["room"]]


def _pick(
    state: dict[str, Any], ask: Ask, answered: str | None, parts: Parts, language: Language
) -> dict[str, Any]:
    """The option that the guest picked, or the confirmation of the offer that stands."""
    offer = state.get("offer")
    if offer and answered == "yes":
        return {"confirmed": offer["id"]}
    options = [Fact.model_validate(option) for option in state.get("options", [])]
    if not options:
        return {}
    previous = Fact.model_validate(state["pick"]) if state.get("pick") else None
    if answered == "yes" and len(options) == 1 and not offer:
        picks = [options[0]]
    elif ask.fresh & {"arrival", "departure"}:
        picks = []  # other dates are another question; what was listed does not answer it
    else:
        spoken = (language, parts.languages["en"])
        rooms = _apart(state, ask) or options
        english = state["english"] if _picks_so(state, language, parts) else state["text"]
        picks = read_picks(english, state["text"], rooms, parts.pack, previous, spoken)
        if not picks and rooms is not options and ask.stay.hotels:
            picks = rooms
    return {**picked_fields(picks), "confirmed": None} if picks else {}


def _picks_so(state: dict[str, Any], language: Language, parts: Parts) -> bool:
    """Whether a pick may be read from the English: a translator picks nothing that the guest does not name.

    In a language without tables the guest's own message must have the amount, or the name of a hotel or a type.
    """
    text, english = str(state["text"]), str(state["english"])
    if not in_own_words(text, english, language):
        return False
    named = read_hotels([text], parts.pack) or read_types([text], [language])
    return bool(named) or shares_amount(text, state["language"], english, "en", parts.numbers)


def _insists(state: dict[str, Any], languages: Sequence[Language]) -> bool:
    """Whether the guest wants what was not free all the same: no pick of the other dates or rooms named for it."""
    options = state.get("options") or []
    only_nearest = bool(options) and all(option["kind"] == "nearest" for option in options)
    return only_nearest and not state.get("offer") and insists([state["text"], state["english"]], languages)


def _apart(state: dict[str, Any], ask: Ask) -> list[Fact]:
    """What an answer to "which hotel first?" chooses from: rooms picked of several hotels, of those named."""
    picks = [Fact.model_validate(pick) for pick in state.get("picks") or ()]
    if state.get("offer") or len({pick.hotel for pick in picks}) < 2:
        return []
    return [pick for pick in picks if not ask.stay.hotels or pick.hotel in ask.stay.hotels]


def _not_names(parts: Parts) -> list[str]:
    """Words that are written like names and are the hotels' own."""
    return [
        word
        for branch in parts.pack.branches
        for name in (branch.name, *branch.aliases)
        for word in name.split()
    ]


def _name_is_missing(state: dict[str, Any]) -> bool:
    """Whether the name was asked for, or still is after a question in between."""
    offer = state.get("offer")
    unnamed = offer is not None and offer["action"] == "book" and not state.get("name")
    return state.get("asked") == "name" or (unnamed and state.get("asked") is None)


def _names(
    state: dict[str, Any], language: Language, not_names: Sequence[str], picked: bool
) -> dict[str, Any]:
    """The name for the booking, or how the guest wants to be called."""
    if _CALL_ME.search(state["english"]):
        called = read_name(state["text"], language, not_names)
        return {"called": called} if called else {}
    text = state["text"]
    read = read_bare_name if _name_is_missing(state) else read_name
    found = read(text, language, not_names)
    if not found and picked and "," in text:  # "the Garden Court one please, Lena Novak"
        found = read_bare_name(text.rpartition(",")[2], language, not_names)
    return {"name": found} if found else {}
