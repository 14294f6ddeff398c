"""Mends slips of the keyboard in long words: one letter too many, too few, wrong, or two changed round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

# Shorter words have too many neighbours that are words themselves ("house" and "mouse").
_SHORTEST = 6


@dataclass(frozen=True)
class Typos:
    """The long words of a lexicon, found by what is left of them when one letter is taken out."""

    words: frozenset[str]
    by_rest: Mapping[str, tuple[str, ...]]

    @classmethod
    def over(cls, words: frozenset[str]) -> Typos:
        """Index the words of at least six letters."""
        index: dict[str, list[str]] = {}
        for word in sorted(words):
            if len(word) >= _SHORTEST and word.isalpha():
                for rest in (word, *_rests(word)):
                    index.setdefault(rest, []).append(word)
        return cls(words, {rest: tuple(found) for rest, found in index.items()})

    def mend(self, word: str) -> str:
        """The one lexicon word a single slip away with the same first letter; else the word as it came."""
        if len(word) < _SHORTEST or not word.isascii():
            return word
        near = {w for rest in (word, *_rests(word)) for w in self.by_rest.get(rest, ()) if _one_slip(word, w)}
        return near.pop() if len(near) == 1 else word


def _rests(word: str) -> Iterator[str]:
    for i in range(len(word)):
        yield word[:i] + word[i + 1 :]


def _one_slip(a: str, b: str) -> bool:
    if a[0] != b[0] or abs(len(a) - len(b)) > 1:
        return False
    if len(a) == len(b):
        differ = [i for i in range(len(a)) if a[i] != b[i]]
        swapped = len(differ) == 2 and differ[1] == differ[0] + 1 and a[differ[0]] == b[differ[1]]
        return len(differ) <= 1 or (swapped and a[differ[1]] == b[differ[0]])
    short, long = sorted((a, b), key=len)
    return short in set(_rests(long))
