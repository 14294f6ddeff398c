"""A room whichever it is, against the room just spoken of: in each language by its own words."""

from __future__ import annotations

import pytest

from desk.context import Parts
from desk.reading.anew import any_room

ANY = {
    "en": [
        "Is there a room free from 5 to 7 March?",
        "Do you have rooms in April?",
        "the cheapest room, 1 to 2 May",
        "Anything from 10 to 12 April?",
    ],
    "de": [
        "Ist vom 5. bis 7. März ein Zimmer frei?",
        "Haben Sie vom 10. bis 12. April noch Zimmer?",
        "Zimmer vom 3. bis 5. Mai?",
        "Welche Zimmer haben Sie im Juni?",
        "Gibt es im Mai ein schönes Zimmer?",
        "Haben Sie vom 2. bis 4. Mai Zimmer frei?",
        "das günstigste Zimmer vom 1. bis 2. Mai",
        "Irgendwas vom 1. bis 2. Mai?",
    ],
}
SPOKEN_OF = {
    "en": ["Is the room free from 5 to 7 March too?", "And from 11 to 13?", "Is this room free in May?"],
    "de": [
        "Ist das Zimmer auch vom 5. bis 7. März frei?",
        "Ist auch das Zimmer frei?",
        "Ist noch dieses Zimmer frei vom 3. bis 5.?",
        "dasselbe Zimmer im Mai",
        "Und vom 11. bis 13.?",
    ],
}


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, told in ANY.items() for text in told])
def test_any_room(shared: Parts, code: str, text: str) -> None:
    """An article or the plural asks for a room of any type; no other language's words are needed for it."""
    assert any_room([text], [shared.languages[code]])


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, told in SPOKEN_OF.items() for text in told]
)
def test_the_room_spoken_of(shared: Parts, code: str, text: str) -> None:
    """A room that is pointed at, or dates alone, are about what was spoken of before."""
    assert not any_room([text], [shared.languages[code]])
