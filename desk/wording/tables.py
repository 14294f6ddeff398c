"""One language's part of the message catalogue, read from its tables and checked when the desk opens.

From the pack's `languages/CODE/`: `facts.toml` (facts, room types, units, stays), `guide.toml` (the house
guide's entries), `frames.toml` (fixed lines), `places.toml` (names of categories). What a language lacks,
English says.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, get_args

from desk.errors import DataError
from desk.languages import Language, flat
from desk.records import FactKind
from desk.wording.fields import FLAGS, names_for
from desk.wording.formats import Formats
from desk.wording.patterns import OTHER, PLACEHOLDER, Block, read_blocks

NO_TYPE, UNKNOWN_TYPE = "default", "other"
LINES = frozenset({"recalled", "walk", "transit", "room"})
SPAN_WIDTHS = frozenset({"same_month", "same_year", OTHER})
GUIDE_TABLES = frozenset({"titles", "units", "words", "money", "fields"})
GUIDE_FIELDS = frozenset({"hotel"})
FACTS, GUIDE, FRAMES = "facts.toml", "guide.toml", "frames.toml"

Table = Mapping[str, Any]


@dataclass(frozen=True)
class Wording:
    """What one language can say."""

    code: str
    formats: Formats
    facts: Mapping[str, tuple[Block, ...]]
    guide: Mapping[str, tuple[Block, ...]]
    types: Mapping[str, Mapping[str, str]]
    lines: Mapping[str, str]  # the recalled prefix and the distances of places
    requests: Mapping[str, str]
    words: Mapping[str, str]
    categories: Mapping[str, str]
    titles: Mapping[str, str]
    frames: Mapping[str, str]
    phrases: Mapping[str, str]  # the desk's own sentences by dotted key
    said: Mapping[str, str] | None = (
        None  # of a language that a machine translated: English sentences and theirs
    )
    automatic: str = ""  # what such a language says of that, until people have reviewed it

    def type_word(self, name: str | None, form: str) -> str:
        """A room type as a sentence needs it; a type that the table lacks is said by its own name."""
        key = NO_TYPE if name is None else name
        forms = self.types.get(key) or self.types[UNKNOWN_TYPE]
        return forms[form].replace("{name}", name or "")

    def sentence(self, pattern: str) -> str:
        """A block's sentence in this language. Raises KeyError for one that a machine did not translate."""
        return pattern if self.said is None else self.said[pattern]


def read_wording(language: Language, guide_values: Mapping[str, AbstractSet[str]], frames: Table) -> Wording:
    """A language's wording. `guide_values` names each guide kind's values, `frames` is English's table.

    Raises DataError, naming file and pattern, for a placeholder that the kind does not have.
    """
    facts, guide = language.subject("facts"), language.subject("guide")
    units = {**guide.get("units", {}), **facts.get("units", {})}
    spans = facts.get("span", {})
    wording = Wording(
        code=language.code,
        formats=Formats(str(language.table("language").get("locale", language.code)), spans, units),
        facts={kind: read_blocks(kind, facts[kind], _file(language, FACTS)) for kind in _kinds(facts)},
        guide={
            kind: read_blocks(kind, rows, _file(language, GUIDE))
            for kind, rows in guide.items()
            if kind not in GUIDE_TABLES
        },
        types=facts.get("types", {}),
        lines=facts.get("lines", {}),
        requests=facts.get("requests", {}),
        words=guide.get("words", {}),
        categories={
            key: row["name"] for key, row in language.subject("places").get("categories", {}).items()
        },
        titles=guide.get("titles", {}),
        frames=language.subject("frames"),
        phrases=dict(flat(language.subject("phrases"))),
    )
    _Check(language, wording, spans, units).all(guide_values, frames)
    return wording


def _kinds(facts: Table) -> list[str]:
    return [kind for kind in get_args(FactKind) if kind in facts]


def _file(language: Language, name: str) -> str:
    return f"languages/{language.code}/{name}"


class _Check:
    """Finds what would only show when a guest asks: unknown placeholders and missing forms."""

    def __init__(self, language: Language, wording: Wording, spans: Table, units: Table) -> None:
        self._language = language
        self._wording = wording
        self._spans = spans
        self._units = units

    def all(self, guide_values: Mapping[str, AbstractSet[str]], frames: Table) -> None:
        """Check every pattern. Raises DataError for the first that is wrong."""
        self._tables()
        for kind, blocks in self._wording.facts.items():
            for block in blocks:
                self._block(block, names_for(kind), FLAGS, f"{_file(self._language, FACTS)}: {kind}")
        for kind, blocks in self._wording.guide.items():
            where = f"{_file(self._language, GUIDE)}: {kind}"
            if kind not in guide_values:
                raise DataError(f"{where} has no [fields] in English")
            for block in blocks:
                self._block(block, guide_values[kind] | GUIDE_FIELDS, guide_values[kind], where)
        for key, line in self._wording.frames.items():
            self._frame(key, line, frames)

    def _tables(self) -> None:
        where = _file(self._language, FACTS)
        for form, shapes in self._spans.items():
            if not shapes.keys() >= SPAN_WIDTHS:
                raise DataError(f"{where}: span.{form} needs {', '.join(sorted(SPAN_WIDTHS))}")
        for unit, forms in self._units.items():
            if "{n}" not in forms.get(OTHER, ""):
                raise DataError(f"{where}: units.{unit} needs a form `other` with {{n}}")
        if (self._wording.facts or self._wording.guide) and not self._wording.lines.keys() >= LINES:
            raise DataError(f"{where}: [lines] needs {', '.join(sorted(LINES))}")
        if self._wording.facts and not {NO_TYPE, UNKNOWN_TYPE} <= self._wording.types.keys():
            raise DataError(f"{where}: [types] needs {NO_TYPE} and {UNKNOWN_TYPE}")

    def _block(self, block: Block, names: AbstractSet[str], flags: AbstractSet[str], where: str) -> None:
        for key in [*block.when, *([block.by] if block.by else [])]:
            if key not in names | flags:
                raise DataError(f"{where}: there is no value {key!r} to decide by")
        for name, form in block.placeholders():
            if name not in names:
                raise DataError(f"{where}: there is no value for {{{name}}}")
            if form is not None and form not in self._forms(name):
                raise DataError(f"{where}: {{{name}.{form}}} asks for a form that is not there")
            if form is None and name == "type":
                raise DataError(f"{where}: {{type}} needs a form, as in {{type.room}}")

    def _forms(self, name: str) -> AbstractSet[str]:
        if name == "type":
            return set.intersection(*(set(forms) for forms in self._wording.types.values()))
        return set(self._spans) if name == "stay" else set(self._units)

    def _frame(self, key: str, line: Any, frames: Table) -> None:
        where = f"{_file(self._language, FRAMES)}: {key}"
        if not isinstance(line, str) or not isinstance(frames.get(key), str):
            raise DataError(f"{where} must be a sentence that English has too")
        if _placeholders(line) != _placeholders(frames[key]):
            raise DataError(f"{where} must have the placeholders that English has")


def _placeholders(line: str) -> set[str]:
    return {match.group(1) for match in PLACEHOLDER.finditer(line)}
