"""Amounts in a text and in its translation: the same in another dress pass, any other does not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies

from desk.errors import DataError
from desk.reading.amounts import added_words, amounts, different_amounts, read_numbers
from desk.reading.amounts.order import in_order

DATA = Path(__file__).resolve().parents[2] / "data" / "languages" / "numbers.toml"
NUMBERS = read_numbers(DATA)

SAME = [
    ("en", "Open daily from 9:00 to 18:00; tickets cost €15, children under 12 go free.",
     "de", "Täglich von 9 bis 18 Uhr geöffnet; Karten kosten 15 €, Kinder unter zwölf haben freien Eintritt."),
    ("en", "Open daily from 9 am to 6:30 pm", "fr", "Ouvert tous les jours de 9 h à 18 h 30"),
    ("de", "Dienstags bis sonntags von 10.00 bis 18.30 Uhr, Eintritt 7,50 Euro.",
     "en", "Tuesday to Sunday from 10:00 to 18:30, admission €7.50."),
    ("pt", "O elétrico 28 parte de 10 em 10 minutos e custa 3,10 €.",
     "en", "Tram 28 leaves every 10 minutes and costs €3.10."),
    ("pt", "Fechado à segunda-feira. Aberto de terça a domingo, das 10h às 18h.",
     "en", "Closed on Mondays. Open Tuesday to Sunday, 10 am to 6 pm."),
    ("en", "Built in the 16th century, it has 2 towers and seven chapels.",
     "de", "Im 16. Jahrhundert gebaut, hat es zwei Türme und sieben Kapellen."),
    ("en", "On 3/5/2026 the tower (93 m) reopens.", "de", "Am 3.5.2026 öffnet der Turm (93 m) wieder."),
    ("en", "In the 1990s 2.5 million people came, 1,200,000 of them in 1998.",
     "de", "In den 1990er Jahren kamen 2,5 Mio. Menschen, 1,2 Millionen davon 1998."),
    ("zh", "每周二至周日上午10点至下午6点开放，门票15欧元。",
     "en", "Open Tuesday to Sunday from 10 a.m. to 6 p.m., tickets cost 15 euros."),
    ("zh", "3月5日有二十三万人，占三分之一。", "en", "On March 5 there were 230,000 people, a third of them."),
    ("ja", "料金は大人一人三千円です。", "en", "The price is 3,000 yen per adult."),
    ("ja", "約１億2000万人が４万５千枚を買った。", "en", "About 120 million people bought 45,000 of them."),
    ("en", "Call +351 21 555 0142 between 08:00 and 20:00.",
     "de", "Rufen Sie zwischen 8 und 20 Uhr +351 215550142 an."),
    ("fr", "Il y a quatre-vingt-dix-sept marches et 1 500 pas; c'est au 3e étage, bâti au XIVe siècle.",
     "en", "There are ninety-seven steps and 1,500 paces; it is on the 3rd floor, built in the 14th century."),
    ("es", "Más de 3 mil millones de euros y doscientas cincuenta personas",
     "en", "More than 3 billion euros and two hundred and fifty people"),
    ("it", "Ventitré euro e duecentocinquanta metri", "en", "Twenty-three euros and 250 metres"),
    ("de", "Dreiundzwanzig Stufen, zweihundertfünf Plätze", "en", "23 steps, two hundred and five seats"),
    ("ru", "Открыто с 10 утра до 6 вечера, кроме понедельника; билет 500 рублей, было 4 млн гостей.",
     "en", "Open from 10 a.m. to 6 p.m. except Monday; a ticket is 500 roubles, there were 4 million guests."),
    ("pl", "Dwadzieścia trzy pokoje i 1,5 tys. miejsc, w czwartkową noc",
     "en", "Twenty-three rooms and 1,500 seats, on Thursday night"),
    ("ko", "오후 3시부터 두 명이 5만 원에 이용할 수 있습니다.",
     "en", "From 3 p.m. two people can use it for 50,000 won."),
    ("ar", "يفتح من الساعة ١٠ صباحا حتى ٦ مساء وسعر التذكرة خمسة وعشرون يورو",
     "en", "It opens from 10 a.m. to 6 p.m. and a ticket costs 25 euros"),
    ("hi", "टिकट की कीमत 1,50,000 रुपये, समय सुबह 9 बजे", "en", "The ticket costs 150,000 rupees, at 9 a.m."),
    ("en", "Happy hour 5-7pm, half price, Mon-Fri.", "de", "Happy Hour 17-19 Uhr, halber Preis, Mo-Fr."),
    ("en", "It takes 2½ hours and costs $2m.", "de", "Es dauert 2,5 Stunden und kostet 2 Millionen Dollar."),
    ("en", "The park covers 3,850 km² and has 4.5/5 from 1,234 guests.",
     "de", "Der Park misst 3850 Quadratkilometer und hat 4,5/5 von 1.234 Gästen."),
]  # fmt: skip

OTHER = [
    ("en", "Tickets cost €15.", "de", "Karten kosten 51 €."),
    ("en", "Tickets cost €15.", "de", "Karten kosten 15 $."),
    ("en", "Tickets cost fifteen euros.", "de", "Karten kosten fünfzig Euro."),
    ("en", "Open from 9 am to 6 pm.", "de", "Geöffnet von 9 bis 6 Uhr."),
    ("en", "Open from 9:00 to 18:00.", "de", "Geöffnet von 9:30 bis 18 Uhr."),
    ("en", "Closed on Mondays.", "de", "Dienstags geschlossen."),
    ("en", "Closed in March 2026.", "fr", "Fermé en avril 2026."),
    ("en", "On 5 March.", "zh", "3月6日。"),
    ("en", "There are two towers.", "de", "Es gibt drei Türme."),
    ("en", "There are two towers.", "de", "Es gibt zwei Türme und fünf Kapellen."),
    ("en", "There are 2 towers and 7 chapels.", "de", "Es gibt Türme und sieben Kapellen."),
    ("en", "There are 2 towers and 7 chapels.", "de", "Es gibt 7 Türme und 7 Kapellen."),
    ("de", "Rund 1.234 Gäste", "en", "About 1.234 guests"),
    ("de", "Rund 4 Mio. Gäste", "en", "About 4 billion guests"),
    ("fr", "Au XIVe siècle", "en", "In the 15th century"),
    ("zh", "三分之一", "en", "a quarter, 4 in all"),
    ("ja", "三千円", "en", "30,000 yen"),
    ("en", "Call +351 21 555 0142.", "de", "Rufen Sie +351 21 555 0143 an."),
    ("sv", "Öppet varje dag.", "en", "Open every day, 12 euros."),
]


@pytest.mark.parametrize(("code", "source", "to", "translation"), SAME)
def test_the_same_amounts(code: str, source: str, to: str, translation: str) -> None:
    """Separators, scales, words, scripts, dates and times of another language are no difference, either way."""
    assert different_amounts(source, code, translation, to, NUMBERS) == []
    assert different_amounts(translation, to, source, code, NUMBERS) == []


@pytest.mark.parametrize(("code", "source", "to", "translation"), OTHER)
def test_other_amounts(code: str, source: str, to: str, translation: str) -> None:
    """A number, an hour, a day, a month or a currency that is changed, added or left out."""
    assert different_amounts(source, code, translation, to, NUMBERS)


@pytest.mark.parametrize(
    ("code", "text", "value"),
    [
        ("en", "twelve thousand three hundred and forty-five", 12_345),
        ("de", "zwölftausenddreihundertfünfundvierzig", 12_345),
        ("nl", "drieëntwintig", 23),
        ("fr", "soixante et onze", 71),
        ("fr", "deux cent mille", 200_000),
        ("es", "treinta y un mil", 31_000),
        ("it", "quarantotto", 48),
        ("pt", "vinte e três", 23),
        ("tr", "yirmi üç", 23),
        ("ru", "двадцать три тысячи", 23_000),
        ("zh", "二〇二六年", 2026),
        ("zh", "三万五千", 35_000),
        ("ar", "مائة وخمسة وعشرون", 125),
    ],
)
def test_number_words(code: str, text: str, value: int) -> None:
    """One number, however many words it takes."""
    found = amounts(text, code, NUMBERS)
    assert Fraction(value) in {each for mention in found for each in mention.values}
    assert [mention for mention in found if mention.certain and Fraction(value) not in mention.values] == []


def test_a_word_that_may_be_a_number_asks_for_none() -> None:
    """ "A second look" has no amount that a translation must have; "1" finds its like in an article."""
    assert different_amounts("Worth a second look.", "en", "Einen Blick wert.", "de", NUMBERS) == []
    assert different_amounts("1 Minute entfernt", "de", "A minute away", "en", NUMBERS) == []


@pytest.mark.parametrize("code", ["en", "de", "zh", "ar", "ru"])
@pytest.mark.parametrize(
    "piece",
    ["9", "1 ", "1,", "twenty ", "zwei", "一", "1 000 ", "5 am ", "MMMM", "½", "+1", "1/", "٣"],
    ids=repr,
)
def test_long_and_senseless_texts_can_be_compared(code: str, piece: str) -> None:
    """Whatever is repeated two thousand times is compared without an error."""
    assert isinstance(different_amounts(piece * 2000, code, piece * 1999, "en", NUMBERS), list)


@given(text=strategies.text(max_size=80), code=strategies.sampled_from(sorted(NUMBERS.languages)))
@settings(max_examples=100, deadline=None)
def test_any_text_states_the_same_as_itself(text: str, code: str) -> None:
    """Whatever the text, its own words are no difference."""
    assert different_amounts(text, code, text, code, NUMBERS) == []


def test_a_broken_table_stops_the_start(tmp_path: Path) -> None:
    """The message names the file."""
    broken = tmp_path / "numbers.toml"
    broken.write_text('[en.words]\ntwo = "two"\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"numbers\.toml"):
        read_numbers(broken)


BORNE_OUT = [
    (
        "fr",
        "Avez-vous une chambre pour nous deux ce week-end ?",
        "Do you have a room for the two of us this weekend?",
    ),
    ("es", "¿Hay una habitación mañana para tres noches?", "Is there a room tomorrow for three nights?"),
    ("it", "Una doppia per dopodomani, due notti", "A double for the day after tomorrow, two nights"),
    ("ru", "Нам нужен номер на двоих на следующие выходные", "We need a room for two next weekend"),
    ("zh", "明天有两个人的房间吗？", "Is there a room for two people tomorrow?"),
    ("ja", "来週末、二人で泊まれますか。", "Can the two of us stay next weekend?"),
    ("ko", "내일 두 명이 묵을 방 있나요?", "Is there a room for two people tomorrow?"),
    ("ar", "هل لديكم غرفة لليلتين غدا؟", "Do you have a room for two nights tomorrow?"),
    ("pl", "Czy jest pokój dwuosobowy na jutro?", "Is there a room for two tomorrow?"),
    ("sv", "Har ni ett rum i morgon?", "Do you have a room tomorrow?"),
]
PUT_IN = [
    ("fr", "Avez-vous une chambre libre ?", "Do you have a free room tomorrow?", ["tomorrow"]),
    ("fr", "Avez-vous une chambre libre ?", "Do you have a free room for two?", ["two"]),
    ("it", "Una doppia per domani", "A double for the day after tomorrow", ["day_after"]),
    ("es", "Tres noches", "Four nights this weekend", ["four", "weekend"]),
]


@pytest.mark.parametrize(("code", "source", "english"), BORNE_OUT)
def test_words_that_the_source_bears_out(code: str, source: str, english: str) -> None:
    """Numbers and relative days in the words of each language; in one whose words are not known, anything."""
    assert added_words(source, code, english, "en", NUMBERS) == []


@pytest.mark.parametrize(("code", "source", "english", "found"), PUT_IN)
def test_words_that_a_translator_puts_in(code: str, source: str, english: str, found: list[str]) -> None:
    """A day, a party, another day, another number."""
    assert added_words(source, code, english, "en", NUMBERS) == found


STAYS = [
    ("fr", "du 3 au 5 mai pour 2 personnes", "from 3 to 5 May for 2 people", "from 2 to 3 May for 5 people"),
    ("fr", "deux personnes, trois nuits", "two people, three nights", "three people, two nights"),
    ("es", "dos noches por 300 euros", "two nights for 300 euros", "two nights for 300 dollars"),
    ("it", "dal 2 marzo al 4 aprile", "from 2 March to 4 April", "from 2 April to 4 March"),
    ("zh", "5月3日到5日，两个人", "3 to 5 May, two people", "2 to 3 May, five people"),
    ("ja", "５月３日から５日まで、二人です", "From 3 to 5 May, two people", "From 5 to 3 May, two people"),
    ("sv", "3 maj till 5 maj, 2 personer", "3 May to 5 May, 2 people", "2 May to 3 May, 5 people"),
    ("ru", "с 3 по 5 мая, двое", "from 3 to 5 May, two people", "from 2 to 5 May, three people"),
]


@pytest.mark.parametrize(("code", "source", "english", "exchanged"), STAYS)
def test_amounts_keep_their_order(code: str, source: str, english: str, exchanged: str) -> None:
    """The same numbers in another order, or with another currency, are not the same."""
    assert in_order(source, code, english, "en", NUMBERS)
    assert not in_order(source, code, exchanged, "en", NUMBERS)


@pytest.mark.parametrize(
    ("english", "german", "same"),
    [
        ("March 5 to 7, 2026", "vom 5. bis 7. März 2026", True),
        ("2026-03-05", "5. März 2026", True),
        ("3/5/2026 to 7/6/2026", "3. Mai 2026 bis 7. Juni 2026", True),
        ("3/5/2026 to 7/6/2026", "7.6.2026 bis 3.5.2026", False),
        ("3 to 5 May", "5. bis 3. Mai", False),
        ("2.5 million people", "2,5 Mio. Menschen", True),
        ("2 hours", "2 Uhr", False),
        ("a week or two", "eine Woche oder zwei", True),
    ],
)
def test_dates_and_units_in_order(english: str, german: str, same: bool) -> None:
    """A month may change its side of the day; days and units may not be exchanged."""
    assert in_order(english, "en", german, "de", NUMBERS) is same
    assert in_order(german, "de", english, "en", NUMBERS) is same
