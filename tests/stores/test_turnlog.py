"""The turn log on disk: what is written when, who may run a turn, and what survives."""

from __future__ import annotations

import gc
import json
import sqlite3
import stat
import threading
import time
from pathlib import Path

import pytest

from desk.errors import StorageError, UnknownThread
from desk.records import StaffRequest
from desk.stores.db import Migration, open_database
from desk.stores.turnlog import TurnLog
from desk.stores.turnqueue import RESULT_BYTES, Claim, TurnQueue, outcome, to_stored
from desk.turn import BranchLog, BranchMessage, Turn
from tests.runners import open_log

LEASE = 10.0


@pytest.fixture
def log(tmp_path: Path) -> TurnLog:
    """A turn log in a fresh home."""
    return open_log(tmp_path / "home")


def _ended(claim: Claim, **fields: object) -> Turn:
    return Turn.model_validate({"thread": claim.thread, "turn": claim.turn, "text": claim.text, **fields})


def _claimed(queue: TurnQueue, now: float) -> Claim:
    claim = queue.claim(now, LEASE)
    assert claim is not None
    return claim


# The file


def test_the_home_is_private(log: TurnLog, tmp_path: Path) -> None:
    """The folder opens for its owner alone, and so does every file in it, SQLite's own included."""
    log.new_thread()
    home = tmp_path / "home"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    names = {path.name for path in home.iterdir()}
    assert {"desk.db", "desk.db-wal"} <= names
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in home.iterdir())


def test_a_home_that_cannot_be_used_is_one_clear_line(tmp_path: Path) -> None:
    """The error names the place and the reason, in one line."""
    blocker = tmp_path / "file"
    blocker.write_text("x", encoding="utf-8")
    for home in (blocker, blocker / "below"):
        with pytest.raises(StorageError) as raised:
            open_log(home)
        assert "DESK_HOME" in str(raised.value)
        assert str(home) in str(raised.value)
        assert "\n" not in str(raised.value)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    """A foreign file in the place of the log stops the opening, and is not written to."""
    foreign = tmp_path / "desk.db"
    foreign.write_bytes(b"these are not the rows you are looking for " * 50)
    before = foreign.read_bytes()
    with pytest.raises(StorageError, match=r"desk\.db"):
        open_log(tmp_path)
    assert foreign.read_bytes() == before


def test_migrations_run_once_and_in_order(tmp_path: Path) -> None:
    """An older file gets only what it lacks; each migration is recorded."""
    first = Migration(1, "one", ("CREATE TABLE a (x)",))
    second = Migration(2, "two", ("CREATE TABLE b (x)", "INSERT INTO b VALUES (1)"))
    open_database(tmp_path / "t.db", (first,)).close()
    for _ in range(2):
        database = open_database(tmp_path / "t.db", (first, second))
        with database.read() as connection:
            names = [row["name"] for row in connection.execute("SELECT name FROM migrations ORDER BY number")]
            rows = connection.execute("SELECT COUNT(*) FROM b").fetchone()[0]
        database.close()
        assert (names, rows) == (["one", "two"], 1)


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """A change is applied whole or not at all."""
    broken = Migration(1, "broken", ("CREATE TABLE a (x)", "CREATE TABLE a (x)"))
    with pytest.raises(StorageError):
        open_database(tmp_path / "t.db", (broken,))
    database = open_database(tmp_path / "t.db", (Migration(1, "right", ("CREATE TABLE a (x)",)),))
    database.close()


def test_a_file_of_a_newer_desk_is_refused(tmp_path: Path) -> None:
    """A desk does not work on a schema that it does not know."""
    migrations = [Migration(n, f"m{n}", (f"CREATE TABLE t{n} (x)",)) for n in (1, 2)]
    open_database(tmp_path / "t.db", migrations).close()
    with pytest.raises(StorageError, match="newer"):
        open_database(tmp_path / "t.db", migrations[:1])


def test_many_openings_at_once_agree(tmp_path: Path) -> None:
    """Eight openings of one fresh file: each works, and the schema is made once."""
    failures: list[BaseException] = []

    def open_and_write() -> None:
        try:
            log = open_log(tmp_path)
            log.new_thread()
            log.close()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=open_and_write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with sqlite3.connect(tmp_path / "desk.db") as connection:
        assert connection.execute("SELECT COUNT(*) FROM threads").fetchone()[0] == 8
    connection.close()


def test_threads_that_have_ended_leave_no_connection_open(log: TurnLog) -> None:
    """A page's rerun is a new thread each time: a thousand of them must not use up the files."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("counts open files by /proc, which this system does not have")
    log.new_thread()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(50):
        thread = threading.Thread(target=log.has_thread, args=("x",))
        thread.start()
        thread.join()
    gc.collect()
    assert (
        len(list(Path("/proc/self/fd").iterdir())) <= before + 5
    )  # SQLite puts a closed one by for the next opening


def test_a_closed_log_says_so(log: TurnLog) -> None:
    """Whoever still holds a closed log gets the desk's own error."""
    log.close()
    with pytest.raises(StorageError, match="closed"):
        log.new_thread()


# Threads and turns


@pytest.mark.parametrize("thread", ["", "nope", "\ud83d", "a\x00b", "' OR 1=1 --", "x" * 500, "日本"])
def test_made_up_ids_open_nothing(log: TurnLog, thread: str) -> None:
    """Any text may stand in the link; only an id that was given out opens a conversation."""
    log.new_thread()
    assert not log.has_thread(thread)
    for call in (log.thread, log.turns, log.requests):
        with pytest.raises(UnknownThread):
            call(thread)
    with pytest.raises(UnknownThread):
        log.add_turn(thread, "hello", 0.0)


def test_ids_are_long_and_differ(log: TurnLog) -> None:
    """128 bits in 22 characters that are safe in a link."""
    ids = {log.new_thread() for _ in range(50)}
    assert len(ids) == 50
    assert {len(thread) for thread in ids} == {22}


def test_turns_are_numbered_by_thread_and_kept_in_order(log: TurnLog) -> None:
    """Each thread counts from 1; what one guest wrote is not in the other's turns."""
    ana, bob = log.new_thread(), log.new_thread()
    assert [log.add_turn(ana, f"a{n}", 0.0) for n in range(3)] == [1, 2, 3]
    assert log.add_turn(bob, "b", 0.0) == 1
    assert [turn.text for turn in log.turns(ana)] == ["a0", "a1", "a2"]
    assert [turn.number for turn in log.turns(ana, after=2)] == [3]
    assert [turn.text for turn in log.turns(bob)] == ["b"]
    with pytest.raises(UnknownThread):
        log.turn(bob, 2)


def test_a_key_is_one_message(log: TurnLog) -> None:
    """The same key again writes nothing, whatever text comes with it; another thread may use the key too."""
    ana, bob = log.new_thread(), log.new_thread()
    assert log.add_turn(ana, "hello", 0.0, key="k") == log.add_turn(ana, "again", 0.0, key="k") == 1
    assert log.add_turn(bob, "hello", 0.0, key="k") == 1
    assert log.add_turn(ana, "hello", 0.0) == log.add_turn(ana, "hello", 0.0) - 1 == 2
    assert [turn.text for turn in log.turns(ana)] == ["hello", "hello", "hello"]


def test_what_is_kept_of_a_thread(log: TurnLog) -> None:
    """Choices stay with the thread, survive a new opening, and can be taken back."""
    thread = log.new_thread("pt-PT")
    log.choose_language(thread, "de")
    log.bind_guest(thread, "HH-1002:Miller")
    log.flag(thread, "asked for a person")
    other = open_log(log.database.path.parent).thread(thread)
    assert (other.locale, other.chosen_language, other.guest) == ("pt-PT", "de", "HH-1002:Miller")
    assert (other.flagged, other.language, other.turns) == ("asked for a person", None, 0)
    assert other.created.utcoffset() is not None
    log.choose_language(thread, None)
    assert log.thread(thread).chosen_language is None


# The queue


def test_turns_are_claimed_in_order_one_at_a_time_a_thread(log: TurnLog) -> None:
    """While a thread's first turn runs its second waits, and another thread's turn does not."""
    ana, bob = log.new_thread(), log.new_thread()
    for thread, text in ((ana, "a1"), (ana, "a2"), (bob, "b1")):
        log.add_turn(thread, text, 0.0)
    one, two = TurnQueue(log, "one"), TurnQueue(log, "two")
    first = _claimed(one, 0.0)
    assert (first.text, _claimed(two, 0.0).text) == ("a1", "b1")
    assert not one.waiting(0.0)
    assert one.claim(0.0, LEASE) is None
    assert one.finish(first, outcome("done", _ended(first)))
    assert _claimed(two, 0.0).text == "a2"


def test_a_claim_carries_what_the_thread_says_at_that_moment(log: TurnLog) -> None:
    """A language chosen or a guest bound after the sending still counts; the message's locale goes first."""
    thread = log.new_thread("fr-FR")
    log.add_turn(thread, "hi", 0.0, action="confirm:o1")
    log.add_turn(thread, "ho", 0.0, locale="de-AT")
    log.choose_language(thread, "de")
    log.bind_guest(thread, "HH-1002:Miller")
    queue = TurnQueue(log, "one")
    claim = _claimed(queue, 0.0)
    assert (claim.locale, claim.language, claim.guest) == ("fr-FR", "de", "HH-1002:Miller")
    assert (claim.action, claim.attempt, claim.stop) == ("confirm:o1", 1, False)
    queue.finish(claim, outcome("done", _ended(claim)))
    assert _claimed(queue, 0.0).locale == "de-AT"


def test_a_lease_that_ran_out_is_taken_over_and_the_late_result_is_dropped(log: TurnLog) -> None:
    """After a takeover only the new owner's result counts, so that no turn is answered twice."""
    thread = log.new_thread()
    log.add_turn(thread, "a1", 0.0)
    log.add_turn(thread, "a2", 0.0)
    slow, quick = TurnQueue(log, "slow"), TurnQueue(log, "quick")
    late = _claimed(slow, 0.0)
    assert quick.claim(LEASE - 1, LEASE) is None
    taken = _claimed(quick, LEASE + 1)
    assert (taken.text, taken.attempt) == ("a1", 2)
    assert slow.renew([late.key], LEASE + 1, LEASE) == {late.key}
    assert not slow.finish(late, outcome("done", _ended(late, reply="late")))
    assert quick.finish(taken, outcome("done", _ended(taken, reply="right")))
    assert not slow.finish(late, outcome("done", _ended(late, reply="late")))
    answer = log.turn(thread, 1).turn
    assert answer is not None
    assert answer.reply == "right"


def test_a_renewed_lease_is_not_taken_over(log: TurnLog) -> None:
    """A worker that lives keeps its turn; one that gives it up frees it at once."""
    thread = log.new_thread()
    log.add_turn(thread, "long", 0.0)
    one, two = TurnQueue(log, "one"), TurnQueue(log, "two")
    claim = _claimed(one, 0.0)
    assert one.renew([claim.key], LEASE - 1, LEASE) == set()
    assert two.claim(LEASE + 1, LEASE) is None
    two.release([claim.key])
    assert two.claim(LEASE + 1, LEASE) is None
    one.release([claim.key])
    assert _claimed(two, LEASE + 1).attempt == 2


def test_stopping_a_turn_that_waits_ends_it(log: TurnLog) -> None:
    """It never runs, and the thread's next turn does."""
    thread = log.new_thread()
    for text in ("a1", "a2", "a3"):
        log.add_turn(thread, text, 0.0)
    queue = TurnQueue(log, "one")
    first = _claimed(queue, 0.0)
    queue.ask_to_stop(thread, 2, Turn(thread=thread, turn=2, text="a2", reply="stopped"))
    queue.ask_to_stop(thread, 1, Turn(thread=thread, turn=1, text="a1", reply="not this one"))
    assert queue.stops() == {first.key}
    assert TurnQueue(log, "two").stops() == set()
    queue.finish(first, outcome("stopped", _ended(first)))
    assert [turn.status for turn in log.turns(thread)] == ["stopped", "stopped", "queued"]
    queue.ask_to_stop(thread, 1, Turn(thread=thread, turn=1, text="a1", reply="too late"))
    assert [turn.turn and turn.turn.reply for turn in log.turns(thread)] == ["", "stopped", None]
    assert _claimed(queue, 0.0).text == "a3"


def test_what_was_left_long_ago_is_set_aside_and_can_be_retried(log: TurnLog) -> None:
    """A turn without a worker since `before` waits for the guest; newer ones and living ones do not."""
    old, new, held = log.new_thread(), log.new_thread(), log.new_thread()
    queue = TurnQueue(log, "one")
    log.add_turn(held, "held", 0.0)
    claim = _claimed(queue, 0.0)
    log.add_turn(old, "old", 0.0)
    log.add_turn(new, "new", 100.0)
    queue.renew([claim.key], 95.0, LEASE)
    assert queue.set_aside(100.0) == 1
    statuses = [log.turn(thread, 1).status for thread in (old, new, held)]
    assert statuses == ["interrupted", "queued", "running"]
    assert _claimed(queue, 101.0).text == "new"
    assert not queue.retry(new, 1, 102.0)
    assert queue.retry(old, 1, 102.0)
    again = _claimed(queue, 102.0)
    assert (again.text, again.attempt) == ("old", 1)


def test_a_retried_turn_waits_for_the_one_that_runs(log: TurnLog) -> None:
    """An earlier turn that comes back never runs beside a later one of its thread."""
    thread = log.new_thread()
    queue = TurnQueue(log, "one")
    log.add_turn(thread, "a1", 0.0)
    first = _claimed(queue, 0.0)
    queue.finish(first, outcome("failed", _ended(first)))
    log.add_turn(thread, "a2", 0.0)
    second = _claimed(queue, 0.0)
    assert queue.retry(thread, 1, 0.0)
    assert queue.claim(0.0, LEASE) is None
    queue.finish(second, outcome("done", _ended(second)))
    assert _claimed(queue, 0.0).text == "a1"


def test_a_rerun_begins_where_the_first_run_began(log: TurnLog) -> None:
    """The checkpoint is fixed at the first run, and given up only when later turns were answered since."""
    thread = log.new_thread()
    queue = TurnQueue(log, "one")
    log.add_turn(thread, "a1", 0.0)
    log.add_turn(thread, "a2", 0.0)
    assert log.start_from(thread, 1, None) is None
    assert log.start_from(thread, 1, "left-behind") is None
    assert log.start_from(thread, 2, "c1") == log.start_from(thread, 2, "c2") == "c1"
    first = _claimed(queue, 0.0)
    queue.finish(first, outcome("failed", _ended(first)))
    queue.retry(thread, 1, 0.0)
    assert log.start_from(thread, 1, "c3") is None
    first = _claimed(queue, 0.0)
    queue.finish(first, outcome("failed", _ended(first)))
    second = _claimed(queue, 0.0)
    queue.finish(second, outcome("done", _ended(second)))
    queue.retry(thread, 1, 0.0)
    assert log.start_from(thread, 1, "c3") == "c3"


# Results


def test_an_ended_turn_updates_its_thread_and_what_went_to_staff(log: TurnLog) -> None:
    """Requests are stored once, however often the turn is run, and flag the thread with their reason."""
    thread = log.new_thread()
    log.add_turn(thread, "towels please", 0.0)
    queue = TurnQueue(log, "one")
    request = StaffRequest(kind="towels", text="towels please", reason="housekeeping", urgent=True)
    for status in ("failed", "done"):
        claim = _claimed(queue, 0.0)
        turn = _ended(claim, language="de", requests=[request])
        assert queue.finish(claim, outcome(status, turn))
        queue.retry(thread, 1, 0.0)
    assert log.requests(thread) == [request]
    info = log.thread(thread)
    assert (info.flagged, info.language) == ("housekeeping", "de")
    assert log.turn(thread, 1).turn == turn


def test_what_was_passed_on_stays_so_when_the_turn_is_run_again(log: TurnLog) -> None:
    """A later run adds what is new or has become urgent, sends nothing twice, and takes nothing back."""
    thread = log.new_thread()
    log.add_turn(thread, "there is a fire, and I need towels", 0.0)
    queue = TurnQueue(log, "one")

    def run(*wanted: tuple[str, bool]) -> list[tuple[str, bool]]:
        claim = _claimed(queue, 0.0)
        requests = [StaffRequest(kind=kind, text="t", reason=kind, urgent=urgent) for kind, urgent in wanted]
        assert queue.finish(claim, outcome("failed", _ended(claim, requests=requests)))
        queue.retry(thread, 1, 0.0)
        return [(request.kind, request.urgent) for request in log.requests(thread)]

    fire, towels, now = ("emergency", True), ("towels", False), ("towels", True)
    assert run(fire) == [fire]
    assert run() == [fire]
    assert run(fire, towels) == [fire, towels]
    assert run(towels) == [fire, towels]
    assert run(now) == [fire, towels, now]
    assert run(now, fire) == [fire, towels, now]


def test_a_turn_that_could_not_be_begun_waits_as_before(log: TurnLog) -> None:
    """It can be claimed again at once as if it never had been, and a late result of that claim is dropped."""
    thread = log.new_thread()
    log.add_turn(thread, "hi", 0.0)
    queue = TurnQueue(log, "one")
    first = _claimed(queue, 0.0)
    queue.give_back(first)
    assert log.turn(thread, 1).status == "queued"
    assert not queue.finish(first, outcome("done", _ended(first)))
    assert _claimed(queue, 0.0) == first


def test_a_stored_turn_has_a_bounded_size(log: TurnLog) -> None:
    """A branch that talks without end is cut in the log; the reply and the rest stay whole."""
    chatter = [
        BranchMessage(role="tool", text="x" * 30_000, tool_calls=[{"name": "run_sql", "args": "y" * 9_000}])
        for _ in range(200)
    ]
    turn = Turn(thread="t", turn=1, text="hi", reply="the whole reply")
    turn.branches = {f"hotel{n}": BranchLog(status="ok", messages=chatter) for n in range(4)}
    stored = to_stored(turn)
    assert len(stored) <= RESULT_BYTES
    again = Turn.model_validate(json.loads(stored))
    assert again.reply == turn.reply
    assert set(again.branches) == set(turn.branches)
    small = Turn(thread="t", turn=1, text="hi", branches={"h": BranchLog(status="ok", messages=chatter[:1])})
    assert Turn.model_validate(json.loads(to_stored(small))) == small


def test_half_a_surrogate_pair_in_an_answer_is_stored(log: TurnLog) -> None:
    """A model can write what is not valid UTF-8; the turn is stored all the same."""
    thread = log.new_thread()
    log.add_turn(thread, "hi", 0.0)
    queue = TurnQueue(log, "one")
    claim = _claimed(queue, 0.0)
    queue.finish(claim, outcome("done", _ended(claim, reply="half \ud83d")))
    answer = log.turn(thread, 1).turn
    assert answer is not None
    assert answer.reply == "half \ud83d"


# Folds


def test_a_fold_waits_until_it_is_dropped(log: TurnLog) -> None:
    """The newest is kept, reading does not use it up, and an older one neither replaces nor drops it."""
    thread = log.new_thread()
    assert log.fold(thread) is None
    log.save_fold(thread, 4, {"summary": "four", "ids": ["m1"]})
    log.save_fold(thread, 3, {"summary": "three"})
    log.drop_fold(thread, 3)
    for _ in range(2):
        fold = log.fold(thread)
        assert fold is not None
        assert (fold.turn, fold.payload["summary"]) == (4, "four")
    log.drop_fold(thread, 4)
    assert log.fold(thread) is None
    log.save_fold("gone", 1, {})
    assert log.fold("gone") is None


def test_writers_of_one_process_queue_and_do_not_poll(tmp_path: Path) -> None:
    """A second thread's transaction waits for the first one's end, even if SQLite itself would not wait at all."""
    database = open_database(tmp_path / "t.db", (Migration(1, "first", ("CREATE TABLE a (x)",)),))
    begun, ended = threading.Event(), []

    def second() -> None:
        with database.read() as connection:
            connection.execute("PRAGMA busy_timeout = 0")
        begun.set()
        with database.write() as connection:
            ended.append(connection.execute("SELECT count(*) FROM a").fetchone()[0])

    other = threading.Thread(target=second)
    with database.write() as connection:
        other.start()
        assert begun.wait(20)
        time.sleep(0.2)  # time for the other one to fail, if it does not wait
        connection.execute("INSERT INTO a VALUES (1)")
    other.join(20)
    database.close()
    assert ended == [1]
