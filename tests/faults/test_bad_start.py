"""What a start can find in its way: wrong settings, missing or broken files, a home that cannot be used."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from desk.__main__ import main
from desk.bootstrap import Replacements, open_parts
from desk.context import Parts
from desk.errors import DataError, SettingsError
from desk.settings import ROOT, read_settings
from tests.conftest import TODAY


@pytest.fixture
def command_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The environment of a command of its own."""
    monkeypatch.setenv("DESK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DESK_TODAY", TODAY)
    return tmp_path / "home"


# Settings


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("OPENAI_BASE_URL", "localhost:11434"),
        ("OPENAI_BASE_URL", "http://"),
        ("OPENAI_BASE_URL", "http://127.0.0.1:9"),  # without DESK_MODEL
        ("TAVILY_BASE_URL", "nope"),
        ("DESK_MODEL", "gpt-x"),  # without a key or a server
        ("DESK_MODEL_COORDINATOR", "gpt-x"),
        ("DESK_MODEL_COORDINATER", "rehearsal"),
        ("DESK_TODAY", "tomorrow"),
        ("DESK_TODAY", "2026-02-30"),
        ("DESK_TODAY", "1796083200"),
        ("DESK_TODAY", "-5"),
        ("DESK_TODAY", "9999-12-31"),
        ("DESK_TODAY", "0001-01-01"),
        ("DESK_ACCESS", "open"),
        ("DESK_ACCESS", "staffed"),  # without a passcode
        ("DESK_BUDGET_HANDOFFS", "0"),
        ("DESK_BUDGET_CALLS", "1.5"),
        ("DESK_BUDGET_ROUNDS", "-1"),
        ("DESK_BUDGET_TOKENS", "many"),
        ("DESK_BUDGET_SECONDS", "nan"),
        ("DESK_BUDGET_SECONDS", "inf"),
        ("DESK_BUDGET_SECONDS", "0"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(
    variable: str,
    value: str,
    command_line: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The start stops, nothing is made, and the line says which variable it is."""
    monkeypatch.setenv(variable, value)
    assert main(["ask", "hi"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert variable in err
    assert not command_line.exists()


def test_blanks_are_as_good_as_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable of blanks is not set, and blanks round a value do not count."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DESK_MODEL", "DESK_MODEL_HOTEL", "TAVILY_API_KEY"):
        monkeypatch.setenv(variable, "  ")
    monkeypatch.setenv("DESK_TODAY", "2026-12-01 ")
    settings = read_settings()
    assert settings.model_for("hotel") == "rehearsal"
    assert settings.tavily_api_key is None
    assert settings.today is not None
    assert settings.today.isoformat() == "2026-12-01T09:00:00"


def test_a_key_is_in_no_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong setting beside a key does not print the key."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with pytest.raises(SettingsError) as said:
        read_settings(access="open")
    assert "secret" not in str(said.value)


# Files


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the desk's data, for tests that break a file and mend it again."""
    folder = tmp_path_factory.mktemp("copy") / "data"
    shutil.copytree(ROOT / "data", folder)
    return folder


def complaint(data: Path, home: Path, shared: Parts) -> str:
    """What opening a desk over this data complains about."""
    settings = read_settings(home=home, today=TODAY, model="rehearsal", pack=data / "hotels")
    with pytest.raises(DataError) as said:
        open_parts(settings, Replacements(changed={"detector": shared.detector}), data)
    return str(said.value)


@pytest.mark.parametrize("content", [None, "", "x = = 1"], ids=["missing", "empty", "broken"])
@pytest.mark.parametrize(
    "name",
    [
        "hotels/pack.toml", "hotels/hotel1/rooms.csv",
        "hotels/languages/en/phrases.toml", "hotels/languages/en/mood.toml", "hotels/languages/en/understanding.toml",
        "hotels/languages/de/glossary.toml", "hotels/languages/de/frames.toml", "hotels/languages/de/facts.toml",
        "languages/en/dates.toml", "languages/en/inflection.toml", "languages/de/answers.toml",
        "languages/de/page.toml", "languages/de/language.toml", "languages/notices.toml", "procedures/active.toml",
    ],
)  # fmt: skip
def test_a_data_file_that_is_not_there_or_broken_is_named(
    name: str, content: str | None, copied: Path, tmp_path: Path, shared: Parts
) -> None:
    """The desk does not open half: it says in one line which file it is."""
    path = copied / name
    whole = path.read_bytes()
    path.unlink()
    if content is not None:
        path.write_text(content)
    try:
        said = complaint(copied, tmp_path, shared)
    finally:
        path.write_bytes(whole)
    assert len(said.splitlines()) == 1
    assert Path(name).name in said


@pytest.mark.parametrize("home", ["file", "file/below", "x" * 300])
def test_a_home_that_cannot_be_used_is_one_line(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file in the folder's place, or a name that no file system takes."""
    (tmp_path / "file").write_text("taken")
    monkeypatch.setenv("DESK_HOME", str(tmp_path / home))
    monkeypatch.setenv("DESK_TODAY", TODAY)
    assert main(["ask", "hi"]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert str(tmp_path / home)[:100] in err


@pytest.mark.parametrize("name", ["desk.db", "checkpoints.db", "hotels/guests.db", "hotels/hotel2.db"])
def test_a_broken_database_is_one_line(
    name: str, command_line: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is neither used nor made anew: what may be in it is somebody's booking."""
    assert main(["ask", "hi"]) == 0
    capsys.readouterr()
    broken = command_line / name
    for beside in broken.parent.glob(f"{broken.name}-*"):
        beside.unlink()
    broken.write_bytes(b"not a database" * 1000)
    assert main(["ask", "hi"]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert str(broken.parent) in err
    assert broken.read_bytes().startswith(b"not a database")


def test_a_turn_that_failed_ends_the_command_with_one(
    command_line: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In text the guest's reply is printed, the line on standard error says why, and the exit code is 1."""
    monkeypatch.setenv("DESK_BUDGET_TOKENS", "1")
    assert main(["ask", "Is the Deluxe free from 5 to 7 January?"]) == 1
    out, err = capsys.readouterr()
    assert out.strip()
    assert "the turn failed: " in err
    assert main(["ask", "--json", "Is the Deluxe free from 5 to 7 January?"]) == 0
