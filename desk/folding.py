"""Folds run here, after the reply has gone out, so that no guest waits for one."""

# ruff: noqa: TRY400 - logging.exception would print messages that may quote a guest

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from desk.logs import without_words

logger = logging.getLogger(__name__)


class Folding:
    """Runs `fold(thread)` for threads that are due, one at a time per thread, on a few threads of its own.

    A fold that fails is logged and forgotten: the thread's next turn makes it due again.
    """

    def __init__(self, fold: Callable[[str], None], threads: int = 2) -> None:
        self._fold = fold
        self._size = threads
        self._changed = threading.Condition()
        self._due: list[str] = []
        self._busy: set[str] = set()
        self._threads: list[threading.Thread] = []
        self._closing = False

    def due(self, thread: str) -> None:
        """Fold this thread soon. Asked again before it has begun, it still runs once."""
        with self._changed:
            if self._closing or thread in self._due:
                return
            if len(self._threads) < self._size:
                self._start_one()
            if not self._threads:
                return  # forgotten, as a fold that failed
            self._due.append(thread)
            self._changed.notify_all()

    def _start_one(self) -> None:
        name = f"desk-folds-{len(self._threads)}"
        thread = threading.Thread(target=self._serve, name=name, daemon=True)
        try:
            thread.start()
        except RuntimeError:
            logger.error("no thread can be started for a fold")
        else:
            self._threads.append(thread)

    def settle(self, thread: str, timeout: float | None = None) -> bool:
        """Wait until no fold of this thread is due or under way. False when time ran out."""
        with self._changed:
            return self._changed.wait_for(
                lambda: thread not in self._due and thread not in self._busy, timeout
            )

    def close(self, timeout: float) -> bool:
        """Wait for the folds that are due or under way. False when `timeout` seconds were not enough."""
        limit = time.monotonic() + timeout
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(max(0.0, limit - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _serve(self) -> None:
        while (thread := self._next()) is not None:
            try:
                self._fold(thread)
            except BaseException as error:  # nobody waits for a fold, and the next turn tries again
                logger.error("a fold failed: %s", without_words(error))
            finally:
                with self._changed:
                    self._busy.discard(thread)
                    self._changed.notify_all()

    def _next(self) -> str | None:
        """The next thread to fold, now busy; None when closing and nothing is left."""
        with self._changed:
            while True:
                for thread in self._due:
                    if thread not in self._busy:
                        self._due.remove(thread)
                        self._busy.add(thread)
                        return thread
                if self._closing and not self._due:
                    return None
                self._changed.wait()
