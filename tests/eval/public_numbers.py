"""Scores the check on amounts in translations, where the public data is there; it stays outside the repository.

`numbers_replaced.jsonl` has sentences of ten languages with a true translation into English and the same with a
number changed. A changed one that is found is caught; a true one that is refused is a false alarm. All rows
had been read before; while the tables were made only failures among the even ids were looked at and mended.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from desk.reading.amounts import Numbers, different_amounts, read_numbers

ROOT = Path(__file__).resolve().parents[2]
# The data's names of languages.
NAMES = {
    "chinese_simple": "zh", "czech": "cs", "french": "fr", "german": "de", "hindi": "hi", "italian": "it",
    "japanese": "ja", "polish": "pl", "russian": "ru", "spanish": "es",
}  # fmt: skip


def score(data_dir: Path) -> dict[str, Any]:
    """Compare every source with its two translations.

    Returns `built_on` (even ids) and `not_built_on` (odd ids), each {rows, caught, false_alarms, missed, wrong};
    `caught` and `false_alarms` are shares, `missed` and `wrong` the sentences.
    """
    path = data_dir / "numbers_replaced.jsonl"
    if not path.exists():
        return {"missing": str(path)}
    numbers = read_numbers(ROOT / "data" / "languages" / "numbers.toml")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    halves = {"built_on": 0, "not_built_on": 1}
    return {name: _half([r for r in rows if r["id"] % 2 == odd], numbers) for name, odd in halves.items()}


def _half(rows: Sequence[Mapping[str, Any]], numbers: Numbers) -> dict[str, Any]:
    missed = [row["pert_sent"] for row in rows if not _differs(row, "pert_sent", numbers)]
    wrong = [row["mt_sent"] for row in rows if _differs(row, "mt_sent", numbers)]
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
