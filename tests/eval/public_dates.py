"""Scores how dates and parties are read from real utterances, where the public data is there.

The data stays outside the repository. `nlupp_hotels.jsonl` has hotel guests' English with dates and people
counted from 15 March 2022; `recognizers/dates.jsonl` has dates that a booking can contain, by language.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desk.languages import Language, load_languages
from desk.reading.almanac import add_months
from desk.reading.dates import read_dates
from desk.reading.people import read_people

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = dt.date(2022, 3, 15)  # what the utterances' relative dates are counted from
# The data's names of languages, for those whose tables the desk has.
NAMES = {
    "Arabic": "ar", "Chinese": "zh", "Dutch": "nl", "English": "en", "French": "fr", "German": "de", "Hindi": "hi",
    "Italian": "it", "Japanese": "ja", "Korean": "ko", "Portuguese": "pt", "Spanish": "es", "Turkish": "tr",
}  # fmt: skip
_MONTH = re.compile("jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", re.IGNORECASE)
_SLOTS = ("date", "date_from", "date_to")


def score(data_dir: Path) -> dict[str, Any]:
    """Read every utterance.

    Returns, of each file that is there: `dates` and `people` {rows, hits, rate, missed: [(text, wanted, got)]} of
    the utterances with such slots, and `recognizers` {language code: the same} of the rows marked `booking`.
    A date counts when the day named is the stay's day in that role, or one of the days that the words state.
    """
    languages = load_languages(ROOT / "data", ROOT / "data" / "hotels")
    result: dict[str, Any] = {}
    utterances = _rows(data_dir / "nlupp_hotels.jsonl")
    if utterances:
        result["dates"] = _count([_date_row(row, languages["en"]) for row in utterances])
        result["people"] = _count([_people_row(row, languages["en"]) for row in utterances])
    dated = [row for row in _rows(data_dir / "recognizers" / "dates.jsonl") if row["booking"]]
    for name, code in NAMES.items():
        rows = [row for row in dated if row["lang"] == name]
        if rows and code in languages:
            scored = _count([_recognizer_row(row, languages[code]) for row in rows])
            result.setdefault("recognizers", {})[code] = scored
    return result


Scored = tuple[str, str, str, bool] | None


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _count(scored: list[Scored]) -> dict[str, Any]:
    rows = [row for row in scored if row is not None]
    missed = [row[:3] for row in rows if not row[3]]
    hits = len(rows) - len(missed)
    return {"rows": len(rows), "hits": hits, "rate": hits / max(1, len(rows)), "missed": missed}


def _day(slot: Mapping[str, Any]) -> dt.date:
    return dt.date(**slot["value"])


def _date_row(row: Mapping[str, Any], language: Language) -> Scored:
    slots = {name: slot for name, slot in row.get("slots", {}).items() if name in _SLOTS}
    if not slots:
        return None
    wanted = {name: _day(slot) for name, slot in slots.items()}
    if "date_from" in wanted and "date_to" in wanted:
        wanted["date_to"] = _later(wanted["date_to"], wanted["date_from"], slots["date_to"]["text"])
    got = read_dates(row["text"], language, REFERENCE)
    roles = {"date": None, "date_from": got.arrival, "date_to": got.departure}
    good = all(
        day == roles[name] or (roles[name] is None and day in got.stated) for name, day in wanted.items()
    )
    # A first date may be stated without being the arrival: "a table on the 5th", "after Tuesday".
    good = good or (list(wanted) != ["date_to"] and set(wanted.values()) <= set(got.stated))
    return row["text"], str(wanted), str(got), good


def _later(day: dt.date, start: dt.date, text: str) -> dt.date:
    """A departure after its arrival: the data resolves each alone, "Monday to Thursday" to a Thursday before."""
    while day <= start:
        if "day" in text.lower() and not re.search(r"\d", text):
            day += dt.timedelta(days=7)
        else:
            day = add_months(day, 12 if _MONTH.search(text) else 1)
    return day


def _people_row(row: Mapping[str, Any], language: Language) -> Scored:
    slots = row.get("slots", {})
    if "value" in slots.get("people", {}):
        wanted = slots["people"]["value"]
    elif "adults" in slots or "kids" in slots:
        wanted = sum(slots[name]["value"] for name in ("adults", "kids") if name in slots)
    else:
        return None
    got = read_people(row["text"], language)
    return row["text"], str(wanted), str(got), (got or 0) == wanted


def _recognizer_row(row: Mapping[str, Any], language: Language) -> Scored:
    reference = dt.date.fromisoformat(row["reference"][:10])
    spans = [
        (dt.date.fromisoformat(value.get("start") or value["value"]), value.get("end"))
        for value in row["results"][0]["values"]
    ]
    # Of the past and the future reading that the data gives, a booking means the one to come.
    start, end = next((span for span in spans if span[0] >= reference), spans[-1])
    got = read_dates(row["input"], language, reference)
    good = start in (got.arrival, *got.stated) and (end is None or str(got.departure) == end)
    return row["input"], f"{start} {end}", str(got), good
