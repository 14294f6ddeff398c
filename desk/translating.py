"""Makes the wording of a language that has no catalogue, once, by the translator; checks are in `wording.faithful`.

It runs in the desk's own worker after a reply has gone out, so that no guest waits for it or pays for it with budget.
Each chunk is kept as soon as it is there: after a failure the next attempt goes on where this one ended.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from desk.briefing import blocks
from desk.context import Budget, Parts, TurnContext
from desk.errors import BudgetSpent, DataError, ModelError, ModelUnparseable, StorageError
from desk.models import calls
from desk.wording.kept import Pattern, plural_forms

CHUNK = 20  # patterns in one call: an answer of about 1,000 tokens; half as many after each failure, for slow models
SMALLEST = 5
ATTEMPTS = 3  # after so many a chunk whose answer cannot be read is left in English
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
    # By language: failures in a row, and when the last was
    _failed: dict[str, tuple[int, float]] = field(default_factory=dict)

    def due(self, code: str) -> None:
        """Translate what is missing of this language, if a live model can and it is time to."""
        wordings = self.parts.wordings
        if self.parts.models.rehearsal or not wordings.can(code) or self._waits(code):
            return
        if not self._busy.acquire(blocking=False):
            return
        try:
            self._make(code)
            self._failed.pop(code, None)
        except (ModelError, BudgetSpent, StorageError, DataError) as error:
            failures = self._failed.get(code, (0, 0.0))[0] + 1
            self._failed[code] = failures, self.monotonic()
            log.warning("the wording of %s could not be made: %s", code, error)
        finally:
            self._busy.release()

    def _waits(self, code: str) -> bool:
        failures, last = self._failed.get(code, (0, 0.0))
        wait = min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT)
        return failures > 0 and self.monotonic() - last < wait

    def _make(self, code: str) -> None:
        missing = self.parts.wordings.missing(code)
        budget = Budget(CALLS, TOKENS, SECONDS, time.perf_counter(), time.perf_counter)
        context = TurnContext(self.parts, "", 0, budget)
        size = max(CHUNK >> self._failed.get(code, (0, 0.0))[0], SMALLEST)
        for start in range(0, len(missing), size):
            chunk = missing[start : start + size]
            self.parts.wordings.keep(code, chunk, self._translated(code, chunk, context))

    def _translated(self, code: str, chunk: Sequence[Pattern], context: TurnContext) -> dict[int, str]:
        """The answer by place in the chunk; empty when it could not be read in several attempts either."""
        forms = plural_forms(code)
        rows: list[dict[str, str | int]] = []
        for n, each in enumerate(chunk):
            like = {"count": forms.get(each.form, 1)} if each.form else {}
            rows.append({"number": n, "english": each.english, **like})
        messages = [
            SystemMessage(self.parts.procedures.text("translate_patterns")),
            HumanMessage(blocks(language=code, patterns=rows)),
        ]
        try:
            answer = calls.ask_for(context, "translator", messages, TranslatedPatterns)
        except ModelUnparseable:
            if self._failed.get(code, (0, 0.0))[0] < ATTEMPTS - 1:
                raise
            return {}
        return {each.number: each.text for each in answer.patterns}
