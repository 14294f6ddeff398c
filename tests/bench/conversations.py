"""What the bench's guests say: every kind of turn, in English and German, as conversations of a few turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

TODAY = "2026-12-01"
DAYS = 24  # so many different days of a month; then the same dates come again, some of them booked by now


@dataclass(frozen=True)
class Conversation:
    """One guest's messages. `{day}` and `{after}` become days of a month, two nights apart."""

    says: tuple[str, ...]
    guest: str | None = None


@dataclass(frozen=True)
class Say:
    """One message. `conversation` counts from 0; a new number is a new thread."""

    conversation: int
    guest: str | None
    text: str


CONVERSATIONS = (
    Conversation(
        (
            "Hello!",
            "Is there a Deluxe room free from {day} to {after} March?",
            "The one at Garden Court, please. My name is Julia Brandt.",
            "Yes, please book it.",
            "Thank you very much!",
        )
    ),
    Conversation(
        (
            "Guten Abend, haben Sie vom {day}. bis {after}. April ein Zimmer für zwei Personen frei?",
            "Was ist davon am günstigsten?",
            "Wann gibt es Frühstück?",
            "Und wo ist die nächste Apotheke?",
            "Vielen Dank!",
        )
    ),
    Conversation(
        (
            "What time is breakfast, and is there a museum nearby?",
            "Can I bring my small dog?",
            "How much is a Superior room?",
            "Is room 103 free from {day} to {after} May?",
        )
    ),
    Conversation(
        (
            "Das Zimmer ist schmutzig und niemand kümmert sich darum!",
            "Bitte bringen Sie mir zwei Handtücher.",
            "Ich möchte mit einem Menschen sprechen.",
        )
    ),
    Conversation(
        (
            "Is the Family Suite free during my stay?",
            "Until when can I check out?",
            "What did you tell me about the suite?",
        ),
        guest="HH-1002:Miller",
    ),
    Conversation(
        (
            "Ist im Garden Court vom {day}. bis {after}. Juni ein Standard-Zimmer frei?",
            "Das nehme ich, auf den Namen Peter Lang.",
            "Ja, bitte buchen.",
            "Kann ich dort parken?",
        )
    ),
    Conversation(
        (
            "Great, another cold shower. Just what I needed.",
            "We are nine people and want one room on {day} July.",
            "ok",
            "Where can we have dinner tonight?",
        )
    ),
)


def one_round() -> int:
    """How many messages it takes until every conversation was had once."""
    return sum(len(conversation.says) for conversation in CONVERSATIONS)


def messages(limit: int) -> list[Say]:
    """The first `limit` messages of an endless round of the conversations, each round on other dates."""
    return list(islice(_all(), limit))


def _all() -> Iterator[Say]:
    for number in count():
        conversation = CONVERSATIONS[number % len(CONVERSATIONS)]
        day = 1 + 3 * number % DAYS
        for text in conversation.says:
            yield Say(number, conversation.guest, text.format(day=day, after=day + 2))
