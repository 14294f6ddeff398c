"""The repository's own languages and pack, read once; and the day that the examples are counted from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from desk.languages import Language, load_languages
from desk.pack import Pack, load_pack
from desk.reading.dates import DateReading, read_dates

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def languages() -> dict[str, Language]:
    return load_languages(ROOT / "data", ROOT / "data" / "hotels")


@pytest.fixture(scope="session")
def pack() -> Pack:
    return load_pack(ROOT / "data" / "hotels")


@pytest.fixture(scope="session")
def today() -> dt.date:
    return dt.date(2026, 12, 1)  # a Tuesday


@pytest.fixture(scope="session")
def dates(languages: dict[str, Language], today: dt.date) -> Callable[..., DateReading]:
    """Reads dates in the language of this code, counted from `today`."""

    def read(code: str, text: str, **known: object) -> DateReading:
        return read_dates(text, languages[code], today, **known)  # type: ignore[arg-type]

    return read
