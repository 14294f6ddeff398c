"""At the start of a desk with live models: one small question to each, so that a wrong setting is found now.

A server that cannot be reached does not keep the desk down: it may be back before the first guest writes.
"""

from __future__ import annotations

import logging
import time
from typing import cast

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from desk.context import Budget, Parts, TurnContext
from desk.errors import (
    BudgetSpent,
    ModelError,
    ModelFault,
    ModelMisconfigured,
    ModelUnparseable,
    SettingsError,
)
from desk.model_options import ROLES, options_of, variable_of
from desk.models import calls
from desk.settings import Settings

START_SECONDS = 10.0  # for each model; whoever starts the desk waits for it
CALLS = 12
TOKENS = 50_000

log = logging.getLogger(__name__)


class Ready(BaseModel):
    """The answer to the question."""

    ready: bool = Field(description="true")


def find_out(parts: Parts, seconds: float = START_SECONDS) -> None:
    """Ask each distinct live model once, and so find out how it can be asked.

    Raises SettingsError, one line that names the variable, for a wrong key, an unknown model, an address
    where no model answers, and a model whose answers cannot be read in any way of asking.
    """
    source = cast("calls.LiveSource", parts.models)
    first_role = {(source.server(role), options_of(role).api_key): role for role in reversed(ROLES)}
    for ((_, model), _), role in first_role.items():
        budget = Budget(CALLS, TOKENS, seconds, time.perf_counter(), time.perf_counter)
        try:
            _ask(TurnContext(parts, "", 0, budget), role)
        except (ModelError, BudgetSpent) as error:
            wrong = _setting_of(error, parts.settings, role, model)
            if wrong:
                raise SettingsError(wrong) from error
            log.warning("the model %s does not answer (%s); the desk starts all the same", model, error)


def _ask(context: TurnContext, role: str) -> None:
    question = [SystemMessage("You answer one question."), HumanMessage("Are you ready? Answer with true.")]
    calls.ask_for(context, role, question, Ready)


def _setting_of(error: Exception, settings: Settings, role: str, model: str) -> str | None:
    """What is wrong with which variable; None for what may pass by itself."""
    own = settings.model_for(role) != settings.model_name
    variable = variable_of(role) if own else "DESK_MODEL"
    elsewhere = options_of(role)
    if isinstance(error, ModelUnparseable):
        return (
            f"{variable}: {model} gives no answer that the desk can read, whether asked for a tool call, offered"
            " a tool or asked for JSON in words: choose another model"
        )
    address = variable_of(role, "OPTIONS") if elsewhere.base_url else "OPENAI_BASE_URL"
    if isinstance(error, ModelFault) and error.answered:
        return f"{address}: what answers at this address is not a model's server (it often ends in /v1)"
    if not isinstance(error, ModelMisconfigured):
        return None
    if error.setting == "OPENAI_API_KEY":
        key = variable_of(role, "OPTIONS") if elsewhere.api_key else "OPENAI_API_KEY"
        return f"{key}: the model's server does not accept this key"
    if error.setting == "OPENAI_BASE_URL":
        return f"{address}: no model's server is at this address (it often ends in /v1)"
    return f"{variable}: {model}: {error}"
