"""Grades a turn against what a case expects, from the stored Turn, the turn log and the hotels' databases.

Neither the model's word nor the desk's checker is asked: rooms, rates, bookings, guides and requests are looked up
in the databases themselves, and what the reply says beyond them counts as wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.eval.claims import Seen, false_claims
from tests.eval.replies import digits
from tests.eval.stored import Stored

Turn = Mapping[str, Any]
OF_A_STAY = ("room_free", "room_taken", "none_free", "offer")
CANNOT = ("none_free", "room_taken", "no_such_room")


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


def _one_of(value: Sequence[str], seen: Seen) -> str | None:
    found = any(stands(text, seen.turn["reply"]) for text in value)
    return None if found else f"none of {value} in the reply"


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


# The keys of a case's `expect`. Beside those of the cases that the desk was given: `one_of` (words of which the reply
# has one at least, where many wordings are right), `guide` (entries of the house guide that are stated), `places`
# (places are stated, all of these categories), `states` (the kinds of facts stated, and no others), `stay` (arrival
# and departure of every room stated as free or not free), `dates` (the one problem stated with the dates), `request`
# and `urgent` (what went to staff).
CHECKS: Mapping[str, Any] = {
    "route": _equal("route"),
    "routes": _routes,
    "language": _language,
    "sentiment": _equal("sentiment.label"),
    "polarity": _polarity,
    "deescalate": _equal("sentiment.deescalate"),
    "tone": _equal("sentiment.tone"),
    "contains": _contains,
    "one_of": _one_of,
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
