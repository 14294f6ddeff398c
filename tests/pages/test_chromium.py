"""What only a browser shows: layout, direction, polling, what is fetched, the phone."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocket, WebSocketRoute, expect, sync_playwright

from tests.pages.fake_desk import ARABIC, DOLLARS, NODES

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
PATIENCE = 20_000  # milliseconds; a slow machine is not a failure

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="there is no Chromium here; set CHROMIUM"),
]


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
            return True
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app with the scripted desk is served."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = tmp_path_factory.mktemp("home")
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "tests/pages/fake_app.py", "--server.port", str(port)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "FAKE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            if _answers(url):
                break
            time.sleep(0.25)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)


@pytest.fixture(scope="module", autouse=True)
def patience() -> None:
    """Every expectation waits as long."""
    expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open the page as a guest with their own browser."""
    contexts = []

    def open_page(link: str = "", before: Callable[[Page], object] | None = None, **options: object) -> Page:
        context = browser.new_context(
            **{"locale": "en-GB", "viewport": {"width": 1280, "height": 900}, **options}
        )  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        if before:
            before(page)
        page.goto(f"{address}/{link}")
        expect(page.get_by_test_id("stChatInputTextArea")).to_be_visible(timeout=PATIENCE)
        return page

    yield open_page
    for context in contexts:
        context.close()


def say(page: Page, text: str) -> None:
    """Write a message with the keyboard and wait until nothing runs any more."""
    page.get_by_test_id("stChatInputTextArea").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Chat message from user").last).to_contain_text(text[:20])
    expect(page.get_by_role("button", name="Breakfast?")).to_be_visible(timeout=PATIENCE)


def test_nothing_comes_from_elsewhere(visit: Callable[..., Page], address: str) -> None:
    """Every request goes to the desk's own server, and the address is never sent on as a referrer."""
    asked: list[str] = []
    page = visit(before=lambda page: page.on("request", lambda request: asked.append(request.url)))
    say(page, "many things")
    assert {url for url in asked if not url.startswith((address, "data:", "blob:"))} == set()
    assert page.locator('meta[name="referrer"]').get_attribute("content") == "no-referrer"
    link = page.get_by_role("link", name="coliseulisboa.example")
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert page.locator("html").get_attribute("lang") == "en"


def test_messages_look_as_typed(visit: Callable[..., Page]) -> None:
    """Dollars, Markdown and HTML reach the reader's eye unchanged."""
    page = visit()
    typed = "Dollars: $1 and $2 *a* _b_ ~c~ <b>d</b> `e` # f {{g}} ${h}"
    say(page, typed)
    expect(page.get_by_label("Chat message from user")).to_have_text(typed)
    expect(page.get_by_label("Chat message from assistant").locator(".desk-text")).to_have_text(DOLLARS)
    assert page.locator(".katex, .desk-text b, .desk-text em").count() == 0


def test_arabic_runs_from_the_right_and_numbers_stay_readable(visit: Callable[..., Page]) -> None:
    """The block starts at the right edge; phone number, price and times read left to right in one piece."""
    page = visit()
    say(page, "مرحبا هل الغرفة 104 متاحة؟")
    block = page.get_by_label("Chat message from assistant").locator(".desk-text")
    expect(block).to_have_text(ARABIC)
    box = block.bounding_box()
    assert box is not None
    first = block.evaluate(
        """block => { const range = document.createRange(); range.setStart(block.firstChild, 0);
           range.setEnd(block.firstChild, 3); return range.getBoundingClientRect().right; }"""
    )
    assert abs(first - (box["x"] + box["width"])) < 3
    for number in ("+351 21 555 0199", "189,00 €", "14:00", "11:00"):
        places = block.get_by_text(number, exact=True).evaluate(
            """piece => [...piece.firstChild.data].map((_, at) => { const range = document.createRange();
               range.setStart(piece.firstChild, at); range.setEnd(piece.firstChild, at + 1);
               return range.getBoundingClientRect().left; })"""
        )
        assert places == sorted(places), number


def test_a_turn_shows_its_steps_and_then_nothing_polls(visit: Callable[..., Page]) -> None:
    """Steps appear while the turn runs, panel included; when it is done the page falls silent."""
    sent: list[object] = []

    def keep(frame: str | bytes) -> None:
        sent.append(frame)

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", keep)

    page = visit(before=lambda page: page.on("websocket", listen))
    page.get_by_test_id("stChatInputTextArea").fill("slowest question")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Chat message from user")).to_have_text("slowest question")
    expect(page.get_by_role("status").filter(has_text="Asking Garden Court")).to_be_visible()
    expect(page.locator(".st-key-team .desk-live")).to_contain_text("hotel2")
    expect(page.get_by_text("2 hotels asked")).to_be_visible()
    page.wait_for_timeout(1_000)
    before = len(sent)
    page.wait_for_timeout(2_500)
    assert len(sent) == before
    for node in {node.name for node in NODES}:
        expect(page.locator(".desk-time .name", has_text=node).first).to_be_visible()


def test_a_message_that_every_worker_is_too_busy_for(visit: Callable[..., Page]) -> None:
    """It is followed from its waiting to its answer, in the chat and in the team's panel, without an apology."""
    *others, page = visit(), visit(), visit()  # the scripted desk has two workers
    for other in others:
        other.get_by_test_id("stChatInputTextArea").fill("slowest question")
        other.keyboard.press("Enter")
    for other in others:
        expect(other.locator(".st-key-team .desk-live")).to_contain_text("translate_in")
    page.get_by_test_id("stChatInputTextArea").fill("slow question of my own")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-team")).to_contain_text("Waiting for the first step")
    expect(page.locator(".st-key-team .desk-live")).to_contain_text("hotel2", timeout=3 * PATIENCE)
    expect(page.get_by_text("2 hotels asked")).to_be_visible()
    expect(page.get_by_text("something went wrong")).to_have_count(0)


def test_what_was_sent_is_there_before_the_server_has_it(visit: Callable[..., Page]) -> None:
    """The guest's message and a first step stand on the page at once, and then once: as the server's own."""
    held: list[Callable[[], None]] = []
    holding = [False]

    def stand_between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if holding[0]:
                held.append(lambda: server.send(message))
            else:
                server.send(message)

        route.on_message(pass_on)

    page = visit(before=lambda page: page.route_web_socket("**/_stcore/stream", stand_between))
    expect(page.get_by_role("button", name="Breakfast?")).to_be_visible()
    holding[0] = True
    page.get_by_test_id("stChatInputTextArea").fill("slow <b>question</b>")
    page.keyboard.press("Enter")
    echo = page.locator(".desk-echo")
    expect(echo).to_contain_text("slow <b>question</b>")
    expect(echo).to_contain_text("One moment")
    expect(page.get_by_label("Chat message from user")).to_have_count(0)
    assert held
    holding[0] = False
    for let_go in held:
        let_go()
    expect(page.get_by_label("Chat message from user")).to_have_text("slow <b>question</b>")
    expect(echo).to_have_count(0)
    expect(page.get_by_text("2 hotels asked")).to_be_visible()


def test_what_is_refused_is_not_left_standing(visit: Callable[..., Page]) -> None:
    """A message that the desk does not take leaves no echo behind, but the reason and the text to shorten."""
    page = visit()
    page.get_by_test_id("stChatInputTextArea").fill("long " * 900)
    page.keyboard.press("Enter")
    expect(page.get_by_text("too long for the desk")).to_be_visible()
    expect(page.locator(".desk-echo")).to_have_count(0)
    expect(page.get_by_label("Chat message from user")).to_have_count(0)


def test_a_rerun_in_mid_turn_loses_and_repeats_nothing(visit: Callable[..., Page]) -> None:
    """A second message, an opened tool and a refresh while a turn runs: each message once, in order."""
    page = visit()
    page.get_by_test_id("stChatInputTextArea").fill("slow question")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Chat message from user")).to_have_text("slow question")
    page.get_by_test_id("stChatInputTextArea").fill("dollars")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Chat message from user")).to_have_count(2)
    page.get_by_role("button", name="Privacy").click()
    page.reload()
    expect(page.get_by_text("2 hotels asked")).to_be_visible()
    expect(page.get_by_text(DOLLARS)).to_be_visible()
    expect(page.get_by_label("Chat message from user")).to_have_text(["slow question", "dollars"])


def test_stop_ends_the_turn(visit: Callable[..., Page]) -> None:
    """The stop button ends a running turn with an honest line."""
    page = visit()
    page.get_by_test_id("stChatInputTextArea").fill("slow question")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("You stopped this answer.")).to_be_visible()
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()


def test_change_puts_words_into_the_input(visit: Callable[..., Page]) -> None:
    """Change begins the guest's next message in the input, and sends nothing."""
    page = visit()
    say(page, "offer please")
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_test_id("stChatInputTextArea")).to_have_value("I would rather have ")
    expect(page.get_by_label("Chat message from user")).to_have_count(1)


def test_booking_by_keyboard(visit: Callable[..., Page]) -> None:
    """The offer is confirmed with the keyboard alone, and the reference stands on the page."""
    page = visit()
    say(page, "offer please")
    page.get_by_role("button", name="Book this room").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("GC-2002").first).to_be_visible()
    expect(page.get_by_role("button", name="Book this room")).to_have_count(0)


def test_a_phone_shows_the_chat_alone(visit: Callable[..., Page]) -> None:
    """At 390 pixels the panel is out of the way until its button is pressed; nothing is wider than the page."""
    page = visit(viewport={"width": 390, "height": 844})
    say(page, "offer please")
    expect(page.locator(".st-key-team")).to_be_hidden()
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="For the team").click()
    expect(page.locator(".st-key-team")).to_be_visible()
    page.get_by_role("button", name="Back to the chat").click()
    expect(page.locator(".st-key-team")).to_be_hidden()


def test_a_wide_page_keeps_the_panel_in_sight(visit: Callable[..., Page]) -> None:
    """Beside a long conversation the panel stays in view, and the newest reply is scrolled to."""
    page = visit()
    say(page, "long answer please")
    say(page, "many things")
    expect(page.locator(".st-key-team").get_by_text("For the team")).to_be_in_viewport()
    expect(page.get_by_text("Dogs are welcome")).to_be_in_viewport()


def test_the_page_is_in_the_browsers_language(visit: Callable[..., Page]) -> None:
    """A German browser reads German before the first word, and the document says so."""
    page = visit(locale="de-DE")
    expect(page.get_by_role("heading", name="Willkommen an der Gästerezeption")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_dark_follows_the_browser(visit: Callable[..., Page]) -> None:
    """A browser set to dark gets the dark paper and the light accent."""
    page = visit(color_scheme="dark")
    say(page, "offer please")
    colour = "element => getComputedStyle(element).backgroundColor"
    assert page.locator(".stApp").evaluate(colour) == "rgb(18, 25, 27)"
    assert page.get_by_role("button", name="Book this room").evaluate(colour) == "rgb(92, 194, 189)"
