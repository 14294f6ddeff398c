"""A pack: the folder that declares a desk, with its branches in priority order.

The number of branches comes from `pack.toml` alone; the first one listed is recommended first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from desk.errors import DataError
from desk.languages import read_toml
from desk.pack_files import read_guide

# A branch's id names its database file and its message key, so it is kept to what both allow.
BRANCH_ID = re.compile(r"[a-z][a-z0-9_]{0,30}")
PREFIX = re.compile(r"[A-Z]{2,4}")
CURRENCY = re.compile(r"[A-Z]{3}")
RESERVED_IDS = {"guests"}  # the database of guests' names stands beside the branches' own


@dataclass(frozen=True)
class Branch:
    """One hotel. `prefix` begins its booking references; `aliases` are other names guests use for it.

    `phone` and `address` come from its house guide and are empty when that has none.
    """

    id: str
    name: str
    prefix: str
    aliases: tuple[str, ...]
    folder: Path
    phone: str = ""
    address: str = ""


@dataclass(frozen=True)
class Pack:
    """A desk's subject: its branches in priority order, its city, currency (ISO 4217) and time zone.

    `small_words` are English words that alone find nothing in a house guide ("the", "what").
    """

    id: str
    name: str
    city: str
    currency: str
    zone: ZoneInfo
    branches: tuple[Branch, ...]
    folder: Path
    small_words: frozenset[str] = frozenset()

    def branch(self, branch_id: str) -> Branch:
        """The branch with this id. Raises KeyError for an id the pack does not have."""
        for branch in self.branches:
            if branch.id == branch_id:
                return branch
        raise KeyError(branch_id)


def load_pack(folder: Path) -> Pack:
    """The pack in `folder`. Raises DataError, naming the file and what is wrong in it."""
    path = folder / "pack.toml"
    table = read_toml(path)
    branches = tuple(_branch(path, row) for row in _branch_rows(path, table))
    for field in ("id", "name", "prefix"):
        _all_different(path, [getattr(branch, field) for branch in branches], field)
    return Pack(
        id=folder.resolve().name,
        name=_text(path, table, "name"),
        city=_text(path, table, "city"),
        currency=_matching(path, table, "currency", CURRENCY),
        zone=_zone(path, table),
        branches=branches,
        folder=folder,
        small_words=frozenset(str(table.get("small_words", "")).split()),
    )


def _branch_rows(path: Path, table: dict[str, Any]) -> list[dict[str, Any]]:
    rows = table.get("branch")
    if not isinstance(rows, list) or not rows:
        raise DataError(f"{path} has no [[branch]]: a desk needs at least one hotel")
    return rows


def _branch(path: Path, row: dict[str, Any]) -> Branch:
    branch_id = _matching(path, row, "id", BRANCH_ID)
    if branch_id in RESERVED_IDS:
        raise DataError(f"{path}: a branch cannot have the id {branch_id}")
    folder = path.parent / branch_id
    guide = {entry.kind: entry.values for entry in read_guide(folder)}
    return Branch(
        id=branch_id,
        name=_text(path, row, "name"),
        prefix=_matching(path, row, "prefix", PREFIX),
        aliases=tuple(str(alias) for alias in row.get("aliases", ())),
        folder=folder,
        phone=str(guide.get("phone", {}).get("phone", "")),
        address=str(guide.get("address", {}).get("address", "")),
    )


def _text(path: Path, table: dict[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"{path}: {key} is missing")
    return value


def _matching(path: Path, table: dict[str, Any], key: str, pattern: re.Pattern[str]) -> str:
    value = _text(path, table, key)
    if not pattern.fullmatch(value):
        raise DataError(f"{path}: {key} {value!r} must match {pattern.pattern}")
    return value


def _zone(path: Path, table: dict[str, Any]) -> ZoneInfo:
    name = _text(path, table, "zone")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise DataError(f"{path}: {name!r} is no time zone; Europe/Lisbon is one") from None


def _all_different(path: Path, values: list[str], field: str) -> None:
    folded = [value.casefold() for value in values]
    for value in folded:
        if folded.count(value) > 1:
            raise DataError(f"{path}: two branches have the {field} {value!r}")
