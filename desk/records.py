"""The records that travel through the desk: facts, offers, bookings, handoffs' evidence.

A fact is what one tool result says. It is never a sentence: code words it, in any language, from the
message catalogue (`wording.py`). Money is in the currency's main unit; stays are half-open, so the
departure day is free again.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

OVER_BUDGET = "over_budget"  # status of the cheapest room there is, for a guest who wants to pay less
FactKind = Literal[
    "room_free",  # this room can be had for this stay, at this rate and total
    "room_taken",  # this room exists and cannot be had for this stay
    "room_rate",  # this room exists and costs this much a night (no stay asked)
    "none_free",  # nothing in this hotel fits; status says why: booked | no_such_type | too_small
    "no_such_room",  # the hotel has no room of this number
    "nearest",  # what comes closest: the same type on other dates, or another type on the same dates
    "guide",  # an entry of the house guide: `entry` is its kind, `values` its values
    "no_guide",  # the house guide says nothing about what was asked
    "place",  # a place of the desk's own neighbourhood guide
    "web_result",  # a search result, quoted with its source
    "not_searched",  # the web could not be searched, or nothing was found
    "not_checked",  # this hotel could not be checked: status failed | timed_out
    "date_problem",  # the dates asked cannot be used: status names why
    "offer",  # the offer that stands, not yet confirmed
    "booking",  # a booking that is stored; status booked | changed | cancelled
    "booking_failed",  # a booking was not written; status names why
    "stay",  # a verified guest's own booking
    "staff_request",  # what went to the hotel's people
    "said",  # what the guest wrote earlier, as they wrote it
]


def _whole(value: Any) -> Any:
    """Keep 189 as 189 and 189.5 as 189.5, so that JSON shows money as people write it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Money = Annotated[int | float, BeforeValidator(_whole)]


class RoomStay(BaseModel):
    """One room of an offer or a booking that takes several; its dates are the offer's."""

    model_config = ConfigDict(extra="forbid")

    room: str
    type: str
    guests: int | None = None
    rate: Money
    total: Money


Action = Literal["book", "change", "cancel"]


class Fact(BaseModel):
    """One thing a tool result says.

    `id` is unique within the thread. `turn` is the turn whose tool result it is; a fact that an earlier
    turn stated and that is stated again has `recalled` set. `source` names the tool.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: FactKind
    status: str | None = None
    hotel: str | None = None
    room: str | None = None
    type: str | None = None
    sleeps: int | None = None
    arrival: dt.date | None = None
    departure: dt.date | None = None
    nights: int | None = None
    guests: int | None = None
    rate: Money | None = None
    total: Money | None = None
    currency: str | None = None
    reference: str | None = None
    action: Action | None = None
    fee: Money | None = None
    rooms: list[RoomStay] = Field(default_factory=list)
    entry: str | None = None
    values: dict[str, Any] = Field(default_factory=dict)
    source: str = ""
    turn: int = 0
    recalled: bool = False


class Stay(BaseModel):
    """What the guest has asked for so far, read by code from the guest's own words.

    `hotels` are branch ids the guest named, `rooms` room numbers, `period` marks a span such as "in
    January" within which no exact days were given. `length` are nights that were asked for while the
    arrival is not known yet. `problem` is why the dates cannot be used; while it is "ambiguous", `readings`
    are the days that were possible and `readings_until` the departure that goes with each, or empty. With an
    arrival that is known, `readings` are the departures that were possible. `wanted` are the rooms when
    several are asked for, each with its type or None; `type` is then what they have in common. `budget` is the
    most that they want to pay a night, or with `budget_whole` for the whole stay.
    """

    model_config = ConfigDict(extra="forbid")

    arrival: dt.date | None = None
    departure: dt.date | None = None
    period: bool = False
    guests: int | None = None
    type: str | None = None
    hotels: list[str] = Field(default_factory=list)
    rooms: list[str] = Field(default_factory=list)
    budget: Money | None = None
    budget_whole: bool = False
    problem: str | None = None
    length: int | None = None
    readings: list[dt.date] = Field(default_factory=list)
    readings_until: list[dt.date] = Field(default_factory=list)
    wanted: list[str | None] = Field(default_factory=list)

    def affords(self, rate: float, nights: int | None) -> bool:
        """Whether a room at this rate stays within the budget; so it does when nights would have to be guessed."""
        if self.budget is None or (self.budget_whole and nights is None):
            return True
        return rate * (nights or 1) <= self.budget if self.budget_whole else rate <= self.budget

    @property
    def nights(self) -> int | None:
        """Nights between arrival and departure, or None when either is not known or they make no stay."""
        if self.arrival and self.departure and self.departure > self.arrival:
            return (self.departure - self.arrival).days
        return None


class Offer(BaseModel):
    """What is put before the guest; nothing is written until they confirm exactly this one.

    `action` says what a confirmation does: book, or change or cancel the booking with `reference`. `fee` is
    what a change or a cancellation costs by the hotel's rules. With several rooms, all of one hotel and for
    the same nights, `rooms` has them all; `room`, `type` and `rate` are then the first one's, `total` and
    `guests` those of all together.
    """

    id: str
    hotel: str
    room: str
    type: str
    arrival: dt.date
    departure: dt.date
    nights: int
    guests: int | None = None
    rate: Money
    total: Money
    currency: str
    status: str = "offered"
    action: Action = "book"
    reference: str | None = None
    fee: Money | None = None
    rooms: list[RoomStay] = Field(default_factory=list)

    @property
    def room_stays(self) -> list[RoomStay]:
        """Every room of the offer: `rooms`, or else the one that the offer itself describes."""
        if self.rooms:
            return list(self.rooms)
        return [
            RoomStay(room=self.room, type=self.type, guests=self.guests, rate=self.rate, total=self.total)
        ]


class Booking(Offer):
    """A stored booking: an offer that was confirmed, with its reference.

    `status` is booked, changed or cancelled, `action` what made it so, and `fee` what that cost.
    """

    reference: str
    status: str = "booked"


class Guest(BaseModel):
    """Who a thread is verified for: a booking reference with the right surname."""

    model_config = ConfigDict(frozen=True)

    reference: str
    surname: str
    name: str
    hotel: str
    arrival: dt.date
    departure: dt.date


class StaffRequest(BaseModel):
    """Something only people can do. `kind` is a key of the catalogue, `text` the guest's own words."""

    kind: str
    text: str
    reason: str
    urgent: bool = False


def make_fact(turn: int, kind: FactKind, **fields: Any) -> Fact:
    """A fact of this turn, its id made from what it says: the same statement has the same id.

    So two tools, or one tool called twice, cannot give one statement two ids, and an id that was not
    handed out by a tool cannot be guessed into meaning something else.
    """
    draft = Fact(id="", kind=kind, turn=turn, **fields)
    said = draft.model_dump_json(exclude={"id", "turn", "source", "recalled"})
    return draft.model_copy(update={"id": f"t{turn}-{hashlib.sha256(said.encode()).hexdigest()[:8]}"})
