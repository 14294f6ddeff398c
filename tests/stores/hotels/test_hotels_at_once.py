"""Many at the same moment, in threads and in processes: one wins, and everybody hears the truth."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from desk.errors import BookingError
from desk.stores.hotels import Hotels
from tests.stores.hotels.lisbon import cancel_of, carry_out, change_of, offer_of

ROOT = Path(__file__).parents[3]
CONFIRM = """
import json, sys
from pathlib import Path
from desk.pack import load_pack
from desk.records import Offer
from desk.stores.hotels import Hotels
from tests.stores.hotels.lisbon import PACK, carry_out
job = json.loads(sys.stdin.readline())
hotels = Hotels(load_pack(PACK), Path(job["folder"]))
print("ready", flush=True)
sys.stdin.readline()
print(carry_out(hotels, Offer.model_validate(job["offer"])).reference)
"""


def at_once(acts: list[Callable[[], str]]) -> list[str]:
    """Run all of them in threads that start together; each one's result or reason of refusal, in order."""
    barrier = threading.Barrier(len(acts))
    outcomes = [""] * len(acts)

    def run(number: int) -> None:
        barrier.wait()
        try:
            outcomes[number] = acts[number]()
        except BookingError as error:
            outcomes[number] = error.reason

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_the_last_family_suite(lisbon: Hotels) -> None:
    """Fifty confirm it at once: one booking, 49 are told that it is taken."""
    offers = [offer_of(lisbon, f"o{number}", ["107"], 30, 3) for number in range(50)]
    outcomes = at_once([lambda offer=offer: carry_out(lisbon, offer).status for offer in offers])
    assert Counter(outcomes) == {"booked": 1, "taken": 49}
    rows = lisbon.reader("hotel2").run_sql("SELECT count(*) AS n FROM bookings WHERE room = '107'")
    assert rows == [{"n": 2}]  # with the one of the pack


def test_one_offer_from_four_processes(lisbon: Hotels) -> None:
    """One offer confirmed by four processes at once: one booking, the same reference for all."""
    job = {
        "folder": str(lisbon.folder),
        "offer": offer_of(lisbon, "o1", ["107"], 30, 3).model_dump(mode="json"),
    }
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", CONFIRM],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    references = {process.communicate(timeout=60)[0] for process in processes}
    assert len(references) == 1
    assert lisbon.find_booking(references.pop().strip()) is not None
    rows = lisbon.reader("hotel2").run_sql("SELECT count(*) AS n FROM bookings WHERE room = '107'")
    assert rows == [{"n": 2}]


def test_one_change_from_many_tabs(lisbon: Hotels) -> None:
    """One change confirmed in twenty tabs at once is made once; everybody sees the same booking."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["101", "103"], 20, 2))
    change = change_of(lisbon, "c1", booked, ["101", "104"], 21, 3)
    outcomes = at_once([lambda: carry_out(lisbon, change).model_dump_json()] * 20)
    assert len(set(outcomes)) == 1
    assert lisbon.reader("hotel1").run_sql("SELECT count(*) AS n FROM changes") == [{"n": 1}]


def test_one_cancellation_from_many_tabs(lisbon: Hotels) -> None:
    """The same for a cancellation."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["104"], 20, 2))
    cancel = cancel_of(lisbon, "x1", booked)
    outcomes = at_once([lambda: carry_out(lisbon, cancel).model_dump_json()] * 20)
    assert len(set(outcomes)) == 1
    assert lisbon.reader("hotel1").run_sql("SELECT count(*) AS n FROM changes") == [{"n": 1}]


def test_a_change_and_bookings_of_the_same_nights(lisbon: Hotels) -> None:
    """Ten changes and ten bookings want one room: one wins, and who loses keeps what they had."""
    held = [
        carry_out(lisbon, offer_of(lisbon, f"h{number}", ["101"], 40 + 3 * number, 2)) for number in range(10)
    ]
    offers = [change_of(lisbon, f"c{number}", booking, ["104"], 21, 2) for number, booking in enumerate(held)]
    offers += [offer_of(lisbon, f"o{number}", ["104"], 20, 2) for number in range(10)]
    outcomes = at_once([lambda offer=offer: carry_out(lisbon, offer).reference for offer in offers])
    assert Counter(outcomes)["taken"] == 19
    winner = next(each for each in outcomes if each != "taken")
    for booking in held:
        stored = lisbon.find_booking(booking.reference)
        assert stored is not None
        assert (stored == booking) is (booking.reference != winner)


def test_two_changes_and_a_cancellation_of_one_booking(lisbon: Hotels) -> None:
    """Whatever comes first, the booking ends in one whole state and no room is held twice."""
    booked = carry_out(lisbon, offer_of(lisbon, "o1", ["101", "102"], 20, 2))
    offers = [
        change_of(lisbon, "c1", booked, ["103", "104"], 20, 2),
        change_of(lisbon, "c2", booked, ["101"], 20, 5),
        cancel_of(lisbon, "x1", booked),
    ]
    outcomes = at_once([lambda offer=offer: carry_out(lisbon, offer).status for offer in offers])
    assert set(outcomes) <= {"changed", "cancelled"}
    stored = lisbon.find_booking(booked.reference)
    assert stored is not None
    taken = {
        row["room"]
        for row in lisbon.reader("hotel1").run_sql(
            "SELECT room FROM bookings WHERE stay NOT LIKE 'pack-%' AND status <> 'cancelled'"
        )
    }
    assert taken == (set() if stored.status == "cancelled" else {room.room for room in stored.room_stays})


def test_bookings_that_cross(lisbon: Hotels) -> None:
    """Two parties want two rooms each, one of them the same: one party has both, the other none."""
    offers = [
        offer_of(lisbon, "o1", ["101", "102"], 20, 2),
        offer_of(lisbon, "o2", ["102", "104"], 20, 2),
        offer_of(lisbon, "o3", ["104", "101"], 20, 2),
    ]
    outcomes = at_once([lambda offer=offer: carry_out(lisbon, offer).status for offer in offers])
    assert Counter(outcomes) == {"booked": 1, "taken": 2}
    assert len(lisbon.reader("hotel1").free_rooms(offers[0].arrival, offers[0].departure)) == 2
