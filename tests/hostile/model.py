"""The hostile model: answers each call truthfully, as the rehearsal model would, or with one kind of hostility.

All chance comes from the run's seed, the conversation, the turn, the role and the number of its call, so a
failure can be repeated whatever the order in which parallel hotels ask.
"""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage

from desk.context import Parts
from desk.models.rehearsal.model import ROLES
from desk.models.rehearsal.subject import Subject, structured
from tests.hostile.guests import Conversation, Step
from tests.hostile.kinds import MARK, Call, Kind, truthful, writers
from tests.hostile.server import Said, messages_of
from tests.wire.openai_stub import ROLE_OF
from tests.wordings.support import translated

SCHEMAS = ("Routing", "Translation", "TranslatedProse", "TranslatedPatterns")
FRENCH = {
    "Hello, and welcome to our desk.": "Bonjour et bienvenue à notre réception.",
    "Gladly.": "Avec plaisir.",
}
# What a live model writes in place of the desk's own sentences, and a truthful translator makes of it.
COURTESY = {
    "With great pleasure, here is what I found for you.": "Mit Vergnügen, hier ist, was ich für Sie gefunden habe.",
    "I hope very much that this is what you wish.": "Ich hoffe sehr, das ist Ihr Wunsch.",
    "Thank you for your message, I am glad to help.": "Vielen Dank für Ihre Nachricht, ich helfe gern.",
}
SOMETHING_FRENCH = "Voici ce que je peux vous dire."


@dataclass
class Plan:
    """What the model does in one turn: hostile in this kind, with this share of the calls; or truthful."""

    seed: str
    step: Step
    conversation: Conversation
    turn: int
    kind: Kind | None = None
    share: float = 1.0
    foreign: Sequence[str] = ()
    asked: Counter[str] = field(default_factory=Counter)
    hostile: int = 0


class HostileModel:
    """Answers requests by the plan that is set; `plan` is set by whoever drives the conversation."""

    def __init__(self, parts: Parts, subject: Subject) -> None:
        self._openings = {
            re.split(r"[{\n]", text)[0]: ROLE_OF[name] for name, text in parts.procedures.texts.items()
        }
        self._subject = subject
        self._lock = threading.Lock()
        self.plan: Plan | None = None

    def answer(self, body: dict[str, Any]) -> Said:
        """The answer to one request."""
        plan = self.plan
        assert plan is not None
        messages = messages_of(body)
        opening = messages[0].text
        role = next(role for start, role in self._openings.items() if opening.startswith(start))
        who = f"{role}|{opening[:60]}"
        with self._lock:
            plan.asked[who] += 1
            number = plan.asked[who]
        tools = [tool["function"]["name"] for tool in body.get("tools", [])]
        call = Call(
            role=role,
            messages=messages,
            forced=next((name for name in tools if name in SCHEMAS), None),
            tools=tools,
            truth=self._truth(role, messages, tools, plan),
            rng=random.Random(f"{plan.seed}|{who}|{number}"),
            turn=plan.turn,
            code=plan.conversation.code,
            foreign=plan.foreign,
        )
        said = plan.kind(call) if plan.kind and call.rng.random() < plan.share else None
        if said is None:
            return truthful(call)
        with self._lock:
            plan.hostile += 1
        return said

    def _truth(self, role: str, messages: list[Any], tools: list[str], plan: Plan) -> AIMessage:
        """What the rehearsal model says; French, which it does not know, is known by the script's own table."""
        if rows := _patterns(messages):  # asked behind the conversation, by the tool or in words
            return structured("TranslatedPatterns", patterns=translated(rows))
        if role == "translator" and plan.conversation.code == "fr":
            if "TranslatedProse" in tools:
                return self._french(messages, tools)
            return structured("Translation", english=plan.step.english, tone="calm", understood=True)
        said = ROLES[role](self._subject, messages, tools)
        if "TranslatedProse" in tools:
            asked = _asked(messages, tools)
            told = [
                COURTESY.get(line) or old
                for line, old in zip(asked, said.tool_calls[0]["args"]["sentences"], strict=True)
            ]
            return structured("TranslatedProse", sentences=told)
        return self._warmly(role, said, plan)

    def _warmly(self, role: str, said: AIMessage, plan: Plan) -> AIMessage:
        """A draft with words of the model's own, as live models have them; always where a translator is to lie."""
        rng = random.Random(f"{plan.seed}|warm")
        always = plan.kind is not None and set(plan.kind.roles) == {"translator"}
        if role not in writers or said.tool_calls or not (always or rng.random() < 0.4):
            return said
        marks = " ".join(MARK.findall(said.text))
        return AIMessage(f"{rng.choice(list(COURTESY))} {marks}".strip())

    def _french(self, messages: list[Any], tools: list[str]) -> AIMessage:
        told = [FRENCH.get(line, SOMETHING_FRENCH) for line in _asked(messages, tools)]
        return structured("TranslatedProse", sentences=told)


def _patterns(messages: list[Any]) -> list[Any]:
    """The desk's patterns that are to be translated."""
    call = Call("translator", messages, None, (), AIMessage(""), random.Random(0), 0, "", ())
    return list(call.block("patterns", []))


def _asked(messages: list[Any], tools: list[str]) -> list[str]:
    """The sentences that are to be translated."""
    return Call("translator", messages, tools[0], tools, AIMessage(""), random.Random(0), 0, "", ()).sentences
