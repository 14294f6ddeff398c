"""What a cancellation, or a change, costs: the rules of a hotel's house guide, worked out by code.

The rules are the values of the guide's entries `cancellation` (`free_hours` or `free_days`, then
`charged_nights` or `charged_percent`) and `check_in` (`from`); data/hotels/*/guide.toml has them. What the
guide does not charge costs nothing.

The guide says nothing of changes. A change gives nights up, and a night that is given up is cancelled: it
costs what cancelling it costs, whether the stay is moved, shortened, or loses a room. Otherwise a guest could
move a stay out of the charged time and then cancel it free of charge.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo

from desk.records import Money, Offer
from desk.stores.hotel_schema import from_cents, in_cents

Guide = Mapping[str, Mapping[str, Any]]  # the values of a house guide by the entry's kind


def check_in_at(guide: Guide, arrival: dt.date, zone: ZoneInfo) -> dt.datetime:
    """When a stay begins: the earliest check-in on the arrival day, in the hotel's zone; else midnight."""
    opens = dt.time.fromisoformat(guide.get("check_in", {}).get("from", "00:00"))
    return dt.datetime.combine(arrival, opens, zone)


def free_until(guide: Guide, arrival: dt.date, zone: ZoneInfo) -> dt.datetime | None:
    """The last moment at which cancelling is free; None when the guide names no free time.

    Hours count as they pass; days are days of the calendar, at the hour of check-in, so that a change of the
    clocks in between does not move the deadline to another hour.
    """
    rules, begins = guide.get("cancellation", {}), check_in_at(guide, arrival, zone)
    if "free_hours" in rules:
        return (begins.astimezone(dt.UTC) - dt.timedelta(hours=rules["free_hours"])).astimezone(zone)
    if "free_days" in rules:
        return begins - dt.timedelta(days=rules["free_days"])
    return None


def cancellation_fee(guide: Guide, booking: Offer, now: dt.datetime, zone: ZoneInfo) -> Money:
    """What it costs to cancel `booking` at `now`, in its currency's main unit, to the cent.

    Free up to and including the deadline. Then `charged_nights` at each room's rate, or `charged_percent` of
    the total, half a cent rounded up; never more than the total.
    """
    return _fee(guide, booking, [(room.rate, booking.nights) for room in booking.room_stays], now, zone)


def change_fee(guide: Guide, booking: Offer, offer: Offer, now: dt.datetime, zone: ZoneInfo) -> Money:
    """What it costs to make of `booking` what `offer` says: the price of cancelling the nights given up.

    Nothing is given up by another room for the same nights, or by more nights.
    """
    return _fee(guide, booking, _given_up(booking, offer), now, zone)


def _given_up(booking: Offer, offer: Offer) -> list[tuple[Money, int]]:
    """For each room of the booking its rate and how many of its nights the offer no longer has."""
    shared = (min(booking.departure, offer.departure) - max(booking.arrival, offer.arrival)).days
    staying = {room.room for room in offer.room_stays}
    # The rooms that stay come first; each other room of the offer takes the place of one that goes.
    rooms = sorted(booking.room_stays, key=lambda room: room.room not in staying)
    kept = len(offer.room_stays)
    return [
        (room.rate, booking.nights - (max(shared, 0) if place < kept else 0))
        for place, room in enumerate(rooms)
    ]


def _fee(
    guide: Guide, booking: Offer, nights: Sequence[tuple[Money, int]], now: dt.datetime, zone: ZoneInfo
) -> Money:
    if now.tzinfo is None:
        raise ValueError("a moment without a time zone has no place in a deadline")
    deadline = free_until(guide, booking.arrival, zone)
    # Compared in UTC: two times of one zone compare by their clocks, which show an hour of autumn twice.
    if deadline is not None and now.astimezone(dt.UTC) <= deadline.astimezone(dt.UTC):
        return 0
    rules = guide.get("cancellation", {})
    if "charged_nights" in rules:
        most = int(rules["charged_nights"])
        return from_cents(sum(in_cents(rate) * min(most, count) for rate, count in nights))
    total = sum(in_cents(rate) * count for rate, count in nights)
    share = Decimal(str(rules.get("charged_percent", 0))) / 100
    return from_cents(min(total, int((total * share).quantize(Decimal(1), ROUND_HALF_UP))))
