"""The languages that a machine translates: what is missing of one, what may be kept, and what is spoken."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from desk.errors import DataError
from desk.wording.catalogue import Catalogue
from desk.wording.claims import Claims
from desk.wording.faithful import Pair, refusal
from desk.wording.kept import Pattern, patterns, worded
from desk.wording.patterns import ANY_PLACE
from desk.wording.shelf import Book, Kept, Shelf, cut

logger = logging.getLogger(__name__)
CHANGED = "was changed and "  # before why an edited pattern is not used
FOREIGN = "is in another language"


class Wordings:
    """Keeps the translated wordings and teaches them to the catalogue. Safe to share between threads.

    `names` are those of the hotels and their types of room: no translation may have one. `foreign` tells whether a
    text is plainly not in the language of a code; it is asked when a translation comes in, and not again.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        claims: Claims,
        shelf: Shelf,
        names: Iterable[str],
        foreign: Callable[[str, str], bool] = lambda text, code: False,
    ) -> None:
        self._catalogue = catalogue
        self._claims = claims
        self._shelf = shelf
        self._names = frozenset(name.casefold() for name in names)
        self._foreign = foreign
        self._lock = threading.Lock()
        self._judged: dict[tuple[str, ...], str | None] = {}
        self._whole: set[str] = set()  # languages of which nothing is missing

    def open(self) -> None:
        """Speak what is kept. A file or a pattern that people have broken costs one line in the log, and English."""
        for code in self._shelf.codes():
            try:
                book = self.book(code)
            except DataError as error:
                logger.warning("%s: the desk does without it", error)
                continue
            for each in book.kept:
                if each.refused.startswith(CHANGED):
                    logger.warning(
                        "%s: %s %s; English is used", self._shelf.path(code), each.key, each.refused
                    )
            self._speak(book)

    def can(self, code: str) -> bool:
        """Whether this language can be made: its words are known, and the desk has no wording of its own."""
        return self._claims.knows(code) and not self._own(code)

    def book(self, code: str) -> Book:
        """What is kept of this language, every pattern checked again; empty when nothing is. Raises DataError."""
        book = self._read(code)
        if not self._claims.knows(code):
            return replace(book, kept=())
        known = {pattern.id: pattern for pattern in self.patterns(code)}
        there = ((each, known[each.id]) for each in book.kept if each.id in known)
        return replace(book, kept=tuple(self._again(code, each, pattern) for each, pattern in there))

    def patterns(self, code: str) -> list[Pattern]:
        """All that is to be translated for this language: not what its word lists could not check."""
        if not self._claims.knows(code):  # a file of a language that is not listed any more
            return []
        listed = self._claims.tongues[code].words is not None
        return [each for each in patterns(self._catalogue.english, code) if listed or not each.closed]

    def missing(self, code: str) -> list[Pattern]:
        """What has no answer yet. Raises DataError for a file that people have broken."""
        if code in self._whole:
            return []
        tried = {each.id for each in self._read(code).kept}
        missing = [pattern for pattern in self.patterns(code) if pattern.id not in tried]
        if not missing:
            self._whole.add(code)
        return missing

    def keep(self, code: str, answered: Sequence[Pattern], told: Sequence[str]) -> None:
        """Keep these translations, and speak the language once it has all. What a check refuses is kept as refused.

        The file is read again before: another process may have put more into it. Raises StorageError or DataError.
        """
        if not answered:
            return
        with self._lock:
            book = self._read(code)
            there = {each.id for each in book.kept}
            pairs = zip(answered, told, strict=True)
            new = [self._checked(code, pattern, text) for pattern, text in pairs if pattern.id not in there]
            if new and book.reviewed:
                logger.warning("%s has new patterns: it is no longer reviewed", self._shelf.path(code))
            rows = (*book.kept, *new)
            complete = book.complete or self._has_all(code, rows)
            self._shelf.write(Book(code, rows, complete, book.reviewed and not new))
            if complete:
                self._speak(self.book(code))

    def finish(self, code: str) -> None:
        """Speak the language although it lacks patterns: they are English. Raises StorageError or DataError."""
        with self._lock:
            book = self._read(code)
            if book.kept and not book.complete:
                self._shelf.write(replace(book, complete=True))
                self._speak(self.book(code))

    def take_up(self, code: str) -> None:
        """Speak what another process has made meanwhile. Raises DataError."""
        if not self._catalogue.speaks(code) and self._shelf.path(code).exists():
            self._speak(self.book(code))

    def review(self, code: str) -> bool:
        """Mark a language as reviewed by people; False when nothing is kept of it.

        Raises StorageError, and DataError for a broken file and for one that does not have every pattern.
        """
        with self._lock:
            if code not in self._shelf.codes():
                return False
            book = self._read(code)
            if not self._has_all(code, book.kept):
                raise DataError(
                    f"{self._shelf.path(code)} lacks patterns: it cannot be marked as reviewed yet"
                )
            self._shelf.write(replace(book, reviewed=True))
        return True

    def forget(self, code: str) -> bool:
        """Delete what is kept and speak it no more, so that it is made anew; False when nothing was."""
        with self._lock:
            self._whole.discard(code)
            self._judged.clear()
            self._catalogue.unlearn(code)
            return self._shelf.forget(code)

    def codes(self) -> list[str]:
        """The languages of which something is kept."""
        return self._shelf.codes()

    def _has_all(self, code: str, rows: Iterable[Kept]) -> bool:
        there = {each.id for each in rows}
        return all(pattern.id in there for pattern in self.patterns(code))

    def _read(self, code: str) -> Book:
        return self._shelf.read(code) or Book(code)

    def _own(self, code: str) -> bool:
        return self._catalogue.speaks(code) and not self._catalogue.by_machine(code)

    def _speak(self, book: Book) -> None:
        if book.complete and self.can(book.code):
            told = {each.id: each.told for each in book.kept if not each.refused}
            tongue = self._claims.tongues[book.code]
            self._catalogue.learn(worded(self._catalogue.english, tongue, told, automatic=not book.reviewed))

    def _checked(self, code: str, pattern: Pattern, told: str) -> Kept:
        text = " ".join(told.split())
        why = self._refusal(code, pattern, text) or (
            FOREIGN if self._foreign(ANY_PLACE.sub(" ", text), code) else ""
        )
        return Kept(pattern.key, pattern.english, pattern.form, cut(text), why)

    def _again(self, code: str, each: Kept, pattern: Pattern) -> Kept:
        """Files can be edited, so what is used is checked again."""
        why = None if each.refused else self._refusal(code, pattern, each.told)
        return replace(each, refused=f"{CHANGED}{why}") if why else each

    def _refusal(self, code: str, pattern: Pattern, told: str) -> str | None:
        asked = code, *pattern.id, told
        if asked not in self._judged:  # once in a process: a whole language takes half a second
            tongue = self._claims.tongues[code]
            pair = Pair(
                pattern.english, told, tongue, self._claims, self._names, pattern.bare, pattern.closed
            )
            self._judged[asked] = refusal(pair)
        return self._judged[asked]
