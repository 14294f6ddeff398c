"""Many confirm at the same time: one booking, and an honest answer for everybody."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.bookings.support import offered, taken

GUESTS = 50
TABS = 20


def _all_at_once(jobs: list[Any]) -> list[Any]:
    with ThreadPoolExecutor(len(jobs)) as pool:
        return [future.result(120) for future in [pool.submit(job) for job in jobs]]


def test_fifty_guests_confirm_the_last_suite(desk: Any) -> None:
    """One of fifty gets it; the others hear that it is gone and what else is free. Nobody sees an error."""
    threads = [
        offered(desk, name=f"Guest{chr(65 + number % 26)}{chr(97 + number // 26)}")[0]
        for number in range(GUESTS)
    ]
    before = taken(desk.home, "107")

    def confirm(thread: str) -> Any:
        return desk.desk.wait(thread, desk.desk.send(thread, "yes"), 120)

    turns = _all_at_once([lambda thread=thread: confirm(thread) for thread in threads])
    booked = [turn for turn in turns if turn.booking]
    told = [turn for turn in turns if not turn.booking]
    assert len(booked) == 1
    assert booked[0].booking.reference in booked[0].reply
    assert sorted(taken(desk.home, "107")) == sorted([*before, ("2027-02-11", "2027-02-13")])
    assert [turn.problem for turn in turns] == [None] * GUESTS
    for turn in told:
        assert turn.offer is None
        assert "no longer free" in turn.reply
        assert "GC-" not in turn.reply
    # No other room sleeps five, so there is no alternative to name for that party.
    assert {fact.kind for turn in told for fact in turn.facts} == {"booking_failed"}


def test_guests_who_lose_hear_an_alternative(desk: Any) -> None:
    """Where another room does, every guest who came too late hears of it."""
    threads = [offered(desk, kind="Deluxe", picks=["Garden Court"])[0] for _ in range(8)]
    turns = _all_at_once(
        [
            lambda thread=thread: desk.desk.wait(thread, desk.desk.send(thread, "yes"), 120)
            for thread in threads
        ]
    )
    told = [turn for turn in turns if not turn.booking]
    assert len(told) == 7
    assert all(any(fact.kind == "nearest" for fact in turn.facts) for turn in told)


@pytest.mark.parametrize("way", ["same key", "different keys", "typed", "mixed"])
def test_twenty_tabs_confirm_one_offer(desk: Any, way: str) -> None:
    """One booking; no tab names another reference, and no tab hears of a failure."""
    thread, turn = offered(desk)
    action = f"confirm:{turn.offer.id}"

    def press(number: int) -> Any:
        if way == "typed" or (way == "mixed" and number % 2):
            sent = desk.desk.send(thread, "yes")
        else:
            sent = desk.desk.send(thread, "", action=action, key="k" if way == "same key" else f"k{number}")
        return desk.desk.wait(thread, sent, 120)

    turns = _all_at_once([lambda number=number: press(number) for number in range(TABS)])
    references = {each.booking.reference for each in turns if each.booking}
    assert len(references) == 1
    reference = references.pop()
    assert taken(desk.home, "107").count(("2027-02-11", "2027-02-13")) == 1
    assert [each.problem for each in turns] == [None] * TABS
    for each in turns:
        assert "no longer free" not in each.reply
        assert "GC-" not in each.reply.replace(reference, "")
    buttons = [each for each in turns if each.text == ""]
    assert all(reference in each.reply for each in buttons), buttons[-1].reply
