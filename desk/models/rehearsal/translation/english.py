"""English word forms: what the translation needs to put a glossary's base forms into a sentence.

Irregular forms are data (`data/languages/en/inflection.toml`); the regular ones follow spelling rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from desk.languages import Table

VOWELS = "aeiou"
BASE = frozenset({"base", "inf", "pl", "1s", "2s", "imp", "zuinf"})


@dataclass(frozen=True)
class English:
    """Irregular forms: verbs (base → "past participle [third]"), plurals, comparisons ("better best")."""

    verbs: Mapping[str, str] = field(default_factory=dict)
    plurals: Mapping[str, str] = field(default_factory=dict)
    comparisons: Mapping[str, str] = field(default_factory=dict)
    doubling: frozenset[str] = frozenset()
    body: frozenset[str] = frozenset()
    female: frozenset[str] = frozenset()

    @classmethod
    def from_table(cls, table: Table) -> English:
        """From the parsed `inflection.toml`; an empty table gives the regular forms only."""
        return cls(
            verbs=dict(table.get("verbs", {})),
            plurals=dict(table.get("plurals", {})),
            comparisons=dict(table.get("comparisons", {})),
            doubling=frozenset(table.get("doubling", ())),
            body=frozenset(table.get("own", {}).get("body", ())),
            female=frozenset(table.get("own", {}).get("female", ())),
        )

    def verb(self, english: str, form: str) -> str:
        """`english` ("check in", "work") in `form`: base forms, "3s", "past", "part" or "ing"."""
        head, _, tail = english.partition(" ")
        return f"{self._verb(head, form)} {tail}".strip()

    def _verb(self, head: str, form: str) -> str:
        if form in BASE:
            return head
        irregular = self.verbs.get(head, "").split()
        if form == "3s":
            return irregular[2] if len(irregular) > 2 else _with_s(head)
        if form == "ing":
            return self._doubled(head.removesuffix("e")) + "ing"
        if irregular:
            return irregular[0 if form == "past" else 1]
        return self._past(head)

    def _past(self, head: str) -> str:
        if head.endswith("e"):
            return head + "d"
        if head.endswith("y") and head[-2:-1] not in VOWELS:
            return head[:-1] + "ied"
        return self._doubled(head) + "ed"

    def _doubled(self, head: str) -> str:
        return head + head[-1] if head in self.doubling else head

    def plural(self, noun: str) -> str:
        """The plural of a noun phrase ("credit card" → "credit cards"); the head is its last word."""
        if noun in self.plurals:
            return self.plurals[noun]
        if noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
            return noun  # "opening hours" is one already
        before, _, head = noun.rpartition(" ")
        changed = self.plurals.get(head) or _with_s(head)
        return f"{before} {changed}".strip()

    def compared(self, adjective: str, degree: int) -> str:
        """The comparative (degree 1) or superlative (degree 2)."""
        if adjective in self.comparisons:
            return self.comparisons[adjective].split()[degree - 1]
        ending = ("er", "est")[degree - 1]
        if adjective.endswith("y") and len(adjective) < 8 and " " not in adjective:
            return adjective[:-1] + "i" + ending
        if len(adjective) > 5 or " " in adjective:
            return ("more ", "most ")[degree - 1] + adjective
        if adjective in self.doubling:
            return adjective + adjective[-1] + ending
        return adjective.removesuffix("e") + ending


def _with_s(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in VOWELS:
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return word + "es"
    return word + "s"
