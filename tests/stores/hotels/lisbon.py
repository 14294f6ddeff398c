"""The hotel pack's hotels in a test: offers that are right in everything, and carrying them out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from desk.records import Booking, Offer, RoomStay
from desk.stores.hotel_schema import from_cents, in_cents, stay_total
from desk.stores.hotels import Hotels

PACK = Path(__file__).parents[3] / "data" / "hotels"
TODAY = dt.date(2026, 12, 1)
ZONE = ZoneInfo("Europe/Lisbon")
NOW = dt.datetime(2026, 12, 1, 9, 30, tzinfo=ZONE)


def day(number: int) -> dt.date:
    """The date `number` days after the first day."""
    return TODAY + dt.timedelta(days=number)


def offer_of(
    hotels: Hotels, offer_id: str, rooms: Sequence[str], start: int, nights: int, **changed: object
) -> Offer:
    """An offer of these rooms, the first one's hotel found by its number; `changed` fields are as given."""
    found = [
        (branch.id, room)
        for number in rooms
        for branch in hotels.pack.branches
        if (room := hotels.reader(branch.id).room(number))
    ]
    stays = [
        RoomStay(room=room.room, type=room.type, rate=room.rate, total=stay_total(room.rate, nights))
        for _, room in found
    ]
    fields: dict[str, object] = {
        "id": offer_id,
        "hotel": found[0][0],
        "room": stays[0].room,
        "type": stays[0].type,
        "arrival": day(start),
        "departure": day(start + nights),
        "nights": nights,
        "rate": stays[0].rate,
        "total": from_cents(sum(in_cents(stay.total) for stay in stays)),
        "currency": hotels.pack.currency,
        "rooms": stays if len(stays) > 1 else [],
    }
    return Offer.model_validate(fields | changed)


def change_of(
    hotels: Hotels, offer_id: str, booking: Booking, rooms: Sequence[str], start: int, nights: int
) -> Offer:
    """The offer to change a booking to these rooms and nights, at the fee that holds at NOW."""
    changed = offer_of(hotels, offer_id, rooms, start, nights, action="change", reference=booking.reference)
    return changed.model_copy(update={"fee": hotels.change_fee(changed, NOW)})


def cancel_of(hotels: Hotels, offer_id: str, booking: Booking, now: dt.datetime = NOW) -> Offer:
    """The offer to cancel a booking, at the fee that holds at `now`."""
    shown = booking.model_dump(exclude={"id", "status", "action", "fee"})
    return Offer(id=offer_id, action="cancel", fee=hotels.fee(booking.reference, now), **shown)


def carry_out(hotels: Hotels, offer: Offer, now: dt.datetime = NOW) -> Booking:
    """Do what the offer says, as a confirmation does."""
    writer = hotels.writer(offer.hotel)
    if offer.action == "change":
        return writer.change(offer, now=now)
    if offer.action == "cancel":
        return writer.cancel(offer, now=now)
    return writer.book(offer, "Ana García Márquez", "García Márquez", today=now.date())
