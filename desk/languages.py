"""The languages the desk has, as data: one folder a language, read once when the desk opens.

`data/languages/CODE/` holds what any desk needs of a language (page texts, dates, numbers, grammar);
`data/PACK/languages/CODE/` holds the subject's words (glossary, sentence patterns). Adding a language is
adding these folders; no code changes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desk.errors import DataError

Table = Mapping[str, Any]


def read_toml(path: Path) -> dict[str, Any]:
    """Read one TOML file. Raises DataError, naming file and line, when it is missing or broken."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"{path} is missing: restore it from the repository") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path} is not valid TOML: {error}") from None


def flat(table: Table, before: str = "") -> Iterator[tuple[str, str]]:
    """The texts of a table and of the tables in it, by dotted key."""
    for key, value in table.items():
        if isinstance(value, str):
            yield f"{before}{key}", value
        elif isinstance(value, Mapping):
            yield from flat(value, f"{before}{key}.")


@dataclass(frozen=True)
class Language:
    """One language's tables. `code` is its BCP 47 tag; `name` what its speakers call it."""

    code: str
    name: str
    english_name: str
    rtl: bool
    tables: Mapping[str, Table]
    subject_tables: Mapping[str, Table]

    def table(self, name: str) -> Table:
        """The general table `name` (`data/languages/CODE/NAME.toml`); empty when there is none."""
        return self.tables.get(name, {})

    def subject(self, name: str) -> Table:
        """The pack's table `name` (`data/PACK/languages/CODE/NAME.toml`); empty when there is none."""
        return self.subject_tables.get(name, {})


def _tables(folder: Path) -> dict[str, Table]:
    return {path.stem: read_toml(path) for path in sorted(folder.glob("*.toml"))}


def load_languages(data_root: Path, pack_root: Path) -> dict[str, Language]:
    """Every language that has both folders, by code.

    Raises DataError when a file is broken, a language has no `language.toml`, or English is missing.
    """
    languages: dict[str, Language] = {}
    for folder in sorted((data_root / "languages").glob("*/")):
        subject = pack_root / "languages" / folder.name
        if not subject.is_dir():
            continue
        about = read_toml(folder / "language.toml")
        try:
            languages[folder.name] = Language(
                code=folder.name,
                name=str(about["name"]),
                english_name=str(about["english_name"]),
                rtl=bool(about.get("rtl", False)),
                tables=_tables(folder),
                subject_tables=_tables(subject),
            )
        except KeyError as missing:
            raise DataError(f"{folder / 'language.toml'} lacks {missing}") from None
    if "en" not in languages:
        raise DataError(f"{data_root / 'languages' / 'en'} is missing: the desk works in English inside")
    return languages
