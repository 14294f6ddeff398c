"""The reservation agent's tools. The only ones that write, and each checks its own right to when it runs.

An offer is made only for the thread's own pick; a booking only for the offer that stands and that the guest
confirmed. Both rest on state fields that code set from the guest's words or buttons, not on the model.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from typing import Any

from langchain_core.tools import BaseTool, tool

from desk.errors import BookingError
from desk.records import Booking, Fact, Guest, Offer, Stay, make_fact
from desk.stores.hotel_schema import stay_total
from desk.stores.hotels import Hotels
from desk.tools.results import RunOf, answer, refuse

GRANTS: Mapping[str, tuple[str, ...]] = {
    "offer": ("make_offer",),
    "book": ("book_offer",),
    "decline": ("decline_offer",),
    "own_stay": ("show_booking",),
}
NOT_GRANTED = "this handoff does not grant this tool"


def granted(state: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the tools that the handoff at work grants."""
    current = state.get("current")
    return GRANTS.get(state["handoffs"][current]["action"], ()) if current is not None else ()


def reservation_tools(hotels: Hotels, currency: str) -> list[BaseTool]:
    """make_offer, book_offer, decline_offer and show_booking."""

    @tool
    def make_offer(runtime: RunOf) -> str:
        """Put the room that the guest picked before them as an offer. Writes nothing."""
        if "make_offer" not in granted(runtime.state) or not runtime.state.get("pick"):
            return refuse(NOT_GRANTED)
        pick = Fact.model_validate(runtime.state["pick"])
        stay = Stay.model_validate(runtime.state["stay"])
        return offer_for(pick, stay, hotels, currency, runtime.context.thread, runtime.context.turn)

    @tool
    def book_offer(runtime: RunOf) -> str:
        """Write the booking for the offer that the guest has confirmed."""
        offer = runtime.state.get("offer")
        confirmed = runtime.state.get("confirmed")
        if "book_offer" not in granted(runtime.state) or not offer or confirmed != offer["id"]:
            return refuse(NOT_GRANTED)
        if not runtime.state.get("name"):
            return refuse("the guest's name is not known yet: ask under which name to book")
        today = runtime.context.parts.clock.today()
        return book(Offer.model_validate(offer), runtime.state["name"], hotels, runtime.context.turn, today)

    @tool
    def decline_offer(runtime: RunOf) -> str:
        """Take the offer off the table, as the guest asked."""
        if "decline_offer" not in granted(runtime.state):
            return refuse(NOT_GRANTED)
        return answer([], offer=None)

    @tool
    def show_booking(runtime: RunOf) -> str:
        """The verified guest's own booking."""
        if "show_booking" not in granted(runtime.state) or not runtime.state.get("guest"):
            return refuse(NOT_GRANTED)
        guest = Guest.model_validate(runtime.state["guest"])
        return answer([stay_fact(guest, hotels, runtime.context.turn)])

    return [make_offer, book_offer, decline_offer, show_booking]


def offer_for(pick: Fact, stay: Stay, hotels: Hotels, currency: str, thread: str, turn: int) -> str:
    """An offer for the pick if the room is still free at this moment; else the honest reason.

    The offer's id follows from thread, turn, room and dates, so that a turn that runs again after a crash
    makes the same offer.
    """
    arrival, departure = pick.arrival or stay.arrival, pick.departure or stay.departure
    if arrival and not departure:
        departure = arrival + dt.timedelta(days=1)
    if not (pick.hotel and pick.room and arrival and departure) or (pick.total is None and stay.period):
        return refuse("exact dates are missing: ask the guest for arrival and departure")
    span = {"arrival": arrival, "departure": departure}
    free = hotels.reader(pick.hotel).free_rooms(arrival, departure, room=pick.room, guests=stay.guests)
    if not free:
        lost = make_fact(
            turn, "booking_failed", status="taken", hotel=pick.hotel, room=pick.room, type=pick.type, **span
        )
        return answer([lost], offer=None)
    room = free[0]
    nights = (departure - arrival).days
    key = f"{thread}|{turn}|{pick.hotel}|{room.room}|{arrival}|{departure}|{room.rate}"
    offer = Offer(
        id="o-" + hashlib.sha256(key.encode()).hexdigest()[:16],
        hotel=pick.hotel,
        room=room.room,
        type=room.type,
        nights=nights,
        guests=stay.guests or room.sleeps,
        rate=room.rate,
        total=stay_total(room.rate, nights),
        currency=currency,
        arrival=arrival,
        departure=departure,
    )
    return answer([_fact(turn, "offer", offer)], offer=offer.model_dump(mode="json"))


def book(offer: Offer, name: str, hotels: Hotels, turn: int, today: dt.date) -> str:
    """Write the booking; the reference comes from the stored row, never from anywhere else."""
    surname = name.rsplit(maxsplit=1)[-1]
    try:
        booking = hotels.writer(offer.hotel).book(offer, name, surname, today=today)
    except BookingError as error:
        fields = offer.model_dump(exclude={"id", "status"})
        return answer([make_fact(turn, "booking_failed", **{**fields, "status": error.reason})], offer=None)
    return answer([_fact(turn, "booking", booking)], offer=None, booking=booking.model_dump(mode="json"))


def stay_fact(guest: Guest, hotels: Hotels, turn: int) -> Fact:
    """The verified guest's own stay as a fact, from the stored booking."""
    booking = hotels.find_booking(guest.reference)
    if booking is not None:
        return _fact(turn, "stay", booking)
    nights = (guest.departure - guest.arrival).days
    span = {"arrival": guest.arrival, "departure": guest.departure, "nights": nights}
    return make_fact(turn, "stay", hotel=guest.hotel, reference=guest.reference, **span)


def _fact(turn: int, kind: Any, record: Offer | Booking) -> Fact:
    return make_fact(turn, kind, **record.model_dump(exclude={"id"}))
