"""Every setting of the desk, in one place. All are environment variables; the README has the table."""

from __future__ import annotations

import datetime as dt
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from desk.errors import SettingsError
from desk.model_options import ROLES, check_roles, model_of
from desk.prices import Price, read_prices

REHEARSAL = "rehearsal"
DEFAULT_LIVE_MODEL = "gpt-5-mini"
YEARS = range(2000, 2200)  # stays and bookings are counted from today and must stay within the calendar
TURNS_A_DAY = 500  # of one thread: one every two minutes for 16 hours; no guest gets there, a script does
# What a turn may spend on its own, and for each hotel: two handoffs there, each of four tool rounds and an answer.
CALLS, CALLS_A_HOTEL = 20, 10
TOKENS, TOKENS_A_HOTEL = 30_000, 15_000
LONGEST_TURN = 3600.0  # seconds; nobody waits for longer, and waiting times have an upper limit of their own
ROOT = Path(__file__).resolve().parent.parent

_WEB_ADDRESS = re.compile(r"https?://[^\s/]\S*")


class Settings(BaseSettings):
    """The desk's settings. Build them with `read_settings`, which words a mistake as one line."""

    # Fields may be given by name, and then pydantic-settings reads variables of that name too: without the
    # prefix HOME would be the desk's home, and MODEL its model.
    model_config = SettingsConfigDict(
        extra="ignore", populate_by_name=True, env_ignore_empty=True, env_prefix="DESK_"
    )

    openai_api_key: SecretStr | None = Field(None, alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(None, alias="OPENAI_BASE_URL")
    model: str | None = Field(None, alias="DESK_MODEL")
    tavily_api_key: SecretStr | None = Field(None, alias="TAVILY_API_KEY")
    tavily_base_url: str | None = Field(None, alias="TAVILY_BASE_URL")
    pack: Path = Field(ROOT / "data" / "hotels", alias="DESK_PACK")
    home: Path = Field(Path(".desk"), alias="DESK_HOME")
    today: dt.datetime | None = Field(None, alias="DESK_TODAY")
    access: Literal["demo", "staffed"] = Field("demo", alias="DESK_ACCESS")
    staff_passcode: SecretStr | None = Field(None, alias="DESK_STAFF_PASSCODE")
    budget_handoffs: int = Field(6, alias="DESK_BUDGET_HANDOFFS", ge=1)
    budget_calls: int | None = Field(None, alias="DESK_BUDGET_CALLS", ge=1)  # None: see calls_a_turn
    budget_rounds: int = Field(4, alias="DESK_BUDGET_ROUNDS", ge=1)
    budget_tokens: int | None = Field(None, alias="DESK_BUDGET_TOKENS", ge=1)  # None: see tokens_a_turn
    budget_seconds: float = Field(60.0, alias="DESK_BUDGET_SECONDS", gt=0, le=LONGEST_TURN)
    prices: Annotated[dict[str, Price], NoDecode] = Field(default_factory=dict, alias="DESK_PRICES")
    prices_currency: str = Field("USD", alias="DESK_PRICES_CURRENCY", pattern="^[A-Z]{3}$")
    limit_turns: int = Field(TURNS_A_DAY, alias="DESK_LIMIT_TURNS", ge=1)
    limit_cost: Decimal | None = Field(None, alias="DESK_LIMIT_COST", gt=0, allow_inf_nan=False)

    @field_validator(
        "openai_api_key", "openai_base_url", "model", "tavily_api_key", "tavily_base_url", "staff_passcode",
        mode="before",
    )  # fmt: skip
    @classmethod
    def _blank_is_unset(cls, value: Any) -> Any:
        """A variable that holds nothing but blanks is as good as not set."""
        return value.strip() or None if isinstance(value, str) else value

    @field_validator("openai_base_url", "tavily_base_url")
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        if value is not None and not _WEB_ADDRESS.fullmatch(value):
            raise ValueError("must be an address that begins with http:// or https://")
        return value

    @field_validator("prices", mode="before")
    @classmethod
    def _price_table(cls, value: Any) -> Any:
        return read_prices(value) if isinstance(value, str) else value

    @field_validator("today", mode="before")
    @classmethod
    def _date_or_time(cls, value: Any) -> Any:
        """DESK_TODAY may be a date or a date and time; a bare date means nine in the morning."""
        if not isinstance(value, str):
            return value
        try:
            day = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            raise ValueError("must be an ISO date, or date and time, such as 2026-12-01T10:30") from None
        if day.year not in YEARS:
            raise ValueError(f"the year must lie between {YEARS[0]} and {YEARS[-1]}")
        return day if "T" in value or ":" in value else day.replace(hour=9)

    @model_validator(mode="after")
    def _goes_together(self) -> Settings:
        if self.openai_base_url and not self.model:
            raise ValueError("OPENAI_BASE_URL needs DESK_MODEL: name the model that this server serves")
        live = self.openai_api_key is not None or self.openai_base_url is not None
        if self.model_name != REHEARSAL and not live:
            raise ValueError("DESK_MODEL: a live model needs OPENAI_API_KEY or OPENAI_BASE_URL")
        if self.access == "staffed" and self.staff_passcode is None:
            raise ValueError("DESK_ACCESS: staffed needs DESK_STAFF_PASSCODE")
        return self

    @property
    def model_name(self) -> str:
        """The model that answers: DESK_MODEL, else the rehearsal model unless a key is there."""
        if self.model:
            return self.model
        return DEFAULT_LIVE_MODEL if self.openai_api_key else REHEARSAL

    def calls_a_turn(self, hotels: int) -> int:
        """Model calls that one turn may make: DESK_BUDGET_CALLS, or what fits a pack of so many hotels."""
        return self.budget_calls or CALLS + CALLS_A_HOTEL * hotels

    def tokens_a_turn(self, hotels: int) -> int:
        """Tokens that one turn may use: DESK_BUDGET_TOKENS, or what fits a pack of so many hotels."""
        return self.budget_tokens or TOKENS + TOKENS_A_HOTEL * hotels

    def model_for(self, role: str) -> str:
        """The model of one role: DESK_MODEL_<ROLE> when set, else the default."""
        return model_of(role, self.model_name)

    def price_for(self, role: str) -> Price | None:
        """What the model of this role costs; None when the table does not say."""
        return self.prices.get(self.model_for(role))


def check() -> None:
    """Read the settings and end with one line on standard error and exit code 1 when one is wrong."""
    try:
        read_settings()
    except SettingsError as error:
        sys.exit(f"desk: {error}")


def read_settings(**overrides: Any) -> Settings:
    """Settings from the environment, `overrides` (by field name) on top.

    Raises SettingsError: one line that names the variable and what is wrong with it.
    """
    try:
        settings = Settings(**overrides)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        field = Settings.model_fields.get(name)
        variable = field.alias if field and field.alias else name
        message = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{variable}: {message}" if variable else message) from None
    check_roles(settings.model_name, REHEARSAL)
    _check_prices(settings)
    return settings


def _check_prices(settings: Settings) -> None:
    """A limit of cost is only kept when every call's cost is known; the rehearsal model costs nothing."""
    if settings.limit_cost is None:
        return
    for role in ROLES:
        model = settings.model_for(role)
        if model != REHEARSAL and settings.price_for(role) is None:
            raise SettingsError(f"DESK_LIMIT_COST: needs a price of {model} in DESK_PRICES")
