"""The kept translations, `DESK_HOME/wordings/CODE.toml`: one file a language, which people can read and correct."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desk.errors import DataError, StorageError
from desk.languages import read_toml

LONGEST = 600  # characters of a refused translation that are kept to look at
HEADING = """\
# What the translator made of the desk's English wording, for the language {code}.
# Correct `told` where it is wrong, and empty `refused`; `python -m desk wordings {code}` shows what is still refused.
# Places such as {{hotel}} stay as they are. An English text that has changed since is translated anew.
"""


@dataclass(frozen=True)
class Kept:
    """One pattern's translation; `refused` says why it is not used and English is, and is empty when it is used."""

    key: str
    english: str
    form: str
    told: str
    refused: str = ""

    @property
    def id(self) -> tuple[str, str]:
        """What it is kept under."""
        return self.english, self.form


@dataclass(frozen=True)
class Book:
    """One language's translations. `complete`: it is spoken, as it has all patterns, or those that got an answer."""

    code: str
    kept: tuple[Kept, ...] = ()
    complete: bool = False
    reviewed: bool = False


class Shelf:
    """Reads and writes the books of one DESK_HOME."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def codes(self) -> list[str]:
        """The languages that have a book."""
        return sorted(path.stem for path in self._folder.glob("*.toml"))

    def path(self, code: str) -> Path:
        """Where the book of this language is."""
        return self._folder / f"{code}.toml"

    def read(self, code: str) -> Book | None:
        """The book of this language, or None. Raises DataError, naming file and line, when people have broken it."""
        path = self.path(code)
        if not path.exists():
            return None
        table = read_toml(path)
        try:
            rows = tuple(_kept(row) for row in table.get("pattern", ()))
            return Book(code, rows, bool(table["complete"]), bool(table["reviewed"]))
        except (KeyError, TypeError, AttributeError):
            raise DataError(f"{path}: each [[pattern]] needs key, english, form, told and refused") from None

    def write(self, book: Book) -> None:
        """Put the book in its place at once, so that a crash leaves the one before. Raises StorageError."""
        path = self.path(book.code)
        new = path.with_suffix(f".{uuid.uuid4().hex}.new")  # this call's own: other processes write as well
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            new.write_text(_written(book), encoding="utf-8")
            new.replace(path)
        except OSError as error:
            new.unlink(missing_ok=True)
            raise StorageError(f"{path} cannot be written: {error}") from None

    def forget(self, code: str) -> bool:
        """Delete the book; False when there is none."""
        try:
            self.path(code).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StorageError(f"{self.path(code)} cannot be deleted: {error}") from None
        return True


def _kept(row: dict[str, Any]) -> Kept:
    texts = [row[name] for name in ("key", "english", "form", "told", "refused")]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError
    return Kept(*texts)


def _written(book: Book) -> str:
    lines = [HEADING.format(code=book.code)]
    lines += [f"complete = {_flag(book.complete)}", f"reviewed = {_flag(book.reviewed)}"]
    for each in book.kept:
        lines.append("\n[[pattern]]")
        lines += [f"{name} = {_text(value)}" for name, value in vars(each).items()]
    return "\n".join([*lines, ""])


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _text(value: str) -> str:
    """A TOML string. JSON writes the same for what can be printed, and nothing else is kept."""
    return json.dumps("".join(c if c.isprintable() else " " for c in value), ensure_ascii=False)


def cut(told: str) -> str:
    """A refused translation as it is kept."""
    return told[:LONGEST]
