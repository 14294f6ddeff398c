"""Translation with the desk's own glossaries: guests' messages into English, the desk's phrases out of it.

It only translates: it answers nothing and obeys nothing in the text. What it cannot read stays as written,
and `coverage` says how much of the message it could read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

from desk.languages import Language
from desk.models.rehearsal.translation.clauses import govern, settle, split_clauses
from desk.models.rehearsal.translation.english import VOWELS, English
from desk.models.rehearsal.translation.lexicon import Lexicon, build_lexicon
from desk.models.rehearsal.translation.lookup import Lookup
from desk.models.rehearsal.translation.order import Order, arrange
from desk.models.rehearsal.translation.phrasebook import Phrasebook
from desk.models.rehearsal.translation.tokens import SENTENCE_END, Token, prepare, tokenise

OPENING = frozenset("([„“\"'-/–")
SILENT_H = ("hour", "honest")
LIKE_Y = ("uni", "use", "euro", "one")


@dataclass(frozen=True)
class Gloss:
    """A message in English. `coverage`: known share of its content words (names and numbers do not count)."""

    english: str
    coverage: float
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Machine:
    """What one language needs to be read: its lexicon, the finder of words, the order rules."""

    lexicon: Lexicon
    lookup: Lookup
    order: Order
    stop_words: frozenset[str]


class Translation:
    """The rehearsal model's translator. Thread-safe; a language is prepared at its first use."""

    def __init__(self, languages: Mapping[str, Language], names: Iterable[str] = ()) -> None:
        """`names` are proper names that pass untouched (the hotels' names)."""
        self._languages = languages
        self._names = tuple(names)
        english = languages["en"].table("inflection") if "en" in languages else {}
        self._english = English.from_table(english)
        self._months: Sequence[str] = english.get("months", ())
        self._phrasebook = Phrasebook(languages)
        self._machines: dict[str, _Machine] = {}
        self._lock = Lock()

    def to_english(self, text: str, code: str) -> Gloss:
        """The English of `text`, written in language `code`. English and unknown languages pass unchanged.

        For a language without a glossary the coverage is 0.0.
        """
        if code == "en" or not text.strip():
            return Gloss(text, 1.0)
        language = self._languages.get(code)
        if language is None or not language.table("glossary"):
            return Gloss(text, 0.0, tuple(text.split()))
        machine = self._machine(language)
        glossary = dict(language.table("glossary"))
        glossary["names"] = [*self._name_patterns(), *glossary.get("names", [])]
        work = prepare(text, glossary, self._months, machine.stop_words)
        tokens = machine.lookup.read(tokenise(work))
        settle(tokens, machine.lexicon)
        coverage, unknown = _coverage(tokens)
        clauses = split_clauses(tokens, machine.lexicon)
        line = [word for part in self._arranged(clauses, machine) for word in part]
        return Gloss(self._write(line), coverage, unknown)

    def from_english(self, prose: str, code: str) -> str | None:
        """The desk's own English prose in language `code`; None when a sentence is not a known phrase."""
        return self._phrasebook.from_english(prose, code)

    def phrase(self, key: str, code: str, **values: str) -> str:
        """One of the desk's phrases, its {places} filled. Raises DataError for an unknown key."""
        return self._phrasebook.phrase(key, code, **values)

    def _name_patterns(self) -> list[str]:
        return [rf"(?<!\w)(?P<name>{name})(?!\w)" for name in self._names]

    def _machine(self, language: Language) -> _Machine:
        with self._lock:
            if language.code not in self._machines:
                self._machines[language.code] = _make(language, self._english)
            return self._machines[language.code]

    def _arranged(self, clauses: Sequence[list[Token]], machine: _Machine) -> list[list[Token]]:
        arranged = []
        for at, clause in enumerate(clauses):
            govern(clause, machine.lexicon)
            arranged.append(arrange(clause, machine.lexicon, machine.order, question=_asks(clauses, at)))
        return arranged

    def _write(self, tokens: Sequence[Token]) -> str:
        words: list[Token] = []
        for at, token in enumerate(tokens):
            token.english = self._form(token)
            if _left_over(token, tokens[at + 1 :]) or _before_purpose(token, tokens[at + 1 :]):
                continue
            if token.english:
                words.append(token)
        _agree(words)
        return _joined([word for word in words if word.english])

    def _form(self, token: Token) -> str:
        if token.kind == "verb":
            forms = token.forms
            form = token.form or ("part" if "part" in forms else "3s" if "3s" in forms else "base")
            return self._english.verb(token.english.rpartition("/")[2], form)
        if token.kind == "noun" and token.number == "pl":
            return self._english.plural(token.english)
        return "" if token.kind == "drop" else token.english


def _make(language: Language, english: English) -> _Machine:
    tables = [language.table("glossary"), language.subject("glossary")]
    lexicon = build_lexicon(tables, english)
    grammar = tables[0].get("inflection", {})
    order = Order(**{rule: bool(on) for rule, on in tables[0].get("order", {}).items()})
    return _Machine(
        lexicon=lexicon,
        lookup=Lookup(lexicon, english, grammar.get("links", [""])),
        order=order,
        stop_words=frozenset(word.casefold() for word in tables[0].get("name_stops", ())),
    )


def _coverage(tokens: Sequence[Token]) -> tuple[float, tuple[str, ...]]:
    unknown = tuple(token.source for token in tokens if token.kind == "unknown")
    known = sum(len(token.source.split()) for token in tokens if token.content)
    if not known and not unknown:
        return 1.0, ()
    return known / (known + len(unknown)), unknown


def _asks(clauses: Sequence[list[Token]], at: int) -> bool:
    """Whether the sentence that this clause belongs to ends with a question mark."""
    for clause in clauses[at:]:
        if SENTENCE_END.match(clause[0].source):
            return "?" in clause[0].source
    return False


def _agree(words: Sequence[Token]) -> None:
    """Small agreements that only show once all is in English: a/an, is/are after "there"."""
    for before, word in pairwise(words):
        if before.english in ("a", "an"):
            before.english = "an" if _vowel(word.english) else "a"
            if word.english == "other" and word.kind == "adj":
                before.english, word.english = "another", ""
        elif before.english.endswith("too much") and word.kind == "noun" and word.number == "pl":
            before.english = before.english.removesuffix("much") + "many"
        elif before.english == "very" and word.kind in ("stop", "noun", "object", "prep", "pron", "det"):
            before.english = "very much"
        elif before.english in ("many", "much") and before.kind == "wh" and word.kind == "noun":
            before.english = "many" if word.number == "pl" else "much"
    for at, word in enumerate(words):
        if word.kind == "exist" and _plural_near(words, at):
            word.english = word.english.replace("is", "are").replace("was", "were")


def _left_over(token: Token, after: Sequence[Token]) -> bool:
    """A preposition at the end of a clause: a verb's particle that found no verb to go with."""
    return token.kind == "prep" and len(token.source) < 5 and (not after or after[0].kind == "stop")


def _before_purpose(token: Token, after: Sequence[Token]) -> bool:
    """The comma of "versucht, die Tür zu öffnen", which English does without."""
    return token.source == "," and bool(after) and after[0].kind == "toverb"


def _vowel(word: str) -> bool:
    lower = word.casefold()
    return lower.startswith(SILENT_H) or (lower[:1] in VOWELS and not lower.startswith(LIKE_Y))


def _plural_near(words: Sequence[Token], at: int) -> bool:
    for word in words[at + 1 :]:
        if word.kind == "noun":
            return word.number == "pl"
        if word.kind not in ("det", "adj", "num", "adv", "keep", "drop"):
            break
    return any(word.kind == "noun" and word.number == "pl" for word in words[:at][-2:])


def _joined(words: Sequence[Token]) -> str:
    text = ""
    start = True
    for at, word in enumerate(words):
        english = word.english
        if start and word.kind != "stop" and english[:1].islower() and word.kind != "keep":
            english = english[:1].upper() + english[1:]
        opening = at > 0 and words[at - 1].kind == "stop" and words[at - 1].source[-1:] in OPENING
        tight = word.glued and (word.kind == "stop" or opening)
        text += english if tight or not text or text.endswith("\n") else f" {english}"
        if word.kind == "stop":
            start = bool(SENTENCE_END.match(word.source)) or (start and word.source in OPENING)
        else:
            start = False
    return text.strip()
