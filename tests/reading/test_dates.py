"""Dates as guests write them, in English and German, counted from Tuesday 1 December 2026."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest

from desk.languages import Language
from desk.reading.dates import DateReading, read_dates

Read = Callable[..., DateReading]


def day(text: str) -> dt.date | None:
    """A date of the tables below; empty for none."""
    return dt.date.fromisoformat(text) if text else None


STAYS = [
    ("en", "I'd like to stay from Dec 27 - Jan 2", "2026-12-27", "2027-01-02"),
    ("en", "Wednesday, January 6th - Friday, January 8th", "2027-01-06", "2027-01-08"),
    ("en", "in a couple of months for a couple of nights", "2027-02-01", "2027-02-03"),
    ("en", "Friday and Saturday night", "2026-12-04", "2026-12-06"),
    ("en", "Tuesday week", "2026-12-15", ""),
    ("en", "the weekend of the 12th", "2026-12-11", "2026-12-13"),
    ("en", "I'd leave on the 3rd of February and arrive on the 1st", "2027-02-01", "2027-02-03"),
    ("en", "Can I stay until 5 January if I arrive on 2 January?", "2027-01-02", "2027-01-05"),
    ("de", "vom 3. auf den 4. März", "2027-03-03", "2027-03-04"),
    ("de", "In der Nacht vom 5. zum 6. Februar", "2027-02-05", "2027-02-06"),
    ("de", "Ich reise Freitag an, Sonntag wieder ab", "2026-12-04", "2026-12-06"),
    ("de", "Sonntag Abreise, Freitag Anreise", "2026-12-04", "2026-12-06"),
    ("de", "vom dritten bis zum sechsten März", "2027-03-03", "2027-03-06"),
    ("en", "in two months, for two nights", "2027-02-01", "2027-02-03"),
    ("en", "10 to 14 December", "2026-12-10", "2026-12-14"),
    ("en", "from 1 to 3 February", "2027-02-01", "2027-02-03"),
    ("de", "vom 1. bis 3. Februar", "2027-02-01", "2027-02-03"),
    ("de", "1.2. bis 3.2.", "2027-02-01", "2027-02-03"),
    ("de", "1.-3.2.2027", "2027-02-01", "2027-02-03"),
    ("en", "20-22 Jan", "2027-01-20", "2027-01-22"),
    ("en", "Feb 28th to March 1st", "2027-02-28", "2027-03-01"),
    ("en", "January 15th for one night", "2027-01-15", "2027-01-16"),
    ("en", "on 9 January for two nights", "2027-01-09", "2027-01-11"),
    ("en", "tomorrow", "2026-12-02", ""),
    ("de", "übermorgen", "2026-12-03", ""),
    ("de", "heute Nacht", "2026-12-01", "2026-12-02"),
    ("en", "tonight", "2026-12-01", "2026-12-02"),
    ("en", "next weekend", "2026-12-11", "2026-12-13"),
    ("en", "this weekend", "2026-12-04", "2026-12-06"),
    ("en", "in a fortnight", "2026-12-15", ""),
    ("en", "next Friday to Sunday", "2026-12-11", "2026-12-13"),
    ("en", "from Monday night, checkout Saturday", "2026-12-07", "2026-12-12"),
    ("en", "the night of the 25th", "2026-12-25", "2026-12-26"),
    ("en", "from the 24th to the 4th", "2026-12-24", "2027-01-04"),
    ("en", "3 nights starting next Sunday", "2026-12-13", "2026-12-16"),
    ("de", "ab dem 5. März drei Nächte", "2027-03-05", "2027-03-08"),
    ("en", "Christmas", "2026-12-25", ""),
    ("de", "Silvester", "2026-12-31", ""),
    ("en", "2027-02-14", "2027-02-14", ""),
    ("en", "from 2027-02-14 to 2027-02-16", "2027-02-14", "2027-02-16"),
    ("en", "2/14/2027", "2027-02-14", ""),
    ("de", "07/08", "2027-08-07", ""),
    ("en", "the 18th", "2026-12-18", ""),
    ("de", "14.12.", "2026-12-14", ""),
    ("en", "14.12.", "2026-12-14", ""),
    ("en", "12th January", "2027-01-12", ""),
    ("en", "from 28 to 3 January", "2026-12-28", "2027-01-03"),
    ("en", "28 December to 2 January", "2026-12-28", "2027-01-02"),
    ("en", "28 December 2026 to 2 January 2027", "2026-12-28", "2027-01-02"),
    ("en", "from 28 December to 2 January 2027", "2026-12-28", "2027-01-02"),
    ("en", "for a week from 3 March", "2027-03-03", "2027-03-10"),
    ("en", "between the 5th and the 9th of March", "2027-03-05", "2027-03-09"),
    ("en", "between 5 and 9 March", "2027-03-05", "2027-03-09"),
    ("en", "I'd like to check in on the 5th and check out on the 8th", "2026-12-05", "2026-12-08"),
    ("en", "arriving December 12, leaving December 15", "2026-12-12", "2026-12-15"),
    ("en", "arriving on 12/13 and leaving 12/15", "2026-12-13", "2026-12-15"),
    ("en", "12/24 to 12/27", "2026-12-24", "2026-12-27"),
    ("en", "3 nights from Thursday", "2026-12-03", "2026-12-06"),
    ("en", "Friday to Monday", "2026-12-04", "2026-12-07"),
    ("en", "next Monday to Wednesday", "2026-12-07", "2026-12-09"),
    ("en", "Tuesday to Thursday next week", "2026-12-08", "2026-12-10"),
    ("en", "next week from Tuesday to Thursday", "2026-12-08", "2026-12-10"),
    ("en", "in January from the 5th to the 8th", "2027-01-05", "2027-01-08"),
    ("en", "the 5th of next month", "2027-01-05", ""),
    ("en", "two weeks from today", "2026-12-15", ""),
    ("en", "a week from tomorrow", "2026-12-02", "2026-12-09"),
    ("en", "in 10 days for a week", "2026-12-11", "2026-12-18"),
    ("en", "day after tomorrow for 2 nights", "2026-12-03", "2026-12-05"),
    ("en", "New Year's Eve for two nights", "2026-12-31", "2027-01-02"),
    ("en", "from Christmas Eve to Boxing Day", "2026-12-24", "2026-12-26"),
    ("en", "over Easter", "2027-03-28", ""),
    ("en", "first weekend of March", "2027-03-05", "2027-03-07"),
    ("en", "the weekend of 20 February", "2027-02-19", "2027-02-21"),
    ("en", "the first of February", "2027-02-01", ""),
    ("en", "Jan 5-8", "2027-01-05", "2027-01-08"),
    ("en", "January 5 - 8, 2027", "2027-01-05", "2027-01-08"),
    ("en", "January 5th through 8th", "2027-01-05", "2027-01-08"),
    ("en", "5th-8th January", "2027-01-05", "2027-01-08"),
    ("en", "5 Jan - 8 Jan", "2027-01-05", "2027-01-08"),
    ("en", "20/1/2027 - 22/1/2027", "2027-01-20", "2027-01-22"),
    ("en", "May I have a room tomorrow?", "2026-12-02", ""),
    ("en", "May 5th for 2 nights", "2027-05-05", "2027-05-07"),
    ("en", "Sat to Mon", "2026-12-05", "2026-12-07"),
    ("en", "from Sat 12 Dec to Mon 14 Dec", "2026-12-12", "2026-12-14"),
    ("en", "Saturday 12 December", "2026-12-12", ""),
    ("en", "Check-in: 5 January 2027, check-out: 8 January 2027", "2027-01-05", "2027-01-08"),
    ("en", "room for 2 from 3 to 5 January", "2027-01-03", "2027-01-05"),
    ("en", "2 people, 3 nights, 15 January", "2027-01-15", "2027-01-18"),
    ("en", "from today until Friday", "2026-12-01", "2026-12-04"),
    ("en", "from now until Sunday", "2026-12-01", "2026-12-06"),
    ("en", "until the 7th", "", "2026-12-07"),
    ("en", "one night only, 15 January", "2027-01-15", "2027-01-16"),
    ("en", "the nights of 5 and 6 February", "2027-02-05", "2027-02-07"),
    ("en", "5 January next year", "2027-01-05", ""),
    ("en", "on the twentieth of January", "2027-01-20", ""),
    ("en", "twenty-third of January", "2027-01-23", ""),
    ("en", "January the fifth", "2027-01-05", ""),
    ("en", "fifteen January", "2027-01-15", ""),
    ("de", "Haben Sie morgen ein Zimmer frei?", "2026-12-02", ""),
    ("de", "vom 20. bis 22. Januar", "2027-01-20", "2027-01-22"),
    ("de", "am 15. Januar für eine Nacht", "2027-01-15", "2027-01-16"),
    ("de", "in zwei Monaten für zwei Nächte", "2027-02-01", "2027-02-03"),
    ("de", "nächstes Wochenende", "2026-12-11", "2026-12-13"),
    ("de", "dieses Wochenende", "2026-12-04", "2026-12-06"),
    ("de", "am Wochenende", "2026-12-04", "2026-12-06"),
    ("de", "von Freitag bis Sonntag", "2026-12-04", "2026-12-06"),
    ("de", "nächsten Freitag bis Sonntag", "2026-12-11", "2026-12-13"),
    ("de", "Anreise am 5. Januar, Abreise am 8. Januar", "2027-01-05", "2027-01-08"),
    ("de", "Anreise 5.1., Abreise 8.1.", "2027-01-05", "2027-01-08"),
    ("de", "wir kommen am 5. an und reisen am 9. ab", "2026-12-05", "2026-12-09"),
    ("de", "ab morgen für drei Nächte", "2026-12-02", "2026-12-05"),
    ("de", "zwischen dem 5. und dem 9. März", "2027-03-05", "2027-03-09"),
    ("de", "heute in 14 Tagen", "2026-12-15", ""),
    ("de", "in einer Woche", "2026-12-08", ""),
    ("de", "von Heiligabend bis Neujahr", "2026-12-24", "2027-01-01"),
    ("de", "über Ostern", "2027-03-28", ""),
    ("de", "am 14.12. für 2 Nächte", "2026-12-14", "2026-12-16"),
    ("de", "vom 14.12.2026 bis zum 16.12.2026", "2026-12-14", "2026-12-16"),
    ("de", "vom 14.12.26 bis 16.12.26", "2026-12-14", "2026-12-16"),
    ("de", "14.12.-16.12.", "2026-12-14", "2026-12-16"),
    ("de", "14.-16. Dezember", "2026-12-14", "2026-12-16"),
    ("de", "vom 28. Dezember bis 2. Januar", "2026-12-28", "2027-01-02"),
    ("de", "Freitag in einer Woche", "2026-12-11", ""),
    ("de", "am 5. des nächsten Monats", "2027-01-05", ""),
    ("de", "bis zum 7.", "", "2026-12-07"),
    ("de", "Ist Zimmer 104 am 3. Februar frei?", "2027-02-03", ""),
    ("de", "eine Woche ab dem 3. März", "2027-03-03", "2027-03-10"),
    ("de", "Montagabend bis Mittwoch", "2026-12-07", "2026-12-09"),
    ("de", "zweiter Februar", "2027-02-02", ""),
    ("de", "am ersten Februar", "2027-02-01", ""),
    ("de", "für 2 Personen vom 3.3. bis 5.3.", "2027-03-03", "2027-03-05"),
    ("de", "Samstag, den 12. Dezember", "2026-12-12", ""),
    ("de", "am 22.1", "2027-01-22", ""),
]


@pytest.mark.parametrize(("code", "text", "arrival", "departure"), STAYS)
def test_stay(dates: Read, code: str, text: str, arrival: str, departure: str) -> None:
    """Arrival and departure are read, with no departure where neither it nor a length was said."""
    reading = dates(code, text)
    assert (reading.arrival, reading.departure) == (day(arrival), day(departure))
    assert not reading.period
    assert reading.problem is None


PERIODS = [
    ("en", "the week after next", "2026-12-14", "2026-12-21"),
    ("en", "in mid-March", "2027-03-11", "2027-03-21"),
    ("de", "übernächste Woche", "2026-12-14", "2026-12-21"),
    ("de", "nächstes Jahr im März", "2027-03-01", "2027-04-01"),
    ("de", "nächste Woche", "2026-12-07", "2026-12-14"),
    ("en", "week 31", "2027-08-02", "2027-08-09"),
    ("de", "KW 5", "2027-02-01", "2027-02-08"),
    ("en", "Is room 109 free next week?", "2026-12-07", "2026-12-14"),
    ("en", "a week in March", "2027-03-01", "2027-04-01"),
    ("en", "end of January", "2027-01-21", "2027-02-01"),
    ("en", "in early March", "2027-03-01", "2027-03-11"),
    ("en", "next month", "2027-01-01", "2027-02-01"),
    ("en", "this month", "2026-12-01", "2027-01-01"),
    ("en", "in the summer", "2027-06-01", "2027-09-01"),
    ("en", "next spring", "2027-03-01", "2027-06-01"),
    ("en", "the first week of February", "2027-02-01", "2027-02-08"),
    ("en", "the last week of January", "2027-01-25", "2027-02-01"),
    ("en", "in May", "2027-05-01", "2027-06-01"),
    ("en", "January 2027", "2027-01-01", "2027-02-01"),
    ("en", "January next year", "2027-01-01", "2027-02-01"),
    ("de", "Ende Januar", "2027-01-21", "2027-02-01"),
    ("de", "im Februar", "2027-02-01", "2027-03-01"),
    ("de", "Anfang März", "2027-03-01", "2027-03-11"),
    ("de", "nächsten Monat", "2027-01-01", "2027-02-01"),
]


@pytest.mark.parametrize(("code", "text", "start", "end"), PERIODS)
def test_period(dates: Read, code: str, text: str, start: str, end: str) -> None:
    """A month, a week or a season is a span to look in, half-open, and no exact stay."""
    reading = dates(code, text)
    assert reading.period
    assert (reading.arrival, reading.departure) == (day(start), day(end))


NO_DATES = [
    ("en", "I was there in 2019"),
    ("en", "I stayed with you last January"),
    ("en", "Is the room free for 3-5 nights?"),
    ("de", "letzte Woche war ich da"),
    ("en", "room 104"),
    ("en", "€150"),
    ("en", "at 14:00"),
    ("en", "we are five"),
    ("en", "2 adults"),
    ("en", "call +351 21 555 0199"),
    ("en", "My name is April Jones"),
    ("en", "yesterday"),
    ("en", "two weeks ago"),
    ("en", "Can I march in?"),
    ("en", "How much is a Deluxe per night?"),
    ("en", "How much is a night in the Superior?"),
    ("en", "How long before arrival can I cancel? 2 days before?"),
    ("en", "breakfast from 7 to 10"),
    ("en", "Is reception open 24/7?"),
    ("en", "the first floor"),
    ("en", "on the first floor"),
    ("en", "Is it my second night free?"),
    ("de", "Guten Morgen, haben Sie ein Zimmer?"),
    ("de", "vor zwei Wochen"),
    ("de", "Was kostet ein Superior-Zimmer pro Nacht?"),
    ("de", "Was kostet eine Nacht?"),
    ("de", "Zimmer 104"),
    ("de", "Wir sind 5."),
    ("de", "um 14 Uhr"),
    ("de", "ab 15 Uhr"),
    ("de", "Kann ich bis 12 Uhr bleiben?"),
    ("de", "150 Euro"),
    ("de", "Das Frühstück kostet 14.50"),
]


@pytest.mark.parametrize(("code", "text"), NO_DATES)
def test_no_date(dates: Read, code: str, text: str) -> None:
    """Rooms, prices, times, phones, parties, names and what is past are no dates of a stay."""
    reading = dates(code, text)
    assert (reading.arrival, reading.departure, reading.nights, reading.problem) == (None, None, None, None)


PROBLEMS = [
    ("en", "31.12.9999 for 2 nights", "too_far", "", ""),
    ("en", "0001-01-01", "past", "", ""),
    ("en", "3 to 5 November 2026", "past", "2026-11-03", "2026-11-05"),
    ("en", "07/08", "ambiguous", "", ""),
    ("en", "29 February", "no_such_date", "", ""),
    ("en", "29 February 2028", "too_far", "2028-02-29", ""),
    ("en", "30 February", "no_such_date", "", ""),
    ("en", "31 April", "no_such_date", "", ""),
    ("en", "1 January 2029", "too_far", "2029-01-01", ""),
    ("en", "from 14 to 10 December", "departure_first", "2026-12-14", "2026-12-10"),
    ("en", "arrive 20 January leave 18 January", "departure_first", "2027-01-20", "2027-01-18"),
    ("en", "Friday 12 December", "ambiguous", "", ""),
    ("de", "am 30.2.", "no_such_date", "", ""),
    ("de", "29. Februar", "no_such_date", "", ""),
    ("de", "3. bis 5. November 2026", "past", "2026-11-03", "2026-11-05"),
]


@pytest.mark.parametrize(("code", "text", "problem", "arrival", "departure"), PROBLEMS)
def test_problem(dates: Read, code: str, text: str, problem: str, arrival: str, departure: str) -> None:
    """Dates that cannot be used are named as a problem, and kept where they are days at all."""
    reading = dates(code, text)
    assert reading.problem == problem
    assert (reading.arrival, reading.departure) == (day(arrival), day(departure))


def test_ambiguous_date_has_both_readings(dates: Read) -> None:
    """07/08 is July or August in English: neither is chosen, both are told."""
    assert dates("en", "07/08").readings == (dt.date(2027, 8, 7), dt.date(2027, 7, 8))
    assert dates("en", "from 5/1/2027 to 8/1/2027").readings == (dt.date(2027, 1, 5), dt.date(2027, 5, 1))


def test_one_order_for_all_dates(dates: Read) -> None:
    """A date that fits one order only decides how the others of the message are read."""
    reading = dates("en", "from 12/5 to 12/19")
    assert (reading.arrival, reading.departure) == (dt.date(2026, 12, 5), dt.date(2026, 12, 19))


def test_weekday_that_does_not_fit(dates: Read) -> None:
    """A weekday that the date does not have leaves two days that may be meant."""
    reading = dates("en", "Friday 12 December 2026")
    assert reading.problem == "ambiguous"
    assert reading.readings == (dt.date(2026, 12, 12), dt.date(2026, 12, 11))


def test_length_that_does_not_fit(dates: Read) -> None:
    """Two nights and four days' dates in one message are not reconciled by a guess."""
    reading = dates("en", "from 10 to 14 December for two nights")
    assert reading.problem == "ambiguous"
    assert reading.readings == (dt.date(2026, 12, 12), dt.date(2026, 12, 14))


def test_nights_alone(dates: Read) -> None:
    """A length without a date is kept as nights."""
    for code, text, nights in (
        ("en", "for three nights", 3),
        ("de", "zwei Wochen", 14),
        ("en", "a month", 31),
    ):
        assert dates(code, text).nights == nights
        assert dates(code, text).arrival is None


def test_span_that_is_over_comes_again(languages: dict[str, Language]) -> None:
    """On a Sunday "this weekend" is the next, and early May on 20 May that of the next year."""
    sunday = read_dates("this weekend", languages["en"], dt.date(2026, 12, 6))
    assert (sunday.arrival, sunday.problem) == (dt.date(2026, 12, 11), None)
    assert read_dates("Anfang Mai", languages["de"], dt.date(2026, 5, 20)).arrival == dt.date(2027, 5, 1)


def test_told_dates_are_stated(dates: Read) -> None:
    """What the guest tells of the past is no stay, but their words ground it."""
    assert dates("en", "I booked two weeks ago").stated == (dt.date(2026, 11, 17),)
    assert dates("de", "Gestern war das WLAN kaputt").stated == (dt.date(2026, 11, 30),)


def test_bare_day_in_the_span_asked_before(dates: Read) -> None:
    """After "in February", "the 9th" is the 9th of February."""
    within = (dt.date(2027, 2, 1), dt.date(2027, 3, 1))
    assert dates("en", "the 9th for two nights", within=within).arrival == dt.date(2027, 2, 9)


def test_departure_after_the_arrival_said_before(dates: Read) -> None:
    """After "arriving 12 February", "until the 17th" is the 17th of February."""
    reading = dates("en", "until the 17th", arrival=dt.date(2027, 2, 12))
    assert reading.departure == dt.date(2027, 2, 17)


@pytest.mark.parametrize(
    ("text", "code", "problem"),
    [
        ("Can I still get a room for yesterday?", "en", "past"),
        ("Ein Zimmer für gestern, geht das?", "de", "past"),
        ("I wrote to you yesterday.", "en", None),
        ("Gestern war es laut.", "de", None),
    ],
)
def test_a_wish_for_a_day_that_is_over(dates: Read, text: str, code: str, problem: str | None) -> None:
    """What is wished for yesterday is in the past; what is told of yesterday asks for nothing."""
    assert dates(code, text).problem == problem
