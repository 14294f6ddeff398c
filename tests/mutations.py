"""Every line of the message catalogue in every language, worded with real facts, and what a liar makes of it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from desk.languages import Language, read_toml
from desk.pack import Branch, Pack
from desk.pack_files import Room, read_guide, read_rooms
from desk.records import RoomStay
from desk.wording import Catalogue
from desk.wording.fields import guide_fields
from desk.wording.formats import Money, Month, Span
from desk.wording.patterns import Block

PRICES, DATES, DROPPED, ADDED = (
    "two prices swapped",
    "a date shifted",
    "a negation dropped",
    "a negation added",
)
MUTATIONS = (PRICES, DATES, DROPPED, ADDED)
ARRIVAL, DEPARTURE = dt.date(2027, 2, 1), dt.date(2027, 2, 4)
DAY = dt.timedelta(days=1)


@dataclass(frozen=True)
class Line:
    """One line of the catalogue in one language, and its mutations by their kind."""

    code: str
    where: str  # "facts room_free 2": table, kind, number of the block
    true: str
    false: Mapping[str, tuple[str, ...]]


class Catalogued:
    """All lines of a pack's catalogue, in all its languages."""

    def __init__(self, languages: Mapping[str, Language], pack: Pack) -> None:
        """Nothing is worded yet."""
        self._languages = languages
        self._pack = pack
        self._catalogue = Catalogue(languages, pack)
        self._money = frozenset(languages["en"].subject("guide").get("money", ()))
        self._places = read_toml(pack.folder / "neighbourhood.toml")["place"]
        self._rooms = [(b, room) for b in pack.branches for room in read_rooms(b.folder)]
        self._guides = [(b.id, entry) for b in pack.branches for entry in read_guide(b.folder)]
        self.words = {code: self._catalogue._wording(code) for code in languages}

    def lines(self) -> Iterator[Line]:
        """Every block of every kind of fact and guide entry, and every frame, in every language."""
        for code, wording in self.words.items():
            for kind, blocks in wording.facts.items():
                for number, block in enumerate(blocks):
                    for branch, room in self._rooms[:: max(1, len(self._rooms) // 3)]:
                        yield self._line(
                            code, f"facts {kind} {number}", block, self._facts(branch, room, code)
                        )
            for kind, blocks in wording.guide.items():
                for number, block in enumerate(blocks):
                    yield self._line(code, f"guide {kind} {number}", block, self._guide(kind, block))
            for key, text in wording.frames.items():
                frame = Block({}, {"other": text})
                yield self._line(
                    code, f"frames {key} 0", frame, {"limit": 2000, "phones": self._pack.branches[0].phone}
                )

    def _line(self, code: str, where: str, block: Block, fields: Mapping[str, Any]) -> Line:
        true = self._say(code, block, fields)
        prices = [self._say(code, block, other) for other in _other_prices(fields, block)]
        dates = [self._say(code, block, other) for other in _other_dates(fields, block)]
        no = self._languages[code].table("prose").get("negations", [])
        false = {
            PRICES: prices,
            DATES: dates,
            DROPPED: _without(true, no),
            ADDED: _with(true, no),
        }
        return Line(code, where, true, {k: tuple(t for t in ts if t != true) for k, ts in false.items()})

    def _say(self, code: str, block: Block, fields: Mapping[str, Any]) -> str:
        return self._catalogue._say(block, fields, self.words[code])

    def _facts(self, branch: Branch, room: Room, code: str) -> dict[str, Any]:
        """All that a fact of this room can have, as the tools give it."""
        wording, catalogue = self.words[code], self._catalogue
        nights, phones = (DEPARTURE - ARRIVAL).days, tuple(f"{b.name} {b.phone}" for b in self._pack.branches)
        place = self._places[0]
        rates = [each.rate for _, each in self._rooms[:2]]
        ways = [(w, m, b.name) for b in self._pack.branches for w, m in _ways(place, b.id)]
        return {
            "hotel": branch.name, "room": room.room, "type": room.type, "sleeps": room.sleeps, "guests": 2,
            "arrival": ARRIVAL, "departure": DEPARTURE, "stay": Span(ARRIVAL, DEPARTURE), "nights": nights,
            "rate": self._sum(room.rate), "total": self._sum(room.rate * nights), "fee": self._sum(room.rate / 2),
            "rooms": self._two_rooms(code, rates), "other_rooms": self._two_rooms(code, rates[::-1]),
            "reference": "HH-1002", "name": place["name"], "area": place["area"],
            "address": "Rua de São Paulo 412", "category": wording.categories[place["category"]],
            "distances": wording.formats.listed(catalogue._distance(wording, *way) for way in ways),
            "title": "Castle", "url": "https://castle.example", "quote": "Open from 9:00, tickets €15.",
            "text": "Is there a pool?", "readings": wording.formats.date(ARRIVAL), "until": DEPARTURE, "count": 3,
            "request": next(iter(wording.requests.values())), "phone": branch.phone, "phones": phones,
            "staff_from": dt.time(7), "query": "pool",
        }  # fmt: skip

    def _two_rooms(self, code: str, rates: Sequence[float]) -> str:
        wording = self.words[code]
        rooms = [
            RoomStay(room=room.room, type=room.type, rate=rate, total=rate)
            for (_, room), rate in zip(self._rooms[:2], rates, strict=True)
        ]
        return wording.formats.listed(self._catalogue._room(wording, each, None) for each in rooms)

    def _guide(self, kind: str, block: Block) -> dict[str, Any]:
        """The values of a hotel's own entry that the block fits, else those of all entries together."""
        entries = [(branch, entry) for branch, entry in self._guides if entry.kind == kind]
        for branch, entry in entries:
            fields = guide_fields(branch, entry.values, self._pack, self._money)
            if block.fits(fields):
                return fields
        every = {k: v for _, entry in [*self._guides, *entries] for k, v in entry.values.items()}
        fields = guide_fields(self._guides[0][0], every, self._pack, self._money)
        missing = block.needs - fields.keys()
        assert not missing, f"guide {kind}: no hotel's guide has a value for {missing}"
        return fields

    def _sum(self, amount: float) -> Money:
        return Money(amount, self._pack.currency)


def _ways(place: Mapping[str, Any], branch: str) -> Iterator[tuple[str, int]]:
    for way in ("walk", "transit"):
        minutes = place.get(f"{way}_minutes", {}).get(branch)
        if minutes is not None:
            yield way, minutes


def _other_prices(fields: Mapping[str, Any], block: Block) -> Iterator[dict[str, Any]]:
    """Each two sums that the block names swapped; a single one that is another's; two rooms' rates swapped."""
    named = [key for key in dict.fromkeys(name for name, _ in block.placeholders()) if key in fields]
    sums = [key for key in named if isinstance(fields[key], Money)]
    for first, second in combinations(sums, 2):
        yield {**fields, first: fields[second], second: fields[first]}
    if len(sums) == 1:
        price = fields[sums[0]]
        yield {**fields, sums[0]: Money(price.amount + 30, price.currency)}
    if "rooms" in named and "other_rooms" in fields:
        yield {**fields, "rooms": fields["other_rooms"]}


def _other_dates(fields: Mapping[str, Any], block: Block) -> Iterator[dict[str, Any]]:
    """Each date that the block names a day later, a month by one; of a stay its beginning and its end."""
    for key in dict.fromkeys(name for name, _ in block.placeholders()):
        value = fields.get(key)
        if isinstance(value, Span):
            yield {**fields, key: Span(value.arrival + DAY, value.departure)}
            yield {**fields, key: Span(value.arrival, value.departure + DAY)}
        elif isinstance(value, dt.date):
            yield {**fields, key: value + DAY}
        elif isinstance(value, Month):
            yield {**fields, key: Month(value.number % 12 + 1)}


def _without(line: str, no: Sequence[str]) -> Iterator[str]:
    """The line without each of its words that say no."""
    for word in no:
        bare = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)\s?", "", line, count=1, flags=re.IGNORECASE)
        if bare != line:
            yield bare


def _with(line: str, no: Sequence[str]) -> Iterator[str]:
    """The line with a word that says no: after its second word, and in its middle."""
    words = line.split(" ")
    for at, word in product(sorted({min(2, len(words)), len(words) // 2}), no[:2]):
        yield " ".join([*words[:at], word, *words[at:]])
