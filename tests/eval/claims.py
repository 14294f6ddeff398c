"""What a turn says, in facts, in numbers or about itself, that what is stored does not bear out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.eval.replies import foreign, unborne, unsaid
from tests.eval.stored import Record, Stored
from tests.eval.truth import Verdict, false_offer

Turn = Mapping[str, Any]
# The node that runs when a handoff to this destination is at work
AGENTS = {
    "hotels": "mapper", "reservation": "reservation", "web": "web_search", "direct": "direct", "staff": "to_staff"
}  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """What a turn is graded by: it and the turns before it as they are logged, what was written in it, and what
    came of the facts that it states."""

    turns: Sequence[Turn]
    record: Record
    verdicts: Sequence[Verdict] = ()

    @property
    def turn(self) -> Turn:
        """The turn that is graded."""
        return self.turns[-1]


def false_claims(seen: Seen, stored: Stored) -> list[str]:
    """What the turn said, in facts, in numbers or about itself, that what is stored does not bear out."""
    turn, record = seen.turn, seen.record
    lines = [line for line in turn["reply"].splitlines() if line.strip()]
    wrong = [] if lines else ["nothing was said"]
    wrong += [f"said twice: {line}" for line in dict.fromkeys(lines) if lines.count(line) > 1]
    wrong += [f"false {verdict.kind}: {verdict.why}" for verdict in seen.verdicts if verdict.why]
    wrong += [f"false: {what}" for what in (*unborne(turn, stored), *unsaid(turn), *foreign(turn))]
    offer = false_offer(turn, record, stored)
    wrong += [f"false offer stands: {offer}"] if offer else []
    if turn["booking"] and not record.written:
        wrong.append(f"booked without a row: {turn['booking']['reference']}")
    if record.written and not turn["booking"]:
        wrong.append(f"written without a word: {record.written}")
    if len(turn["requests"]) != len(record.requests):
        wrong.append(f"{len(turn['requests'])} requests told, {len(record.requests)} stored")
    return wrong + [f"never ran: {route}" for route in _unrun(turn)]


def _unrun(turn: Turn) -> list[str]:
    """Destinations of accepted handoffs whose agent never ran in this turn."""
    ran = {node["name"] for node in turn["nodes"]}
    accepted = [handoff["destination"] for handoff in turn["handoffs"] if handoff["accepted"]]
    return [route for route in accepted if AGENTS[route] not in ran]
