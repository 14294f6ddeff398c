"""What the rehearsal model makes of English messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desk.errors import DataError
from desk.languages import read_toml
from desk.models.rehearsal.acts import Act, Context
from desk.models.rehearsal.understand import Lexicon, understand
from tests.eval.understand_cases import misread, read_cases

TABLE = Path(__file__).resolve().parents[2] / "data" / "hotels" / "languages" / "en" / "understanding.toml"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    """English's table, compiled once."""
    return Lexicon.from_table(read_toml(TABLE))


def kinds(text: str, lexicon: Lexicon, **context: Any) -> list[str]:
    """The acts of a message as "kind" or "kind/topic"."""
    acts = understand(text, lexicon, context=Context(**context)).acts
    return [f"{act.kind}/{act.topic}" if act.topic else act.kind for act in acts]


def test_reads_at_least_95_percent_of_the_cases(lexicon: Lexicon) -> None:
    """Nearly all of the desk's own messages are read as all the acts they hold, in their order."""
    cases = read_cases()
    wrong = misread(cases, lexicon)
    assert len(cases) >= 200
    assert len(wrong) <= 0.05 * len(cases), "\n".join(map(str, wrong))


def test_two_requests_in_one_message_stay_two(lexicon: Lexicon) -> None:
    """Each request of a message comes out, in the message's order."""
    text = "Is a Standard room free from 12 to 14 January, and do you have parking?"
    assert kinds(text, lexicon) == ["availability", "guide/parking"]
    text = "Do you have parking, and is a Standard room free from 12 to 14 January?"
    assert kinds(text, lexicon) == ["guide/parking", "availability"]


def test_order_of_words_does_not_matter(lexicon: Lexicon) -> None:
    """Word-by-word glosses of other languages keep their own order and are read all the same."""
    for text in (
        "have you from 1. to 3. February a Deluxe room free?",
        "a Deluxe room have you free, 1-3 February?",
    ):
        assert kinds(text, lexicon) == ["availability"]
    assert kinds("may I my dog with bring?", lexicon) == ["guide/pets"]


@pytest.mark.parametrize(
    "text",
    [
        "asdf qwerty",
        "the mitochondria is the powerhouse of the cell",
        "buy bitcoin now",
        "",
        "   ",
        "...",
        "?",
        "🦜",
    ],
)
def test_says_that_it_does_not_understand(text: str, lexicon: Lexicon) -> None:
    """What no rule speaks for is unknown, and never guessed."""
    found = understand(text, lexicon, context=Context())
    assert found.acts == (Act("unknown"),)
    assert not found.understood


def test_one_word_of_the_subject_is_not_enough_in_a_strange_sentence(lexicon: Lexicon) -> None:
    """A known word in a sentence about something else is no request."""
    assert kinds("The dog ate my homework", lexicon) == ["unknown"]
    assert kinds("dog", lexicon) == ["guide/pets"]


def test_a_request_that_people_must_do_is_no_question_to_the_house_guide(lexicon: Lexicon) -> None:
    """The same thing asked for or asked about goes different ways."""
    assert kinds("Please bring two towels to 101", lexicon) == ["staff/towels"]
    assert kinds("How often are the towels changed?", lexicon) == ["guide/housekeeping"]
    assert kinds("Is there air conditioning in the rooms?", lexicon) == ["guide/air_conditioning"]
    assert kinds("The air conditioning is not working", lexicon) == ["complaint/repair", "staff/repair"]


def test_yes_confirms_only_an_offer(lexicon: Lexicon) -> None:
    """Without an offer a yes is talk; with rooms on the table it is a wish to book; "yes, but" confirms nothing."""
    assert kinds("yes please", lexicon) == ["acknowledge"]
    assert kinds("yes please", lexicon, has_offer=True) == ["confirm"]
    assert kinds("yes please", lexicon, has_options=True) == ["book"]
    assert "confirm" not in kinds("yes, but at Garden Court", lexicon, has_offer=True)


def test_ok_confirms_only_right_after_the_offer(lexicon: Lexicon) -> None:
    """An "ok" to an answer about Wi-Fi does not confirm an offer that still stands."""
    assert kinds("ok", lexicon, has_offer=True, last_act="book") == ["confirm"]
    assert kinds("ok", lexicon, has_offer=True, last_act="guide", last_topic="wifi") == ["acknowledge"]


def test_a_wish_to_book_without_a_hotel_is_a_search(lexicon: Lexicon) -> None:
    """Rooms are listed before one can be picked."""
    assert kinds("I'd like to book a Deluxe from 1 to 3 February", lexicon) == ["availability"]
    assert kinds("Book the Deluxe at Garden Court from 1 to 3 February", lexicon) == ["book"]


@pytest.mark.parametrize(
    "text", ["and for three nights?", "in Superior?", "and at Garden Court?", "what about February?"]
)
def test_a_fragment_goes_on_with_the_last_subject(text: str, lexicon: Lexicon) -> None:
    """A message without a subject of its own asks again about the rooms."""
    assert kinds(text, lexicon, last_act="availability") == ["availability"]


def test_how_much_is_it_asks_about_what_was_answered_last(lexicon: Lexicon) -> None:
    """ "It" is the room or the entry of the house guide that was talked about."""
    assert kinds("how much is it?", lexicon, last_act="guide", last_topic="parking") == ["guide/parking"]
    assert kinds("how much is it?", lexicon, last_act="availability") == ["price"]


def test_a_bare_name_books_when_a_name_was_asked_for(lexicon: Lexicon) -> None:
    """The answer to "On what name?" is part of the booking; elsewhere a name alone asks nothing."""
    assert kinds("Lena Novak", lexicon, asked="name") == ["book"]
    assert kinds("Lena Novak", lexicon) == ["unknown"]


def test_slips_of_the_keyboard_are_mended(lexicon: Lexicon) -> None:
    """One wrong letter in a long word does not hide it; ordinary words are not bent into others."""
    assert kinds("Is breakfsat included?", lexicon) == ["guide/breakfast"]
    assert kinds("Is there a wheelchiar ramp?", lexicon) == ["guide/accessibility"]
    assert kinds("Those towers are tall", lexicon) == ["unknown"]


def test_a_quoted_sentence_to_translate_is_not_answered(lexicon: Lexicon) -> None:
    """The words to be translated ask nothing of the desk."""
    assert kinds("How do I say 'where is the pool' in Italian?", lexicon) == ["how_say"]


def test_an_emergency_comes_first(lexicon: Lexicon) -> None:
    """Whatever else a message asks, an emergency leads."""
    assert (
        kinds("What time is breakfast? And call an ambulance, my wife fainted!", lexicon)[0]
        == "staff/emergency"
    )


def test_never_more_than_three_acts(lexicon: Lexicon) -> None:
    """A long list is cut after three, but for questions to the house guide, which are answered all at once."""
    text = "I need a taxi. Where is a pharmacy? Is room 104 free? Please send more towels. The tap drips."
    assert len(kinds(text, lexicon)) == 3
    text = "Is there parking? Is there wifi? Is there a gym? Is there a pool? Is there a lift?"
    asked = ["guide/parking", "guide/wifi", "guide/gym", "guide/pool", "guide/lift"]
    assert kinds(text, lexicon) == asked
    assert kinds(f"{text} And please send a taxi.", lexicon) == [*asked, "staff/taxi"]


@pytest.mark.parametrize(
    "text",
    [
        "room free " * 2000,
        "a" * 9000,
        "?" * 3000,
        "١٢٣ غرفة",
        "\u0000\ud83d",
        "…—–-",
        "'",
        '"""',
        "€",
        "1.2.3.4",
        "@room &",
    ],
)
def test_odd_text_is_read_without_a_crash(text: str, lexicon: Lexicon) -> None:
    """Whatever is written, one to three acts come back."""
    assert 1 <= len(understand(text, lexicon, context=Context()).acts) <= 3


def test_what_only_tells_why_is_not_a_request(lexicon: Lexicon) -> None:
    """A sentence that leads up to a question is no question of its own, unless it says more of the same."""
    assert kinds("We check out at ten, can our bags stay with you?", lexicon) == ["guide/luggage"]
    text = "I will be there already in the morning, is the room ready then?"
    assert kinds(text, lexicon) == ["guide/early_check_in"]


def test_a_broken_table_is_named() -> None:
    """A table without what it must have, or a rule with an unknown class, says so."""
    table = read_toml(TABLE)
    with pytest.raises(DataError, match="lacks 'classes'"):
        Lexicon.from_table({name: value for name, value in table.items() if name != "classes"})
    rules = [*table["rules"], {"act": "guide/pool", "when": ["@no_such_class"]}]
    with pytest.raises(DataError, match="no_such_class"):
        Lexicon.from_table({**table, "rules": rules})


def test_every_topic_of_the_house_guide_can_be_understood(lexicon: Lexicon) -> None:
    """For each kind of entry that the house guides have, some rule finds it."""
    titles = read_toml(TABLE.with_name("guide.toml"))["titles"]
    topics = {act.topic for rule in lexicon.rules for act in rule.acts if act.kind == "guide"}
    assert set(titles) <= topics


SMALL_AND_ODD = [
    ("Does the house let me plug in my Tesla?", "guide/parking"),
    ("somewhere to juice up my EV?", "guide/parking"),
    ("do you have a wallbox", "guide/parking"),
    ("my kettle has died", "staff/repair"),
    ("the hair dryer is burnt out", "staff/repair"),
    ("the remote doesn't do anything", "staff/repair"),
    ("Could I have a hair dryer please", "staff/housekeeping"),
    ("We have a Great Dane, is that ok?", "guide/pets"),
    ("I travel with a poodle called Max", "guide/pets"),
    ("can I bring my budgie", "guide/pets"),
    ("have a great day", "goodbye"),
    ("Hold on, let me ask my wife", "hold"),
    ("need to check with my husband first", "hold"),
    ("let me sleep on it", "hold"),
    ("I would like to change my room", "change_booking"),
    ("can we swap rooms", "change_booking"),
    ("my room is too noisy, I want another room", "staff/other"),
]


@pytest.mark.parametrize(("text", "act"), SMALL_AND_ODD)
def test_small_things_and_odd_words(lexicon: Lexicon, text: str, act: str) -> None:
    """Cars to be charged, animals by their breed, broken small things, and guests who ask for time."""
    assert act in kinds(text, lexicon)


RECALLED = [
    ("What did you have at Garden Court for those days?", "recall/recommendation"),
    ("What did you quote me for Harbour House?", "recall/recommendation"),
    ("Which rooms did you list for us then?", "recall/recommendation"),
    ("What had you got for those nights?", "recall/recommendation"),
    ("What did Garden Court have for us then?", "recall/recommendation"),
    ("Which dates did I ask for?", "recall/dates"),
    ("What nights did I want?", "recall/dates"),
    ("Remind me which dates I gave you.", "recall/dates"),
    ("What do you have at Garden Court?", "guide/breakfast"),
    ("What did you have for breakfast today?", "guide/breakfast"),
    ("Which dates are free?", "availability"),
]


@pytest.mark.parametrize(("text", "act"), RECALLED)
def test_what_was_said_earlier_is_recalled(lexicon: Lexicon, text: str, act: str) -> None:
    """After a question about breakfast, what the desk or the guest said before is not breakfast; what is now is."""
    assert kinds(text, lexicon, last_act="guide", last_topic="breakfast") == [act]


OWN = [
    ("How much will I pay in all?", "my_total"),
    ("What do we owe you?", "my_total"),
    ("What is my total?", "my_total"),
    ("What will the whole thing cost me?", "my_total"),
    ("What name is it under?", "lookup_booking"),
    ("Under which name did you book it?", "lookup_booking"),
    ("In whose name is it?", "lookup_booking"),
    ("How do I pay?", "guide/payment"),
    ("Can I pay everything by card?", "guide/payment"),
]


@pytest.mark.parametrize(("text", "act"), OWN)
def test_what_is_asked_of_the_own_booking(lexicon: Lexicon, text: str, act: str) -> None:
    """What the guest pays and the name it is under is no question to the house guide; how to pay is one."""
    assert kinds(text, lexicon) == [act]
