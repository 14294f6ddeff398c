"""The desk's own sentences in every language: the same keys in each `phrases.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from desk.errors import DataError
from desk.languages import Language, Table

PLACE = re.compile(r"\{(\w+)\}")
SENTENCES = re.compile(r"(?<=[.!?])\s+")


def flatten(table: Table, prefix: str = "") -> Iterator[tuple[str, str]]:
    """(key, sentence) pairs; a sentence under `[apology] noise` has the key "apology.noise"."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)


@dataclass(frozen=True)
class Pattern:
    """An English sentence that may hold {places}, ready to be recognised."""

    key: str
    regex: re.Pattern[str]


class Phrasebook:
    """Phrases by key and language, and back from their English wording."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._phrases: dict[str, dict[str, str]] = {
            code: dict(flatten(language.subject("phrases"))) for code, language in languages.items()
        }
        english = self._phrases.get("en", {})
        self._exact = {_plain(text): Spot(key) for key, text in english.items() if not PLACE.search(text)}
        self._patterns = [_pattern(key, text) for key, text in english.items() if PLACE.search(text)]
        for key, text in english.items():
            sentences = SENTENCES.split(text)
            for number, sentence in enumerate(sentences if len(sentences) > 1 else ()):
                self._exact.setdefault(_plain(sentence), Spot(key, number))

    def phrase(self, key: str, code: str, **values: str) -> str:
        """The phrase `key` in language `code` (English where that language lacks it), places filled.

        Raises DataError for a key that English does not have.
        """
        english = self._phrases.get("en", {})
        text = self._phrases.get(code, english).get(key) or english.get(key)
        if text is None:
            raise DataError(f"phrases.toml has no phrase {key!r}")
        return _fill(text, values)

    def keys(self, code: str = "en") -> frozenset[str]:
        """All keys that a language has."""
        return frozenset(self._phrases.get(code, {}))

    def from_english(self, prose: str, code: str) -> str | None:
        """The wording in `code` of a prose made of the desk's own phrases; None when a sentence is not one.

        A phrase of several sentences is tried before its parts; lines stay lines.
        """
        if code == "en":
            return prose
        lines = []
        for line in prose.split("\n"):
            told = self._line(line.strip(), code)
            if told is None:
                return None
            lines.append(told)
        return "\n".join(lines)

    def _line(self, line: str, code: str) -> str | None:
        sentences = SENTENCES.split(line) if line else []
        told: list[str] = []
        at = 0
        while at < len(sentences):
            for end in range(len(sentences), at, -1):
                found = self._find(" ".join(sentences[at:end]), code)
                if found is not None:
                    told.append(found)
                    at = end
                    break
            else:
                return None
        return " ".join(told)

    def _find(self, sentence: str, code: str) -> str | None:
        own = self._phrases.get(code, {})
        spot = self._exact.get(_plain(sentence))
        if spot is not None:
            return _sentence(own.get(spot.key), spot.number)
        for pattern in self._patterns:
            match = pattern.regex.fullmatch(sentence.strip())
            if match and pattern.key in own:
                return _fill(own[pattern.key], match.groupdict())
        return None


@dataclass(frozen=True)
class Spot:
    """Where a sentence stands: a phrase, and which of its sentences (None: the whole)."""

    key: str
    number: int | None = None


def _sentence(text: str | None, number: int | None) -> str | None:
    if text is None or number is None:
        return text
    sentences = SENTENCES.split(text)
    return sentences[number] if number < len(sentences) else None


def _fill(text: str, values: Mapping[str, str]) -> str:
    return PLACE.sub(lambda place: values.get(place[1], place[0]), text)


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").casefold().split()).rstrip(".!")


def _pattern(key: str, text: str) -> Pattern:
    parts, end = [], 0
    for place in PLACE.finditer(text):
        parts += [re.escape(text[end : place.start()]), f"(?P<{place[1]}>[^.!?]+?(?:\\.[^.!?]+?)?)"]
        end = place.end()
    return Pattern(key, re.compile("".join(parts) + re.escape(text[end:]), re.IGNORECASE))
