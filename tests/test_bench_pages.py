"""Open pages without a browser: they poll only while a turn runs, and the shares are worked out of what they cost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench import pages
from tests.bench.first_paint import ROOT, served
from tests.bench.open_page import OpenPage
from tests.bench.pages import Cost

WATCHED = 1.6  # seconds: a page that polled would have done so three times


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The app with the scripted desk, each of whose turns takes a second or two."""
    own = {"FAKE_HOME": str(tmp_path / "fake"), "FAKE_PACE": "0.08", "PYTHONPATH": str(ROOT)}
    with served(tmp_path, "tests/pages/fake_app.py", **own) as (address, _, _):
        yield address


def test_a_page_polls_only_while_its_turn_runs(address: str) -> None:
    """Nothing is asked of the server before the first message and after the answer; meanwhile it is."""

    async def watched() -> list[int]:
        async with OpenPage(address) as page, OpenPage(address) as beside:
            seen = []
            await asyncio.sleep(WATCHED)
            seen.append(page.polls)
            await page.say("Is a Deluxe room free?")
            await page.rest()
            seen.append(page.polls)
            await asyncio.sleep(WATCHED)
            return [*seen, page.polls, beside.polls]

    before, running, after, beside = asyncio.run(watched())
    assert before == 0
    assert running > 0
    assert after == running
    assert beside == 0


def test_pages_of_a_core_follow_from_the_shares() -> None:
    """Ten polls of 50 ms are the whole difference; a message each 25 s costs 250 ms and five seconds of 100 ms."""
    found = pages.found(0.001, Cost(0.8, 5.5, 11.0), Cost(0.3, 5.5, 1.0)).to_json()
    assert found["poll_seconds"] == pytest.approx(0.05)
    assert found["message_seconds"] == pytest.approx(0.25)
    assert found["following_share"] == pytest.approx(0.1)
    assert found["pages_a_core"] == round(1 / (0.001 + (0.25 + 5 * 0.1) / 25))


def test_a_rest_below_nothing_is_none() -> None:
    """What is measured at rest may come out below zero; a page then costs its messages and no less."""
    of = (Cost(0.8, 5.5, 11.0), Cost(0.3, 5.5, 1.0))
    assert (
        pages.found(-0.01, *of).to_json()["pages_a_core"] == pages.found(0.0, *of).to_json()["pages_a_core"]
    )


def test_processor_time_of_a_process_is_read() -> None:
    """This process has worked, and works on."""
    before = pages.processor_seconds("self")
    for _ in range(10_000_000):
        pass
    assert pages.processor_seconds("self") > before > 0
