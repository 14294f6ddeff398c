"""The Desk: the one door through which pages and the command line send messages and follow their turns."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desk.cleaning import clean, clean_message
from desk.errors import StorageError
from desk.forgetting import Forgetting, Forgotten
from desk.progress import TurnProgress, ended
from desk.records import StaffRequest
from desk.stores.turnlog import ENDED, LoggedTurn, ThreadInfo, TurnLog
from desk.turn import Turn
from desk.worker import LEASE_SECONDS, Job, Runner, Worker

SHORT = 200  # characters that a key, an action or "REF:SURNAME" may have

_LOCALE = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}", re.ASCII)
_ACTION = re.compile(r"(confirm|decline):[!-~]+")
_LOOK_SECONDS = 0.25  # how often `wait` looks for a turn that another process runs


@dataclass(frozen=True)
class About:
    """What a page says of the desk: who answers, the hotels' names, the languages as (code, own name)."""

    rehearsal: bool
    model: str
    hotels: tuple[str, ...]
    languages: tuple[tuple[str, str], ...]


class Desk:
    """An open desk. Safe to share between threads; `close` it in the end.

    `runner` answers the turns, `wall` tells the machine's time in seconds, `before_close` are called
    first when it closes and `also_close` at
    the end of `close`. With `serve=False` this desk only queues, and another process must run the turns.
    """

    def __init__(
        self,
        log: TurnLog,
        runner: Runner,
        about: About,
        *,
        wall: Callable[[], float] = time.time,
        threads: int = 8,
        lease: float = LEASE_SECONDS,
        serve: bool = True,
        before_close: Sequence[Callable[[], object]] = (),
        also_close: Sequence[Callable[[], object]] = (),
        forgetting: Forgetting | None = None,
    ) -> None:
        self.about = about
        self._log = log
        self._wall = wall
        self._before_close = before_close
        self._also_close = also_close
        self._closed = False
        self._forgetting = forgetting
        self._worker = Worker(log, runner, wall=wall, threads=threads, lease=lease)
        if serve:
            self._worker.start()

    # Threads

    def new_thread(self, locale: str | None = None) -> str:
        """Begin a conversation; returns its id, which is all that opens it. `locale` is the browser's."""
        return self._log.new_thread(_locale(locale))

    def has_thread(self, thread: str) -> bool:
        """Whether this id opens a conversation. Any text may be asked about."""
        return self._log.has_thread(thread)

    def thread(self, thread: str) -> ThreadInfo:
        """What is kept of the conversation beside its turns. Raises UnknownThread."""
        return self._log.thread(thread)

    def set_language(self, thread: str, code: str | None) -> None:
        """Answer in this language from now on; None gives the choice back to detection.

        Raises UnknownThread, and ValueError for a language that the desk does not list.
        """
        if code is not None and code not in dict(self.about.languages):
            raise ValueError("the desk has no such language")
        self._log.choose_language(thread, code)

    def bind_guest(self, thread: str, guest: str) -> None:
        """Bind "REF:SURNAME" to the conversation. Whether it is right is checked at each turn, and a wrong
        one leaves the thread unverified. Raises UnknownThread."""
        self._log.bind_guest(thread, clean(guest)[:SHORT] or None)

    def forget(self, guest: str) -> Forgotten:
        """Delete all that is kept of the guest "REF:SURNAME" beside their bookings. Raises DeskError."""
        if self._forgetting is None:
            raise StorageError("this desk keeps nothing that could be forgotten")
        return self._forgetting.forget(guest)

    def requests(self, thread: str) -> list[StaffRequest]:
        """What the conversation sent to the hotels' people. Raises UnknownThread."""
        return self._log.requests(thread)

    # Turns

    def send(
        self,
        thread: str,
        text: str,
        *,
        locale: str | None = None,
        action: str | None = None,
        key: str | None = None,
    ) -> int:
        """Take a guest message; it is stored before anything runs. Returns the turn's number.

        `action` is "confirm:OFFER_ID" or "decline:OFFER_ID" from a page's button, and may come without a
        text. The same `key` again is the same message and returns the same number. Raises UnknownThread,
        and BadMessage with the reason `empty` or `too_long`.
        """
        if self._closed:
            raise StorageError("the desk is closed")
        if action is not None and not (_ACTION.fullmatch(action) and len(action) <= SHORT):
            raise ValueError("an action is confirm:OFFER_ID or decline:OFFER_ID")
        if key is not None and not (0 < len(key) <= SHORT and key.isascii()):
            raise ValueError(f"a key has 1 to {SHORT} ASCII characters")
        cleaned = clean_message(text, may_be_empty=action is not None)
        turn = self._log.add_turn(
            thread, cleaned, self._wall(), locale=_locale(locale), action=action, key=key
        )
        self._worker.wake()
        return turn

    def progress(self, thread: str, turn: int) -> TurnProgress:
        """How far the turn has come. Raises UnknownThread, also for an unknown turn."""
        live = self._worker.live(thread, turn)
        logged = self._log.turn(thread, turn)
        if logged.turn is not None:
            return ended(logged.status, logged.turn)
        return TurnProgress(logged.status) if live is None else live.seen("running")

    def wait(self, thread: str, turn: int, timeout: float | None = None) -> Turn:
        """The Turn, once it has ended. Raises UnknownThread, and TimeoutError after `timeout` seconds, or at
        once for a turn that was interrupted and set aside."""
        limit = None if timeout is None else time.monotonic() + timeout
        while True:
            seen = self._worker.changes()
            logged = self._log.turn(thread, turn)
            if logged.status in ENDED and logged.turn is not None:
                return logged.turn
            if logged.status == "interrupted":
                raise TimeoutError("the turn was interrupted; retry it to have it answered")
            left = _LOOK_SECONDS if limit is None else min(_LOOK_SECONDS, limit - time.monotonic())
            if left <= 0:
                raise TimeoutError("the turn has not ended yet")
            self._worker.wait_for_change(seen, left)

    def turns(self, thread: str, after: int = 0) -> list[LoggedTurn]:
        """The conversation, in order; with `after`, the turns beyond that number. Raises UnknownThread."""
        return self._log.turns(thread, after)

    def stop(self, thread: str, turn: int) -> None:
        """Stop a turn that waits or runs; one that has ended stays as it is. Raises UnknownThread."""
        logged = self._log.turn(thread, turn)
        if logged.turn is not None:
            return
        info = self._log.thread(thread)
        self._worker.stop(
            Job(
                thread=thread,
                turn=turn,
                text=logged.text,
                locale=info.locale,
                language=info.chosen_language,
                guest=info.guest,
                action=logged.action,
                attempt=0,
            )
        )

    def retry(self, thread: str, turn: int) -> bool:
        """Answer an interrupted or failed turn again; False when it is neither. Raises UnknownThread."""
        self._log.turn(thread, turn)
        return self._worker.retry(thread, turn)

    def settle(self, thread: str, timeout: float | None = None) -> bool:
        """Wait until nothing runs on the thread in this process, its fold included. False when time ran out.

        For callers that send the next message at once, such as the command line: a guest never waits so.
        """
        return self._worker.settle(thread, timeout)

    def close(self, timeout: float = 30.0) -> bool:
        """Take nothing more, wait for the turns and folds under way, and close the stores.

        What is queued is answered by the next desk on the same DESK_HOME. False when `timeout` seconds were
        not enough.
        """
        if self._closed:
            return True
        self._closed = True
        for stop in self._before_close:
            stop()
        in_time = self._worker.close(timeout)
        for close in self._also_close:
            close()
        self._log.close()
        return in_time


def _locale(locale: str | None) -> str | None:
    """A browser's locale, or None for what is none: it comes from outside."""
    return locale if locale and _LOCALE.fullmatch(locale) else None
