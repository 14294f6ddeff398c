"""The process is killed between confirmation and reply: one booking or none, and never two."""

from __future__ import annotations

import functools
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desk import bootstrap
from desk.service import Desk
from tests.bookings.crashing import POINTS
from tests.bookings.support import at_home, offered, taken
from tests.conftest import Opened

ROOT = Path(__file__).parents[2]
NIGHTS = ("2027-02-11", "2027-02-13")
LATER = 3600.0  # seconds after the crash, when no lease of the dead process is left
STORED = ("after the commit", "after the write", "before the reply is worded", "after the reply is worded")
ENDED = (
    "before the checkpoint",
    "after the checkpoint",
    "before the guest is bound",
    "before the turn is stored",
)


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory, shared: Any) -> dict[str, Any]:
    """A desk with an offer, copied for each point; at each of them a process was killed after the yes."""
    home = tmp_path_factory.mktemp("crash") / "home"
    parts = at_home(shared, home)
    opened = Opened(bootstrap.desk_over(parts), parts, home)
    thread, turn = offered(opened)
    assert opened.desk.close(30)
    homes = {point: home.parent / f"at-{number}" for number, point in enumerate(POINTS)}
    for copy in homes.values():
        shutil.copytree(home, copy)
    job = {
        "thread": thread,
        "scratch": str(home.parent / "scratch"),
        "homes": {k: str(v) for k, v in homes.items()},
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.bookings.crashing"],
        cwd=ROOT, input=json.dumps(job), capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return {"thread": thread, "offer": turn.offer, "homes": homes, "ends": json.loads(done.stdout)}


@pytest.mark.parametrize("point", POINTS)
def test_killed_between_yes_and_reply(
    crashed: dict[str, Any], shared: Any, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """After the restart the turn is answered with the one booking there is; repeating it makes no second."""
    between = point == "between the commits of two files"
    assert crashed["ends"][point] == -(signal.SIGXFSZ if between else signal.SIGKILL)
    thread, home = crashed["thread"], crashed["homes"][point]
    stored = [nights for nights in taken(home, "107") if nights == NIGHTS]
    expected = point in (*STORED, *ENDED, "after the turn is stored")
    assert stored == ([NIGHTS] if expected else [])
    monkeypatch.setattr(bootstrap, "Desk", functools.partial(Desk, wall=lambda: time.time() + LATER))
    parts = at_home(shared, home)
    opened = Opened(bootstrap.desk_over(parts), parts, home)
    number = opened.desk.turns(thread)[-1].number
    opened.desk.retry(thread, number)  # as the guest does who finds a turn that was left long ago
    turn = opened.desk.wait(thread, number, 60)
    assert turn.booking is not None
    assert turn.booking.reference in turn.reply
    assert taken(home, "107").count(NIGHTS) == 1
    for text, action in (
        ("yes", None),
        ("", f"confirm:{crashed['offer'].id}"),
        ("What is my booking?", None),
    ):
        again = opened.say(thread, text, action=action)
        assert again.booking is None
        assert taken(home, "107").count(NIGHTS) == 1
    assert turn.booking.reference in again.reply
    assert opened.desk.close(30)


def test_a_guest_who_never_saw_a_reply_finds_out(
    open_at: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stop button is pressed right after the write: the reply is lost, the booking is there to be asked for."""
    from desk.stores.bookings import HotelWriter

    opened = open_at()
    thread, _ = offered(opened)
    real = HotelWriter.book

    def books_and_is_stopped(*args: Any, **kwargs: Any) -> Any:
        booking = real(*args, **kwargs)
        opened.desk.stop(thread, opened.desk.turns(thread)[-1].number)
        return booking

    with monkeypatch.context() as patch:
        patch.setattr(HotelWriter, "book", books_and_is_stopped)
        turn = opened.say(thread, "yes")
    count = taken(opened.home, "107").count(NIGHTS)
    assert count == 1
    told = [turn, opened.say(thread, "What is my booking?")]
    repeated = opened.say(thread, "yes")
    assert taken(opened.home, "107").count(NIGHTS) == 1
    assert any(
        "Your reference is GC-" in each.reply or "Your booking GC-" in each.reply
        for each in (*told, repeated)
    )
