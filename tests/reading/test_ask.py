"""What messages ask for, one after the other."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies

from desk.languages import Language
from desk.pack import Branch, Pack
from desk.reading.ask import Ask, read_ask
from desk.reading.budget import Budget, read_budget
from desk.reading.words import read_rooms
from desk.records import Stay

Say = Callable[..., Ask]
_ROW = (
    "1 31 30. 2. / - , to from until for in on the of a two nights night next this last week weekend month year "
    "Friday Monday March February Jan 29 2027 2026 2028 9999 12/13 07/08 1.2. after before Christmas Easter "
    "between and tomorrow tonight today ago arriving leaving late early summer"
)
DATE_WORDS = _ROW.split()


@pytest.fixture
def say(languages: dict[str, Language], pack: Pack, today: dt.date) -> Say:
    """Reads messages in turn and returns what the last one asks for."""

    def read(*texts: str, code: str = "en") -> Ask:
        stay = Stay()
        for text in texts:
            ask = read_ask(text, text, languages[code], languages["en"], pack, stay, today)
            stay = ask.stay
        return ask

    return read


def _days(stay: Stay) -> tuple[str, str]:
    return str(stay.arrival), str(stay.departure)


def test_whole_request(say: Say) -> None:
    """Type, dates and party of one message, and which of them it gave."""
    ask = say("We are five. Is the Family Suite free from 10 to 14 December?")
    assert (ask.stay.type, ask.stay.guests) == ("Family Suite", 5)
    assert _days(ask.stay) == ("2026-12-10", "2026-12-14")
    assert ask.fresh == {"type", "guests", "arrival", "departure"}


def test_new_type_keeps_the_dates(say: Say) -> None:
    """A new type is asked for the same dates; new dates keep the type."""
    assert _days(say("a Deluxe from 1 to 3 February", "What about a Superior?").stay) == (
        "2027-02-01",
        "2027-02-03",
    )
    assert say("a Deluxe from 1 to 3 February", "from 5 to 7 March instead").stay.type == "Deluxe"


def test_other_length(say: Say) -> None:
    """A length alone changes the departure."""
    ask = say("a Deluxe on 1 February for two nights", "and for three nights?")
    assert _days(ask.stay) == ("2027-02-01", "2027-02-04")


def test_length_before_the_day(say: Say) -> None:
    """Nights said before the day are not forgotten, also through a question about the day."""
    assert _days(say("two nights please", "from 5 January").stay) == ("2027-01-05", "2027-01-07")
    assert _days(say("07/08 for two nights", "7 August").stay) == ("2027-08-07", "2027-08-09")


def test_day_in_the_period(say: Say) -> None:
    """A day after a month is a day of that month."""
    assert _days(say("a Superior in February", "the 9th for two nights").stay) == ("2027-02-09", "2027-02-11")


def test_hotels_do_not_carry_over(say: Say) -> None:
    """A hotel holds for the message that names it."""
    assert say("Only Garden Court please: a Standard on 15 January?").stay.hotels == ["hotel2"]
    assert say("Only Garden Court please", "and a Deluxe?").stay.hotels == []


def test_problem_stays_until_other_dates(say: Say) -> None:
    """Dates that cannot be used stay a problem until the guest gives others."""
    assert say("a room from 3 to 5 November 2026", "a Deluxe").stay.problem == "past"
    assert say("a room from 3 to 5 November 2026", "from 3 to 5 December then").stay.problem is None


def test_double_room_sleeps_two(say: Say) -> None:
    """A double room is one for two, unless the party is said."""
    assert say("a double room tomorrow").stay.guests == 2
    assert say("a double room for two adults and a child").stay.guests == 3


def test_type_that_the_hotels_do_not_have(say: Say) -> None:
    """A penthouse is asked for as such, so that the hotels can say they have none."""
    assert say("Do you have a penthouse in January?").stay.type == "Penthouse"


def test_german(say: Say) -> None:
    """The same reading from the guest's own German."""
    ask = say("Ich hätte gern das günstigste Familienzimmer vom 20. bis 22. Januar zu viert", code="de")
    assert (ask.stay.type, ask.stay.guests, ask.superlative) == ("Family Suite", 4, "cheapest")
    assert _days(ask.stay) == ("2027-01-20", "2027-01-22")
    assert say("Ist die Familiensuite während meines Aufenthalts frei?", code="de").during_stay


def test_during_stay(say: Say) -> None:
    """A guest's own booking is meant by "during my stay"."""
    assert say("Is the Family Suite free during my stay?").during_stay
    assert not say("Is the Family Suite free?").during_stay


def test_language_without_tables(languages: dict[str, Language], pack: Pack, today: dt.date) -> None:
    """Where the guest's language has no tables, the English of the message is read."""
    english = languages["en"]
    ask = read_ask(
        "Máte Deluxe od 1. do 3. února?",
        "a Deluxe from 1 to 3 February?",
        english,
        english,
        pack,
        Stay(),
        today,
    )
    assert _days(ask.stay) == ("2027-02-01", "2027-02-03")


@settings(max_examples=60, deadline=None)
@given(text=strategies.text(max_size=60))
def test_any_text_can_be_read(languages: dict[str, Language], pack: Pack, today: dt.date, text: str) -> None:
    """Whatever a guest types is read without an error, and dates that are used can be used."""
    stay = read_ask(text, text, languages["de"], languages["en"], pack, Stay(), today).stay
    if stay.arrival and stay.departure and not stay.problem:
        assert today <= stay.arrival < stay.departure


@settings(max_examples=150, deadline=None)
@given(words=strategies.lists(strategies.sampled_from(DATE_WORDS), max_size=9))
def test_any_row_of_date_words_can_be_read(
    languages: dict[str, Language], pack: Pack, today: dt.date, words: list[str]
) -> None:
    """The same for words that are all about dates, in any order."""
    text = " ".join(words)
    stay = read_ask(text, text, languages["en"], languages["en"], pack, Stay(), today).stay
    if stay.arrival and stay.departure and not stay.problem:
        assert today <= stay.arrival < stay.departure


def test_branches_of_another_pack(languages: dict[str, Language], today: dt.date) -> None:
    """Hotels are whatever branches the pack has."""
    branch = Branch(id="peak", name="Alpine Peak", prefix="AP", aliases=("The Peak",), folder=Path())

    class OnePack:
        branches = (branch,)

    ask = read_ask(
        "only the Peak", "only the Peak", languages["en"], languages["en"], OnePack(), Stay(), today
    )
    assert ask.stay.hotels == ["peak"]


ROOMS = [
    ("en", "Is 104 free?", ["104"]),
    ("en", "Is room 104 €50 per night?", ["104"]),
    ("en", "rooms 103 and 104 please", ["103", "104"]),
    ("en", "two more towels to room 101", ["101"]),
    ("en", "104", ["104"]),
    ("en", "room 7 on 5 March", ["7"]),
    ("en", "Is $150 or $200 closer to a Deluxe night?", []),
    ("en", "something under 150 a night", []),
    ("en", "for 150 euros", []),
    ("en", "+351 21 555 0199", []),
    ("en", "we are 120 people", []),
    ("en", "HH-1002", []),
    ("en", "a room for 2 people at 19:30", []),
    ("de", "Zimmer Nr. 105 bitte", ["105"]),
    ("de", "Nehmen wir die 108.", ["108"]),
    ("de", "unter 120 Euro pro Nacht", []),
]


@pytest.mark.parametrize(("code", "text", "rooms"), ROOMS)
def test_rooms(languages: dict[str, Language], code: str, text: str, rooms: list[str]) -> None:
    """Room numbers, and never a price, a phone number, a time, a party or a reference."""
    assert read_rooms(text, languages[code]) == rooms


BUDGETS = [
    ("en", "Anything below €120?", Budget(120)),
    ("en", "my budget is 100 euros", Budget(100)),
    ("en", "my budget is 150", Budget(150)),
    ("en", "no more than 1,200 euros altogether", Budget(1200, whole=True)),
    ("en", "under 400 euros for the three nights", Budget(400, whole=True)),
    ("en", "a room for two nights under €100 a night", Budget(100)),
    ("en", "100 EUR per night at the very most", Budget(100)),
    ("en", "nothing over 110 euros please", Budget(110)),
    ("en", "Is room 104 €50 per night?", None),
    ("en", "a taxi for under 20 euros", None),
    ("en", "a restaurant below €30", None),
    ("en", "under 18 years", None),
    ("de", "maximal 100 € pro Nacht", Budget(100)),
    ("de", "unter 120 Euro", Budget(120)),
    ("de", "nicht teurer als 90 Euro die Nacht", Budget(90)),
    ("de", "bis 110 €", Budget(110)),
    ("de", "Mein Budget liegt bei 300 Euro insgesamt", Budget(300, whole=True)),
    ("de", "höchstens 1.000 € für 5 Nächte", Budget(1000, whole=True)),
    ("de", "ein Essen unter 30 Euro", None),
]


@pytest.mark.parametrize(("code", "text", "budget"), BUDGETS)
def test_budget(languages: dict[str, Language], code: str, text: str, budget: Budget | None) -> None:
    """A limit behind a listing is a budget, a night or in all; a price that is only named is not, nor another one's."""
    assert read_budget(text, languages[code], listed=True) == budget


def test_a_budget_holds_until_something_else_is_asked_for(say: Say) -> None:
    """Other dates keep it; a type that is named, or the dearest room, is asked for without it."""
    assert say("a room under 100 euros from 5 to 7 January", "and 8 to 10?").stay.budget == 100
    assert say("a room under 100 euros from 5 to 7 January", "what about a Deluxe?").stay.budget is None
    assert (
        say("a room under 100 euros from 5 to 7 January", "and your most expensive one?").stay.budget is None
    )
