"""Which language a guest writes: the script first, then a statistical detector and small word lists.

What a message itself says (`_Evidence`) is weighed against what the desk expects: the thread's language,
else the page's, else English. The shorter the message, the more it takes to leave what is expected, so that
"ok", "104", a name or an emoji never switch a conversation.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desk.languages import Language
from desk.wordmarks import Marks, informative, letters_by_script

if TYPE_CHECKING:
    from lingua import LanguageDetector

# What follows was tuned on messages made up for this desk, then checked on public word lists
# (tests/eval/public_language.py prints both). All are natural logarithms of odds.
WORD_WEIGHT = 3.0  # a word that only this language's list has
FLOOR = 1e-3  # the detector's certainty is never taken for more than 1000:1
ENGLISH_FIRST = 0.4  # nothing is known of the guest: English, mildly
# The lead over the likeliest of the desk's languages that a first message must have for one that the desk lacks,
# when no listed word tells it, by its number of telling words.
LACKED = {1: 1.2, 2: 0.6}
LACKED_LONG = 0.5
SQUEEZED = 4  # one word in so many without a vowel is shorthand of the chat
_VOWEL = re.compile("[aeiouy]")
SHORT_HAN = 3  # Chinese characters that are as well a Japanese word
# What a message must bring against the expected language, by its number of telling words.
LEAVE_THREAD = {1: math.inf, 2: 4.0, 3: 3.0}
LEAVE_THREAD_UNLISTED = 8.0  # for two words, neither in a list: most likely a name
LEAVE_THREAD_LONG = 2.5
LEAVE_LOCALE = {1: 6.0, 2: 2.5, 3: 2.0}
LEAVE_LOCALE_LONG = 1.0


@dataclass(frozen=True)
class Detected:
    """`code` is a BCP 47 tag. `confident`: the message itself tells it; else it is what was expected.

    `known`: the desk has this language. `switched`: it differs from the thread's language so far.
    """

    code: str
    confident: bool
    known: bool
    switched: bool


def base_code(tag: str | None) -> str | None:
    """The language of a locale: "pt-BR", "pt_BR" and "pt" are all "pt"; None for nothing."""
    return tag.replace("_", "-").split("-")[0].lower() or None if tag else None


class Detector:
    """Tells the language of a message. Safe to share between threads.

    `languages` are those the desk has; `marks` the word lists and scripts; `names` (hotels, room types,
    guests' places) count for no language.
    """

    def __init__(self, languages: Mapping[str, Language], marks: Marks, names: Iterable[str] = ()) -> None:
        self._known = frozenset(languages)
        self._marks = marks.with_names(names)
        self._lock = threading.Lock()
        self._model: LanguageDetector | None = None

    def load(self) -> None:
        """Load the statistical detector (about 5 s and 300 MB); later calls return at once.

        Call it from a background thread when the desk opens: `detect` waits for it when it needs it.
        """
        with self._lock:
            if self._model is None:
                self._model = _build(self._marks.codes)

    def foreign(self, text: str, code: str) -> bool:
        """Whether a text is plainly not in the language `code`; False for one that the detector does not tell."""
        return code in self._marks.codes and self.detect(text, current=code).code != code

    def detect(self, text: str, *, current: str | None = None, locale: str | None = None) -> Detected:
        """The language of `text`, in a thread whose language is `current` (None for its first message).

        `locale` is the browser's and counts only while `current` is None.
        """
        expected = base_code(current) or self._page_language(locale)
        code = self._told(text, expected, first=current is None, located=bool(locale))
        result = code or expected
        return Detected(
            code=result if result != base_code(current) else current or result,
            confident=code is not None,
            known=result in self._known,
            switched=current is not None and result != base_code(current),
        )

    def _page_language(self, locale: str | None) -> str:
        code = base_code(locale)
        return code if code in self._known and code else "en"

    def _told(self, text: str, expected: str, *, first: bool, located: bool) -> str | None:
        """The language that the message itself tells, or None when it tells none."""
        words = informative(text, self._marks)
        if not words.tokens:
            return None
        other = self._marks.other(words.tokens)
        if other is not None:
            return other
        scripted = self._by_script(words.text, words.tokens, expected)
        if scripted is not None:
            lone_name = words.size < 2 and not self._marks.hits(words.tokens, scripted)
            keeps = lone_name and not (first and not located)
            return None if keeps and scripted != expected else scripted
        return self._weigh(words.text, words.tokens, expected, first=first, located=located)

    def _by_script(self, text: str, tokens: list[str], expected: str) -> str | None:
        """The language of a script that tells it; None for Latin letters."""
        counts = letters_by_script(text)
        script = max(counts, key=lambda name: counts[name], default="LATIN")
        if script == "LATIN":
            return None
        code = self._marks.scripts.get(script, "und")
        if script == "CJK":
            if "HIRAGANA" in counts or "KATAKANA" in counts:
                return "ja"
            if self._marks.hits(tokens, "zh"):
                return "zh"
            # A noun or a name has no kana in Japanese either; a sentence has.
            short = counts[script] <= 2 * SHORT_HAN
            return expected if short and expected in ("zh", "ja") else self._likeliest(text, ("zh", "ja"))
        return self._marks.variant(text, code)

    def _likeliest(self, text: str, codes: Iterable[str]) -> str:
        values = self._confidences(text)
        return max(codes, key=lambda code: values.get(code, 0.0))

    def _weigh(
        self, text: str, tokens: list[str], expected: str, *, first: bool, located: bool
    ) -> str | None:
        values = self._confidences(text)
        scores = {
            code: math.log(max(value, FLOOR)) + WORD_WEIGHT * self._marks.weight(tokens, code)
            for code, value in values.items()
        }
        if not scores:
            return None
        if first and not located:
            scores["en"] = scores.get("en", math.log(FLOOR)) + ENGLISH_FIRST
            return self._first(scores, tokens)
        best = max(scores, key=lambda code: scores[code])
        if best not in self._known and squeezed(tokens) and not self._marks.hits(tokens, best):
            return None
        lead = scores[best] - scores.get(expected, math.log(FLOOR))
        listed = self._marks.hits(tokens, best) > 0
        return best if best == expected or lead >= _needed(len(tokens), listed, first=first) else None

    def _first(self, scores: Mapping[str, float], tokens: list[str]) -> str | None:
        """The likeliest language of a first message; one the desk lacks only when the message is clear.

        A guest who writes "avail 2 nites?" had better be answered than told in French that the desk has no
        French.
        """
        best = max(scores, key=lambda code: scores[code])
        rival = max(self._known & scores.keys(), key=lambda code: scores[code], default=best)
        if best == rival or self._marks.hits(tokens, best) > self._marks.hits(tokens, rival):
            return best
        if squeezed(tokens):
            return rival if self._marks.hits(tokens, rival) else None
        if scores[best] - scores[rival] >= LACKED.get(len(tokens), LACKED_LONG):
            return best
        return rival if self._marks.hits(tokens, rival) else None

    def _confidences(self, text: str) -> dict[str, float]:
        self.load()
        assert self._model is not None
        found = self._model.compute_language_confidence_values(text)
        return {each.language.iso_code_639_1.name.lower(): each.value for each in found if each.value > 0}


def squeezed(tokens: list[str]) -> bool:
    """Whether many words of Latin letters lack their vowels ("avlbl", "cnfrm"): the detector knows no such words."""
    short = [token for token in tokens if token.isascii() and len(token) > 1]
    return bool(short) and SQUEEZED * sum(_VOWEL.search(token) is None for token in short) >= len(short)


def _needed(words: int, listed: bool, *, first: bool) -> float:
    """The lead that a message of so many telling words needs to leave the expected language."""
    if first:
        return LEAVE_LOCALE.get(words, LEAVE_LOCALE_LONG)
    if words == 2 and not listed:
        return LEAVE_THREAD_UNLISTED
    return LEAVE_THREAD.get(words, LEAVE_THREAD_LONG)


def _build(codes: tuple[str, ...]) -> LanguageDetector:
    # Imported here: the package's models alone take seconds, and nothing is loaded at import.
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    wanted = [getattr(IsoCode639_1, code.upper()) for code in codes]
    return LanguageDetectorBuilder.from_iso_codes_639_1(*wanted).with_preloaded_language_models().build()
