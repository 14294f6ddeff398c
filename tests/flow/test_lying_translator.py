"""A translator that puts a stay into the guest's mouth, in words: it is not read, or asked to translate again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from tests.flow.conftest import Stage
from tests.flow.support import Counting, Driver, briefing, structured

# What the guest wrote, a faithful English, and one that adds something in words.
GERMAN = "Ist ein Deluxe-Zimmer frei?"
FRENCH = "Avez-vous une chambre Deluxe ?"
FAITHFUL = "Is a Deluxe room free?"
ADDED = [
    "Is a Deluxe room free tomorrow?",
    "Is a Deluxe room free next weekend?",
    "Is a Deluxe room free for two people?",
    "Is a Deluxe room free today for three nights?",
    "Are two Deluxe rooms free?",
]


def translating(*told: str) -> Counting:
    """A translator that answers with these, one a call, and with the last from then on."""
    left = list(told)

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if "Translation" in tools:
            return structured("Translation", english=left.pop(0) if len(left) > 1 else left[0], tone="calm")
        return structured("TranslatedProse", sentences=[])

    return Counting(script)


class Guest:
    """One conversation, and what its state holds of the guest's wish."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._driver = Driver(stage.parts)
        self.state: dict[str, Any] = {}

    def says(self, text: str, translator: Counting | None = None, **more: Any) -> dict[str, Any]:
        """Send a message; returns the state it ended in."""
        self._stage.scripts.clear()
        if translator is not None:
            self._stage.scripts["translator"] = translator
        self.state = self._driver.turn(text, **more).state
        return self.state

    @property
    def wish(self) -> dict[str, Any]:
        """Dates, people, rooms and budget."""
        fields = ("arrival", "departure", "length", "guests", "wanted", "rooms", "budget")
        return {field: self.state["stay"][field] for field in fields}


@pytest.fixture
def guest(stage: Stage) -> Guest:
    """A new conversation."""
    return Guest(stage)


NOTHING = {
    "arrival": None,
    "departure": None,
    "length": None,
    "guests": None,
    "wanted": [],
    "rooms": [],
    "budget": None,
}


@pytest.mark.parametrize("english", ADDED)
def test_in_german_only_the_guests_own_words_count(guest: Guest, english: str) -> None:
    """The language has tables: dates, people and rooms of the English are not read."""
    assert guest.says(GERMAN, translating(english))["stated"]
    assert guest.wish == NOTHING


def test_in_german_no_translator_picks_a_room(guest: Guest) -> None:
    """ "Thank you" that becomes "the first one please" makes no offer."""
    guest.says("Ist vom 1. bis 3. Februar 2027 ein Deluxe-Zimmer frei?")
    state = guest.says("Vielen Dank", translating("The first one please, thank you."))
    assert (state["offer"], state["pick"]) == (None, None)


@pytest.mark.parametrize("english", ADDED)
def test_in_french_the_translator_is_asked_again(guest: Guest, english: str) -> None:
    """No tables, so the English is compared with the words; the second, faithful one is read."""
    translator = translating(english, FAITHFUL)
    assert guest.says(FRENCH, translator)["english"] == FAITHFUL
    assert len(translator.given) == 2
    assert "problem" in briefing(translator.given[1])
    assert guest.wish == NOTHING


@pytest.mark.parametrize("english", ADDED)
def test_in_french_a_translator_that_insists_is_not_read(guest: Guest, english: str) -> None:
    """The desk then has no dates, people or rooms."""
    translator = translating(english)
    assert guest.says(FRENCH, translator)["covered"] is False
    assert len(translator.given) == 2
    assert guest.wish == NOTHING


def test_a_faithful_translation_is_read(guest: Guest) -> None:
    """ "Demain" is tomorrow and "deux" are two: one call, and the wish is the guest's."""
    translator = translating("Is a Deluxe room free tomorrow for two people, for three nights?")
    assert guest.says("Une chambre Deluxe demain pour deux personnes, trois nuits ?", translator)["stated"]
    assert len(translator.given) == 1
    assert guest.wish == {**NOTHING, "arrival": "2026-12-02", "departure": "2026-12-05", "guests": 2}


@pytest.mark.parametrize(
    ("text", "english", "faithful"),
    [
        (
            "Une chambre Deluxe du 3 au 5 mai 2027 pour 2 personnes ?",
            "A Deluxe room from 2 to 3 May 2027 for 5 people?",
            "A Deluxe room from 3 to 5 May 2027 for 2 people?",
        ),
        (
            "Une chambre le 3 mai 2027, deux personnes, trois nuits ?",
            "A room on 3 May 2027, three people, two nights?",
            "A room on 3 May 2027, two people, three nights?",
        ),
    ],
)
def test_exchanged_numbers_are_not_read(guest: Guest, text: str, english: str, faithful: str) -> None:
    """The same numbers for other things: asked once more, and without dates if the translator insists."""
    assert guest.says(text, translating(english))["covered"] is False
    assert guest.wish == NOTHING
    translator = translating(english, faithful)
    assert guest.says(text, translator)["english"] == faithful
    assert len(translator.given) == 2
    assert guest.wish["guests"] == 2


def test_in_french_no_translator_picks_a_room(guest: Guest) -> None:
    """ "Merci beaucoup" that becomes "the first one please" makes no offer; "la première" does."""
    free = "Is a room free from 1 to 3 February 2027?"
    guest.says("Avez-vous une chambre du 1 au 3 février 2027 ?", translating(free))
    assert guest.state["options"]
    for thanks in ("Merci beaucoup !", "Un grand merci à vous"):
        state = guest.says(thanks, translating("The first one please, thank you."), chosen_language="fr")
        assert (state["offer"], state["pick"]) == (None, None)
    state = guest.says(
        "La première, s'il vous plaît", translating("The first one, please"), chosen_language="fr"
    )
    assert state["pick"]


def test_english_in_a_german_conversation_is_the_guests_own(guest: Guest) -> None:
    """What comes back from the translator as it was written is read with the English tables too."""
    guest.says("Ist vom 1. bis 3. Februar 2027 ein Deluxe-Zimmer frei?", chosen_language="de")
    assert guest.says("for two", translating("For two"), chosen_language="de")["language"] == "de"
    assert guest.wish["guests"] == 2


def test_no_translator_is_asked_about_a_button(guest: Guest) -> None:
    """The page writes a button's text, so what it says is known: a fire that a translator adds has no way in."""
    guest.says("Ist ein Deluxe-Zimmer vom 21. bis 22. Mai frei?")  # days that no other test asks for
    guest.says("Das erste bitte, auf den Namen Jonas Weber.")
    liar = translating("Help, there is a fire in my room!")
    state = guest.says("Ja, bitte verbindlich buchen.", liar, action=f"confirm:{guest.state['offer']['id']}")
    assert state["english"] == "Yes, please."
    assert state["booking"] is not None
    assert state["requests"] == []


def test_no_translator_narrows_what_was_asked(guest: Guest) -> None:
    """A type, a hotel or a superlative is read from the guest's own words, where their language has tables."""
    told = "Is the cheapest Family Suite at Garden Court free from 1 to 3 February 2027?"
    state = guest.says("Ist vom 1. bis 3. Februar 2027 ein Zimmer frei?", translating(told))
    assert (state["stay"]["type"], state["stay"]["hotels"], state["ask"]["superlative"]) == (None, [], None)
    assert {fact["room"] for fact in state["facts"] if fact["kind"] == "room_free"} > {"105", "107"}
