"""The small pack's hotels, made afresh for each test."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from desk.pack import Pack, load_pack
from desk.records import Offer
from desk.stores.hotel_schema import stay_total
from desk.stores.hotels import Hotels, open_hotels
from tests.stores.hotels.lisbon import PACK, TODAY

MINI = Path(__file__).parents[2] / "packs" / "mini"


@pytest.fixture
def pack() -> Pack:
    """The small pack: three branches."""
    return load_pack(MINI)


@pytest.fixture
def hotels(tmp_path: Path, pack: Pack) -> Hotels:
    """Its databases, first made on 1 December 2026."""
    return open_hotels(tmp_path, pack, TODAY)


@pytest.fixture
def lisbon(tmp_path: Path) -> Hotels:
    """The hotel pack's hotels, first made on 1 December 2026."""
    return open_hotels(tmp_path / "lisbon", load_pack(PACK), TODAY)


class Offers:
    """Makes the offers a test books."""

    def __call__(
        self, offer_id: str = "o1", room: str = "3", start: int = 10, nights: int = 2, **changed: object
    ) -> Offer:
        """An offer of a room of North Inn that is right in everything that is not `changed`."""
        rate = {"1": 50, "2": 89.99, "3": 110}.get(room, 110)
        arrival = TODAY + dt.timedelta(days=start)
        fields: dict[str, object] = {
            "id": offer_id,
            "hotel": "north",
            "room": room,
            "type": "Single" if room == "1" else "Double",
            "arrival": arrival,
            "departure": arrival + dt.timedelta(days=nights),
            "nights": nights,
            "guests": 1,
            "rate": rate,
            "total": stay_total(rate, nights),
            "currency": "CHF",
        }
        return Offer.model_validate(fields | changed)


@pytest.fixture
def offer() -> Offers:
    """A maker of offers."""
    return Offers()
