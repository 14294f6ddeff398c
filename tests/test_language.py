"""The language of a message: what switches a thread and what must not."""

from __future__ import annotations

import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest

from desk.language import Detector, base_code
from desk.languages import load_languages
from desk.wordmarks import informative, letters_by_script, read_marks
from tests.eval import public_language

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("Harbour House", "Garden Court", "Standard", "Superior", "Deluxe", "Family Suite")

TELLS_NOTHING = [
    "ok", "OK!!", "104", "2", "…", "   ", "", "?", "😊", "👍", "😡😡😡", "ok, fine", "okay", "Hello",
    "Hi!", "no", "Bob", "Jürgen Müller", "Anna Kowalska, 214", "Lena Novak, HH-1002", "van der Berg",
    "Maria da Silva", "José Antonio García López", "Mrs. Schmidt", "Nguyen Van Anh", "HH-1002",
    "hh 1002", "GC-2001 Costa", "14:30", "12.02.2027", "+351 912 345 678", "€350",
    "https://www.booking.com/hotel/fr/chambre.html", "lena@mail.com", "Garden Court",
    "Harbour House, 104", "Family Suite", "Deluxe?", "Superior, 106", "Wi-Fi?", "check-in?",
    "Deluxe Suite", "Hotel Ritz Paris", "AC?", "x",
]  # fmt: skip
CLEAR = {
    "en": [
        "Sorry, can we continue in English? My wife does not read Spanish.",
        "Is there a pool?",
        "How do I say 'where is the pool' in Italian?",
        "How do I say “Guten Morgen, wie geht es Ihnen” in German?",
        'What does "Frühstück inklusive" mean?',
        "Is Müller staying at Harbour House?",
        "WHERE IS MY ROOM",
        "any rooms free tomorrow",
        "two more towels please",
        "I would take the Deluxe at Garden Court",
    ],
    "de": [
        "Haben Sie morgen ein Zimmer frei?",
        "Gibt es WLAN?",
        "Gibt's einen Pool",
        "Nehmen Sie Kreditkarten?",
        "Das im Garden Court bitte, auf den Namen Jonas Weber.",
        "Ich heiße Bob Miller",
        'Wie sage ich "where is the pool, please" auf Englisch?',
        "WO IST MEIN ZIMMER",
        "koennen sie mir ein taxi rufen",
        "noch zwei Handtücher bitte",
    ],
    "fr": ["Est-ce qu'il y a un parking ?", "La chambre est sale", "Il me faut deux serviettes"],
    "es": ["¿Hay piscina?", "la habitación está sucia", "Responde solo SÍ: ¿a qué hora es la salida?"],
    "it": ["C'è una piscina?", "Posso portare il cane?", "dove si trova la stazione"],
    "pt": ["Há estacionamento?", "o quarto está sujo", "onde fica a estação"],
    "nl": ["Hoe laat is het ontbijt?", "Mag mijn hond mee?", "waar is het station"],
    "pl": ["Czy jest basen?", "pokój jest brudny", "gdzie jest dworzec"],
    "tr": ["Havuz var mı?", "oda çok kirli", "istasyon nerede"],
    "ru": ["Есть бассейн?", "номер грязный", "Спасибо"],
    "ja": ["朝食は何時ですか", "プールはありますか", "部屋が汚い"],
    "zh": ["早餐几点开始？", "房间太吵了", "你好"],
    "ko": ["2월 1일에 방 있나요?", "안녕하세요"],
    "ar": ["هل يمكنني إحضار كلبي؟", "الغرفة كانت قذرة"],
    "hi": ["नमस्ते, क्या कमरा खाली है?"],
}
OUTSIDE = {
    "el": "Καλημέρα, έχετε δωμάτιο;",
    "th": "สวัสดีครับ มีห้องว่างไหม",
    "he": "שלום, יש לכם חדר פנוי?",
    "uk": "Добрий день, чи є вільний номер?",
    "bg": "Здравейте, имате ли свободна стая?",
    "fa": "سلام، آیا اتاق خالی دارید؟ لطفا قیمت را بگویید",
    "sv": "Hej, har ni ett ledigt rum för två nätter?",
    "da": "Hej, har I et ledigt værelse?",
    "fi": "Hei, onko teillä vapaata huonetta?",
    "cs": "Dobrý den, máte volný pokoj na dvě noci?",
    "hu": "Jó napot, van szabad szoba két éjszakára?",
    "ro": "Bună ziua, aveți o cameră liberă?",
}
# A thread's language is left only by more than two or three words; these are clear from the first message.
THREADS = ["de", "en", "es", "ja"]


@pytest.fixture(scope="module")
def detector() -> Detector:
    languages = load_languages(ROOT / "data", ROOT / "data" / "hotels")
    return Detector(languages, read_marks(ROOT / "data", languages), NAMES)


@pytest.mark.parametrize("text", TELLS_NOTHING)
def test_what_tells_nothing_keeps_what_is_expected(detector: Detector, text: str) -> None:
    """Short and ambiguous messages keep the thread's language, else the page's, else English."""
    for current in THREADS:
        found = detector.detect(text, current=current)
        assert (found.code, found.switched) == (current, False)
    assert detector.detect(text, locale="de-DE").code == "de"
    assert detector.detect(text, locale="en-US").code == "en"
    assert detector.detect(text).code == "en"


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in CLEAR.items() for text in texts])
def test_a_clear_message_tells_its_language(detector: Detector, code: str, text: str) -> None:
    """A sentence is recognised as a first message, against the page's language, and inside any thread."""
    assert detector.detect(text).code == code
    assert detector.detect(text, locale="de-DE").code == code
    assert detector.detect(text, locale="en-GB").code == code
    for current in THREADS:
        found = detector.detect(text, current=current)
        assert (found.code, found.switched) == (code, code != current)


@pytest.mark.parametrize(("code", "text"), OUTSIDE.items())
def test_a_language_outside_the_list_is_named_but_not_known(detector: Detector, code: str, text: str) -> None:
    """The desk does not take Greek for English nor Swedish for German; it says that it lacks them."""
    found = detector.detect(text, current="en")
    assert (found.code, found.known, found.switched) == (code, False, True)


@pytest.mark.parametrize("text", ["yes", "danke", "Merci!", "Frühstück?", "gracias"])
def test_one_word_never_switches_a_thread(detector: Detector, text: str) -> None:
    """Courtesies and single words travel; a conversation needs a sentence to switch."""
    assert detector.detect(text, current="it").code == "it"


def test_one_clear_word_opens_a_conversation_in_its_language(detector: Detector) -> None:
    """On a first message there is nothing to leave: a word of a language's own is enough."""
    assert detector.detect("Guten Tag").code == "de"
    assert detector.detect("Frühstück?", locale="en-GB").code == "de"
    assert detector.detect("bonjour").code == "fr"


@pytest.mark.parametrize(
    "text",
    [
        "std room 17-19 jan??", "superior 15-17 feb", "deluxe avail 2/20/2027 to 2/22/2027?", "ok thx",
        "2 pax 3 nites", "noise 203", "confirm", "balcony?", "104 pls", "tmrw", "nov", "massage 5pm",
    ],
)  # fmt: skip
def test_a_telegram_is_in_no_language_that_the_desk_lacks(detector: Detector, text: str) -> None:
    """Months in short, names of types and abbreviations say nothing; doubt is settled for a language of ours."""
    assert detector.detect(text).code == "en"


@pytest.mark.parametrize(
    "text",
    [
        "Hallo", "Servus", "Grüezi", "merci vielmal", "superior 15.2. bis 17.2.", "Deluxe vom 3. bis 5.3.",
        "Kinderbett?", "morgen",
    ],
)  # fmt: skip
def test_short_german_openings(detector: Detector, text: str) -> None:
    """Greetings of the south, and telegrams whose only word is "bis", are German from the first message."""
    assert detector.detect(text).code == "de"
    assert detector.detect(text, current="de").code == "de"


@pytest.mark.parametrize(
    ("code", "text"), [("fr", "Merci!"), ("es", "hola"), ("nl", "ontbijt?"), ("pl", "hej")]
)
def test_a_clear_word_still_tells_a_language_that_the_desk_lacks(
    detector: Detector, code: str, text: str
) -> None:
    """Doubt is settled for the desk's languages, and a word that only one language has leaves none."""
    assert detector.detect(text).code == code


def test_a_page_in_a_language_the_desk_lacks_falls_back_to_english(detector: Detector) -> None:
    """Nothing told and a Swedish browser: the page is in English, and so is the thread."""
    found = detector.detect("ok", locale="sv-SE")
    assert (found.code, found.known, found.confident) == ("en", True, False)


def test_a_thread_in_an_unknown_language_keeps_it(detector: Detector) -> None:
    """A short answer does not make a Greek conversation an English one."""
    found = detector.detect("ok", current="el")
    assert (found.code, found.known, found.switched) == ("el", False, False)


def test_a_name_in_another_script_keeps_the_thread(detector: Detector) -> None:
    """A Chinese or Russian name given for a booking does not switch an English conversation."""
    for name in ("王伟", "田中", "Анна Иванова"):
        assert detector.detect(name, current="en").code == "en"


def test_a_region_stays_on_the_thread(detector: Detector) -> None:
    """A thread in Brazilian Portuguese stays so, and a locale counts by its language."""
    assert detector.detect("o quarto está sujo", current="pt-BR").code == "pt-BR"
    assert base_code("pt_BR") == "pt"
    assert base_code("") is None


def test_whole_quotation_is_still_read(detector: Detector) -> None:
    """A message that is nothing but a quotation is judged by what it quotes."""
    assert detector.detect('"Haben Sie ein Zimmer frei?"').code == "de"


def test_many_threads_wait_for_one_load(detector: Detector) -> None:
    """Messages that come while the detector loads all wait for it and get the same answer."""
    languages = load_languages(ROOT / "data", ROOT / "data" / "hotels")
    fresh = Detector(languages, read_marks(ROOT / "data", languages))
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(fresh.detect("Haben Sie ein Zimmer frei?").code))
        for _ in range(6)
    ]
    for thread in [threading.Thread(target=fresh.load), *threads]:
        thread.start()
        threads = [*threads, thread]
    for thread in threads:
        thread.join()
    assert found == ["de"] * 6


def test_nothing_is_loaded_before_it_is_needed() -> None:
    """Importing the module, and a message that tells nothing, leave the large models alone."""
    program = "\n".join(
        [
            "import sys",
            "from pathlib import Path",
            "from desk.language import Detector",
            "from desk.wordmarks import read_marks",
            f"detector = Detector({{}}, read_marks(Path({str(ROOT / 'data')!r}), {{}}))",
            "assert detector.detect('104', current='de').code == 'de'",
            "assert 'lingua' not in sys.modules",
        ]
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)


def test_marks_of_a_message() -> None:
    """References, links, numbers, quotations and names are taken out; scripts are counted by letters."""
    languages = load_languages(ROOT / "data", ROOT / "data" / "hotels")
    marks = read_marks(ROOT / "data", languages).with_names(["Garden Court"])
    found = informative("I am Bob Miller (HH-1002) at Garden Court, see www.x.com and 'la camera'", marks)
    assert found.tokens == ["i", "am", "at", "see", "and"]
    assert letters_by_script("Hi 東京 タワー") == {"LATIN": 2, "CJK": 4, "KATAKANA": 6}


def test_every_language_of_the_list_has_its_notice() -> None:
    """A guest whose language the desk lacks reads so in that language."""
    codes = read_marks(ROOT / "data", {}).codes
    notices = tomllib.loads((ROOT / "data" / "languages" / "notices.toml").read_text(encoding="utf-8"))
    assert set(codes) <= set(notices["desk_languages"])


def test_the_measurement_says_when_its_data_is_not_there(tmp_path: Path) -> None:
    """Without the public word lists there is no number, and it says so."""
    assert "missing" in public_language.score(tmp_path)


CHAT = [
    ("Is rm 104 avlbl 5-7 jan pls", "en"),
    ("hv u got dbl rm 2nite?", "en"),
    ("brkfst incl?", "en"),
    ("cn we chk in b4 12?", "en"),
    ("hab ne frage zwecks zi.", "de"),
    ("gibts nen parkpl. am hotel", "de"),
]


@pytest.mark.parametrize(("text", "code"), CHAT)
def test_shorthand_is_no_language_that_the_desk_lacks(detector: Detector, text: str, code: str) -> None:
    """Chat English and German stay what they are, however they look to the statistical detector."""
    assert detector.detect(text).code == code


@pytest.mark.parametrize("text", ["Is rm 104 avlbl pls", "pls cnfrm my bkng", "thx cn u hlp"])
def test_shorthand_does_not_switch_a_conversation(detector: Detector, text: str) -> None:
    """Nor does it leave the thread's language for one that the desk lacks."""
    assert detector.detect(text, current="en").code == "en"
