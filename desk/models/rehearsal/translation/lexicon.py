"""A language's glossary, spread out into every form a guest may write: form → what it can mean.

A glossary (`glossary.toml`, the general one and the pack's laid over each other) is a set of sections named
after kinds of words. `word = "english"`; a key may hold alternatives and optional words ("ganz? in der
nähe/umgebung"). Nouns, verbs and adjectives carry what their forms cannot be guessed from after bars:
"Gast|¨e" (plural), "an+kommen|kommt,kam,gekommen|move" (forms; a verb whose perfect is made with "to be").
How forms are made from that is data too (`[inflection]`).
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from desk.languages import Table
from desk.models.rehearsal.translation.english import English

CONTENT = frozenset({"noun", "verb", "adj", "adv", "date", "interj", "phrase", "name", "exist"})
INFLECTED = ("noun", "verb", "adj")
VERBAL = ("be", "have", "shift", "modal", "verbal")
CALLED = {"nominal": "noun", "verbal": "verb"}
FIXED = (
    "phrase", "exist", "be", "have", "shift", "modal", "sub", "wh", "pron", "object", "det", "prep",
    "prepdet", "conj", "neg", "drop", "num", "date", "interj", "adv", "nominal", "verbal",
)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """One meaning of one form: `forms` are the verb forms it can be, `extra` what a kind needs besides."""

    english: str
    kind: str
    forms: frozenset[str] = frozenset()
    lemma: str = ""
    number: str = ""
    extra: str = ""


@dataclass
class Lexicon:
    """All forms of one language. Keys are folded (`fold`); a phrase's key is its folded words."""

    folding: Mapping[str, str]
    forms: dict[str, list[Entry]] = field(default_factory=dict)
    phrases: dict[tuple[str, ...], Entry] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    plain: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    cased: dict[str, Entry] = field(default_factory=dict)
    alone: dict[str, str] = field(default_factory=dict)
    genitive: dict[str, str] = field(default_factory=dict)
    adverbial: dict[str, str] = field(default_factory=dict)
    combined: dict[tuple[str, str], str] = field(default_factory=dict)
    government: dict[tuple[str, str], str] = field(default_factory=dict)
    particles: set[str] = field(default_factory=set)
    body: frozenset[str] = frozenset()
    female: frozenset[str] = frozenset()

    def fold(self, word: str) -> str:
        """Lower case, apostrophes straight, letters as the language spells them out (ä → ae)."""
        text = unicodedata.normalize("NFC", word).casefold().replace("’", "'")
        for letter, spelled in self.folding.items():
            text = text.replace(letter, spelled)
        return text

    def add(self, form: str, entry: Entry) -> None:
        """File one form; several words make a phrase."""
        words = tuple(self.fold(part) for part in form.split())
        if len(words) > 1:
            self.phrases.setdefault(words, entry)
            self.starts[words[0]] = max(self.starts.get(words[0], 0), len(words))
            return
        known = self.forms.setdefault(words[0], [])
        if (entry.english, entry.kind) in {(other.english, other.kind) for other in known}:
            known[:] = [_merged(other, entry) for other in known]
            return
        known.append(entry)
        self.plain.setdefault(bare(form), words[0])


def _merged(old: Entry, new: Entry) -> Entry:
    if (old.english, old.kind) != (new.english, new.kind):
        return old
    number = old.number if old.number == new.number else "both"
    return Entry(old.english, old.kind, old.forms | new.forms, old.lemma, number, old.extra)


def bare(word: str) -> str:
    """A word without its accents, as hurried people type it (fruhstuck)."""
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).replace("ß", "ss")


def build_lexicon(tables: Sequence[Table], english: English) -> Lexicon:
    """The lexicon of the glossaries `tables`, general first; a later table adds to the earlier ones."""
    grammar = tables[0].get("inflection", {})
    lexicon = Lexicon(folding=dict(tables[0].get("fold", {})), body=english.body, female=english.female)
    for kind in FIXED:
        for table in tables:
            _add_fixed(lexicon, kind, table.get(kind, {}))
    verbs = {key.split("|")[0]: key for table in tables for key in table.get("verb", {})}
    for table in tables:
        for key, value in table.get("noun", {}).items():
            _add_noun(lexicon, key, value, grammar.get("noun", {}))
        for key, value in table.get("adj", {}).items():
            _add_adjective(lexicon, key, value, grammar.get("adjective", {}), english)
        for key, value in table.get("verb", {}).items():
            _add_verb(lexicon, key, value, verbs, grammar, english)
        lexicon.parts.update({lexicon.fold(k): str(v) for k, v in table.get("compound", {}).items()})
        _add_pairs(lexicon, table)
    _add_settings(lexicon, tables[0])
    return lexicon


def _add_pairs(lexicon: Lexicon, table: Table) -> None:
    for section, pairs in (("combine", lexicon.combined), ("government", lexicon.government)):
        for key, value in table.get(section, {}).items():
            first, _, second = key.rpartition("+")
            pairs[lexicon.fold(first), lexicon.fold(second)] = str(value)


def _add_settings(lexicon: Lexicon, table: Table) -> None:
    for particle in lexicon.particles:
        if particle not in lexicon.forms:  # one that finds no verb to go with says nothing
            lexicon.add(particle, Entry("", "drop", lemma=particle))
    for word, value in table.get("cased", {}).items():
        meaning, _, rest = str(value).partition("|")
        kind, _, extra = rest.partition("|")
        lexicon.cased[word] = Entry(meaning, kind, lemma=lexicon.fold(word), extra=extra)
    lexicon.alone = {lexicon.fold(k): str(v) for k, v in table.get("alone", {}).items()}
    lexicon.adverbial = {lexicon.fold(k): str(v) for k, v in table.get("adverbial", {}).items()}
    lexicon.genitive = {lexicon.fold(k): str(v) for k, v in table.get("genitive", {}).items()}


def _add_fixed(lexicon: Lexicon, kind: str, section: Mapping[str, object]) -> None:
    for key, value in section.items():
        english, _, rest = str(value).partition("|")
        names, _, extra = rest.partition("|") if kind in VERBAL else ("", "", rest)
        number = extra if extra in ("sg", "pl") else ""
        for form in spellings(key):
            lemma = lexicon.fold(form)
            called = CALLED.get(kind, kind)
            number = "sg" if kind == "nominal" else number
            forms = frozenset(filter(None, names.split(",")))
            lexicon.add(form, Entry(english, called, forms, lemma, number, extra))


def spellings(key: str) -> Iterator[str]:
    """Every wording of a key: "a/b c?" gives "a c", "b c", "a", "b"."""
    slots = []
    for slot in key.split():
        options = slot.removesuffix("?").split("/")
        slots.append([*options, ""] if slot.endswith("?") else options)
    for choice in itertools.product(*slots):
        yield " ".join(word for word in choice if word)


def _add_noun(lexicon: Lexicon, key: str, value: str, grammar: Table) -> None:
    singular, bar, ending = key.partition("|")
    for suffix in grammar.get("singular", [""]):
        lexicon.add(singular + suffix, Entry(value, "noun", lemma=singular, number="sg"))
    lexicon.parts.setdefault(lexicon.fold(singular), value)
    if not bar:
        return
    plural = _plural_form(singular, ending, grammar.get("shift", {}))
    for suffix in grammar.get("plural", [""]):
        lexicon.add(plural + suffix, Entry(value, "noun", lemma=singular, number="pl"))
    lexicon.parts.setdefault(lexicon.fold(plural), value)


def _plural_form(singular: str, ending: str, shift: Mapping[str, str]) -> str:
    if ending.startswith("="):
        return ending[1:]
    stem = singular
    while ending.startswith("-"):
        ending, stem = ending[1:], stem[:-1]
    if not ending.startswith("¨"):
        return stem + ending
    found = [
        (stem.lower().rfind(vowel) + len(vowel), len(vowel), vowel)
        for vowel in shift
        if vowel in stem.lower()
    ]
    if not found:
        return stem + ending[1:]
    end, length, vowel = max(found)  # the last vowel; of two that end together the longer one
    start = end - length
    new = shift[vowel].capitalize() if stem[start].isupper() else shift[vowel]
    return stem[:start] + new + stem[end:] + ending[1:]


def _add_adjective(lexicon: Lexicon, key: str, value: str, grammar: Table, english: English) -> None:
    bases = key.split("|")
    for base in bases:
        for suffix in grammar.get("positive", [""]):
            lexicon.add(base + suffix, Entry(value, "adj", lemma=bases[0]))
        for degree, name in ((1, "comparative"), (2, "superlative")):
            for suffix in grammar.get(name, []):
                graded = Entry(english.compared(value, degree), "adj", lemma=bases[0], extra=name)
                lexicon.add(base + suffix, graded)
        lexicon.parts.setdefault(lexicon.fold(base), value)


def _add_verb(
    lexicon: Lexicon, key: str, value: str, verbs: Mapping[str, str], grammar: Table, english: English
) -> None:
    head, *fields = key.split("|")
    particle, plus, base = head.rpartition("+")
    if not fields and plus and base in verbs:
        fields = verbs[base].split("|")[1:]
    extra = fields[1] if len(fields) > 1 else ""
    made = list(_verb_forms(base, fields[0].split(",") if fields and fields[0] else [], grammar))
    for form, name in made:
        lexicon.add(particle + form, Entry(value, "verb", frozenset({name}), lemma=head, extra=extra))
        if plus and name != "part" and base not in verbs:
            lexicon.add(form, Entry(value, "verb", frozenset({name}), lemma=base, extra=extra))
        if name == "part":
            _add_participle(lexicon, particle + form, english.verb(value, "part"), grammar)
    if plus:
        joined = str(grammar.get("separable", "{particle}{infinitive}"))
        form = joined.format(particle=particle, infinitive=base)
        lexicon.add(form, Entry(value, "verb", frozenset({"zuinf"}), lemma=head, extra=extra))
        lexicon.combined[(lexicon.fold(base), lexicon.fold(particle))] = value
        lexicon.particles.add(lexicon.fold(particle))
    if grammar.get("present"):  # "das passende Zimmer"
        _add_participle(
            lexicon, particle + base + str(grammar["present"]), english.verb(value, "ing"), grammar
        )
    for ending in grammar.get("stem_endings", []):
        if base.endswith(ending):
            stem = lexicon.fold(particle + base.removesuffix(ending))
            lexicon.parts.setdefault(stem, english.verb(value.split(maxsplit=1)[0], "ing"))


def _add_participle(lexicon: Lexicon, form: str, value: str, grammar: Table) -> None:
    for suffix in grammar.get("adjective", {}).get("positive", []):
        if suffix:
            lexicon.add(form + suffix, Entry(value, "adj"))


def _verb_forms(base: str, irregular: Iterable[str], grammar: Table) -> Iterator[tuple[str, str]]:
    """(form, name) of one verb: the first class whose ending and prefix fit, the given forms on top."""
    given = dict(zip(grammar.get("fields", []), irregular, strict=False))
    yield base, "inf"
    for rule in grammar.get("verb", []):
        prefixes = rule.get("prefixes")
        if not base.endswith(rule["ending"]) or (prefixes and not base.startswith(tuple(prefixes))):
            continue
        stem = base.removesuffix(rule["ending"])
        slots = {"s": stem, "i": base, **given}
        slots["t"] = given.get("third", "").removesuffix(str(grammar.get("third_ending", "")))
        patterns = {**rule["forms"], **(grammar.get("irregular", {}) if given else {})}
        for name, shapes in patterns.items():
            for shape in shapes:
                yield shape.format(**slots), name
        return
