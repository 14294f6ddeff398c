"""What a hostile answer is made from: the call that came in, the truthful answer, and how one is twisted."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from desk.briefing import read_blocks
from tests.hostile.server import Said, as_calls, completion

MARK = re.compile(r"\[\[[^\[\]]*\]\]")
writers = ("merger", "reservation", "web", "direct")
everyone = ("translator", "coordinator", "hotel", "merger", "reservation", "web", "direct", "summariser")


@dataclass(frozen=True)
class Call:
    """One model call: who is asked, with what, and what a truthful model would say."""

    role: str
    messages: Sequence[BaseMessage]
    forced: str | None  # the schema that must be answered
    tools: Sequence[str]
    truth: AIMessage
    rng: random.Random
    turn: int
    code: str
    foreign: Sequence[str]  # ids of facts that are not this turn's

    @property
    def procedure(self) -> str:
        """The text that the call began with."""
        return self.messages[0].text

    @property
    def briefing(self) -> dict[str, str]:
        """The blocks of the newest briefing."""
        for message in reversed(self.messages):
            if message.type == "human" and message.text.startswith("## "):
                return read_blocks(message.text)
        return {}

    def block(self, label: str, default: Any) -> Any:
        """One block's JSON value."""
        try:
            return json.loads(self.briefing[label])
        except (KeyError, json.JSONDecodeError):
            return default

    @property
    def outbound(self) -> bool:
        """Whether the reply's sentences are to be translated."""
        return self.forced == "TranslatedProse"

    @property
    def sentences(self) -> list[str]:
        """The sentences to translate."""
        return list(self.block("sentences", []))


Twist = Callable[[Call], Said | None]


@dataclass(frozen=True)
class Kind:
    """One kind of hostility: in which roles it shows, and what it makes of a call (None: nothing to do)."""

    name: str
    group: str  # false | broken | fault
    roles: Sequence[str]
    twist: Twist

    def __call__(self, call: Call) -> Said | None:
        """The hostile answer to this call, or None when this one is answered truthfully."""
        return self.twist(call) if call.role in self.roles else None


def kind(name: str, group: str, roles: Sequence[str]) -> Callable[[Twist], Kind]:
    """Make a Kind of a function."""
    return lambda twist: Kind(name, group, roles, twist)


def say(text: str | None, calls: list[dict[str, Any]] | None = None) -> Said:
    """A completion with this text and these calls."""
    return Said(body=completion(text, calls))


def truthful(call: Call) -> Said:
    """What the truthful model says."""
    return say(call.truth.text or None, as_calls(call.truth))


def args_of(call: Call) -> dict[str, Any]:
    """The arguments of the truthful answer's first tool call."""
    return dict(call.truth.tool_calls[0]["args"]) if call.truth.tool_calls else {}


def again(call: Call, name: str, args: Any) -> Said | None:
    """The forced call of this schema with other arguments; None when another one is asked for."""
    if call.forced != name:
        return None
    return say(None, [{"name": name, "arguments": json.dumps(args), "id": "call-1"}])


def with_args(call: Call, name: str, **args: Any) -> Said | None:
    """A tool call with these arguments in place of the truthful answer; of a hotel's assistant also where the
    truthful one has called enough already. None when the tool is not given, or after two rounds."""
    rounds = sum(message.type == "tool" for message in call.messages)
    calling = bool(call.truth.tool_calls) or (call.role == "hotel" and rounds <= 2)
    if not calling or name not in call.tools:
        return None
    return say(None, [{"name": name, "arguments": json.dumps(args), "id": "call-1"}])


def with_prose(call: Call, sentence: str, after: bool) -> Said | None:
    """The truthful draft with a sentence more; None while tools are being called."""
    if call.truth.tool_calls:
        return None
    text = call.truth.text
    return say(f"{text} {sentence}" if after else f"{sentence} {text}")
