"""A long conversation: what a turn writes and sends does not grow with what lies behind it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, nullcontext

import pytest

from desk.steps import identify
from desk.stores.checkpoints import open_checkpoints
from tests.bench import growth
from tests.bench.growth import AIM, Round, Used
from tests.bench.storage import stored_bytes
from tests.conftest import Opened

TURNS_30, TURNS_120 = 1, 5  # the rounds that hold them: turns 21 to 40 and 101 to 120


@pytest.fixture
def played(desk: Opened, monkeypatch: pytest.MonkeyPatch) -> Sequence[Round]:
    """A conversation of 120 turns."""
    monkeypatch.setattr(growth, "bench_desk", lambda home: nullcontext((desk.desk, desk.parts)))
    return growth.play(desk.home, TURNS_120 + 1)


def test_a_turn_stores_and_sends_as_much_late_as_early(played: Sequence[Round]) -> None:
    """Around turn 110 the same messages write and send at most 1.2 times what they do around turn 30."""
    early, late = played[TURNS_30].figures(), played[TURNS_120].figures()
    for what in ("stored_bytes", "file_bytes", "tokens"):
        assert 0 < late[what] <= AIM * early[what], what
    assert all(used.stored[kind] for used in played[-1].turns for kind in ("turn log", "checkpoints"))


def test_dates_named_long_ago_leave_the_state(desk: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread's state keeps the dates that were named last, and those of the stay that is asked for now."""
    monkeypatch.setattr(identify, "STATED", 4)
    thread = desk.thread()
    for month in ("March", "April", "May"):
        desk.say(thread, f"Is a Deluxe room free from 1 to 3 {month}?")
    turn = desk.say(thread, "And a Superior room?")
    with closing(open_checkpoints(desk.home)) as checkpoints:
        state = checkpoints.saver.get_tuple({"configurable": {"thread_id": thread}})
        kept = state.checkpoint["channel_values"]["stated_dates"] if state else []
    assert kept == ["2027-04-01", "2027-04-03", "2027-05-01", "2027-05-03"]
    assert {str(fact.arrival) for fact in turn.facts} == {"2027-05-01"}


def test_figures_are_means_of_a_turn_and_the_median_of_its_time() -> None:
    """Two turns of a round: bytes of all kinds together, the files' growth shared out, the time in the middle."""
    turns = [
        Used(100, 0.5, {"turn log": 10, "checkpoints": 30}),
        Used(300, 0.1, {"turn log": 20, "checkpoints": 40}),
    ]
    assert Round(turns, 5000).figures() == {
        "stored_bytes": 50.0,
        "file_bytes": 2500.0,
        "tokens": 200.0,
        "seconds": 0.3,
    }


def test_growth_above_the_aim_is_missed() -> None:
    """The last round beside the second, whatever the first was; a quarter more than that is too much."""
    first, early, late = (Round([Used(n, 0.1, {"turn log": n})], n) for n in (9, 100, 125))
    told = growth.found([first, early, late]).to_json()
    assert told["ratio"] == {"stored_bytes": 1.25, "file_bytes": 1.25, "tokens": 1.25, "seconds": 1.0}
    assert [aim["met"] for aim in told["aims"].values()] == [False, False, False]
    assert all(aim["met"] for aim in growth.found([first, early, early]).to_json()["aims"].values())


def test_files_are_counted_by_what_they_hold(desk: Opened) -> None:
    """The turn log, the graph's state and the hotels' databases, each with what their write-ahead logs held."""
    before = stored_bytes(desk.home)
    desk.ask("Hello!")
    after = stored_bytes(desk.home)
    assert set(after) == {"turn log", "checkpoints", "hotels"}
    assert after["hotels"] == before["hotels"]
    assert after["checkpoints"] > before["checkpoints"]
    assert all(path.stat().st_size == 0 for path in desk.home.rglob("*-wal"))
