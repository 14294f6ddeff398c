"""Grades a turn against what a case expects, from the stored Turn, the turn log and the hotels' databases.

Neither the model's word nor the desk's checker is asked: rooms, rates, bookings, guides and requests are looked up
in the databases themselves, and what the reply says beyond them counts as wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.eval.replies import digits, foreign, unborne, unsaid
from tests.eval.stored import Record, Stored
from tests.eval.truth import Verdict, false_offer

Turn = Mapping[str, Any]
# The node that runs when a handoff to this destination is at work
AGENTS = {
    "hotels": "mapper", "reservation": "reservation", "web": "web_search", "direct": "direct", "staff": "to_staff"
}  # fmt: skip
OF_A_STAY = ("room_free", "room_taken", "none_free", "offer")
CANNOT = ("none_free", "room_taken", "no_such_room")


@dataclass(frozen=True)
class Seen:
    """What a turn is graded by: it and the turns before it as they are logged, what was written in
    it, and what came of the facts that it states."""

    turns: Sequence[Turn]
    record: Record
    verdicts: Sequence[Verdict] = ()

    @property
    def turn(self) -> Turn:
        """The turn that is graded."""
        return self.turns[-1]


def grade(expect: Mapping[str, Any], seen: Seen, stored: Stored, language: str) -> list[str]:
    """What is wrong with this turn of a case in `language`; empty when all that is expected holds.

    Raises KeyError for an expectation that nobody checks.
    """
    wrong = [f"problem: {seen.turn['problem']}"] if seen.turn.get("problem") else []
    wanted = {**expect, "language": expect.get("language", language)}
    for key, value in wanted.items():
        why = CHECKS[key](value, seen)
        wrong += [f"{key}: {why}"] if why else []
    return wrong + false_claims(seen, stored)


def _equal(path: str) -> Any:
    def check(value: Any, seen: Seen) -> str | None:
        found: Any = seen.turn
        for part in path.split("."):
            found = found[part]
        return None if found == value else f"{found!r} instead of {value!r}"

    return check


def _language(value: str, seen: Seen) -> str | None:
    found = seen.turn["language"].partition("-")[0]
    return None if found == value else f"{found} instead of {value}"


def _routes(value: Sequence[str], seen: Seen) -> str | None:
    return None if set(seen.turn["routes"]) == set(value) else f"{seen.turn['routes']}"


def _polarity(value: float, seen: Seen) -> str | None:
    found = seen.turn["sentiment"]["polarity"]
    return None if abs(found - value) <= 0.005 else f"{found}"


def stands(text: str, reply: str) -> re.Match[str] | None:
    """Where `text` stands in the reply: as whole words, in any case; a number as a whole number."""
    return re.search(rf"(?<![\w]){re.escape(text)}(?![\w])", digits(reply), re.IGNORECASE)


def _contains(value: Sequence[str], seen: Seen) -> str | None:
    missing = [text for text in value if not stands(text, seen.turn["reply"])]
    return f"{missing} not in the reply" if missing else None


def _excludes(value: Sequence[str], seen: Seen) -> str | None:
    found = [text for text in value if stands(text, seen.turn["reply"])]
    return f"{found} in the reply" if found else None


def _order(value: Sequence[str], seen: Seen) -> str | None:
    places = [stands(text, seen.turn["reply"]) for text in value]
    starts = [place.start() for place in places if place]
    return None if len(starts) == len(value) and starts == sorted(starts) else f"not in order {value}"


def _none_free(value: bool, seen: Seen) -> str | None:
    kinds = [fact["kind"] for fact in seen.turn["facts"]]
    says = any(kind in CANNOT for kind in kinds) and "room_free" not in kinds
    return None if says == value else f"the facts stated are {kinds}"


def _unavailable(value: Sequence[str], seen: Seen) -> str | None:
    offered = [fact["room"] for fact in seen.turn["facts"] if fact["kind"] in ("room_free", "offer")]
    wrong = [room for room in value if room in offered]
    return f"{wrong} offered" if wrong else None


def _offer(value: bool, seen: Seen) -> str | None:
    return None if (seen.turn["offer"] is not None) == value else f"offer {seen.turn['offer']}"


def _booking(value: bool | None, seen: Seen) -> str | None:
    """A booking is the rows that were written, and the reference that they stand under."""
    references = {row["reference"] for row in seen.record.written}
    if not value:
        return f"written: {seen.record.written}" if references else None
    if not references:
        return "nothing was written"
    told = all(reference and stands(reference, seen.turn["reply"]) for reference in references)
    return None if told else "the reference is not in the reply"


def _folded(value: bool, seen: Seen) -> str | None:
    return None if any(turn["folded"] for turn in seen.turns) == value else "no turn has folded"


def _stated(kind: str, seen: Seen) -> list[Turn]:
    return [fact for fact in seen.turn["facts"] if fact["kind"] == kind]


def _guide(value: Sequence[str], seen: Seen) -> str | None:
    found = {fact["entry"] for fact in _stated("guide", seen)}
    return None if set(value) <= found else f"the guide entries stated are {sorted(found)}"


def _places(value: Sequence[str], seen: Seen) -> str | None:
    found = {fact["values"].get("category") for fact in _stated("place", seen)}
    return None if found and found <= set(value) else f"the places stated are of {sorted(found)}"


def _states(value: Sequence[str], seen: Seen) -> str | None:
    found = {fact["kind"] for fact in seen.turn["facts"]}
    return None if found == set(value) else f"the facts stated are {sorted(found)}"


def _stay(value: Sequence[str], seen: Seen) -> str | None:
    found = {(fact["arrival"], fact["departure"]) for fact in seen.turn["facts"] if fact["kind"] in OF_A_STAY}
    return None if found == {tuple(value)} else f"the stays stated are {sorted(found, key=str)}"


def _dates(value: str, seen: Seen) -> str | None:
    found = [fact["status"] for fact in _stated("date_problem", seen)]
    return None if found == [value] else f"the problems stated with the dates are {found}"


def _request(value: str, seen: Seen) -> str | None:
    found = [request["kind"] for request in seen.record.requests]
    return None if value in found else f"the requests to staff are {found}"


def _urgent(value: bool, seen: Seen) -> str | None:
    found = any(request["urgent"] for request in seen.record.requests)
    return None if found == value else f"urgent is {found}"


# The keys of a case's `expect`. Beside those of the cases that the desk was given: `guide` (entries of the house
# guide that are stated), `places` (places are stated, all of these categories), `states` (the kinds of facts
# stated, and no others), `stay` (arrival and departure of every room stated as free or not free), `dates` (the one
# problem stated with the dates), `request` and `urgent` (what went to staff).
CHECKS: Mapping[str, Any] = {
    "route": _equal("route"),
    "routes": _routes,
    "language": _language,
    "sentiment": _equal("sentiment.label"),
    "polarity": _polarity,
    "deescalate": _equal("sentiment.deescalate"),
    "tone": _equal("sentiment.tone"),
    "contains": _contains,
    "excludes": _excludes,
    "order": _order,
    "none_free": _none_free,
    "unavailable": _unavailable,
    "offer": _offer,
    "booking": _booking,
    "folded": _folded,
    "guide": _guide,
    "places": _places,
    "states": _states,
    "stay": _stay,
    "dates": _dates,
    "request": _request,
    "urgent": _urgent,
}


def false_claims(seen: Seen, stored: Stored) -> list[str]:
    """What the turn said, in facts, in numbers or about itself, that what is stored does not bear out."""
    turn, record = seen.turn, seen.record
    lines = [line for line in turn["reply"].splitlines() if line]
    wrong = [f"said twice: {line}" for line in dict.fromkeys(lines) if lines.count(line) > 1]
    wrong += [f"false {verdict.kind}: {verdict.why}" for verdict in seen.verdicts if verdict.why]
    wrong += [f"false: {what}" for what in (*unborne(turn, stored), *unsaid(turn), *foreign(turn))]
    offer = false_offer(turn, record, stored)
    wrong += [f"false offer stands: {offer}"] if offer else []
    if turn["booking"] and not record.written:
        wrong.append(f"booked without a row: {turn['booking']['reference']}")
    if record.written and not turn["booking"]:
        wrong.append(f"written without a word: {record.written}")
    if len(turn["requests"]) != len(record.requests):
        wrong.append(f"{len(turn['requests'])} requests told, {len(record.requests)} stored")
    return wrong + [f"never ran: {route}" for route in _unrun(turn)]


def _unrun(turn: Turn) -> list[str]:
    """Destinations of accepted handoffs whose agent never ran in this turn."""
    ran = {node["name"] for node in turn["nodes"]}
    accepted = [handoff["destination"] for handoff in turn["handoffs"] if handoff["accepted"]]
    return [route for route in accepted if AGENTS[route] not in ran]
