"""From sending a message to the first step that the guest sees, while every answer of the model takes its time."""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desk.bootstrap import desk_over, open_parts
from desk.models.rehearsal.subject import call, calling
from desk.service import Desk
from desk.settings import read_settings
from tests.bench import first_paint
from tests.bench.conversations import TODAY
from tests.bench.report import Line, Measured, aimed, milliseconds
from tests.wire.http_stub import Answer, Reply, after, serving
from tests.wire.openai_stub import completion

if TYPE_CHECKING:
    from playwright.sync_api import Page

AIM = 0.2  # seconds
SLOW = 2.0  # seconds of every answer of the model
TIMES = 6
PATIENCE = 60.0
MODEL = "slow-stub"
ASK = "When is breakfast?"

# Notes, in milliseconds from the Enter key, when a step is on the page, and when the server's drawing is.
WATCH = """() => {
    const messages = () => document.querySelectorAll('[aria-label="Chat message from user"]').length;
    const before = messages();
    window.seen = {};
    const field = document.querySelector('[data-testid="stChatInputTextArea"]');
    field.addEventListener("keydown", (event) => {
        const begun = performance.now();
        const look = () => {
            const seen = window.seen, now = performance.now() - begun;
            if (document.querySelector(".st-key-chat .desk-steps li")) seen.step ??= now;
            if (messages() > before) seen.drawn ??= now;
            if (!(seen.step && seen.drawn)) requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    }, { once: true });
}"""


def measure() -> Measured:
    """Seconds from `send` to the first node, and from the Enter key to the first step on the page."""
    title = f"The first step after sending, with a model that takes {SLOW:g} s a call"
    with tempfile.TemporaryDirectory(prefix="desk-bench-") as folder, serving(slow()) as stub:
        server = f"{stub.url}/v1"
        nodes = _at_the_desk(Path(folder, "alone"), server)
        why = first_paint.missing()
        page = [] if why else _on_the_page(Path(folder), server)
    median = statistics.median(nodes)
    lines = [aimed("first step after sending, at the desk, median", median, AIM, "s", 3)]
    data: dict[str, Any] = {"desk_seconds": nodes, "page_milliseconds": page}
    if why:
        lines.append(Line("first step after sending, on the page", f"skipped: {why}"))
        return Measured(title, lines, data)
    step, drawn = (statistics.median(seen[what] for seen in page) / 1000 for what in ("step", "drawn"))
    lines.append(aimed("first step after sending, on the page, median", step, AIM, "s", 3))
    lines.append(Line("the same as the server draws it, median", milliseconds(drawn)))
    return Measured(title, lines, data)


def slow() -> Answer:
    """A server that says at once that it is ready, and takes its time with everything else."""
    greeting = calling(call("Ready", ready=True))
    at_length = after(SLOW, lambda body: (503, {}))

    def answer(body: dict[str, Any]) -> Reply:
        ready = "Ready" in str(body.get("tool_choice"))
        return (200, completion(greeting, MODEL)) if ready else at_length(body)

    return answer


def _at_the_desk(home: Path, server: str) -> list[float]:
    settings = read_settings(
        home=home, today=TODAY, model=MODEL, openai_base_url=server, openai_api_key=None, tavily_api_key=None
    )
    parts = open_parts(settings)
    parts.detector.load()
    with closing(desk_over(parts)) as desk:
        return [_first_node(desk) for _ in range(TIMES)]


def _first_node(desk: Desk) -> float:
    thread = desk.new_thread()
    begun = time.perf_counter()
    turn = desk.send(thread, ASK)
    while not desk.progress(thread, turn).steps:
        time.sleep(0.001)
    taken = time.perf_counter() - begun
    desk.stop(thread, turn)
    desk.wait(thread, turn, PATIENCE)
    return round(taken, 4)


def _on_the_page(home: Path, server: str) -> list[dict[str, float]]:
    from playwright.sync_api import sync_playwright

    settings = {"OPENAI_BASE_URL": server, "DESK_MODEL": MODEL}
    with first_paint.served(home, **settings) as (address, _, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=first_paint.chromium(), args=first_paint.FLAGS)
        page = browser.new_context(locale="en-GB").new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(address)
        found = [_first_step(page) for _ in range(TIMES)]
        browser.close()
    return found


def _first_step(page: Page) -> dict[str, float]:
    page.get_by_role("button", name="Breakfast?").wait_for()  # nothing runs
    page.evaluate(WATCH)
    page.locator(first_paint.INPUT).fill(ASK)
    page.keyboard.press("Enter")
    page.wait_for_function("window.seen.step && window.seen.drawn")
    seen: dict[str, float] = page.evaluate("window.seen")
    page.get_by_role("button", name="Stop").click()
    return {what: round(taken, 1) for what, taken in seen.items()}
