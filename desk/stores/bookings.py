"""Writing the life of a booking: each step one transaction that checks everything again before it stores.

Everything is keyed on the offer's id: an offer that is confirmed again, from another tab or after a crash,
writes nothing and gives the booking as it stands now.
"""

from __future__ import annotations

import datetime as dt
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from desk.errors import BookingError, StorageError
from desk.pack import Branch
from desk.records import Action, Booking, Money, Offer
from desk.stores.booking_checks import (
    check_changes_something,
    check_fee,
    check_offer,
    check_shown,
    check_still_ahead,
)
from desk.stores.booking_rows import add_change, add_rows, change_of, guest_of, guide_rules, stored_booking
from desk.stores.cancellation import cancellation_fee, change_fee
from desk.stores.hotel_schema import storage_errors, writer

# 32 letters and digits that are not mistaken for one another (no 0, O, 1, I): six of them are 30 bits, so
# that a reference cannot be found by trying.
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
REFERENCE_LENGTH = 6
DRAWS = 20  # a second draw is needed once in a billion bookings
MAX_NAME = 120


@dataclass(frozen=True)
class HotelWriter:
    """Writes the bookings of one hotel. Safe from several threads and processes."""

    branch: Branch
    currency: str
    zone: ZoneInfo
    folder: Path
    draw: Callable[[str], str] = secrets.choice

    def book(self, offer: Offer, name: str, surname: str, *, today: dt.date) -> Booking:
        """Store the offer as a booking in the name of `name`, to be opened with `surname`.

        All of the offer's rooms are booked under one reference, or none is. Raises BookingError when the
        offer cannot be had as it stands, and then nothing is stored.
        """
        if offer.action != "book":
            raise BookingError("invalid")
        with self._transaction() as connection:
            guest = guest_of(connection, "offer_id", offer.id)
            if guest is not None and guest["hotel"] != self.branch.id:
                raise BookingError("unknown_room")
            if guest is not None and (stored := stored_booking(connection, guest, self.currency)):
                return stored
            check_offer(connection, offer, self.branch.id, self.currency, today)
            if guest is None:
                guest = self._add_guest(connection, offer, _clean(name), _clean(surname))
            add_rows(connection, guest["booking"], offer, "booked")
            return self._now_stored(connection, guest)

    def change(self, offer: Offer, *, now: dt.datetime) -> Booking:
        """Put the offer's rooms and nights in the place of those of the booking with its reference.

        The offer is checked as for a new booking, and its fee against the hotel's rules at `now`. Raises
        BookingError when it cannot be had, the booking is cancelled or the stay has begun.
        """
        return self._amend(offer, "change", now)

    def cancel(self, offer: Offer, *, now: dt.datetime) -> Booking:
        """Cancel the booking with the offer's reference; its rooms are free again.

        The offer must show the stay as it is stored and the fee by the hotel's rules at `now`. Raises
        BookingError otherwise, and when the booking is cancelled already or the stay has begun.
        """
        return self._amend(offer, "cancel", now)

    def _amend(self, offer: Offer, action: Action, now: dt.datetime) -> Booking:
        if offer.action != action or not offer.reference:
            raise BookingError("invalid")
        with self._transaction() as connection:
            guest = guest_of(connection, "reference", offer.reference)
            if guest is None or guest["hotel"] != self.branch.id:
                raise BookingError("unknown_booking")
            booking = stored_booking(connection, guest, self.currency)
            if booking is None:
                raise BookingError("unknown_booking")
            done = change_of(connection, offer.id)
            if done is not None:
                if (done["booking"], done["action"]) != (guest["booking"], action):
                    raise BookingError("invalid")
                return booking
            fee = self._checked_fee(connection, offer, booking, guest["booking"], now)
            _replace(connection, guest["booking"], offer)
            add_change(connection, offer, guest["booking"], booking, fee, now)
            return self._now_stored(connection, guest)

    def _checked_fee(
        self, connection: sqlite3.Connection, offer: Offer, booking: Booking, stay: str, now: dt.datetime
    ) -> Money:
        """What the offer costs, when it may be carried out and its fee is right; else BookingError."""
        rules = guide_rules(connection)
        check_still_ahead(booking, rules, self.zone, now)
        if offer.action == "change":
            today = now.astimezone(self.zone).date()
            check_offer(connection, offer, self.branch.id, self.currency, today, own=stay)
            check_changes_something(offer, booking)
            fee = change_fee(rules, booking, offer, now, self.zone)
        else:
            check_shown(offer, booking)
            fee = cancellation_fee(rules, booking, now, self.zone)
        check_fee(offer, fee)
        return fee

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with storage_errors(self.folder), writer(self.folder, self.branch.id) as connection:
            yield connection

    def _now_stored(self, connection: sqlite3.Connection, guest: sqlite3.Row) -> Booking:
        stored = stored_booking(connection, guest, self.currency)
        if stored is None:
            raise StorageError(f"{self.folder}: a booking was not stored")
        return stored

    def _add_guest(
        self, connection: sqlite3.Connection, offer: Offer, name: str, surname: str
    ) -> sqlite3.Row:
        if not surname:
            raise BookingError("no_name")
        connection.execute(
            """INSERT INTO main.guests (offer_id, hotel, booking, reference, name, surname)
                VALUES (?, ?, ?, ?, ?, ?)""",
            (
                offer.id,
                self.branch.id,
                # The offer's id may hold the thread's, which opens the conversation: the hotel's own file,
                # which the query tool reads, gets an id that leads nowhere.
                secrets.token_hex(16),
                self._new_reference(connection),
                name or surname,
                surname,
            ),
        )
        guest = guest_of(connection, "offer_id", offer.id)
        if guest is None:
            raise StorageError(f"{self.folder}: a guest was not stored")
        return guest

    def _new_reference(self, connection: sqlite3.Connection) -> str:
        for _ in range(DRAWS):
            suffix = "".join(self.draw(ALPHABET) for _ in range(REFERENCE_LENGTH))
            reference = f"{self.branch.prefix}-{suffix}"
            if guest_of(connection, "reference", reference) is None:
                return reference
        raise StorageError("no free booking reference was found")


def _replace(connection: sqlite3.Connection, stay: str, offer: Offer) -> None:
    """Cancel the stay's rows, or put the offer's rooms and nights in their place."""
    if offer.action == "cancel":
        connection.execute("UPDATE hotel.bookings SET status = 'cancelled' WHERE stay = ?", (stay,))
        return
    connection.execute("DELETE FROM hotel.bookings WHERE stay = ?", (stay,))
    add_rows(connection, stay, offer, "changed")


def _clean(name: str) -> str:
    """One line of at most MAX_NAME characters, without control characters."""
    kept = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(kept.split())[:MAX_NAME]
