"""How often, and after how long, a call that failed for the moment is made again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from desk.errors import ModelRateLimited, ModelSlow, ModelUnreachable

TRANSIENT = (ModelUnreachable, ModelRateLimited, ModelSlow)
LOOK_SECONDS = 0.2  # how soon a stopped turn ends that waits


def pause(seconds: float, check: Callable[[], None]) -> None:
    """Wait; `check` is called while waiting and may raise, as when the guest stops the turn."""
    limit = time.monotonic() + seconds
    while (left := limit - time.monotonic()) > 0:
        check()
        time.sleep(min(LOOK_SECONDS, left))
    check()


@dataclass(frozen=True)
class Retries:
    """Exponential backoff with jitter: half of each wait is fixed and half is drawn, so that the branches of
    a turn do not come back all at once. `first` and `longest` are seconds."""

    tries: int = 3
    first: float = 0.5
    longest: float = 8.0
    draw: Callable[[], float] = random.random
    pause: Callable[[float, Callable[[], None]], None] = pause

    def wait(self, failed: int, asked: float | None) -> float:
        """Seconds before the next try, `failed` tries after the first; never less than the server asked for."""
        grown = min(self.longest, self.first * 2.0 ** (failed - 1))
        return max(asked or 0.0, grown * (0.5 + self.draw() / 2))
