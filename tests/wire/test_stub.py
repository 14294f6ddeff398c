"""The stub itself: it answers many at once, counts what it was sent, and its account tells chains from crowds."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from desk.context import Parts
from tests.wire.http_stub import Reply, after, serving
from tests.wire.ledger import Called, Ledger, longest_chain
from tests.wire.openai_stub import rehearsed, roles

HOTELS = 50
PATIENCE = 30.0
TOOL = {"type": "function", "function": {"name": "find_rooms", "description": "finds", "parameters": {}}}


def test_fifty_requests_are_answered_at_once() -> None:
    """No request waits for another: each is answered only when all fifty have come."""
    all_there = threading.Barrier(HOTELS)

    def answer(body: dict[str, Any]) -> Reply:
        all_there.wait(PATIENCE)
        return 200, body

    with serving(after(0.01, answer)) as stub, ThreadPoolExecutor(HOTELS) as crowd:
        posted = crowd.map(
            lambda number: httpx.post(stub.url, json={"n": number}, timeout=PATIENCE), range(HOTELS)
        )
        assert [each.json()["n"] for each in posted] == list(range(HOTELS))


def test_usage_grows_with_what_was_sent(shared: Parts) -> None:
    """Tokens are counted from the request's messages and tool definitions; the account keeps role and tokens."""
    ledger = Ledger(rehearsed(shared), roles(shared))
    system = {"role": "system", "content": shared.procedures.text("hotel", hotel="Harbour House")}
    brief = {"role": "user", "content": "## Task\nguide: parking"}
    small = {"model": "m", "messages": [system, brief]}
    for body in (small, {**small, "tools": [TOOL]}, {**small, "messages": [system, brief, brief]}):
        status, told = ledger(body)
        assert status == 200
        assert told["usage"]["total_tokens"] > told["usage"]["prompt_tokens"]
    plain, with_tool, longer = ledger.take()
    assert plain.role == "hotel"
    assert plain.prompt_tokens >= len(system["content"]) // 4
    assert with_tool.prompt_tokens > plain.prompt_tokens
    assert longer.prompt_tokens > plain.prompt_tokens
    assert ledger.calls == []


@pytest.mark.parametrize(
    ("spans", "chain"),
    [
        ([], 0),
        ([(0, 1)], 1),
        ([(0, 2), (1, 3)], 1),
        ([(0, 1), (1, 2), (3, 4)], 3),
        ([(0, 1), (2, 9), (3, 4), (5, 6), (10, 11)], 4),
    ],
)
def test_longest_chain(spans: list[tuple[float, float]], chain: int) -> None:
    """Calls count as one after the other only when one had ended before the next began."""
    assert longest_chain(Called("hotel", "m", start, end, 1, 1) for start, end in spans) == chain
