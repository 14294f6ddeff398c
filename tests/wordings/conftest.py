"""A live desk over the wire stub, whose translator knows French by the test's data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from desk.briefing import read_blocks
from desk.context import Parts
from desk.models import live
from desk.models.rehearsal.subject import structured
from desk.models.retries import Retries
from tests.conftest import Opened
from tests.wire.http_stub import Reply, Stub, serving
from tests.wire.openai_stub import completion, rehearsed, roles
from tests.wordings.support import Lie, translated

ENGLISH = {
    "Avez-vous une chambre Deluxe libre du 3 au 5 mai 2027 pour deux personnes ?":
        "Do you have a Deluxe room free from 3 to 5 May 2027 for two people?",
    "À quelle heure est le petit-déjeuner ?": "What time is breakfast?",
    "Y a-t-il une pharmacie à proximité ?": "Is there a pharmacy nearby?",
    "La première, s'il vous plaît.": "The first one please.",
    "Marie Dubois": "Marie Dubois",
    "Merci beaucoup !": "Thank you very much!",
}  # fmt: skip


@pytest.fixture(autouse=True, scope="package")
def no_waiting() -> Iterator[None]:
    """Failed calls are made again at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "Retries", lambda: Retries(pause=lambda seconds, check: check()))
        yield


@dataclass
class French:
    """The stub's French: how it lies about patterns, whether it fails at them, and what it was asked for."""

    lie: Lie = lambda english, told: told
    fails: Callable[[int], bool] = lambda number: False  # of the number of the call
    warm: str = ""  # prose that the writers put in place of the desk's own sentences
    most: int = 1000  # patterns that fit into one answer; a longer one is cut
    silent: str = ""  # the English of a pattern that gets no answer
    asked: list[list[str]] = field(default_factory=list)
    stub: Any = None
    writer: Callable[[dict[str, Any]], bool] = lambda body: False

    def answer(self, body: dict[str, Any], rest: Callable[[dict[str, Any]], Reply]) -> Reply:
        """The translator's answers about French; everything else is the rehearsal model's."""
        tools = [tool["function"]["name"] for tool in body.get("tools", [])]
        told = read_blocks(body["messages"][-1]["content"]) if body["messages"][-1]["role"] == "user" else {}
        if told.get("language") != "fr":
            status, said = rest(body)
            content = said["choices"][0]["message"].get("content")
            if self.warm and content and self.writer(body):
                marks = re.findall(r"\[\[[^\]]*\]\]", content)
                said["choices"][0]["message"]["content"] = " ".join([self.warm, *marks])
            return status, said
        if "Translation" in tools:
            said = structured("Translation", english=ENGLISH[told["message"]], tone="calm", understood=True)
            return 200, completion(said, "stub")
        if "TranslatedPatterns" in tools:
            rows = json.loads(told["patterns"])
            self.asked.append([row["english"] for row in rows])
            if self.fails(len(self.asked)):
                return 500, {"error": {"message": "no"}}
            told = translated([row for row in rows if row["english"] != self.silent], self.lie)
            if len(rows) > self.most:
                told = "cut"
            return 200, completion(structured("TranslatedPatterns", patterns=told), "stub")
        return rest(body)


@pytest.fixture
def french(shared: Parts) -> Iterator[French]:
    """The stub's server is up as long as the test."""
    made = French()
    rest = rehearsed(shared, shared.models.subject)  # type: ignore[attr-defined]
    role_of = roles(shared)
    made.writer = lambda body: role_of(body) in ("merger", "direct")
    with serving(lambda body: made.answer(body, rest)) as stub:
        made.stub = stub
        yield made


@pytest.fixture
def live_desk(open_at: Callable[..., Opened], french: French) -> Callable[..., Opened]:
    """Opens live desks on that server."""

    def opener(**more: Any) -> Opened:
        stub: Stub = french.stub
        return open_at(openai_base_url=f"{stub.url}/v1", openai_api_key="sk-test", model="stub", **more)

    return opener
