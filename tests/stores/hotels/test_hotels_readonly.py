"""The query tool: reads work, everything else is refused by the engine."""

from __future__ import annotations

import datetime as dt
import hashlib
import resource
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from desk.errors import StorageError, ToolRefused
from desk.records import Offer
from desk.stores import readonly
from desk.stores.hotels import HotelReader, Hotels

TODAY = dt.date(2026, 12, 1)
SECRETS = ("Secretname", "Sam", "EH-0001", "Müller", "Zoë", "NI-0001")


@pytest.fixture
def reader(hotels: Hotels) -> HotelReader:
    """The reader of East House, whose one booking is Sam Secretname's."""
    return hotels.reader("east")


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT room, rate FROM rooms", [{"room": "31", "rate": 200}]),
        ("select type from ROOMS where sleeps >= 4;", [{"type": "Suite"}]),
        ("WITH r AS (SELECT * FROM rooms) SELECT count(*) AS n FROM r -- all of them", [{"n": 1}]),
        (
            "SELECT room, arrival, departure FROM bookings WHERE status = 'booked'",
            [{"room": "31", "arrival": "2026-12-02", "departure": "2026-12-05"}],
        ),
        (
            "SELECT json_extract(details, '$.price') AS price FROM guide WHERE kind = 'breakfast'",
            [{"price": 14}],
        ),
        ("SELECT kind FROM guide_fts WHERE guide_fts MATCH 'dogs' ORDER BY rank", [{"kind": "pets"}]),
        ("SELECT snippet(guide_fts, 1, '<', '>', '…', 2) AS s FROM guide_fts('dog')", [{"s": "…<dog> cat…"}]),
        (
            """WITH RECURSIVE nights(night) AS (SELECT date('2026-12-01') UNION ALL
            SELECT date(night, '+1 day') FROM nights WHERE night < '2026-12-05')
            SELECT night FROM nights WHERE NOT EXISTS (SELECT 1 FROM bookings
            WHERE arrival <= night AND night < departure)""",
            [{"night": "2026-12-01"}, {"night": "2026-12-05"}],
        ),
        ("SELECT 1 AS a, 2 AS a", [{"a": 1, "a_2": 2}]),
        ("SELECT x'0102' AS b", [{"b": "<2 bytes>"}]),
        ("VALUES (1)", [{"column1": 1}]),
    ],
)
def test_reads_work(reader: HotelReader, sql: str, rows: list[dict[str, object]]) -> None:
    """Selects, expressions, recursion, JSON and full-text search work as in any SQLite."""
    assert reader.run_sql(sql) == rows


def test_full_text_works_again_and_again(reader: HotelReader) -> None:
    """Full-text search works on every call, also after a refused one."""
    for _ in range(3):
        assert (
            len(reader.run_sql("SELECT kind FROM guide_fts WHERE guide_fts MATCH 'breakfast OR pets'")) == 2
        )
        with pytest.raises(ToolRefused):
            reader.run_sql("DELETE FROM rooms")


ESCAPES = [
    "INSERT INTO rooms VALUES ('32', 'Suite', 2, 1)",
    "UPDATE rooms SET rate = 1",
    "DELETE FROM bookings",
    "REPLACE INTO rooms VALUES ('31', 'Suite', 2, 1)",
    "WITH x AS (SELECT 1) DELETE FROM bookings",
    "WITH x AS (SELECT 1) INSERT INTO rooms SELECT '32', 'Suite', 2, 1",
    "DELETE FROM bookings RETURNING *",
    "DROP TABLE rooms",
    "ALTER TABLE rooms ADD COLUMN x",
    "CREATE TABLE x (a)",
    "CREATE TEMP TABLE x AS SELECT 1",
    "CREATE TEMP VIEW v AS SELECT 1",
    "CREATE TEMP TRIGGER t AFTER INSERT ON rooms BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE temp.x USING fts5(a)",
    "CREATE INDEX i ON rooms (rate)",
    "ATTACH 'FILE' AS other",
    "ATTACH ':memory:' AS other",
    "ATTACH 'file:FILE?mode=rwc' AS other",
    "DETACH main",
    "VACUUM",
    "VACUUM INTO 'FILE'",
    "PRAGMA query_only = OFF",
    "PRAGMA main.query_only(0)",
    "PRAGMA writable_schema = ON",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA database_list",
    "PRAGMA user_version = 7",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM pragma_query_only(0)",
    "SELECT * FROM dbstat",
    "SELECT * FROM sqlite_dbpage",
    "SELECT * FROM sqlite_temp_master",
    "BEGIN IMMEDIATE",
    "SAVEPOINT s",
    "COMMIT",
    "ANALYZE",
    "REINDEX",
    "EXPLAIN DELETE FROM bookings",
    "INSERT INTO guide_fts (guide_fts) VALUES ('optimize')",
    "INSERT INTO guide_fts (guide_fts) VALUES ('delete-all')",
    "UPDATE guide_fts_data SET block = NULL",
    "SELECT load_extension('FILE')",
    "SELECT LOAD_EXTENSION('FILE', 'x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('FILE', 'x')",
    "SELECT edit('x')",
    "SELECT 1; DELETE FROM bookings",
    "SELECT 1; SELECT 2",
    "/* SELECT */ DELETE FROM bookings",
    "-- SELECT\nDELETE FROM bookings",
    "SELECT 1 /* ; */; /* */ DROP TABLE rooms",
    "/*/ SELECT 1 */ DELETE FROM rooms",
    "\ufeffDELETE FROM rooms",
    "SELECT '\x00'; DELETE FROM rooms",
    "SELECT '\ud800'",
    "",
    "   ",
    "-- nothing",
    ";",
    "SELECT ?",
    "SELECT :name",
    "hello",
    "SELECT nothing FROM rooms",
    "SELECT kind FROM guide_fts WHERE guide_fts MATCH '\"'",
]


@pytest.mark.parametrize("sql", ESCAPES)
def test_everything_else_is_refused(hotels: Hotels, tmp_path: Path, sql: str) -> None:
    """Writes, other files, pragmas, second statements and nonsense are refused, and nothing changes."""
    reader, target = hotels.reader("east"), tmp_path / "escaped"
    before = _files(tmp_path)
    with pytest.raises(ToolRefused) as caught:
        reader.run_sql(sql.replace("FILE", str(target)))
    assert str(caught.value)
    assert not target.exists()
    assert _files(tmp_path) == before
    assert len(reader.rooms()) == 1
    assert reader.taken("31", TODAY + dt.timedelta(days=1), TODAY + dt.timedelta(days=2))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM bookings",
        "SELECT * FROM rooms NATURAL JOIN bookings",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM sqlite_schema",
        "SELECT * FROM about",
        "SELECT * FROM guide_fts_content",
        "SELECT hex(block) AS b FROM guide_fts_data",
        "SELECT * FROM guide_fts WHERE guide_fts MATCH 'secretname OR sam'",
        "EXPLAIN QUERY PLAN SELECT * FROM bookings",
    ],
)
def test_nothing_readable_names_a_guest(reader: HotelReader, sql: str) -> None:
    """No table, schema or index that can be read holds a name or a reference."""
    said = repr(reader.run_sql(sql))
    assert not [secret for secret in SECRETS if secret.lower() in said.lower()]


@pytest.mark.parametrize("column", ["name", "surname", "reference", "offer_id"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT {0} FROM bookings",
        "SELECT {0} FROM bookings AS a FULL JOIN bookings AS b USING ({0})",
        "SELECT count(*) FROM bookings JOIN (SELECT 'Secretname' AS {0}) USING ({0})",
        "SELECT {0} FROM guests",
        "SELECT {0} FROM main.guests",
        "SELECT {0} FROM guests.guests",
        "SELECT 1 FROM bookings WHERE {0} > 'A'",
    ],
)
def test_no_way_of_asking_for_names_works(reader: HotelReader, column: str, sql: str) -> None:
    """Also the joins that SQLite answers without asking an authorizer find no such column."""
    with pytest.raises(ToolRefused):
        reader.run_sql(sql.format(column))


def test_the_hotels_file_holds_no_name(hotels: Hotels, offer: Callable[..., Offer]) -> None:
    """Not a byte of a branch's file, or of its log, is a guest's name, reference or offer's id."""
    made = offer("thread-0123456789", "3")
    booking = hotels.writer("north").book(made, "Maximiliane Musterfrau", "Musterfrau", today=TODAY)
    found = b"".join(path.read_bytes() for path in hotels.folder.glob("north.db*"))
    assert b"2026-12-11" in found
    for secret in (*SECRETS, "Musterfrau", "Maximiliane", booking.reference, "0123456789"):
        assert secret.encode() not in found


LOOP = "WITH RECURSIVE c(n, b) AS (SELECT 1, {0} UNION ALL SELECT n + 1, {0} FROM c) SELECT {1} FROM c"


@pytest.mark.parametrize(
    "sql",
    [
        LOOP.format("1", "count(*)"),
        LOOP.format("1", "group_concat(n)"),
        LOOP.format("1", "max(n)") + " WHERE n < 0",
        LOOP.format("randomblob(9000)", "n") + " ORDER BY b",
        LOOP.format("hex(zeroblob(4000))", "count(DISTINCT b || n)"),
        LOOP.format("hex(zeroblob(2000))", "sum(b LIKE '%0%0%0%0%0%0%0%0%0%0%0%1')"),
        LOOP.format("1", "json_group_array(b)"),
        LOOP.format("1", "json_group_object(n, b)"),
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n FROM c) SELECT n FROM c LIMIT 1 OFFSET 99999999",
        "SELECT count(*) FROM " + ", ".join(f"guide AS g{n}" for n in range(20)),
        "SELECT zeroblob(900000000)",
        "SELECT randomblob(900000000)",
        "SELECT length(zeroblob(900000000))",
        "SELECT replace(hex(zeroblob(4000)), '0', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
        "SELECT printf('%.*c', 900000000, 'x')",
        "SELECT format('%.*c', 900000000, 'x')",
        "SELECT " + " || ".join(["hex(zeroblob(1000))"] * 20),
        "SELECT group_concat(hex(zeroblob(4000))) FROM guide, guide AS g2",
        "SELECT " + ", ".join(["1"] * 200),
        "SELECT " + "(" * 200 + "1" + ")" * 200 + " + 1" * 200,
        " UNION ALL ".join(["SELECT 1"] * 40),
        "SELECT 1 " + " " * 100_000,
        "SELECT abs(" + ", ".join(["1"] * 100) + ")",
        "SELECT 1 WHERE 'a' LIKE '" + "%a" * 200 + "'",
    ],
)
def test_what_costs_too_much_is_refused(reader: HotelReader, sql: str) -> None:
    """Endless loops and huge values end in a refusal, with the memory of the process bounded."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ToolRefused):
        reader.run_sql(sql)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kilobytes


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("SELECT date('now') AS v", "2026-12-01"),
        ("SELECT date() AS v", "2026-12-01"),
        ("SELECT CURRENT_DATE AS v", "2026-12-01"),
        ("SELECT current_timestamp AS v", "2026-12-01 23:30:00"),
        ("SELECT date('NOW', 'start of month', '+1 month') AS v", "2027-01-01"),
        ("SELECT strftime('%Y/%m') AS v", "2026/12"),
        ("SELECT date('2026-02-28', '+1 day') AS v", "2026-03-01"),
        ("SELECT date('nonsense') AS v", None),
        ("SELECT julianday('2026-12-03') - julianday('2026-12-01') AS v", 2.0),
    ],
)
def test_now_is_the_desks(reader: HotelReader, sql: str, value: object) -> None:
    """SQL's 'now' is the desk's time in the hotels' zone; the other dates count as always."""
    now = dt.datetime(2026, 12, 1, 23, 30, tzinfo=ZoneInfo("Pacific/Auckland"))
    assert reader.run_sql(sql, now=now) == [{"v": value}]


@pytest.mark.parametrize("sql", ["SELECT date('now')", "SELECT current_time", "SELECT strftime('%Y')"])
def test_without_a_clock_now_is_refused(reader: HotelReader, sql: str) -> None:
    """The machine's clock never answers in the desk's place."""
    with pytest.raises(ToolRefused, match="no clock"):
        reader.run_sql(sql)


def test_rows_are_limited(reader: HotelReader) -> None:
    """An answer of many rows is cut at the limit, and says that it was."""
    sql = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {0}) SELECT n FROM c"
    rows = reader.run_sql(sql.format(1000))
    assert (len(rows), rows.cut) == (50, True)
    rows = reader.run_sql(sql.format(7), max_rows=7)
    assert (len(rows), rows.cut) == (7, False)


def test_characters_are_limited(reader: HotelReader) -> None:
    """Fifty rows of long texts are more than an answer may hold."""
    with pytest.raises(ToolRefused, match="too large"):
        reader.run_sql("SELECT hex(zeroblob(500)) FROM guide, guide AS g2, guide AS g3")


def test_the_time_limit_holds_by_itself(reader: HotelReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no limit on steps, seconds end a loop."""
    monkeypatch.setattr(readonly, "MAX_STEPS", 10**15)
    monkeypatch.setattr(readonly, "MAX_SECONDS", 0.05)
    with pytest.raises(ToolRefused, match="too long"):
        reader.run_sql(LOOP.format("1", "count(*)"))


def test_reasons_in_plain_words(reader: HotelReader) -> None:
    """A refusal says what was wrong, for the model that asked."""
    for sql, said in [
        ("DELETE FROM rooms", "only reading"),
        ("ATTACH ':memory:' AS x", "only reading"),
        ("SELECT 1; SELECT 2", "exactly one SELECT"),
        ("SELECT colour FROM rooms", "no such column: colour"),
        (LOOP.format("1", "count(*)"), "too long"),
    ]:
        with pytest.raises(ToolRefused, match=said):
            reader.run_sql(sql)


def test_a_locked_or_missing_database_is_the_desks_fault(hotels: Hotels) -> None:
    """When the file itself fails it is a StorageError, not a refusal of the model's query."""
    (hotels.folder / "east.db").unlink()
    with pytest.raises(StorageError):
        hotels.reader("east").run_sql("SELECT 1")
    (hotels.folder / "east.db").write_bytes(b"no database at all " * 500)
    with pytest.raises(StorageError):
        hotels.reader("east").run_sql("SELECT 1")
    with pytest.raises(StorageError):
        hotels.reader("east").rooms()


def test_the_desks_own_reader_cannot_write(hotels: Hotels) -> None:
    """The connection behind the desk's own questions is read-only as well."""
    with pytest.raises(StorageError), readonly.reading(hotels.folder / "east.db") as connection:
        connection.execute("DELETE FROM rooms")


def test_readers_during_a_write(hotels: Hotels) -> None:
    """Twenty threads read while a writer holds its transaction open; none waits, none fails."""
    connection = sqlite3.connect(hotels.folder / "east.db", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE rooms SET rate = 1")
    rates: list[object] = []
    sql = "SELECT rate FROM rooms"
    threads = [
        threading.Thread(target=lambda: rates.append(hotels.reader("east").run_sql(sql)[0]["rate"]))
        for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    connection.execute("ROLLBACK")
    connection.close()
    assert rates == [200] * 20


def _files(folder: Path) -> dict[str, str]:
    """The databases' bytes; an empty log, and the log's index, appear with every reader."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm") and path.stat().st_size
    }
