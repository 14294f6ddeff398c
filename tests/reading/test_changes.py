"""Wishes that change the stay asked for before: longer, shorter, earlier, later, other days of its month."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies

from desk.languages import Language
from desk.pack import Pack
from desk.reading.ask import Ask, read_ask
from desk.reading.shifts import read_shift
from desk.records import Stay

Read = Callable[..., Ask]
BEFORE = Stay(arrival=dt.date(2027, 2, 1), departure=dt.date(2027, 2, 3), type="Deluxe")


@pytest.fixture
def ask(languages: dict[str, Language], pack: Pack, today: dt.date) -> Read:
    """Reads one message after a stay from 1 to 3 February 2027, or after another one."""

    def read(code: str, text: str, previous: Stay = BEFORE) -> Ask:
        return read_ask(text, text, languages[code], languages["en"], pack, previous, today)

    return read


def _days(stay: Stay) -> str:
    """The stay as "2-1 2-4" (month-day), or its problem."""
    if stay.problem:
        return stay.problem
    return " ".join(f"{day.month}-{day.day}" for day in (stay.arrival, stay.departure) if day)


CHANGES = [
    ("en", "no, one night longer", "2-1 2-4"),
    ("en", "one more night please", "2-1 2-4"),
    ("en", "Could we stay an extra night?", "2-1 2-4"),
    ("en", "another two nights", "2-1 2-5"),
    ("en", "extend my booking by two nights", "2-1 2-5"),
    ("en", "a night less", "2-1 2-2"),
    ("en", "shorten the stay by one night", "2-1 2-2"),
    ("en", "arrive a day earlier", "1-31 2-3"),
    ("en", "leave a day later", "2-1 2-4"),
    ("en", "check out one day early", "2-1 2-2"),
    ("en", "arrive a day earlier and leave a day later", "1-31 2-4"),
    ("en", "arrive three days later", "2-4 2-6"),
    ("en", "a week later", "2-8 2-10"),
    ("en", "and the week after?", "2-8 2-10"),
    ("en", "the following week", "2-8 2-10"),
    ("en", "a month later", "3-1 3-3"),
    ("en", "two days earlier", "1-30 2-1"),
    ("en", "is the day before also possible?", "1-31 2-2"),
    ("en", "the next day instead?", "2-2 2-4"),
    ("en", "one week later, yes, one week later", "2-8 2-10"),
    ("en", "push it back by two days", "2-3 2-5"),
    ("en", "arrive a day earlier and stay four nights", "1-31 2-4"),
    ("en", "make it three nights", "2-1 2-4"),
    ("en", "extend it to four nights", "2-1 2-5"),
    ("en", "from 5 to 8 March, so one night longer", "3-5 3-8"),
    ("en", "three months earlier", "past"),
    ("en", "two nights less", "departure_first"),
    ("de", "noch eine Nacht dranhängen", "2-1 2-4"),
    ("de", "eine Nacht länger", "2-1 2-4"),
    ("de", "eine Nacht kürzer", "2-1 2-2"),
    ("de", "wir hängen eine ganze Woche dran", "2-1 2-10"),
    ("de", "Wir hätten gern zwei weitere Nächte", "2-1 2-5"),
    ("de", "bitte um eine Nacht verlängern", "2-1 2-4"),
    ("de", "auf drei Nächte verlängern", "2-1 2-4"),
    ("de", "einen Tag früher anreisen", "1-31 2-3"),
    ("de", "Wir reisen einen Tag später ab", "2-1 2-4"),
    ("de", "Wir reisen einen Tag früher an", "1-31 2-3"),
    ("de", "Wir würden gern einen Tag später abreisen", "2-1 2-4"),
    ("de", "eine Woche später", "2-8 2-10"),
    ("de", "und in der Woche darauf?", "2-8 2-10"),
    ("de", "zwei Tage früher", "1-30 2-1"),
    ("de", "am nächsten Tag stattdessen", "2-2 2-4"),
    ("de", "Verlängern Sie bitte um eine Nacht", "2-1 2-4"),
    ("de", "Eine Nacht reicht", "2-1 2-2"),
    ("de", "um einen Tag verschieben", "2-2 2-4"),
    ("de", "nein, lieber drei Nächte", "2-1 2-4"),
]


@pytest.mark.parametrize(("code", "text", "days"), CHANGES)
def test_change(ask: Read, code: str, text: str, days: str) -> None:
    """The stay is changed at the end that is meant, or moved; days and nights said outright count first."""
    read = ask(code, text)
    assert _days(read.stay) == days
    assert "departure" in read.fresh


NO_CHANGES = [
    ("en", "We were charged for an extra night"),
    ("en", "My friend arrived a day earlier than planned"),
    ("en", "How early can I check in?"),
    ("en", "Is a late check-out possible?"),
    ("en", "another room please"),
    ("en", "Is parking extra a day?"),
    ("en", "no more than two nights"),
    ("en", "I already paid for one more night"),
    ("de", "Wir sind einen Tag früher angereist"),
    ("de", "Darf ich später auschecken?"),
    ("de", "nicht länger als zwei Nächte"),
]


@pytest.mark.parametrize(("code", "text"), NO_CHANGES)
def test_no_change(ask: Read, code: str, text: str) -> None:
    """What is told, asked in general, or a limit changes nothing."""
    assert _days(ask(code, text).stay) == "2-1 2-3"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "one night longer"),
        ("en", "another night"),
        ("en", "a week later"),
        ("de", "noch eine Nacht"),
        ("de", "einen Tag früher anreisen"),
    ],
)
def test_nothing_to_change(ask: Read, code: str, text: str) -> None:
    """Without a stay asked for before, a change says nothing about days or nights."""
    read = ask(code, text, Stay())
    assert read.stay == Stay()
    assert not read.fresh
    assert read.shift


def test_change_of_a_known_stay(languages: dict[str, Language]) -> None:
    """A shift can be laid over any stay, such as that of a booking."""
    shift = read_shift("Can we leave a day later?", languages["en"])
    days = dt.date(2026, 12, 10), dt.date(2026, 12, 14)
    assert shift.of(*days) == (dt.date(2026, 12, 10), dt.date(2026, 12, 15))


def test_change_of_nights_and_spans(ask: Read) -> None:
    """Nights that wait for their day grow; a month or week asked for moves on as a whole."""
    grown = ask("en", "one night longer", Stay(length=2))
    assert grown.stay.length == 3
    span = Stay(arrival=dt.date(2027, 1, 1), departure=dt.date(2027, 2, 1), period=True)
    moved = ask("en", "and a month later?", span).stay
    assert (_days(moved), moved.period) == ("2-1 3-1", True)


DAYS = [
    ("en", "actually from the 2nd to the 5th", "2-2 2-5"),
    ("en", "and from the 10th?", "2-10 2-12"),
    ("en", "the 10th for one night", "2-10 2-11"),
    ("en", "from the 28th to the 3rd", "2-28 3-3"),
    ("en", "from the 30th to the 2nd", "1-30 2-2"),
    ("en", "we arrive on the 2nd instead", "2-2 2-3"),
    ("en", "arriving on the 31st instead", "1-31 2-3"),
    ("en", "until the 6th", "2-1 2-6"),
    ("en", "A Standard on 15 January?", "1-15"),
    ("de", "lieber vom 2. bis 5.", "2-2 2-5"),
    ("de", "und ab dem 10.?", "2-10 2-12"),
    ("de", "Geht auch der 12. bis 15.?", "2-12 2-15"),
    ("de", "Anreise am 2., Abreise am 6.", "2-2 2-6"),
]


@pytest.mark.parametrize(("code", "text", "days"), DAYS)
def test_days_of_the_month_asked_for(ask: Read, code: str, text: str, days: str) -> None:
    """A day without a month is in the month of the stay before; an arrival alone keeps the nights."""
    assert _days(ask(code, text).stay) == days


def test_days_that_are_past(ask: Read, today: dt.date) -> None:
    """In a month that has begun, a day that is over is the next one to come."""
    now = Stay(arrival=dt.date(2026, 12, 20), departure=dt.date(2026, 12, 22))
    assert _days(ask("en", "from the 1st to the 3rd", now).stay) == "12-1 12-3"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("from 5 to 3 March", "departure_first"),
        ("from 29 February to 2 March", "no_such_date"),
        ("from 3 to 5 November 2026", "past"),
        ("from 3 to 5 March 2029", "too_far"),
    ],
)
def test_problems_have_no_wrong_nights(ask: Read, text: str, problem: str) -> None:
    """Dates that cannot be used are a problem, and never give a number of nights below one."""
    stay = ask("en", text, Stay()).stay
    assert stay.problem == problem
    assert (stay.length or 1) > 0
    assert (stay.nights or 1) > 0


@settings(max_examples=100, deadline=None)
@given(
    offset=strategies.integers(0, 330),
    nights=strategies.integers(1, 20),
    count=strategies.integers(1, 14),
    wish=strategies.sampled_from(("nights longer", "nights less", "days later", "days earlier")),
)
def test_any_shift(
    languages: dict[str, Language],
    pack: Pack,
    today: dt.date,
    offset: int,
    nights: int,
    count: int,
    wish: str,
) -> None:
    """Over the calendar the days are those counted by hand, or the problem is said."""
    arrival = today + dt.timedelta(days=offset)
    before = Stay(arrival=arrival, departure=arrival + dt.timedelta(days=nights))
    text = f"{count} {wish}"
    stay = read_ask(text, text, languages["en"], languages["en"], pack, before, today).stay
    moved = {"days later": count, "days earlier": -count}.get(wish, 0)
    grown = {"nights longer": count, "nights less": -count}.get(wish, 0)
    assert stay.arrival == arrival + dt.timedelta(days=moved)
    assert stay.departure == stay.arrival + dt.timedelta(days=nights + grown)
    assert (stay.problem is None) == (stay.arrival >= today and nights + grown > 0)


DOUBTS = [
    ("en", ["07/08 for two nights", "7 August"], "8-7 8-9"),
    ("en", ["07/08 for two nights", "the first one"], "8-7 8-9"),
    ("en", ["07/08 for two nights", "July please"], "7-8 7-10"),
    ("en", ["07/08 for two nights", "the 7th"], "8-7 8-9"),
    ("en", ["07/08 for two nights", "the later one"], "8-7 8-9"),
    ("en", ["07/08", "for three nights", "8 July"], "7-8 7-11"),
    ("en", ["07/08", "Is breakfast included?", "the second"], "7-8"),
    ("en", ["07/08 to 09/08"], "ambiguous"),
    ("en", ["07/08 to 09/08", "August"], "8-7 8-9"),
    ("en", ["07/08", "neither, 10 May"], "5-10"),
    ("en", ["Friday 4 February to 9 February", "the 5th"], "2-5 2-9"),
    ("en", ["from 1 February to Friday 4 February", "the Friday"], "2-1 2-5"),
    ("de", ["Freitag, 4. Februar, zwei Nächte", "der 5. Februar"], "2-5 2-7"),
    ("de", ["Freitag, 4. Februar, zwei Nächte", "der erste Termin"], "2-4 2-6"),
]


@pytest.mark.parametrize(("code", "texts", "days"), DOUBTS)
def test_which_day_was_meant(ask: Read, code: str, texts: list[str], days: str) -> None:
    """Two possible days wait for the guest's word, with the nights or the departure that were said."""
    stay = Stay()
    for text in texts:
        stay = ask(code, text, stay).stay
    assert _days(stay) == days
    assert bool(stay.readings) == (stay.problem == "ambiguous")
