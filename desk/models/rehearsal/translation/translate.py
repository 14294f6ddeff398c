"""Translation with the desk's own glossaries: guests' messages into English, the desk's phrases out of it.

It only translates: it answers nothing and obeys nothing in the text. What it cannot read stays as written,
and `coverage` says how much of the message it could read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from desk.languages import Language
from desk.models.rehearsal.translation.clauses import govern, settle, split_clauses
from desk.models.rehearsal.translation.english import English
from desk.models.rehearsal.translation.lexicon import Lexicon, build_lexicon
from desk.models.rehearsal.translation.lookup import Lookup
from desk.models.rehearsal.translation.mainclause import Order
from desk.models.rehearsal.translation.order import arrange
from desk.models.rehearsal.translation.phrasebook import Phrasebook
from desk.models.rehearsal.translation.tokens import SENTENCE_END, Token, prepare, tokenise
from desk.models.rehearsal.translation.writing import write
from desk.reading.shorthand import written_out


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
        work = prepare(written_out(text, language), glossary, self._months, machine.stop_words)
        tokens = machine.lookup.read(tokenise(work))
        settle(tokens, machine.lexicon)
        coverage, unknown = _coverage(tokens)
        clauses = split_clauses(tokens, machine.lexicon)
        line = [word for part in self._arranged(clauses, machine) for word in part]
        return Gloss(write(line, self._english), coverage, unknown)

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
            asks, follows = _asks(clauses, at), _follows(clauses, at)
            arranged.append(arrange(clause, machine.lexicon, machine.order, question=asks, follows=follows))
        return arranged


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


def _follows(clauses: Sequence[list[Token]], at: int) -> bool:
    """Whether a subordinate clause stands before this one, so that its verb comes first."""
    return at > 1 and clauses[at - 1][0].source == "," and clauses[at - 2][0].kind == "sub"
