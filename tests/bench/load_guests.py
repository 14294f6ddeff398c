"""The guests of a load: what each says, marked so that no message and no answer can be taken for another's.

Every message ends in a mark of its own (`#m017003`: guest 17, message 3). Every guest has dates and a name that
no other has, and the expected facts tell whether an answer belongs to its message.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from desk.turn import Turn

YEAR = 2027
MONTHS = ("February", "March", "April", "May", "June", "July", "August", "September", "October", "November")
MONATE = ("Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November")
PAIRS_A_MONTH = 13  # stays of two nights that do not overlap
CONSONANTS, VOWELS = "bdfgklmnrs", "aeiou"
ODD = 5  # one guest in five books, and one group of messages in five is sent twice at once


@dataclass(frozen=True)
class Says:
    """A message and what an answer to it is about: the guest's dates, an entry of the house guides, or neither.

    `decides`: it takes or leaves the offer that stands.
    """

    text: str
    dates: bool = False
    entry: str | None = None
    decides: bool = False


ENGLISH: Sequence[Sequence[Says]] = (
    (Says("Is there a Deluxe room free from {day} to {after} {month} 2027?", dates=True),),
    (Says("The one at Garden Court, please. My name is Julia {name}.", dates=True),),
    (Says("{decides}", decides=True),),
    (Says("What time is breakfast?", entry="breakfast"), Says("Can I bring my small dog?", entry="pets")),
    (Says("Please bring me two towels."),),
    (Says("Where is the nearest pharmacy?"),),
    (Says("Can I park at Garden Court?", entry="parking"),),
    (Says("Thank you very much!"),),
)
GERMAN: Sequence[Sequence[Says]] = (
    (Says("Haben Sie vom {day}. bis {after}. {monat} 2027 ein Deluxe-Zimmer frei?", dates=True),),
    (Says("Das im Garden Court bitte, auf den Namen Julia {name}.", dates=True),),
    (Says("{entscheidet}", decides=True),),
    (
        Says("Wann gibt es Frühstück?", entry="breakfast"),
        Says("Wann muss ich auschecken?", entry="check_out"),
    ),
    (Says("Bitte bringen Sie mir zwei Handtücher."),),
    (Says("Wo ist die nächste Apotheke?"),),
    (Says("Kann ich im Garden Court parken?", entry="parking"),),
    (Says("Vielen Dank!"),),
)


@dataclass(frozen=True)
class Message:
    """One message of one guest, and the arrival or guide entry that an answer to it is about.

    `confirms`: it comes from the button of the offer that stands. `twice`: it is sent twice at the same moment
    with the same key, as by a double click.
    """

    guest: int
    number: int
    text: str
    arrival: dt.date | None = None
    entry: str | None = None
    confirms: bool = False
    twice: bool = False

    @property
    def mark(self) -> str:
        """What no other message holds. Marks are of one length, so that none is part of another."""
        return f"{guest_mark(self.guest)}{self.number:03}"

    def answered_by(self, turn: Turn) -> bool:
        """Whether what the Turn states, and all of it, is about this message."""
        dates = {fact.arrival for fact in turn.facts if fact.arrival}
        entries = {fact.entry for fact in turn.facts if fact.kind == "guide"}
        return (
            self.mark in turn.text
            and dates == ({self.arrival} if self.arrival else set())
            and entries == ({self.entry} if self.entry else set())
            and (turn.booking is not None) == self.confirms
        )


def guest_mark(guest: int) -> str:
    """With what the marks of all this guest's messages begin."""
    return f"m{guest:03}"


def guest_name(guest: int) -> str:
    """A surname of one length that is no other guest's."""
    return f"{_syllable(guest // 50 % 50).title()}{_syllable(guest % 50)}mann"


def _syllable(number: int) -> str:
    return CONSONANTS[number % 10] + VOWELS[number // 10]


def conversation(guest: int) -> Iterator[list[Message]]:
    """What this guest says, without end: groups of messages that are sent at once, without waiting between."""
    numbers = count(1)
    script = ENGLISH if guest % 2 == 0 else GERMAN
    for again in count():
        pair = (guest + 50 * again) % (PAIRS_A_MONTH * len(MONTHS))
        month, day = pair // PAIRS_A_MONTH, 1 + 2 * (pair % PAIRS_A_MONTH)
        dates = {"day": day, "after": day + 2, "month": MONTHS[month], "monat": MONATE[month]}
        words = {**dates, "name": guest_name(guest), **_decision(guest)}
        arrival = dt.date(YEAR, month + 2, day)
        for place, group in enumerate(script):
            twice = (guest + again + place) % ODD == 0
            yield [_message(guest, next(numbers), says, words, arrival, twice) for says in group]


def _message(
    guest: int, number: int, says: Says, words: dict[str, object], arrival: dt.date, twice: bool
) -> Message:
    confirms = says.decides and guest % ODD == 0
    return Message(
        guest=guest,
        number=number,
        text=f"{says.text.format_map(words)} #{guest_mark(guest)}{number:03}",
        arrival=arrival if says.dates or confirms else None,
        entry=says.entry,
        confirms=confirms,
        twice=twice,
    )


def _decision(guest: int) -> dict[str, str]:
    if guest % ODD == 0:
        return {"decides": "Yes, please book it.", "entscheidet": "Ja, bitte buchen."}
    return {
        "decides": "No, thank you, please don't book it.",
        "entscheidet": "Nein danke, bitte nicht buchen.",
    }
