"""Yes and no to an offer, in English and German."""

from __future__ import annotations

import pytest

from desk.languages import Language
from desk.reading.answers import read_answer

OFFERED = ("Deluxe", "Garden Court", "room 108")
YES = [
    ("en", "All details are correct, please confirm"),
    ("en", "yes I do"),
    ("de", "Ja, ich würde das gerne buchen"),
    ("de", "Die Daten stimmen, bitte buchen"),
    ("en", "Yes, please confirm."),
    ("en", "yes"),
    ("en", "Yes please"),
    ("en", "go ahead"),
    ("en", "book it"),
    ("en", "Book it!"),
    ("en", "ok"),
    ("en", "Perfect, book it please"),
    ("en", "Sure, that works for me"),
    ("en", "yep"),
    ("en", "Yes, I'd like to book that one"),
    ("en", "Yes, I confirm the booking"),
    ("en", "Sounds good, go ahead"),
    ("en", "I'll take it"),
    ("en", "Yes, book the Deluxe at Garden Court"),
    ("en", "Please confirm my booking, thank you"),
    ("en", "Yes please, book it under Lena Novak"),
    ("en", "👍"),
    ("en", "Absolutely"),
    ("en", "That's perfect, please book"),
    ("en", "YES!!!"),
    ("en", "confirm"),
    ("en", "Let's do it"),
    ("en", "great, yes"),
    ("en", "That is correct, please proceed"),
    ("en", "Yes, that's brilliant."),
    ("en", "yes, room 108"),
    ("en", "Ok, please book it for me"),
    ("en", "Alright, let’s book it"),
    ("en", "Yes, go ahead and book it"),
    ("en", "Please go ahead with the reservation"),
    ("en", "yes that's fine"),
    ("en", "I am happy with that, yes"),
    ("en", "yes, confirm the reservation please"),
    ("de", "Ja, bitte buchen."),
    ("de", "passt so"),
    ("de", "Ja"),
    ("de", "Ja gerne"),
    ("de", "Einverstanden"),
    ("de", "Ja, das nehme ich"),
    ("de", "Ja, bitte bestätigen Sie die Buchung"),
    ("de", "Gerne, buchen Sie das Zimmer"),
    ("de", "Das passt, danke"),
    ("de", "Jawohl"),
    ("de", "Ok, machen wir so"),
    ("de", "Ja bitte"),
    ("de", "Perfekt, bitte reservieren"),
    ("de", "Ja, ich möchte das Zimmer buchen"),
    ("de", "Ja, buchen Sie es bitte auf den Namen Jonas Weber"),
    ("de", "Klingt gut, bitte buchen"),
    ("de", "Genau so, danke"),
    ("de", "Ich bestätige die Buchung"),
    ("de", "Passt, nehme ich"),
    ("de", "Ja, verbindlich buchen bitte"),
    ("de", "Ja, bitte"),
    ("de", "Super, dann buchen Sie es bitte"),
]
NO = [
    ("en", "I'd rather not book it"),
    ("en", "no, sorry"),
    ("de", "Buchen Sie es bitte nicht"),
    ("de", "Lieber doch nicht"),
    ("en", "no"),
    ("en", "No thanks"),
    ("en", "not that one"),
    ("en", "No, thank you"),
    ("en", "nope"),
    ("en", "I changed my mind"),
    ("en", "No, that's too expensive"),
    ("en", "please don't book it"),
    ("en", "Never mind"),
    ("en", "cancel that"),
    ("en", "not now, thanks"),
    ("en", "heck no!"),
    ("en", "no, out of the question"),
    ("en", "definitely not"),
    ("en", "no no not right now"),
    ("en", "No, I don't want it"),
    ("en", "I'd rather not"),
    ("en", "no, not that room"),
    ("de", "nein danke"),
    ("de", "Nein"),
    ("de", "Nein, lieber nicht"),
    ("de", "Das ist mir zu teuer"),
    ("de", "Nein, das nicht"),
    ("de", "doch nicht"),
    ("de", "Bitte nicht buchen"),
    ("de", "Nein, das ist zu teuer"),
    ("de", "Auf keinen Fall"),
    ("de", "Ich habe es mir anders überlegt"),
    ("de", "Nein, ich möchte es nicht"),
    ("de", "jetzt nicht"),
]
NEITHER = [
    ("en", "I'd like to book a room"),
    ("en", "Can you please confirm the price"),
    ("en", "I want to change it"),
    ("de", "Ich möchte ein Zimmer buchen"),
    ("de", "Können Sie das bestätigen"),
    ("en", "yes, but for three nights"),
    ("en", "is that confirmed?"),
    ("en", "yes? what does it cost"),
    ("en", "yes and add breakfast"),
    ("en", "Yes, I have a question"),
    ("en", "What is the Wi-Fi?"),
    ("en", "just tell me it's confirmed"),
    ("en", "Yes for 3 nights"),
    ("en", "is it booked"),
    ("en", "yes if parking is free"),
    ("en", "Wait"),
    ("en", "I am not sure"),
    ("en", "maybe"),
    ("en", "yes, the other one"),
    ("en", "Book it at Harbour House"),
    ("en", "yes but tomorrow"),
    ("en", "thanks"),
    ("en", "Yes, did you book it"),
    ("en", "no problem with dogs?"),
    ("en", "Can you confirm?"),
    ("en", "hello"),
    ("en", "tell me yes"),
    ("en", "yes, how much is it"),
    ("en", "Yesterday"),
    ("en", "Confirm that it has a balcony"),
    ("en", "no smoking room please"),
    ("en", "No, three nights"),
    ("en", "Does yes mean I pay now?"),
    ("en", "Yes, book room 104"),
    ("de", "Ja, aber für drei Nächte"),
    ("de", "Ist das bestätigt?"),
    ("de", "Ja, was kostet es"),
    ("de", "vielleicht"),
    ("de", "Moment"),
    ("de", "Danke"),
    ("de", "Ja, haben Sie auch Parkplätze"),
    ("de", "Was ist das WLAN-Passwort"),
    ("de", "Ja, wenn Hunde erlaubt sind"),
    ("de", "ja nein"),
    ("de", "Ja, das andere"),
]


@pytest.mark.parametrize(("code", "text"), YES)
def test_yes(languages: dict[str, Language], code: str, text: str) -> None:
    """A clear confirmation, however it is put."""
    assert read_answer(text, languages[code], offered=OFFERED) == "yes"


@pytest.mark.parametrize(("code", "text"), NO)
def test_no(languages: dict[str, Language], code: str, text: str) -> None:
    """A clear refusal."""
    assert read_answer(text, languages[code], offered=OFFERED) == "no"


@pytest.mark.parametrize(("code", "text"), NEITHER)
def test_neither(languages: dict[str, Language], code: str, text: str) -> None:
    """Questions, conditions, changes, another room and idle words neither confirm nor refuse."""
    assert read_answer(text, languages[code], offered=OFFERED) is None


def test_ok_confirms_only_what_was_just_offered(languages: dict[str, Language]) -> None:
    """A bare ok after other talk acknowledges that talk; with a verb it confirms."""
    assert read_answer("ok", languages["en"]) == "yes"
    assert read_answer("ok", languages["en"], just_offered=False) is None
    assert read_answer("ok, book it", languages["en"], just_offered=False) == "yes"
