"""The texts of the pages, in every language that has a `page.toml`.

Read on its own, without the rest of a language's tables, so that the first thing a guest sees does not
wait for the desk to open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel import Locale

from desk.errors import DataError
from desk.languages import Table, read_toml

DEFAULT = "en"


def _find(table: Table, key: str) -> Any:
    """The value at a dotted key, or None."""
    value: Any = table
    for part in key.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


@dataclass(frozen=True)
class PageTexts:
    """One language's page texts; what a language lacks is said in English."""

    code: str
    name: str
    locale: str
    rtl: bool
    table: Table
    english: Table

    def get(self, key: str) -> Any:
        """What stands at a dotted key, in this language or else in English; None when in neither."""
        found = _find(self.table, key)
        return _find(self.english, key) if found is None else found

    def __call__(self, key: str, /, **values: object) -> str:
        """The text at a dotted key with its {names} filled in. Raises DataError for an unknown key."""
        text = self.get(key)
        if not isinstance(text, str):
            raise DataError(f"page.toml has no text {key}")
        return text.format(**values) if values else text

    def count(self, key: str, n: int) -> str:
        """The text at `key` for this number of things, by the language's own plural rule (CLDR)."""
        forms = self.get(key) or {}
        form = Locale.parse(self.locale).plural_form(n)
        return str(forms.get(form) or forms.get("other", "")).format(n=n)


def load_page_texts(data_root: Path) -> dict[str, PageTexts]:
    """The page texts of every language under `data_root/languages`, by code.

    Raises DataError when a file is broken or English is missing.
    """
    root = data_root / "languages"
    english = read_toml(root / DEFAULT / "page.toml")
    texts = {}
    for path in sorted(root.glob("*/page.toml")):
        about = read_toml(path.with_name("language.toml"))
        code = path.parent.name
        texts[code] = PageTexts(
            code=code,
            name=str(about.get("name", code)),
            locale=str(about.get("locale", code.replace("-", "_"))),
            rtl=bool(about.get("rtl", False)),
            table=read_toml(path),
            english=english,
        )
    return texts


def choose_language(wanted: Iterable[str | None], have: Mapping[str, PageTexts]) -> PageTexts:
    """The first wanted language that there are texts for: `de-AT` finds `de`; English when none fits."""
    for tag in wanted:
        code = (tag or "").replace("_", "-")
        while code:
            if code in have:
                return have[code]
            code = code.rpartition("-")[0]
    return have[DEFAULT]
