"""The desk's own neighbourhood guide: places near the hotels, found by English words.

Which words mean which category is data (`languages/en/places.toml`), so that a pack brings its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from desk.errors import DataError
from desk.languages import read_toml

# What a match is worth. The name of a place beats everything; a tag or the part of town decides between
# places of one category.
NAME_WEIGHT, CATEGORY_WEIGHT, TAG_WEIGHT, AREA_WEIGHT = 8, 4, 3, 3
FAR = 10_000  # sorts a place without a known way behind all others


@dataclass(frozen=True)
class Place:
    """One place. `walk_minutes` and `transit_minutes` are by branch id; one without a walk is a ride away."""

    name: str
    category: str
    tags: tuple[str, ...] = ()
    walk_minutes: Mapping[str, int] = field(default_factory=dict)
    transit_minutes: Mapping[str, int] = field(default_factory=dict)
    address: str = ""
    area: str = ""
    note: str = ""

    def walk(self, hotel: str | None = None) -> int | None:
        """Minutes on foot from this branch, or from the nearest one; None when it is too far to walk."""
        return _least(self.walk_minutes, hotel)

    def transit(self, hotel: str | None = None) -> int | None:
        """Minutes by public transport from this branch, or from the nearest one; None when not given."""
        return _least(self.transit_minutes, hotel)


@dataclass(frozen=True)
class Places:
    """The guide. `category_words` gives the English words for each category."""

    places: tuple[Place, ...]
    category_words: Mapping[str, tuple[str, ...]]

    def search(
        self, query: str, categories: Sequence[str] = (), limit: int = 3, *, near: str | None = None
    ) -> list[Place]:
        """At most `limit` places that fit an English question, the best first; empty when none fits.

        `categories` limits the search to these. Otherwise the categories that the words name do; when they
        name none, tags, names and parts of town decide. Of equally good places the one nearer to the branch
        `near` (or to any) comes first.
        """
        words = _words(query)
        wanted = set(categories) or self.named(query)
        scored = [(self._score(place, words, wanted), place) for place in self.places]
        found = [(score, place) for score, place in scored if score > 0]
        found.sort(key=lambda each: (-each[0], _distance(each[1], near), each[1].name))
        return [place for _, place in found[:limit]]

    def named(self, query: str) -> set[str]:
        """The categories that the words of the question name."""
        words = _words(query)
        return {category for category in self.category_words if self._names(category, words)}

    def _names(self, category: str, words: tuple[str, ...]) -> bool:
        names = (*self.category_words[category], category.replace("_", " "))
        return any(_contains(words, _listed(name)) for name in names)

    def _score(self, place: Place, words: tuple[str, ...], wanted: set[str]) -> int:
        """How well a place fits; 0 for one that does not. A place asked for by its name always fits."""
        name = NAME_WEIGHT if _contains(words, _listed(place.name)) else 0
        tags = sum(TAG_WEIGHT for tag in place.tags if _contains(words, _listed(tag)))
        area = AREA_WEIGHT if _contains(words, _listed(place.area)) else 0
        if not wanted:
            return name + tags + area
        return name + tags + area + CATEGORY_WEIGHT if place.category in wanted else name


def load_places(path: Path, words_table: Mapping[str, Any]) -> Places:
    """The guide in `path` (`[[place]]` tables), with the `categories` of a parsed `places.toml`.

    Raises DataError with the file and the place.
    """
    rows = read_toml(path).get("place", [])
    places = tuple(_place(path, number, row) for number, row in enumerate(rows, 1))
    words = {
        category: tuple(str(word) for word in entry.get("words", ()))
        for category, entry in words_table.get("categories", {}).items()
    }
    return Places(places, {**{place.category: () for place in places}, **words})


def _place(path: Path, number: int, row: Mapping[str, Any]) -> Place:
    for key in ("name", "category"):
        if not isinstance(row.get(key), str) or not row[key]:
            raise DataError(f"{path}: place {number} needs a {key}")
    return Place(
        name=row["name"],
        category=row["category"],
        tags=tuple(str(tag) for tag in row.get("tags", ())),
        walk_minutes=_minutes(path, row, "walk_minutes"),
        transit_minutes=_minutes(path, row, "transit_minutes"),
        address=str(row.get("address", "")),
        area=str(row.get("area", "")),
        note=str(row.get("note", "")),
    )


def _minutes(path: Path, row: Mapping[str, Any], key: str) -> dict[str, int]:
    minutes = row.get(key, {})
    if not isinstance(minutes, dict) or not all(isinstance(each, int) for each in minutes.values()):
        raise DataError(f"{path}: {row['name']}: {key} gives whole minutes for each branch")
    return minutes


def _least(minutes: Mapping[str, int], hotel: str | None) -> int | None:
    return minutes.get(hotel) if hotel else min(minutes.values(), default=None)


def _distance(place: Place, near: str | None) -> tuple[int, int]:
    """Sorts by the walk; what is a ride away comes after what can be walked to."""
    walk, transit = place.walk(near), place.transit(near)
    return (FAR if walk is None else walk, FAR if transit is None else transit)


def _words(text: str) -> tuple[str, ...]:
    """The words of a text without case, accents and plural endings: "Cafés" and "cafe" are the same word."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("_", " "))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return tuple(_singular(word) for word in re.findall(r"\w+", letters))


@lru_cache(maxsize=4096)
def _listed(text: str) -> tuple[str, ...]:
    """`_words` of the guide's own texts, which are the same at every search. Never of a guest's words."""
    return _words(text)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _contains(words: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Whether the words of `phrase` stand in `words`, together and in order."""
    size = len(phrase)
    return size > 0 and any(words[at : at + size] == phrase for at in range(len(words) - size + 1))
