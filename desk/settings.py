"""Every setting of the desk, in one place. All are environment variables; the README has the table."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from desk.errors import SettingsError

REHEARSAL = "rehearsal"
DEFAULT_LIVE_MODEL = "gpt-5-mini"
ROOT = Path(__file__).resolve().parent.parent


class Settings(BaseSettings):
    """The desk's settings. Build them with `read_settings`, which words a mistake as one line."""

    model_config = SettingsConfigDict(extra="ignore", populate_by_name=True, env_ignore_empty=True)

    openai_api_key: SecretStr | None = Field(None, alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(None, alias="OPENAI_BASE_URL", pattern=r"^https?://")
    model: str | None = Field(None, alias="DESK_MODEL")
    tavily_api_key: SecretStr | None = Field(None, alias="TAVILY_API_KEY")
    tavily_base_url: str | None = Field(None, alias="TAVILY_BASE_URL", pattern=r"^https?://")
    pack: Path = Field(ROOT / "data" / "hotels", alias="DESK_PACK")
    home: Path = Field(Path(".desk"), alias="DESK_HOME")
    today: dt.datetime | None = Field(None, alias="DESK_TODAY")
    access: Literal["demo", "staffed"] = Field("demo", alias="DESK_ACCESS")
    staff_passcode: SecretStr | None = Field(None, alias="DESK_STAFF_PASSCODE")
    budget_handoffs: int = Field(6, alias="DESK_BUDGET_HANDOFFS", ge=1)
    budget_calls: int = Field(40, alias="DESK_BUDGET_CALLS", ge=1)
    budget_rounds: int = Field(4, alias="DESK_BUDGET_ROUNDS", ge=1)
    budget_tokens: int = Field(60_000, alias="DESK_BUDGET_TOKENS", ge=1)
    budget_seconds: float = Field(60.0, alias="DESK_BUDGET_SECONDS", gt=0)

    @field_validator("today", mode="before")
    @classmethod
    def _date_or_time(cls, value: Any) -> Any:
        """DESK_TODAY may be a date or a date and time; a bare date means nine in the morning."""
        if isinstance(value, str) and len(value) == len("2026-12-01"):
            return f"{value}T09:00:00"
        return value

    @model_validator(mode="after")
    def _model_for_base_url(self) -> Settings:
        if self.openai_base_url and not self.model:
            raise ValueError("OPENAI_BASE_URL needs DESK_MODEL: name the model that this server serves")
        return self

    @property
    def model_name(self) -> str:
        """The model that answers: DESK_MODEL, else the rehearsal model unless a key is there."""
        if self.model:
            return self.model
        return DEFAULT_LIVE_MODEL if self.openai_api_key else REHEARSAL

    def model_for(self, role: str) -> str:
        """The model of one role: DESK_MODEL_<ROLE> when set, else the default."""
        return os.environ.get(f"DESK_MODEL_{role.upper()}") or self.model_name


def read_settings(**overrides: Any) -> Settings:
    """Settings from the environment, `overrides` (by field name) on top.

    Raises SettingsError: one line that names the variable and what is wrong with it.
    """
    try:
        return Settings(**overrides)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        field = Settings.model_fields.get(name)
        variable = field.alias if field and field.alias else name
        message = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{variable}: {message}" if variable else message) from None
