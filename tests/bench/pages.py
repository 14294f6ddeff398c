"""How many open pages one core carries: the server's processor time for a page at rest, and for a message.

A message costs something in any case (the turn itself, the page drawn anew) and something for each time that the page
asks how far it is. Both are found with the same messages to a model that takes its time, once from pages that poll as
the app has them poll, once from pages that hardly do.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from desk.bootstrap import open_parts
from tests.bench.first_paint import served
from tests.bench.open_page import OpenPage
from tests.bench.report import Line, Measured
from tests.bench.turns import bench_settings
from tests.wire.http_stub import Answer, Reply, Stub, after, serving
from tests.wire.openai_stub import completion, rehearsed

PAGES = 20
REST_SECONDS = 8.0
TALKING = 4  # pages at a time: the desk answers eight turns at once, and none shall wait for another
MESSAGES = (
    "Is there a Deluxe room free from 1 to 3 March?",
    "What time is breakfast?",
    "Can I bring my small dog?",
)
CALL = 1.0  # seconds that the model takes for a call
SELDOM = 5.0  # seconds between the polls of a page that hardly polls
EVERY = 25.0  # the mix: seconds between one guest's messages, ...
TURN = 5.0  # ... and the seconds that a turn with a live model takes


@dataclass(frozen=True)
class Cost:
    """Of one message: the server's processor seconds, the seconds that its page followed it, its polls in them."""

    processor: float
    followed: float
    polls: float


def measure() -> Measured:
    """Open pages on a server of their own, at rest and talking."""
    if not Path("/proc/self/stat").exists():
        return Measured("Open pages", skipped="this system has no /proc to read processor time from")
    with tempfile.TemporaryDirectory(prefix="desk-bench-") as folder:
        home = Path(folder)
        answer = _ready_or(rehearsed(open_parts(bench_settings(home / "model"))))
        with serving(answer) as model:
            live = {"OPENAI_BASE_URL": f"{model.url}/v1", "DESK_MODEL": "stub"}
            with served(home, **live) as (address, _, process):
                rest, often, seldom = asyncio.run(_pages(address, process, model))
    return found(rest, often, seldom)


async def _pages(address: str, process: int, model: Stub) -> tuple[float, Cost, Cost]:
    async with AsyncExitStack() as stack:

        async def opened(count: int, every: float | None = None) -> list[OpenPage]:
            return [await stack.enter_async_context(OpenPage(address, every)) for _ in range(count)]

        await _cost(await opened(1), process)  # the desk opens, and loads what it needs
        alone = await _at_rest(process)
        for page in await opened(PAGES):
            await page.say(MESSAGES[0])
            await page.rest()
        rest = (await _at_rest(process) - alone) / PAGES
        model.answer = after(CALL, model.answer)
        often = await _cost(await opened(TALKING), process)
        return rest, often, await _cost(await opened(TALKING, SELDOM), process)


async def _at_rest(process: int) -> float:
    """The share of one core that the server takes while no page does anything."""
    await asyncio.sleep(1.0)  # what the last turn left to do
    before, begun = processor_seconds(process), time.perf_counter()
    await asyncio.sleep(REST_SECONDS)
    return (processor_seconds(process) - before) / (time.perf_counter() - begun)


async def _cost(pages: Sequence[OpenPage], process: int) -> Cost:
    """What a message costs when these pages send all messages, each its own one after the other."""
    polls, before = sum(page.polls for page in pages), processor_seconds(process)
    followed = await asyncio.gather(*(_talk(page) for page in pages))
    sent = len(pages) * len(MESSAGES)
    return Cost(
        (processor_seconds(process) - before) / sent,
        sum(followed) / sent,
        (sum(page.polls for page in pages) - polls) / sent,
    )


async def _talk(page: OpenPage) -> float:
    begun = time.perf_counter()
    for text in MESSAGES:
        await page.say(text)
        await page.rest()
    return time.perf_counter() - begun


def processor_seconds(process: int | str) -> float:
    """Seconds of the processor, user's and system's, that a process has taken; from /proc."""
    fields = (
        Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    )
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _ready_or(answer: Answer) -> Answer:
    """`answer`, and yes to the one question that the desk asks a model at its start."""

    def told(body: dict[str, Any]) -> Reply:
        if "ready" not in body["messages"][-1]["content"]:
            return answer(body)
        call = {"name": body["tools"][0]["function"]["name"], "args": {"ready": True}, "id": "c1"}
        return 200, completion(AIMessage("", tool_calls=[call]), body["model"])

    return told


def found(rest: float, often: Cost, seldom: Cost) -> Measured:
    """The costs, and how many pages one core carries when each guest writes every `EVERY` seconds."""
    poll = (often.processor - seldom.processor) / (often.polls - seldom.polls)
    message = often.processor - poll * often.polls
    following = poll * often.polls / often.followed
    share = max(rest, 0.0) + (message + following * TURN) / EVERY
    lines = [
        Line("a page at rest, of one core", f"{rest:.3%}"),
        Line("a message, but for its polls", f"{message * 1000:.0f} ms of processor"),
        Line("a poll while its turn runs", f"{poll * 1000:.0f} ms of processor"),
        Line("a page that follows a turn, of one core", f"{following:.1%}"),
        Line(
            f"pages a core carries: a message each {EVERY:.0f} s, turns of {TURN:.0f} s", f"{1 / share:.0f}"
        ),
        Line("(worked out from these shares, not tried with so many)", ""),
    ]
    data = {
        "rest_share": round(rest, 6),
        "message_seconds": round(message, 4),
        "poll_seconds": round(poll, 4),
        "following_share": round(following, 4),
        "often": vars(often),
        "seldom": vars(seldom),
        "pages_a_core": round(1 / share),
    }
    return Measured(f"Open pages on one server ({PAGES} at rest, {TALKING} talking)", lines, data)
