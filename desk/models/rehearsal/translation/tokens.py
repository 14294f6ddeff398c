"""A guest's text as tokens: words to look up, and the pieces that must come through untouched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from desk.languages import Table

MARK = re.compile("\ue000(\\d+)\ue001")
TOKEN = re.compile(
    "\ue000\\d+\ue001"
    r"|\+\d[\d ()/-]{5,}\d"
    r"|https?://\S+|[\w.+-]+@[\w-]+\.[\w.]+"
    r"|\b[A-Za-z]{1,3}-?\d[\w-]*"
    r"|[€$£¥]?\d(?:[\d.,:/]*\d)?(?:\s?[€$£¥%°]|(?:st|nd|rd|th|x)\b)?"
    r"|[^\W\d_]+(?:['’][^\W\d_]+|-[^\W\d_]+)*"
    r"|\n+"
    "|[^\\w\\s\ue000\ue001]+|[\ue000\ue001]|_+"
)
SENTENCE_END = re.compile(r"^[.!?…\n]")
NAME = r"(?P<name>[^\W\d_][\w'’.-]*(?:[ ]+[^\W\d_][\w'’-]*){0,3})"


@dataclass
class Token:
    """One piece of the text on its way to English.

    `kind` is the word's kind (see the lexicon), "keep" for what passes verbatim, "stop" for punctuation,
    "unknown" for what no rule could read. `form` is the verb form to write.
    """

    source: str
    english: str = ""
    kind: str = "unknown"
    forms: frozenset[str] = frozenset()
    form: str = ""
    lemma: str = ""
    number: str = ""
    extra: str = ""
    glued: bool = False
    content: bool = False

    @property
    def capital(self) -> bool:
        """Whether it is written with a capital letter."""
        return self.source[:1].isupper()


@dataclass
class Text:
    """The rewritten text and the pieces set aside in it (`\\ue000N\\ue001` stands for `kept[N]`)."""

    text: str
    kept: list[str] = field(default_factory=list)

    def keep(self, piece: str) -> str:
        """Set `piece` aside; returns the mark that stands for it."""
        self.kept.append(piece)
        return f"\ue000{len(self.kept) - 1}\ue001"


def prepare(text: str, table: Table, months: Sequence[str], stop_words: frozenset[str]) -> Text:
    """Apply the language's rewriting rules and set names and dates aside, so that they survive exactly.

    A `[[rewrite]]` rule has `from` (a pattern; capitals do not matter) and `to`. With `keep = true` the
    result is English and passes verbatim; `{month}` there is the month named by group `m`.
    """
    work = Text(MARK.sub("", text))
    for pattern in table.get("names", []):
        work.text = _aside_names(work, str(pattern), stop_words)
    for rule in table.get("rewrite", []):
        work.text = _rewrite(work, rule, months)
    return work


def _aside_names(work: Text, pattern: str, stop_words: frozenset[str]) -> str:
    capitals = any(letter.isupper() for letter in work.text[1:])

    def aside(match: re.Match[str]) -> str:
        words = match["name"].split()
        name: list[str] = []
        for word in words:
            if word.casefold() in stop_words or (capitals and not word[0].isupper()):
                break
            name.append(word)
        if not name:
            return match[0]
        length = match["name"].index(name[-1], sum(len(word) for word in name[:-1])) + len(name[-1])
        kept = match["name"][:length].rstrip(".")
        before = match[0][: match.start("name") - match.start()]
        return before + work.keep(kept) + match[0][len(before) + len(kept) :]

    return re.compile(pattern.replace("NAME", NAME), re.IGNORECASE).sub(aside, work.text)


def _rewrite(work: Text, rule: Table, months: Sequence[str]) -> str:
    def replaced(match: re.Match[str]) -> str:
        if not rule.get("keep"):
            return match.expand(str(rule["to"]))
        groups = {name: value or "" for name, value in match.groupdict().items()}
        month = int(groups["m"]) if groups.get("m", "").isdigit() else 0
        if "m" in groups and not 1 <= month <= len(months):
            return match[0]
        groups["month"] = months[month - 1] if month else ""
        return work.keep(" ".join(str(rule["to"]).format(**groups).split()))

    return re.compile(str(rule["from"]), re.IGNORECASE).sub(replaced, work.text)


def tokenise(work: Text) -> list[Token]:
    """The tokens of a prepared text. Punctuation knows whether it stood against the word before it."""
    tokens = []
    for match in TOKEN.finditer(work.text):
        piece = match[0]
        glued = match.start() > 0 and not work.text[match.start() - 1].isspace()
        aside = MARK.fullmatch(piece)
        if aside:
            tokens.append(Token(work.kept[int(aside[1])], work.kept[int(aside[1])], "keep", glued=glued))
        elif any(letter.isdigit() for letter in piece) or "@" in piece or "://" in piece:
            tokens.append(Token(piece, piece, "keep", glued=glued))
        elif piece[0].isalpha():
            tokens.append(Token(piece, piece, glued=glued))
        else:
            tokens.append(Token(piece, piece, "stop", glued=glued))
    return tokens
