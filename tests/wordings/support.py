"""Translators for tests: a truthful one for French, from data, and what it takes to make it lie."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desk.languages import read_toml

FRENCH = read_toml(Path(__file__).with_name("fr.toml"))
Row = dict[str, Any]
Lie = Callable[[str, str], str]  # of the English and the true French


def true_french(english: str, form: str = "") -> str | None:
    """What a truthful translator says."""
    table = FRENCH["forms"].get(form, {}) if form else FRENCH["patterns"]
    said: str | None = table.get(english)
    return said


def translated(rows: list[Row], lie: Lie = lambda english, told: told) -> list[Row]:
    """The answer to the patterns asked, in French; those that the data lacks stay English, and are refused."""
    found = []
    for row in rows:
        like = row.get("count")
        forms = ["other" if like != 1 else "one", "1", "one"] if like is not None else [""]
        told = next((said for form in forms if (said := true_french(row["english"], form))), None)
        text = lie(row["english"], told) if told is not None else row["english"]
        found.append({"number": row["number"], "text": text})
    return found


def arguments(rows: list[Row], lie: Lie = lambda english, told: told) -> str:
    """The same as the arguments of the answer's tool call."""
    return json.dumps({"patterns": translated(rows, lie)})
