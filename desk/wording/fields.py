"""What a sentence about a fact may name: a fact's fields, typed so that they can be written.

Values arrive as JSON gives them. "07:00" is a time, "2027-02-01" a date, "--05" the month of May; numbers
under the keys that the English guide lists as money are sums.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from desk.records import Fact
from desk.wording.formats import Money, Month, Span

if TYPE_CHECKING:
    from desk.pack import Pack

PLAIN = (
    "room", "sleeps", "arrival", "departure", "nights", "guests", "reference", "status", "action", "recalled",
)  # fmt: skip
COMMON = frozenset({*PLAIN[:-3], "hotel", "type", "rate", "total", "stay", "fee", "rooms"})
EXTRA: Mapping[str, AbstractSet[str]] = {
    "place": {"name", "category", "area", "address", "distances"},
    "web_result": {"title", "url", "quote", "translated"},
    "date_problem": {"text", "readings", "until"},
    "none_free": {"count"},
    "booking": {"name"},
    "staff_request": {"request", "phone", "phones", "staff_from"},
    "said": {"text", "question"},
    "no_guide": {"query"},
    "not_searched": {"query"},
}
# What a block may decide by without naming it.
FLAGS = frozenset({"status", "action", "position", "named", "recalled", "period", "free", "typed"})

TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
MONTH = re.compile(r"--(0[1-9]|1[0-2])")


def names_for(kind: str) -> AbstractSet[str]:
    """The fields that sentences about facts of this kind may name."""
    return COMMON | EXTRA.get(kind, set())


def fact_fields(fact: Fact, pack: Pack, money: AbstractSet[str]) -> dict[str, Any]:
    """A fact's fields, without those it does not have."""
    currency = fact.currency or fact.values.get("currency") or pack.currency
    fields: dict[str, Any] = {key: getattr(fact, key) for key in PLAIN}
    fields |= {
        key: typed(key, value, currency, money)
        for key, value in fact.values.items()
        if key in EXTRA.get(fact.kind, ())
    }
    fields["hotel"] = hotel_name(fact.hotel, pack)
    fields["rate"] = Money(fact.rate, currency) if fact.rate is not None else None
    fields["total"] = Money(fact.total, currency) if fact.total is not None else None
    if fact.arrival and fact.departure and fact.arrival < fact.departure:
        fields["stay"] = Span(fact.arrival, fact.departure)
        fields["period"] = fact.kind == "room_free" and fact.total is None
    if fact.kind == "staff_request":
        fields |= _contacts(fact, pack)
    if fact.fee is not None:
        fields |= {"fee": Money(fact.fee, currency), "free": not fact.fee}
    if fact.rooms:
        fields["rooms"] = fact.rooms
    if "typed" in fact.values:
        fields["typed"] = fact.values["typed"]
    if fact.kind == "said":
        fields["question"] = str(fact.values.get("text", "")).rstrip().endswith("?")
    return {**{key: value for key, value in fields.items() if value not in (None, "")}, "type": fact.type}


def guide_fields(
    hotel: str | None, values: Mapping[str, Any], pack: Pack, money: AbstractSet[str]
) -> dict[str, Any]:
    """A guide entry's fields: its values, and the name of the hotel whose guide it is."""
    currency = str(values.get("currency") or pack.currency)
    fields = {key: typed(key, value, currency, money) for key, value in values.items()}
    name = hotel_name(hotel, pack)
    return {**fields, "hotel": name} if name else fields


def typed(key: str, value: Any, currency: str, money: AbstractSet[str]) -> Any:
    """A value as what it is: a sum, a time, a date, a month; else as it came."""
    if isinstance(value, int | float) and not isinstance(value, bool) and key in money:
        return Money(value, currency)
    if isinstance(value, list):
        return tuple(typed(key, item, currency, money) for item in value)
    if not isinstance(value, str):
        return value
    if TIME.fullmatch(value):
        return dt.time.fromisoformat(value)
    if DATE.fullmatch(value):
        return dt.date.fromisoformat(value)
    return Month(int(value[2:])) if MONTH.fullmatch(value) else value


def hotel_name(hotel: str | None, pack: Pack) -> str | None:
    """The name of the branch with this id; anything else is said as it is."""
    return next((branch.name for branch in pack.branches if branch.id == hotel), hotel)


def distances(fact: Fact, pack: Pack) -> list[tuple[str, int, str]]:
    """How far a place is: ("walk" or "transit", minutes, hotel's name), for the fact's hotel or for all."""
    found = []
    for branch in pack.branches:
        if fact.hotel in (None, branch.id, branch.name):
            for way, key in (("walk", "walk_minutes"), ("transit", "transit_minutes"), ("walk", "minutes")):
                minutes = _minutes(fact.values.get(key), branch.id)
                if minutes is not None:
                    found.append((way, minutes, branch.name))
                    break
    return found


def _minutes(value: Any, branch: str) -> int | None:
    if isinstance(value, Mapping):
        value = value.get(branch)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _contacts(fact: Fact, pack: Pack) -> dict[str, Any]:
    """The phone to call: the one the fact gives, else that of its hotel, else all hotels' own."""
    phones = {branch.id: branch.phone for branch in pack.branches if branch.phone}
    phone = fact.values.get("phone") or phones.get(fact.hotel or "")
    every = tuple(f"{branch.name} {branch.phone}" for branch in pack.branches if branch.phone)
    return {"phone": phone, "phones": every or None, "request": fact.values.get("kind")}
