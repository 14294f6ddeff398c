"""The page's first paint: a server just started, a browser that has never been there."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.conversations import TODAY
from tests.bench.report import Line, Measured, aimed, resident_mb

if TYPE_CHECKING:
    from playwright.sync_api import Browser

AIM = 5.0  # seconds: a guest who sees nothing for longer goes away
PATIENCE = 60.0
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ROOT = Path(__file__).resolve().parents[2]
OWN_SETTINGS = ("DESK_", "OPENAI_", "TAVILY_", "STREAMLIT_")

# Text of the page itself: Streamlit's skeleton and its "running" sign have none of it.
TEXT = """() => {
    const main = document.querySelector('[data-testid="stMainBlockContainer"]');
    return Boolean(main && main.innerText.trim());
}"""
INPUT = '[data-testid="stChatInputTextArea"]'


def measure() -> Measured:
    """Seconds from opening the page to its first text and to the chat input, for the first visit and a later one."""
    title = "The page's first paint"
    why = missing()
    if why:
        return Measured(title, skipped=why)
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory(prefix="desk-bench-") as folder,
        served(Path(folder)) as (address, started, process),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        first, later = _visit(browser, address), _visit(browser, address)
        browser.close()
        resident = resident_mb(process)
    return _found(title, started, first, later, resident)


def chromium() -> str | None:
    """Where Chromium is; None when it is not."""
    return CHROMIUM if Path(CHROMIUM).exists() else shutil.which("chromium")


def missing() -> str | None:
    """Why the page cannot be measured here; None when it can."""
    if chromium() is None:
        return f"there is no Chromium here ({CHROMIUM})"
    if find_spec("playwright") is None:
        return "the Playwright package is not installed"
    return None


@contextmanager
def served(home: Path, app: str = "app.py", **settings: str) -> Iterator[tuple[str, float, int]]:
    """The app served on a free port: its address, the seconds until it answered, and its process.

    `settings` are environment variables of its own; without any the rehearsal model answers.
    """
    port = _free_port()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OWN_SETTINGS)}
    env = {
        **kept,
        "DESK_HOME": str(home / "desk"),
        "DESK_TODAY": TODAY,
        "DESK_MODEL": "rehearsal",
        **settings,
    }
    command = [sys.executable, "-m", "streamlit", "run", app]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port), "--server.headless", "true"]
    address = f"http://127.0.0.1:{port}"
    begun = time.perf_counter()
    with (home / "server.log").open("w") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
        try:
            _wait_for(f"{address}/_stcore/health", server)
            yield address, time.perf_counter() - begun, server.pid
        finally:
            server.terminate()
            server.wait(PATIENCE)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    limit = time.perf_counter() + PATIENCE
    while time.perf_counter() < limit:
        if server.poll() is not None:
            raise RuntimeError(f"the app's server ended at once, with exit code {server.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.02)
    raise RuntimeError("the app's server did not answer")


def _visit(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds until the first text is painted, and until the chat input is there, in a browser that knows nothing."""
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_function(TEXT, timeout=PATIENCE * 1000)
    text = time.perf_counter() - begun
    page.wait_for_selector(INPUT, timeout=PATIENCE * 1000)
    ready = time.perf_counter() - begun
    context.close()
    return text, ready


def _found(
    title: str, started: float, first: tuple[float, float], later: tuple[float, float], resident: float | None
) -> Measured:
    lines = [
        Line("the server answers after", f"{started:.2f} s"),
        aimed("first visit, first text", first[0], AIM, "s"),
        Line("first visit, chat input", f"{first[1]:.2f} s"),
        Line("later visit, first text", f"{later[0]:.2f} s"),
        Line("later visit, chat input", f"{later[1]:.2f} s"),
    ]
    if resident is not None:
        lines.append(Line("memory of the server then", f"{resident:.0f} MB"))
    data = {
        "server_seconds": round(started, 3),
        "first": {"text_seconds": round(first[0], 3), "input_seconds": round(first[1], 3)},
        "later": {"text_seconds": round(later[0], 3), "input_seconds": round(later[1], 3)},
        "server_mb": resident and round(resident, 1),
    }
    return Measured(title, lines, data)
