"""The tools of one hotel's assistant: read-only, over that hotel's own database.

Dates and party come from the stay that code read in the guest's words. A tool called with other dates
answers with a refusal: no model can look up, and so state, dates that the guest never gave.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.tools import BaseTool, tool

from desk.pack import Branch
from desk.pack_files import Room
from desk.records import OVER_BUDGET, Fact, Stay, make_fact
from desk.stores.hotel_schema import stay_total
from desk.stores.hotels import HotelReader, Hotels
from desk.tools.offers import date_problem
from desk.tools.results import RunOf, answer, refuse

LISTED = 3  # rooms of one type that a listing names
NOT_ASKED = "the guest asked for no such room, and this hotel has none: leave it out"
HORIZON = 30  # days around the asked arrival in which the nearest free stay is looked for


def hotel_tools(branch: Branch, hotels: Hotels, currency: str) -> list[BaseTool]:
    """The four tools of this branch. Each answers JSON whose `facts` are the only things a reply may state."""
    reader = hotels.reader(branch.id)
    look = Look(branch, reader, currency)

    @tool
    def find_rooms(
        runtime: RunOf,
        arrival: dt.date | None = None,
        departure: dt.date | None = None,
        type: str | None = None,
        room: str | None = None,
    ) -> str:
        """Which rooms of this hotel are free for the guest's stay, with rates and totals, or why none is.

        Everything left out is taken from the stay that the guest asked for. Dates must be the guest's own.
        """
        stay = Stay.model_validate(runtime.state["stay"])
        if not guests_own((arrival, departure), runtime.state):
            return refuse("these dates are not the guest's: leave them out to use the guest's own")
        if not look.has(type, room, stay):
            return refuse(NOT_ASKED)
        asked = stay.model_copy(
            update={
                "arrival": arrival or stay.arrival,
                "departure": departure or stay.departure,
                "type": type or stay.type,
                "rooms": [room] if room else stay.rooms,
            }
        )
        cheapest = runtime.state["ask"]["superlative"] is not None
        today = runtime.context.parts.clock.today()
        return answer(look.rooms(runtime.context.turn, asked, today, every=cheapest))

    @tool
    def room_rates(runtime: RunOf, type: str | None = None, room: str | None = None) -> str:
        """What the rooms of this hotel cost per night and how many they sleep, whatever the dates."""
        stay = Stay.model_validate(runtime.state["stay"])
        if not look.has(type, room, stay):
            return refuse(NOT_ASKED)
        rooms = [room] if room else stay.rooms
        # The cheapest for four is none that sleeps two.
        if runtime.state["ask"]["superlative"] and not rooms:
            asked = stay.model_copy(update={"type": type or stay.type})
            return answer(look.fits_by_rate(runtime.context.turn, asked))
        facts = look.rates(runtime.context.turn, type or stay.type, rooms)
        limited = "budget" in runtime.state["ask"]["fresh"] and not rooms
        return answer(within_budget(facts, stay) if limited else facts)

    @tool
    def search_guide(runtime: RunOf, query: str) -> str:
        """What this hotel's house guide says about something: breakfast, parking, pets, check-out times."""
        return answer(look.guide(runtime.context.turn, query))

    @tool
    def run_sql(runtime: RunOf, sql: str) -> str:
        """Read this hotel's database with one SELECT: rooms(room, type, sleeps, rate), bookings(room, arrival,
        departure, status), guide(kind, details), guide_fts. Rows that name rooms come with those rooms' facts."""
        rows = reader.run_sql(sql, now=runtime.context.parts.clock.now())
        named = {str(row["room"]) for row in rows if row.get("room") is not None}
        return answer(
            look.rates(runtime.context.turn, None, sorted(named)) if named else [], rows=rows, cut=rows.cut
        )

    return [find_rooms, room_rates, search_guide, run_sql]


def within_budget(rates: Sequence[Fact], stay: Stay) -> list[Fact]:
    """The rates that the guest's budget allows; the lowest, marked as above it, when it allows none."""
    fits = [fact for fact in rates if fact.rate is None or stay.affords(fact.rate, stay.length)]
    if fits or not rates:
        return fits
    return [over_budget(min(rates, key=lambda fact: fact.rate or 0), stay)]


def over_budget(fact: Fact, stay: Stay) -> Fact:
    """The same room as the cheapest there is of what a guest asked for whose budget it exceeds."""
    kept = fact.model_dump(exclude={"id", "turn", "kind", "status", "values"}, exclude_none=True)
    typed = {"values": {"typed": True}} if stay.type else {}
    return make_fact(fact.turn, fact.kind, **kept, **typed, status=OVER_BUDGET)


def guests_own(days: Sequence[dt.date | None], state: Mapping[str, Any]) -> bool:
    """Whether the guest's own words ground each of these days."""
    return {day.isoformat() for day in days if day}.issubset(state.get("stated_dates", []))


class Look:
    """What one hotel's tools look up, as facts."""

    def __init__(self, branch: Branch, reader: HotelReader, currency: str) -> None:
        self._branch = branch
        self._reader = reader
        self._currency = currency

    def has(self, type: str | None, room: str | None, stay: Stay) -> bool:
        """Whether this type and this room are the guest's own words or exist: what a fact says of them, a
        reply says, and a model's words must not come that way."""
        known_type = (
            type is None or type == stay.type or type in stay.wanted or bool(self._reader.rooms(type))
        )
        return known_type and (room is None or room in stay.rooms or self._reader.room(room) is not None)

    def rooms(self, turn: int, stay: Stay, today: dt.date, every: bool = False) -> list[Fact]:
        """The facts about free rooms for this stay: rooms that are free, or why none is and what comes closest.

        Without dates, the rates. One night is assumed when only the arrival is known.
        """
        if stay.problem:
            return [date_problem(turn, stay)]
        if stay.arrival is None:
            return self.fits_by_rate(turn, stay)
        departure = stay.departure or stay.arrival + dt.timedelta(days=1)
        span = {"arrival": stay.arrival, "departure": departure, "guests": stay.guests}
        if stay.rooms:
            return [f for number in stay.rooms for f in self._numbered(turn, number, span, stay, today)]
        if stay.wanted:
            return self._several(turn, stay, span)
        impossible = self._impossible(turn, stay)
        if impossible:
            return [impossible]
        free = self._reader.free_rooms(stay.arrival, departure, type=stay.type, guests=stay.guests)
        if free:
            nights = stay.length if stay.period else (departure - stay.arrival).days
            fits = [room for room in free if stay.affords(room.rate, nights)]
            if not fits:
                cheapest = over_budget(self._free(turn, _cheapest(free), span, stay.period), stay)
                return [cheapest, *self._other_type(turn, stay, span)]
            free = fits
            listed = free if every else _shortlist(free, stay.type)
            return [self._free(turn, room, span, stay.period) for room in listed]
        none = make_fact(turn, "none_free", status="booked", hotel=self._branch.id, type=stay.type, **span)
        return [none, *self._nearest(turn, stay, span, today)]

    def rates(self, turn: int, type: str | None, numbers: Sequence[str] = ()) -> list[Fact]:
        """Rates a night: of the rooms numbered, else of the type, else of the whole house."""
        if numbers:
            found = [(number, self._reader.room(number)) for number in numbers]
            return [self._rate(turn, room) if room else self._no_room(turn, number) for number, room in found]
        rooms = self._reader.rooms(type)
        if not rooms and type:
            return [make_fact(turn, "none_free", status="no_such_type", hotel=self._branch.id, type=type)]
        return [self._rate(turn, room) for room in _shortlist(rooms, type)]

    def fits_by_rate(self, turn: int, stay: Stay) -> list[Fact]:
        """The rates of rooms that suit the type, the party and the budget, whatever the dates; or why none can."""
        impossible = self._impossible(turn, stay)
        if impossible and not stay.rooms:
            return [impossible]
        facts = self.rates(turn, stay.type, stay.rooms)
        large = [f for f in facts if not stay.guests or f.sleeps is None or f.sleeps >= stay.guests]
        return large if stay.rooms else within_budget(large, stay)

    def guide(self, turn: int, query: str) -> list[Fact]:
        """The guide's entries for a kind or for words; `no_guide` when it has nothing."""
        exact = self._reader.guide_entry(query.strip().lower().replace(" ", "_").replace("-", "_"))
        entries = [exact] if exact else self._reader.guide(query, limit=1)
        if not entries:
            # Without what was searched for: that is a model's wording, and two searches say the same.
            return [make_fact(turn, "no_guide", hotel=self._branch.id)]
        return [
            make_fact(
                turn,
                "guide",
                hotel=self._branch.id,
                entry=e.kind,
                values=dict(e.values),
                currency=self._currency,
            )
            for e in entries
        ]

    def _several(self, turn: int, stay: Stay, span: dict[str, Any]) -> list[Fact]:
        """Enough free rooms of each type for a wish for several, or which of them this hotel does not have."""
        listed: list[Fact] = []
        lacking: list[Fact] = []
        alone = {**span, "guests": None}
        for kind, count in Counter(stay.wanted).items():
            free = self._reader.free_rooms(span["arrival"], span["departure"], type=kind)
            if not self._reader.rooms(kind):
                what = {"hotel": self._branch.id, "type": kind}
                lacking.append(make_fact(turn, "none_free", status="no_such_type", **what))
            elif len(free) < count:
                few: dict[str, Any] = {"type": kind, "values": {"count": count}, **alone}
                lacking.append(make_fact(turn, "none_free", status="too_few", hotel=self._branch.id, **few))
            else:
                shown = [
                    room for each in _by_type(free) for room in each[: max(count, LISTED if kind else 1)]
                ]
                listed += [self._free(turn, room, alone, stay.period) for room in shown]
        return lacking or listed

    def _impossible(self, turn: int, stay: Stay) -> Fact | None:
        """Why this hotel can never serve the stay: it has no such type, or no room that sleeps so many."""
        rooms = self._reader.rooms(stay.type)
        what = {"hotel": self._branch.id, "type": stay.type, "guests": stay.guests}
        if not rooms:
            return make_fact(turn, "none_free", status="no_such_type", **what)
        if stay.guests and max(room.sleeps for room in rooms) < stay.guests:
            return make_fact(turn, "none_free", status="too_small", **what)
        return None

    def _numbered(
        self, turn: int, number: str, span: dict[str, Any], stay: Stay, today: dt.date
    ) -> list[Fact]:
        room = self._reader.room(number)
        if room is None:
            return [self._no_room(turn, number)]
        if self._reader.free_rooms(span["arrival"], span["departure"], room=number, guests=stay.guests):
            return [self._free(turn, room, span, stay.period)]
        if stay.guests and room.sleeps < stay.guests:
            what = {"hotel": self._branch.id, "type": room.type, "guests": stay.guests, "room": number}
            return [make_fact(turn, "none_free", status="too_small", **what)]
        taken = make_fact(
            turn, "room_taken", status="booked", hotel=self._branch.id, room=number, type=room.type, **span
        )
        return [taken, *self._nearest(turn, stay.model_copy(update={"type": room.type}), span, today)]

    def _nearest(self, turn: int, stay: Stay, span: dict[str, Any], today: dt.date) -> list[Fact]:
        """What comes closest: the same type on the nearest dates, else another type on the same dates."""
        arrival, departure = span["arrival"], span["departure"]
        if stay.period:
            return []
        near = self._reader.nearest_free(
            stay.type, arrival, (departure - arrival).days, HORIZON, today=today, guests=stay.guests
        )
        if near:
            room, day = near
            moved = {"arrival": day, "departure": day + (departure - arrival), "guests": stay.guests}
            return [self._priced(turn, "nearest", "other_dates", room, moved)]
        return self._other_type(turn, stay, span)

    def _other_type(self, turn: int, stay: Stay, span: dict[str, Any]) -> list[Fact]:
        """The first room of another type on the same dates that the budget allows, if a type was asked for."""
        if stay.period or not stay.type:
            return []
        arrival, departure = span["arrival"], span["departure"]
        free = self._reader.free_rooms(arrival, departure, guests=stay.guests)
        fits = [room for room in free if stay.affords(room.rate, (departure - arrival).days)]
        return [self._priced(turn, "nearest", "other_type", room, span) for room in fits[:1]]

    def _priced(self, turn: int, kind: Any, status: str, room: Room, span: dict[str, Any]) -> Fact:
        nights = (span["departure"] - span["arrival"]).days
        return make_fact(
            turn,
            kind,
            status=status,
            hotel=self._branch.id,
            room=room.room,
            type=room.type,
            sleeps=room.sleeps,
            nights=nights,
            rate=room.rate,
            total=stay_total(room.rate, nights),
            currency=self._currency,
            **span,
        )

    def _free(self, turn: int, room: Room, span: dict[str, Any], period: bool) -> Fact:
        fact = self._priced(turn, "room_free", "free", room, span)
        if not period:
            return fact
        kept = fact.model_dump(exclude={"id", "turn", "kind", "total", "nights"}, exclude_none=True)
        return make_fact(turn, "room_free", **kept)

    def _rate(self, turn: int, room: Room) -> Fact:
        return make_fact(
            turn,
            "room_rate",
            hotel=self._branch.id,
            room=room.room,
            type=room.type,
            sleeps=room.sleeps,
            rate=room.rate,
            currency=self._currency,
        )

    def _no_room(self, turn: int, number: str) -> Fact:
        return make_fact(turn, "no_such_room", hotel=self._branch.id, room=number)


def _shortlist(rooms: Sequence[Room], type: str | None) -> list[Room]:
    """A few rooms that show the choice: up to three of the type asked, else the cheapest of each type."""
    groups = _by_type(rooms)
    return [room for group in groups for room in group[: LISTED if type else 1]]


def _cheapest(rooms: Sequence[Room]) -> Room:
    return min(rooms, key=lambda room: (room.rate, room.room))


def _by_type(rooms: Sequence[Room]) -> list[list[Room]]:
    """The rooms of each type, the cheapest first."""
    groups: dict[str, list[Room]] = {}
    for room in sorted(rooms, key=lambda room: (room.rate, room.room)):
        groups.setdefault(room.type, []).append(room)
    return list(groups.values())
