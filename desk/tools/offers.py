"""How offers are made: for what a guest picked, for a change of their booking, for its cancellation.

Everything in an offer is looked up or computed at this moment: whether the rooms are free, their rates, the
nights, the totals, the fee by the hotel's guide. An offer's id follows from what it says and from the turn
that makes it, so that a turn that runs again after a crash makes the same offer, and books it once.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desk.errors import BookingError
from desk.pack_files import Room
from desk.records import Action, Booking, Fact, FactKind, Offer, RoomStay, Stay, make_fact
from desk.stores.hotel_schema import stay_total
from desk.stores.hotels import Hotels
from desk.tools.results import answer

INSTEAD = 2  # rooms that are named when the one that was wanted is gone


@dataclass(frozen=True)
class Maker:
    """Makes offers in one turn of one thread."""

    hotels: Hotels
    currency: str
    thread: str
    turn: int
    now: dt.datetime

    def offer(self, picks: Sequence[Fact], stay: Stay) -> str:
        """An offer for the rooms picked, if all are free; else which one is not. Asks for missing dates."""
        first = picks[0]
        arrival, departure = first.arrival or stay.arrival, first.departure or stay.departure
        if stay.period or arrival is None or first.hotel is None:
            return answer([], ask="clarify_dates", offer=None)
        if any(pick.hotel != first.hotel for pick in picks):
            return answer([], ask="one_hotel", offer=None)
        departure = departure or arrival + dt.timedelta(days=1)
        rooms = []
        for pick in picks:
            guests = stay.guests if len(picks) == 1 else None
            free = self.hotels.reader(first.hotel).free_rooms(
                arrival, departure, room=pick.room, guests=guests
            )
            if not free:
                gone = self._gone(pick, arrival, departure, guests)
                instead = self._instead(first.hotel, arrival, departure, stay.guests)
                return answer([gone, *instead], offer=None)
            rooms += free
        return self._put(self._build("book", first.hotel, rooms, arrival, departure, stay.guests))

    def _gone(self, pick: Fact, arrival: dt.date, departure: dt.date, guests: int | None) -> Fact:
        """Why the room that was picked cannot be offered: it is too small for the party, or taken."""
        reader = self.hotels.reader(str(pick.hotel))
        fits = reader.free_rooms(arrival, departure, room=pick.room)
        span = {"arrival": arrival, "departure": departure, "guests": guests}
        what = {"hotel": pick.hotel, "room": pick.room, "type": pick.type, **span}
        return make_fact(self.turn, "booking_failed", status="too_small" if fits else "taken", **what)

    def change(self, booking: Booking, wanted: Mapping[str, Any]) -> str:
        """An offer to change the booking to the dates, type or room wanted, with its fee.

        `wanted` is a Stay (as plain values) read against the booking, and `fresh`, the fields the guest gave.
        """
        closed = self._closed(booking)
        if closed:
            return answer(closed, offer=None)
        fresh = set(wanted.get("fresh", ()))
        if not fresh & {"arrival", "departure", "type", "rooms"}:
            return answer([], ask="ask_change")
        stay = Stay.model_validate({key: value for key, value in wanted.items() if key in Stay.model_fields})
        arrival, departure = stay.arrival or booking.arrival, stay.departure or booking.departure
        if stay.problem or departure <= arrival:
            status = stay.problem or "departure_first"
            problem = date_problem(self.turn, stay.model_copy(update={"problem": status}))
            return answer([problem], offer=None)
        rooms = self._rooms_for_change(booking, stay, fresh, arrival, departure)
        if not rooms:
            named = stay.rooms[0] if stay.rooms else (None if "type" in fresh else booking.room)
            kind = stay.type if "type" in fresh else booking.type
            span = {"arrival": arrival, "departure": departure}
            what: dict[str, Any] = {"hotel": booking.hotel, "room": named, "type": kind, **span}
            none = make_fact(self.turn, "room_taken" if named else "none_free", status="booked", **what)
            return answer([none], offer=None)
        offer = self._build(
            "change", booking.hotel, rooms, arrival, departure, booking.guests, booking.reference
        )
        return self._with_fee(offer, lambda: self.hotels.change_fee(offer, self.now))

    def _closed(self, booking: Booking) -> list[Fact]:
        """Why the booking cannot be changed whatever is wanted: it is cancelled, or its stay has begun."""
        try:
            self.hotels.fee(booking.reference, self.now)
        except BookingError as error:
            kept = booking.model_dump(exclude={"id", "status", "action", "fee"})
            return self.failure(Offer(id="", action="change", **kept), error.reason)
        return []

    def cancellation(self, booking: Booking) -> str:
        """An offer to cancel the booking, with what that costs now."""
        return self._with_fee(
            self._cancel_offer(booking), lambda: self.hotels.fee(booking.reference, self.now)
        )

    def _cancel_offer(self, booking: Booking) -> Offer:
        kept = booking.model_dump(exclude={"id", "status", "action", "fee"})
        return Offer(id=self._id("cancel", str(kept)), action="cancel", **kept)

    def failed(self, offer: Offer, reason: str) -> str:
        """Why an offer could not be carried out; what has another price by now is offered anew with it."""
        facts = self.failure(offer, reason)
        anew = self._anew(offer) if reason == "changed" else None
        if anew is None:
            return answer(facts, offer=None)
        return answer([*facts, offer_fact(self.turn, "offer", anew)], offer=anew.model_dump(mode="json"))

    def _anew(self, offer: Offer) -> Offer | None:
        """The same offer as it stands now, or None when it can no longer be made."""
        span = (offer.arrival, offer.departure)
        if offer.action == "book" or offer.reference is None:
            reader = self.hotels.reader(offer.hotel)
            found = [reader.free_rooms(*span, room=each.room) for each in offer.room_stays]
        elif offer.action == "change":
            found = [
                self.hotels.free_for_change(offer.reference, *span, room=each.room)
                for each in offer.room_stays
            ]
        else:
            return self._cancelling(offer.reference)
        if not all(found):
            return None
        rooms = [each[0] for each in found]
        made = self._build(offer.action, offer.hotel, rooms, *span, offer.guests, offer.reference)
        if offer.action == "book":
            return made
        return self._priced(made, lambda: self.hotels.change_fee(made, self.now))

    def _cancelling(self, reference: str) -> Offer | None:
        booking = self.hotels.find_booking(reference)
        if booking is None:
            return None
        return self._priced(self._cancel_offer(booking), lambda: self.hotels.fee(reference, self.now))

    @staticmethod
    def _priced(offer: Offer, fee: Callable[[], Any]) -> Offer | None:
        try:
            return offer.model_copy(update={"fee": fee()})
        except BookingError:
            return None

    def failure(self, offer: Offer, reason: str) -> list[Fact]:
        """Why an offer could not be carried out, and what is free instead when the room is gone."""
        hidden = {"id", "status", "fee", "rooms", *({"action"} if offer.action == "book" else ())}
        fields = offer.model_dump(exclude=hidden)
        failed = make_fact(self.turn, "booking_failed", status=reason, **fields)
        if reason != "taken" or offer.action != "book":
            return [failed]
        return [failed, *self._instead(offer.hotel, offer.arrival, offer.departure, offer.guests)]

    def _rooms_for_change(
        self, booking: Booking, stay: Stay, fresh: set[str], arrival: dt.date, departure: dt.date
    ) -> list[Room]:
        """The rooms of the changed stay: those named, one of the type named, else the booking's own."""
        span = (booking.reference, arrival, departure)
        if stay.rooms:
            return self.hotels.free_for_change(*span, room=stay.rooms[0])
        if "type" in fresh:
            return self.hotels.free_for_change(*span, type=stay.type, guests=booking.guests)[:1]
        own = [self.hotels.free_for_change(*span, room=room.room) for room in booking.room_stays]
        return [free[0] for free in own] if all(own) else []

    def _with_fee(self, offer: Offer, fee: Any) -> str:
        try:
            return self._put(offer.model_copy(update={"fee": fee()}))
        except BookingError as error:
            return answer(self.failure(offer, error.reason), offer=None)

    def _build(
        self,
        action: Action,
        hotel: str,
        rooms: Sequence[Room],
        arrival: dt.date,
        departure: dt.date,
        guests: int | None,
        reference: str | None = None,
    ) -> Offer:
        nights = (departure - arrival).days
        each = [
            RoomStay(
                room=room.room,
                type=room.type,
                guests=guests or room.sleeps if len(rooms) == 1 else room.sleeps,
                rate=room.rate,
                total=stay_total(room.rate, nights),
            )
            for room in rooms
        ]
        first = each[0]
        return Offer(
            id=self._id(action, f"{hotel}|{each}|{arrival}|{departure}|{reference}"),
            hotel=hotel,
            room=first.room,
            type=first.type,
            arrival=arrival,
            departure=departure,
            nights=nights,
            guests=first.guests if len(each) == 1 else sum(room.guests or 0 for room in each),
            rate=first.rate,
            total=round(sum(room.total for room in each), 2),
            currency=self.currency,
            action=action,
            reference=reference,
            rooms=each if len(each) > 1 else [],
        )

    def _put(self, offer: Offer) -> str:
        return answer([offer_fact(self.turn, "offer", offer)], offer=offer.model_dump(mode="json"))

    def _id(self, action: str, says: str) -> str:
        key = f"{self.thread}|{self.turn}|{action}|{says}"
        return "o-" + hashlib.sha256(key.encode()).hexdigest()[:16]

    def _instead(self, hotel: str, arrival: dt.date, departure: dt.date, guests: int | None) -> list[Fact]:
        """Rooms that are free for the same nights: first of the same hotel, then of the others."""
        order = [hotel, *(b.id for b in self.hotels.pack.branches if b.id != hotel)]
        nights = (departure - arrival).days
        found = [
            (branch, room)
            for branch in order
            for room in self.hotels.reader(branch).free_rooms(arrival, departure, guests=guests)[:1]
        ]
        return [
            make_fact(
                self.turn,
                "nearest",
                status="other_type",
                hotel=branch,
                room=room.room,
                type=room.type,
                sleeps=room.sleeps,
                arrival=arrival,
                departure=departure,
                nights=nights,
                rate=room.rate,
                total=stay_total(room.rate, nights),
                currency=self.currency,
            )
            for branch, room in found[:INSTEAD]
        ]


def offer_fact(turn: int, kind: FactKind, record: Offer | Booking) -> Fact:
    """An offer or a booking as a fact. A booking's status says what was done; an offer's what it would do."""
    offered = {} if kind != "offer" or record.action == "book" else {"status": record.action}
    return make_fact(turn, kind, **{**record.model_dump(exclude={"id"}), **offered})


def date_problem(turn: int, stay: Stay) -> Fact:
    """Why the dates of a stay cannot be used; with the days that were possible when there are several."""
    values = {"readings": [day.isoformat() for day in stay.readings]} if stay.readings else {}
    span = {"arrival": stay.arrival, "departure": stay.departure}
    return make_fact(turn, "date_problem", status=stay.problem, values=values, **span)
