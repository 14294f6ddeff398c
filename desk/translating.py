"""Makes the wording of a language that has no catalogue, once, by the translator; checks are in `wording.faithful`.

It runs in the desk's own worker after a reply has gone out, so that no guest waits for it or pays for it with budget.
Each chunk is kept as soon as it is there: after a failure the next attempt goes on where this one ended.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from desk.briefing import blocks
from desk.context import Budget, Parts, TurnContext
from desk.errors import BudgetSpent, DataError, ModelError, ModelUnparseable, StorageError, TurnStopped
from desk.models import calls
from desk.wording.kept import Pattern, plural_forms

CHUNK = 20  # patterns in one call: an answer of about 1,000 tokens; half as many after an answer that was cut
SMALLEST = 3
ATTEMPTS = 3  # in one process at a pattern that gets no answer: then the language is spoken without it
UNREADABLE = 8  # answers in a row that cannot be read end the attempt
CALLS, TOKENS, SECONDS = 150, 400_000, 900.0  # that one attempt may take, whatever a turn may
FIRST_WAIT, LONGEST_WAIT = 60.0, 3600.0  # seconds from a failed attempt to the next; doubled each time

log = logging.getLogger(__name__)


class ToldPattern(BaseModel):
    """One pattern's translation, by its number."""

    number: int
    text: str


class TranslatedPatterns(BaseModel):
    """The translator's answer."""

    patterns: list[ToldPattern] = Field(description="one for each pattern, with its number")


@dataclass
class Translating:
    """Makes languages, one at a time. Safe to call from several workers; those that come second return at once."""

    parts: Parts
    monotonic: Callable[[], float] = time.monotonic
    _busy: threading.Lock = field(default_factory=threading.Lock)
    _stop: threading.Event = field(default_factory=threading.Event)
    # By language: failures in a row, and when the last was
    _failed: dict[str, tuple[int, float]] = field(default_factory=dict)
    # How often a pattern of a language got no answer in this process
    _tries: Counter[tuple[str, tuple[str, str]]] = field(default_factory=Counter)
    _size: int = CHUNK  # patterns in one call, after what was found out of the model

    def due(self, code: str) -> None:
        """Take up what another process made of this language; translate what is missing, if a live model can and it
        is time to."""
        if self.parts.models.rehearsal or not self.parts.wordings.can(code):
            return
        if not self._busy.acquire(blocking=False):
            return
        try:
            self.parts.wordings.take_up(code)
            if not self._waits(code):
                self._make(code)
                self._failed.pop(code, None)
        except TurnStopped:
            log.info("the desk closes: the wording of %s is made further at its next start", code)
        except (ModelError, BudgetSpent, StorageError, DataError) as error:
            failures = self._failed.get(code, (0, 0.0))[0] + 1
            self._failed[code] = failures, self.monotonic()
            log.warning("the wording of %s could not be made: %s", code, error)
        finally:
            self._busy.release()

    def stop(self) -> None:
        """Make nothing more: what is under way ends at once, with what it has."""
        self._stop.set()

    def _waits(self, code: str) -> bool:
        failures, last = self._failed.get(code, (0, 0.0))
        wait = min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT)
        return failures > 0 and self.monotonic() - last < wait

    def _make(self, code: str) -> None:
        if not self._todo(code):
            return
        budget = Budget(CALLS, TOKENS, SECONDS, time.perf_counter(), time.perf_counter)
        context = TurnContext(self.parts, "", 0, budget, stopped=self._stop.is_set)
        try:
            while todo := self._todo(code):
                self._go_through(code, todo, context)
            self.parts.wordings.finish(code)
        finally:
            log.info(
                "the wording of %s: %d calls, %d tokens in and %d out, cost %s",
                code, budget.used_calls, budget.input_tokens, budget.output_tokens,
                "not known" if budget.unpriced else budget.cost,
            )  # fmt: skip

    def _todo(self, code: str) -> list[Pattern]:
        """What is missing and was not tried too often."""
        missing = self.parts.wordings.missing(code)
        return [pattern for pattern in missing if self._tries[code, pattern.id] < ATTEMPTS]

    def _go_through(self, code: str, todo: Sequence[Pattern], context: TurnContext) -> None:
        """Ask for each once. An answer that cannot be read, or is cut, makes the next calls smaller."""
        start = unread = 0
        while start < len(todo):
            context.check()
            chunk = todo[start : start + self._size]
            try:
                told = self._translated(code, chunk, context)
                unread = 0
            except ModelUnparseable:
                unread += 1
                if unread >= UNREADABLE:
                    raise
                if self._smaller():
                    continue
                told = {}
            answered = [n for n in range(len(chunk)) if n in told]
            self.parts.wordings.keep(code, [chunk[n] for n in answered], [told[n] for n in answered])
            self._tries.update((code, each.id) for n, each in enumerate(chunk) if n not in told)
            if len(answered) < len(chunk) / 2:
                self._smaller()
            start += len(chunk)

    def _smaller(self) -> bool:
        """Ask for half as many from now on; False when that is not possible."""
        old, self._size = self._size, max(self._size // 2, SMALLEST)
        return self._size < old

    def _translated(self, code: str, chunk: Sequence[Pattern], context: TurnContext) -> dict[int, str]:
        """The answer by place in the chunk. Raises ModelUnparseable when it cannot be read."""
        forms = plural_forms(code)
        rows: list[dict[str, str | int]] = []
        for n, each in enumerate(chunk):
            like = {"count": forms.get(each.form, 1)} if each.form else {}
            rows.append({"number": n, "english": each.english, **like})
        messages = [
            SystemMessage(self.parts.procedures.text("translate_patterns")),
            HumanMessage(blocks(language=code, patterns=rows)),
        ]
        answer = calls.ask_for(context, "translator", messages, TranslatedPatterns)
        return {each.number: each.text for each in answer.patterns if each.text.strip()}
