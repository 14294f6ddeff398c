"""What free prose may say: the checks on sentences that a model wrote, and on their translation.

The desk's own sentences (its phrases, which people have reviewed) pass as they are. Whatever else a
model writes may only use the words of courtesy of the language's `courtesy` list, where no noun of the desk's subject
and no negation stands. So a claim that no list of bad words would foresee ("consider it done", "there is no room",
"there is a rooftop pool") has no words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from desk.languages import Language, flat

PLACEHOLDERS = frozenset({"name"})
LONGEST = 400  # characters of one piece of prose beside the desk's own sentences
LONGEST_WHOLE = 1_500  # with them; the longest reply that the own sentences make has about five hundred
REPORTS = ("staff.", "emergency.", "problem.")  # own sentences that say what was done: code chooses those
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_OPEN = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Rules:
    """What prose must not contain, per language.

    `words` claim a status, a month, a weekday, a sum; `names` are those of hotels and room types; `own` holds
    each own English sentence with its wording in each language; `courtesy` the words that prose is made of; `negations`
    say no, which prose does not, and quotations may; `states` are what a place is ("open"), by what they say. A
    language without `courtesy` words has no such limit.
    """

    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    own: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    courtesy: Mapping[str, frozenset[str]] = field(default_factory=dict)
    negations: Mapping[str, frozenset[str]] = field(default_factory=dict)
    states: Mapping[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)

    def unclean(self, prose: str, language: str) -> str | None:
        """Why this prose may not go out, or None. Digits of any script count."""
        if len(prose) > LONGEST_WHOLE:
            return "prose is too long"
        rest = self.without_own(prose, language)
        return next((why for rule in PROSE_RULES if (why := rule(self, rest, language))), None)

    def without_own(self, prose: str, language: str) -> str:
        """The prose without the desk's own sentences."""
        rest = prose
        for sentence in self._own_of.get(language, ()):
            rest = rest.replace(sentence, " ")
        return rest.strip()

    def own_wording(self, prose: str, language: str, kept: Mapping[str, str] | None = None) -> str | None:
        """The prose in this language by the desk's own sentences alone; None when it is not made of them.

        `kept` holds their wordings in a language that has none of its own.
        """
        told: list[str] = []
        rest = prose.strip()
        while rest:
            found = next((s for s in self._own_of.get("en", ()) if rest.startswith(s)), None)
            said = (kept or {}).get(found) or self.own[found].get(language) if found else None
            if found is None or said is None:
                return None
            told.append(said)
            rest = rest[len(found) :].strip()
        return " ".join(told) or None

    @cached_property
    def _own_of(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, set[str]] = {}
        for wordings in self.own.values():
            for code, sentence in wordings.items():
                found.setdefault(code, set()).add(sentence)
        return {code: sorted(sentences, key=len, reverse=True) for code, sentences in found.items()}


def digits(rules: Rules, prose: str, language: str) -> str | None:
    """Prose carries no digit of any script."""
    return "prose carries a digit" if any(character.isnumeric() for character in prose) else None


def signs(rules: Rules, prose: str, language: str) -> str | None:
    """Prose carries no price sign, no mark, no markup, no link and nothing that cannot be seen."""
    bare = _OPEN.sub(lambda m: "" if m.group(1) in PLACEHOLDERS else m.group(0), prose)
    if re.search(r"[{}\[\]<>`*_|\\#]|https?:|www\.", bare):
        return "prose carries a price sign, a mark or a link"
    odd = {unicodedata.category(character) for character in bare if character != "\n"}
    hidden = odd & {"Cc", "Cf", "Cs", "Co", "Cn", "Sc"}
    return "prose carries a price sign, a mark or a link" if hidden else None


def names(rules: Rules, prose: str, language: str) -> str | None:
    """Prose names no hotel and no room type."""
    lowered = prose.casefold()
    return "prose names a hotel or a room type" if any(name in lowered for name in rules.names) else None


def claims(rules: Rules, prose: str, language: str) -> str | None:
    """Prose claims no status, no date, no sum."""
    claimed = set(re.findall(r"\w+", prose.casefold())) & rules.words.get(language, frozenset())
    return f"prose claims: {', '.join(sorted(claimed))}" if claimed else None


def courtesy(rules: Rules, prose: str, language: str) -> str | None:
    """Prose is made of words of courtesy, and is short."""
    if language not in rules.courtesy:
        return None
    if len(prose) > LONGEST:
        return "prose is too long"
    strange = sorted(
        {word for word in words_of(_OPEN.sub(" ", prose)) if word not in rules.courtesy[language]}
    )
    return f"prose is to be plain courtesy, without: {', '.join(strange[:6])}" if strange else None


ProseRule = Callable[[Rules, str, str], str | None]
PROSE_RULES: tuple[ProseRule, ...] = (digits, signs, names, claims, courtesy)


def words_of(text: str) -> list[str]:
    """The words of a text, lower case; an elided "n't" and the like stays with its word."""
    return [word.replace("’", "'") for word in _WORD.findall(text.casefold())]


# Translation


def nothing_lost(rules: Rules, old: str, new: str, language: str) -> str | None:
    """A translation is not empty and keeps the placeholder."""
    if not new.strip():
        return "a sentence is empty"
    return None if ("{name}" in old) == ("{name}" in new) else "the placeholder is lost or added"


def nothing_claimed(rules: Rules, old: str, new: str, language: str) -> str | None:
    """A translation carries nothing that prose may not carry."""
    return rules.unclean(new, language)


def nothing_added(rules: Rules, old: str, new: str, language: str) -> str | None:
    """A translation is about as long as its sentence, and has as many parts."""
    long = len(new) > 2 * len(old) + 30
    return "something is added" if long or _sentences(new) > _sentences(old) + 1 else None


TranslationRule = Callable[[Rules, str, str, str], str | None]
TRANSLATION_RULES: tuple[TranslationRule, ...] = (
    nothing_lost,
    nothing_claimed,
    nothing_added,
)


def unfaithful(rules: Rules, old: Sequence[str], new: Sequence[str], language: str) -> str | None:
    """Why these sentences are no translation of those, or None."""
    if len(old) != len(new):
        return "there are more or fewer sentences"
    pairs = zip(old, new, strict=True)
    return next(
        (
            why
            for told, said in pairs
            for rule in TRANSLATION_RULES
            if (why := rule(rules, told, said, language))
        ),
        None,
    )


def _sentences(text: str) -> int:
    return len([part for part in re.split(r"[.!?…。！？]+", text) if part.strip()])


# From data


def rules_of(languages: Mapping[str, Language], names: Iterable[str]) -> Rules:
    """The rules from the languages' `prose` and `phrases` tables and the names of hotels and rooms."""
    own = _own(languages)
    forbidden = {code: _words(language.table("prose"), "forbidden") for code, language in languages.items()}
    courtesy = {
        code: _words(language.table("prose"), "courtesy") - forbidden[code]
        for code, language in languages.items()
        if "courtesy" in language.table("prose")
    }
    negations = {code: _words(language.table("prose"), "negations") for code, language in languages.items()}
    return Rules(
        words=forbidden,
        names=frozenset(name.casefold() for name in names),
        own=own,
        courtesy=courtesy,
        negations={code: words for code, words in negations.items() if words},
        states={
            code: {state: _words(table, state) for state in table}
            for code, language in languages.items()
            if (table := language.table("prose").get("states"))
        },
    )


def _own(languages: Mapping[str, Language]) -> dict[str, dict[str, str]]:
    """Each own English sentence that a writer may choose, with its wordings."""
    told = {code: dict(flat(language.subject("phrases"))) for code, language in languages.items()}
    return {
        english: {code: sentences[key] for code, sentences in told.items() if key in sentences}
        for key, english in told["en"].items()
        if not key.startswith(REPORTS) and set(_OPEN.findall(english)) <= PLACEHOLDERS
    }


def _words(table: Mapping[str, Any], key: str) -> frozenset[str]:
    return frozenset(str(word).casefold() for word in table.get(key, ()))
