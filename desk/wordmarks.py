"""What a message shows of its language before any statistics: its script, and words from small lists.

Names, numbers, references, links, quoted words and words that travel ("ok", "hotel", "Deluxe") show nothing
and are taken out first.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from desk.errors import DataError
from desk.languages import Language, read_toml

_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|\S+@\S+|\b[\w-]+\.(?:com|org|net|de|fr|es|it|pt|eu|info|io)\b\S*", re.IGNORECASE
)
# "HH-1002", "hh 1002", "A380", "104", "3rd"; the word of "bis 17.2." and "vom 3." stays.
_REFERENCE = re.compile(r"\b[A-Za-z]{1,4}-?\d[\w-]*|\b[A-Za-z]{2} \d{4}\b|\b\d[\w-]*\b")
_QUOTED = re.compile(
    r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|\"[^\"]*\"|「[^」]*」|(?<!\w)['‘][^'’]{2,}['’](?!\w)"
)
# Letters with the vowel signs of the scripts that write them apart; apostrophes and hyphens inside a word.
_LETTER = r"(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])"
_WORD = re.compile(rf"{_LETTER}+(?:['’-]{_LETTER}+)*")
# Scripts that put no spaces between words: two letters there say about as much as one word.
_UNSPACED = frozenset({"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"})
_UNSPACED_CODES = frozenset({"zh", "ja", "ko"})  # lists are matched inside the text, not word by word
_ACRONYM = 4  # capitals up to this length inside ordinary text are an abbreviation
_TOO_SHORT = 2  # letters of a lone Latin word
_OTHER_SHARE = 0.3  # of a message's words that must be in an outside language's list, and at least two


@dataclass(frozen=True)
class Marks:
    """The word lists and scripts of `data/languages/detect.toml`, with what each language's folder adds."""

    codes: tuple[str, ...]
    words: Mapping[str, frozenset[str]]
    others: Mapping[str, frozenset[str]]
    scripts: Mapping[str, str]
    letters: Mapping[str, str]
    particles: frozenset[str]
    neutral: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    pattern: re.Pattern[str] | None = None

    def with_names(self, names: Iterable[str]) -> Marks:
        """The same, with `names` (hotels, room types) counting for no language."""
        known = [name.casefold() for name in names]
        phrases = self.phrases | {name for name in known if " " in name}
        longest_first = sorted(map(re.escape, phrases), key=len, reverse=True)
        return replace(
            self,
            neutral=self.neutral.union(name for name in known if " " not in name),
            phrases=phrases,
            pattern=re.compile(rf"\b(?:{'|'.join(longest_first)})\b", re.IGNORECASE) if phrases else None,
        )

    def hits(self, tokens: Iterable[str], code: str) -> int:
        """How many tokens are in the list of `code`; unspaced text counts the listed words it contains."""
        known = self.words.get(code, frozenset())
        if code in _UNSPACED_CODES:
            text = "".join(tokens)
            return sum(word in text for word in known)
        return sum(token in known for token in tokens)

    def weight(self, tokens: Iterable[str], code: str) -> float:
        """As `hits`, a word that several languages' lists share divided among them."""
        if code in _UNSPACED_CODES:
            return float(self.hits(tokens, code))
        known = self.words.get(code, frozenset())
        return sum(
            1 / sum(token in words for words in self.words.values()) for token in tokens if token in known
        )

    def listed(self, token: str) -> bool:
        """Whether any language's list has this word."""
        return any(token in words for words in (*self.words.values(), *self.others.values()))

    def other(self, tokens: list[str]) -> str | None:
        """A language outside `codes` whose listed words outnumber those of every language inside."""
        counts = {code: sum(token in words for token in tokens) for code, words in self.others.items()}
        best = max(counts, key=lambda code: counts[code], default=None)
        if best is None or counts[best] < max(2, _OTHER_SHARE * len(tokens)):
            return None
        inside = max((self.hits(tokens, code) for code in self.codes), default=0)
        return best if counts[best] > inside else None

    def variant(self, text: str, code: str) -> str:
        """The language of a shared script whose own letters `text` has most of, else `code`."""
        counts = {other: sum(char in letters for char in text) for other, letters in self.letters.items()}
        best = max(counts, key=lambda other: counts[other], default=code)
        return best if counts.get(best) else code


@dataclass(frozen=True)
class Informative:
    """What is left of a message that can tell its language. `size` is in words."""

    text: str
    tokens: list[str]
    size: float


def read_marks(data_root: Path, languages: Mapping[str, Language]) -> Marks:
    """The word lists under `data_root/languages`. Raises DataError when the shared file is broken."""
    path = data_root / "languages" / "detect.toml"
    table = read_toml(path)
    try:
        words = {code: {word.casefold() for word in listed} for code, listed in table["words"].items()}
        for code, language in languages.items():
            own = (word.casefold() for word in language.table("detect").get("words", ()))
            words.setdefault(code, set()).update(own)
            words[code].update(
                word for word in language.table("shorthand").get("words", ()) if word.isalpha()
            )
        return Marks(
            codes=tuple(table["codes"]),
            words={code: frozenset(listed) for code, listed in words.items()},
            others={code: frozenset(listed) for code, listed in table["others"].items()},
            scripts=table["scripts"],
            letters=table["letters"],
            particles=frozenset(table["particles"]),
        ).with_names(table["neutral"])
    except KeyError as missing:
        raise DataError(f"{path} lacks {missing}") from None


def letters_by_script(text: str) -> Counter[str]:
    """How many letters of each script `text` has; one of an unspaced script counts twice."""
    counts: Counter[str] = Counter()
    for char in text:
        if char.isalpha():
            script = unicodedata.name(char, "UNKNOWN").split(" ")[0].removesuffix("-HIRAGANA")
            counts[script] += 2 if script in _UNSPACED else 1
    return counts


def informative(text: str, marks: Marks) -> Informative:
    """Take out of `text` what tells no language."""
    plain = unicodedata.normalize("NFC", text)
    outside = _QUOTED.sub(" ", plain)
    plain = outside if _WORD.search(outside) else plain
    plain = _REFERENCE.sub(" ", _ADDRESS.sub(" ", plain))
    if marks.pattern:
        plain = marks.pattern.sub(" ", plain)
    words = [word.replace("’", "'") for word in _WORD.findall(plain)]
    shouted = plain.isupper() and len(words) > 1
    tokens = [word.casefold() for word in _without_names(words, marks, shouted=shouted)]
    kept = " ".join(tokens)
    counts = letters_by_script(kept)
    size = sum(count / 4 for script, count in counts.items() if script in _UNSPACED)
    return Informative(kept, tokens, max(size, len(tokens) - bool(size)))


def _without_names(words: list[str], marks: Marks, *, shouted: bool) -> list[str]:
    """Drop neutral words, abbreviations, and capitalised words that no list has: names, or as good as."""
    kept = [word for word in words if word.casefold() not in marks.neutral]
    if shouted:
        return kept
    kept = [word for word in kept if not (1 < len(word) <= _ACRONYM and word.isupper())]
    named = [_is_name(word, marks) for word in kept]
    if all(named) or _is_full_name(kept, named, marks):
        return []
    return [word for index, word in enumerate(kept) if not named[index] or index == 0]


def _is_full_name(words: list[str], named: list[bool], marks: Marks) -> bool:
    """A name with particles ("van der Berg"), or one word too short to tell anything."""
    if len(words) == 1:
        return len(words[0]) <= _TOO_SHORT and words[0].isascii()
    return any(named) and all(
        name or word.casefold() in marks.particles for word, name in zip(words, named, strict=True)
    )


def _is_name(word: str, marks: Marks) -> bool:
    return word[0].isupper() and len(word) > 1 and not marks.listed(word.casefold())
