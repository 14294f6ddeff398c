"""Whether a text and its translation state the same amounts: numbers, times, days, months, currencies.

A mention of an amount has one or more values that it can stand for ("third" is 3 or a third; "90s" is 90 or
1990). A mention that is certain (digits, "thirteen") must have its like in the other text; one that is not ("a",
"both", "second") may be another's like and asks for none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from desk.reading.amounts.clock import calendar, clock, numeric_dates
from desk.reading.amounts.digits import digit_numbers, fractions, phones, small_fractions
from desk.reading.amounts.han import han_numbers
from desk.reading.amounts.page import Mention, Page, place
from desk.reading.amounts.tables import WORD, Counting, Numbers, read_numbers
from desk.reading.amounts.words import loose_words, number_words
from desk.reading.text import fold, plain

__all__ = [
    "Mention",
    "Numbers",
    "added_words",
    "amounts",
    "different_amounts",
    "read_numbers",
    "scanned",
    "shares_amount",
]

MOST = 300  # mentions of one text that are compared; a guest's longest message has a tenth of that
TOO_MANY = "more numbers than can be compared"
# What is raised is of a square metre or a footnote.
_RAISED = re.compile(r"[²³¹⁰⁴-⁹₀-₉]|(?<=[kcm]m)[23]\b|(?<=\bm)[23]\b")
_EVERY = re.compile(r"\b(\d+)\s[^\W\d_]{1,3}\s\1\b")  # "de 10 em 10 minutos" is every 10 minutes
_LETTERS = re.compile(r"(?<![^\W_])[IVXLCDM]+(?=(?:e|er|ère|ème|º|ª)?(?![^\W_]))")
_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def amounts(text: str, code: str, numbers: Numbers) -> list[Mention]:
    """The amounts that a text in language `code` mentions, in no order."""
    return scanned(text, code, numbers)[1]


def scanned(text: str, code: str, numbers: Numbers) -> tuple[str, list[Mention]]:
    """The folded text in which mentions have their places, and the mentions, in no order."""
    counting = numbers.of(code)
    bare, found = small_fractions(_RAISED.sub(" ", text))
    whole = _EVERY.sub(lambda match: match.group(1).rjust(len(match.group())), fold(plain(bare)))
    for phrase in counting.listed("ignored"):
        whole = whole.replace(phrase, " " * len(phrase))
    page = Page(whole)
    found += _roman(text)
    scans = [phones, calendar, numeric_dates, clock, fractions]
    scans += [han_numbers] if counting.about.get("han") else []
    scans += [_korean] if counting.about.get("before_counters") else []
    for scan in (*scans, digit_numbers, number_words, loose_words):
        found += scan(page, counting)
    return whole, found


def different_amounts(source: str, code: str, translation: str, to: str, numbers: Numbers) -> list[str]:
    """What the translation (language `to`) adds to the amounts of the source (language `code`) or lacks of them.

    Empty when both state the same: every certain mention of either has its own like in the other, and the
    translation names no currency that the source does not.
    """
    told, said = amounts(source, code, numbers), amounts(translation, to, numbers)
    if max(len(told), len(said)) > MOST:
        return [TOO_MANY]
    shared = _words(source) & _words(translation)  # "the Ninth Ward" may stay as it is
    told, said = ([m for m in each if m.text not in shared] for each in (told, said))
    added = [f"added: {mention.text}" for mention in _unmatched(said, told)]
    lost = [f"lost: {mention.text}" for mention in _unmatched(told, said)]
    money = _currencies(translation, numbers) - _currencies(source, numbers)
    return added + lost + [f"added: {currency}" for currency in sorted(money)]


def added_words(source: str, code: str, translation: str, to: str, numbers: Numbers) -> list[str]:
    """The number words and relative days ("tomorrow") of the translation that the source does not bear out.

    Nothing is found in a language whose words are not known. Digits and names of the calendar are not looked at.
    """
    if code.partition("-")[0] not in numbers.languages:
        return []
    told, said = amounts(source, code, numbers), amounts(translation, to, numbers)
    if max(len(told), len(said)) > MOST:
        return [TOO_MANY]
    shared = _words(source) & _words(translation)
    worded = [m for m in said if not any(c.isdigit() for c in m.text) and m.text not in shared]
    strange = [
        m.text for m in _unmatched(worded, told) if any(isinstance(value, Fraction) for value in m.values)
    ]
    own, theirs = numbers.of(code).relative, numbers.of(to).relative
    days = [kind for kind, words in theirs.items() if kind in own and _says(translation, words, whole=True)]
    return strange + [kind for kind in days if not _says(source, own[kind])]


def shares_amount(source: str, code: str, translation: str, to: str, numbers: Numbers) -> bool:
    """Whether the source names an amount or a place in a row ("2", "la première") that the translation has too.

    An article that is also the number one names none.
    """
    told, said = amounts(source, code, numbers), amounts(translation, to, numbers)
    articles = set(numbers.of(code).listed("articles"))
    own = (mention for mention in told if mention.text not in articles)
    return any(mention.values & other.values for mention in own for other in said)


def _says(text: str, words: Iterable[str], whole: bool = False) -> bool:
    """Whether a text has one of these words; without `whole`, one that has it in itself."""
    folded, edge = fold(plain(text)), r"(?![^\W\d_])" if whole else ""
    return any(re.search(rf"{re.escape(word)}{edge}", folded) for word in words)


def _unmatched(ours: Sequence[Mention], theirs: Sequence[Mention]) -> list[Mention]:
    """Our certain mentions that cannot each have one of theirs: a bipartite matching by augmenting paths."""
    taken: dict[int, int] = {}

    def place(mine: int, tried: set[int]) -> bool:
        for other, mention in enumerate(theirs):
            if other not in tried and ours[mine].values & mention.values:
                tried.add(other)
                if other not in taken or place(taken[other], tried):
                    taken[other] = mine
                    return True
        return False

    return [mention for i, mention in enumerate(ours) if mention.certain and not place(i, set())]


def _roman(text: str) -> Iterator[Mention]:
    for match in _LETTERS.finditer(text):
        letters = match.group()
        if _ROMAN.fullmatch(letters):
            values = [_ROMAN_VALUES[c] for c in letters]
            number = sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))
            span = (place(text, match.start()), place(text, match.end()))
            yield Mention(letters, frozenset({Fraction(number)}), certain=False, span=span)


def _korean(page: Page, counting: Counting) -> Iterator[Mention]:
    """Korean number words, which stand before a counter."""
    counters = "|".join(re.escape(word) for word in counting.listed("counters"))
    for table, certain in (("before_counters", True), ("loose_before_counters", False)):
        values = counting.valued(table)
        words = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
        for match in page.found(re.compile(rf"({words})(?=\s?(?:{counters}))")):
            number = Fraction(values[match.group(1)])
            sure = certain and number > 1
            yield Mention(page.take(*match.span()), frozenset({number}), sure, match.span())


def _currencies(text: str, numbers: Numbers) -> set[str]:
    folded, words = fold(text), _words(text)
    return {
        code for code, known in numbers.currencies.items() if any(_named(k, folded, words) for k in known)
    }


def _words(text: str) -> set[str]:
    return {word.group() for word in WORD.finditer(fold(text))}


def _named(known: str, text: str, words: set[str]) -> bool:
    if known.startswith("#"):
        return re.search(rf"[\d万千百]\s?{known[1:]}", text) is not None
    if known.endswith("*"):
        return any(word.startswith(known[:-1]) for word in words)
    if WORD.fullmatch(known) and known < "\u0900":
        return known in words
    return known in text
