"""Making the databases: once, whole, whatever happens meanwhile."""

from __future__ import annotations

import datetime as dt
import multiprocessing
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from desk.errors import StorageError
from desk.pack import Pack, load_pack
from desk.stores import hotel_schema
from desk.stores.hotels import open_hotels

MINI = Path(__file__).parents[2] / "packs" / "mini"
TODAY = dt.date(2026, 12, 1)


def _open(home: str, barrier: object) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    hotel_schema.make_databases(Path(home) / "hotels", load_pack(MINI), TODAY)


def _die_half_way(home: str) -> None:
    def die(*_: object) -> None:
        os._exit(9)

    hotel_schema._refresh_guide = die
    hotel_schema.make_databases(Path(home) / "hotels", load_pack(MINI), TODAY)


def test_days_count_from_the_first_day(tmp_path: Path, pack: Pack) -> None:
    """Bookings count from the day the databases are first made, not from the day they are opened."""
    open_hotels(tmp_path, pack, TODAY)
    hotels = open_hotels(tmp_path, pack, TODAY + dt.timedelta(days=40))
    guest = hotels.find_guest("NI-0001", "Müller")
    assert guest is not None
    assert (guest.arrival, guest.departure) == (dt.date(2026, 12, 4), dt.date(2026, 12, 7))


def test_write_ahead_logging(tmp_path: Path, pack: Pack) -> None:
    """Every file logs ahead, so that readers do not hold a writer up."""
    open_hotels(tmp_path, pack, TODAY)
    files = sorted((tmp_path / "hotels").glob("*.db"))
    assert [path.name for path in files] == ["east.db", "guests.db", "north.db", "south.db"]
    for path in files:
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        connection.close()


def test_several_processes_start_at_once(tmp_path: Path, pack: Pack) -> None:
    """Four processes that start together make one set of databases, none twice and none by halves."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(4)
    processes = [context.Process(target=_open, args=(str(tmp_path), barrier)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    reader = open_hotels(tmp_path, pack, TODAY).reader("north")
    assert reader.run_sql("SELECT count(*) AS n FROM bookings") == [{"n": 2}]
    assert len(reader.guide_kinds()) == 4


def test_a_crash_half_way_leaves_nothing_by_halves(tmp_path: Path, pack: Pack) -> None:
    """A process that dies while it makes a file leaves an empty one; the next start makes it whole."""
    process = multiprocessing.get_context("spawn").Process(target=_die_half_way, args=(str(tmp_path),))
    process.start()
    process.join(60)
    assert process.exitcode == 9
    connection = sqlite3.connect(tmp_path / "hotels" / "north.db")
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    connection.close()
    hotels = open_hotels(tmp_path, pack, TODAY)
    assert [room.room for room in hotels.reader("north").rooms()] == ["1", "2", "3"]
    assert hotels.find_guest("NI-0001", "Müller") is not None


def test_an_edited_guide_is_taken_over(tmp_path: Path) -> None:
    """A changed house guide replaces the stored one at the next start; bookings stay."""
    folder = Path(shutil.copytree(MINI, tmp_path / "mini"))
    open_hotels(tmp_path, load_pack(folder), TODAY)
    path = folder / "north" / "guide.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("price = 14", "price = 16"), encoding="utf-8")
    reader = open_hotels(tmp_path, load_pack(folder), TODAY + dt.timedelta(days=1)).reader("north")
    entry = reader.guide_entry("breakfast")
    assert entry is not None
    assert entry.values["price"] == 16
    assert [found.kind for found in reader.guide("breakfast")] == ["breakfast"]
    assert reader.taken("2", TODAY + dt.timedelta(days=3), TODAY + dt.timedelta(days=4))


def test_a_home_that_cannot_be_used(tmp_path: Path, pack: Pack) -> None:
    """A home that is a file, or a database that is none, is one StorageError."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StorageError):
        open_hotels(tmp_path / "file", pack, TODAY)
    (tmp_path / "hotels").mkdir()
    (tmp_path / "hotels" / "north.db").write_bytes(b"this is no database, it is a text" * 100)
    with pytest.raises(StorageError):
        open_hotels(tmp_path, pack, TODAY)


def test_databases_of_a_newer_desk(tmp_path: Path, pack: Pack) -> None:
    """Databases that a newer version has changed are left alone, and the message says what to do."""
    open_hotels(tmp_path, pack, TODAY)
    connection = sqlite3.connect(tmp_path / "hotels" / "north.db")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StorageError, match="update the desk"):
        open_hotels(tmp_path, pack, TODAY)


def test_a_home_with_odd_letters(tmp_path: Path, pack: Pack) -> None:
    """Spaces, '?', '#', '%' and accents in the folder's name do not break the read-only open."""
    hotels = open_hotels(tmp_path / "a b?c#d%20é", pack, TODAY)
    assert len(hotels.reader("north").rooms()) == 3


@pytest.mark.parametrize("count", [1, 2, 3])
def test_one_file_a_branch(tmp_path: Path, count: int) -> None:
    """A pack of one, two or three branches gets as many databases."""
    folder = Path(shutil.copytree(MINI, tmp_path / "mini"))
    path = folder / "pack.toml"
    parts = path.read_text(encoding="utf-8").split("[[branch]]")
    path.write_text("[[branch]]".join(parts[: count + 1]), encoding="utf-8")
    hotels = open_hotels(tmp_path, load_pack(folder), TODAY)
    assert all(hotels.reader(branch.id).rooms() for branch in hotels.pack.branches)
    assert len(list((tmp_path / "hotels").glob("*.db"))) == count + 1
