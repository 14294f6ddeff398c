"""Bookings as they are stored, and back: rows of `guests.db` and of a hotel's file.

The tables of the hotel's file are named without a schema, so that the same queries serve the writer, which
has the file attached, and a reader, which has nothing else open. Only the guest stands in `guests.db`.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import sqlite3
from typing import Any

from desk.records import Action, Booking, Money, Offer, RoomStay
from desk.stores.cancellation import Guide
from desk.stores.hotel_schema import from_cents, in_cents

ROWS = """SELECT b.*, r.type FROM bookings AS b JOIN rooms AS r ON r.room = b.room
    WHERE b.stay = ? ORDER BY b.rowid"""
LAST_CHANGE = "SELECT fee FROM changes WHERE booking = ? ORDER BY rowid DESC LIMIT 1"
MADE_BY: dict[str, Action] = {"booked": "book", "changed": "change", "cancelled": "cancel"}


def stored_booking(connection: sqlite3.Connection, guest: sqlite3.Row, currency: str) -> Booking | None:
    """The guest's booking as it stands in their hotel's file, or None when the file has none."""
    rows = connection.execute(ROWS, (guest["booking"],)).fetchall()
    if not rows:
        return None
    changed = connection.execute(LAST_CHANGE, (guest["booking"],)).fetchone()
    arrival, departure = (dt.date.fromisoformat(rows[0][day]) for day in ("arrival", "departure"))
    rooms = [RoomStay.model_validate({name: row[name] for name in RoomStay.model_fields}) for row in rows]
    return Booking(
        id=guest["offer_id"],
        hotel=guest["hotel"],
        room=rooms[0].room,
        type=rooms[0].type,
        arrival=arrival,
        departure=departure,
        nights=(departure - arrival).days,
        guests=sum_of_guests(rooms),
        rate=rooms[0].rate,
        total=sum_of_totals(rooms),
        currency=currency,
        status=rows[0]["status"],
        action=MADE_BY[rows[0]["status"]],
        reference=guest["reference"],
        fee=changed["fee"] if changed else None,
        rooms=rooms if len(rooms) > 1 else [],
    )


def sum_of_guests(rooms: list[RoomStay]) -> int | None:
    """How many guests the rooms are for together; None when it is not known of each."""
    known = [room.guests for room in rooms if room.guests is not None]
    return sum(known) if len(known) == len(rooms) else None


def sum_of_totals(rooms: list[RoomStay]) -> Money:
    """What the rooms cost together, to the cent."""
    return from_cents(sum(in_cents(room.total) for room in rooms))


def add_rows(connection: sqlite3.Connection, stay: str, offer: Offer, status: str) -> None:
    """Store a row for each of the offer's rooms."""
    for number, room in enumerate(offer.room_stays, 1):
        connection.execute(
            """INSERT INTO hotel.bookings (id, stay, room, arrival, departure, guests, rate, total, status)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                stay if number == 1 else f"{stay}-{number}",
                stay,
                room.room,
                offer.arrival.isoformat(),
                offer.departure.isoformat(),
                room.guests,
                room.rate,
                room.total,
                status,
            ),
        )


def guest_of(connection: sqlite3.Connection, column: str, value: str) -> sqlite3.Row | None:
    """The guest with this `offer_id` or this `reference`."""
    row: sqlite3.Row | None = connection.execute(
        f"SELECT * FROM main.guests WHERE {column} = ?",  # noqa: S608  a column's name, from this package
        (value,),
    ).fetchone()
    return row


def change_of(connection: sqlite3.Connection, offer_id: str) -> sqlite3.Row | None:
    """The change or the cancellation that was made by this offer, if it was made."""
    row: sqlite3.Row | None = connection.execute(
        "SELECT booking, action FROM changes WHERE offer_id = ?", (_digest(offer_id),)
    ).fetchone()
    return row


def add_change(
    connection: sqlite3.Connection, offer: Offer, stay: str, before: Booking, fee: Money, now: dt.datetime
) -> None:
    """Note what a change or a cancellation replaces, what it costs, and when it was made (UTC)."""
    kept: dict[str, Any] = before.model_dump(
        mode="json", include={"arrival", "departure", "guests", "total", "currency", "status"}
    )
    kept["rooms"] = [room.model_dump(mode="json") for room in before.room_stays]
    connection.execute(
        "INSERT INTO hotel.changes (offer_id, booking, action, before, fee, at) VALUES (?, ?, ?, ?, ?, ?)",
        (
            _digest(offer.id),
            stay,
            offer.action,
            json.dumps(kept),
            fee,
            now.astimezone(dt.UTC).isoformat(timespec="seconds"),
        ),
    )


def guide_rules(connection: sqlite3.Connection) -> Guide:
    """What the house guide says about cancelling and about check-in, by the entries' kinds."""
    rows = connection.execute(
        "SELECT kind, details FROM guide WHERE kind IN ('cancellation', 'check_in')"
    ).fetchall()
    return {row["kind"]: json.loads(row["details"]) for row in rows}


def _digest(offer_id: str) -> str:
    return hashlib.sha256(offer_id.encode()).hexdigest()
