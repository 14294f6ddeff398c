"""The process is killed anywhere between confirmation and reply: there is one booking or none, never two."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from desk.records import Booking, Offer
from desk.stores.hotel_schema import GUESTS, hotel_file
from desk.stores.hotels import Hotels, open_hotels
from tests.stores.hotels.lisbon import TODAY, cancel_of, carry_out, change_of, offer_of

ROOT = Path(__file__).parents[3]
ACTIONS = ["book", "book several", "change", "cancel"]
MOST_POINTS = 60  # before and after each statement; a booking has about twenty


@dataclass(frozen=True)
class Scene:
    """A guest about to confirm `offer`; `before` is the booking it is of, or None."""

    hotels: Hotels
    offer: Offer
    before: Booking | None

    def copied(self, target: Path) -> Scene:
        """The same scene on a copy of the databases."""
        shutil.copytree(self.hotels.folder, target)
        return Scene(Hotels(self.hotels.pack, target), self.offer, self.before)


def scene(hotels: Hotels, action: str) -> Scene:
    """What stands before the confirmation."""
    if action == "book":
        return Scene(hotels, offer_of(hotels, "o1", ["104"], 20, 2), None)
    if action == "book several":
        return Scene(hotels, offer_of(hotels, "o1", ["101", "102", "104"], 20, 2), None)
    booked = carry_out(hotels, offer_of(hotels, "o0", ["101", "103"], 20, 2))
    if action == "change":
        return Scene(hotels, change_of(hotels, "o1", booked, ["103", "104"], 21, 2), booked)
    return Scene(hotels, cancel_of(hotels, "o1", booked), booked)


def killed(scenes: list[Scene], points: list[int | None], bytes_left: list[int | None]) -> list[int]:
    """Carry each scene's offer out in a process that dies at its point; the exit code of each."""
    jobs = [
        {
            "folder": str(each.hotels.folder),
            "offer": each.offer.model_dump(mode="json"),
            "point": point,
            "bytes_left": left,
        }
        for each, point, left in zip(scenes, points, bytes_left, strict=True)
    ]
    command = [sys.executable, "-m", "tests.stores.hotels.crashing"]
    done = subprocess.run(
        command, cwd=ROOT, input=json.dumps(jobs), capture_output=True, text=True, check=True, timeout=120
    )
    ends: list[int] = json.loads(done.stdout)
    return ends


def check_after(left: Scene) -> str:
    """After a crash all readers agree on old or new, and the repeated confirmation ends in one booking."""
    hotels, offer = left.hotels, left.offer
    references = _references(hotels, offer.id if left.before is None else "o0")
    found = [booking for reference in references if (booking := hotels.find_booking(reference))]
    assert len(references) <= 1
    for reference in references:
        known = hotels.find_guest(reference, "Marquez") is not None
        assert known is (hotels.find_booking(reference) is not None)
    stands = found[0] if found else None
    assert _rows(hotels) == len(stands.room_stays if stands else [])
    state = "old" if stands == left.before else "new"
    made = carry_out(hotels, offer)
    if state == "new":
        assert made == stands
    assert (made.action, made.total, made.arrival) == (offer.action, offer.total, offer.arrival)
    assert [room.room for room in made.room_stays] == [room.room for room in offer.room_stays]
    assert carry_out(hotels, offer) == made == hotels.find_booking(made.reference)
    assert _references(hotels, offer.id if left.before is None else "o0") == [made.reference]
    assert references in ([], [made.reference])
    assert _rows(hotels) == len(made.room_stays)
    return state


@pytest.mark.parametrize("action", ACTIONS)
def test_killed_at_each_statement(lisbon: Hotels, tmp_path: Path, action: str) -> None:
    """kill -9 before and after every statement, COMMIT included: what is stored is old until it, new after."""
    first = scene(lisbon, action)
    scenes = [first.copied(tmp_path / str(point)) for point in range(MOST_POINTS)]
    ends = killed(scenes, list(range(MOST_POINTS)), [None] * MOST_POINTS)
    count = ends.count(-signal.SIGKILL)
    assert 8 <= count < MOST_POINTS
    assert ends == [-signal.SIGKILL] * count + [0] * (MOST_POINTS - count)
    # The last point lies behind COMMIT, before the reply.
    states = [check_after(each) for each in scenes[:count]]
    assert states == ["old"] * (count - 1) + ["new"]


@pytest.mark.parametrize("action", ACTIONS)
def test_killed_inside_the_commit(lisbon: Hotels, tmp_path: Path, action: str) -> None:
    """The system ends the process while COMMIT writes the hotel's file, after that of the guests is written.

    A limit on the size of a file does that: the hotel's log is made longer than the guests', and the signal
    comes when it grows by this many bytes. A log frame has 24 bytes and a page of 4096.
    """
    first = scene(lisbon, action)
    left: list[int | None] = [0, 1, 24, 2000, 4119, 4120, 4121, 8240, 12000]
    with _long_log(lisbon, "hotel1"):
        scenes = [first.copied(tmp_path / str(each)) for each in left]
    ends = killed(scenes, [None] * len(left), left)
    assert set(ends) == {-signal.SIGXFSZ}
    halves = [first.before is None and _references(each.hotels, "o1") != [] for each in scenes]
    assert all(halves) is (first.before is None)
    assert {check_after(each) for each in scenes} == {"old"}


@contextmanager
def _long_log(hotels: Hotels, branch: str) -> Iterator[None]:
    """Make the branch's log long, and keep it so while the files are copied."""
    path = hotel_file(hotels.folder, branch)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(30):
            connection.execute(
                "INSERT OR REPLACE INTO about VALUES ('length', ?)", ("x" * 9000 + str(number),)
            )
        assert Path(f"{path}-wal").stat().st_size > 250_000
        yield


def _references(hotels: Hotels, offer_id: str) -> list[str]:
    with closing(sqlite3.connect(hotels.folder / GUESTS)) as connection:
        rows = connection.execute("SELECT reference FROM guests WHERE offer_id = ?", (offer_id,)).fetchall()
    return [row[0] for row in rows]


def _rows(hotels: Hotels) -> int:
    """How many rows there are of bookings that did not come with the pack."""
    with closing(sqlite3.connect(hotel_file(hotels.folder, "hotel1"))) as connection:
        return int(
            connection.execute("SELECT count(*) FROM bookings WHERE stay NOT LIKE 'pack-%'").fetchone()[0]
        )


def test_the_desk_opens_after_a_crash(lisbon: Hotels, tmp_path: Path) -> None:
    """The next start of the desk finds the files as they were left, and reads them without writing first."""
    first = scene(lisbon, "book")
    with _long_log(lisbon, "hotel1"):
        left = first.copied(tmp_path / "again" / "hotels")
    killed([left], [None], [24])
    assert left.hotels.reader("hotel1").free_rooms(left.offer.arrival, left.offer.departure, room="104")
    assert check_after(Scene(open_hotels(tmp_path / "again", lisbon.pack, TODAY), left.offer, None)) == "old"
