"""A guest who wants what is not free all the same hears that it is not, and is asked about what is nearest."""

from __future__ import annotations

from typing import Any

import pytest

INSISTING = [
    ("Is room 104 free from 8 to 9 December?", "book it anyway", "yes please"),
    ("Is room 104 free from 8 to 9 December?", "I'll take it regardless", "yes please"),
    ("Ist Zimmer 104 vom 8. bis 9. Dezember frei?", "dann halt trotzdem", "ja bitte"),
    ("Ist Zimmer 104 vom 8. bis 9. Dezember frei?", "Buchen Sie es dennoch", "ja bitte"),
]


@pytest.mark.parametrize(("asked", "insists", "yes"), INSISTING)
def test_insisting_makes_no_offer_of_other_dates(desk: Any, asked: str, insists: str, yes: str) -> None:
    """No offer is made before the guest has said yes to the other dates, which are put as a question."""
    thread = desk.thread()
    first = desk.say(thread, asked)
    turn = desk.say(thread, insists)
    assert turn.offer is None
    assert [fact.kind for fact in turn.facts] == ["room_taken", "nearest"]
    assert turn.reply == first.reply
    assert turn.reply.endswith("?")
    offer = desk.say(thread, yes).offer
    assert offer is not None
    assert (offer.room, offer.arrival.isoformat()) == ("104", "2026-12-07")
