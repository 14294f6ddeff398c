"""The hotel pack's own content: house guides and neighbourhood, and that every language can say all of it."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pytest
from babel.dates import format_date

from desk.languages import load_languages, read_toml
from desk.pack import load_pack
from desk.pack_files import GuideSeed, read_guide
from desk.records import Fact
from desk.wording import Catalogue

DATA = Path(__file__).resolve().parent.parent / "data"
LANGUAGES = load_languages(DATA, DATA / "hotels")
PACK = load_pack(DATA / "hotels")
WORDS = Catalogue(LANGUAGES, PACK)
CODES = sorted(LANGUAGES)
MONEY = LANGUAGES["en"].subject("guide")["money"]
GUIDES = {branch.id: read_guide(branch.folder) for branch in PACK.branches}
ENTRIES = [(branch, entry) for branch, guide in GUIDES.items() for entry in guide]
PLACES: list[dict[str, Any]] = read_toml(DATA / "hotels" / "neighbourhood.toml")["place"]
CATEGORIES: dict[str, Any] = LANGUAGES["en"].subject("places")["categories"]
KINDS = {
    "check_in", "check_out", "breakfast", "parking", "pets", "wifi", "accessibility",
    "cancellation", "children", "cots", "city_tax", "luggage", "late_arrival", "early_check_in",
    "late_check_out", "pool", "gym", "laundry", "smoking", "quiet_hours", "payment", "invoices",
    "lift", "air_conditioning", "room_service", "airport_transfer", "lost_property", "phone",
    "address",
}  # fmt: skip


def _said(branch: str, entry: GuideSeed, code: str) -> str:
    fact = Fact(id="f", kind="guide", hotel=branch, entry=entry.kind, values=entry.values)
    return WORDS.fact(fact, code)


def _texts(key: str, value: Any, code: str) -> list[str]:
    """What of a value must stand in the sentence; nothing for what only decides which sentence it is."""
    if isinstance(value, list):
        words = LANGUAGES[code].subject("guide").get("words", {})
        return [words.get(item, item) for item in value]
    if key in MONEY:
        return [WORDS.money(value, code)]
    if isinstance(value, bool) or key in ("currency", "pay", "due", "outside", "password_at"):
        return []
    if isinstance(value, str) and value.startswith("--"):
        return [
            format_date(
                dt.date(2000, int(value[2:]), 1), "LLLL", locale=LANGUAGES[code].table("language")["locale"]
            )
        ]
    if value == 1:
        return []  # "the first night", "every day"
    return [str(value)]


def test_every_kind_is_in_every_guide() -> None:
    """Both hotels answer the same questions, each with words by which its entry is found."""
    for guide in GUIDES.values():
        assert {entry.kind for entry in guide} >= KINDS
        assert all(len(entry.keywords.split()) >= 5 for entry in guide)
    assert len({frozenset(entry.kind for entry in guide) for guide in GUIDES.values()}) == 1


def test_the_hotels_differ() -> None:
    """A guide copied from the other hotel would hide which one answered."""
    first, second = ({entry.kind: entry.values for entry in guide} for guide in GUIDES.values())
    assert [kind for kind in first if first[kind] == second[kind]] == []


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(("branch", "entry"), ENTRIES, ids=[f"{b}-{e.kind}" for b, e in ENTRIES])
def test_every_entry_is_said_with_all_its_values(branch: str, entry: GuideSeed, code: str) -> None:
    """Sums, times, numbers, phones and names stand in the sentence, and the hotel's name does."""
    said = _said(branch, entry, code)
    assert PACK.branch(branch).name in said
    for key, value in entry.values.items():
        for text in _texts(key, value, code):
            assert text in said, (key, said)
    assert not re.search(r"[{}_]|None|True|False", said), said
    assert said.endswith(".")


@pytest.mark.parametrize("code", CODES)
def test_each_language_has_its_own_sentence(code: str) -> None:
    """No entry of a language falls back to English unnoticed, and each kind has a title."""
    for branch, entry in ENTRIES:
        assert code == "en" or _said(branch, entry, code) != _said(branch, entry, "en")
        assert entry.kind in LANGUAGES[code].subject("guide")["titles"]


def test_places_are_complete() -> None:
    """Each has a known category and its way from each hotel, and only what lasts is said of it."""
    assert len(PLACES) >= 70
    assert len({place["name"] for place in PLACES}) == len(PLACES)
    hotels = {branch.id for branch in PACK.branches}
    for place in PLACES:
        assert place["category"] in CATEGORIES
        ways = (place.get("walk_minutes", {}), place.get("transit_minutes", {}))
        assert set().union(*ways) == hotels
        assert not set(ways[0]) & set(ways[1])
        assert all(0 < minutes <= 90 for way in ways for minutes in way.values())
        assert place.keys() <= {
            "name",
            "category",
            "tags",
            "walk_minutes",
            "transit_minutes",
            "area",
            "address",
        }


@pytest.mark.parametrize("code", CODES)
def test_every_place_is_said(code: str) -> None:
    """With its category in the language's own word, its street and its distance."""
    table = LANGUAGES[code].subject("places")["categories"]
    assert table.keys() == CATEGORIES.keys()
    for place in PLACES:
        said = WORDS.fact(Fact(id="f", kind="place", hotel="hotel2", values=place), code)
        assert f"{place['name']} ({table[place['category']]['name']})" in said
        assert place.get("address", "") in said
        minutes = {**place.get("transit_minutes", {}), **place.get("walk_minutes", {})}["hotel2"]
        assert str(minutes) in said
        assert "Garden Court" in said


def test_categories_are_used_and_point_to_others() -> None:
    """Every category has a place, words, and no `wider` that leads nowhere."""
    assert {place["category"] for place in PLACES} == CATEGORIES.keys()
    for code in CODES:
        for row in LANGUAGES[code].subject("places")["categories"].values():
            assert row["words"]
            assert set(row.get("wider", [])) <= CATEGORIES.keys()
