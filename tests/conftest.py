"""What tests share: a desk on the cases' day in a folder of its own, and models that tests script themselves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from desk.bootstrap import Replacements, desk_over, open_parts
from desk.context import Parts
from desk.models.rehearsal.model import RehearsalModel
from desk.service import Desk
from desk.settings import REHEARSAL, Settings, read_settings
from desk.turn import Turn

TODAY = "2026-12-01"
Script = Callable[[Sequence[BaseMessage], Sequence[str]], AIMessage]


class ScriptedModel(RehearsalModel):
    """The rehearsal model, but for what the test scripts in this role."""

    script: Any = None

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Any:
        from langchain_core.outputs import ChatGeneration, ChatResult

        if self.script is None:
            return super()._generate(messages, *args, **kwargs)
        message = self.script(messages, kwargs.get("tools", []))
        return ChatResult(generations=[ChatGeneration(message=message)])


@dataclass
class ScriptedModels:
    """A model source whose roles a test may script; every other role is the rehearsal model."""

    scripts: Mapping[str, Script]
    subject: Any
    name: str = "scripted"
    rehearsal: bool = True
    asked: list[str] = field(default_factory=list)

    def chat(self, role: str) -> BaseChatModel:
        """The scripted model of this role."""
        self.asked.append(role)
        return ScriptedModel(role=role, subject=self.subject, script=self.scripts.get(role))


@dataclass
class Opened:
    """An open desk and how to talk to it."""

    desk: Desk
    parts: Parts
    home: Path

    def thread(self, guest: str | None = None) -> str:
        """A new conversation, bound to a guest if asked."""
        thread = self.desk.new_thread()
        if guest:
            self.desk.bind_guest(thread, guest)
        return thread

    def say(self, thread: str, text: str, **more: Any) -> Turn:
        """Send a message; returns its Turn once its fold is made too."""
        turn = self.desk.wait(thread, self.desk.send(thread, text, **more), 60)
        assert self.desk.settle(thread, 60)
        return turn

    def ask(self, text: str, guest: str | None = None) -> Turn:
        """One message on a conversation of its own."""
        return self.say(self.thread(guest), text)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    """Parts that are slow to make and never change: read once for the whole run."""
    parts = open_parts(read_settings(home=tmp_path_factory.mktemp("shared"), today=TODAY))
    parts.detector.load()
    return parts


@pytest.fixture
def open_at(tmp_path: Path, shared: Parts) -> Iterator[Callable[..., Opened]]:
    """Opens desks in folders of the test's own, and closes them."""
    opened: list[Desk] = []

    def opener(
        scripts: Mapping[str, Script] | None = None,
        name: str = "home",
        web: Any = None,
        changed: Any = None,
        **settings: Any,
    ) -> Opened:
        chosen: Settings = read_settings(
            **{"home": tmp_path / name, "today": TODAY, "model": "rehearsal", **settings}
        )
        models: Any = None  # a live model is made by the desk itself
        if scripts is not None:
            models = ScriptedModels(scripts, shared.models.subject)  # type: ignore[attr-defined]
        elif chosen.model_name == REHEARSAL:
            models = shared.models
        own = Replacements(models=models, web=web, changed={"detector": shared.detector, **(changed or {})})
        parts = open_parts(chosen, own)
        desk = desk_over(parts)
        opened.append(desk)
        return Opened(desk, parts, chosen.home)

    yield opener
    for desk in opened:
        assert desk.close(30)


@pytest.fixture
def desk(open_at: Callable[..., Opened]) -> Opened:
    """A desk with the rehearsal model."""
    return open_at()


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something that another thread brings about."""
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.01)
