"""One way to call a model: budgets, time limits, retries, counting, and every failure as one of the desk's own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.tools import BaseTool
from pydantic import BaseModel

from desk.context import ModelSource, TurnContext
from desk.errors import BudgetSpent, ModelError, ModelFault, ModelRejects, ModelUnreadable
from desk.models.abilities import Abilities, Method, Server
from desk.models.answers import record_of, tidy
from desk.models.failures import as_model_error, malformed
from desk.models.retries import TRANSIENT, Retries
from desk.models.within import run_within
from desk.models.written import asking_for_json, asking_to_call, with_tools_in_words

CALL_SECONDS = 30.0  # that one call may take
WORTH_SECONDS = 1.0  # a try with less time left than this is not made

Schema = TypeVar("Schema", bound=BaseModel)


class LiveSource(ModelSource, Protocol):
    """A source of live models: what each was found to be able to do, and how failed calls are made again."""

    @property
    def abilities(self) -> Abilities:
        """What was found out of each server."""
        ...

    @property
    def retries(self) -> Retries:
        """How failed calls are made again."""
        ...

    def server(self, role: str) -> Server:
        """Which server and model answer in this role."""
        ...


def ask(
    context: TurnContext,
    role: str,
    messages: Sequence[BaseMessage],
    *,
    tools: Sequence[BaseTool] = (),
    seconds: float | None = None,
) -> AIMessage:
    """One answer of the role's model. Raises ModelError, BudgetSpent or TurnStopped, and nothing else on purpose.

    Failures that pass are tried again while there is time. A server that takes no tools is told of them in
    words.
    """
    asking = _Asking(context, role, messages, list(tools), None, _deadline(context, seconds))
    source = _live(context)
    if source is None:
        return asking.send("offered")
    if not tools:
        return _persist(asking, "offered", source.retries)
    server = source.server(role)
    known = source.abilities.method(server)
    try:
        return _persist(asking, known or "offered", source.retries)
    except ModelRejects:
        if known:
            raise
    answer = _persist(asking, "written", source.retries)
    source.abilities.settle(server, "written")
    return answer


def ask_for(context: TurnContext, role: str, messages: Sequence[BaseMessage], schema: type[Schema]) -> Schema:
    """One answer that is a record of this schema, asked for in the way that the model's server understands.

    That is a forced tool call where it can be had; see `abilities`. Raises ModelUnparseable when no way gave
    a readable answer, and what `ask` raises.
    """
    asking = _Asking(context, role, messages, [schema], schema, _deadline(context, None))
    source = _live(context)
    if source is None:
        return record_of(asking.send("forced"), schema, role)
    server = source.server(role)
    known = source.abilities.method(server) is not None

    def attempt(method: Method) -> Schema:
        # Until it is known what the server can do, a fault may be what it makes of tools.
        answer = _persist(asking, method, source.retries, give_up=() if known else ModelFault)
        return record_of(answer, schema, role)

    return source.abilities.find(server, attempt)


@dataclass(frozen=True)
class _Asking:
    """One question to a model, which may take several calls. `until` is when its time is over."""

    context: TurnContext
    role: str
    messages: Sequence[BaseMessage]
    tools: list[Any]
    record: type[BaseModel] | None
    until: float

    def left(self) -> float:
        """Seconds left for it."""
        return self.until - time.monotonic()

    def send(self, method: Method) -> AIMessage:
        """One call, counted before it is made. Raises ModelError, BudgetSpent or TurnStopped."""
        context = self.context
        context.check()
        context.budget.spend_call()
        model, messages = self._put(method)
        try:
            answer = run_within(
                min(self.left(), CALL_SECONDS), lambda: model.invoke(list(messages)), context.check
            )
        except Exception as error:
            known = as_model_error(error) or (None if context.parts.models.rehearsal else malformed(error))
            if known is None or known is error:
                raise  # an error must not become its own cause: what follows causes would never end
            raise known from error
        if not isinstance(answer, AIMessage):
            raise ModelUnreadable(f"{self.role}: the answer was not a message")
        used = answer.usage_metadata
        given = used["input_tokens"] if used else count_tokens_approximately(messages)
        taken = used["output_tokens"] if used else count_tokens_approximately([answer])
        context.budget.spend_tokens(given, taken, context.parts.settings.price_for(self.role))
        return tidy(answer, self._names(), self.role)

    def _put(self, method: Method) -> tuple[Any, Sequence[BaseMessage]]:
        """The model with what is bound to it, and the messages, as this method wants them."""
        model: Any = self.context.parts.models.chat(self.role)
        if not self.tools:
            return model, self.messages
        if method == "written":
            told = asking_for_json(self.messages, self.record) if self.record else None
            return model, told or with_tools_in_words(self.messages, self.tools)
        if self.record is None:
            return model.bind_tools(self.tools), self.messages
        if method == "forced":
            return model.bind_tools(self.tools, tool_choice=self.record.__name__), self.messages
        return model.bind_tools(self.tools), asking_to_call(self.messages, self.record)

    def _names(self) -> list[str]:
        return [self.record.__name__] if self.record else [tool.name for tool in self.tools]


def _live(context: TurnContext) -> LiveSource | None:
    models = context.parts.models
    return None if models.rehearsal else cast("LiveSource", models)


def _deadline(context: TurnContext, seconds: float | None) -> float:
    left = context.budget.remaining()
    return time.monotonic() + (left if seconds is None else min(left, seconds))


def _persist(
    asking: _Asking, method: Method, retries: Retries, give_up: type[ModelError] | tuple[()] = ()
) -> AIMessage:
    """Send, and send again after failures that pass, but for those in `give_up`, while there is time for it."""
    failed: list[ModelError] = []
    while True:
        try:
            return asking.send(method)
        except BudgetSpent:
            if failed:
                raise failed[-1] from None  # that is what the guest should hear of
            raise
        except TRANSIENT as error:
            failed.append(error)
            wait = retries.wait(len(failed), error.retry_after)
            late = wait + WORTH_SECONDS > asking.left()
            if isinstance(error, give_up) or len(failed) >= retries.tries or late:
                raise
        retries.pause(wait, asking.context.check)
