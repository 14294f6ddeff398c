"""The neighbourhood guide: what English words find in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk.errors import DataError
from desk.stores.places import Place, Places, load_places

GUIDE = """
[[place]]
name = "Café Belém"
category = "cafe"
tags = ["pastry", "coffee"]
area = "Belém"
transit_minutes = { north = 20 }

[[place]]
name = "Tasca do Rio"
category = "restaurant"
tags = ["seafood", "river view"]
walk_minutes = { north = 9, south = 2 }
area = "Ribeira"
address = "Rua 1"

[[place]]
name = "Horta"
category = "restaurant"
tags = ["vegetarian", "vegan"]
walk_minutes = { north = 5, south = 12 }
area = "Alfama"

[[place]]
name = "Cervejaria Sol"
category = "restaurant"
tags = ["seafood", "beer"]
transit_minutes = { north = 15, south = 15 }
area = "Belém"

[[place]]
name = "Tile Museum"
category = "museum"
tags = ["tiles", "history"]
walk_minutes = { north = 30, south = 25 }
area = "Alfama"
"""
WORDS = {
    "categories": {
        "restaurant": {"words": ["restaurant", "eat", "dinner", "places to eat"]},
        "cafe": {"words": ["cafe", "coffee shop"]},
        "museum": {"words": ["museum", "gallery"]},
        "pharmacy": {"words": ["pharmacy"]},
    }
}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A small guide."""
    path = tmp_path / "neighbourhood.toml"
    path.write_text(GUIDE, encoding="utf-8")
    return load_places(path, WORDS)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("Any good places to eat near the hotel?", ["Tasca do Rio", "Horta", "Cervejaria Sol"]),
        ("restaurants", ["Tasca do Rio", "Horta", "Cervejaria Sol"]),
        ("a vegetarian restaurant", ["Horta", "Tasca do Rio", "Cervejaria Sol"]),
        ("seafood", ["Tasca do Rio", "Cervejaria Sol"]),
        ("dinner in Belem", ["Cervejaria Sol", "Tasca do Rio", "Horta"]),
        ("What is there in Alfama?", ["Horta", "Tile Museum"]),
        ("How far is the Tile Museum?", ["Tile Museum"]),
        ("is there a pharmacy close by", []),
        ("Can you recommend a dentist?", []),
        ("", []),
        ("😊", []),
    ],
)
def test_search(places: Places, query: str, names: list[str]) -> None:
    """Category words choose the category, tags and parts of town the order, then the walk; or nothing."""
    assert [place.name for place in places.search(query)] == names


def test_search_within_categories(places: Places) -> None:
    """Categories given by the caller limit the search, whatever the words are."""
    assert [place.name for place in places.search("something nice", ["museum"])] == ["Tile Museum"]
    both = places.search("seafood", ["cafe", "museum"])
    assert [place.name for place in both] == ["Tile Museum", "Café Belém"]
    assert places.search("seafood", ["pharmacy"]) == []


def test_limit_and_hotel(places: Places) -> None:
    """The nearest to the guest's own hotel come first, at most as many as asked."""
    assert [place.name for place in places.search("eat", limit=1)] == ["Tasca do Rio"]
    assert [place.name for place in places.search("eat", limit=1, near="north")] == ["Horta"]


def test_ways(places: Places) -> None:
    """The way to a place is that from one hotel, or from the nearest."""
    tasca = places.search("Tasca do Rio")[0]
    assert (tasca.walk("north"), tasca.walk(), tasca.walk("west"), tasca.transit()) == (9, 2, None, None)
    sol = places.search("Cervejaria Sol")[0]
    assert (sol.walk(), sol.transit("south")) == (None, 15)


def test_defaults() -> None:
    """A place needs no more than a name and a category."""
    assert Places((Place("X", "bar"),), {"bar": ("drink",)}).search("a drink") == [Place("X", "bar")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[place]]\nname = 'X'\n", "place 1 needs a category"),
        ("[[place]]\nname = 'X'\ncategory = 'bar'\nwalk_minutes = 4\n", "X: walk_minutes"),
    ],
)
def test_a_broken_guide(tmp_path: Path, text: str, said: str) -> None:
    """A broken guide is one line with the file and the place."""
    path = tmp_path / "neighbourhood.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        load_places(path, WORDS)
