"""Writing a booking: one transaction that checks everything again before it stores anything."""

from __future__ import annotations

import datetime as dt
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desk.errors import BookingError, StorageError
from desk.pack import Branch
from desk.records import Booking, Offer
from desk.stores.hotel_schema import stay_total, storage_errors, writer

# 32 letters and digits that are not mistaken for one another (no 0, O, 1, I): six of them are 30 bits, so
# that a reference cannot be found by trying.
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
REFERENCE_LENGTH = 6
DRAWS = 20  # a second draw is needed once in a billion bookings
MAX_NAME = 120

OVERLAP = """SELECT 1 FROM hotel.bookings WHERE room = ? AND status <> 'cancelled'
    AND arrival < ? AND ? < departure LIMIT 1"""
STORED = """SELECT b.*, r.type FROM hotel.bookings AS b JOIN hotel.rooms AS r ON r.room = b.room
    WHERE b.id = ?"""


@dataclass(frozen=True)
class HotelWriter:
    """Writes the bookings of one hotel. Safe from several threads and processes."""

    branch: Branch
    currency: str
    folder: Path
    draw: Callable[[str], str] = secrets.choice

    def book(self, offer: Offer, name: str, surname: str, *, today: dt.date) -> Booking:
        """Store the offer as a booking in the name of `name`, to be opened with `surname`.

        The same offer's id returns the booking already made and writes no second one. Raises BookingError
        when the offer cannot be had as it stands, and then nothing is stored.
        """
        with storage_errors(self.folder), writer(self.folder, self.branch.id) as connection:
            guest = _guest(connection, offer.id)
            if guest is not None and guest["hotel"] != self.branch.id:
                raise BookingError("unknown_room")
            if guest is not None and (stored := _stored(connection, guest)) is not None:
                return booking_from(stored, guest, self.currency)
            self._check(connection, offer, today)
            if guest is None:
                guest = self._add_guest(connection, offer, _clean(name), _clean(surname))
            _add_booking(connection, offer, guest["booking"])
            stored = _stored(connection, guest)
            if stored is None:
                raise StorageError(f"{self.folder}: a booking was not stored")
            return booking_from(stored, guest, self.currency)

    def _check(self, connection: sqlite3.Connection, offer: Offer, today: dt.date) -> None:
        nights = (offer.departure - offer.arrival).days
        guests = offer.guests
        if nights < 1 or nights != offer.nights or (guests is not None and guests < 1):
            raise BookingError("invalid")
        if offer.arrival < today:
            raise BookingError("past")
        room = connection.execute("SELECT * FROM hotel.rooms WHERE room = ?", (offer.room,)).fetchone()
        if room is None or offer.hotel != self.branch.id:
            raise BookingError("unknown_room")
        if guests is not None and guests > room["sleeps"]:
            raise BookingError("too_small")
        asked = (offer.type, offer.rate, offer.total, offer.currency)
        if asked != (room["type"], room["rate"], stay_total(room["rate"], nights), self.currency):
            raise BookingError("changed")
        stay = (offer.room, offer.departure.isoformat(), offer.arrival.isoformat())
        if connection.execute(OVERLAP, stay).fetchone():
            raise BookingError("taken")

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
        guest = _guest(connection, offer.id)
        if guest is None:
            raise StorageError(f"{self.folder}: a guest was not stored")
        return guest

    def _new_reference(self, connection: sqlite3.Connection) -> str:
        for _ in range(DRAWS):
            suffix = "".join(self.draw(ALPHABET) for _ in range(REFERENCE_LENGTH))
            reference = f"{self.branch.prefix}-{suffix}"
            known = connection.execute("SELECT 1 FROM main.guests WHERE reference = ?", (reference,))
            if known.fetchone() is None:
                return reference
        raise StorageError("no free booking reference was found")


def booking_from(row: sqlite3.Row, guest: sqlite3.Row, currency: str) -> Booking:
    """A stored booking (with its room's type) and its guest's row as the record the desk hands on."""
    arrival, departure = dt.date.fromisoformat(row["arrival"]), dt.date.fromisoformat(row["departure"])
    return Booking(
        id=guest["offer_id"],
        hotel=guest["hotel"],
        room=row["room"],
        type=row["type"],
        arrival=arrival,
        departure=departure,
        nights=(departure - arrival).days,
        guests=row["guests"],
        rate=row["rate"],
        total=row["total"],
        currency=currency,
        status=row["status"],
        reference=guest["reference"],
    )


def _guest(connection: sqlite3.Connection, offer_id: str) -> sqlite3.Row | None:
    row: sqlite3.Row | None = connection.execute(
        "SELECT * FROM main.guests WHERE offer_id = ?", (offer_id,)
    ).fetchone()
    return row


def _stored(connection: sqlite3.Connection, guest: sqlite3.Row) -> sqlite3.Row | None:
    row: sqlite3.Row | None = connection.execute(STORED, (guest["booking"],)).fetchone()
    return row


def _add_booking(connection: sqlite3.Connection, offer: Offer, booking_id: str) -> None:
    connection.execute(
        """INSERT INTO hotel.bookings (id, room, arrival, departure, guests, rate, total, status)
            VALUES (?, ?, ?, ?, ?, ?, ?, 'booked')""",
        (
            booking_id,
            offer.room,
            offer.arrival.isoformat(),
            offer.departure.isoformat(),
            offer.guests,
            offer.rate,
            offer.total,
        ),
    )


def _clean(name: str) -> str:
    """One line of at most MAX_NAME characters, without control characters."""
    kept = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(kept.split())[:MAX_NAME]
