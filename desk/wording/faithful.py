"""Whether a machine's translation of a pattern may be used: rules of code, for a translator that is thought hostile.

What they show: every place is there once for each in English, in the same clause, and places of one kind (days, sums,
counts) in the same order; nothing that code writes (digits, days, sums, names of hotels) is in the words; the text is
about as long, of as many clauses, in the script of its language; each clause has the same classes of words (says no,
free, booked, cancelled, included, a night, …; see data/languages/claims.toml) as the English clause. A pattern about a
room, a price, a booking, a date or a danger (`closed`) is made of the words of data/languages/words.toml alone, each
only where the English clause has a word for the same thing: a lie that no list of bad words would foresee has no
words there.
What they cannot show: that the listed words are put together rightly; and in the sentences of a house guide and of the
neighbourhood, which need a wide vocabulary, a wrong word of no class is not seen at all. Nor are prepositions exchanged
within a clause, or an unpleasant tone. So a language made this way is marked as not reviewed.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from babel import Locale

from desk.wording.claims import ALWAYS, Claims, Tongue, clauses, plain
from desk.wording.patterns import ANY_PLACE, BRACE

# Places of one kind, which must keep their order: exchanged, they would make another true-looking sentence.
SUMS = ("rate", "total", "fee", "price", "deposit", "extra_bed", "wash", "dry")
OF_WEIGHT = 10  # letters of a part that says something: not "At {hotel},"
COMMA = re.compile("[,،，、]")
PER = frozenset({"night", "person", "day", "hour", "total"})  # the classes that say what a sum is for
KINDS = (
    ("arrival", "departure", "from", "to", "until", "after", "before", "back", "first_month", "last_month",
     "staff_from", "stay"),
    SUMS,
    ("room", "rooms", "fan_room"),
    ("name", "category", "area", "address", "station", "distances", "title", "url", "quote", "network", "phone",
     "phones", "email", "methods", "query", "text"),
    ("hotel",), ("type",), ("reference",), ("sentence",), ("request",), ("readings",),
)  # fmt: skip
COUNTS = len(KINDS)  # all others are numbers
# A translation has at most so many times the letters of the English and so many more, and at least a part of them.
ROOM_TO_GROW, SOME_MORE = 1.6, 10
# What ends a clause, in the scripts of all languages: another mark of the same row may stand for it
MARKS = (".!…。！।", ":：", ";；؛", "?？؟")
LEAST = {"LATIN": 0.4, "CYRILLIC": 0.4}  # and at least this part of them; others write with fewer letters
LEAST_OTHER = 0.12
OWN_SCRIPT = 0.6  # the part of the letters that are of the language's script, where it is not Latin


@dataclass(frozen=True)
class Pair:
    """An English pattern and its translation. `bare`: a word that stands alone, such as the category of a place;
    `closed`: about a room, a price, a booking or a danger, and so made of the language's `words` alone."""

    english: str
    told: str
    tongue: Tongue
    claims: Claims
    names: frozenset[str] = frozenset()
    bare: bool = False
    closed: bool = False

    @cached_property
    def parts(self) -> list[tuple[tuple[str, str], tuple[str, str]]]:
        """The clauses of both, side by side; only as far as both have them."""
        return list(zip(clauses(self.english), clauses(self.told), strict=False))

    @property
    def words(self) -> str:
        """The translation without its places."""
        return ANY_PLACE.sub(" ", self.told)


def readable(pair: Pair) -> str | None:
    """One line that can be seen whole, of letters and signs."""
    text = pair.told
    if not text.strip():
        return "is empty"
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    return "has what cannot be seen" if any(unicodedata.category(c) in hidden for c in text) else None


def same_places(pair: Pair) -> str | None:
    """The places of the English, with their forms, each as often, and no other brace."""
    there = [Counter(ANY_PLACE.findall(text)) for text in (pair.english, pair.told)]
    if there[0] != there[1] or BRACE.search(pair.words):
        return "has other places than the English"
    return None


def places_in_clauses(pair: Pair) -> str | None:
    """Each clause has the places of its English clause."""
    for english, told in pair.parts:
        if Counter(ANY_PLACE.findall(english[0])) != Counter(ANY_PLACE.findall(told[0])):
            return "has a place in another part of the sentence"
    return None


def same_order(pair: Pair) -> str | None:
    """Places of one kind stand in the order of the English."""
    english, told = (_by_kind(text) for text in (pair.english, pair.told))
    return "has two days, sums or numbers exchanged" if english != told else None


def same_signs(pair: Pair) -> str | None:
    """Digits, signs and links are those of the English."""
    if _signs(pair.english) != _signs(pair.told):
        return "has a digit or a sign that the English has not, or lacks one"
    return "has a link" if re.search(r"\w[.:/@]\w", pair.words) else None


def same_clauses(pair: Pair) -> str | None:
    """As many clauses, each ended as in English: a question stays one, and a mere word gets no full stop."""
    if len(clauses(pair.english)) != len(clauses(pair.told)):
        return "has more or fewer parts"
    ends = [[_mark(end) for _, end in part] for part in pair.parts]
    return "has another mark at the end of a part" if any(english != told for english, told in ends) else None


def same_size(pair: Pair) -> str | None:
    """About as many letters."""
    english, told = (sum(c.isalpha() for c in ANY_PLACE.sub("", text)) for text in (pair.english, pair.told))
    least = max((LEAST.get(script, LEAST_OTHER) for script in pair.tongue.scripts), default=LEAST_OTHER)
    most = ROOM_TO_GROW * english + SOME_MORE
    return None if pair.bare or least * english <= told <= most else "is much longer or shorter"


def same_claims(pair: Pair) -> str | None:
    """Each clause has the classes of words of its English clause: a "not", "free", "booked", "per night", …"""
    for (english, _), (told, _) in pair.parts:
        wanted, found = pair.claims.tongues["en"].says.of(_said(english)), pair.tongue.says.of(_said(told))
        if wanted != found:
            lost, more = sorted(wanted - found), sorted(found - wanted)
            return "; ".join([*(f"lacks: {c}" for c in lost), *(f"adds: {c}" for c in more)])
    return None


def same_topics(pair: Pair) -> str | None:
    """It speaks of the same things, as far as the language's list goes; a word alone must be one of the list."""
    listed = pair.tongue.topics.listed
    wanted = pair.claims.tongues["en"].topics.of(pair.english) & listed
    found = pair.tongue.topics.of(pair.words)
    if wanted != found:
        return f"speaks of other things: {', '.join(sorted(wanted ^ found))}"
    known = wanted and pair.tongue.topics.has(pair.told)
    return "is a word that no list knows" if pair.bare and not known else None


def sums_with_their_words(pair: Pair) -> str | None:
    """Of several sums each stands with the "per night" or "in total" that it has in English."""
    english, tongue = pair.claims.tongues["en"], pair.tongue
    for (was, _), (told, _) in pair.parts:
        if _sums(was, english) != _sums(told, tongue):
            return "has a sum beside the words of another one"
    return None


def known_words(pair: Pair) -> str | None:
    """Each clause is made of the language's words for what the English clause has words for, and of no other word."""
    if not pair.closed:
        return None
    own, english = pair.tongue.words, pair.claims.tongues["en"].words
    if own is None or english is None:
        return "is of a kind that only people translate into this language"
    for (was, _), (told, _) in pair.parts:
        about = english.about(_said(was)) | {ALWAYS}
        if strange := own.beside(_said(told), about):
            return f"has words that are not on the list for this sentence: {', '.join(strange[:6])}"
    return None


def same_denials(pair: Pair) -> str | None:
    """Each clause says no as many times as in English, where the language does not double its denials; and between the
    same commas, where English says no between some of them only."""
    if not pair.closed:
        return None
    english = pair.claims.tongues["en"]
    for (was, _), (told, _) in pair.parts:
        wanted, found = _denials(was, english), _denials(told, pair.tongue)
        if not (english.denials and pair.tongue.denials):
            wanted, found = [min(n, 1) for n in wanted], [min(n, 1) for n in found]
        elif sum(wanted) != sum(found):
            return "says no more or less often"
        if any(wanted) and not all(wanted) and wanted != found:
            return "says no in another part of the sentence"
    return None


def nothing_claimed_elsewise(pair: Pair) -> str | None:
    """No other language's word for "booked", "free of charge" and the like is slipped in."""
    more = pair.claims.in_any(pair.words) - pair.claims.in_any(ANY_PLACE.sub(" ", pair.english))
    more -= pair.tongue.says.of(pair.words)  # what its own language says was compared clause by clause
    return f"claims in another language: {', '.join(sorted(more))}" if more else None


def no_numbers(pair: Pair) -> str | None:
    """No number in words, on either side: only people translate those."""
    either = pair.tongue.says.of(pair.words) | pair.claims.tongues["en"].says.of(pair.english)
    return "has a number in words" if "number" in either else None


def own_script(pair: Pair) -> str | None:
    """Written in the language's script; Latin letters may stand in others, as in Wi-Fi."""
    letters = [unicodedata.name(c, "?").split()[0] for c in pair.words if c.isalpha()]
    own = sum(name in pair.tongue.scripts for name in letters)
    foreign = set(letters) - pair.tongue.scripts - {"LATIN"}
    if foreign or (letters and own < OWN_SCRIPT * len(letters)):
        return "is in another script"
    same = plain(pair.told) == plain(pair.english)
    return "is the English" if same and len(pair.words.split()) > 1 else None


def no_names(pair: Pair) -> str | None:
    """No hotel and no type of room by name."""
    named = [name for name in pair.names if name in plain(pair.words)]
    return "names a hotel or a type of room" if named else None


def no_days(pair: Pair) -> str | None:
    """No month and no weekday."""
    text, days = plain(pair.words), _days(pair.tongue.code)
    words = set(re.findall(r"[^\W\d_]+(?:-\w+)*", text))
    found = any(day in text for day in days) if pair.tongue.unspaced else bool(words & days)
    return "names a month or a day" if found else None


Rule = Callable[[Pair], str | None]
RULES: tuple[Rule, ...] = (
    readable, same_places, same_clauses, places_in_clauses, same_order, same_signs, same_size, own_script, no_numbers,
    no_names, no_days, same_claims, same_topics, sums_with_their_words, known_words, same_denials,
    nothing_claimed_elsewise,
)  # fmt: skip


def refusal(pair: Pair, rules: Iterable[Rule] | None = None) -> str | None:
    """Why this translation may not be used, or None."""
    return next((why for rule in rules or RULES if (why := rule(pair))), None)


def _mark(end: str) -> int:
    return next((n for n, marks in enumerate(MARKS) if end[0] in marks), -1) if end else -1


def _by_kind(text: str) -> dict[int, list[str]]:
    order: dict[int, list[str]] = {}
    for place in ANY_PLACE.findall(text):
        name = re.split(r"[.:}]", place[1:])[0]
        kind = next((n for n, names in enumerate(KINDS) if name in names), COUNTS)
        order.setdefault(kind, []).append(place)
    return order


def _denials(clause: str, tongue: Tongue) -> list[int]:
    """How often each part between two commas says no; without those that are hardly more than a place."""
    parts = [_said(part) for part in COMMA.split(clause)]
    found = [tongue.denials.count(part) if tongue.denials else "no" in tongue.says.of(part) for part in parts]
    return [n for n, part in zip(found, parts, strict=True) if n or sum(map(str.isalpha, part)) >= OF_WEIGHT]


def _sums(clause: str, tongue: Tongue) -> dict[str, frozenset[str]]:
    """What each sum is for, by the words between two commas; nothing where there are not two of them."""
    found = {
        place: tongue.says.of(_said(part)) & PER
        for part in COMMA.split(clause)
        for place in ANY_PLACE.findall(part)
        if place[1:-1] in SUMS
    }
    return found if len(found) > 1 else {}


def _signs(text: str) -> Counter[str]:
    bare = ANY_PLACE.sub("", text)
    return Counter(c for c in bare if unicodedata.category(c)[0] in "NS" or c in "%@/\\|<>[]*_#&")


def _said(clause: str) -> str:
    return ANY_PLACE.sub(" \0 ", clause)


@lru_cache(maxsize=64)
def _days(code: str) -> frozenset[str]:
    locales = (Locale.parse("en"), Locale.parse(code))
    return frozenset(
        plain(str(name))
        for locale in locales
        for table in (locale.months["format"]["wide"], locale.days["format"]["wide"])
        for name in table.values()
        if name not in ("May", "March")  # words of their own
    )
