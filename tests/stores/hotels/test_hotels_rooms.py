"""Asking a hotel what is free, and its house guide."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desk.errors import BookingError, ToolRefused
from desk.pack import Pack
from desk.records import Offer
from desk.stores.hotel_schema import stay_total
from desk.stores.hotels import Hotels, open_hotels

TODAY = dt.date(2026, 12, 1)


def day(number: int) -> dt.date:
    """The date `number` days after the first day."""
    return TODAY + dt.timedelta(days=number)


def test_rooms(hotels: Hotels) -> None:
    """Rooms come cheapest first, by type in any case, or one by its number."""
    reader = hotels.reader("north")
    assert [(room.room, room.rate) for room in reader.rooms()] == [("1", 50), ("2", 89.99), ("3", 110)]
    assert [room.room for room in reader.rooms("dOUBLE")] == ["2", "3"]
    assert reader.rooms("Palace") == []
    room = reader.room(" 2 ")
    assert room is not None
    assert (room.type, room.sleeps, room.rate) == ("Double", 2, 89.99)
    assert reader.room("9") is None


@pytest.mark.parametrize(
    ("arrival", "departure", "free"),
    [(6, 8, True), (1, 3, True), (5, 7, False), (2, 4, False), (4, 5, False), (1, 9, False), (3, 6, False)],
)
def test_half_open_nights(hotels: Hotels, arrival: int, departure: int, free: bool) -> None:
    """Room 2 is booked from day 3 to day 6: it is free again on day 6 and free until day 3."""
    reader = hotels.reader("north")
    assert bool(reader.free_rooms(day(arrival), day(departure), room="2")) is free
    assert reader.taken("2", day(arrival), day(departure)) is not free


def test_across_the_year(hotels: Hotels) -> None:
    """Months and years of different length compare as dates, not as text without leading zeros."""
    arrival, departure = dt.date(2027, 2, 28), dt.date(2027, 3, 10)
    booked = Offer(
        id="x", hotel="north", room="3", type="Double", arrival=arrival, departure=departure,
        nights=10, guests=2, rate=110, total=1100, currency="CHF",
    )  # fmt: skip
    hotels.writer("north").book(booked, "A B", "B", today=TODAY)
    reader = hotels.reader("north")
    assert reader.taken("3", dt.date(2027, 3, 9), dt.date(2027, 3, 11))
    assert not reader.taken("3", dt.date(2027, 3, 10), dt.date(2027, 3, 11))
    assert not reader.taken("3", dt.date(2027, 2, 9), dt.date(2027, 2, 28))


def test_type_and_beds(hotels: Hotels) -> None:
    """Type and party size narrow what is free down; a type that is not there gives nothing."""
    reader = hotels.reader("north")
    assert [room.room for room in reader.free_rooms(day(20), day(22))] == ["1", "2", "3"]
    assert [room.room for room in reader.free_rooms(day(20), day(22), type="double", guests=3)] == ["3"]
    assert reader.free_rooms(day(20), day(22), guests=4) == []
    assert reader.free_rooms(day(20), day(22), type="Suite") == []


def test_dates_that_are_no_stay(hotels: Hotels) -> None:
    """No night between the dates, or none asked, is refused with a reason."""
    with pytest.raises(ToolRefused, match="after the arrival"):
        hotels.reader("north").free_rooms(day(3), day(3))
    with pytest.raises(ToolRefused, match="one night"):
        hotels.reader("north").nearest_free("2", day(3), 0, today=TODAY)


@pytest.mark.parametrize(
    ("what", "asked", "guests", "found"),
    [
        ("2", (4, 2), None, ("2", 6)),  # day 6 is two days away, day 1 three
        ("2", (3, 2), None, ("2", 1)),  # day 1 is two days away, day 6 three
        ("2", (1, 3), None, ("2", 0)),
        ("2", (0, 4), None, ("2", 6)),  # never before today
        ("double", (4, 2), None, ("3", 4)),
        (None, (4, 2), None, ("1", 4)),
        (None, (4, 2), 3, ("3", 4)),
        ("Suite", (4, 2), None, None),
        (None, (4, 2), 9, None),
    ],
)
def test_nearest_free(
    hotels: Hotels,
    what: str | None,
    asked: tuple[int, int],
    guests: int | None,
    found: tuple[str, int] | None,
) -> None:
    """The closest day on which the room, or the type, is free; the earlier of two, never in the past."""
    arrival, nights = day(asked[0]), asked[1]
    nearest = hotels.reader("north").nearest_free(what, arrival, nights, today=TODAY, guests=guests)
    assert (nearest and (nearest[0].room, nearest[1])) == (found and (found[0], day(found[1])))


def test_nearest_within_the_horizon(hotels: Hotels) -> None:
    """What lies beyond the horizon is not found."""
    assert hotels.reader("north").nearest_free("2", day(3), 3, 2, today=day(2)) is None
    assert hotels.reader("north").nearest_free("2", day(3), 3, 3, today=day(2)) is not None


def test_the_lisbon_table(lisbon: Hotels) -> None:
    """The picture the hotel pack is known for: a Deluxe in February in both, the Family Suite taken."""
    first, second = lisbon.reader("hotel1"), lisbon.reader("hotel2")
    february = (dt.date(2027, 2, 1), dt.date(2027, 2, 3))
    assert [(room.room, room.rate) for room in first.free_rooms(*february, type="Deluxe")] == [("104", 189)]
    assert [(room.room, room.rate) for room in second.free_rooms(*february, type="Deluxe")] == [("108", 175)]
    assert second.taken("107", dt.date(2026, 12, 11), dt.date(2026, 12, 15))
    assert first.rooms("Family Suite") == []
    assert first.taken("104", dt.date(2026, 12, 10), dt.date(2026, 12, 12))
    assert not first.taken("104", dt.date(2026, 12, 11), dt.date(2026, 12, 13))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What time is breakfast?", "breakfast"),
        ("Do you have a morning buffet", "breakfast"),
        ("May I bring two dogs?", "pets"),
        ("can we leave a bit later", "late_check_out"),
        ("late checkout please", "late_check_out"),
        ('phone" OR kind:"telephone', "phone"),
    ],
)
def test_guide_search(hotels: Hotels, question: str, kind: str) -> None:
    """The house guide is found by its kind and its keywords, in any number and whatever the guest types."""
    assert hotels.reader("north").guide(question)[0].kind == kind


@pytest.mark.parametrize(
    "question", ["", "   ", "😊", '"', "helicopter", "*", "NEAR(", "'; DROP TABLE guide;--"]
)
def test_guide_finds_nothing(hotels: Hotels, question: str) -> None:
    """A question that nothing fits gives nothing, not a guess and not an error."""
    assert hotels.reader("north").guide(question) == []


def test_guide_entries(hotels: Hotels) -> None:
    """An entry's values come back as they are in the pack."""
    reader = hotels.reader("north")
    entry = reader.guide_entry("pets")
    assert entry is not None
    assert entry.values == {"allowed": True, "fee": 12.5, "currency": "CHF"}
    assert reader.guide_entry("pool") is None
    assert reader.guide_kinds() == ["breakfast", "pets", "late_check_out", "phone"]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What time is breakfast served?", "breakfast"),
        ("Can I bring my small dog?", "pets"),
        ("Where can I park the car?", "parking"),
        ("How much is the tourist tax?", "city_tax"),
        ("Is there internet in the rooms?", "wifi"),
        ("Can somebody pick us up from the airport?", "airport_transfer"),
        ("Is the building suitable for wheelchairs?", "accessibility"),
        ("Can I smoke on the balcony?", "smoking"),
        ("until when must we vacate the room", "check_out"),
        ("do you have a swimming pool", "pool"),
    ],
)
def test_lisbon_guide_search(lisbon: Hotels, question: str, kind: str) -> None:
    """The real guides answer everyday questions with the right entry among the first three."""
    for branch in lisbon.pack.branches:
        assert kind in [entry.kind for entry in lisbon.reader(branch.id).guide(question)]


@pytest.mark.parametrize("question", ["What is the", "Is there one in the hotel?", "Do you have a helipad?"])
def test_small_words_find_nothing(lisbon: Hotels, question: str) -> None:
    """Words that stand in every question do not make an answer out of nothing."""
    assert lisbon.reader("hotel1").guide(question) == []


@pytest.mark.parametrize(
    ("question", "kind"),
    [("When can we check in?", "check_in"), ("When do we have to check out?", "check_out")],
)
def test_small_words_help_to_choose(lisbon: Hotels, question: str, kind: str) -> None:
    """ "in" and "out" tell two entries apart."""
    assert lisbon.reader("hotel1").guide(question)[0].kind == kind


stays = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6)), min_size=1, max_size=8)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stays=stays, asked=st.tuples(st.integers(0, 36), st.integers(1, 6)))
def test_free_means_no_night_is_booked(
    tmp_path_factory: pytest.TempPathFactory,
    pack: Pack,
    offer: Callable[..., Offer],
    stays: list[tuple[int, int]],
    asked: tuple[int, int],
) -> None:
    """Whatever is booked, a room is free for a stay exactly when no single night of it is booked."""
    hotels = open_hotels(tmp_path_factory.mktemp("hotels"), pack, TODAY)
    nights: set[int] = set()
    for number, (start, length) in enumerate(stays):
        wanted = set(range(start, start + length))
        made = offer(f"o{number}", "3", start, length)
        if wanted & nights:
            with pytest.raises(BookingError, match="taken"):
                hotels.writer("north").book(made, "A B", "B", today=TODAY)
        else:
            assert hotels.writer("north").book(made, "A B", "B", today=TODAY).total == 110 * length
            nights |= wanted
    start, length = asked
    free = not nights & set(range(start, start + length))
    reader = hotels.reader("north")
    assert reader.taken("3", day(start), day(start + length)) is not free
    found = reader.nearest_free("3", day(start), length, today=TODAY)
    assert found is not None
    assert (found[1] == day(start)) is free
    first = (found[1] - TODAY).days
    assert not nights & set(range(first, first + length))


@given(cents=st.integers(0, 10_000_000), nights=st.integers(1, 400))
def test_totals_to_the_cent(cents: int, nights: int) -> None:
    """Nights times rate is exact to the cent, and whole sums are whole numbers."""
    total = stay_total(cents / 100, nights)
    assert round(total * 100) == cents * nights
    assert isinstance(total, int) is (cents * nights % 100 == 0)
