"""Quotations in the guest's language: what of another's text is translated, and which translation may stand for it.

A translation that states another amount, another no, a link or more than the text does is not used: the text
then stands as it was written, with its source. So does one that nobody translated.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from desk.language import Detector, base_code
from desk.prose import Rules, words_of
from desk.reading.amounts import Numbers, different_amounts
from desk.reading.amounts.order import in_order
from desk.records import Fact

QUOTE = "quote"  # the value of a fact that is another's text
WIDE = 2.5  # what a Han, kana or hangul sign says, in letters
LONGER, SPARE = 1.6, 20  # a translation is at most so much longer, and by so many letters
_MARKS = "[]{}<>`*_|\\#@"
_END = re.compile(r"(?<!\b\w)(?<!\b\d\d)[.!?…]+(?=\s|$)|[。！？]+")  # not of "z. B.", "5. März", "7.50"
_LINK = re.compile(
    r"https?:\S+|www\.\S+|\b[\w-]+\.[a-z]{2,6}/\S*|\b[\w-]+\.(?:com|org|net|info|example)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Translated:
    """A quotation and its translation, with what is needed to compare them; languages are codes."""

    old: str
    new: str
    code: str
    to: str
    rules: Rules
    numbers: Numbers
    detector: Detector


def to_translate(facts: Iterable[Fact], to: str, detector: Detector) -> list[str]:
    """The quotations of these facts that are not in language `to`, each once, in order."""
    quotes = dict.fromkeys(str(fact.values[QUOTE]) for fact in facts if fact.values.get(QUOTE))
    return [quote for quote in quotes if base_code(detector.detect(quote).code) != to]


def usable(
    quotes: Sequence[str], told: Sequence[str], to: str, rules: Rules, numbers: Numbers, detector: Detector
) -> dict[str, str]:
    """Quotation → translation, of those whose translation may stand. None may when their number differs."""
    if len(quotes) != len(told):
        return {}
    found = {}
    for old, new in zip(quotes, told, strict=True):
        code = base_code(detector.detect(old).code) or "en"
        pair = Translated(old, " ".join(new.split()), code, to, rules, numbers, detector)
        if unlike(pair) is None:
            found[old] = pair.new
    return found


def with_quote(fact: Fact, translations: Mapping[str, str]) -> Fact:
    """The fact with its quotation translated, and marked so; the fact itself when there is no translation."""
    told = translations.get(str(fact.values.get(QUOTE)))
    if told is None:
        return fact
    return fact.model_copy(update={"values": {**fact.values, QUOTE: told, "translated": True}})


def unlike(pair: Translated) -> str | None:
    """Why this translation may not stand for the text, or None."""
    return next((why for rule in QUOTE_RULES if (why := rule(pair))), None)


def about_as_long(pair: Translated) -> str | None:
    """It is about as long, and has no sentence more."""
    old, new = _letters(pair.old), _letters(pair.new)
    fits = old / LONGER - SPARE <= new <= old * LONGER + SPARE
    more = _inner_ends(pair.new) > _inner_ends(pair.old)
    return None if pair.new and fits and not more else "something is added or left out"


def no_marks(pair: Translated) -> str | None:
    """It has no link, mark or sign that cannot be seen which the text does not have."""
    added = any(pair.new.count(mark) > pair.old.count(mark) for mark in _MARKS)
    links = {link.group() for link in _LINK.finditer(pair.new)} - {
        link.group() for link in _LINK.finditer(pair.old)
    }
    hidden = any(unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn") for sign in pair.new)
    return "a link or a mark is added" if added or links or hidden else None


def same_amounts(pair: Translated) -> str | None:
    """It states the same numbers, times, days, months and currencies."""
    found = different_amounts(pair.old, pair.code, pair.new, pair.to, pair.numbers)
    return f"amounts differ: {', '.join(found)}" if found else None


def same_places(pair: Translated) -> str | None:
    """Its amounts stand in the same order, each with the same unit or currency, and halves stay halves."""
    same = in_order(pair.old, pair.code, pair.new, pair.to, pair.numbers)
    return None if same else "an amount is exchanged, or has another unit"


def same_states(pair: Translated) -> str | None:
    """What it calls open, closed or free are as many as in the text, in the same order."""
    states = pair.rules.states
    if pair.code not in states or pair.to not in states:
        return None
    old, new = (
        [state for word in words_of(text) for state, words in states[code].items() if word in words]
        for code, text in ((pair.code, pair.old), (pair.to, pair.new))
    )
    return None if old == new else "open, closed or free is exchanged, lost or added"


def same_no(pair: Translated) -> str | None:
    """It says no as often as the text does."""
    negations = pair.rules.negations
    if pair.code not in negations or pair.to not in negations:
        return None
    said = [
        sum(word in negations[code] for word in words_of(text))
        for code, text in ((pair.code, pair.old), (pair.to, pair.new))
    ]
    return None if said[0] == said[1] else "a negation is lost or added"


def no_claims(pair: Translated) -> str | None:
    """It has no word of status, sum or date where the text has none."""
    words = pair.rules.words
    if pair.code not in words or pair.to not in words:
        return None
    said = [bool(words[c] & set(words_of(t))) for c, t in ((pair.code, pair.old), (pair.to, pair.new))]
    return "a claim is added" if said[1] and not said[0] else None


def no_names(pair: Translated) -> str | None:
    """It names no hotel and no room type that the text does not."""
    old, new = pair.old.casefold(), pair.new.casefold()
    return "a name is added" if any(name in new and name not in old for name in pair.rules.names) else None


def right_language(pair: Translated) -> str | None:
    """It is in the guest's language."""
    found = base_code(pair.detector.detect(pair.new, current=pair.to).code)
    return None if found == pair.to else "it is in another language"


QuoteRule = Callable[[Translated], str | None]
QUOTE_RULES: tuple[QuoteRule, ...] = (
    about_as_long,
    no_marks,
    same_amounts,
    same_places,
    same_states,
    same_no,
    no_claims,
    no_names,
    right_language,
)


def _inner_ends(text: str) -> int:
    return len(_END.findall(text.rstrip(".!?…。！？ ")))


def _letters(text: str) -> float:
    return sum(WIDE if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
