"""A provider's failures as the desk's own: the one place that knows what each library raises.

langchain-openai raises subclasses of the openai package's errors; an error object inside a 200 is a ValueError,
a missing `choices` a KeyError, null ones a TypeError, and a call whose arguments are no object fails AIMessage's
own validation.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

import openai
from langchain_core.exceptions import OutputParserException
from pydantic import ValidationError

from desk.errors import (
    ModelError,
    ModelFault,
    ModelMisconfigured,
    ModelOutOfQuota,
    ModelRateLimited,
    ModelRejects,
    ModelSlow,
    ModelUnparseable,
    ModelUnreachable,
    ModelUnreadable,
)
from desk.logs import without_words

log = logging.getLogger(__name__)

_TOO_LONG = ("context_length", "context window", "context length", "too long", "maximum context")


def as_model_error(error: Exception) -> ModelError | None:
    """The desk's own error for a provider's exception; None for anything that is not the provider's."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error, openai.APITimeoutError):
        return ModelSlow("the model's server did not answer in time")
    if isinstance(error, openai.APIStatusError):
        found = _of_status(error)
        found.retry_after = seconds_to_wait(error.response.headers)
        return found
    if isinstance(error, openai.APIConnectionError):
        return ModelUnreachable("the model's server failed")
    if isinstance(error, json.JSONDecodeError):
        return ModelFault("the model's server did not answer in JSON", answered=True)
    if isinstance(error, OutputParserException | ValidationError | openai.OpenAIError):
        return ModelUnreadable("the answer was not of the form asked for")
    return None


def malformed(error: Exception) -> ModelError | None:
    """A 200 that holds no completion: the client of a live model then trips over what is not there."""
    if not isinstance(error, ValueError | LookupError | TypeError | AttributeError):
        return None
    log.error("the model's server did not answer with a completion: %s", without_words(error))
    return ModelFault("the model's server did not answer with a completion", answered=True)


def _of_status(error: openai.APIStatusError) -> ModelError:
    told = f"{getattr(error, 'code', '') or ''} {error}".lower()
    status = error.status_code
    if status == 402 or "insufficient_quota" in told:
        return ModelOutOfQuota("out of quota")
    if status == 429:
        return ModelRateLimited("rate limited")
    if status in (401, 403):
        return ModelMisconfigured("the server does not accept this key", "OPENAI_API_KEY")
    if status == 404 and "model" in told:
        return ModelMisconfigured("the server does not know this model")
    if status == 413 or (status == 400 and any(words in told for words in _TOO_LONG)):
        return ModelMisconfigured("the request is longer than this model can read")
    if status == 400 and "content_filter" in told:
        return ModelUnparseable("the model refused to answer")
    if status in (408, 504):
        return ModelSlow("the model's server did not answer in time")
    if status in (500, 501):
        return ModelFault("the model's server failed")
    if 400 <= status < 500 and status not in (409, 425):
        setting = "OPENAI_BASE_URL" if status == 404 else "DESK_MODEL"
        return ModelRejects("the server does not take this request", setting)
    return ModelUnreachable("the model's server failed")


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """What Retry-After asks for, in seconds: a number, or a date, which counts from the answer's own Date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            asked = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        return asked if 0 < asked < float("inf") else None
    try:
        until, sent = (parsedate_to_datetime(headers.get(name, "")) for name in ("retry-after", "date"))
        return max(0.0, (until - sent).total_seconds()) or None
    except (ValueError, TypeError):
        return None
