"""The mood of a message: polarity, tone, alarms, and when the desk calms a guest."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk.errors import DataError
from desk.languages import Table
from desk.models.rehearsal.tone import read_tone
from desk.mood import alarm, deescalates, is_plain_question, is_thanks, score
from desk.moodlexicon import mood_lexicon
from desk.moodtext import clauses, expand
from tests.eval import public_mood
from tests.eval.public_mood import calms, open_table

SENTENCES = Path(__file__).parent / "eval"

PLAIN = [
    "No more than 90 euros a night",
    "Not more than 120 euros per night, please",
    "We want a Superior. Not a cent more than 130 euros.",
    "No more than four nights",
    "It is no more than 300 euros in total that we can spend",
    "Can I bring my small dog?",
    "Can I check in late?",
    "Is the buffet cold or warm?",
    "Is the pool cold?",
    "What if I lose my key?",
    "Is the hotel safe?",
    "Is there a smoke detector?",
    "Why is the Deluxe more expensive than the Superior?",
    "Are there any hidden fees?",
    "Is there no lift?",
    "Do you have a room that is not noisy",
    "What happens if something is stolen?",
    "How do I call the police here?",
    "Could someone bring two more towels to room 101, please?",
    "Please do not clean the room today.",
    "I will arrive late.",
    "We come late because our flight is delayed.",
    "We are two adults and a small child.",
    "Sorry, can we continue in English? My wife does not read Spanish.",
    "I am allergic to nuts, please tell the kitchen.",
    "I have a problem with my booking",
    "Unfortunately we have to cancel",
    "104 is too expensive, do you have a cheaper room?",
    "Sorry, wrong date, I meant February.",
    "No, I do not confirm.",
    "Too bad, thanks anyway",
    "I must unfortunately cancel my reservation",
    "I'm afraid we'll be late",
    "Bad news, our flight is cancelled, can we change the dates?",
    "Sorry to bother you, is the pool heated?",
    "Excuse me, where is the gym?",
    "Last time we had number 107 and loved it. Can we have it again?",
    "We land late and I hate rushing, so is there breakfast until ten?",
    "Is it bad if we only arrive after midnight?",
    "I am not sure yet.",
    "Great, another question: is there a pool?",
    "Perfect, we will take it.",
    "Thanks for all your hard work",
    "Thank you, that was not necessary",
    "You cannot go wrong with this hotel.",
    "The room was not big but it had everything.",
    "A bit of street noise, but otherwise a perfect stay.",
    "They fixed the heating at once, wonderful people.",
    "ok",
    "👍",
    "",
]
TONES = {
    "upset": [
        "The air conditioning is not working",
        "there are cockroaches in the bathroom",
        "Breakfast isn't good",
        "I waited two hours for the key",
        "Nobody came to help",
        "Why has my room not been cleaned?",
        "How long do I still have to wait for my towels?",
        "I was overcharged",
        "We would not come back",
        "The shower does not work, can you send someone?",
        "my room is not ready",
        "it smells in here",
        "Our room has no towels.",
        "The rooms were smaller than we were told and the walls are thin.",
        "That is no way to treat guests",
        "Next door somebody is drilling for hours",
        "We were given a room without windows",
        "that's not what I booked",
        # word by word from another language
        "Nobody has us an answer given",
        "the room was not cleaned",
        "the heating goes not",
        "The breakfast has us not tasted.",
        "We have two hours long waited.",
        "the operation is terrible and the room was dirty",
    ],
    "angry": [
        "I am furious, nobody answered me for two hours!",
        "This is unacceptable.",
        "I want my money back",
        "the worst hotel ever",
        "😡😡😡",
        "How dare you charge me twice",
        "THE ROOM IS FILTHY AND NOBODY COMES",
        "The shower is broken!!",
        "Is it acceptable that the room is this disgusting?",
    ],
    "sarcastic": [
        "Great, another cold shower. Just what I needed.",
        "Great, third night without hot water",
        "Wonderful, the lift is broken again",
        "Lovely, another cockroach. Just what we wanted.",
        "Thanks for nothing",
        "Thank you so much for waking us at six with a drill",
        "What a lovely surprise: ants in the bed",
        "Well done, you lost our booking.",
        "Super, again cold water",
        "Oh great, the lift is out again.",
        "Bravo, again the key is blocked",
        "Great, really great: the third time cold water",
        "Wonderful. Another night of drilling.",
    ],
}
ALARMS = {
    "health": [
        "I am bleeding",
        "My father has collapsed in our room, he is not breathing well!",
        "Can you call a doctor? My daughter has a very high fever.",
        "Can you call an ambulance?",
        "my son is having an allergic reaction",
        "She has chest pain",
        "my father does not breathe",
        "He fell down the stairs and broke his arm",
        "My chest hurts and I feel dizzy",
        "it bleeds and won't stop",
        "I took too many sleeping pills",
        "she has no pulse",
        "My grandpa is on the floor and he isn't answering me",
        "I was stung by a wasp and my throat is closing",
        "I feel like I'm going to pass out",
        "on the stairs fallen is my mother",
        "she's lying in the bathtub and doesn't answer",
        "my brother drank bleach by mistake",
        "my little one has a fever of 41 and is shaking",
        "my dad is not well, he sweats and holds his chest",
        # word by word from another language
        "My husband has hurt in the chest, send somebody",
        "to my mother hurts the heart",
        "I bleed and it does not stop",
        "he gets no air more",
        "my grandmother is in the bathroom fallen and moves not",
        "my son has a coin swallowed",
        "he lies on the floor and reacts not",
        "my daughter is allergic and has nuts eaten",
        # told inside a question
        "Can you come quickly, my father has fallen and cannot get up?",
        "Could you send someone because my wife hit her head and does not respond?",
    ],
    "safety": [
        "There is a fire in the corridor",
        "There is smoke coming out of the socket",
        "I smell gas in the room",
        "The fire alarm is ringing and nobody comes",
        "we are locked in the lift",
        "A man is trying to get into our room",
        "I was threatened by another guest",
        "I do not feel safe here.",
        "Our child is missing",
        "we cannot find our little girl",
        "my son has locked himself in the bathroom",
        "there burns something in the corridor",
        "out of the socket comes smoke",
        "it smells strongly after gas",
        "we stick in the lift fixed",
        "somebody tries my door to open",
        "in our room was broken in",
        "my husband hits me",
        "a drunk guy won't leave my room",
        "my ex follows me and waits in the lobby",
        "we can't find our four-year-old",
        "there is somebody under our bed",
        "strong gas odour near the lift",
        "there's a snake in the room",
        "the power socket throws sparks",
    ],
    "theft": [
        "my card was stolen",
        "Someone took my laptop",
        "I have been robbed",
        "our passports are gone",
        "money is missing from my safe",
        "to me was the wallet stolen",
        "the money is away from the safe",
        "my passport is not more there",
        "What should I do, my bag was stolen?",
        "someone went through my suitcase and took my money",
        "the cash in my drawer is gone",
    ],
}


@pytest.fixture(scope="module")
def table() -> Table:
    return open_table()


def test_terrible_and_dirty() -> None:
    """The two words that were scored, and the mean of their scores."""
    found = score("The service is terrible and the room was dirty.")
    assert (found.polarity, found.label, found.words) == (-0.8, "negative", ("terrible", "dirty"))


def test_sarcasm_keeps_its_polarity(table: Table) -> None:
    """TextBlob's score stays as it is; the tone beside it sees the sarcasm."""
    text = "Great, another cold shower. Just what I needed."
    found = score(text)
    assert (found.polarity, found.label, found.words) == (0.1, "positive", ("great", "cold"))
    assert read_tone(text, table) == "sarcastic"
    assert calms(text, table)


@pytest.mark.parametrize(
    "text",
    [
        "Breakfast isn't good",
        "Breakfast isn’t good",
        "Breakfast isn‘t good",
        "Breakfast isnt good",
        "BREAKFAST ISN'T GOOD",
        "Breakfast isn ' t good",
        "Breakfast wasn't good",
        "Breakfast is not good",
    ],
)
def test_contractions_are_written_out_before_scoring(text: str) -> None:
    """ "isn't good" is as negative as "is not good", in every spelling."""
    found = score(text)
    assert (found.polarity, found.label, found.words) == (-0.35, "negative", ("not", "good"))


def test_what_a_contraction_becomes() -> None:
    """Written out word by word; words that only look like one stay."""
    assert expand("We can't, won't and didn’t; I'm sure it's theirs.") == (
        "We can not, will not and did not; I am sure it is theirs."
    )
    assert expand("dont cant shouldnt couldnt") == "do not can not should not could not"
    assert (
        expand("The hotel's plant went to Kent, we were ill") == "The hotel's plant went to Kent, we were ill"
    )


@pytest.mark.parametrize(
    ("polarity", "label"), [("good", "positive"), ("room", "neutral"), ("late", "negative"), ("", "neutral")]
)
def test_labels(polarity: str, label: str) -> None:
    """At or above 0.1 positive, at or below -0.1 negative."""
    assert score(polarity).label == label


def test_an_exclamation_mark_is_no_scored_word() -> None:
    """It changes the score, and is not shown among the words."""
    assert score("terrible!").words == ("terrible",)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_messages_raise_no_alarm(text: str, table: Table) -> None:
    """Questions, requests, plans, thanks and praise are answered as they are."""
    assert alarm(text, table) is None
    assert read_tone(text, table) == "calm"
    assert not calms(text, table)


@pytest.mark.parametrize(("tone", "text"), [(tone, text) for tone, texts in TONES.items() for text in texts])
def test_tones(tone: str, text: str, table: Table) -> None:
    """Each kind of complaint has its tone, and each is answered to calm."""
    assert read_tone(text, table) == tone
    assert calms(text, table)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in ALARMS.items() for text in texts])
def test_danger_theft_and_illness_escalate_whatever_the_score(kind: str, text: str, table: Table) -> None:
    """What TextBlob scores 0.00 can still be an emergency."""
    assert alarm(text, table) == kind
    assert calms(text, table)


def test_what_is_only_asked_or_told_of_the_past_raises_no_alarm(table: Table) -> None:
    """A smoke detector is no smoke, and a knee hurt last year no emergency."""
    for text in (
        "Where is the fire exit?",
        "Is there a doctor near the hotel?",
        "Do you have smoking rooms?",
        "The smoked salmon was great",
        "Your staff stole our hearts",
        "I hurt my knee last year, is there a lift?",
        "Nobody was hurt",
        "If something is stolen I will tell you",
        "I am diabetic, do you have sugar-free jam?",
        "We would like a room with a fireplace",
        "Is theft a problem in tram 28?",
        "What should I do if there is a fire?",
        "How do I call you in an emergency?",
        "My husband has high blood pressure and a weak heart, is the sauna all right?",
        "My back hurts, do you have a harder mattress?",
        "My wife has a broken leg, is there a lift?",
        "I have a severe allergy to nuts, what can I have for breakfast?",
        "We are stuck in traffic and arrive at ten",
        "My train is stuck and I will be late",
        "I fell asleep and missed breakfast",
        "The machine in the lobby swallowed my card",
        "My son lost his hat at the pool",
        "The chest of drawers is nice",
        "we are dying to see Sintra",
        "My mother cannot walk well, is there a lift?",
        "my wife can't stand noise, do you have a quiet room?",
        "our guide is not answering the phone",
        "he follows a vegan diet",
        "Can you help me choose a restaurant fast?",
        "the room safe is open, how do I set the code",
        "we fell for the Deluxe at once",
        "my phone is dead, do you have a charger",
        "The TV is broken in our room",
    ):
        assert alarm(text, table) is None, text


def test_when_the_desk_calms() -> None:
    """An alarm or a tone always; a negative score only when it is neither a question nor thanks."""
    negative, neutral = score("late"), score("room")
    assert deescalates(negative, "calm", None, question=False, thanks=False)
    assert not deescalates(negative, "calm", None, question=True, thanks=False)
    assert not deescalates(negative, "calm", None, question=False, thanks=True)
    assert not deescalates(neutral, "calm", None, question=False, thanks=False)
    assert deescalates(neutral, "sarcastic", None, question=True, thanks=True)
    assert deescalates(neutral, "calm", "theft", question=True, thanks=True)


def test_questions_and_thanks() -> None:
    """What counts as a plain question, and as thanks."""
    assert is_plain_question("Can I check in late?")
    assert is_plain_question("I will arrive late")
    assert not is_plain_question("The room is horrible. Can I have another?")
    assert is_thanks("Thanks for all your hard work")
    assert is_thanks("That was all, thank you.")
    assert not is_thanks("The room is horrible")


def test_clauses_of_a_message() -> None:
    """A report beside a question is a report; what is supposed is neither."""
    found = [
        (clause.form, clause.words) for clause in clauses("The tap drips, can you fix it? If not, tell me.")
    ]
    assert found == [
        ("statement", "the tap drips "),
        ("question", "can you fix it "),
        ("condition", "if not "),
        ("statement", "tell me "),
    ]


def _share(name: str, table: Table) -> float:
    lines = (SENTENCES / name).read_text(encoding="utf-8").splitlines()
    return sum(calms(line, table) for line in lines) / len(lines)


def test_review_sentences(table: Table) -> None:
    """Of written complaints nearly all are found; of praise, questions and plans hardly one is flagged."""
    assert _share("mood_complaints.txt", table) >= 0.97
    assert _share("mood_calm.txt", table) <= 0.03


def test_without_a_lexicon_everything_is_calm() -> None:
    """A pack without moods has no tone and no alarms."""
    assert read_tone("The room is filthy", {}) == "calm"
    assert alarm("There is a fire", {}) is None


def test_a_pattern_with_an_unknown_class_is_named() -> None:
    """A slip in the lexicon is reported with the class that is missing."""
    with pytest.raises(DataError, match="things"):
        mood_lexicon({"praise": ["<things> was"]})


def test_the_measurement_says_when_its_data_is_not_there(tmp_path: Path) -> None:
    """Without the public reviews there is no number, and it says so."""
    assert "missing" in public_mood.score(tmp_path)
