"""Settings of the live models beside their names, for all roles and for single ones, from the environment.

`DESK_MODEL_OPTIONS` holds a JSON object for every role, `DESK_MODEL_<ROLE>_OPTIONS` one for a role, which counts
before it: `DESK_MODEL_MERGER_OPTIONS='{"temperature": 0.3, "max_tokens": 800}'`.
"""

from __future__ import annotations

import os
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from desk.errors import SettingsError

ROLES = (
    "translator", "coordinator", "hotel", "merger", "reservation", "web", "direct", "summariser", "memory",
)  # fmt: skip
PREFIX = "DESK_MODEL_"
OPTIONS = "OPTIONS"


class ModelOptions(BaseModel):
    """What one role's model is asked with; what is None is left to the server.

    `timeout` is seconds that one call may take, at most what any call may; `max_tokens` are those of one answer.
    `base_url` and `api_key` are for a role whose model is on a server of its own, which never gets the common key.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    temperature: float | None = Field(None, ge=0, le=2)
    top_p: float | None = Field(None, gt=0, le=1)
    max_tokens: int | None = Field(None, ge=1)
    seed: int | None = None
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high"] | None = None
    timeout: float | None = Field(None, gt=0, le=30)
    base_url: str | None = Field(None, pattern=r"^https?://[^\s/]\S*$")
    api_key: SecretStr | None = None


def variable_of(role: str, what: str = "") -> str:
    """The variable that sets this role's model, or its options."""
    return "_".join(part for part in (f"{PREFIX}{role.upper()}", what) if part)


def model_of(role: str, default: str) -> str:
    """The name of the role's model: DESK_MODEL_<ROLE> when set, else the default."""
    return os.environ.get(variable_of(role), "").strip() or default


def options_of(role: str) -> ModelOptions:
    """The role's options over those of all roles. Raises SettingsError, one line that names the variable."""
    common, own = (_read(name) for name in (PREFIX + OPTIONS, variable_of(role, OPTIONS)))
    return common.model_copy(update=own.model_dump(exclude_unset=True))


def check_roles(default: str, rehearsal: str) -> None:
    """Raise SettingsError for a variable of a role that there is not, and for options that cannot be read."""
    for variable, value in os.environ.items():
        if not variable.startswith(PREFIX) or not value.strip():
            continue
        name = variable.removeprefix(PREFIX)
        role = name.removesuffix(f"_{OPTIONS}")
        known = name == OPTIONS or (role == role.upper() and role.lower() in ROLES)
        if known and name.endswith(OPTIONS):
            _read(variable)
        elif not known:
            raise SettingsError(f"{variable}: there is no such role; the roles are {', '.join(ROLES)}")
        elif (value.strip() == rehearsal) != (default == rehearsal):
            raise SettingsError(f"{variable}: the rehearsal model answers in every role or in none")


def _read(variable: str) -> ModelOptions:
    value = os.environ.get(variable, "").strip()
    if not value:
        return ModelOptions()
    try:
        return ModelOptions.model_validate_json(value)
    except ValidationError as error:
        raise SettingsError(f"{variable}: {_wrong(error.errors(include_input=False)[0])}") from None


def _wrong(first: Any) -> str:
    """What is wrong with the first option, without its value: that may be a key."""
    if not first["loc"]:
        return 'must be a JSON object, such as {"temperature": 0}'
    name = first["loc"][0]
    if first["type"] == "extra_forbidden":
        return f"there is no option {name!r}; the options are {', '.join(ModelOptions.model_fields)}"
    return f"{name}: {first['msg']}"
