"""Shortened words are written out before anything is read."""

from __future__ import annotations

import pytest

from desk.languages import Language
from desk.reading.shorthand import written_out

WRITTEN = [
    ("en", "any rms avl 2morrow 4 2 nites", "any rooms available tomorrow for 2 nights"),
    ("en", "rm 104 4 2 ppl", "room 104 for 2 people"),
    ("en", "4 nights, 2 of us, room 4", "4 nights, 2 of us, room 4"),
    ("en", "Armand Rmoza, firm", "Armand Rmoza, firm"),
    ("de", "DZ f. 2 Pers. inkl. Frühst.", "Doppelzimmer für 2 Personen inklusive Frühstück"),
    ("de", "EZ o. DZ", "Einzelzimmer oder Doppelzimmer"),
    ("de", "Zimmer und Dezember, Herr Dzimek", "Zimmer und Dezember, Herr Dzimek"),
]


@pytest.mark.parametrize(("code", "text", "full"), WRITTEN)
def test_shortened_words_in_full(languages: dict[str, Language], code: str, text: str, full: str) -> None:
    """The words of the table, and nothing inside other words or names."""
    assert written_out(text, languages[code]) == full
