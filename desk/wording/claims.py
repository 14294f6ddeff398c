"""What a text claims, by its words: the classes of data/languages/claims.toml, for each language listed there.

A word list cannot understand a sentence. It can tell that "libre" and "free" speak of the same thing, that a "not" is
there or missing, and that a clause which says only "free" has become one that says "booked".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desk.errors import DataError
from desk.languages import read_toml
from desk.wording.patterns import ANY_PLACE

ENDS = re.compile(r"[.:;?!…。：；？！؛؟।]+")
NEUTRAL = "neutral"
ALWAYS = "always"  # the class of words that any sentence may have: articles, pronouns, "is", "and"
# Vowel signs and the stretching stroke of Arabic, which writers set or leave out.
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*'?")
_OPTIONAL = re.compile("[\u064b-\u0652\u0640]")


class Words:
    """The classes of words that a text has.

    An entry matches whole words; `*` at its beginning or end stands for any letters. Where a text could be read in
    two ways the longer entry counts, so that "free of charge" is not "free". Entries of `neutral` say nothing.
    """

    def __init__(
        self, classes: Mapping[str, Sequence[str]], inside: bool, prefixes: Sequence[str] = ()
    ) -> None:
        """`inside`: the script has no spaces; `prefixes`: what the language writes as one with the next word."""
        entries: dict[str, set[str]] = {}
        for name, words in classes.items():
            for word in words:
                entries.setdefault(plain(word), set()).add(name)
        before = f"(?:{'|'.join(prefixes)})?" if prefixes else ""
        self.listed = frozenset(name for name, words in classes.items() if words)
        self._entries = [
            (entry.strip("*"), re.compile(_shape(entry, inside, before)), frozenset(names - {NEUTRAL}))
            for entry, names in entries.items()
        ]

    def has(self, text: str) -> bool:
        """Whether the text is an entry, and nothing beside it."""
        return any(shape.fullmatch(plain(text)) for _, shape, _ in self._entries)

    def count(self, text: str) -> int:
        """How many words of the classes the text has; where two overlap the longer counts."""
        return sum(bool(names) for names in self._read(text))

    def about(self, text: str) -> frozenset[str]:
        """The classes of all entries that the text has, also of those within a longer one."""
        told = plain(text)
        return frozenset().union(
            *(names for bare, shape, names in self._entries if bare in told and shape.search(told))
        )

    def beside(self, text: str, classes: frozenset[str]) -> list[str]:
        """The words of the text that are no entry of these classes; of two that overlap the longer is taken."""
        told = plain(text)
        entries = (shape for bare, shape, names in self._entries if bare in told and names & classes)
        found = [match.span() for shape in entries for match in shape.finditer(told)]
        rest, read = "", 0
        for start, end in sorted(found, key=lambda each: (each[0], -each[1])):
            if start >= read:
                rest += f"{told[read:start]} "
                read = end
        return _WORD.findall(rest + told[read:])

    def of(self, text: str) -> frozenset[str]:
        """The classes of which the text has a word."""
        return frozenset().union(*self._read(text))

    def _read(self, text: str) -> Iterator[frozenset[str]]:
        """The classes of each entry in the text, of two that overlap those of the first or longer."""
        told = plain(text)
        found = [
            (match.start(), -len(bare), match.end(), classes)
            for bare, shape, classes in self._entries
            if bare in told
            for match in shape.finditer(told)
        ]
        read = 0
        for start, _, end, names in sorted(found, key=lambda each: each[:2]):
            if start >= read:
                yield names
                read = end


@dataclass(frozen=True)
class Tongue:
    """One language's words. `stay` says how a stay is said, `automatic` that a machine translated; `unspaced`: no
    spaces between words. `words` are all that a sentence about a room, a price or a booking may be made of, by what
    they are about, and None where the language has no such list; `denials` are the words that each say no once."""

    code: str
    says: Words
    topics: Words
    scripts: frozenset[str]
    words: Words | None = None
    denials: Words | None = None
    unspaced: bool = False
    stay: str = ""
    automatic: str = ""


@dataclass(frozen=True)
class Claims:
    """The languages of the file by code, English among them. `everywhere`: each one's words of the classes that are
    seen in every language."""

    tongues: Mapping[str, Tongue]
    everywhere: tuple[Words, ...]

    def knows(self, code: str) -> bool:
        """Whether a machine's translation into this language can be checked."""
        return code in self.tongues and code != "en"

    def in_any(self, text: str) -> frozenset[str]:
        """The classes of `everywhere` of which the text has a word in any language."""
        return frozenset().union(*(words.of(text) for words in self.everywhere))


def clauses(text: str) -> list[tuple[str, str]]:
    """The parts of a sentence that its punctuation makes, each with the mark that ends it; places stay whole."""
    places = ANY_PLACE.findall(text)
    bare = ANY_PLACE.sub("\0", text)
    parts: list[tuple[str, str]] = []
    start = 0
    for end in [*ENDS.finditer(bare), None]:
        part = bare[start : end.start() if end else len(bare)]
        filled = re.sub("\0", lambda _: str(places.pop(0)), part)
        if any(c.isalnum() for c in filled):
            parts.append((filled, end.group() if end else ""))
        start = end.end() if end else 0
    return parts


def plain(text: str) -> str:
    """Lower case, composed, one kind of apostrophe, without the signs that writers may leave out."""
    return _OPTIONAL.sub("", unicodedata.normalize("NFC", text.casefold()).replace("’", "'"))


def _shape(entry: str, inside: bool, before: str) -> str:
    bare = entry.strip("*")
    left = "" if inside or entry.startswith("*") else rf"(?<!\w){before}"
    if inside or entry.endswith("'"):
        return f"{left}{re.escape(bare)}"
    return left + re.escape(bare) + (r"\w*" if entry.endswith("*") else r"(?!\w)")


def read_claims(path: Path) -> Claims:
    """The word lists of this file and of `words.toml` beside it. Raises DataError when one is missing or lacks what
    every language needs."""
    table, words = read_toml(path), read_toml(path.with_name("words.toml"))
    try:
        tongues = {
            code: _tongue(code, rows, words.get(code, {})) for code, rows in table["languages"].items()
        }
        tongues["en"]
        strong = (NEUTRAL, *table["everywhere"])
        own = (_words(rows, "says", strong) for rows in table["languages"].values())
        return Claims(tongues, (Words(table["elsewhere"], inside=False), *own))
    except KeyError as missing:
        raise DataError(f"{path} lacks {missing}") from None


def _tongue(code: str, rows: Mapping[str, Any], own: Mapping[str, Any]) -> Tongue:
    return Tongue(
        code=code,
        says=_words(rows, "says"),
        topics=_words(rows, "topics"),
        scripts=frozenset(rows["scripts"]),
        words=_all_words(rows, own["words"]) if own else None,
        denials=_denials(rows, own["denials"]) if "denials" in own else None,
        unspaced=bool(rows.get("unspaced")),
        stay=str(rows["stay"]) if code != "en" else "",
        automatic=str(rows["automatic"]) if code != "en" else "",
    )


def _all_words(rows: Mapping[str, Any], words: Mapping[str, Any]) -> Words:
    """These words with those of the classes, each under what it is about."""
    tables = [words, rows["says"], rows["topics"]]
    names = {name for table in tables for name in table} - {NEUTRAL}
    classes = {name: [word for table in tables for word in table.get(name, ())] for name in names}
    return Words(classes, bool(rows.get("unspaced")), rows.get("prefixes", ()))


def _denials(rows: Mapping[str, Any], denials: Sequence[str]) -> Words:
    """The words that say no, with the phrases that have one and do not ("sans frais")."""
    says = rows["says"]
    classes = {"no": denials, NEUTRAL: [*says.get(NEUTRAL, ()), *says["gratis"]]}
    return Words(classes, bool(rows.get("unspaced")), rows.get("prefixes", ()))


def _words(rows: Mapping[str, Any], table: str, only: Sequence[str] = ()) -> Words:
    classes = {name: words for name, words in rows[table].items() if not only or name in only}
    return Words(classes, bool(rows.get("unspaced")), rows.get("prefixes", ()))
