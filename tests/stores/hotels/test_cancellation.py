"""What a cancellation and a change cost by the house guides, to the moment and to the cent."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desk.pack_files import read_guide
from desk.records import Offer, RoomStay
from desk.stores.cancellation import Guide, cancellation_fee, change_fee, check_in_at, free_until
from desk.stores.hotel_schema import from_cents, in_cents, stay_total
from tests.stores.hotels.lisbon import PACK, TODAY, ZONE, day

GUIDES = {
    branch: {entry.kind: entry.values for entry in read_guide(PACK / branch)}
    for branch in ("hotel1", "hotel2")
}
SECOND = dt.timedelta(seconds=1)


def stay(
    start: int = 20, nights: int = 3, rates: tuple[float, ...] = (89,), arrival: dt.date | None = None
) -> Offer:
    """A stay in rooms of these rates, numbered from 1."""
    begins = arrival or day(start)
    rooms = [
        RoomStay(room=str(number), type="Any", rate=rate, total=stay_total(rate, nights))
        for number, rate in enumerate(rates, 1)
    ]
    return Offer(
        id="o", hotel="h", room="1", type="Any", arrival=begins, departure=begins + dt.timedelta(days=nights),
        nights=nights, rate=rates[0], total=from_cents(sum(in_cents(room.total) for room in rooms)),
        currency="EUR", rooms=rooms,
    )  # fmt: skip


def at(date: dt.date, time: str, zone: ZoneInfo = ZONE) -> dt.datetime:
    """A moment in the hotels' zone."""
    return dt.datetime.combine(date, dt.time.fromisoformat(time), zone)


@pytest.mark.parametrize(
    ("hotel", "deadline", "fee"),
    [("hotel1", (day(18), "15:00"), 189), ("hotel2", (day(13), "14:00"), 283.5)],
)
def test_the_boundary(hotel: str, deadline: tuple[dt.date, str], fee: float) -> None:
    """Free up to and including the deadline, charged from the second after it, in any zone's words."""
    limit, guide, booking = at(*deadline), GUIDES[hotel], stay(rates=(189,))
    assert free_until(guide, booking.arrival, ZONE) == limit
    for now in (limit, limit - SECOND, limit.astimezone(ZoneInfo("Asia/Tokyo"))):
        assert cancellation_fee(guide, booking, now, ZONE) == 0
    for now in (limit + SECOND, (limit + SECOND).astimezone(dt.UTC), at(day(20), "13:00")):
        assert cancellation_fee(guide, booking, now, ZONE) == fee


def test_when_the_clocks_change() -> None:
    """48 hours are 48 hours over a night with 25; 7 days end at the same hour of the day."""
    monday = dt.date(2026, 10, 26)  # the clocks go back on Sunday the 25th
    assert free_until(GUIDES["hotel1"], monday, ZONE) == at(dt.date(2026, 10, 24), "16:00")
    assert free_until(GUIDES["hotel2"], monday, ZONE) == at(dt.date(2026, 10, 19), "14:00")
    guide: Guide = {
        "check_in": {"from": "01:30"}, "cancellation": {"free_days": 1, "charged_percent": 50}
    }  # fmt: skip
    twice = dt.datetime(2026, 10, 25, 1, 30, tzinfo=ZONE)
    booking = stay(arrival=monday)
    assert cancellation_fee(guide, booking, twice, ZONE) == 0
    assert cancellation_fee(guide, booking, twice.replace(fold=1), ZONE) == 133.5


@pytest.mark.parametrize(
    ("rates", "nights", "first", "half"),
    [
        ((89,), 1, 89, 44.5),
        ((89.99,), 3, 89.99, 134.99),  # 134.985
        ((89, 95), 2, 184, 184),
        ((0,), 4, 0, 0),
    ],
)
def test_what_is_charged(rates: tuple[float, ...], nights: int, first: float, half: float) -> None:
    """The first night of every room, or half the total, half a cent rounded up."""
    booking, late = stay(nights=nights, rates=rates), at(day(20), "12:00")
    assert cancellation_fee(GUIDES["hotel1"], booking, late, ZONE) == first
    assert cancellation_fee(GUIDES["hotel2"], booking, late, ZONE) == half


@pytest.mark.parametrize(
    ("changed", "first", "half"),
    [
        (stay(20, 4), 0, 0),  # a night longer
        (stay(19, 5), 0, 0),
        (stay(20, 3, (119,)), 0, 0),  # another rate, the same nights
        (stay(20, 2), 89, 44.5),  # a night less
        (stay(21, 3), 89, 44.5),  # a day later
        (stay(30, 3), 89, 133.5),  # another time
    ],
)
def test_a_change_costs_the_nights_it_gives_up(changed: Offer, first: float, half: float) -> None:
    """Nights that are kept cost nothing; the others cost what cancelling them costs."""
    late = at(day(20), "12:00")
    assert change_fee(GUIDES["hotel1"], stay(), changed, late, ZONE) == first
    assert change_fee(GUIDES["hotel2"], stay(), changed, late, ZONE) == half
    assert change_fee(GUIDES["hotel2"], stay(), changed, at(day(1), "12:00"), ZONE) == 0


def test_a_change_that_drops_a_room() -> None:
    """The room that goes is charged, not the one that stays, and a room instead of another is not."""
    late, two = at(day(20), "12:00"), stay(20, 2, (89, 189))
    staying = two.rooms[1]
    only = two.model_copy(update={"room": "2", "rate": 189, "total": 378, "rooms": [staying]})
    assert change_fee(GUIDES["hotel1"], two, only, late, ZONE) == 89
    other = staying.model_copy(update={"room": "9"})
    swapped = two.model_copy(update={"rooms": [staying, other]})
    assert change_fee(GUIDES["hotel1"], two, swapped, late, ZONE) == 0


@pytest.mark.parametrize(
    ("guide", "fee"),
    [
        ({}, 0),
        ({"cancellation": {"free_hours": 48}}, 0),
        ({"cancellation": {"charged_nights": 2}}, 178),
        ({"cancellation": {"charged_nights": 9}}, 267),
        ({"cancellation": {"charged_percent": 100}}, 267),
        ({"cancellation": {"charged_percent": 12.5}}, 33.38),
    ],
)
def test_guides_that_say_less(guide: Guide, fee: float) -> None:
    """What the guide does not charge is free; without a free time it charges always, never over the total."""
    assert cancellation_fee(guide, stay(), at(TODAY, "12:00"), ZONE) == fee
    assert check_in_at({}, TODAY, ZONE) == at(TODAY, "00:00")


def test_a_moment_needs_a_zone() -> None:
    """A naive time would be taken for the machine's."""
    with pytest.raises(ValueError, match="time zone"):
        cancellation_fee(GUIDES["hotel1"], stay(), dt.datetime(2026, 12, 1), ZONE)  # noqa: DTZ001


rates = st.lists(st.integers(0, 99_999).map(lambda cents: cents / 100), min_size=1, max_size=4).map(tuple)
moments = st.integers(-60 * 24 * 60, 0).map(lambda minutes: dt.timedelta(minutes=minutes))


@settings(deadline=None)
@given(
    hotel=st.sampled_from(["hotel1", "hotel2"]),
    start=st.integers(0, 400),
    nights=st.integers(1, 30),
    rates=rates,
    before=moments,
)
def test_fees_of_any_stay(
    hotel: str, start: int, nights: int, rates: tuple[float, ...], before: dt.timedelta
) -> None:
    """Free before the deadline, then the rule's price in whole cents, and never more than the total."""
    guide, booking = GUIDES[hotel], stay(start, nights, rates)
    now = check_in_at(guide, booking.arrival, ZONE).astimezone(dt.UTC) + before
    limit = free_until(guide, booking.arrival, ZONE)
    assert limit is not None
    fee = cancellation_fee(guide, booking, now, ZONE)
    if now <= limit.astimezone(dt.UTC):
        assert fee == 0
    elif hotel == "hotel1":
        assert in_cents(fee) == sum(in_cents(rate) for rate in rates)
    else:
        assert abs(Decimal(in_cents(fee)) - Decimal(in_cents(booking.total)) / 2) in (0, Decimal("0.5"))
    assert in_cents(fee) <= in_cents(booking.total)
    assert fee == from_cents(in_cents(fee))


@settings(deadline=None)
@given(
    hotel=st.sampled_from(["hotel1", "hotel2"]),
    old=st.tuples(st.integers(0, 30), st.integers(1, 8)),
    new=st.tuples(st.integers(0, 30), st.integers(1, 8)),
    rates=rates,
)
def test_fees_of_any_change(
    hotel: str, old: tuple[int, int], new: tuple[int, int], rates: tuple[float, ...]
) -> None:
    """A change never costs more than cancelling, costs as much when no night is kept, and nothing if all are."""
    guide, booking, changed = GUIDES[hotel], stay(*old, rates), stay(*new, rates)
    now = check_in_at(guide, booking.arrival, ZONE) - dt.timedelta(hours=1)
    fee = change_fee(guide, booking, changed, now, ZONE)
    whole = cancellation_fee(guide, booking, now, ZONE)
    nights, others = (set(range(start, start + count)) for start, count in (old, new))
    assert fee <= whole
    if not nights & others:
        assert fee == whole
    if nights <= others:
        assert fee == 0
