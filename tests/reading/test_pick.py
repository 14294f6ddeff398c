"""Which of the offered rooms a guest picks, in English and German."""

from __future__ import annotations

import pytest

from desk.languages import Language
from desk.pack import Pack
from desk.reading.ask import read_pick
from desk.records import Fact


def _free(hotel: str, room: str, type: str, rate: float, sleeps: int = 2) -> Fact:
    return Fact(id=room, kind="room_free", hotel=hotel, room=room, type=type, rate=rate, sleeps=sleeps)


DELUXE = (_free("hotel1", "104", "Deluxe", 189), _free("hotel2", "108", "Deluxe", 175))
THREE = (
    _free("hotel1", "101", "Standard", 89),
    _free("hotel2", "105", "Standard", 85),
    _free("hotel2", "106", "Superior", 119, 3),
)
PICKS = [
    ("en", "Not Harbour House, Garden Court please", DELUXE, "108"),
    ("en", "no, Harbour House", DELUXE, "104"),
    ("en", "The one that costs 175", DELUXE, "108"),
    ("en", "Your first suggestion", DELUXE, "104"),
    ("de", "Das für 175 Euro", DELUXE, "108"),
    ("en", "the one at Garden Court", DELUXE, "108"),
    ("en", "The one at Garden Court, please. My name is Lena Novak.", DELUXE, "108"),
    ("en", "108 please", DELUXE, "108"),
    ("en", "I'll take room 104, thanks", DELUXE, "104"),
    ("en", "the first one", DELUXE, "104"),
    ("en", "let's go with the second", DELUXE, "108"),
    ("en", "the cheaper one", DELUXE, "108"),
    ("en", "the most expensive one", DELUXE, "104"),
    ("en", "the biggest one please", THREE, "106"),
    ("en", "Superior please", THREE, "106"),
    ("en", "the standard at garden court", THREE, "105"),
    ("en", "Can you book the Garden Court one?", DELUXE, "108"),
    ("en", "the Garden one", DELUXE, "108"),
    ("en", "Garden Court sounds better, book it please", DELUXE, "108"),
    ("en", "Reserve the Harbour House room under Anna Kowalska, please.", DELUXE, "104"),
    ("en", "book it for me", DELUXE[:1], "104"),
    ("de", "Das im Garden Court bitte, auf den Namen Jonas Weber.", DELUXE, "108"),
    ("de", "das erste", DELUXE, "104"),
    ("de", "Das günstigere bitte", DELUXE, "108"),
    ("de", "Ich nehme Zimmer 104", DELUXE, "104"),
    ("de", "Können Sie das im Garden Court reservieren?", DELUXE, "108"),
    ("de", "lieber Garden Court", DELUXE, "108"),
    ("de", "Dann das Superior-Zimmer", THREE, "106"),
]


def _pick(
    languages: dict[str, Language], pack: Pack, code: str, text: str, options: tuple[Fact, ...], *before: Fact
) -> str | None:
    tables = list(dict.fromkeys((code, "en")))
    picked = read_pick(
        text, text, options, pack, before[0] if before else None, [languages[one] for one in tables]
    )
    return picked.room if picked else None


@pytest.mark.parametrize(("code", "text", "options", "room"), PICKS)
def test_pick(
    languages: dict[str, Language], pack: Pack, code: str, text: str, options: tuple[Fact, ...], room: str
) -> None:
    """By hotel, number, type, place in the list or price, exactly one room is meant."""
    assert _pick(languages, pack, code, text, options) == room


NO_PICKS = [
    ("en", "Garden Court has a nice garden", DELUXE),
    ("en", "Garden Court? No, thanks", DELUXE),
    ("en", "Is the one at Garden Court bigger?", DELUXE),
    ("en", "both", DELUXE),
    ("en", "Book it for me.", DELUXE),
    ("en", "the Deluxe", DELUXE),
    ("en", "the other one", DELUXE),
    ("en", "Is there parking at Garden Court?", DELUXE),
    ("en", "Which one has a pool?", DELUXE),
    ("en", "104 or 108?", DELUXE),
    ("en", "109 please", DELUXE),
    ("en", "not the Garden Court one", DELUXE),
    ("en", "The breakfast at Garden Court was cold", DELUXE),
    ("en", "Book a taxi to Garden Court", DELUXE),
    ("en", "Tell me more about Garden Court please", DELUXE),
    ("en", "Thanks!", DELUXE[:1]),
    ("en", "What time is breakfast?", DELUXE[:1]),
    ("de", "Gibt es Parkplätze im Garden Court?", DELUXE),
    ("de", "Nicht das im Garden Court", DELUXE),
    ("de", "Bitte buchen", DELUXE),
]


@pytest.mark.parametrize(("code", "text", "options"), NO_PICKS)
def test_no_pick(
    languages: dict[str, Language], pack: Pack, code: str, text: str, options: tuple[Fact, ...]
) -> None:
    """A question, a mention, a refusal, or words that fit several rooms pick none."""
    assert _pick(languages, pack, code, text, options) is None


def test_the_other_one(languages: dict[str, Language], pack: Pack) -> None:
    """After a pick among two, the other one is the other."""
    assert _pick(languages, pack, "en", "No wait, the other one", DELUXE, DELUXE[0]) == "108"
    assert _pick(languages, pack, "en", "the other one please", DELUXE, DELUXE[0]) == "108"
    assert _pick(languages, pack, "de", "das andere", DELUXE, DELUXE[1]) == "104"
