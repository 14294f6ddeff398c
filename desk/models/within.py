"""Work with a time limit, on a thread of its own: what a model's client does cannot be cut off from outside."""

from __future__ import annotations

import contextvars
import queue
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from desk.errors import ModelSlow, ModelUnreachable
from desk.models.retries import LOOK_SECONDS

# Calls at once in one process: 64 turns that ask 8 hotels each. A machine's threads are not endless.
MOST = 512

_places = threading.BoundedSemaphore(MOST)  # of calls under way, also of those that nobody waits for any more

T = TypeVar("T")


def run_within(seconds: float, work: Callable[[], T], check: Callable[[], None] = lambda: None) -> T:
    """Run `work` and return its result, or raise ModelSlow after `seconds`.

    `check` is called while waiting and may raise, as when the guest stops the turn. The call itself cannot
    be cut off; it goes on in a thread of its own that nothing waits for. While MOST calls are under way it waits
    for a place. Raises ModelUnreachable when the machine has no thread for it.
    """
    limit = time.monotonic() + max(seconds, 0.001)

    def look() -> float:
        """Seconds until the next look. Raises when the time is over."""
        left = limit - time.monotonic()
        if left <= 0:
            raise ModelSlow(f"no answer within {seconds:.0f} s")
        return min(LOOK_SECONDS, left)

    while not _places.acquire(timeout=look()):
        check()
    answer = _started(work)
    while True:
        try:
            result, error = answer.get(timeout=look())
            break
        except queue.Empty:
            check()
    if error is not None:
        raise error
    return result  # type: ignore[return-value]


def _started(work: Callable[[], T]) -> queue.SimpleQueue[tuple[T | None, BaseException | None]]:
    """Start the work, which gives its place back in the end; its result or error comes through the queue."""
    answer: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def call() -> None:
        try:
            answer.put((work(), None))
        except BaseException as error:
            answer.put((None, error))
        finally:
            _places.release()

    carried = contextvars.copy_context()  # tracing follows the call into its thread
    try:
        threading.Thread(target=carried.run, args=(call,), daemon=True, name="model-call").start()
    except RuntimeError:
        _places.release()
        raise ModelUnreachable("no thread can be started for a call") from None
    return answer
