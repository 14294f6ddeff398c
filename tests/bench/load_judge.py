"""What became of a load's messages, read from what is stored: lost, doubled, mixed, or out of order."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desk.turn import Turn
from tests.bench.load_guests import Message, guest_mark, guest_name


@dataclass(frozen=True)
class Sent:
    """A message that was sent: its thread, the numbers that the desk gave it (two for a double click), the seconds
    until the sender had the answer, and whose answer that was; None when none came."""

    message: Message
    thread: str
    numbers: Sequence[int]
    seconds: float
    answer: Turn | None


@dataclass(frozen=True)
class Stored:
    """A row of the turn log: its number in the thread, the guest's text, how it ended, how often it was run."""

    number: int
    text: str
    status: str
    attempt: int
    turn: Turn | None


@dataclass(frozen=True)
class Kept:
    """All that is stored of one thread: its turns in order of arrival, and every stored value as one text."""

    turns: Sequence[Stored] = ()
    words: str = ""


@dataclass
class Verdict:
    """Marks of the messages that came to grief."""

    lost: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    mixed: set[str] = field(default_factory=set)
    disordered: set[str] = field(default_factory=set)


def judge(sent: Sequence[Sent], kept: Mapping[str, Kept]) -> Verdict:
    """Compare what was sent with what is stored.

    lost: not stored on its thread, or not answered in full. doubled: stored more than once anywhere, or one key
    made two turns. mixed: the sender got, or the log holds, an answer that is not about it; or something of
    another guest is stored on its thread. disordered: a message that was sent later stands before it.
    """
    verdict, by_thread = Verdict(), defaultdict(list)
    texts = [turn.text for thread in kept.values() for turn in thread.turns]
    for one in sent:
        by_thread[one.thread].append(one)
        mark = one.message.mark
        if sum(mark in text for text in texts) > 1 or len(set(one.numbers)) > 1:
            verdict.doubled.add(mark)
    for thread, messages in by_thread.items():
        _judge_thread(messages, kept.get(thread, Kept()), verdict)
        _judge_words(messages, kept.get(thread, Kept()).words, sent, verdict)
    return verdict


def _judge_thread(messages: Sequence[Sent], kept: Kept, verdict: Verdict) -> None:
    latest = 0
    for one in messages:
        mark = one.message.mark
        row = next((row for row in kept.turns if mark in row.text), None)
        if (
            row is None
            or row.turn is None
            or row.status != "done"
            or not row.turn.reply
            or one.answer is None
        ):
            verdict.lost.add(mark)
        if row is None:
            continue
        answers = [turn for turn in (row.turn, one.answer) if turn is not None]
        if not all(one.message.answered_by(turn) for turn in answers):
            verdict.mixed.add(mark)
        if row.number < latest or row.number not in one.numbers:
            verdict.disordered.add(mark)
        latest = max(latest, row.number)
    if len(kept.turns) > len(messages):
        verdict.doubled.add(f"{messages[0].message.mark} and its thread")


def _judge_words(messages: Sequence[Sent], words: str, sent: Sequence[Sent], verdict: Verdict) -> None:
    own = messages[0].message.guest
    for other in {one.message.guest for one in sent} - {own}:
        if guest_mark(other) in words or guest_name(other) in words:
            verdict.mixed.add(f"{guest_mark(other)} on the thread of {guest_mark(own)}")


def read(home: Path) -> dict[str, Kept]:
    """What the files of a DESK_HOME hold of each thread."""
    turns: dict[str, list[Stored]] = defaultdict(list)
    words: dict[str, list[str]] = defaultdict(list)
    with closing(sqlite3.connect(home / "desk.db")) as log:
        log.row_factory = sqlite3.Row
        for row in log.execute("SELECT * FROM turns ORDER BY thread, turn"):
            turns[row["thread"]].append(_stored(row))
        for table in ("turns", "requests", "folds"):
            _collect(log, f"SELECT * FROM {table}", "thread", words)
    with closing(sqlite3.connect(home / "checkpoints.db")) as graph:
        graph.row_factory = sqlite3.Row
        for table in ("checkpoints", "writes"):
            _collect(graph, f"SELECT * FROM {table}", "thread_id", words)
    return {thread: Kept(turns[thread], "\n".join(words[thread])) for thread in words}


def _stored(row: sqlite3.Row) -> Stored:
    turn = Turn.model_validate(json.loads(row["result"])) if row["result"] else None
    return Stored(row["turn"], row["text"], row["status"], row["attempt"], turn)


def _collect(connection: sqlite3.Connection, query: str, thread: str, words: dict[str, list[str]]) -> None:
    for row in connection.execute(query):
        words[row[thread]].extend(_text(value) for value in tuple(row))


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
