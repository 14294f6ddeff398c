"""Several rooms in one request, and several picked from those that were shown."""

from __future__ import annotations

import datetime as dt

import pytest

from desk.languages import Language
from desk.pack import Pack
from desk.reading.ask import Ask, read_ask, read_pick, read_picks
from desk.records import Fact, Stay

WANTED = [
    ("en", "two rooms from 1 to 3 February", [None, None]),
    ("en", "two Deluxe rooms", ["Deluxe", "Deluxe"]),
    ("en", "a Deluxe and a Standard room", ["Deluxe", "Standard"]),
    ("en", "two rooms: one Deluxe and one Standard", ["Deluxe", "Standard"]),
    ("en", "two rooms, both Deluxe", ["Deluxe", "Deluxe"]),
    ("en", "three rooms, one of them a Family Suite", ["Family Suite", None, None]),
    ("en", "3 rooms for 5 people", [None, None, None]),
    ("en", "two quiet double rooms", [None, None]),
    ("en", "two twin rooms and a family suite", [None, None, "Family Suite"]),
    ("en", "two of your Standard rooms", ["Standard", "Standard"]),
    ("en", "Deluxe x2", ["Deluxe", "Deluxe"]),
    ("en", "two Deluxe or two Superior rooms", [None, None]),
    ("de", "zwei Zimmer", [None, None]),
    ("de", "2 Standardzimmer und ein Superior", ["Standard", "Standard", "Superior"]),
    ("de", "drei Zimmer, zwei Standard und ein Deluxe", ["Standard", "Standard", "Deluxe"]),
    ("en", "two nights in a Deluxe", []),
    ("en", "two people need a room", []),
    ("en", "a room for two with two beds", []),
    ("en", "rooms 103 and 104", []),
    ("en", "two towels to room 101 please", []),
    ("en", "a Deluxe or a Standard?", []),
    ("en", "What is the difference between a Deluxe and a Standard room?", []),
    ("en", "the two rooms you showed me", []),
    ("de", "ein Zimmer für zwei Nächte", []),
    ("de", "Haben Sie noch ein Zimmer für zwei Personen?", []),
]


def _ask(languages: dict[str, Language], pack: Pack, today: dt.date, code: str, *texts: str) -> Ask:
    stay = Stay()
    for text in texts:
        ask = read_ask(text, text, languages[code], languages["en"], pack, stay, today)
        stay = ask.stay
    return ask


@pytest.mark.parametrize(("code", "text", "wanted"), WANTED)
def test_wanted(
    languages: dict[str, Language], pack: Pack, today: dt.date, code: str, text: str, wanted: list[str | None]
) -> None:
    """Rooms are counted with their types, and never taken from people, nights, things or room numbers."""
    ask = _ask(languages, pack, today, code, text)
    assert ask.stay.wanted == wanted
    assert ("wanted" in ask.fresh) == bool(wanted)
    if len(set(wanted)) > 1:
        assert ask.stay.type is None


FOLLOW_UPS = [
    ("en", ["two Deluxe rooms", "from 5 to 7 March"], ["Deluxe", "Deluxe"], "Deluxe"),
    ("en", ["two Deluxe rooms", "Superior rooms instead"], ["Superior", "Superior"], "Superior"),
    ("en", ["two Deluxe rooms", "just one room please"], [], None),
    ("en", ["two rooms", "one Deluxe is enough"], [], "Deluxe"),
    ("en", ["a Deluxe from 1 to 3 February", "make it two rooms"], ["Deluxe", "Deluxe"], "Deluxe"),
    (
        "en",
        ["a Deluxe from 1 to 3 February", "and one more Standard room"],
        ["Deluxe", "Standard"],
        None,
    ),
    ("de", ["zwei Deluxe-Zimmer", "doch nur ein Zimmer"], [], None),
    ("de", ["zwei Zimmer", "Ist das Frühstück dabei?"], [None, None], None),
]


@pytest.mark.parametrize(("code", "texts", "wanted", "type_"), FOLLOW_UPS)
def test_wanted_later(
    languages: dict[str, Language],
    pack: Pack,
    today: dt.date,
    code: str,
    texts: list[str],
    wanted: list[str | None],
    type_: str | None,
) -> None:
    """What was asked for holds until other rooms are asked for; one room again is one room."""
    stay = _ask(languages, pack, today, code, *texts).stay
    assert (stay.wanted, stay.type) == (wanted, type_ if wanted else stay.type)


def test_double_rooms_sleep_two_each(languages: dict[str, Language], pack: Pack, today: dt.date) -> None:
    """Two double rooms are for four, a single and a double for three."""
    assert _ask(languages, pack, today, "en", "two double rooms").stay.guests == 4
    assert _ask(languages, pack, today, "en", "a single and a double room").stay.guests == 3


def _free(hotel: str, room: str, type_: str, rate: float) -> Fact:
    return Fact(id=room, kind="room_free", hotel=hotel, room=room, type=type_, rate=rate, sleeps=2)


DELUXE = (_free("hotel1", "104", "Deluxe", 189), _free("hotel2", "108", "Deluxe", 175))
THREE = (
    _free("hotel1", "101", "Standard", 89),
    _free("hotel2", "105", "Standard", 85),
    _free("hotel2", "106", "Superior", 119),
)
PICKS = [
    ("en", "104 and 108", DELUXE, "104 108"),
    ("en", "108 and 104, please", DELUXE, "104 108"),
    ("en", "yes, both please", DELUXE, "104 108"),
    ("en", "Could you book both?", DELUXE, "104 108"),
    ("en", "the two Standard rooms", THREE, "101 105"),
    ("en", "all three", THREE, "101 105 106"),
    ("en", "the first and the third", THREE, "101 106"),
    ("en", "the first two", THREE, "101 105"),
    ("en", "the two cheapest", THREE, "101 105"),
    ("en", "both Standards and the Superior", THREE, "101 105 106"),
    ("en", "I'll take 101 and the Superior", THREE, "101 106"),
    ("en", "Harbour House and the Superior at Garden Court", THREE, "101 106"),
    ("de", "beide", DELUXE, "104 108"),
    ("de", "101 und 106 bitte", THREE, "101 106"),
    ("de", "die beiden Standardzimmer", THREE, "101 105"),
    ("de", "die ersten beiden", THREE, "101 105"),
    ("de", "101 sowie 106", THREE, "101 106"),
    ("de", "nein, keins von beiden", DELUXE, ""),
    ("de", "alle drei bitte", THREE, "101 105 106"),
    ("en", "108 please", DELUXE, "108"),
    ("en", "not both, just 104", DELUXE, "104"),
    ("en", "both", THREE, ""),
    ("en", "a Standard and the Superior", THREE, ""),
    ("en", "104 or 108?", DELUXE, ""),
    ("en", "Do both have a balcony?", DELUXE, ""),
    ("en", "neither", DELUXE, ""),
]


@pytest.mark.parametrize(("code", "text", "options", "rooms"), PICKS)
def test_picks(
    languages: dict[str, Language],
    pack: Pack,
    code: str,
    text: str,
    options: tuple[Fact, ...],
    rooms: str,
) -> None:
    """Several rooms by number, type, place or all together; as one is picked where one is meant."""
    tables = [languages[one] for one in dict.fromkeys((code, "en"))]
    picked = read_picks(text, text, options, pack, None, tables)
    assert " ".join(str(option.room) for option in picked) == rooms
    if len(picked) == 1:
        assert read_pick(text, text, options, pack, None, tables) == picked[0]
