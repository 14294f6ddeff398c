"""Measure sentiment and de-escalation on public hotel reviews.

`python -m tests.eval.public_mood DATA` prints one JSON object. DATA is the folder with
`hotel_reviews_13lang.tsv`.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path

from desk.languages import Table, read_toml
from desk.models.rehearsal.tone import read_tone
from desk.mood import alarm, deescalates, is_plain_question, is_thanks
from desk.mood import score as polarity

ROOT = Path(__file__).resolve().parents[2]
FILE = "hotel_reviews_13lang.tsv"


def open_table() -> Table:
    """The pack's English lexicon of moods."""
    return read_toml(ROOT / "data" / "hotels" / "languages" / "en" / "mood.toml")


def calms(english: str, table: Table) -> bool:
    """Whether the desk de-escalates on this English text."""
    return deescalates(
        polarity(english),
        read_tone(english, table),
        alarm(english, table),
        question=is_plain_question(english, table),
        thanks=is_thanks(english),
    )


def score(data_dir: Path, column: str = "en", to_english: Callable[[str], str] = str) -> dict[str, object]:
    """Shares (0..1) of each gold label's rows that are de-escalated; {"missing": …} without the data.

    `column` is the language to read and `to_english` puts its texts into English. `negative_found` is also
    given for TextBlob's label alone, the anchor of the data's own description.
    """
    path = data_dir / FILE
    if not path.is_file():
        return {"missing": str(path)}
    table = open_table()
    with path.open(encoding="utf-8", newline="") as handle:
        rows = [
            (row["gold"], to_english(row[column]))
            for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]
    result: dict[str, object] = {"language": column}
    for gold in ("neg", "pos", "mixed", "neu"):
        texts = [text for label, text in rows if label == gold]
        result[f"rows_{gold}"] = len(texts)
        result[f"deescalated_{gold}"] = _share([calms(text, table) for text in texts])
        result[f"labelled_negative_{gold}"] = _share([polarity(text).label == "negative" for text in texts])
    return result


def _share(flags: list[bool]) -> float:
    return round(sum(flags) / len(flags), 4) if flags else 0.0


if __name__ == "__main__":
    print(json.dumps(score(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data"))))
