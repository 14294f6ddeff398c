"""Names to book under, forms of address, references and surnames."""

from __future__ import annotations

import pytest

from desk.languages import Language
from desk.reading.names import read_bare_name, read_name, read_reference, same_surname

HOTEL_WORDS = {"garden", "court", "harbour", "house"}
NAMES = [
    ("en", "Put it under my wife's name, Maria Lopez", "Maria Lopez"),
    ("de", "Sie können mich Bob nennen", "Bob"),
    ("de", "Ich möchte Mister Bob genannt werden", "Mister Bob"),
    ("en", "The one at Garden Court, please. My name is Lena Novak.", "Lena Novak"),
    ("en", "under Anna Kowalska", "Anna Kowalska"),
    ("en", "it's for Mr. José-María O'Neill", "José-María O'Neill"),
    ("en", "Please call me Mister Bob from now on.", "Mister Bob"),
    ("en", "My name is lena novak and I would like a room", "lena novak"),
    ("en", "MY NAME IS LENA NOVAK AND I NEED A ROOM", "LENA NOVAK"),
    ("en", "my name is Vincent van der Berg, thanks", "Vincent van der Berg"),
    ("en", "Put it under J. R. Smith", "J. R. Smith"),
    ("en", "Book it under the name of Ana, thanks", "Ana"),
    ("en", "The name's O’Brien. Patrick O’Brien.", "O’Brien"),
    ("en", "my name is Мария Иванова", "Мария Иванова"),
    ("en", "my name is 李明", "李明"),
    ("en", "My name is April Jones", "April Jones"),
    ("en", "I'm John Smith and would like the first one", "John Smith"),
    ("en", "Ludwig van Beethoven here", "Ludwig van Beethoven"),
    ("de", "Das im Garden Court bitte, auf den Namen Jonas Weber.", "Jonas Weber"),
    ("de", "ich heiße Jürgen Groß und brauche ein Zimmer", "Jürgen Groß"),
    ("de", "Mein Name ist Anna-Lena von der Heide.", "Anna-Lena von der Heide"),
    ("de", "Für Herrn Dr. Müller-Lüdenscheidt bitte", "Müller-Lüdenscheidt"),
    ("de", "Nennen Sie mich bitte Bob", "Bob"),
    ("de", "Ich bin Jonas Weber", "Jonas Weber"),
]


@pytest.mark.parametrize(("code", "text", "name"), NAMES)
def test_name(languages: dict[str, Language], code: str, text: str, name: str) -> None:
    """The name is taken whole, as written, and nothing of the sentence around it."""
    assert read_name(text, languages[code], HOTEL_WORDS) == name


NO_NAMES = [
    ("en", "call me a taxi"),
    ("en", "Please call me on my mobile"),
    ("de", "Unter welchem Namen?"),
    ("de", "Können Sie mir den Preis nennen?"),
    ("en", "I am furious, nobody answered me"),
    ("en", "I'm Italian and I want a room"),
    ("en", "Anything under 120 euros?"),
    ("en", "Is the Deluxe free for Christmas Eve?"),
    ("en", "My friend Bob Miller is staying with you. Which room is he in?"),
    ("en", "Is the room under renovation?"),
    ("en", "It is for Garden Court."),
    ("en", "It's for 2 people"),
    ("en", "Book it in my name"),
    ("de", "Ich bin Vegetarier"),
    ("de", "auf meinen Namen"),
    ("de", "für zwei Nächte"),
]


@pytest.mark.parametrize(("code", "text"), NO_NAMES)
def test_no_name(languages: dict[str, Language], code: str, text: str) -> None:
    """What follows "I am" or "under" is not always a name."""
    assert read_name(text, languages[code], HOTEL_WORDS) is None


def test_bare_name(languages: dict[str, Language]) -> None:
    """Asked for their name, guests answer with nothing else."""
    assert read_bare_name("Lena Novak, please", languages["en"]) == "Lena Novak"
    assert read_bare_name("Yes please", languages["en"]) is None


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("HH-1002", "HH-1002"),
        ("my booking gc-2001.", "GC-2001"),
        ("HH 1002", "HH-1002"),
        ("hh – 1002", "HH-1002"),
        ("HH1002", "HH-1002"),
        ("in 2027", None),
        ("room 104", None),
        ("XXXHH-1002", None),
        ("my ref is gc-2raruq, thanks", "GC-2RARUQ"),
        ("in august", None),
        ("HH-10025", None),
    ],
)
def test_reference(text: str, reference: str | None) -> None:
    """A reference is found in any case and spacing, and a year is none."""
    assert read_reference(text) == reference


def test_reference_of_known_hotels() -> None:
    """With the hotels' prefixes, any spelling of theirs counts and nothing else does."""
    assert read_reference("booking hh 1002", {"HH"}) == "HH-1002"
    assert read_reference("HH 7K3QX9", {"HH"}) == "HH-7K3QX9"
    assert read_reference("in 2027 with AB-1234", {"HH"}) is None


def test_same_surname() -> None:
    """Case, accents, marks and the German spelling-out do not make another surname; letters do."""
    assert same_surname("MÜLLER", "Mueller")
    assert same_surname("Garcia", "García")
    assert same_surname("O’Neill", "oneill")
    assert same_surname("Łukasz", "lukasz")
    assert not same_surname("Miler", "Miller")
    assert not same_surname("", "Miller")
    assert not same_surname("-", "'")


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("Muller", "Müller"),
        ("Müller", "Muller"),
        ("MU\u0308LLER", "müller"),
        ("GROSS", "Groß"),
        ("Yildiz", "Yıldız"),
        ("Sorensen", "Sørensen"),
        ("nguyen", "Nguyễn"),
        ("Garcia Marquez", "García Márquez"),
        ("Márquez", "García Márquez"),
        ("Lüdenscheidt", "Müller-Lüdenscheidt"),
        ("Muller Ludenscheidt", "Müller-Lüdenscheidt"),
        ("Berg", "van der Berg"),
        ("VAN DER BERG", "van der Berg"),
        ("Vanderberg", "van der Berg"),
        ("ΠΑΠΑΔΟΠΟΥΛΟΣ", "Παπαδόπουλος"),
        ("иванова", "Иванова"),
        ("Семенов", "Семёнов"),
        ("احمد", "أحمد"),
        ("כהן", "כֹּהֵן"),
        ("शर्मा", "शर्मा"),
        ("ｻﾄｳ", "サトウ"),
        ("김", "\u1100\u1175\u11b7"),
        ("李", "李"),
    ],
)
def test_one_surname_in_two_spellings(given: str, stored: str) -> None:
    """Any script, any case, with accents or without, the whole surname or its last word."""
    assert same_surname(given, stored)


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("García", "García Márquez"),
        ("Marquez Garcia", "García Márquez"),
        ("quez", "Márquez"),
        ("García Márquez", "Márquez"),
        ("van", "van der Berg"),
        ("शर्म", "शर्मा"),
        ("राम", "रमा"),
        ("かとう", "がとう"),
        ("李", "李明"),
        ("\u0301", "\u0301"),
        ("%", "Miller"),
        ("", ""),
    ],
)
def test_two_surnames(given: str, stored: str) -> None:
    """A first surname alone, part of a word, other vowels or other sounds are not the surname."""
    assert not same_surname(given, stored)


NO_NAMES = [
    ("en", "not sure yet"),
    ("en", "I'll tell you later"),
    ("en", "Later"),
    ("en", "Moment please"),
    ("en", "No idea, sorry"),
    ("de", "Weiß ich noch nicht"),
    ("de", "Später"),
    ("de", "Moment bitte"),
    ("de", "Keine Ahnung"),
    ("de", "Sag ich Ihnen morgen"),
]


@pytest.mark.parametrize(("code", "text"), NO_NAMES)
def test_no_name_is_given(languages: dict[str, Language], code: str, text: str) -> None:
    """Who puts the question for a name off has not given one."""
    assert read_bare_name(text, languages[code]) is None


@pytest.mark.parametrize(
    ("code", "text", "name"),
    [
        ("en", "Young", "Young"),
        ("en", "Mr Long", "Long"),
        ("de", "Weiß", "Weiß"),
        ("de", "Herr Lang", "Lang"),
    ],
)
def test_names_that_are_words_too(languages: dict[str, Language], code: str, text: str, name: str) -> None:
    """A bare name is taken though it means something else as well."""
    assert read_bare_name(text, languages[code]) == name
