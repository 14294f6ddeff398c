"""Tests of the live models do not wait between tries."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from desk.models import live
from desk.models.retries import Retries


@pytest.fixture(autouse=True, scope="package")
def no_waiting() -> Iterator[None]:
    """Every desk opened here tries again at once, after a look at whether the turn was stopped."""

    def look(seconds: float, check: Callable[[], None]) -> None:
        check()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "Retries", lambda: Retries(pause=look))
        yield
