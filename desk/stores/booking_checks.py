"""What is checked before a booking, a change or a cancellation is written, inside the same transaction."""

from __future__ import annotations

import datetime as dt
import sqlite3
from zoneinfo import ZoneInfo

from desk.errors import BookingError
from desk.records import Booking, Money, Offer, RoomStay
from desk.stores.booking_rows import sum_of_totals
from desk.stores.cancellation import Guide, check_in_at
from desk.stores.hotel_schema import in_cents, stay_total

# A booking's own nights, which a change may give back, do not stand in its way.
OVERLAP = """SELECT 1 FROM hotel.bookings WHERE room = ? AND status <> 'cancelled' AND stay <> ?
    AND arrival < ? AND ? < departure LIMIT 1"""


def check_offer(
    connection: sqlite3.Connection, offer: Offer, hotel: str, currency: str, today: dt.date, own: str = ""
) -> None:
    """Raise BookingError unless every room of the offer can be had as it stands.

    `own` is the stay that the offer changes; its nights do not count as taken.
    """
    rooms = offer.room_stays
    _check_form(offer, rooms)
    if offer.arrival < today:
        raise BookingError("past")
    beds = [_check_room(connection, offer, room, hotel) for room in rooms]
    places = sum(
        sleeps if room.guests is None else room.guests for room, sleeps in zip(rooms, beds, strict=True)
    )
    if places < (offer.guests or 0):
        raise BookingError("too_small")  # some of the party would have no bed
    if offer.currency != currency or in_cents(offer.total) != in_cents(sum_of_totals(rooms)):
        raise BookingError("changed")
    for room in rooms:
        _check_free(connection, offer, room.room, own)


def check_still_ahead(booking: Booking, guide: Guide, zone: ZoneInfo, now: dt.datetime) -> None:
    """Raise BookingError when the booking is cancelled or the stay has begun, which it does at check-in."""
    if booking.status == "cancelled":
        raise BookingError("cancelled")
    begins = check_in_at(guide, booking.arrival, zone)
    if now.astimezone(dt.UTC) >= begins.astimezone(dt.UTC):
        raise BookingError("past")


def check_shown(offer: Offer, booking: Booking) -> None:
    """Raise BookingError when the offer to cancel shows another stay than the one that is stored."""
    mine, theirs = ({room.room for room in each.room_stays} for each in (offer, booking))
    if mine != theirs or not _same_nights(offer, booking):
        raise BookingError("changed")


def check_changes_something(offer: Offer, booking: Booking) -> None:
    """Raise BookingError when nights, rooms and guests are those that the booking has already."""
    mine, theirs = (
        sorted((room.room, room.guests or 0) for room in each.room_stays) for each in (offer, booking)
    )
    if mine == theirs and _same_nights(offer, booking):
        raise BookingError("invalid")


def check_fee(offer: Offer, fee: Money) -> None:
    """Raise BookingError when the fee is not the one that was offered; no fee and 0 are the same."""
    if in_cents(offer.fee or 0) != in_cents(fee):
        raise BookingError("changed")


def _same_nights(offer: Offer, booking: Booking) -> bool:
    return (offer.arrival, offer.departure) == (booking.arrival, booking.departure)


def _check_form(offer: Offer, rooms: list[RoomStay]) -> None:
    nights = (offer.departure - offer.arrival).days
    counts = [offer.guests, *(room.guests for room in rooms)]
    first = (offer.room, offer.type, in_cents(offer.rate))
    if (
        nights < 1
        or nights != offer.nights
        or any(count is not None and count < 1 for count in counts)
        or len({room.room for room in rooms}) != len(rooms)
        or first != (rooms[0].room, rooms[0].type, in_cents(rooms[0].rate))
    ):
        raise BookingError("invalid")


def _check_room(connection: sqlite3.Connection, offer: Offer, room: RoomStay, hotel: str) -> int:
    """How many the room sleeps, when it is as the offer says."""
    stored = connection.execute("SELECT * FROM hotel.rooms WHERE room = ?", (room.room,)).fetchone()
    if stored is None or offer.hotel != hotel:
        raise BookingError("unknown_room")
    if room.guests is not None and room.guests > stored["sleeps"]:
        raise BookingError("too_small")
    asked = (room.type, in_cents(room.rate), in_cents(room.total))
    rate = stored["rate"]
    if asked != (stored["type"], in_cents(rate), in_cents(stay_total(rate, offer.nights))):
        raise BookingError("changed")
    return int(stored["sleeps"])


def _check_free(connection: sqlite3.Connection, offer: Offer, room: str, own: str) -> None:
    stay = (room, own, offer.departure.isoformat(), offer.arrival.isoformat())
    if connection.execute(OVERLAP, stay).fetchone():
        raise BookingError("taken")
