"""The numbers of a reply against the facts that it states: rooms, prices, dates and times as they are worded.

That a fact is so says nothing of the sentence it became. Every number of a reply must be one of its facts', every
price in a line about one room must be that room's, a room's line must have the month it is about, and what counts
as stated must be there.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from babel import Locale
from babel.dates import format_date

from tests.eval.stored import Stored

Turn = Mapping[str, Any]
Fact = Mapping[str, Any]
EMERGENCY = 112  # the one number that a desk may say without having it from a file
DATED = ("room_free", "room_taken", "nearest", "offer", "booking", "stay")  # kinds whose line says when
SMALL_WORDS = {  # that are words of one of these languages only
    "en": {"the", "and", "is", "at", "for", "you", "of", "with", "your", "are", "from", "to", "it", "can"},
    "de": {
        "der",
        "die",
        "das",
        "und",
        "ist",
        "im",
        "für",
        "sie",
        "von",
        "mit",
        "ihre",
        "sind",
        "vom",
        "es",
        "ich",
    },
}
ENOUGH_WORDS = 4  # below, names and fixed terms could decide
FORMS = ("MMMM", "LLLL")  # a month inside a date, and a month alone
_SUM = r"\d{1,3}(?:[.,\u202f\u00a0]\d{3})+(?!\d)(?:[.,]\d{2})?|\d+(?:[.,]\d{2})?(?!\d)"
_MONEY = re.compile(rf"€\s?({_SUM})|({_SUM})\s?€")
_CENTS = re.compile(r"[.,]\d{2}$")


def unborne(turn: Turn, stored: Stored) -> list[str]:
    """What the reply says in numbers, and no fact that it states bears out."""
    reply = _without_quotes(digits(turn["reply"]), turn["facts"])
    known = {EMERGENCY, *_numbers([turn["facts"], turn["offer"]])}
    if any(fact["kind"] == "staff_request" for fact in turn["facts"]):  # names whom to call
        known |= _numbers([stored.guide(hotel, "phone") for hotel in stored.hotels()])
    loose = [found for found in re.findall(r"\d+", _whole_sums(reply)) if int(found) not in known]
    wrong = [f"{loose} in the reply, of no fact"] if loose else []
    return wrong + [line for fact in turn["facts"] if fact["room"] for line in _misworded(fact, reply, turn)]


def unsaid(turn: Turn) -> list[str]:
    """Facts that the turn counts as stated, and whose room, reference or numbers its reply does not have."""
    reply = _whole_sums(digits(turn["reply"]))
    wrong = []
    for fact in turn["facts"]:
        named = [room["room"] for room in fact["rooms"]] or [fact["room"]]
        marks = [str(mark) for mark in (*named, fact["reference"]) if mark]
        numbers = _numbers(fact["values"]) if fact["kind"] == "guide" else set()
        heard = not numbers or numbers & {int(found) for found in re.findall(r"\d+", reply)}
        if not heard or not all(re.search(rf"(?<!\w){re.escape(mark)}(?!\w)", reply) for mark in marks):
            wrong.append(
                f"a {fact['kind']} counts as stated and is not in the reply: {marks or sorted(numbers)}"
            )
    return wrong


def foreign(turn: Turn) -> list[str]:
    """Whether the reply is in another language than the turn says, as far as small words of both can tell."""
    code = turn["language"].partition("-")[0]
    words = re.findall(r"\w+", turn["reply"].casefold())
    counts = {each: sum(word in small for word in words) for each, small in SMALL_WORDS.items()}
    if code not in counts or sum(counts.values()) < ENOUGH_WORDS:
        return []
    most = max(counts, key=lambda each: counts[each])
    return [] if counts[code] == counts[most] else [f"the reply is in {most}, and the turn in {code}"]


def digits(text: str) -> str:
    """The text with every script's digits as 0 to 9."""
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def _without_quotes(reply: str, facts: Sequence[Fact]) -> str:
    """What a guest or a page of the web wrote is quoted as it is and is nobody's statement here."""
    for fact in facts:
        for quoted in fact["values"].values() if fact["kind"] in ("said", "web_result") else ():
            reply = reply.replace(digits(str(quoted)), "")
    return reply


def _whole_sums(text: str) -> str:
    """Sums without what parts their thousands: "1,195" becomes "1195"."""
    return re.sub(r"(?<=\d)[.,\u202f\u00a0](?=\d{3}(?!\d))", "", text)


def _numbers(found: Any) -> set[int]:
    """Every whole number in these values; of a sum with cents, both parts as money is written."""
    texts = re.findall(r"\d+(?:\.\d+)?", json.dumps(found, default=str))
    cents = [f"{float(text):.2f}" for text in texts if "." in text]
    return {int(part) for text in [*texts, *cents] for part in text.split(".")}


def _misworded(fact: Fact, reply: str, turn: Turn) -> Iterator[str]:
    """What is wrong with the lines that name this room and no other."""
    others = {other["room"] for other in turn["facts"] if other["room"]} - {fact["room"]}
    same = [other for other in turn["facts"] if other["room"] == fact["room"]]
    sums = {float(each[key]) for each in same for key in ("rate", "total", "fee") if each[key] is not None}
    for line in reply.splitlines():
        if not names(line, fact["room"]) or any(names(line, room) for room in others) or fact["rooms"]:
            continue
        odd = [text for text in _sums(line) if value(text) not in sums]
        if odd:
            yield f"{odd} in the line of room {fact['room']}"
        if fact["kind"] in DATED and not any(_in_month(line, each, turn) for each in same):
            yield f"the line of room {fact['room']} is not about {fact['arrival']}"


def names(line: str, room: str) -> bool:
    """Whether the line names this room, and not a sum with the same figures."""
    return re.search(rf"(?<![\d€.,]){re.escape(room)}(?![\d€]|[.,]\d|\s?€)", line) is not None


def _sums(line: str) -> list[str]:
    return [found[0] or found[1] for found in _MONEY.findall(line)]


def value(text: str) -> float:
    """The amount of a sum as English or German writes it: "1,195.50", "1.195 €"."""
    cents = _CENTS.search(text)
    whole = re.sub(r"\D", "", text[: cents.start()] if cents else text)
    return float(f"{whole}.{cents.group()[1:]}" if cents else whole)


def _in_month(line: str, fact: Fact, turn: Turn) -> bool:
    """Whether the line has the month of the fact's arrival or departure, in the language of the turn."""
    if not fact["arrival"]:
        return False
    days = [date.fromisoformat(fact[key]) for key in ("arrival", "departure")]
    months = [
        format_date(day, form, locale=code) for code in _locales(turn) for day in days for form in FORMS
    ]
    return any(month.casefold() in line.casefold() for month in months)


def _locales(turn: Turn) -> list[str]:
    """The turn's language, and English: what the desk has no words for it says in English."""
    code = turn["language"].partition("-")[0]
    return [code, "en"] if code in Locale("en").languages else ["en"]
