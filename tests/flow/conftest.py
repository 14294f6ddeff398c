"""One desk for the tests of a folder that only change what the models say: opening one for each takes long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
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


@pytest.fixture(scope="session")
def one_desk(tmp_path_factory: pytest.TempPathFactory, shared: Parts) -> Iterator[Stage]:
    """The desk that the tests share; nothing in it but its threads changes."""
    scripts: dict[str, Script] = {}
    models: Any = ScriptedModels(scripts, shared.models.subject)  # type: ignore[attr-defined]
    settings = read_settings(home=tmp_path_factory.mktemp("stage"), today=TODAY, model="rehearsal")
    parts = open_parts(settings, Replacements(models=models, changed={"detector": shared.detector}))
    desk = desk_over(parts)
    yield Stage(desk, parts, settings.home, scripts)
    assert desk.close(30)


@pytest.fixture
def stage(one_desk: Stage) -> Iterator[Stage]:
    """The shared desk, with nobody's script in it."""
    one_desk.scripts.clear()
    yield one_desk
    one_desk.scripts.clear()
