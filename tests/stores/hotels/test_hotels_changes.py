"""Several rooms in one booking, changing and cancelling: whole or not at all, once, by the hotel's rules."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3

import pytest

from desk.errors import BookingError
from desk.records import Offer
from desk.stores.hotels import Hotels, open_hotels
from tests.stores.hotels.lisbon import NOW, TODAY, ZONE, cancel_of, carry_out, change_of, day, offer_of


def refused(hotels: Hotels, offer: Offer, now: dt.datetime = NOW) -> str:
    """Why the offer is refused."""
    with pytest.raises(BookingError) as caught:
        carry_out(hotels, offer, now)
    return caught.value.reason


def test_several_rooms_are_one_booking(lisbon: Hotels) -> None:
    """Three rooms have one reference, one total and each its own terms; all are taken."""
    booking = carry_out(lisbon, offer_of(lisbon, "o1", ["101", "102", "104"], 20, 2))
    assert [(room.room, room.type, room.rate, room.total) for room in booking.rooms] == [
        ("101", "Standard", 89, 178), ("102", "Standard", 95, 190), ("104", "Deluxe", 189, 378)
    ]  # fmt: skip
    assert (booking.room, booking.total, booking.nights) == ("101", 746, 2)
    assert lisbon.find_booking(booking.reference) == booking
    assert [room.room for room in lisbon.reader("hotel1").free_rooms(day(21), day(22))] == ["103"]
    assert carry_out(lisbon, offer_of(lisbon, "o1", ["101", "102", "104"], 20, 2)) == booking


def test_several_rooms_or_none(lisbon: Hotels) -> None:
    """When one of the rooms is taken, none is booked and no name is kept."""
    carry_out(lisbon, offer_of(lisbon, "o1", ["104"], 21, 2))
    assert refused(lisbon, offer_of(lisbon, "o2", ["101", "104"], 20, 2)) == "taken"
    assert lisbon.reader("hotel1").free_rooms(day(20), day(22), room="101")
    assert _count(lisbon, "guests.db", "guests WHERE offer_id = 'o2'") == 0


@pytest.mark.parametrize(
    ("rooms", "changed", "reason"),
    [
        (["101", "101"], {}, "invalid"),
        (["101", "102"], {"room": "102"}, "invalid"),
        (["101", "102"], {"guests": 0}, "invalid"),
        (["101", "102"], {"total": 178}, "changed"),
        (["101", "105"], {}, "unknown_room"),
    ],
)
def test_several_rooms_that_cannot_be_had(
    lisbon: Hotels, rooms: list[str], changed: dict[str, object], reason: str
) -> None:
    """A room twice, a first room that is not the offer's, a wrong sum, a room of another hotel."""
    assert refused(lisbon, offer_of(lisbon, "o1", rooms, 20, 2, **changed)) == reason


@pytest.mark.parametrize(
    ("party", "per_room", "reason"),
    [(5, [2, 2], "too_small"), (4, [3, 1], "too_small"), (4, [2, 2], None), (3, [2, None], None)],
)
def test_beds_of_several_rooms(
    lisbon: Hotels, party: int, per_room: list[int | None], reason: str | None
) -> None:
    """Every room has the beds for its own guests, and the rooms together for the party."""
    offer = offer_of(lisbon, "o1", ["101", "102"], 20, 2, guests=party)
    for room, guests in zip(offer.rooms, per_room, strict=True):
        room.guests = guests
    if reason:
        assert refused(lisbon, offer) == reason
    else:
        assert carry_out(lisbon, offer).guests == (party if None not in per_room else None)


def test_a_change_of_room_and_dates(lisbon: Hotels) -> None:
    """The booking keeps its reference; the old nights are free again, the new ones taken."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["101"], 20, 2))
    changed = carry_out(lisbon, change_of(lisbon, "c1", booked, ["104"], 30, 3))
    assert (changed.reference, changed.room, changed.arrival) == (booked.reference, "104", day(30))
    assert (changed.total, changed.status, changed.action, changed.fee) == (567, "changed", "change", 0)
    reader = lisbon.reader("hotel1")
    assert not reader.taken("101", day(20), day(22))
    assert reader.taken("104", day(32), day(33))
    assert lisbon.find_booking(booked.reference) == changed
    guest = lisbon.find_guest(booked.reference, "Marquez")
    assert guest is not None
    assert guest.arrival == day(30)


def test_one_night_longer(lisbon: Hotels) -> None:
    """A booking's own nights do not stand in the way of its change, and somebody else's do."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["104"], 20, 2))
    carry_out(lisbon, offer_of(lisbon, "o2", ["104"], 23, 2))
    assert lisbon.reader("hotel1").taken("104", day(20), day(23))
    assert [room.room for room in lisbon.free_for_change(booked.reference, day(20), day(23), "Deluxe")] == [
        "104"
    ]
    assert lisbon.free_for_change(booked.reference, day(20), day(24), room="104") == []
    assert carry_out(lisbon, change_of(lisbon, "c1", booked, ["104"], 20, 3)).total == 567
    assert refused(lisbon, change_of(lisbon, "c2", booked, ["104"], 20, 4)) == "taken"


def test_fewer_and_more_rooms(lisbon: Hotels) -> None:
    """A change may add a room and take one away, still under one reference."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["101"], 20, 2))
    two = carry_out(lisbon, change_of(lisbon, "c1", booked, ["101", "103"], 20, 2))
    assert [room.room for room in two.rooms] == ["101", "103"]
    one = carry_out(lisbon, change_of(lisbon, "c2", two, ["103"], 20, 2))
    assert (one.room, one.rooms, one.total) == ("103", [], 258)
    assert not lisbon.reader("hotel1").taken("101", day(20), day(22))


def test_a_cancellation(lisbon: Hotels) -> None:
    """All rooms are free again at once; the booking is still found, and is cancelled."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["101", "104"], 20, 2))
    cancelled = carry_out(lisbon, cancel_of(lisbon, "x1", booked))
    assert (cancelled.status, cancelled.action, cancelled.fee) == ("cancelled", "cancel", 0)
    assert cancelled.reference == booked.reference
    assert len(lisbon.reader("hotel1").free_rooms(day(20), day(22))) == 4
    assert lisbon.find_booking(booked.reference) == cancelled
    carry_out(lisbon, offer_of(lisbon, "o2", ["104"], 20, 2))


def test_each_is_done_once(lisbon: Hotels) -> None:
    """A change and a cancellation confirmed again, even after the stay, give the booking as it stands."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["101"], 20, 2))
    change = change_of(lisbon, "c1", booked, ["104"], 30, 3)
    changed = carry_out(lisbon, change)
    later = NOW + dt.timedelta(days=90)
    assert carry_out(lisbon, change, later) == changed
    cancel = cancel_of(lisbon, "x1", changed)
    cancelled = carry_out(lisbon, cancel)
    assert carry_out(lisbon, cancel, later) == carry_out(lisbon, change, later) == cancelled
    assert carry_out(lisbon, offer_of(lisbon, "o1", ["101"], 20, 2)) == cancelled
    assert _count(lisbon, "hotel1.db", "changes") == 2
    assert _count(lisbon, "hotel1.db", "bookings WHERE room = '104' AND status <> 'booked'") == 1


def test_a_cancelled_booking_stays_cancelled(lisbon: Hotels) -> None:
    """It is neither changed nor cancelled a second time by another offer."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["101"], 20, 2))
    change, again = change_of(lisbon, "c1", booked, ["104"], 20, 2), cancel_of(lisbon, "x2", booked)
    carry_out(lisbon, cancel_of(lisbon, "x1", booked))
    assert refused(lisbon, change) == refused(lisbon, again) == "cancelled"
    with pytest.raises(BookingError, match="cancelled"):
        lisbon.fee(booked.reference, NOW)


def test_a_stay_that_has_begun(lisbon: Hotels) -> None:
    """Up to check-in, at 15:00 in Lisbon, a booking can be given up; from then on it cannot."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["104"], 20, 2))
    check_in = dt.datetime.combine(day(20), dt.time(15), ZONE)
    before = check_in - dt.timedelta(seconds=1)
    cancel = cancel_of(lisbon, "x1", booked, before)
    change = change_of(lisbon, "c1", booked, ["104"], 20, 3)
    for now in (check_in, check_in.astimezone(dt.UTC), check_in + dt.timedelta(days=300)):
        assert refused(lisbon, cancel, now) == refused(lisbon, change, now) == "past"
        with pytest.raises(BookingError, match="past"):
            lisbon.fee(booked.reference, now)
    assert cancel.fee == 189
    assert carry_out(lisbon, cancel, before).fee == 189


def test_a_change_into_the_past(lisbon: Hotels) -> None:
    """The new arrival may be today and no earlier day."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["103"], 20, 2))
    assert refused(lisbon, change_of(lisbon, "c1", booked, ["103"], -1, 2)) == "past"
    assert carry_out(lisbon, change_of(lisbon, "c2", booked, ["103"], 0, 2)).arrival == TODAY


@pytest.mark.parametrize(
    ("update", "reason"),
    [
        ({"reference": "HH-ZZZZZZ"}, "unknown_booking"),
        ({"reference": "GC-2001"}, "unknown_booking"),
        ({"reference": None}, "invalid"),
        ({"action": "book"}, "taken"),
        ({"fee": 1}, "changed"),
        ({"fee": None}, None),
        ({"total": 1}, "changed"),
        ({"currency": "USD"}, "changed"),
        ({"guests": 3}, "too_small"),
        ({"departure": day(20)}, "invalid"),
    ],
)
def test_a_change_that_cannot_be_had(lisbon: Hotels, update: dict[str, object], reason: str | None) -> None:
    """A change is checked like a booking, and its fee and reference as well; nothing is written."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["104"], 20, 2))
    change = change_of(lisbon, "c1", booked, ["104"], 20, 3).model_copy(update=update)
    if reason is None:
        assert carry_out(lisbon, change).nights == 3
        return
    assert refused(lisbon, change) == reason
    assert lisbon.find_booking(booked.reference) == booked
    assert _count(lisbon, "hotel1.db", "changes") == 0


def test_a_change_that_changes_nothing(lisbon: Hotels) -> None:
    """The same room for the same nights is no change; a smaller party is one."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["104"], 20, 2, guests=2))
    change = change_of(lisbon, "c1", booked, ["104"], 20, 2)
    assert refused(lisbon, change.model_copy(update={"guests": 2})) == "invalid"
    assert carry_out(lisbon, change.model_copy(update={"guests": 1})).guests == 1


def test_a_cancellation_that_shows_something_else(lisbon: Hotels) -> None:
    """Another fee, other dates or other rooms than those stored: the guest has not confirmed this one."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["101", "104"], 20, 2))
    cancel = cancel_of(lisbon, "x1", booked)
    for update in ({"fee": 10}, {"arrival": day(21)}, {"departure": day(23)}, {"rooms": []}):
        assert refused(lisbon, cancel.model_copy(update=update)) == "changed"
    carry_out(lisbon, change_of(lisbon, "c1", booked, ["101", "103"], 20, 2))
    assert refused(lisbon, cancel) == "changed"


def test_a_fee_that_came_due_meanwhile(lisbon: Hotels) -> None:
    """An offer made while cancelling was free is not carried out when it is not free any more."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["104"], 20, 2))
    cancel = cancel_of(lisbon, "x1", booked)
    late = dt.datetime.combine(day(19), dt.time(9), ZONE)
    assert refused(lisbon, cancel, late) == "changed"
    assert carry_out(lisbon, cancel_of(lisbon, "x2", booked, late), late).fee == 189


def test_an_offer_is_for_one_booking(lisbon: Hotels) -> None:
    """An offer that was carried out on one booking does nothing on another, nor as another action."""
    first = carry_out(lisbon, offer_of(lisbon, "o1", ["104"], 20, 2))
    second = carry_out(lisbon, offer_of(lisbon, "o2", ["104"], 25, 2))
    carry_out(lisbon, change_of(lisbon, "c1", first, ["101"], 20, 2))
    assert refused(lisbon, change_of(lisbon, "c1", second, ["101"], 25, 2)) == "invalid"
    assert refused(lisbon, cancel_of(lisbon, "c1", first)) == "invalid"


def test_bob_changes_and_cancels(lisbon: Hotels) -> None:
    """A booking that came with the pack has the same life as one made at the desk."""
    bob = lisbon.find_booking("HH-1002")
    assert bob is not None
    changed = carry_out(lisbon, change_of(lisbon, "c1", bob, ["102"], 11, 5))
    assert (changed.reference, changed.total, changed.fee) == ("HH-1002", 475, 0)
    assert lisbon.find_guest("hh1002", "miller") is not None
    assert carry_out(lisbon, cancel_of(lisbon, "x1", changed)).status == "cancelled"


def test_what_is_kept_of_a_change(lisbon: Hotels) -> None:
    """The hotel's file keeps what was before, without a name, a reference or the offer's own id."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["104"], 20, 2))
    carry_out(lisbon, change_of(lisbon, "thread-secret", booked, ["101"], 30, 1))
    row = lisbon.reader("hotel1").run_sql("SELECT * FROM changes")[0]
    before = json.loads(row.pop("before"))
    assert before["rooms"] == [{"room": "104", "type": "Deluxe", "guests": None, "rate": 189, "total": 378}]
    assert (before["arrival"], before["status"]) == (day(20).isoformat(), "booked")
    assert (row["action"], row["fee"], row["at"]) == ("change", 0, "2026-12-01T09:30:00+00:00")
    said = json.dumps([row, before])
    assert not any(secret in said for secret in ("Márquez", booked.reference, "secret"))


def test_databases_of_before_are_brought_up_to_date(lisbon: Hotels) -> None:
    """Files made before bookings could change get what they lack, and keep their bookings."""
    connection = sqlite3.connect(lisbon.folder / "hotel1.db", isolation_level=None)
    connection.execute("DROP TABLE changes")
    connection.execute("DROP INDEX bookings_by_stay")
    connection.execute("ALTER TABLE bookings DROP COLUMN stay")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    again = open_hotels(lisbon.folder.parent, lisbon.pack, TODAY)
    bob = again.find_booking("HH-1002")
    assert bob is not None
    assert carry_out(again, cancel_of(again, "x1", bob)).status == "cancelled"


def _count(hotels: Hotels, file: str, what: str) -> int:
    connection = sqlite3.connect(hotels.folder / file)
    count = int(connection.execute(f"SELECT count(*) FROM {what}").fetchone()[0])
    connection.close()
    return count
