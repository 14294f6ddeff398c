"""What a turn costs early and late in one long conversation: bytes stored, tokens and time.

The same messages come round again and again on one thread, each round on other dates of the same length. So an
early and a late round differ in one thing only: how much conversation lies behind them. Nothing is booked, so
the same rooms are free in both.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.conversations import Say
from tests.bench.report import Line, Measured, aimed, milliseconds
from tests.bench.storage import stored_bytes
from tests.bench.turns import Talk, bench_desk

AIM = 1.2  # times what an early turn stores and sends
ROUNDS = 15
EARLY = 1  # the second round, turns 21 to 40: in the first one the summary is still filling
MONTHS = ("March", "April", "May", "June", "July", "August", "October")
MONATE = ("März", "April", "Mai", "Juni", "Juli", "August", "Oktober")

# Questions, listings, a side question in mid-booking, offers declined, small talk; English and German.
SAYS = (
    "Hello!",
    "Is there a Deluxe room free from {day} to {after} {month}?",
    "What does it cost?",
    "The one at Garden Court, please. My name is Julia Brandt.",
    "What time is breakfast there?",
    "No, thank you, please don't book it.",
    "Where can we have dinner nearby?",
    "Can I bring my small dog?",
    "What did you tell me about breakfast?",
    "Thank you very much!",
    "Haben Sie vom {day}. bis {after}. {monat} ein Zimmer für zwei Personen frei?",
    "Was ist davon am günstigsten?",
    "Das günstigste bitte, auf den Namen Julia Brandt.",
    "Wo ist die nächste Apotheke?",
    "Nein danke, bitte nicht buchen.",
    "Wann muss ich auschecken?",
    "Das Wetter ist heute wirklich schön.",
    "Kann ich im Garden Court parken?",
    "Das Zimmer ist schmutzig und niemand kümmert sich darum!",
    "Vielen Dank!",
)


@dataclass(frozen=True)
class Used:
    """What one turn used and wrote. Bytes are those of the stored values, by kind of storage: what the turn's row
    of the turn log holds, the graph's state, and the summary that was prepared behind it."""

    tokens: int
    seconds: float
    stored: Mapping[str, int]


@dataclass(frozen=True)
class Round:
    """One round of the messages, and by how much the files of DESK_HOME grew in it."""

    turns: Sequence[Used]
    files: int

    def figures(self) -> dict[str, float]:
        """What a turn of this round came to; the time is the median, the rest the mean."""
        return {
            "stored_bytes": statistics.fmean(sum(turn.stored.values()) for turn in self.turns),
            "file_bytes": self.files / len(self.turns),
            "tokens": statistics.fmean(turn.tokens for turn in self.turns),
            "seconds": statistics.median(turn.seconds for turn in self.turns),
        }


def measure(rounds: int = ROUNDS) -> Measured:
    """One conversation of so many rounds; its second round beside its last."""
    with tempfile.TemporaryDirectory(prefix="desk-bench-") as folder:
        played = play(Path(folder), rounds)
    return found(played)


def play(home: Path, rounds: int) -> list[Round]:
    """Have the conversation on a desk in `home`, and read after each turn what it wrote."""
    played: list[Round] = []
    with bench_desk(home) as (desk, _):
        talk, before = Talk(desk), stored_bytes(home).total()
        for number in range(rounds):
            turns = [_one(talk, home, say) for say in says(number)]
            after = stored_bytes(home).total()
            played.append(Round(turns, after - before))
            before = after
    return played


def _one(talk: Talk, home: Path, say: Say) -> Used:
    turn = talk.send(say)
    talk.settle(say)
    use = turn.model
    stored = stored_by(home, turn.thread, turn.turn)
    return Used(use.input_tokens + use.output_tokens, turn.seconds, stored)


def says(number: int) -> list[Say]:
    """One round's messages, two nights of its own in them; days of two digits, so that all rounds are as long."""
    day, which = 10 + 3 * (number // len(MONTHS)), number % len(MONTHS)
    dates = {"day": day, "after": day + 2, "month": MONTHS[which], "monat": MONATE[which]}
    return [Say(0, None, text.format_map(dates)) for text in SAYS]


def stored_by(home: Path, thread: str, turn: int) -> dict[str, int]:
    """Bytes of what was written for the thread's newest turn, and is kept until the next one at least."""
    with (
        closing(sqlite3.connect(home / "desk.db")) as log,
        closing(sqlite3.connect(home / "checkpoints.db")) as graph,
    ):
        newest = "(SELECT MAX(checkpoint_id) FROM checkpoints WHERE thread_id = :thread)"
        key = {"thread": thread, "turn": turn}
        return {
            "turn log": _bytes(log, "SELECT * FROM turns WHERE thread = :thread AND turn = :turn", key)
            + _bytes(log, "SELECT * FROM requests WHERE thread = :thread AND turn = :turn", key),
            "checkpoints": _bytes(graph, f"SELECT * FROM checkpoints WHERE checkpoint_id = {newest}", key)
            + _bytes(graph, f"SELECT * FROM writes WHERE checkpoint_id = {newest}", key),
            "summary ahead": _bytes(log, "SELECT * FROM folds WHERE thread = :thread", key),
        }


def _bytes(connection: sqlite3.Connection, query: str, key: Mapping[str, Any]) -> int:
    return sum(_size(value) for row in connection.execute(query, key) for value in row)


def _size(value: Any) -> int:
    return len(value) if isinstance(value, bytes) else len(str(value).encode())


def found(played: Sequence[Round]) -> Measured:
    """The second round beside the last one."""
    early, late = played[EARLY], played[-1]
    first, last = early.figures(), late.figures()
    ratio = {name: last[name] / first[name] for name in first}
    size = len(early.turns)
    spans = f"turns {EARLY * size + 1} to {(EARLY + 1) * size} → {(len(played) - 1) * size + 1} to {len(played) * size}"
    lines = [
        Line("values written a turn", f"{first['stored_bytes']:.0f} → {last['stored_bytes']:.0f} bytes"),
        *(
            Line(f"of that {kind}", f"{_mean(early, kind):.0f} → {_mean(late, kind):.0f} bytes")
            for kind in early.turns[0].stored
        ),
        aimed("values written a turn, late / early", ratio["stored_bytes"], AIM),
        Line("files grow by, a turn", f"{first['file_bytes']:.0f} → {last['file_bytes']:.0f} bytes"),
        aimed("files grow by, late / early", ratio["file_bytes"], AIM),
        Line("tokens a turn", f"{first['tokens']:.0f} → {last['tokens']:.0f}"),
        aimed("tokens a turn, late / early", ratio["tokens"], AIM),
        Line("time a turn, median", f"{milliseconds(first['seconds'])} → {milliseconds(last['seconds'])}"),
    ]
    data = {
        "rounds": len(played),
        "turns": len(played) * size,
        "early": {name: round(value, 4) for name, value in first.items()},
        "late": {name: round(value, 4) for name, value in last.items()},
        "ratio": {name: round(value, 3) for name, value in ratio.items()},
    }
    return Measured(f"A conversation of {len(played) * size} turns ({spans}, same messages)", lines, data)


def _mean(played: Round, kind: str) -> float:
    return statistics.fmean(turn.stored[kind] for turn in played.turns)
