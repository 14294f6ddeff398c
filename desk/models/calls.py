"""One way to call a model: budgets, the time limit, counting, and every failure as one of the desk's own."""

from __future__ import annotations

import contextvars
import json
import logging
import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import openai
from langchain_core.exceptions import OutputParserException
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.tools import BaseTool
from pydantic import BaseModel, ValidationError

from desk.context import TurnContext
from desk.errors import (
    ModelError,
    ModelMisconfigured,
    ModelOutOfQuota,
    ModelRateLimited,
    ModelSlow,
    ModelUnparseable,
    ModelUnreachable,
)
from desk.logs import without_words

LOOK_SECONDS = 0.2  # how soon a stopped turn ends that waits for a model

log = logging.getLogger(__name__)
T = TypeVar("T")
Schema = TypeVar("Schema", bound=BaseModel)
_FENCE = re.compile(r"^```(?:json)?\s*(.*?)\s*```$", re.DOTALL)


def run_within(seconds: float, work: Callable[[], T], check: Callable[[], None] = lambda: None) -> T:
    """Run `work` and return its result, or raise ModelSlow after `seconds`.

    `check` is called while waiting and may raise, as when the guest stops the turn. The call itself cannot
    be cut off; it goes on in a thread of its own that nothing waits for.
    """
    answer: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def call() -> None:
        try:
            answer.put((work(), None))
        except BaseException as error:
            answer.put((None, error))

    carried = contextvars.copy_context()  # tracing follows the call into its thread
    threading.Thread(target=carried.run, args=(call,), daemon=True, name="model-call").start()
    limit = time.monotonic() + max(seconds, 0.001)
    while True:
        try:
            result, error = answer.get(timeout=max(0.001, min(LOOK_SECONDS, limit - time.monotonic())))
            break
        except queue.Empty:
            check()
            if time.monotonic() >= limit:
                raise ModelSlow(f"no answer within {seconds:.0f} s") from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]


def as_model_error(error: Exception) -> ModelError | None:
    """The desk's own error for a provider's exception; None for anything that is not the provider's."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error, openai.RateLimitError):
        quota = "insufficient_quota" in str(getattr(error, "code", "") or error)
        return ModelOutOfQuota("out of quota") if quota else ModelRateLimited("rate limited")
    if isinstance(error, openai.APITimeoutError):
        return ModelSlow("the model's server did not answer in time")
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError | openai.NotFoundError):
        return ModelMisconfigured("the server does not accept this key or model")
    if isinstance(error, openai.APIConnectionError | openai.APIStatusError):
        return ModelUnreachable("the model's server failed")
    if isinstance(error, json.JSONDecodeError):
        return ModelUnreachable("the model's server did not answer in JSON")
    if isinstance(error, OutputParserException | openai.OpenAIError):
        return ModelUnparseable("the answer was not of the form asked for")
    return None


def _malformed(error: Exception) -> ModelError | None:
    """A 200 that holds no completion: the client of a live model then trips over what is not there."""
    if not isinstance(error, ValueError | LookupError | TypeError | AttributeError):
        return None
    log.error("the model's server did not answer with a completion: %s", without_words(error))
    return ModelUnreachable("the model's server did not answer with a completion")


def ask(
    context: TurnContext,
    role: str,
    messages: Sequence[BaseMessage],
    *,
    tools: Sequence[BaseTool] = (),
    seconds: float | None = None,
) -> AIMessage:
    """One call of the role's model. Raises ModelError, BudgetSpent or TurnStopped, and nothing else on purpose."""
    return _call(context, role, messages, list(tools), None, seconds)


def ask_for(context: TurnContext, role: str, messages: Sequence[BaseMessage], schema: type[Schema]) -> Schema:
    """One call whose answer is a record of this schema.

    Asked for as a forced tool call, which every server that the desk was tried on understands; an answer
    written as plain or fenced JSON is read too. Raises ModelUnparseable for anything else.
    """
    message = _call(context, role, messages, [schema], schema.__name__, None)
    found: Any = next((c["args"] for c in message.tool_calls if c["name"] == schema.__name__), None)
    try:
        if found is None:
            text = message.text.strip()
            fenced = _FENCE.match(text)
            found = json.loads(fenced.group(1) if fenced else text)
        return schema.model_validate(found)
    except (ValidationError, json.JSONDecodeError) as error:
        raise ModelUnparseable(f"{role}: the answer was not of the form asked for") from error


def _call(
    context: TurnContext,
    role: str,
    messages: Sequence[BaseMessage],
    tools: list[Any],
    forced: str | None,
    seconds: float | None,
) -> AIMessage:
    context.check()
    context.budget.spend_call()
    model = context.parts.models.chat(role)
    bound: Any = model.bind_tools(tools, **({"tool_choice": forced} if forced else {})) if tools else model
    limit = min(context.budget.remaining(), seconds if seconds is not None else context.budget.remaining())
    try:
        message = run_within(limit, lambda: bound.invoke(list(messages)), context.check)
    except Exception as error:
        known = as_model_error(error) or (None if context.parts.models.rehearsal else _malformed(error))
        if known is None or known is error:
            raise  # an error must not become its own cause: what follows causes would never end
        raise known from error
    if not isinstance(message, AIMessage):
        raise ModelUnparseable(f"{role}: the answer was not a message")
    used = message.usage_metadata
    given = used["input_tokens"] if used else count_tokens_approximately(messages)
    taken = used["output_tokens"] if used else count_tokens_approximately([message])
    context.budget.spend_tokens(given, taken)
    if not message.text.strip() and not message.tool_calls:
        raise ModelUnparseable(f"{role}: the answer was empty")
    return message
