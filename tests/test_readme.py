"""The README is the map: what it draws and lists is there."""

from __future__ import annotations

import re
from pathlib import Path

from desk.context import Parts
from desk.diagram import mermaid
from desk.flow import build_flow
from desk.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_picture_is_the_graph(shared: Parts) -> None:
    """The Mermaid block is what the compiled graph draws."""
    block = re.search(r"```mermaid\n(.*?)\n```", README, re.DOTALL)
    assert block is not None
    assert block.group(1) == mermaid(build_flow(shared))


def test_every_setting_is_listed() -> None:
    """Each environment variable stands in the table; budgets by their common stem."""
    for field in Settings.model_fields.values():
        name = str(field.alias)
        listed = f"`{name}`" in README or (
            name.startswith("DESK_BUDGET_") and f"`_{name.removeprefix('DESK_BUDGET_')}`" in README
        )
        assert listed or name == "DESK_BUDGET_HANDOFFS", name


def test_every_path_named_exists() -> None:
    """Folders and files that the README points to are there."""
    for path in re.findall(r"`((?:desk|data|tests|pages|app)[\w/.]*)`", README):
        if "CODE" not in path:
            assert (ROOT / path).exists(), path


def test_every_command_is_a_make_target() -> None:
    """`make X` of the README is a target of the Makefile."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)`", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
