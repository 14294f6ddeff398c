"""The coordinator: from what a message asks and what the thread has so far to one to three handoffs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from desk.briefing import read_json
from desk.models.rehearsal.acts import Act, Context
from desk.models.rehearsal.subject import Subject, briefing, structured, tasks
from desk.models.rehearsal.tone import read_tone
from desk.models.rehearsal.understand import understand

Proposal = dict[str, Any]

HOTEL_TASKS = {"availability": "free rooms", "price": "rates", "rooms": "rates"}
OWN_STAY = frozenset({"change_booking", "cancel_booking", "lookup_booking"})
OWN_STEPS = {
    "lookup_booking": ("own_stay", "show the booking"),
    "change_booking": ("change", "offer the change"),
    "cancel_booking": ("cancel", "offer the cancellation"),
}
PEOPLE = frozenset({"staff", "complaint"})
WEB = frozenset({"nearby", "web"})
SETTLED_BY_PICK = frozenset(
    {"availability", "price", "rooms", "book", "confirm", "acknowledge", "hold", "refuse", "call_me"}
)
# What a few words around a yes or a no may be taken for, and a button's message is.
AROUND_A_YES = frozenset({"unknown", "web", "nearby", "smalltalk"})
# Fields of the stay: a message that gives one of these asks for a room, however it is put.
ABOUT_ROOMS = frozenset({"arrival", "departure", "length", "type", "guests", "rooms", "budget", "problem"})
# A message that gives one of these looks for rooms anew, even if it says "book".
NEW_SEARCH = frozenset({"arrival", "departure", "type", "rooms"})
# What a wish for a room may be said along with, so that only its dates tell it.
BESIDE_DATES = frozenset(
    {"unknown", "greeting", "acknowledge", "hold", "praise", "smalltalk", "refuse", "confirm"}
)
# What "book it anyway" may be taken for, when nothing is free.
INSISTING = BESIDE_DATES | {"book", "recall"}
HUH = Act("recall", "reply")  # "Hm?", which dates behind it make a wish
# Small talk, which is no answer to a guest who is upset; and kind words, which are none when they are bitter.
IDLE = frozenset({"smalltalk", "greeting", "acknowledge", "hold", "unknown", "capabilities"})
BITTER = IDLE | {"praise", "thanks", "goodbye"}
# Topics that the catalogue of requests calls otherwise.
REQUESTS = {"luggage_help": "luggage", "locked_out": "other", "room_service_order": "room_service"}
WORDS_CHARACTERS = 120
CHANGE = re.compile(r"\b(change|switch|move|swap|upgrade|rebook)\b", re.IGNORECASE)
ONLY = re.compile(r"\b(only|just|solely|exclusively|nowhere else)\b", re.IGNORECASE)


def reply(subject: Subject, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Answer `Routing`. Asked a second time in a turn it has nothing to add: what could be found was found."""
    found = briefing(messages)
    tone = read_tone(found["message"], subject.mood)
    if "done" in found:
        return structured("Routing", handoffs=[], tone=tone)
    return structured("Routing", handoffs=_handoffs(subject, found, tone), tone=tone)


def request_of(subject: Subject, english: str) -> str | None:
    """The kind of request that a message makes of the hotel's people, read without a conversation; None for none."""
    acts = understand(english, subject.understanding).acts
    return next((_request(act) for act in acts if _destination(act) == "staff"), None)


def _handoffs(subject: Subject, found: Mapping[str, str], tone: str) -> list[Proposal]:
    thread = read_json(found, "thread", {})
    allowed = read_json(found, "authorizations", [])
    criteria = read_json(found, "criteria", {})
    acts = list(understand(found["message"], subject.understanding, context=_context(thread)).acts)
    if not thread["understood"]:
        acts = [act for act in acts if act.kind != "unknown"] or [Act("unknown")]
    acts = _of_own_booking(acts, thread)
    acts = _with_complaint(acts, tone, tone != "calm" or "calm" in found)
    acts = _with_wishes(acts, thread, "?" in found["message"])
    if thread["own_stay"] or (thread["reference"] and thread["verified"]):
        acts = [Act("availability") if act.kind == "other_guest" else act for act in acts]
    booking = _booking_step(acts, thread, allowed, found["message"])
    proposals = [booking] if booking else []
    named = booking and booking["action"] == "offer" and thread["named"]  # a bare name is no strange word
    if booking and (named or booking["action"] in ("book", "decline")) and "?" not in found["message"]:
        acts = [act for act in acts if act.kind not in AROUND_A_YES]
    if booking and booking["action"] != "own_stay":
        acts = [act for act in acts if act.kind not in SETTLED_BY_PICK]
    rest = [act for act in acts if act.kind not in OWN_STAY] if booking else acts
    proposals += _others(rest, thread, found)
    for proposal in proposals:
        proposal["completion_criteria"] = criteria[proposal["destination"]]
    return proposals[:3]


def _of_own_booking(acts: list[Act], thread: Mapping[str, Any]) -> list[Act]:
    """What they pay is asked of the booking by a guest whose booking is known; of others it is a price like any."""
    rooms = thread["options"] or thread["offer"] or set(thread["fresh"]) & ABOUT_ROOMS
    own = Act("lookup_booking" if thread["verified"] and not rooms else "price")
    return [own if act.kind == "my_total" else act for act in acts]


def _with_complaint(acts: list[Act], tone: str, upset: bool) -> list[Act]:
    """What an upset guest says is a complaint where no word of it is known; bitter thanks always are one."""
    complaint = Act("complaint", "general")
    if tone in ("angry", "sarcastic"):
        return list(dict.fromkeys(complaint if act.kind in BITTER else act for act in acts))
    if upset and all(act.kind in IDLE for act in acts):
        return [complaint]
    return acts


def _with_wishes(acts: list[Act], thread: Mapping[str, Any], asks: bool) -> list[Act]:
    """What the stay that code read in the message says that its words alone did not.

    "107 again from 16 to 18 December" asks for a room; a lone date ("purple Tuesday elbows") does so only in
    a talk about rooms. The price of a stay is asked of the free rooms, which have totals.
    """
    fresh = set(thread["fresh"]) & ABOUT_ROOMS
    if thread["insists"]:  # what is not free is said once more
        return [Act("availability") if act.kind in INSISTING else act for act in acts]
    dated = fresh & {"arrival", "departure"}
    last = tasks(thread.get("last_task") or "")
    about_rooms = bool(thread["asked"]) or any(kind in HOTEL_TASKS.values() for kind, _ in last)
    if dated:
        acts = [Act("availability") if act.kind in HOTEL_TASKS else act for act in acts]
    if "type" in fresh and thread["stay"].get("arrival"):
        acts = [Act("availability") if act.kind == "rooms" else act for act in acts]
    if len(fresh) < 2 and not (fresh - {"arrival"} or (fresh and about_rooms)):
        return acts
    thinks_back = any(act.kind in ("praise", "smalltalk") for act in acts) and not asks
    wishes = len(fresh) > 1 and dated and thread["answer"] is None and not thinks_back
    if wishes and all(act.kind in BESIDE_DATES or act == HUH for act in acts):
        return [Act("availability")]
    return [Act("availability") if act.kind == "unknown" else act for act in acts]


def _context(thread: Mapping[str, Any]) -> Context:
    """What went before, as far as it changes what a message means."""
    last = tasks(thread.get("last_task") or "")
    kinds = {
        "free rooms": "availability",
        "rates": "price",
        "guide": "guide",
        "places": "nearby",
        "look up": "web",
        "show the booking": "lookup_booking",
        "offer the change": "change_booking",
        "offer the cancellation": "cancel_booking",
    }
    kind, topic = last[0] if last else ("", "")
    return Context(
        has_offer=bool(thread["offer"]),
        has_options=bool(thread["options"]),
        asked=thread["asked"] if thread["asked"] in ("pick", "name", "dates") else None,
        last_act=kinds.get(kind),
        last_topic=topic or None,
    )


def _booking_step(
    acts: Sequence[Act], thread: Mapping[str, Any], allowed: Sequence[str], message: str
) -> Proposal | None:
    """The reservation step that the thread's own state calls for, if any."""
    refs = {ref.partition(":")[0]: ref for ref in allowed}
    kinds = {act.kind for act in acts}
    if thread["stale_button"]:
        return _for_a_stale_button(thread, refs)
    if "confirmed" in refs and (thread["answer"] == "yes" or thread["named"]):
        return _reserve(
            "book", refs["confirmed"], "the guest confirmed the offer", "book the confirmed offer"
        )
    begun = tasks(thread["last_task"] or "")[:1]
    changing = begun == [("offer the change", "")] and thread["change"]
    wishes = changing or set(thread["fresh"]) & ABOUT_ROOMS
    if (
        "offer" in refs
        and not thread["picked"]
        and (thread["answer"] == "no" or ("refuse" in kinds and not wishes))
    ):
        return _reserve("decline", refs["offer"], "the guest declines the offer", "take the offer back")
    renamed = thread["named"] and (thread["asked"] == "name" or thread["offer"])
    if "pick" in refs and (thread["picked"] or renamed):
        return _reserve("offer", refs["pick"], "the guest picked a room", "offer the room that was picked")
    if (
        "book" in kinds
        and thread["options"]
        and not thread["insists"]
        and not set(thread["fresh"]) & NEW_SEARCH
    ):
        return _reserve("offer", None, "the guest wants to book", "offer a room")
    own = next((act for act in acts if act.kind in OWN_STAY), None)
    if thread["reference"] and (own is None or own.kind == "lookup_booking"):
        # It is given for what was asked before, if that was about a booking.
        waiting = next((step for step in OWN_STEPS.values() if begun == [(step[1], "")]), None)
        action, task = waiting or OWN_STEPS["lookup_booking"]
        return _reserve(action, refs.get("guest"), "the guest gave a reference", task)
    if own is None and _wants_a_change(acts, thread, message):
        own = Act("change_booking")
    if own is None:
        return None
    action, task = OWN_STEPS[own.kind]
    return _reserve(action, refs.get("guest"), "the guest asks about their booking", task)


def _for_a_stale_button(thread: Mapping[str, Any], refs: Mapping[str, str]) -> Proposal:
    """The button of an offer that no longer stands: what stands now, what was booked with it, or that none does."""
    reason = "the guest used the button of an earlier offer"
    if thread["offer"] and "pick" in refs:
        return _reserve("offer", refs["pick"], reason, "offer the room that was picked")
    if thread["verified"]:
        return _reserve("own_stay", refs.get("guest"), reason, "show the booking")
    return _reserve("decline", None, reason, "say that no offer stands")


def _wants_a_change(acts: Sequence[Act], thread: Mapping[str, Any], message: str) -> bool:
    """Whether a guest whose booking is known says what to change of it, without naming the booking."""
    if not thread["change"] or not thread["verified"] or thread["answer"]:
        return False
    if thread["asked"] == "change":
        return True
    begun = tasks(thread["last_task"] or "")[:1] == [("offer the change", "")]
    if begun and all(
        act.kind in HOTEL_TASKS or act.kind in BESIDE_DATES or act.kind == "book" for act in acts
    ):
        return True
    searching = bool(thread["options"] or thread["offer"])
    return not searching and (thread["shifts"] or CHANGE.search(message) is not None)


def _reserve(action: str, ref: str | None, reason: str, task: str) -> Proposal:
    evidence = [] if ref is None or ref.startswith("confirmed:") else [ref]
    return {
        "destination": "reservation",
        "reason": reason,
        "task": task,
        "evidence_refs": evidence,
        "authorization_ref": ref,
        "action": action,
    }


def _others(acts: Sequence[Act], thread: Mapping[str, Any], found: Mapping[str, str]) -> list[Proposal]:
    """Handoffs for everything but bookings, in the order of the message, one for each destination."""
    made: dict[str, Proposal] = {}
    for act in acts:
        destination = _destination(act)
        if destination in made:
            if _task(act, found) not in made[destination]["task"]:
                made[destination]["task"] += f"; {_task(act, found)}"
            continue
        made[destination] = {
            "destination": destination,
            "reason": f"the guest's message: {act.kind}" + (f", {act.topic}" if act.topic else ""),
            "task": _task(act, found),
            "evidence_refs": ["stay:now"] if destination == "hotels" else [],
            "action": "none",
            "hotels": _hotels(acts, thread, found) if destination == "hotels" else [],
            "request_kind": _request(act) if destination == "staff" else None,
        }
    if "hotels" in made and any(kind == "free rooms" for kind, _ in tasks(made["hotels"]["task"])):
        made["hotels"]["action"] = "look"
    if len(made) > 1 and all(act.kind != "recall" for act in acts):
        made.pop("direct", None)  # a greeting beside a question needs no answer of its own
    return list(made.values())


def _destination(act: Act) -> str:
    if act.kind in HOTEL_TASKS or act.kind in ("guide", "book"):
        return "hotels"
    if act.kind in WEB:
        return "web"
    return "staff" if act.kind in PEOPLE or act.kind in OWN_STAY else "direct"


def _task(act: Act, found: Mapping[str, str]) -> str:
    if act.kind == "guide":
        # What no kind of entry is known for is searched in the guest's own words.
        known = act.topic and act.topic != "other"
        return f"guide: {act.topic if known else _one_line(found['message'])}"
    if act.kind == "nearby":
        return f"places: {act.topic or 'sight'}"
    if act.kind == "web":
        return f"look up: {act.topic or 'general'}"
    if act.kind == "rooms":
        return "rates: " + (
            "for the guest's stay" if "type" in read_json(found, "thread", {})["fresh"] else "all rooms"
        )
    if act.kind in HOTEL_TASKS or act.kind == "book":
        return f"{HOTEL_TASKS.get(act.kind, 'free rooms')}: for the guest's stay"
    return f"{act.kind}: {act.topic or 'as the guest says'}"


def _request(act: Act) -> str:
    """What kind of request the hotel's people get, as the catalogue calls it."""
    return REQUESTS.get(act.topic or "", act.topic or act.kind)


def _one_line(message: str) -> str:
    """The guest's words as the value of a task, which ends at a semicolon."""
    return " ".join(message.replace(";", ",").split())[:WORDS_CHARACTERS]


def _hotels(acts: Sequence[Act], thread: Mapping[str, Any], found: Mapping[str, str]) -> list[str]:
    """The hotels to ask: those named, for the house guide or when the guest wants no other; else all.

    About rooms all are asked even when one is named, so that another can be offered if it is full.
    """
    named = thread["stay"].get("hotels") or []
    about_rooms = any(act.kind in HOTEL_TASKS or act.kind == "book" for act in acts)
    return named if named and (not about_rooms or ONLY.search(found["message"])) else []
