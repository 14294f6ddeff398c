"""What of the stay before still holds: follow-ups about the room spoken of, and wishes of their own."""

from __future__ import annotations

import datetime as dt

import pytest

from desk.languages import Language
from desk.pack import Pack
from desk.reading.ask import Ask, read_ask
from desk.records import Stay


@pytest.fixture
def after(languages: dict[str, Language], pack: Pack, today: dt.date):  # type: ignore[no-untyped-def]
    """Reads a message behind another one."""

    def read(first: str, then: str, code: str) -> Ask:
        english = languages["en"]
        before = read_ask(first, first, languages[code], english, pack, Stay(), today).stay
        return read_ask(then, then, languages[code], english, pack, before, today)

    return read


FIRST = {
    "en": "Is Deluxe room 108 at Garden Court free from 5 to 7 January?",
    "de": "Ist das Deluxe-Zimmer 108 im Garden Court vom 5. bis 7. Januar frei?",
}
FOLLOWING = [
    ("en", "what about 11 to 13?", (11, 13)),
    ("en", "and 11-13 instead", (11, 13)),
    ("en", "Or from the 11th till the 13th", (11, 13)),
    ("en", "and two nights later?", (7, 9)),
    ("de", "und vom 11. bis 13.?", (11, 13)),
    ("de", "oder 11 bis 13", (11, 13)),
    ("de", "zwei Nächte später?", (7, 9)),
]


@pytest.mark.parametrize(("code", "then", "days"), FOLLOWING)
def test_dates_alone_are_about_the_room_spoken_of(after, code: str, then: str, days: tuple[int, int]) -> None:  # type: ignore[no-untyped-def]
    """Nothing but other dates keeps the room, its type and the hotel; bare numbers are days of that month."""
    stay = after(FIRST[code], then, code).stay
    assert (stay.arrival, stay.departure) == tuple(dt.date(2027, 1, day) for day in days)
    assert (stay.type, stay.rooms, stay.hotels) == ("Deluxe", ["108"], ["hotel2"])


ANEW = [
    ("en", "anything from 10 to 12 April?"),
    ("en", "what do you have from 10 to 12 April"),
    ("en", "and something for three from 10 to 12 April"),
    ("en", "the dearest you've got, 10 till 12 April"),
    ("en", "which is your biggest, 10 to 12 April?"),
    ("de", "Habt ihr sonst irgendwas vom 10. bis 12. April?"),
    ("de", "auch was für drei vom 10. bis 12. April"),
    ("de", "das teuerste überhaupt, 10. bis 12. April"),
    ("de", "und das günstigste vom 10. bis 12. April?"),
]


@pytest.mark.parametrize(("code", "then"), ANEW)
def test_a_wish_of_its_own_is_for_any_room(after, code: str, then: str) -> None:  # type: ignore[no-untyped-def]
    """Other dates with "anything" or a superlative drop the room, the hotel and the type of before."""
    stay = after(FIRST[code], then, code).stay
    assert (stay.type, stay.rooms, stay.hotels) == (None, [], [])
    assert stay.arrival == dt.date(2027, 4, 10)


@pytest.mark.parametrize(
    ("code", "then"), [("en", "which is the cheapest?"), ("de", "welches ist das günstigste?")]
)
def test_a_superlative_over_what_was_listed_keeps_the_type(after, code: str, then: str) -> None:  # type: ignore[no-untyped-def]
    """Without other dates a superlative is asked of the rooms that were listed."""
    assert after(FIRST[code], then, code).stay.type == "Deluxe"


@pytest.mark.parametrize("then", ["is breakfast from 7 to 10?", "bring 2 to 3 towels", "open 9 to 11?"])
def test_bare_numbers_that_are_no_days(after, then: str) -> None:  # type: ignore[no-untyped-def]
    """Hours and counts do not move the stay."""
    assert not after(FIRST["en"], then, "en").fresh
