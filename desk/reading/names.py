"""The name a booking is to go under, how a guest wants to be called, and booking references.

What leads to a name is data (`names.toml`); what a name looks like is the same everywhere: words of
letters, capitalised where the script has capitals, with the small words between them ("de", "van").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from desk.languages import Language
from desk.reading.remember import remembered
from desk.reading.text import APOSTROPHES, DASHES, Lexicon, Token, contains, fold, folded, plain, tokens

MOST_WORDS = 5
# Without capitals nothing but the list of stop words ends a name; two words are then the most.
MOST_LOWER = 2
# Four digits in the packs' own rows; six letters and digits, none of them alike, in the desk's bookings.
_REFERENCE = re.compile(
    r"(?<![^\W_])([a-z]{2,4})(\s?-\s?|\s?)(\d{4}|[2-9A-HJ-NP-Z]{6})(?![^\W_])", re.IGNORECASE
)
_HYPHEN = re.compile(f"[{re.escape(DASHES)}]")
# Combining classes of marks without which a name is still the same: Hebrew and Arabic points (10-36), accents
# below, above and attached. Indian vowel signs have class 0, the Japanese sound marks 8, Thai vowels 103.
_LEFT_OUT = frozenset({*range(10, 37), 202, 220, 230, 240})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(folded(entry) for entry in words)


@dataclass(frozen=True)
class _Words:
    """The language's word lists, folded."""

    titles: frozenset[str]
    particles: frozenset[str]
    stops: frozenset[str]
    not_names: frozenset[str]
    calendar: frozenset[str]
    polite: frozenset[str]
    weak_words: int


@remembered
def _words_of(language: Language, *not_names: str) -> _Words:
    """The lists of a language, with words of the desk's subject that are nobody's name."""
    table, dates = language.table("names"), language.table("dates")
    words = table.get("words", {})
    groups = [group for name in ("months", "weekdays", "days") for group in dates.get(name, {}).values()]
    return _Words(
        titles=_folded(words.get("titles", ())),
        particles=_folded(words.get("particles", ())),
        stops=_folded(words.get("stops", ())),
        not_names=_folded([*words.get("not_names", ()), *not_names]),
        calendar=_folded(word for group in groups for word in group),
        polite=_folded(words.get("polite", ())),
        weak_words=int(table.get("weak_words", 1)),
    )


@remembered
def _lexicon(language: Language) -> Lexicon:
    words = language.table("names").get("words", {})
    lexicon = Lexicon()
    for kind in ("call", "strong", "weak"):
        lexicon.add(words.get(kind, ()), kind)
    return lexicon


def read_name(text: str, language: Language, not_names: Collection[str] = ()) -> str | None:
    """The name the message gives, as it was written; None when it gives none.

    "Call me Mister Bob" keeps its title; before a name to book under a title is dropped. `not_names` are
    words of the desk's subject (hotels, room types) that are capitalised and are nobody's name.
    """
    span = name_span(text, language, not_names)
    if span is None:
        return None
    return " ".join(unicodedata.normalize("NFC", text[span[0] : span[1]]).split())


def without_named_word(text: str, language: Language) -> str:
    """The text without "my name is X" at its end, whatever X is: "my name is Yes" says no yes."""
    for cue in sorted(language.table("names").get("words", {}).get("strong", ()), key=len, reverse=True):
        found = re.search(rf"(?<!\w){re.escape(cue)}\s+\S+\s*$", text.casefold())
        if found and len(text.casefold()) == len(text):
            return text[: found.start()]
    return text


def name_span(text: str, language: Language, not_names: Collection[str] = ()) -> tuple[int, int] | None:
    """Where the name stands in the text: (start, end) in characters."""
    words = tokens(text)
    lists = _words_of(language, *not_names)
    found: dict[str, tuple[int, int]] = {}
    for first, last, meaning in _lexicon(language).scan(words):
        if meaning is None:
            continue
        span = _follows(text, words, last, meaning.kind, lists)
        if span is not None and not (meaning.kind == "weak" and _mid_word(words, first)):
            found.setdefault(meaning.kind, span)
    spoken = _spoken(text, words, language, lists)
    return found.get("call") or found.get("strong") or spoken or found.get("weak")


def _mid_word(words: Sequence[Token], at: int) -> bool:
    return words[at].glued and words[at - 1].text in "-'"


def _follows(text: str, words: Sequence[Token], at: int, kind: str, lists: _Words) -> tuple[int, int] | None:
    """The name that starts at token `at`, behind a phrase of this kind."""
    while at < len(words) and (words[at].text in (":", '"', "„", "“", ",") or words[at].text in lists.polite):
        at += 1
    begin = at
    at, titled = _past_titles(words, at, lists)
    end, count = _name_end(text, words, at, lists)
    if count == 0:
        return None
    if kind == "weak" and not _looks_named(text, words, at, end, count, lists, titled=titled):
        return None
    if fold(text[words[at].start : words[at].end]) in lists.not_names and not titled:
        return None
    start = begin if kind == "call" else at
    return words[start].start, words[end - 1].end


def _past_titles(words: Sequence[Token], at: int, lists: _Words) -> tuple[int, bool]:
    begin = at
    while at < len(words) and words[at].text in lists.titles:
        at += 1
        if at < len(words) and words[at].text == "." and words[at].glued:
            at += 1
    return at, at > begin


def _cased(word: str) -> bool:
    """Whether a word could be a name by its form: a capital first, or a script without capitals."""
    return word[0].isupper() or unicodedata.category(word[0]) == "Lo"


def _name_end(text: str, words: Sequence[Token], at: int, lists: _Words) -> tuple[int, int]:
    """Past the last token of the name that starts at `at`, and its number of words (0: no name)."""
    end, count = at, 0
    upper: bool | None = None
    while at < len(words):
        if count and words[at].glued and _binds(text, words, at):
            at += 2
            end = at
            continue
        word = text[words[at].start : words[at].end]
        particle = words[at].text in lists.particles and not _cased(word)
        if not word[0].isalpha() or _stops(text, words, at, count, lists):
            break
        cased = _cased(word) or particle
        upper = cased if upper is None else upper
        if not upper and cased and not particle:
            return at, 0  # "unter welchem Namen": where capitals are used, a name has one
        if (upper and not cased) or count + (not particle) > (MOST_WORDS if upper else MOST_LOWER):
            break
        at += 1
        if not particle:
            count, end = count + 1, at
            if len(word) == 1 and at < len(words) and words[at].text == "." and words[at].glued:
                at = end = at + 1  # an initial
    return end, count


def _stops(text: str, words: Sequence[Token], at: int, count: int, lists: _Words) -> bool:
    """Whether a word ends the name: a stop word that is not the particle of a name here."""
    if words[at].text not in lists.stops:
        return False
    return words[at].text not in lists.particles or not _particle(text, words, at, count, lists)


def _binds(text: str, words: Sequence[Token], at: int) -> bool:
    """A mark inside a name: "O'Neill", "José-María"; but not the 's of "Bob's"."""
    mark = text[words[at].start]
    if mark not in APOSTROPHES + DASHES or at + 1 >= len(words) or not words[at + 1].glued:
        return False
    return words[at + 1].text[0].isalpha() and words[at + 1].text != "s"


def _particle(text: str, words: Sequence[Token], at: int, count: int, lists: _Words) -> bool:
    """Whether a stop word is part of the name here: "van der Berg", before a capital."""
    while at < len(words) and words[at].text in lists.particles and not text[words[at].start].isupper():
        at += 1
    return (
        at < len(words)
        and text[words[at].start].isupper()
        and (count > 0 or words[at].text not in lists.stops)
    )


def _looks_named(
    text: str, words: Sequence[Token], at: int, end: int, count: int, lists: _Words, *, titled: bool
) -> bool:
    said = [token.text for token in words[at:end]]
    if not _cased(text[words[at].start :]) or (text.isupper() and not titled):
        return False
    if any(word in lists.not_names or word in lists.calendar for word in said):
        return False
    if end < len(words) and words[end].glued and words[end].text == "'":
        return False
    after = words[end].text if end < len(words) else "."
    ends = not after[0].isalnum() or after in lists.stops
    return titled or (ends and count >= lists.weak_words)


@remembered
def _after_name(language: Language) -> tuple[Lexicon, frozenset[str]]:
    """What stands behind a name, and what stands before a name that a verb follows."""
    lexicon = Lexicon()
    table = language.table("names").get("words", {})
    lexicon.add(table.get("call_after", ()), "call")
    lexicon.add(table.get("after", ()), "strong")
    return lexicon, _folded(table.get("call_heads", ()))


def _spoken(text: str, words: Sequence[Token], language: Language, lists: _Words) -> tuple[int, int] | None:
    """The name before "… here" at the start of a sentence, or before a verb that comes last ("… nennen")."""
    lexicon, heads = _after_name(language)
    for first, _, meaning in lexicon.scan(words):
        if meaning is None or not first:
            continue
        start = first
        while start and first - start <= MOST_WORDS and _part(words[start - 1], lists):
            start -= 1
        head = words[start - 1].text if start else "."
        opens = head in ".,!?" or (head in lists.stops and start == 1)
        fits = head in heads if meaning.kind == "call" else opens
        span = _follows(text, words, start, meaning.kind, lists) if fits else None
        if (
            span is not None
            and span[1] == words[first - 1].end
            and (meaning.kind != "call" or _cased(text[span[0]]))
        ):
            return span
    return None


def _part(token: Token, lists: _Words) -> bool:
    return token.text[0].isalpha() and token.text not in lists.stops


@remembered
def _undecided(language: Language) -> Lexicon:
    lexicon = Lexicon()
    lexicon.add(language.table("names").get("words", {}).get("undecided", ()), "undecided")
    return lexicon


def read_bare_name(text: str, language: Language, not_names: Collection[str] = ()) -> str | None:
    """A name that is all the message says ("Lena Novak, please"): the answer to being asked for it."""
    name = read_name(text, language, not_names)
    if name is not None:
        return name
    words = tokens(text)
    if contains(_undecided(language), text):
        return None
    lists = _words_of(language, *not_names)
    at, _ = _past_titles(words, 0, lists)
    end, count = _name_end(text, words, at, lists)
    rest = [token.text for token in words[end:] if token.text[0].isalpha()]
    named = [token.text for token in words[at:end]]
    if (
        not count
        or any(word not in lists.stops for word in rest)
        or any(word in lists.not_names or word in lists.calendar for word in named)
    ):
        return None
    return " ".join(unicodedata.normalize("NFC", text[words[at].start : words[end - 1].end]).split())


def read_reference(text: str, prefixes: Collection[str] = ()) -> str | None:
    """A booking reference ("HH-1002") in any case and spacing; with `prefixes`, only of these hotels."""
    wanted = {prefix.upper() for prefix in prefixes}
    for match in _REFERENCE.finditer(plain(text)):
        letters, mark, rest = match[1].upper(), match[2], match[3].upper()
        if wanted and letters not in wanted:
            continue
        if wanted or "-" in mark or (rest.isdecimal() and not _loose(match[1], mark, rest)):
            return f"{letters}-{rest}"
    return None


def _loose(letters: str, mark: str, digits: str) -> bool:
    """Whether it may be a word and a number: "in 2027" has the form of a reference as well."""
    return mark.isspace() and (not letters.isupper() or 1990 <= int(digits) <= 2100)


def same_surname(given: str, stored: str) -> bool:
    """Whether `given` names somebody whose surname is stored: the whole of it, or its last words.

    "García Márquez" is opened by "Garcia Marquez" and by "Márquez", not by "García"; "van der Berg" by
    "Berg". Case, accents, pointing, hyphens, spaces and the ways to write an umlaut ("ue", "u") do not count;
    letters do, also the vowel signs of scripts that write them as marks.
    """
    words = [word for part in stored.split() for word in _HYPHEN.split(part)]
    tails = (" ".join(words[start:]) for start in range(len(words)))
    return bool(_keys(given) & {key for tail in tails for key in _keys(tail)})


def _keys(name: str) -> set[str]:
    composed = unicodedata.normalize("NFC", name).casefold()
    forms = (fold(composed), fold(composed.translate(_UMLAUTS)))
    return {key for form in forms if (key := _letters(form))}


def _letters(form: str) -> str:
    """The letters and signs of a name, without the accents and points that people leave out."""
    apart = unicodedata.normalize("NFKD", form)
    kept = "".join(mark for mark in apart if mark.isalnum() or unicodedata.category(mark)[0] == "M")
    bare = "".join(mark for mark in kept if unicodedata.combining(mark) not in _LEFT_OUT)
    return bare if any(mark.isalnum() for mark in bare) else ""
