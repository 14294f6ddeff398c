"""Forgetting a guest: every conversation of theirs goes, from every file but the bookings the hotel must keep.

The order matters: first the turn log, so that reads find nothing and a turn under way has nowhere to write;
then the checkpoints; then both files are rewritten, because SQLite leaves deleted text in free pages and in
the write-ahead log.
"""

from __future__ import annotations

from dataclasses import dataclass

from desk.errors import DeskError
from desk.stores.checkpoints import Checkpoints
from desk.stores.hotels import Hotels
from desk.stores.turnlog import TurnLog


@dataclass(frozen=True)
class Forgotten:
    """What was done, without values. `complete` is False when a file is still in use: run it again."""

    conversations: int
    complete: bool


class Forgetting:
    """Deletes what the desk's own stores hold of a guest. Every step may be repeated."""

    def __init__(self, hotels: Hotels, log: TurnLog, checkpoints: Checkpoints) -> None:
        self._hotels = hotels
        self._log = log
        self._checkpoints = checkpoints

    def forget(self, guest: str) -> Forgotten:
        """Forget the guest "REF:SURNAME". Raises DeskError when no booking has this reference and surname."""
        reference, _, surname = guest.partition(":")
        known = self._hotels.find_guest(reference, surname)
        if known is None:
            raise DeskError("no booking has this reference and surname")
        threads = self._log.threads_of(known.reference)
        for thread in threads:
            self._log.delete_thread(thread)
            self._checkpoints.forget(thread)
        complete = self._log.database.compact() and self._checkpoints.compact()
        return Forgotten(len(threads), complete)
