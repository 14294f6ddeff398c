"""What tests of the graph share: scripts for model roles, a driver of the bare graph, packs made for a test."""

from __future__ import annotations

import csv
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from desk.briefing import read_blocks, read_json
from desk.context import Budget, Fold, Parts, TurnContext
from desk.flow import build_flow
from desk.handoff import CRITERIA
from desk.models.rehearsal.roles import hotel as rehearsed_hotel
from desk.models.rehearsal.subject import call, calling, structured
from desk.settings import ROOT
from desk.state import fresh_turn

Script = Callable[[Sequence[BaseMessage], Sequence[str]], AIMessage]
PATIENCE = 20.0  # seconds that a test waits for what should take milliseconds


# Reading what a model was given


def briefing(messages: Sequence[BaseMessage]) -> dict[str, str]:
    """The blocks of the newest briefing."""
    for message in reversed(messages):
        if isinstance(message, HumanMessage) and message.text.startswith("## "):
            return read_blocks(message.text)
    return {}


def procedure(messages: Sequence[BaseMessage]) -> str:
    """The procedure that the call began with."""
    return next(message.text for message in messages if isinstance(message, SystemMessage))


def rounds_so_far(messages: Sequence[BaseMessage]) -> int:
    """How many tool results stand after the newest briefing."""
    return sum(1 for message in messages if isinstance(message, ToolMessage))


# Scripts


def handoff(destination: str, task: str = "", **more: Any) -> dict[str, Any]:
    """A proposal that code accepts, unless `more` spoils it."""
    tasks = {"hotels": "free rooms: for the guest's stay", "web": "look up: it", "direct": "greeting: hello"}
    return {
        "destination": destination,
        "reason": "the test says so",
        "task": task or tasks.get(destination, "do it"),
        "completion_criteria": CRITERIA.get(destination, "the guest is happy"),
        **more,
    }


def routes(*proposals: Mapping[str, Any], tone: str | None = None) -> Script:
    """A coordinator that always hands over like this, but has nothing to add when asked again."""

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        given = [] if "done" in briefing(messages) else [dict(proposal) for proposal in proposals]
        return structured("Routing", handoffs=given, tone=tone)

    return script


def asks_named(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """A coordinator that asks the hotels whose ids stand in the message."""
    found = briefing(messages)
    if "done" in found:
        return structured("Routing", handoffs=[])
    wanted = [branch for branch in read_json(found, "hotels", {}) if branch in found["message"].split()]
    return structured("Routing", handoffs=[handoff("hotels", hotels=wanted)])


def says(text: str) -> Script:
    """A model that says this, whatever it is asked."""
    return lambda messages, tools: AIMessage(text)


def raises(error: BaseException) -> Script:
    """A model that fails like this."""

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        raise error

    return script


def in_turn(*scripts: Script) -> Script:
    """A model that follows one script after the other, one a call."""
    left = iter(scripts)

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        return next(left)(messages, tools)

    return script


def marks_only(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """A merger, or a rewriter, that writes the marks in their arrangement and nothing else."""
    order = read_json(briefing(messages), "arrangement", [])
    return AIMessage(" ".join(f"[[{fact}]]" for fact in order) or "I found nothing on this.")


def looks_up(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """A hotel's assistant that does its work, as the rehearsal model does it."""
    return rehearsed_hotel.reply(None, messages, tools)  # type: ignore[arg-type]


def per_hotel(scripts: Mapping[str, Script], otherwise: Script = looks_up) -> Script:
    """A hotel's assistant that behaves differently in each hotel, by the hotel's name in its procedure."""

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        name = next((name for name in scripts if f"assistant of {name}." in procedure(messages)), None)
        return (scripts[name] if name else otherwise)(messages, tools)

    return script


def in_rounds(rounds: int, tool: str = "room_rates", **args: Any) -> Script:
    """A hotel's assistant that calls a tool so many times before it answers."""

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if rounds_so_far(messages) < rounds:
            return calling(call(tool, **args))
        return AIMessage("This is what I found.")

    return script


class Counting:
    """Wraps a script and keeps what each call was given."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.given: list[list[BaseMessage]] = []

    def __call__(self, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        """Note the call, then answer it."""
        self.given.append(list(messages))
        return self.script(messages, tools)


# The bare graph


@dataclass
class Ran:
    """One run of the graph: the state it ended in, and which node wrote what in which super-step."""

    state: dict[str, Any] = field(default_factory=dict)
    wrote: list[tuple[int, str, frozenset[str]]] = field(default_factory=list)

    @property
    def nodes(self) -> Counter[str]:
        """How often each node ran."""
        return Counter(node for _, node, _ in self.wrote)

    def by_step(self) -> Iterator[list[tuple[str, frozenset[str]]]]:
        """What the nodes of each super-step wrote."""
        for step in sorted({step for step, _, _ in self.wrote}):
            yield [(node, keys) for at, node, keys in self.wrote if at == step]


class Driver:
    """Runs turns through the graph of these parts, on one thread with a checkpointer, without a desk around."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.order = [branch.id for branch in parts.pack.branches]
        self.graph = build_flow(parts, InMemorySaver())
        self.turns = 0

    def turn(self, text: str, *, fold: Fold | None = None, **more: Any) -> Ran:
        """Run the next turn of the one conversation that this driver has."""
        self.turns += 1
        ran = Ran()
        stream = self.graph.stream(
            fresh_turn(self.order, text),
            {"configurable": {"thread_id": "one"}, "max_concurrency": 64, "recursion_limit": 200},
            context=TurnContext(self.parts, "one", self.turns, self._budget(), fold=fold, **more),
            stream_mode=["debug", "values"],
            durability="exit",
        )
        for mode, event in stream:
            if mode == "values":
                ran.state = event
            elif event["type"] == "task_result":
                keys = frozenset(dict(event["payload"]["result"]))
                ran.wrote.append((event["step"], event["payload"]["name"], keys))
        return ran

    def _budget(self) -> Budget:
        settings = self.parts.settings
        return Budget(
            calls=settings.calls_a_turn(len(self.order)),
            tokens=settings.tokens_a_turn(len(self.order)),
            seconds=settings.budget_seconds,
            started=time.perf_counter(),
            monotonic=time.perf_counter,
        )


# Packs


def make_pack(folder: Path, hotels: int) -> Path:
    """A pack with this many hotels, `inn1` "Inn One" first, each with one Deluxe room of its own number and rate."""
    source = ROOT / "data" / "hotels"
    folder.mkdir()
    shutil.copytree(source / "languages", folder / "languages")
    (folder / "neighbourhood.toml").write_text("", encoding="utf-8")
    shutil.copy(source / "neighbourhood.toml", folder / "neighbourhood.toml")
    head = 'name = "Inns"\ncity = "Lisbon"\ncurrency = "EUR"\nzone = "Europe/Lisbon"\n'
    blocks = [
        f'[[branch]]\nid = "inn{n}"\nname = "{inn_name(n)}"\nprefix = "{_letters(n)}"\n'
        for n in range(1, hotels + 1)
    ]
    (folder / "pack.toml").write_text("\n".join([head, *blocks]), encoding="utf-8")
    for n in range(1, hotels + 1):
        own = folder / f"inn{n}"
        own.mkdir()
        shutil.copy(source / "hotel1" / "guide.toml", own / "guide.toml")
        _write_csv(own / "rooms.csv", ["room", "type", "sleeps", "rate"], [[500 + n, "Deluxe", 2, 100 + n]])
        _write_csv(
            own / "bookings.csv", ["room", "from_day", "to_day", "guests", "reference", "name", "surname"], []
        )
    return folder


def inn_name(number: int) -> str:
    """What the inn of this number is called; no digit stands in it."""
    return f"Inn {_letters(number)}"


def _letters(number: int) -> str:
    return "I" + chr(ord("A") + (number - 1) // 26) + chr(ord("A") + (number - 1) % 26)


def _write_csv(path: Path, head: list[str], rows: list[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
