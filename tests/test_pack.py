"""Packs: what is read from their folder, and what is said about a broken one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from desk.errors import DataError
from desk.pack import load_pack
from desk.pack_files import as_money, read_bookings, read_guide, read_rooms

HOTELS = Path(__file__).parent.parent / "data" / "hotels"
MINI = Path(__file__).parent / "packs" / "mini"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A copy of the small pack for a test to break."""
    return Path(shutil.copytree(MINI, tmp_path / "mini"))


def test_the_hotel_pack() -> None:
    """The hotel pack has its two hotels in priority order, with phone and address from their guides."""
    pack = load_pack(HOTELS)
    assert (pack.id, pack.city, pack.currency, pack.zone.key) == ("hotels", "Lisbon", "EUR", "Europe/Lisbon")
    assert [(branch.id, branch.name, branch.prefix) for branch in pack.branches] == [
        ("hotel1", "Harbour House", "HH"),
        ("hotel2", "Garden Court", "GC"),
    ]
    assert all(branch.phone.startswith("+351 ") and branch.address for branch in pack.branches)


def test_the_hotel_packs_rooms_and_bookings() -> None:
    """Rooms, rates and bookings are those of the design's table; only two bookings name a guest."""
    pack = load_pack(HOTELS)
    table = {}
    for branch in pack.branches:
        rooms = read_rooms(branch.folder)
        stays = {each.room: each for each in read_bookings(branch.folder, rooms, branch.prefix)}
        for room in rooms:
            stay = stays.get(room.room)
            days = (stay.from_day, stay.to_day) if stay else None
            table[room.room] = (room.type, room.sleeps, room.rate, days, stay.reference if stay else "")
    assert table == {
        "101": ("Standard", 2, 89, (0, 3), ""),
        "102": ("Standard", 2, 95, (10, 14), "HH-1002"),
        "103": ("Superior", 3, 129, (5, 9), ""),
        "104": ("Deluxe", 2, 189, (7, 10), ""),
        "105": ("Standard", 2, 85, (0, 2), ""),
        "106": ("Superior", 3, 119, None, ""),
        "107": ("Family Suite", 5, 249, (9, 15), ""),
        "108": ("Deluxe", 2, 175, (20, 24), "GC-2001"),
    }


def test_both_hotels_answer_the_same_kinds() -> None:
    """Each guide has every kind the other has, so that no hotel is silent where the other speaks."""
    pack = load_pack(HOTELS)
    first, second = ({entry.kind for entry in read_guide(branch.folder)} for branch in pack.branches)
    assert first == second


@pytest.mark.parametrize("count", [1, 2, 3])
def test_any_number_of_branches(broken: Path, count: int) -> None:
    """The number of branches comes from the pack file alone."""
    path = broken / "pack.toml"
    parts = path.read_text(encoding="utf-8").split("[[branch]]")
    path.write_text("[[branch]]".join(parts[: count + 1]), encoding="utf-8")
    assert [branch.id for branch in load_pack(broken).branches] == ["north", "south", "east"][:count]


def test_branch_by_id() -> None:
    """A branch is found by its id; an unknown id is a KeyError."""
    pack = load_pack(MINI)
    assert pack.branch("south").name == "South Lodge"
    with pytest.raises(KeyError):
        pack.branch("west")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "north"', 'id = "North Inn"', "id 'North Inn'"),
        ('id = "north"', 'id = "../north"', "must match"),
        ('id = "north"', 'id = "guests"', "guests"),
        ('id = "north"', 'id = "west"', "guide.toml is missing"),
        ('prefix = "SL"', 'prefix = "NI"', "prefix 'ni'"),
        ('name = "South Lodge"', 'name = "NORTH INN"', "name 'north inn'"),
        ('currency = "CHF"', 'currency = "francs"', "currency"),
        ('zone = "Europe/Zurich"', 'zone = "Europe/Nowhere"', "time zone"),
        ('city = "Testville"', "", "city is missing"),
        ("[[branch]]", "[[hotel]]", "at least one hotel"),
        ('name = "Mini"', "name = ", "not valid TOML"),
    ],
)
def test_a_broken_pack_file(broken: Path, old: str, new: str, said: str) -> None:
    """A broken pack file is one line that names the file and what is wrong."""
    path = broken / "pack.toml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_pack(broken)
    assert said in str(caught.value)
    assert str(broken) in str(caught.value)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("9,Double,2,x", "line 5"),
        ("9,Double,0,80", "at least one bed"),
        (",Double,2,80", "needs a number"),
        ("9,Double,2,-1", "no price"),
        ("9,Double,2,nan", "no price"),
        ("1,Double,2,80", "the room 1 is there twice"),
    ],
)
def test_a_broken_room(broken: Path, row: str, said: str) -> None:
    """A broken line of rooms.csv is named."""
    path = broken / "north" / "rooms.csv"
    path.write_text(path.read_text(encoding="utf-8") + row + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=said):
        read_rooms(broken / "north")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("9,1,2,,,,", "no room 9"),
        ("3,2,2,,,,", "after from_day"),
        ("3,1,2,4,,,", "does not sleep 4"),
        ("3,1,2,1,NI-2,,", "needs reference, name and surname"),
        ("3,1,2,1,,Bo Li,Li", "needs reference, name and surname"),
        ("3,1,2,1,XX-2,Bo Li,Li", "does not begin with NI-"),
        ("3,1,2,1,NI-0001,Bo Li,Li", "reference NI-0001 is there twice"),
        ("2,5,7,,,,", "overlap"),
        ("3,soon,7,,,,", "line 4: from_day must be a whole number, not 'soon'"),
        ("3,,7,,,,", "line 4: from_day must be a whole number"),
        ("3,1,1_0,,,,", "line 4: to_day must be a whole number, not '1_0'"),
        ("3,1,2,two,NI-7,Bo Li,Li", "line 4: guests must be a whole number, not 'two'"),
    ],
)
def test_a_broken_booking(broken: Path, row: str, said: str) -> None:
    """A broken line of bookings.csv is named."""
    folder = broken / "north"
    path = folder / "bookings.csv"
    path.write_text(path.read_text(encoding="utf-8") + row + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=said):
        read_bookings(folder, read_rooms(folder), "NI")


def test_bookings_may_touch(broken: Path) -> None:
    """One booking may begin on the day another ends."""
    folder = broken / "north"
    path = folder / "bookings.csv"
    path.write_text(path.read_text(encoding="utf-8") + "2,6,7,,,,\n", encoding="utf-8")
    assert len(read_bookings(folder, read_rooms(folder), "NI")) == 3


def test_missing_files_and_columns(broken: Path) -> None:
    """A missing file, a missing column, a guide entry without values and an empty room list are named."""
    folder = broken / "north"
    (folder / "rooms.csv").write_text("room,type,sleeps\n", encoding="utf-8")
    with pytest.raises(DataError, match="column rate is missing"):
        read_rooms(folder)
    (folder / "rooms.csv").write_text("room,type,sleeps,rate\n", encoding="utf-8")
    with pytest.raises(DataError, match="has no rooms"):
        read_rooms(folder)
    (folder / "rooms.csv").unlink()
    with pytest.raises(DataError, match=r"rooms\.csv is missing"):
        read_rooms(folder)
    (folder / "guide.toml").write_text('[[entry]]\nkind = "pets"\n', encoding="utf-8")
    with pytest.raises(DataError, match="entry 1 needs a kind and values"):
        read_guide(folder)


GUIDE_VALUES = [
    ('from = "25:00"', "a time of day is written as 07:00"),
    ('from = "7:00"', "a time of day is written as 07:00"),
    ('from = "07.60"', "a time of day is written as 07:00"),
    ("from = 07:00:00", "it must be a text"),
    ('on = "2027-02-30"', "there is no such date"),
    ('first_month = "--13"', "a month is written as --05"),
    ("price = -5", "a number must be at least 0"),
    ("price = nan", "a number must be at least 0"),
    ("price = inf", "a number must be at least 0"),
    ('hours = ["07:00", "24:30"]', "a time of day is written as 07:00"),
    ("deep = { price = 5 }", "it must be a text"),
]


@pytest.mark.parametrize(("value", "said"), GUIDE_VALUES)
def test_a_guide_value_that_cannot_be(broken: Path, value: str, said: str) -> None:
    """One line names the entry, the value and what is wrong with it."""
    folder = broken / "north"
    text = f'[[entry]]\nkind = "pool"\nkeywords = ""\nvalues = {{ {value} }}\n'
    (folder / "guide.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=said) as raised:
        read_guide(folder)
    assert "guide.toml: pool, " in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("9,Standard,two,90", "sleeps must be a whole number, not 'two'"),
        ("9,Standard,2,cheap", "'cheap' is no price"),
        ("9,Standard,2,nan", "nan is no price"),
    ],
)
def test_a_broken_room_in_plain_words(broken: Path, row: str, said: str) -> None:
    """What is wrong with a line of rooms.csv is said without quoting Python."""
    path = broken / "north" / "rooms.csv"
    path.write_text(path.read_text(encoding="utf-8") + row + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=said) as raised:
        read_rooms(path.parent)
    assert "literal" not in str(raised.value)


def test_money_as_people_write_it() -> None:
    """A whole sum has no decimals, another keeps them."""
    assert repr(as_money("89")) == "89"
    assert repr(as_money("89.50")) == "89.5"
