"""The hotels' databases as the desk uses them: readers for the branches, one writer for reservations.

Stays are half-open: the room is free again on the departure day, so that one guest may arrive on the day
another leaves. Every call opens its own connection; all objects here may be shared between threads.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desk.errors import BookingError, ToolRefused
from desk.pack import Branch, Pack
from desk.pack_files import GuideEntry, Room, as_money
from desk.reading.names import same_surname
from desk.records import Booking, Guest, Money, Offer
from desk.stores.booking_checks import check_still_ahead
from desk.stores.booking_rows import guest_of, guide_rules, stored_booking
from desk.stores.bookings import HotelWriter
from desk.stores.cancellation import Guide, cancellation_fee, change_fee
from desk.stores.hotel_schema import GUESTS, hotel_file, make_databases
from desk.stores.readonly import Rows, reading, run_query

FREE = """SELECT room, type, sleeps, rate FROM rooms AS r
    WHERE (:type IS NULL OR lower(type) = lower(:type))
      AND (:room IS NULL OR room = :room)
      AND (:guests IS NULL OR sleeps >= :guests)
      AND NOT EXISTS (SELECT 1 FROM bookings AS b WHERE b.room = r.room AND b.status <> 'cancelled'
                      AND b.stay IS NOT :own AND b.arrival < :departure AND :arrival < b.departure)
    ORDER BY rate, room"""
# A word in an entry's kind says most, one in its keywords much, one in its values little.
GUIDE = """SELECT guide.kind, guide.details FROM guide_fts JOIN guide ON guide.position = guide_fts.rowid
    WHERE guide_fts MATCH ? ORDER BY bm25(guide_fts, 10.0, 5.0, 1.0), guide.position LIMIT ?"""
MAX_HORIZON_DAYS = 366
MAX_QUERY_WORDS = 64


@dataclass(frozen=True)
class HotelReader:
    """What a branch's assistant may ask of its own hotel. Nothing here can write or name a guest."""

    branch: Branch
    path: Path
    small_words: frozenset[str] = frozenset()

    def rooms(self, type: str | None = None) -> list[Room]:
        """All rooms, or those of one type, the cheapest first."""
        sql = """SELECT room, type, sleeps, rate FROM rooms
            WHERE ?1 IS NULL OR lower(type) = lower(?1) ORDER BY rate, room"""
        with reading(self.path) as connection:
            return [_room(row) for row in connection.execute(sql, (type,))]

    def room(self, number: str) -> Room | None:
        """The room with this number, or None."""
        sql = "SELECT room, type, sleeps, rate FROM rooms WHERE room = ?"
        with reading(self.path) as connection:
            row = connection.execute(sql, (number.strip(),)).fetchone()
        return _room(row) if row else None

    def free_rooms(
        self,
        arrival: dt.date,
        departure: dt.date,
        type: str | None = None,
        guests: int | None = None,
        room: str | None = None,
        own: str | None = None,
    ) -> list[Room]:
        """Rooms free for every night from `arrival` to `departure`, the cheapest first.

        `guests` keeps rooms that sleep as many; the nights of the stay `own` do not count as taken.
        Raises ToolRefused when there is no night between the dates.
        """
        if departure <= arrival:
            raise ToolRefused("the departure must be after the arrival")
        asked = {
            "arrival": arrival.isoformat(),
            "departure": departure.isoformat(),
            "type": type,
            "guests": guests,
            "room": room,
            "own": own,
        }
        with reading(self.path) as connection:
            return [_room(row) for row in connection.execute(FREE, asked)]

    def taken(self, room: str, arrival: dt.date, departure: dt.date) -> bool:
        """Whether some night of the stay is booked. A room the hotel does not have is not taken."""
        return self.room(room) is not None and not self.free_rooms(arrival, departure, room=room)

    def nearest_free(
        self,
        room_or_type: str | None,
        arrival: dt.date,
        nights: int,
        horizon_days: int = 60,
        *,
        today: dt.date,
        guests: int | None = None,
    ) -> tuple[Room, dt.date] | None:
        """The day closest to `arrival` from which such a room is free for `nights` nights, and the room.

        `room_or_type` is a room number, a type, or None for any room. Looks `horizon_days` both ways, never
        before `today`; of two days equally close the earlier, of two rooms the cheaper. None: there is none.
        """
        if nights < 1:
            raise ToolRefused("a stay has at least one night")
        reach = min(max(horizon_days, 0), MAX_HORIZON_DAYS)
        rooms = self._matching(room_or_type, guests)
        booked = self._booked(arrival - dt.timedelta(days=reach), arrival + dt.timedelta(days=reach + nights))
        for distance in range(reach + 1):
            for day in sorted({arrival - dt.timedelta(days=distance), arrival + dt.timedelta(days=distance)}):
                if day < today:
                    continue
                last = day + dt.timedelta(days=nights)
                for room in rooms:
                    if not any(start < last and day < end for start, end in booked.get(room.room, ())):
                        return room, day
        return None

    def run_sql(self, sql: str, *, max_rows: int = 50, now: dt.datetime | None = None) -> Rows:
        """Run one SELECT that a model wrote, on this hotel's tables rooms, bookings, guide and guide_fts.

        `now` is the desk's time, for SQL's 'now'; without it a query that asks for now is refused.
        Raises ToolRefused, with a reason in plain words, for anything but one affordable SELECT.
        """
        return run_query(self.path, sql, fts_table="guide_fts", max_rows=max_rows, now=now)

    def guide(self, query: str, limit: int = 3) -> list[GuideEntry]:
        """The entries of the house guide that fit an English question best; empty when none does.

        A small word helps to choose ("check in" or "check out") but finds nothing alone.
        """
        words = list(dict.fromkeys(re.findall(r"\w+", query.lower())))[:MAX_QUERY_WORDS]
        telling = [word for word in words if word not in self.small_words]
        if not telling:
            return []
        match = f"({_any_of(telling)}) AND ({_any_of(words)})"
        with reading(self.path) as connection:
            return [_entry(row) for row in connection.execute(GUIDE, (match, limit))]

    def guide_entry(self, kind: str) -> GuideEntry | None:
        """The entry of this kind, or None when the house guide has none."""
        with reading(self.path) as connection:
            row = connection.execute("SELECT kind, details FROM guide WHERE kind = ?", (kind,)).fetchone()
        return _entry(row) if row else None

    def guide_kinds(self) -> list[str]:
        """The kinds the house guide has, in its own order."""
        with reading(self.path) as connection:
            return [row["kind"] for row in connection.execute("SELECT kind FROM guide ORDER BY position")]

    def _matching(self, room_or_type: str | None, guests: int | None) -> list[Room]:
        wanted = room_or_type.strip().casefold() if room_or_type else None
        return [
            room
            for room in self.rooms()
            if wanted in (None, room.room.casefold(), room.type.casefold()) and room.sleeps >= (guests or 1)
        ]

    def _booked(self, start: dt.date, end: dt.date) -> dict[str, list[tuple[dt.date, dt.date]]]:
        sql = """SELECT room, arrival, departure FROM bookings
            WHERE status <> 'cancelled' AND arrival < ? AND ? < departure"""
        booked: dict[str, list[tuple[dt.date, dt.date]]] = {}
        with reading(self.path) as connection:
            for row in connection.execute(sql, (end.isoformat(), start.isoformat())):
                stay = (dt.date.fromisoformat(row["arrival"]), dt.date.fromisoformat(row["departure"]))
                booked.setdefault(row["room"], []).append(stay)
        return booked


@dataclass(frozen=True)
class Hotels:
    """All hotels of a pack. Make it with `open_hotels`."""

    pack: Pack
    folder: Path

    def reader(self, branch_id: str) -> HotelReader:
        """The reader of one hotel. Raises KeyError for a branch the pack does not have."""
        path = hotel_file(self.folder, branch_id)
        return HotelReader(self.pack.branch(branch_id), path, self.pack.small_words)

    def writer(self, branch_id: str, draw: Callable[[str], str] = secrets.choice) -> HotelWriter:
        """The writer of one hotel. `draw` picks a letter of a new reference; tests pass their own."""
        branch = self.pack.branch(branch_id)
        return HotelWriter(branch, self.pack.currency, self.pack.zone, self.folder, draw)

    def find_guest(self, reference: str, surname: str) -> Guest | None:
        """The guest whose booking has this reference and this surname; None does not say which is wrong."""
        found = self._stored(reference)
        if found is None:
            return None
        booking, guest = found
        if not _opens(surname, guest):
            return None
        return Guest(
            reference=booking.reference,
            surname=guest["surname"],
            name=guest["name"],
            hotel=booking.hotel,
            arrival=booking.arrival,
            departure=booking.departure,
        )

    def find_booking(self, reference: str) -> Booking | None:
        """The booking with this reference. Only for a guest whom `find_guest` has found."""
        found = self._stored(reference)
        return found[0] if found else None

    def surname_of(self, reference: str) -> str | None:
        """The surname that opens this booking. Only for the desk's own note of whom a thread belongs to."""
        guest = self._guest_row(reference)
        return str(guest["surname"]) if guest else None

    def carried_out(self, offer: Offer) -> Booking | None:
        """The booking that this offer has led to already, or None. Reads only."""
        with reading(self.folder / GUESTS) as connection:
            guest = guest_of(connection, "offer_id", offer.id)
        if guest is not None:
            return self.find_booking(guest["reference"])
        stored = self.find_booking(offer.reference) if offer.reference else None
        if stored is None or offer.action == "book":
            return None
        if offer.action == "cancel":
            return stored if stored.status == "cancelled" else None
        shown = (stored.arrival, stored.departure, stored.room_stays)
        return stored if shown == (offer.arrival, offer.departure, offer.room_stays) else None

    def fee(self, reference: str, now: dt.datetime) -> Money:
        """What cancelling this booking costs at `now`, by the hotel's house guide.

        Raises BookingError when it cannot be cancelled: `unknown_booking`, `cancelled`, or `past`.
        """
        booking, rules = self._amendable(reference, now)
        return cancellation_fee(rules, booking, now, self.pack.zone)

    def change_fee(self, offer: Offer, now: dt.datetime) -> Money:
        """What it costs at `now` to change the booking with the offer's reference to the offer.

        Raises BookingError when it cannot be changed: `unknown_booking`, `cancelled`, or `past`.
        """
        booking, rules = self._amendable(offer.reference or "", now)
        return change_fee(rules, booking, offer, now, self.pack.zone)

    def free_for_change(
        self,
        reference: str,
        arrival: dt.date,
        departure: dt.date,
        type: str | None = None,
        guests: int | None = None,
        room: str | None = None,
    ) -> list[Room]:
        """Rooms of this booking's hotel that it could be changed to: its own nights do not count as taken.

        None for an unknown reference. Raises ToolRefused when there is no night between the dates.
        """
        guest = self._guest_row(reference)
        if guest is None:
            return []
        reader = self.reader(guest["hotel"])
        return reader.free_rooms(arrival, departure, type, guests, room, own=guest["booking"])

    def _amendable(self, reference: str, now: dt.datetime) -> tuple[Booking, Guide]:
        found = self._stored(reference)
        if found is None:
            raise BookingError("unknown_booking")
        booking = found[0]
        with reading(hotel_file(self.folder, booking.hotel)) as connection:
            rules = guide_rules(connection)
        check_still_ahead(booking, rules, self.pack.zone, now)
        return booking, rules

    def _stored(self, reference: str) -> tuple[Booking, sqlite3.Row] | None:
        guest = self._guest_row(reference)
        if guest is None:
            return None
        with reading(hotel_file(self.folder, guest["hotel"])) as connection, _one_moment(connection):
            booking = stored_booking(connection, guest, self.pack.currency)
        return (booking, guest) if booking else None

    def _guest_row(self, reference: str) -> sqlite3.Row | None:
        with reading(self.folder / GUESTS) as connection:
            guest = guest_of(connection, "reference", self._as_stored(reference))
        return guest if guest and guest["hotel"] in {branch.id for branch in self.pack.branches} else None

    def _as_stored(self, reference: str) -> str:
        """ "hh 1002", "HH1002" and "HH–1002" as they are stored: HH-1002."""
        plain = re.sub(r"[\W_]", "", reference).upper()
        for branch in self.pack.branches:
            if plain.startswith(branch.prefix):
                return f"{branch.prefix}-{plain.removeprefix(branch.prefix)}"
        return plain


def open_hotels(home: Path, pack: Pack, today: dt.date) -> Hotels:
    """The pack's hotels under `home/hotels/`, made on the first run with bookings counted from `today`.

    Raises DataError when the pack is broken and StorageError when `home` cannot be used.
    """
    folder = home / "hotels"
    make_databases(folder, pack, today)
    return Hotels(pack, folder)


def _opens(surname: str, guest: sqlite3.Row) -> bool:
    """Whether a surname is the guest's: their surname, or with it more of their full name."""
    name_ends_with_it = same_surname(guest["surname"], guest["name"])
    return same_surname(surname, guest["surname"]) or (
        name_ends_with_it and same_surname(surname, guest["name"])
    )


@contextmanager
def _one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """Let several queries see the file as it is at one moment, whatever is written meanwhile."""
    connection.execute("BEGIN")
    yield
    connection.execute("COMMIT")


def _any_of(words: list[str]) -> str:
    return " OR ".join(f'"{word}"' for word in words)


def _room(row: sqlite3.Row) -> Room:
    return Room(row["room"], row["type"], row["sleeps"], as_money(row["rate"]))


def _entry(row: sqlite3.Row) -> GuideEntry:
    return GuideEntry(row["kind"], json.loads(row["details"]))
