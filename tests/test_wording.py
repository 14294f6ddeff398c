"""The message catalogue: every kind of fact in every language, and what a broken file is told."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from desk.errors import DataError
from desk.languages import Language, load_languages
from desk.pack import Pack, load_pack
from desk.records import Fact, FactKind
from desk.wording import Catalogue

DATA = Path(__file__).resolve().parent.parent / "data"
LANGUAGES = load_languages(DATA, DATA / "hotels")
PACK = load_pack(DATA / "hotels")
CODES = sorted(LANGUAGES)

DAY = dt.date
DELUXE: dict[str, Any] = {
    "hotel": "hotel1", "room": "104", "type": "Deluxe", "sleeps": 2, "arrival": DAY(2027, 2, 1),
    "departure": DAY(2027, 2, 3), "nights": 2, "guests": 2, "rate": 189, "total": 378, "currency": "EUR",
}  # fmt: skip
SUITE: dict[str, Any] = {
    "hotel": "hotel2", "room": "107", "type": "Family Suite", "sleeps": 5, "arrival": DAY(2026, 12, 30),
    "departure": DAY(2027, 1, 2), "nights": 3, "guests": 5, "rate": 249.5, "total": 748.5, "currency": "EUR",
}  # fmt: skip
NIGHT: dict[str, Any] = {
    "hotel": "hotel2", "room": "105", "type": "Standard", "sleeps": 2, "arrival": DAY(2027, 1, 31),
    "departure": DAY(2027, 2, 1), "nights": 1, "rate": 85, "total": 85, "currency": "EUR",
}  # fmt: skip
JANUARY: dict[str, Any] = {
    **DELUXE,
    "arrival": DAY(2027, 1, 1),
    "departure": DAY(2027, 2, 1),
    "nights": None,
    "total": None,
}
WEEK: dict[str, Any] = {**JANUARY, "arrival": DAY(2027, 1, 4), "departure": DAY(2027, 1, 11)}
BARE: dict[str, Any] = {
    "hotel": "hotel1", "room": "104", "rate": 189, "arrival": DAY(2026, 12, 1), "departure": DAY(2026, 12, 3),
    "reference": "HH-1002",
}  # fmt: skip
STATUSES: dict[str, tuple[str | None, ...]] = {
    "none_free": ("booked", "no_such_type", "too_small"),
    "nearest": ("other_dates", "other_type", None),
    "not_searched": ("failed", "nothing_found", "beyond_guide"),
    "not_checked": ("failed", "timed_out"),
    "date_problem": ("past", "departure_first", "no_such_date", "too_far", "ambiguous"),
    "booking": ("booked", "changed", "cancelled"),
    "booking_failed": ("taken", "changed", "past", "unknown_room", "no_name", "not_confirmed", "another"),
    "staff_request": ("urgent", "recorded"),
}
VALUES: dict[str, dict[str, Any]] = {
    "guide": {"from": "07:00", "to": "10:30", "price": 14, "currency": "EUR", "included": False},
    "place": {
        "name": "A Brasileira",
        "category": "cafe",
        "area": "Chiado",
        "walk_minutes": {"hotel1": 10, "hotel2": 14},
    },
    "web_result": {"title": "Lisbon", "url": "https://example.org/a_b", "quote": "*Open* for $5 ~ daily"},
    "staff_request": {"kind": "towels", "phone": "+351 21 555 0142"},
    "said": {"text": "Is there a {gym}\n or a pool?"},
    "date_problem": {"readings": ["2027-03-04", "2027-04-03"]},
}


def fact(kind: str, **fields: Any) -> Fact:
    return Fact(id="f", kind=kind, **fields)  # type: ignore[arg-type]


def catalogue(**changed: Language) -> Catalogue:
    return Catalogue({**LANGUAGES, **changed}, PACK)


WORDS = catalogue()


def every_fact() -> Iterator[Fact]:
    """Each kind in each status, about several rooms, now and recalled, complete and bare."""
    for kind in get_args(FactKind):
        entry = "breakfast" if kind == "guide" else None
        for status in STATUSES.get(kind, (None,)):
            for room in (DELUXE, SUITE, NIGHT):
                whole = fact(
                    kind, status=status, reference="HH-1002", entry=entry, values=VALUES.get(kind, {}), **room
                )
                yield whole
                yield whole.model_copy(update={"recalled": True})
            if kind not in ("offer", "booking"):
                yield fact(kind, status=status, entry=entry, values=VALUES.get(kind, {}), **BARE)


def numbers(text: str) -> list[str]:
    """The numbers of a text in plain digits: "€1,189.50" and "1.189,50 €" are both 1189.50."""
    found = re.findall(r"\d+(?:[.,\u00a0]\d{3})*(?:[.,]\d\d)?(?!\d)", text)
    return [re.sub(r"[.,\u00a0](?=\d{3})", "", each).replace(",", ".") for each in found]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("position", ["first", "alternative", "plain"])
@pytest.mark.parametrize("named", [True, False])
def test_every_kind_of_fact_becomes_a_clean_sentence(code: str, position: Any, named: bool) -> None:
    """No placeholder, no None and no raw key is left, whatever the position."""
    for each in every_fact():
        said = WORDS.fact(each, code, position, named)
        assert said.strip() == said, each
        assert "None" not in said, said
        assert each.kind == "said" or not re.search(r"[{}]", said), said
        assert "hotel1" not in said, said


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("kind", ["room_free", "nearest", "offer", "booking", "stay"])
@pytest.mark.parametrize("room", [DELUXE, SUITE, NIGHT], ids=["deluxe", "suite", "one night"])
def test_room_rate_and_total_stand_in_the_sentence(code: str, kind: str, room: dict[str, Any]) -> None:
    """What a guest decides by is there, as the locale writes it, now and when recalled."""
    for recalled in (False, True):
        for position in ("first", "alternative", "plain"):
            told = fact(kind, status="booked", reference="HH-1002", recalled=recalled, **room)
            said = WORDS.fact(told, code, position)  # type: ignore[arg-type]
            assert room["room"] in numbers(said)
            assert WORDS.money(room["rate"], code) in said
            assert WORDS.money(room["total"], code) in said
            assert str(room["departure"].year) in said


@pytest.mark.parametrize("code", CODES)
def test_rooms_of_every_type_have_their_words(code: str) -> None:
    """Each type of the pack has its own word; a type that no table knows is said by its name."""
    for kind in ("Standard", "Superior", "Deluxe", "Family Suite", "Penthouse"):
        said = WORDS.fact(fact("room_free", **{**DELUXE, "type": kind}), code)
        assert "104" in said
        assert kind != "Penthouse" or "Penthouse" in said


def test_german_gender_of_types() -> None:
    """The article follows the noun."""
    for room, expected in ((DELUXE, "das Deluxe-Zimmer 104"), (SUITE, "die Familiensuite 107")):
        assert expected in WORDS.fact(fact("room_free", **room), "de", "first")
    none = fact("none_free", status="booked", hotel="hotel2", type="Family Suite", arrival=DAY(2026, 12, 10),
                departure=DAY(2026, 12, 14))  # fmt: skip
    assert (
        WORDS.fact(none, "de")
        == "Im Garden Court ist vom 10. bis 14. Dezember 2026 keine Familiensuite frei."
    )
    assert WORDS.fact(none, "en") == "At Garden Court, no Family Suite is free from 10 to 14 December 2026."


def test_why_nothing_fits() -> None:
    """No such type, too small and booked are three different sentences."""
    assert WORDS.fact(
        fact("none_free", status="no_such_type", hotel="hotel1", type="Family Suite"), "en"
    ) == ("Harbour House has no Family Suite.")
    assert WORDS.fact(fact("none_free", status="too_small", hotel="hotel1", guests=9), "en") == (
        "No room at Harbour House sleeps 9 people."
    )
    assert (
        WORDS.fact(fact("no_such_room", hotel="hotel1", room="109"), "de")
        == "Das Harbour House hat kein Zimmer 109."
    )


def test_a_span_without_exact_days_is_said_as_such() -> None:
    """A whole month goes by its name, and no total is invented."""
    month = WORDS.fact(fact("room_free", **JANUARY), "en")
    assert (
        month == "Deluxe room 104 at Harbour House is free throughout January 2027 and costs €189 per night."
    )
    week = WORDS.fact(fact("room_free", **WEEK), "de", "alternative")
    assert "durchgehend vom 4. bis 11. Januar 2027" in week
    assert "378" not in month + week


def test_half_an_offer_is_not_said() -> None:
    """An offer or a booking without its total is a bug, and no sentence hides it."""
    for kind in ("offer", "booking"):
        with pytest.raises(DataError, match=f"cannot say this {kind}"):
            WORDS.fact(fact(kind, **BARE), "de")


def test_recalled_is_never_said_as_present() -> None:
    """An earlier turn's recommendation is told as such; other facts get a prefix."""
    told = fact("room_free", recalled=True, **DELUXE)
    assert WORDS.fact(told, "en", "first").startswith("I had recommended Deluxe room 104")
    assert WORDS.fact(told, "en", "alternative").startswith("I had also offered Deluxe room 104")
    assert WORDS.fact(told, "de").startswith("Ich hatte Ihnen das Deluxe-Zimmer 104")
    taken = fact("room_taken", recalled=True, **DELUXE)
    assert WORDS.fact(taken, "en").startswith("As I said earlier: Deluxe room 104")
    assert WORDS.fact(taken, "de").startswith("Wie ich vorhin schon sagte: Das Deluxe-Zimmer 104")


@pytest.mark.parametrize("code", CODES)
def test_an_emergency_says_whom_to_call(code: str) -> None:
    """112 and the desk's phone stand in it; without a hotel, every hotel's own phone."""
    known = fact("staff_request", status="urgent", values={"kind": "emergency", "phone": "+351 21 555 0142"})
    unknown = fact("staff_request", status="urgent", values={"kind": "emergency"})
    for each in (known, unknown):
        said = WORDS.fact(each, code)
        assert "112" in said
        assert "+351 21 555 0142" in said
    assert "+351 21 555 0187" in WORDS.fact(unknown, code)


@pytest.mark.parametrize("code", CODES)
def test_quotes_are_kept_as_they_are(code: str) -> None:
    """Web text and guests' words go through unchanged but for line breaks, and never as patterns."""
    quoted = WORDS.fact(fact("web_result", values=VALUES["web_result"]), code)
    assert "*Open* for $5 ~ daily" in quoted
    assert "https://example.org/a_b" in quoted
    assert "Is there a {gym} or a pool?" in WORDS.fact(fact("said", values=VALUES["said"]), code)


def test_distances_of_places() -> None:
    """From the hotel asked about, or from every hotel; on foot or by public transport."""
    values = {
        "name": "Castelo",
        "category": "sight",
        "walk_minutes": {"hotel1": 29},
        "transit_minutes": {"hotel2": 35},
    }
    assert WORDS.fact(fact("place", hotel="hotel1", values=values), "en") == (
        "Castelo (sight): 29 minutes on foot from Harbour House."
    )
    assert WORDS.fact(fact("place", values=values), "de") == (
        "Castelo (Sehenswürdigkeit): 29 Minuten zu Fuß vom Harbour House und "
        "35 Minuten mit Bus und Bahn vom Garden Court."
    )
    near = {"name": "Kiosk", "category": "news_stand", "minutes": 1}
    assert WORDS.fact(fact("place", hotel="hotel2", values=near), "en") == (
        "Kiosk (news stand): 1 minute on foot from Garden Court."
    )


def test_money_and_dates_as_the_locale_writes_them() -> None:
    """Whole sums have no decimals; stays are shortened only where the year allows."""
    assert WORDS.money(189, "en") == "€189"
    assert WORDS.money(189, "de") == "189\u00a0€"
    assert WORDS.money(1189.5, "en") == "€1,189.50"
    assert WORDS.money(1189.5, "de") == "1.189,50\u00a0€"
    assert WORDS.money(20, "en", "JPY") == "JP¥20"
    assert WORDS.date(DAY(2027, 2, 1), "en") == "1 February 2027"
    assert WORDS.date(DAY(2027, 2, 1), "de", weekday=True) == "Montag, 1. Februar 2027"
    assert WORDS.stay(DAY(2027, 2, 1), DAY(2027, 2, 3), "en") == "from 1 to 3 February 2027"
    assert WORDS.stay(DAY(2027, 2, 1), DAY(2027, 2, 3), "de") == "vom 1. bis 3. Februar 2027"
    assert WORDS.stay(DAY(2027, 1, 31), DAY(2027, 2, 1), "en") == "from 31 January to 1 February 2027"
    assert WORDS.stay(DAY(2026, 12, 30), DAY(2027, 1, 2), "de") == "vom 30. Dezember 2026 bis 2. Januar 2027"


@pytest.mark.parametrize("code", CODES)
def test_every_fixed_line_is_there(code: str) -> None:
    """Every language has English's lines, complete with their values."""
    for key in LANGUAGES["en"].subject("frames"):
        assert key in LANGUAGES[code].subject("frames")
        said = WORDS.frame(key, code, limit=2000, phones=["Harbour House +351 21 555 0101"])
        assert said
        assert not re.search(r"[{}]", said)


def test_what_a_language_lacks_english_says() -> None:
    """A missing pattern, table or language gives the whole English sentence."""
    german = LANGUAGES["de"]
    fewer = {key: rows for key, rows in german.subject("facts").items() if key != "room_free"}
    poor = replace(german, subject_tables={**german.subject_tables, "facts": fewer, "frames": {}})
    mixed = catalogue(de=poor)
    told = fact("room_free", **DELUXE)
    assert mixed.fact(told, "de") == WORDS.fact(told, "en")
    assert mixed.fact(fact("room_taken", **DELUXE), "de") == WORDS.fact(fact("room_taken", **DELUXE), "de")
    assert mixed.frame("ask_name", "de") == WORDS.frame("ask_name", "en")
    assert WORDS.fact(told, "xx") == WORDS.fact(told, "en")
    assert WORDS.fact(told, "de-AT") == WORDS.fact(told, "de")


def _with(code: str, table: str, **changed: Any) -> Language:
    language = LANGUAGES[code]
    return replace(
        language, subject_tables={**language.subject_tables, table: {**language.subject(table), **changed}}
    )


@pytest.mark.parametrize(
    ("table", "kind", "block", "complaint"),
    [
        ("facts", "room_free", {"say": "{room} costs {prize}"}, "{prize}"),
        ("facts", "room_free", {"say": "{room} for {nights.fortnight}"}, "{nights.fortnight}"),
        ("facts", "room_free", {"say": "{type} {room}"}, "{type.room}"),
        ("facts", "room_free", {"say": "{stay.sideways}"}, "{stay.sideways}"),
        ("facts", "room_free", {"say": "{room"}, "brace"),
        ("facts", "room_free", {"say": "{Room}"}, "brace"),
        ("facts", "room_free", {"say": {"one": "a", "other": "b"}}, "`by`"),
        ("facts", "room_free", {"say": {"one": "a"}, "by": "nights"}, "`other`"),
        ("facts", "room_free", {"when": {"weather": "fine"}, "say": "{room}"}, "'weather'"),
        ("guide", "breakfast", {"say": "at {hour}"}, "{hour}"),
        ("guide", "breakfast", {"when": {"dinner": True}, "say": "at {from}"}, "'dinner'"),
        ("guide", "breakfast", {}, "`say`"),
    ],
)
@pytest.mark.parametrize("code", CODES)
def test_a_broken_pattern_stops_the_start(
    code: str, table: str, kind: str, block: Any, complaint: str
) -> None:
    """The message names the language's file, the kind and what is wrong."""
    with pytest.raises(DataError) as caught:
        catalogue(**{code: _with(code, table, **{kind: [block]})})
    assert f"languages/{code}/{table}.toml: {kind}" in str(caught.value)
    assert complaint in str(caught.value)


def test_a_line_must_keep_its_placeholders() -> None:
    """A translation that loses a value, or a line that English lacks, is refused."""
    for changed in ({"too_long": "Zu lang."}, {"unheard_of": "Was?"}):
        with pytest.raises(DataError, match=r"languages/de/frames.toml"):
            catalogue(de=_with("de", "frames", **changed))


def test_english_must_be_complete() -> None:
    """English is what every language falls back to, so nothing may be missing there."""
    with pytest.raises(DataError, match=r"\[\[offer\]\] is missing"):
        catalogue(en=_with("en", "facts", offer=[]))
    only_included = [{"when": {"included": True}, "say": "Breakfast at {hotel} is included."}]
    with pytest.raises(DataError, match="hotel1's entry breakfast"):
        catalogue(en=_with("en", "guide", breakfast=only_included))


def test_any_number_of_hotels() -> None:
    """Names come from the pack, and a hotel that it does not have is said as it is called."""
    one = Pack(**{**vars(PACK), "branches": PACK.branches[:1]})
    words = Catalogue(LANGUAGES, one)
    assert "at Harbour House" in words.fact(fact("room_free", **DELUXE), "en")
    assert "at Old Mill" in words.fact(fact("room_free", **{**DELUXE, "hotel": "Old Mill"}), "en")
