"""The schema of the turn log, `DESK_HOME/desk.db`, as numbered migrations."""

from __future__ import annotations

from desk.stores.db import Migration

_THREADS = """
CREATE TABLE threads (
    id TEXT PRIMARY KEY,
    created TEXT NOT NULL,      -- the desk's time, ISO, with its zone
    locale TEXT,                -- what the browser says
    language TEXT,              -- of the newest answered turn
    chosen TEXT,                -- chosen by hand
    guest TEXT,                 -- "REF:SURNAME" as bound; whether it is right is checked at each turn
    flag TEXT                   -- why this thread needs a person
) WITHOUT ROWID
"""

_TURNS = """
CREATE TABLE turns (
    id INTEGER PRIMARY KEY,     -- order of arrival over all threads; what the log file names a turn by
    thread TEXT NOT NULL REFERENCES threads(id) ON DELETE CASCADE,
    turn INTEGER NOT NULL,      -- from 1 within the thread
    key TEXT,                   -- the sender's: the same key again is the same message
    text TEXT NOT NULL,
    locale TEXT,
    action TEXT,
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'stopped', 'failed', 'interrupted')),
    created TEXT NOT NULL,
    queued_at REAL NOT NULL,    -- the machine's time: DESK_TODAY differs from process to process
    owner TEXT,                 -- the worker that runs it
    lease_until REAL,           -- the machine's time
    attempt INTEGER NOT NULL DEFAULT 0,
    stop INTEGER NOT NULL DEFAULT 0,
    base TEXT,                  -- the checkpoint the turn began from, '' for none
    result TEXT,                -- the Turn object
    UNIQUE (thread, turn)
)
"""

_REQUESTS = """
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    thread TEXT NOT NULL,
    turn INTEGER NOT NULL,
    created TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    reason TEXT NOT NULL,
    urgent INTEGER NOT NULL,
    FOREIGN KEY (thread, turn) REFERENCES turns(thread, turn) ON DELETE CASCADE
)
"""

_FOLDS = """
CREATE TABLE folds (
    thread TEXT PRIMARY KEY REFERENCES threads(id) ON DELETE CASCADE,
    turn INTEGER NOT NULL,      -- the newest turn that the fold takes in
    payload TEXT NOT NULL       -- what the folding step needs to apply it
) WITHOUT ROWID
"""

MIGRATIONS = (
    Migration(
        1,
        "threads, turns, requests, folds",
        (
            _THREADS,
            _TURNS,
            "CREATE UNIQUE INDEX turns_by_key ON turns (thread, key) WHERE key IS NOT NULL",
            "CREATE INDEX open_turns ON turns (thread, turn) WHERE status IN ('queued', 'running')",
            _REQUESTS,
            "CREATE INDEX requests_by_turn ON requests (thread, turn)",
            _FOLDS,
        ),
    ),
    Migration(
        2,
        "every booking reference that a thread was bound to",
        (
            """
CREATE TABLE thread_references (
    thread TEXT NOT NULL REFERENCES threads(id) ON DELETE CASCADE,
    reference TEXT NOT NULL,
    PRIMARY KEY (thread, reference)
) WITHOUT ROWID
""",
            "CREATE INDEX threads_by_reference ON thread_references (reference)",
        ),
    ),
    Migration(
        3,
        "what each conversation cost, by day",
        (
            """
CREATE TABLE spending (
    id INTEGER PRIMARY KEY,
    thread TEXT NOT NULL REFERENCES threads(id) ON DELETE CASCADE,
    day TEXT NOT NULL,          -- the desk's date
    cost TEXT NOT NULL          -- exact decimal, in the currency of the price table
)
""",
            "CREATE INDEX spending_by_day ON spending (thread, day)",
        ),
    ),
)
