"""The size of a party, in English and German."""

from __future__ import annotations

import pytest

from desk.languages import Language
from desk.reading.people import party_spans, read_people

PARTIES = [
    ("en", "We're two couples", 4),
    ("en", "a room for my parents", 2),
    ("en", "2 adults + 1 child", 3),
    ("de", "eine Familie mit zwei Kindern", 4),
    ("de", "eine Person", 1),
    ("de", "meine Eltern und ich", 3),
    ("en", "We are five.", 5),
    ("en", "we're 6 and we will arrive late", 6),
    ("en", "2 adults and a child", 3),
    ("en", "for two adults, two kids and a baby please", 5),
    ("en", "my wife and I", 2),
    ("en", "me, my husband and our three daughters", 5),
    ("en", "I am coming with my 3 sons", 4),
    ("en", "just me", 1),
    ("en", "a room for two", 2),
    ("en", "a table for 4 at 19:30", 4),
    ("en", "a family of four", 4),
    ("en", "a couple", 2),
    ("en", "the two of us", 2),
    ("en", "9 pax of which two are children", 9),
    ("en", "4 people and a baby", 5),
    ("en", "We are nine people and want one room from 5 to 7 January.", 9),
    ("en", "there will be 3 of us", 3),
    ("en", "a reservation for my mum", 1),
    ("de", "Wir sind zu viert", 4),
    ("de", "wir sind fünf", 5),
    ("de", "zwei Erwachsene und ein Kind", 3),
    ("de", "meine Frau und ich", 2),
    ("de", "für zwei Personen vom 3. bis 5. März", 2),
    ("de", "ein Zimmer für 3", 3),
    ("de", "nur für mich", 1),
    ("de", "ich reise mit meinen zwei Kindern", 3),
    ("de", "Wir sind ein Paar mit einem Baby", 3),
]


@pytest.mark.parametrize(("code", "text", "count"), PARTIES)
def test_party(languages: dict[str, Language], code: str, text: str, count: int) -> None:
    """Everybody who comes along is counted once, whoever speaks included."""
    assert read_people(text, languages[code]) == count


NO_PARTY = [
    ("en", "My wife does not read Spanish."),
    ("en", "My father has collapsed in our room"),
    ("en", "Do you charge for a child?"),
    ("en", "two rooms for 3 nights"),
    ("en", "for 5 January"),
    ("en", "for 3.2."),
    ("en", "a couple of days ago"),
    ("en", "Is it free for 189?"),
    ("en", "two more towels, please"),
    ("en", "we have no children"),
    ("de", "für den 28. Oktober"),
    ("de", "für 5. Januar"),
    ("de", "Meine Frau hat ihre Tasche verloren"),
    ("de", "für 2 Nächte"),
    ("de", "ein paar Tage"),
]


@pytest.mark.parametrize(("code", "text"), NO_PARTY)
def test_no_party(languages: dict[str, Language], code: str, text: str) -> None:
    """Who is only mentioned, and numbers of other things, make no party."""
    assert read_people(text, languages[code]) is None


def test_spans_cover_the_numbers(languages: dict[str, Language]) -> None:
    """The places of numbers of people are told, so that they are not read as days."""
    text = "2 adults on 5 March"
    assert [text[start:end] for start, end in party_spans(text, languages["en"])] == ["2 adults"]
