"""One desk for the tests of a folder that only change what the models say: opening one for each takes long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desk.bootstrap import Replacements, desk_over, open_parts
from desk.context import Parts
from desk.settings import read_settings
from desk.turn import Turn
from tests.conftest import TODAY, Opened, Script, ScriptedModels


@dataclass
class Stage(Opened):
    """An open desk whose models' scripts a test may change from turn to turn."""

    scripts: dict[str, Script] = field(default_factory=dict)

    def play(self, text: str, thread: str | None = None, **scripts: Script) -> Turn:
        """One message, with these scripts and no others; on a conversation of its own unless one is given."""
        self.scripts.clear()
        self.scripts.update(scripts)
        return self.say(thread or self.thread(), text)


@contextmanager
def on_stage(home: Path, shared: Parts, *, scripted: bool = True, **settings: Any) -> Iterator[Stage]:
    """Open such a desk in this folder, with these settings, and close it in the end."""
    scripts: dict[str, Script] = {}
    models: Any = ScriptedModels(scripts, shared.models.subject) if scripted else None  # type: ignore[attr-defined]
    chosen = read_settings(**{"home": home, "today": TODAY, "model": "rehearsal", **settings})
    parts = open_parts(chosen, Replacements(models=models, changed={"detector": shared.detector}))
    desk = desk_over(parts)
    yield Stage(desk, parts, chosen.home, scripts)
    assert desk.close(30)


@pytest.fixture(scope="session")
def one_desk(tmp_path_factory: pytest.TempPathFactory, shared: Parts) -> Iterator[Stage]:
    """The desk that the tests share; nothing in it but its threads changes."""
    with on_stage(tmp_path_factory.mktemp("stage"), shared) as stage:
        yield stage


@pytest.fixture
def stage(one_desk: Stage) -> Iterator[Stage]:
    """The shared desk, with nobody's script in it."""
    one_desk.scripts.clear()
    yield one_desk
    one_desk.scripts.clear()
