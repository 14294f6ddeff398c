"""Properties of the life of bookings, on a calendar of 400 days around the desk's today."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desk.errors import BookingError
from desk.records import Booking, Offer
from desk.stores.hotel_schema import in_cents
from desk.stores.hotels import Hotels, open_hotels
from tests.stores.hotels.lisbon import TODAY, cancel_of, carry_out, change_of, day, offer_of

FIXTURES = [HealthCheck.function_scoped_fixture]
ROOMS = ("105", "106", "107", "108")


@pytest.mark.parametrize("first", range(-200, 200, 50))
def test_each_day_of_the_calendar(lisbon: Hotels, first: int) -> None:
    """A night on any day from today on can be booked once, on its own date; an earlier one cannot.

    The 400 days hold the end of two years, a 28 February and both changes of the clocks.
    """
    reader = lisbon.reader("hotel2")
    for number in range(first, first + 50):
        offer = offer_of(lisbon, f"o{number}", ["106"], number, 1)
        if number < 0:
            with pytest.raises(BookingError, match="past"):
                carry_out(lisbon, offer)
            continue
        booked = carry_out(lisbon, offer)
        assert (booked.arrival, booked.departure, booked.total) == (day(number), day(number + 1), 119)
        assert reader.taken("106", day(number), day(number + 1))
        with pytest.raises(BookingError, match="taken"):
            carry_out(lisbon, offer.model_copy(update={"id": f"again{number}"}))
    assert not reader.taken("106", day(first + 50), day(first + 51))


steps = st.lists(
    st.tuples(
        st.sampled_from(["book", "book", "change", "cancel"]),
        st.lists(st.sampled_from(ROOMS), min_size=1, max_size=3, unique=True),
        st.integers(-2, 30),
        st.integers(1, 6),
        st.integers(0, 9),
    ),
    max_size=12,
)


@settings(max_examples=25, deadline=None, suppress_health_check=FIXTURES)
@given(steps=steps)
def test_any_life_of_bookings(
    tmp_path_factory: pytest.TempPathFactory,
    lisbon: Hotels,
    steps: list[tuple[str, list[str], int, int, int]],
) -> None:
    """Bookings, changes and cancellations in any order: the calendar is what a plain set of nights says."""
    hotels = open_hotels(tmp_path_factory.mktemp("life"), lisbon.pack, TODAY)
    pack = {("105", 0), ("105", 1), *(("107", n) for n in range(9, 15)), *(("108", n) for n in range(20, 24))}
    held: dict[str, set[tuple[str, int]]] = {}
    made: list[Booking] = []
    for number, (action, rooms, start, nights, which) in enumerate(steps):
        wanted = {(room, night) for room in rooms for night in range(start, start + nights)}
        old = made[which % len(made)] if made else None
        if action == "book":
            blocked = wanted & pack.union(*held.values())
            refusal = "past" if start < 0 else "taken" if blocked else None
            outcome = _try(hotels, offer_of(hotels, f"s{number}", rooms, start, nights), refusal)
        elif old is None or old.reference not in held:
            continue
        else:
            stored = hotels.find_booking(old.reference)
            assert stored is not None
            if action == "cancel":
                carry_out(hotels, cancel_of(hotels, f"s{number}", stored))
                del held[old.reference]
                continue
            others = pack.union(*(nights for ref, nights in held.items() if ref != old.reference))
            refusal = "past" if start < 0 else "taken" if wanted & others else None
            refusal = "invalid" if not refusal and wanted == held[old.reference] else refusal
            outcome = _try(hotels, change_of(hotels, f"s{number}", stored, rooms, start, nights), refusal)
        if outcome:
            held[outcome.reference] = wanted
            made.append(outcome)
            assert in_cents(outcome.total) == sum(in_cents(room.total) for room in outcome.room_stays)
            assert all(room.total == room.rate * nights for room in outcome.room_stays)
    _check_calendar(hotels, pack.union(*held.values()))


def _try(hotels: Hotels, offer: Offer, refusal: str | None) -> Booking | None:
    if refusal is None:
        return carry_out(hotels, offer)
    with pytest.raises(BookingError, match=refusal):
        carry_out(hotels, offer)
    return None


def _check_calendar(hotels: Hotels, taken: set[tuple[str, int]]) -> None:
    """Every night of every room is free or taken, as the set says; no night is booked twice."""
    rows = hotels.reader("hotel2").run_sql(
        "SELECT room, arrival, departure FROM bookings WHERE status <> 'cancelled'"
    )
    booked = [
        (row["room"], (dt.date.fromisoformat(row["arrival"]) - TODAY).days + night)
        for row in rows
        for night in range(
            (dt.date.fromisoformat(row["departure"]) - dt.date.fromisoformat(row["arrival"])).days
        )
    ]
    assert sorted(booked) == sorted(taken)


@settings(max_examples=30, deadline=None, suppress_health_check=FIXTURES)
@given(
    rooms=st.lists(st.sampled_from(ROOMS), min_size=1, max_size=4, unique=True),
    each=st.lists(st.one_of(st.none(), st.integers(1, 7)), min_size=4, max_size=4),
    party=st.one_of(st.none(), st.integers(1, 14)),
)
def test_capacity(
    tmp_path_factory: pytest.TempPathFactory,
    lisbon: Hotels,
    rooms: list[str],
    each: list[int | None],
    party: int | None,
) -> None:
    """A booking is made exactly when no room has more guests than beds and the whole party has a bed."""
    hotels = open_hotels(tmp_path_factory.mktemp("beds"), lisbon.pack, TODAY)
    sleeps = {room.room: room.sleeps for room in hotels.reader("hotel2").rooms()}
    offer = offer_of(hotels, "o1", rooms, 40, 2, guests=party)
    if len(rooms) > 1:
        for room, guests in zip(offer.rooms, each, strict=False):
            room.guests = guests
    placed = [room.guests for room in offer.room_stays]
    beds = [sleeps[room.room] for room in offer.room_stays]
    fits = all((guests or 1) <= most for guests, most in zip(placed, beds, strict=True))
    room_for_all = (party or 0) <= sum(
        most if guests is None else guests for guests, most in zip(placed, beds, strict=True)
    )
    if fits and room_for_all:
        assert carry_out(hotels, offer).room == rooms[0]
    else:
        with pytest.raises(BookingError, match="too_small"):
            carry_out(hotels, offer)
