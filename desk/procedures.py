"""Procedures: the versioned instruction texts. One file a version, never edited once released."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from desk.errors import DataError
from desk.languages import read_toml


@dataclass(frozen=True)
class Procedures:
    """The active version of each procedure, and its text."""

    versions: Mapping[str, str]
    texts: Mapping[str, str]

    def text(self, name: str, **values: str) -> str:
        """The active text of one procedure, `{placeholders}` filled. Raises DataError for an unknown name."""
        if name not in self.texts:
            raise DataError(f"there is no procedure {name}: see data/procedures/active.toml")
        text = self.texts[name]
        for key, value in values.items():
            text = text.replace("{" + key + "}", value)
        return text


def load_procedures(folder: Path) -> Procedures:
    """Read `active.toml` (name = version) and the text of each active version.

    A file begins with three lines, `version:`, `date:` and `change:`, then an empty line, then the text.
    Raises DataError, naming the file, when one is missing or its heading is not of that form.
    """
    active = read_toml(folder / "active.toml")
    texts = {}
    for name, version in active.items():
        path = folder / name / f"{version}.md"
        try:
            heading, _, body = path.read_text(encoding="utf-8").partition("\n\n")
        except (OSError, UnicodeDecodeError):
            raise DataError(f"{path} is missing or not UTF-8: data/procedures/active.toml names it") from None
        keys = [line.partition(":")[0] for line in heading.splitlines()]
        if keys != ["version", "date", "change"] or f"version: {version}" not in heading:
            raise DataError(f"{path} must begin with the lines version: {version}, date: and change:")
        texts[name] = body.strip()
    return Procedures(versions={k: str(v) for k, v in active.items()}, texts=texts)
