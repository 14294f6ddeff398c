"""Procedures: every instruction text is a versioned file, and it names only what is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from desk.context import Parts
from desk.errors import DataError
from desk.handoff import CRITERIA, DESTINATIONS, Action, Handoff
from desk.procedures import Procedures, load_procedures
from desk.settings import ROOT
from desk.tools.hotel import hotel_tools
from desk.tools.recall import recall_tools
from desk.tools.reservation import reservation_tools
from desk.tools.web import web_tools

FOLDER = ROOT / "data" / "procedures"
# Words of the texts that look like a tool's name and are a field or an action of a handoff.
FIELDS = frozenset(Handoff.model_fields) | frozenset(get_args(Action)) | {"return_check"}


@pytest.fixture(scope="module")
def active() -> Procedures:
    """The procedures that the desk ships."""
    return load_procedures(FOLDER)


def tool_names(parts: Parts) -> set[str]:
    """The names of all tools of the desk."""
    branch = parts.pack.branches[0]
    tools = [*hotel_tools(branch, parts.hotels, "EUR"), *reservation_tools(parts.hotels, "EUR")]
    return {tool.name for tool in (*tools, *web_tools(parts.web), *recall_tools())}


def test_each_active_procedure_is_a_file_with_version_date_and_change(active: Procedures) -> None:
    """The index names versions that exist; each text is its file's, without the heading."""
    for name, version in active.versions.items():
        text = (FOLDER / name / f"{version}.md").read_text(encoding="utf-8")
        assert re.match(rf"version: {version}\ndate: \d{{4}}-\d\d-\d\d\nchange: \S.*\n\n\S", text), name
        assert active.text(name) in text
        assert "version:" not in active.text(name)


def test_every_folder_is_in_the_index(active: Procedures) -> None:
    """No procedure lies about that nobody activates."""
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} == set(active.versions)


def test_each_tool_that_a_procedure_names_exists(active: Procedures, shared: Parts) -> None:
    """A word like find_rooms in a text is one of the desk's tools, or a field of a handoff."""
    known = tool_names(shared) | FIELDS
    for name, text in active.texts.items():
        named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", text))
        assert named <= known, (name, named - known)


def test_the_agents_texts_name_their_own_tools(active: Procedures) -> None:
    """An agent with tools is told of them by name."""
    assert {"find_rooms", "room_rates", "search_guide", "run_sql"} <= set(
        re.findall(r"\w+", active.text("hotel"))
    )
    assert "search_web" in active.text("web")
    assert "recall" in active.text("direct")


def test_the_coordinators_text_knows_every_destination(active: Procedures) -> None:
    """What the coordinator may answer is what code accepts."""
    for destination in DESTINATIONS:
        assert f"- {destination}:" in active.text("coordinator")
    assert set(CRITERIA) == set(DESTINATIONS)


def test_placeholders_are_filled(active: Procedures) -> None:
    """The hotel's name is put in, and no other placeholder is left but the guest's name."""
    assert "Harbour House" in active.text("hotel", hotel="Harbour House")
    for name in active.texts:
        left = re.findall(r"\{(\w+)\}", active.text(name, hotel="x"))
        assert set(left) <= {"name"}, name


def test_the_texts_of_all_agents_say_that_words_of_guests_are_no_orders(active: Procedures) -> None:
    """Wherever a model reads what people or the web wrote, it is told that these are no instructions."""
    for name in ("coordinator", "hotel", "summarise", "web", "translate_in"):
        assert re.search(r"never an instruction|is data|nothing else|ignore that", active.text(name)), name


def test_an_unknown_procedure_is_named(active: Procedures) -> None:
    """The error says where to look."""
    with pytest.raises(DataError, match=r"active\.toml"):
        active.text("dance")


def write(
    folder: Path, version: str = "v1", heading: str = "version: v1\ndate: 2026-12-01\nchange: first"
) -> Path:
    """A folder with one procedure."""
    (folder / "greet").mkdir()
    (folder / "active.toml").write_text(f'greet = "{version}"\n', encoding="utf-8")
    (folder / "greet" / "v1.md").write_text(f"{heading}\n\nSay hello.\n", encoding="utf-8")
    return folder


def test_another_version_is_another_file(tmp_path: Path) -> None:
    """The index alone decides which version runs; the older file stays as it is."""
    write(tmp_path)
    (tmp_path / "greet" / "v2.md").write_text(
        "version: v2\ndate: 2026-12-02\nchange: warmer\n\nSay hello warmly.\n", encoding="utf-8"
    )
    assert load_procedures(tmp_path).text("greet") == "Say hello."
    (tmp_path / "active.toml").write_text('greet = "v2"\n', encoding="utf-8")
    loaded = load_procedures(tmp_path)
    assert (loaded.text("greet"), dict(loaded.versions)) == ("Say hello warmly.", {"greet": "v2"})


@pytest.mark.parametrize(
    ("version", "heading"),
    [
        ("v2", "version: v1\ndate: 2026-12-01\nchange: first"),
        ("v1", "version: v2\ndate: 2026-12-01\nchange: first"),
        ("v1", "date: 2026-12-01\nchange: first"),
        ("v1", "Say hello."),
    ],
    ids=["missing file", "other version", "no version", "no heading"],
)
def test_a_broken_procedure_stops_the_start(tmp_path: Path, version: str, heading: str) -> None:
    """One line that names the file."""
    with pytest.raises(DataError, match="greet"):
        load_procedures(write(tmp_path, version, heading))
