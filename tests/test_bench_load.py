"""The load: its guests cannot be taken for one another, and its judge sees whatever came to grief."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from desk.bootstrap import Replacements, desk_over, open_parts
from desk.context import Parts
from tests.bench import at_once, load
from tests.bench.load import Plan, Played
from tests.bench.load_guests import conversation, guest_name
from tests.bench.load_judge import Kept, Sent, Stored, Verdict, judge, read
from tests.bench.turns import bench_settings

Log = dict[str, Kept]
GUESTS = 6  # two of them book, and each language is spoken


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the load's desk keeps everything."""
    return tmp_path_factory.mktemp("load")


@pytest.fixture(scope="module")
def played(home: Path, shared: Parts) -> Iterator[Played]:
    """A small load without pauses: lists, an offer, a decision, two questions at once."""
    parts = open_parts(bench_settings(home), Replacements(changed={"detector": shared.detector}))
    with closing(desk_over(parts)) as desk:
        yield load.play_on(desk, home, Plan(GUESTS, groups=4))


@pytest.fixture
def log(played: Played, home: Path) -> Log:
    """What the desk has stored of that load."""
    return read(home)


def test_every_message_is_answered_once_in_order_on_its_own_thread(played: Played) -> None:
    """Guests at once, messages at once, double clicks: nothing is lost, doubled, mixed or out of order."""
    assert played.verdict == Verdict()
    assert len(played.sent) == 5 * GUESTS
    assert any(len(one.numbers) == 2 for one in played.sent)
    assert sum(one.answer is not None and one.answer.booking is not None for one in played.sent) == 2
    figures = played.figures()
    assert figures["turns"] == 5 * GUESTS
    assert figures["turns_per_minute"] > 0
    assert figures["problems"] == 0


def test_guests_and_messages_cannot_be_taken_for_one_another() -> None:
    """Marks and names are one of a kind and none is part of another; all guests ask for other dates at a time."""
    guests = [[message for group in islice(conversation(n), 16) for message in group] for n in range(50)]
    said = [message for messages in guests for message in messages]
    for tokens in ([message.mark for message in said], [guest_name(number) for number in range(50)]):
        assert len(set(tokens)) == len(tokens)
        assert len({len(token) for token in tokens}) == 1
    assert all(message.mark in message.text for message in said)
    for place in (0, 9):  # the first message of the first and of the second round
        assert len({messages[place].arrival for messages in guests}) == 50


def _changed(log: Log, thread: str, change: Callable[[Sequence[Stored]], Sequence[Stored]]) -> Log:
    return {**log, thread: Kept(change(log[thread].turns), log[thread].words)}


def _one(played: Played, number: int = 1) -> Sent:
    """One guest's message of this number."""
    return next(one for one in played.sent if one.message.guest == 1 and one.message.number == number)


@pytest.mark.parametrize(
    "change",
    [
        lambda row: None,
        lambda row: replace(row, turn=None),
        lambda row: replace(row, status="running"),
        lambda row: replace(row, turn=row.turn.model_copy(update={"reply": ""})),
    ],
    ids=["not stored", "no answer", "not ended", "empty reply"],
)
def test_a_lost_turn_is_noticed(change: Callable[[Stored], Stored | None], played: Played, log: Log) -> None:
    """A message that is not in the log, or not answered there in full, is lost; and no other one."""
    one = _one(played)
    broken = _changed(log, one.thread, lambda rows: [*filter(None, (change(rows[0]),)), *rows[1:]])
    verdict = judge(played.sent, broken)
    assert verdict.lost == {one.message.mark}
    assert not verdict.doubled | verdict.mixed | verdict.disordered


def test_an_answer_that_never_reached_its_sender_is_noticed(played: Played, log: Log) -> None:
    """The log alone does not do: the guest waited in vain."""
    one = _one(played)
    sent = [replace(other, answer=None) if other is one else other for other in played.sent]
    assert judge(sent, log).lost == {one.message.mark}


def test_a_doubled_turn_is_noticed(played: Played, log: Log) -> None:
    """A message stored twice on its thread, or once more on another one, or by a double click."""
    one, other = _one(played), next(one for one in played.sent if one.message.guest == 2)
    row = log[one.thread].turns[0]
    twice = _changed(log, one.thread, lambda rows: [*rows, replace(row, number=9)])
    assert one.message.mark in judge(played.sent, twice).doubled
    elsewhere = _changed(log, other.thread, lambda rows: [*rows, replace(row, number=9)])
    assert one.message.mark in judge(played.sent, elsewhere).doubled
    clicked = [replace(sent, numbers=[1, 2]) if sent is one else sent for sent in played.sent]
    assert judge(clicked, log).doubled == {one.message.mark}
    nobodys = _changed(log, one.thread, lambda rows: [*rows, replace(row, number=9, text="Hello?")])
    assert len(judge(played.sent, nobodys).doubled) == 1


def test_mixed_turns_are_noticed(played: Played, log: Log) -> None:
    """Another guest's answer, or an answer to the same guest's other question, given or stored."""
    one, other = _one(played), next(one for one in played.sent if one.message.guest == 2)
    given = [replace(sent, answer=other.answer) if sent is one else sent for sent in played.sent]
    assert judge(given, log).mixed == {one.message.mark}
    first, second = (row.turn for row in log[one.thread].turns[-2:])
    assert first is not None
    assert second is not None
    facts = {"facts": first.facts}  # breakfast's, under the question that was sent with it
    swapped = _changed(
        log, one.thread, lambda rows: [*rows[:-1], replace(rows[-1], turn=second.model_copy(update=facts))]
    )
    assert judge(played.sent, swapped).mixed == {_one(played, 5).message.mark}


def test_another_guests_words_are_noticed_wherever_they_are_stored(played: Played, log: Log) -> None:
    """A mark or a name of somebody else in a thread's rows: in a summary, say, that no reply shows."""
    one = _one(played)
    for leaked in (guest_name(3), "m003002"):
        kept = Kept(log[one.thread].turns, f"{log[one.thread].words} {leaked}")
        assert judge(played.sent, {**log, one.thread: kept}).mixed == {"m003 on the thread of m001"}


def test_the_rows_that_are_read_hold_the_whole_thread(played: Played, log: Log) -> None:
    """Turn log, summary ahead, requests and the graph's state: all of them are looked through."""
    one = _one(played)
    words = log[one.thread].words
    assert words.count(one.message.mark) > 3
    assert guest_name(1) in words
    assert set(log) == {sent.thread for sent in played.sent}


def test_disorder_is_noticed(played: Played, log: Log) -> None:
    """Messages that stand in another order than they were sent in."""
    one = _one(played)
    swapped = _changed(
        log,
        one.thread,
        lambda rows: [replace(rows[0], number=2), replace(rows[1], number=1), *rows[2:]],
    )
    assert {one.message.mark, _one(played, 2).message.mark} <= judge(played.sent, swapped).disordered


def test_a_desk_that_answers_nobody_is_reported(played: Played) -> None:
    """All waited as long as they would, and nothing came."""
    silent = replace(played, sent=[replace(one, answer=None) for one in played.sent])
    figures = silent.figures()
    assert figures["turns_per_minute"] == 0
    assert figures["longest"] == load.PATIENCE


def test_the_report_names_what_came_to_grief(played: Played) -> None:
    """A figure above zero misses its aim, and the marks stand under it."""
    broken = replace(played, verdict=Verdict(lost={"m001001"}))
    told = load.found("Load", broken, Plan(GUESTS))
    aims = told.to_json()["aims"]
    assert {what: aim["met"] for what, aim in aims.items()} == {
        "turns lost": False,
        "turns doubled": True,
        "turns mixed": True,
        "turns disordered": True,
    }
    assert any("m001001" in line.what for line in told.lines)


def test_conversations_at_once_are_judged_too(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for each number of guests, and all that came to grief in any of them."""
    broken = replace(played, verdict=Verdict(lost={"a"}, mixed={"a", "b"}))
    monkeypatch.setattr(at_once, "play", lambda plan: broken if plan.guests == 10 else played)
    told = at_once.measure()
    assert [line.what.split()[0] for line in told.lines] == ["1", "10", "50", "turns"]
    assert told.lines[-1].value.strip() == "3"
    assert told.lines[-1].met is False
