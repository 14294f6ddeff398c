"""One desk for a whole file of dialogues: what a test books is taken back after it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from desk.bootstrap import desk_over
from tests.bookings.support import HOTELS, at_home
from tests.conftest import Opened

FILES = ("guests", *HOTELS)


@pytest.fixture(scope="session")
def hall(tmp_path_factory: pytest.TempPathFactory, shared: Any) -> Iterator[Opened]:
    """A desk that many tests share."""
    home = tmp_path_factory.mktemp("hall")
    parts = at_home(shared, home)
    opened = Opened(desk_over(parts), parts, home)
    yield opened
    assert opened.desk.close(30)


@pytest.fixture
def desk(hall: Opened) -> Iterator[Opened]:
    """The shared desk, with the bookings of the pack and no others."""
    kept = {name: _copy(hall.home / "hotels" / f"{name}.db") for name in FILES}
    yield hall
    for name, before in kept.items():
        with before, closing(sqlite3.connect(hall.home / "hotels" / f"{name}.db")) as file:
            before.backup(file)
        before.close()


def _copy(path: Path) -> sqlite3.Connection:
    memory = sqlite3.connect(":memory:")
    with closing(sqlite3.connect(path)) as file:
        file.backup(memory)
    return memory
