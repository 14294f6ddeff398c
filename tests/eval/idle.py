"""A desk that does nothing, graded as the real one is: what the cases give away for free.

It thanks for every message, states nothing, hands nothing over, finds every guest neutral and books nothing. Only the
guest's language it gets right, so that its figure is as high as it can be.
"""

from __future__ import annotations

from collections.abc import Sequence

from desk.context import Parts
from desk.turn import Turn
from tests.eval.cases import Case, Result, desk_at
from tests.eval.claims import Seen
from tests.eval.grading import grade
from tests.eval.stored import Record, Stored

THANKS = {"en": "Thank you for your message.", "de": "Vielen Dank für Ihre Nachricht."}


def idle_results(cases: Sequence[Case], shared: Parts | None = None) -> list[Result]:
    """What a desk that does nothing makes of these cases, in their order."""
    results: list[Result] = []
    for today in dict.fromkeys(case["today"] for case in cases):
        with desk_at(today, shared) as (_, parts):
            stored = Stored(parts.settings.home)
            results += [_thanks(case, stored) for case in cases if case["today"] == today]
    return sorted(results, key=lambda result: cases.index(result.case))


def _thanks(case: Case, stored: Stored) -> Result:
    result = Result(case)
    rows = stored.bookings()
    for number, turn in enumerate(case["turns"], 1):
        expect = turn.get("expect", {})
        language = expect.get("language", case["language"])
        reply = THANKS.get(language, THANKS["en"])
        said = Turn(
            thread="", turn=number, text=turn["say"], language=language, routes=["direct"], reply=reply
        )
        result.turns.append(said.to_json())
        result.records.append(Record(rows, rows))
        found = grade(expect, Seen(result.turns, result.records[-1]), stored, language)
        result.wrong += [f"turn {number}: {what}" for what in found]
    return result
