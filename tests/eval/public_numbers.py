"""Scores the check on amounts in translations, where the public data is there; it stays outside the repository.

`numbers_replaced.jsonl` has sentences of ten languages with a true translation into English and the same with a
number changed. A changed one that is found is caught; a true one that is refused is a false alarm. All rows
had been read before; while the tables were made only failures among the even ids were looked at and mended.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from desk.reading.amounts import Numbers, different_amounts, read_numbers
from desk.reading.amounts.order import in_order

ROOT = Path(__file__).resolve().parents[2]
# The data's names of languages.
NAMES = {
    "chinese_simple": "zh", "czech": "cs", "french": "fr", "german": "de", "hindi": "hi", "italian": "it",
    "japanese": "ja", "polish": "pl", "russian": "ru", "spanish": "es",
}  # fmt: skip

Differs = Callable[[Mapping[str, Any], str, Numbers], bool]


def score(data_dir: Path) -> dict[str, Any]:
    """Compare every source with its two translations.

    Returns `built_on` (even ids) and `not_built_on` (odd ids), each {rows, caught, false_alarms, missed, wrong};
    `caught` and `false_alarms` are shares, `missed` and `wrong` the sentences. Both compare amounts in any order;
    `in_order` is of all rows as quotations are checked, with the order and the units.
    """
    path = data_dir / "numbers_replaced.jsonl"
    if not path.exists():
        return {"missing": str(path)}
    numbers = read_numbers(ROOT / "data" / "languages" / "numbers.toml")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    halves = {"built_on": 0, "not_built_on": 1}
    found = {
        name: _scored([r for r in rows if r["id"] % 2 == odd], numbers, _differs)
        for name, odd in halves.items()
    }
    return {**found, "in_order": _scored(rows, numbers, _differs_in_order)}


def _scored(rows: Sequence[Mapping[str, Any]], numbers: Numbers, differs: Differs) -> dict[str, Any]:
    missed = [row["pert_sent"] for row in rows if not differs(row, "pert_sent", numbers)]
    wrong = [row["mt_sent"] for row in rows if differs(row, "mt_sent", numbers)]
    count = max(1, len(rows))
    return {
        "rows": len(rows),
        "caught": 1 - len(missed) / count,
        "false_alarms": len(wrong) / count,
        "missed": missed,
        "wrong": wrong,
    }


def _differs(row: Mapping[str, Any], translation: str, numbers: Numbers) -> bool:
    code = NAMES.get(row["lang_tag"], row["lang_tag"])
    return bool(different_amounts(row["src_sent"], code, row[translation], "en", numbers))


def _differs_in_order(row: Mapping[str, Any], translation: str, numbers: Numbers) -> bool:
    code = NAMES.get(row["lang_tag"], row["lang_tag"])
    same = in_order(row["src_sent"], code, row[translation], "en", numbers)
    return not same or _differs(row, translation, numbers)
