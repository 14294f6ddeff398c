"""One call and its tries: what is made again and what is not, how long that waits, and what each failure becomes."""

from __future__ import annotations

import dataclasses
import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage

from desk.context import Budget, Parts, TurnContext
from desk.errors import (
    BudgetSpent,
    ModelError,
    ModelFault,
    ModelMisconfigured,
    ModelOutOfQuota,
    ModelRateLimited,
    ModelRejects,
    ModelSlow,
    ModelUnparseable,
    ModelUnreachable,
    TurnStopped,
)
from desk.models import calls, within
from desk.models.abilities import Abilities
from desk.models.failures import as_model_error, seconds_to_wait
from desk.models.retries import Retries, pause
from desk.models.within import run_within
from tests.conftest import ScriptedModel

SERVER = ("http://somewhere/v1", "stub-model")
ANSWER = AIMessage("Good morning.")


@dataclass
class Source:
    """Live models whose one script is a list of answers and failures, in order; it notes the waits."""

    outcomes: Sequence[Any]
    name: str = "stub-model"
    rehearsal: bool = False
    abilities: Abilities = field(default_factory=Abilities)
    waits: list[float] = field(default_factory=list)
    made: int = 0

    @property
    def retries(self) -> Retries:
        """Waits that grow from one second without chance."""
        return Retries(first=1.0, draw=lambda: 1.0, pause=lambda seconds, check: self.waits.append(seconds))

    def server(self, role: str) -> tuple[str, str]:
        """The same for every role."""
        return SERVER

    def chat(self, role: str) -> Any:
        """A model that plays the list."""

        def script(messages: Sequence[Any], tools: Sequence[str]) -> AIMessage:
            outcome = self.outcomes[min(self.made, len(self.outcomes) - 1)]
            self.made += 1
            if isinstance(outcome, Exception):
                raise outcome
            return outcome  # type: ignore[no-any-return]

        return ScriptedModel.model_construct(role=role, subject=None, script=script)


@pytest.fixture
def context(shared: Parts) -> Callable[..., TurnContext]:
    """A turn with these models, and time and calls to spend."""

    def make(source: Source, seconds: float = 60.0, calls: int = 40, **more: Any) -> TurnContext:
        budget = Budget(calls, 60_000, seconds, 0.0, lambda: 0.0)
        return TurnContext(dataclasses.replace(shared, models=source), "t", 1, budget, **more)

    return make


def status(code: int, told: str = "no", headers: dict[str, str] | None = None) -> openai.APIStatusError:
    """What the openai package raises for a status."""
    response = httpx2.Response(code, headers=headers, request=httpx2.Request("POST", "http://somewhere/v1"))
    return openai.APIStatusError(told, response=response, body={"code": told})


def ask(context: TurnContext, **more: Any) -> str:
    """One question in one role."""
    return calls.ask(context, "merger", [HumanMessage("Hello")], **more).text


PASSING = {
    "unreachable": openai.APIConnectionError(request=httpx2.Request("POST", "http://somewhere")),
    "slow": openai.APITimeoutError(request=httpx2.Request("POST", "http://somewhere")),
    "asked to wait": status(429),
    "a fault": status(500),
    "an outage": status(503),
    "no completion": KeyError("choices"),
}


@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING.keys())
def test_what_passes_is_tried_again(context: Callable[..., TurnContext], failure: Exception) -> None:
    """After a wait, then after one twice as long; each try is counted, for each costs."""
    source = Source([failure, failure, ANSWER])
    turn = context(source)
    assert ask(turn) == ANSWER.text
    assert source.waits == [1.0, 2.0]
    assert turn.budget.used_calls == 3


@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING.keys())
def test_there_is_an_end_to_it(context: Callable[..., TurnContext], failure: Exception) -> None:
    """Three tries, then one of the desk's own errors."""
    source = Source([failure])
    with pytest.raises(ModelError):
        ask(context(source))
    assert source.made == 3


LASTING = {
    "out of quota": (status(429, "insufficient_quota"), ModelOutOfQuota),
    "nothing paid": (status(402), ModelOutOfQuota),
    "a bad key": (status(401), ModelMisconfigured),
    "an unknown model": (status(404, "model_not_found"), ModelMisconfigured),
    "a request that is too long": (status(400, "context_length_exceeded"), ModelMisconfigured),
    "a bad request": (status(400), ModelRejects),
    "a filter": (status(400, "content_filter"), ModelUnparseable),
    "a refusal": (AIMessage("", additional_kwargs={"refusal": "No."}), ModelUnparseable),
    "cut off": (AIMessage("Good mor", response_metadata={"finish_reason": "length"}), ModelUnparseable),
    "empty": (AIMessage(""), ModelUnparseable),
}


@pytest.mark.parametrize(("outcome", "error"), LASTING.values(), ids=LASTING.keys())
def test_what_lasts_is_not_tried_again(
    context: Callable[..., TurnContext], outcome: Any, error: type[ModelError]
) -> None:
    """Trying again would cost time and money, and change nothing."""
    source = Source([outcome])
    with pytest.raises(error):
        ask(context(source))
    assert source.made == 1
    assert source.waits == []


@pytest.mark.parametrize(("turn", "branch"), [(1.5, None), (60.0, 1.5)])
def test_no_try_without_time_for_it(
    context: Callable[..., TurnContext], turn: float, branch: float | None
) -> None:
    """Neither beyond the turn's seconds nor beyond the branch's own limit."""
    source = Source([status(503), ANSWER])
    with pytest.raises(ModelUnreachable):
        ask(context(source, seconds=turn), seconds=branch)
    assert source.waits == []


def test_the_server_says_how_long(context: Callable[..., TurnContext]) -> None:
    """Retry-After is kept to; when it is longer than the turn, nobody waits for it."""
    source = Source([status(429, headers={"retry-after": "7"}), ANSWER])
    assert ask(context(source)) == ANSWER.text
    assert source.waits == [7.0]
    source = Source([status(429, headers={"retry-after": "3600"}), ANSWER])
    with pytest.raises(ModelRateLimited):
        ask(context(source))
    assert source.waits == []


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sun, 06 Nov 1994 08:50:07 GMT", "date": "Sun, 06 Nov 1994 08:49:37 GMT"}, 30.0),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:37 GMT", "date": "Sun, 06 Nov 1994 08:50:07 GMT"}, None),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_how_long_the_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    """A number or a date; nonsense is as good as nothing."""
    assert seconds_to_wait(httpx2.Headers(headers)) == seconds


def test_a_stopped_turn_does_not_wait(context: Callable[..., TurnContext]) -> None:
    """The guest's stop ends the wait between two tries too."""
    stopped = threading.Event()
    turn = context(Source([ANSWER]), stopped=stopped.is_set)
    stopped.set()
    with pytest.raises(TurnStopped):
        pause(60.0, turn.check)


def test_a_spent_budget_shows_what_spent_it(context: Callable[..., TurnContext]) -> None:
    """No call is left for another try: the guest hears of the outage. Spent before the first, of the budget."""
    with pytest.raises(ModelUnreachable):
        ask(context(Source([status(503)]), calls=1))
    with pytest.raises(BudgetSpent):
        ask(context(Source([ANSWER]), calls=0))


def test_no_more_calls_than_there_are_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call for which there is no place waits for one, no longer than its time; an ended call makes place."""
    monkeypatch.setattr(within, "_places", threading.BoundedSemaphore(1))
    begun, go = threading.Event(), threading.Event()

    def long() -> None:
        begun.set()
        go.wait(20)

    with pytest.raises(ModelSlow):
        run_within(0.01, long)  # nobody waits for it any more, but it still has its place
    assert begun.wait(20)
    ran = []
    with pytest.raises(ModelSlow):
        run_within(0.05, lambda: ran.append("too many"))
    assert ran == []
    threading.Timer(0.05, go.set).start()
    assert run_within(20, lambda: "a place") == "a place"


def test_a_machine_without_threads_is_a_model_that_is_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The desk's own error, and it takes no place for good."""
    monkeypatch.setattr(within, "_places", threading.BoundedSemaphore(1))

    def full(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as machine:
        machine.setattr(threading.Thread, "start", full)
        for _ in range(2):
            with pytest.raises(ModelUnreachable, match="no thread"):
                run_within(5, lambda: "never")
    assert run_within(20, lambda: "now") == "now"


def test_waits_grow_and_differ() -> None:
    """Exponential up to a limit, and at least half of it, so that branches do not come back all at once."""
    low, high = (Retries(first=0.5, longest=3.0, draw=lambda drawn=drawn: drawn) for drawn in (0.0, 1.0))  # type: ignore[misc]
    assert [low.wait(n, None) for n in range(1, 6)] == [0.25, 0.5, 1.0, 1.5, 1.5]
    assert [high.wait(n, None) for n in range(1, 6)] == [0.5, 1.0, 2.0, 3.0, 3.0]
    assert high.wait(1, 2.5) == 2.5


def test_every_status_has_its_meaning() -> None:
    """No status of a server is left without one of the desk's errors, and none carries what the server wrote."""
    for code in itertools.chain(range(400, 430), range(500, 530)):
        error = as_model_error(status(code, "guest Anna Kowalska, key sk-123"))
        assert error is not None
        assert "Anna" not in str(error)
        assert "sk-123" not in str(error)
    assert isinstance(as_model_error(status(500)), ModelFault)
    assert isinstance(as_model_error(status(504)), ModelSlow)


def test_a_bug_is_not_the_providers(context: Callable[..., TurnContext]) -> None:
    """An error of another kind comes through as it is."""
    assert as_model_error(ZeroDivisionError()) is None
    with pytest.raises(ZeroDivisionError):
        ask(context(Source([ZeroDivisionError()])))
