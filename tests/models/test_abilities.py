"""What a server can do is found out once, over HTTP, and whole turns go through whatever it can do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from desk.errors import ModelFault, ModelRejects, ModelUnreadable
from desk.models.abilities import METHODS, TRIES, Abilities, Method
from tests.models.ways import Answer, ignoring_the_choice, ignoring_tools, method_of, prose, refusing
from tests.wire.http_stub import serving
from tests.wire.openai_stub import rehearsed

MODEL = "stub-model"
SERVER = ("http://somewhere/v1", MODEL)
ASK = "Is a Deluxe room free from 1 to 3 February, for two?"

SERVERS: dict[str, tuple[Callable[[Answer], Answer], Method]] = {
    "knows tool_choice": (lambda answer: answer, "forced"),
    "400 to tool_choice": (lambda answer: refusing(answer, 400, "tool_choice"), "offered"),
    "422 to tool_choice": (lambda answer: refusing(answer, 422, "tool_choice"), "offered"),
    "500 to tool_choice": (lambda answer: refusing(answer, 500, "tool_choice"), "offered"),
    "ignores tool_choice": (ignoring_the_choice, "offered"),
    "400 to tools": (lambda answer: refusing(answer, 400, "tools"), "written"),
    "404 to tools": (lambda answer: refusing(answer, 404, "tools"), "written"),
    "500 to tools": (lambda answer: refusing(answer, 500, "tools"), "written"),
    "ignores tools": (ignoring_tools, "written"),
}


@pytest.mark.parametrize(("make", "works"), SERVERS.values(), ids=SERVERS.keys())
def test_a_turn_through_what_the_server_can_do(
    open_at: Callable[..., Any], shared: Any, make: Callable[[Answer], Answer], works: Method
) -> None:
    """The answer is the same, and the second turn asks in the way that worked, at once."""
    with serving(make(rehearsed(shared, shared.models.subject))) as server:
        opened = open_at(openai_base_url=f"{server.url}/v1", model=MODEL)
        thread = opened.thread()
        first = opened.say(thread, ASK)
        learning = len(server.asked)
        second = opened.say(thread, "When is breakfast?")
    assert [turn.problem for turn in (first, second)] == [None, None]
    assert [fact.room for fact in first.facts] == ["104", "108"]
    assert [fact.entry for fact in second.facts] == ["breakfast", "breakfast"]
    assert opened.parts.models.abilities.method((f"{server.url}/v1", MODEL)) == works
    later = [method_of(asked.body) for asked in server.asked[learning:]]
    if works == "written":
        assert set(later) == {"written"}
    else:
        assert later[0] == works
    assert second.model.calls == len(later) == 6


def test_a_server_whose_answers_are_never_readable(open_at: Callable[..., Any]) -> None:
    """The guest is asked to say it again; the next turn does not go through every way of asking again."""
    with serving(lambda body: (200, prose(body))) as server:
        opened = open_at(openai_base_url=f"{server.url}/v1", model=MODEL)
        thread = opened.thread()
        assert opened.say(thread, ASK).reply.strip()
        assert [method_of(asked.body) for asked in server.asked[:6]] == [
            m for m in METHODS for _ in range(TRIES)
        ]
        learning = len(server.asked)
        turn = opened.say(thread, ASK)
    assert turn.facts == []
    assert [method_of(asked.body) for asked in server.asked[learning:]] == ["forced"]


def works_with(*methods: Method, error: Exception) -> tuple[Callable[[Method], str], list[Method]]:
    """An attempt that works by these methods only, and what was tried."""
    tried: list[Method] = []

    def attempt(method: Method) -> str:
        tried.append(method)
        if method not in methods:
            raise error
        return method

    return attempt, tried


@pytest.mark.parametrize(
    ("error", "times"), [(ModelRejects("no"), 1), (ModelFault("no"), TRIES), (ModelUnreadable("no"), TRIES)]
)
def test_the_ways_are_tried_in_order(error: Exception, times: int) -> None:
    """A rejection is final for its way; a fault or an unreadable answer may have been an accident."""
    attempt, tried = works_with("written", error=error)
    abilities = Abilities()
    assert abilities.find(SERVER, attempt) == "written"
    assert tried == ["forced"] * times + ["offered"] * times + ["written"]
    assert abilities.find(SERVER, attempt) == "written"
    assert tried[-1:] == ["written"]
    assert len(tried) == 2 * times + 2


def test_an_accident_is_not_a_finding() -> None:
    """One unreadable answer does not cost the better way of asking."""
    abilities = Abilities()
    answers = iter([ModelUnreadable("once"), None])

    def attempt(method: Method) -> str:
        if (error := next(answers)) is not None:
            raise error
        return method

    assert abilities.find(SERVER, attempt) == "forced"


def test_a_server_that_is_down_teaches_nothing() -> None:
    """Faults in every way are an outage: what the server can do is found out when it is back."""
    abilities = Abilities()
    attempt, _ = works_with(error=ModelFault("down"))
    with pytest.raises(ModelFault):
        abilities.find(SERVER, attempt)
    assert abilities.method(SERVER) is None


def test_what_works_is_kept_when_an_answer_cannot_be_read() -> None:
    """A model that once answered well is not asked in another way because of one bad answer."""
    abilities = Abilities()
    abilities.settle(SERVER, "forced")
    attempt, tried = works_with(error=ModelUnreadable("prose"))
    with pytest.raises(ModelUnreadable):
        abilities.find(SERVER, attempt)
    assert tried == ["forced"]


def test_each_model_has_its_own() -> None:
    """Two models on one server, and one model on two servers, are found out apart."""
    abilities = Abilities()
    abilities.settle(SERVER, "written")
    assert abilities.method((SERVER[0], "another")) is None
    assert abilities.method(("", MODEL)) is None


def test_the_first_finding_stands() -> None:
    """Turns side by side find out at the same time; later ones do not undo what the first found."""
    abilities = Abilities()
    methods: list[Method] = ["forced", "offered", "written"] * 8
    threads = [threading.Thread(target=abilities.settle, args=(SERVER, method)) for method in methods]
    abilities.settle(SERVER, "offered")
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert abilities.method(SERVER) == "offered"
