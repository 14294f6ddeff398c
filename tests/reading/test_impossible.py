"""Wishes that nobody can fulfil are told as what they are, and what is like them is read as before."""

from __future__ import annotations

import datetime as dt

import pytest

from desk.languages import Language
from desk.pack import Pack
from desk.reading.ask import Ask, read_ask
from desk.records import Stay

WRONG = [
    ("en", "from 3 to 5 March 9999", "too_far"),
    ("en", "a room on 05.01.9999", "too_far"),
    ("en", "in the year 0 from 5 to 7 January", "no_such_date"),
    ("en", "a room on 5 January 1812", "past"),
    ("en", "from 32 January to 3 February", "no_such_date"),
    ("en", "the 45th of April", "no_such_date"),
    ("en", "from 31 February on", "no_such_date"),
    ("en", "400 nights from 5 January please", "too_long"),
    ("en", "a room for 90 weeks from 5 January", "too_long"),
    ("en", "from 5 January 2027 to 5 January 2029", "too_long"),
    ("en", "0 nights from 5 January", "no_nights"),
    ("en", "zero nights from 5 January", "no_nights"),
    ("en", "1.5 nights from 5 January", "part_night"),
    ("en", "two and a half nights from 5 January", "part_night"),
    ("en", "a room for 0 people from 5 to 7 January", "no_guests"),
    ("en", "zero guests, 5 to 7 January", "no_guests"),
    ("en", "from 5 January to 5 January", "departure_first"),
    ("de", "vom 3. bis 5. März 9999", "too_far"),
    ("de", "im Jahr 12027 ein Zimmer", "too_far"),
    ("de", "am 45. März", "no_such_date"),
    ("de", "vom 31. Februar bis 3. März", "no_such_date"),
    ("de", "500 Nächte ab 5. Januar", "too_long"),
    ("de", "0 Nächte ab 5. Januar", "no_nights"),
    ("de", "1,5 Nächte ab 5. Januar", "part_night"),
    ("de", "anderthalb Nächte ab dem 5. Januar", "part_night"),
    ("de", "für null Gäste vom 5. bis 7. Januar", "no_guests"),
    ("de", "für 0 Personen vom 5. bis 7. Januar", "no_guests"),
    ("de", "vom 5. Januar bis 5. Januar", "departure_first"),
]
USABLE = [
    ("en", "5 to 7 January 2027 for 2 adults and 0 children"),
    ("en", "I stayed 400 days ago. Now from 5 to 7 January"),
    ("en", "from 5 to 7 January, our budget is 1,500 euros"),
    ("en", "from 5 to 7 January, room 104"),
    ("de", "vom 5. bis 7. Januar, um 18.30 Uhr sind wir da"),
    ("de", "vom 5. bis 7. Januar mit 0 Kindern und 2 Erwachsenen"),
]


@pytest.fixture
def read(languages: dict[str, Language], pack: Pack, today: dt.date):  # type: ignore[no-untyped-def]
    """Reads messages in turn."""

    def reader(code: str, *texts: str) -> Ask:
        stay = Stay()
        for text in texts:
            ask = read_ask(text, text, languages[code], languages["en"], pack, stay, today)
            stay = ask.stay
        return ask

    return reader


@pytest.mark.parametrize(("code", "text", "problem"), WRONG)
def test_what_cannot_be_is_a_problem(read, code: str, text: str, problem: str) -> None:  # type: ignore[no-untyped-def]
    """The stay names what is wrong, and no other day is taken for the one that was said."""
    assert read(code, text).stay.problem == problem


@pytest.mark.parametrize(("code", "text"), USABLE)
def test_what_is_like_it_can_be(read, code: str, text: str) -> None:  # type: ignore[no-untyped-def]
    """Times, prices, rooms and ages are none of it."""
    stay = read(code, text).stay
    assert (stay.problem, stay.arrival, stay.departure) == (None, dt.date(2027, 1, 5), dt.date(2027, 1, 7))


def test_the_rest_holds_once_it_is_mended(read) -> None:  # type: ignore[no-untyped-def]
    """A usable length or party completes the dates that came with an impossible one."""
    nights = read("en", "1.5 nights from 5 January", "two nights then").stay
    assert (nights.problem, nights.departure) == (None, dt.date(2027, 1, 7))
    party = read("en", "a room for 0 people from 5 to 7 January", "we are two").stay
    assert (party.problem, party.departure, party.guests) == (None, dt.date(2027, 1, 7), 2)


@pytest.mark.parametrize("text", ["1000000 people, 5 to 7 January", "1,000,000 people from 5 to 7 January"])
def test_a_huge_party_is_read_as_it_is(read, text: str) -> None:  # type: ignore[no-untyped-def]
    """So the hotels can say that no room of theirs is for so many."""
    assert (read("en", text).stay.guests, read("en", text).stay.rooms) == (1_000_000, [])
