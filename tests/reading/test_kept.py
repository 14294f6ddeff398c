"""A translation into English that states numbers or days which the message does not have."""

from __future__ import annotations

import pytest

from desk.context import Parts
from desk.reading.kept import added

KEPT = [
    ("Une chambre du 3 au 5 mai 2027 ?", "A room from 3 to 5 May 2027?", "fr"),
    ("1.2. bis 3.2.", "from 1 to 3 February", "de"),
    ("am Sonnabend im Jänner", "on Saturday in January", "de"),
    ("İki kişi için 3 Şubat'ta", "on 3 February for two", "tr"),
    ("2月1日から3日まで", "from 1 to 3 February", "ja"),
    ("二月一日", "on 1 February", "zh"),
    ("١ فبراير", "on 1 February", "ar"),
    ("3 марта", "on 3 March", "ru"),
    ("Puis-je venir ?", "May I come?", "fr"),
    ("lundi prochain", "next Monday", "fr"),
    ("20h30", "at 20:30", "fr"),
]
ADDED = [
    ("Une chambre du 3 au 5 mai 2027 ?", "A room from 4 to 6 May 2027?", "fr"),
    ("Une chambre du 3 au 5 mai ?", "A room from 3 to 5 June?", "fr"),
    ("am Montag", "on Tuesday", "de"),
    ("Anna Kowalska", "Anna Kowalska. From 9 to 11 April 2027.", "de"),
    ("Merci", "In May", "fr"),
    ("Vielen Dank", "Thank you. In February.", "de"),
]


@pytest.mark.parametrize(("text", "english", "code"), KEPT)
def test_faithful_translations_add_nothing(shared: Parts, text: str, english: str, code: str) -> None:
    """The same days in other words, digits or orders are no addition."""
    dates = shared.languages[code].table("dates") if code in shared.languages else {}
    assert added(text, english, code, dates) == []


@pytest.mark.parametrize(("text", "english", "code"), ADDED)
def test_added_days_are_seen(shared: Parts, text: str, english: str, code: str) -> None:
    """A shifted day, another month or weekday, dates where the message has none."""
    dates = shared.languages[code].table("dates") if code in shared.languages else {}
    assert added(text, english, code, dates)
