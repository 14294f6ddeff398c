"""The desk's one clock. Nothing else in the desk asks the machine for the date or the time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from zoneinfo import ZoneInfo


@dataclass(frozen=True)
class Clock:
    """Tells the desk's time.

    `fixed` (from DESK_TODAY) is where the clock starts; it then runs on at the machine's pace, so that
    leases and waiting times still work in a rehearsal of another day. Times are aware, in `zone`.
    """

    zone: ZoneInfo
    offset: dt.timedelta = dt.timedelta(0)
    source: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)

    @classmethod
    def starting_at(cls, start: dt.datetime | None, zone: ZoneInfo) -> Clock:
        """A clock that shows `start` now (naive times are in `zone`), or the machine's time for None."""
        clock = cls(zone)
        if start is None:
            return clock
        local = start if start.tzinfo else start.replace(tzinfo=zone)
        return cls(zone, local - clock.source())

    def now(self) -> dt.datetime:
        """The desk's time, in the hotels' zone."""
        return (self.source() + self.offset).astimezone(self.zone)

    def today(self) -> dt.date:
        """The desk's date, in the hotels' zone."""
        return self.now().date()
