"""What a desk has stored, in bytes, by kind of storage."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

KINDS = {"checkpoints.db": "checkpoints", "desk.db": "turn log"}  # the rest are the hotels' databases


def stored_bytes(home: Path) -> Counter[str]:
    """The sizes of a DESK_HOME's files by kind, once write-ahead logs have been taken in. For a desk at rest."""
    sizes: Counter[str] = Counter()
    for path in home.rglob("*.db"):
        with closing(sqlite3.connect(path)) as connection:
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            assert busy == 0, f"{path.name} is in use"
        sizes[KINDS.get(path.name, "hotels")] += path.stat().st_size
    return sizes
