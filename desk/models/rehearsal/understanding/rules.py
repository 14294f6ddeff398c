"""The rules of `understanding.toml`: which words make a message ask for what.

Every rule names an act and the patterns that speak for it. In a clause each rule that fits is a reading; the
readings with more to show for themselves are taken first, and a word that one reading has used speaks for no
other. So "bring towels" is a request and not the towels of the house guide, and "parking and breakfast" is two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from desk.errors import DataError
from desk.languages import Table
from desk.models.rehearsal.acts import Act
from desk.models.rehearsal.understanding.clauses import Clause, Splitter
from desk.models.rehearsal.understanding.patterns import NAMED, Matcher, Pattern, Span, Words
from desk.models.rehearsal.understanding.typos import Typos

ASKED = "?"  # in `needs` and `unless`: the clause is put as a question
# How many words with a meaning of their own a statement may hold beside the one word that a rule knows.
_SPARE = 1
_SPARE_BESIDE_A_QUESTION = 3
_PER_ATOM = 0.5  # what one more word in a pattern is worth against another rule's score


@dataclass(frozen=True)
class Rule:
    """One rule. `weight` settles which of two readings of the same words is taken.

    `needs`: one of these must stand in the clause too; `unless`: none may. `alone`: gives way to any other
    reading of the clause. `placed`: False when a word that only says where must not count. `bare`: True when
    a single word is enough in whatever sentence. `only`: the whole message is this act and nothing else.
    """

    acts: tuple[Act, ...]
    when: tuple[Pattern, ...]
    needs: tuple[Pattern, ...] = ()
    unless: tuple[Pattern, ...] = ()
    needs_question: bool = False
    unless_question: bool = False
    weight: float = 2.0
    alone: bool = False
    placed: bool = True
    bare: bool = False
    only: bool = False

    @classmethod
    def from_row(cls, row: Mapping[str, object], classes: Words) -> Rule:
        """Read one `[[rules]]` entry. Raises DataError naming the act when a field or class is unknown."""
        names = row.get("act")
        if extra := set(row) - {field.name for field in fields(cls)} - {"act"}:
            raise DataError(f"understanding.toml: rule {names} has unknown fields {sorted(extra)}")
        when, needs, unless = (
            _patterns(row.get(name, ()), classes, names) for name in ("when", "needs", "unless")
        )
        if not when:
            raise DataError(f"understanding.toml: rule {names} has no `when`")
        return cls(
            acts=tuple(_act(str(name)) for name in (names if isinstance(names, list) else [names])),
            when=when,
            needs=needs,
            unless=unless,
            needs_question=ASKED in _texts(row.get("needs", ())),
            unless_question=ASKED in _texts(row.get("unless", ())),
            weight=float(str(row.get("weight", 2.0))),
            alone=bool(row.get("alone", False)),
            placed=bool(row.get("placed", True)),
            bare=bool(row.get("bare", False)),
            only=bool(row.get("only", False)),
        )


@dataclass(frozen=True)
class Reading:
    """A rule that fits a clause, with the words that speak for it."""

    rule: Rule
    evidence: Span
    score: float
    weak: bool  # all it has is a word that says where


@dataclass(frozen=True)
class Lexicon:
    """`understanding.toml`, compiled once and then only read."""

    splitter: Splitter
    words: Words
    rules: tuple[Rule, ...]
    known: frozenset[str]
    stems: tuple[str, ...]
    function: frozenset[str]
    typos: Typos
    minor: frozenset[str]
    verdict: frozenset[str]
    silenced: frozenset[str]
    drops: Mapping[str, tuple[str, ...]]

    @classmethod
    def from_table(cls, table: Table) -> Lexicon:
        """Compile the table. Raises DataError when it is not as the grammar of `patterns.py` wants it."""
        try:
            words = Words.from_table(table["classes"], table["shapes"], table["lists"]["small"])
            rules = tuple(Rule.from_row(row, words) for row in table["rules"])
            patterns = [p for group in words.classes.values() for p in group]
            patterns += [p for rule in rules for p in (*rule.when, *rule.needs, *rule.unless)]
            function = frozenset(table["lists"]["function"]) | words.small
            known = frozenset(_literals(patterns)) | function | frozenset(table["lists"]["ordinary"])
            return cls(
                splitter=Splitter.from_table(table),
                words=words,
                rules=rules,
                known=known,
                stems=tuple(
                    sorted({stem for p in patterns for row in p.rows for a in row for stem in a.stems})
                ),
                function=function,
                typos=Typos.over(frozenset(_literals(patterns))),
                minor=frozenset(table["lists"]["minor"]),
                verdict=frozenset(table["lists"]["verdict"]),
                silenced=frozenset(table["lists"]["silenced"]),
                drops={name: tuple(lost) for name, lost in table["drops"].items()},
            )
        except KeyError as missing:
            raise DataError(f"understanding.toml lacks {missing}") from None

    def clauses(self, text: str) -> tuple[Clause, ...]:
        """The message's clauses, slips of the keyboard mended."""
        return tuple(
            replace(c, words=words, names=frozenset(i for i in c.capitals if not self.is_known(words[i])))
            for c in self.splitter.split(text)
            if (words := self._mended(c))
        )

    def matcher(self, clause: Clause) -> Matcher:
        """A matcher for one clause."""
        return Matcher(self.words, clause)

    def has(self, clause: Clause, name: str) -> bool:
        """Whether a word of the class stands in the clause."""
        return self.matcher(clause).has(name)

    def is_known(self, word: str) -> bool:
        """Whether the table knows the word, or it is no word (a number, a sign)."""
        return word in self.known or word.startswith(self.stems) or not word.isalpha()

    def readings(self, clause: Clause, *, asking: bool = False) -> list[Reading]:
        """What the clause says, in the order of its words; `asking`: another clause of the message asks."""
        matcher = self.matcher(clause)
        spare = _SPARE_BESIDE_A_QUESTION if asking else _SPARE
        found = [reading for rule in self.rules if (reading := self._read(rule, matcher, clause, spare))]
        taken: list[Reading] = []
        used: Span = frozenset()
        for reading in sorted(found, key=lambda r: -r.score):
            if not reading.evidence & used:
                taken.append(reading)
                used |= reading.evidence
        if any(not r.weak and not r.rule.alone and not self._is(r, self.minor) for r in taken):
            taken = [r for r in taken if not r.weak]
        if any(not r.rule.alone and not self._is(r, self.minor) for r in taken):
            taken = [r for r in taken if not r.rule.alone]
        if not clause.asked and any(self._is(r, self.verdict) for r in taken):
            taken = [r for r in taken if not self._is(r, self.silenced)]
        return sorted(taken, key=lambda r: min(r.evidence))

    def _read(self, rule: Rule, matcher: Matcher, clause: Clause, spare: int) -> Reading | None:
        if (rule.needs_question and not clause.asked and not matcher.any(rule.needs)) or (
            rule.needs and not rule.needs_question and not matcher.any(rule.needs)
        ):
            return None
        best: Reading | None = None
        for pattern in rule.when:
            score = rule.weight + _PER_ATOM * (pattern.size - 1)
            if (best and best.score >= score) or (evidence := matcher.find(pattern)) is None:
                continue
            placed = bool(evidence & clause.located)
            if (placed and not rule.placed) or not (
                rule.bare or self._carries(clause, evidence, self._spare(rule, spare))
            ):
                continue
            best = Reading(rule, evidence, score, placed and evidence <= clause.located)
        if best is None or (rule.unless_question and clause.asked) or matcher.any(rule.unless):
            return None
        return best

    def _carries(self, clause: Clause, evidence: Span, spare: int) -> bool:
        """Whether the words found are what the clause is about, and not a stray word in a strange sentence.

        A question or a wish may hold one strange word more than there are words found; a lone word in a
        statement needs a clause with next to nothing else in it.
        """
        rest = [w for i, w in enumerate(clause.words) if i not in evidence and i not in clause.capitals]
        strange = sum(not self.is_known(word) for word in rest)
        if clause.asked or any(self.has(clause, name) for name in ("want", "get", "ask")):
            return strange <= len(evidence) + 2
        if len(evidence) > 1:
            return strange <= len(evidence)
        # In "I sold my car" the car is not what is asked about; in "dog, 5 kg" the dog is.
        allowed = 0 if spare == _SPARE and self.has(clause, "teller") else spare
        return sum(word not in self.function and word.isalpha() for word in rest) <= allowed

    @staticmethod
    def _is(reading: Reading, kinds: frozenset[str]) -> bool:
        return reading.rule.acts[0].kind in kinds

    def _spare(self, rule: Rule, spare: int) -> int:
        """A stray "pool" says little in a statement; a stray "leaking" says what is wrong."""
        return spare if rule.acts[0].kind in self.silenced else max(spare, _SPARE_BESIDE_A_QUESTION)

    def _mended(self, clause: Clause) -> tuple[str, ...]:
        """The words with their slips mended, but not a name's: "Berger" is no burger."""
        shouted = 2 * len(clause.capitals) > len(clause.words)
        return tuple(
            word if i in clause.capitals and not shouted else self._mend(word)
            for i, word in enumerate(clause.words)
        )

    def _mend(self, word: str) -> str:
        return word if self.is_known(word) else self.typos.mend(word)


def _act(name: str) -> Act:
    kind, _, topic = name.partition("/")
    return Act(kind, topic or None)


def _texts(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, Sequence) else []


def _patterns(value: object, classes: Words, rule: object) -> tuple[Pattern, ...]:
    patterns = tuple(Pattern.parse(text) for text in _texts(value) if text != ASKED)
    known = {*classes.classes, *classes.shapes, NAMED}
    for pattern in patterns:
        for name in (name for row in pattern.rows for atom in row for name in atom.classes):
            if name not in known:
                raise DataError(f"understanding.toml: rule {rule} names the unknown class @{name}")
    return patterns


def _literals(patterns: Iterable[Pattern]) -> Iterator[str]:
    for pattern in patterns:
        for row in pattern.rows:
            for atom in row:
                yield from atom.words
                for phrase in atom.phrases:
                    yield from phrase
