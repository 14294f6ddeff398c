"""Settings: environment variables in one place; a wrong one is one clear line that names it."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from desk.errors import SettingsError
from desk.model_options import options_of
from desk.settings import DEFAULT_LIVE_MODEL, REHEARSAL, ROOT, Settings, read_settings

VARIABLES = [field.alias for field in Settings.model_fields.values() if field.alias]


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the machine that the tests run on."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def test_without_anything_the_rehearsal_model_answers() -> None:
    """No key, no base URL: the embedded model, the hotel pack, everything in demo mode."""
    settings = read_settings()
    assert settings.model_name == REHEARSAL
    assert settings.pack == ROOT / "data" / "hotels"
    assert (settings.today, settings.access, settings.tavily_api_key) == (None, "demo", None)


@pytest.mark.parametrize(
    ("environment", "model"),
    [
        ({"OPENAI_API_KEY": "sk-x"}, DEFAULT_LIVE_MODEL),
        ({"OPENAI_API_KEY": "sk-x", "DESK_MODEL": "other"}, "other"),
        ({"OPENAI_API_KEY": "sk-x", "DESK_MODEL": "rehearsal"}, REHEARSAL),
        ({"OPENAI_BASE_URL": "http://localhost:11434/v1", "DESK_MODEL": "llama"}, "llama"),
        ({"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}, REHEARSAL),
    ],
)
def test_which_model_answers(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], model: str
) -> None:
    """DESK_MODEL wins; a key alone means a current small model; empty counts as not set."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert read_settings().model_name == model


def test_a_role_may_have_a_model_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """DESK_MODEL_<ROLE> is for that role alone."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("DESK_MODEL_MERGER", "big")
    settings = read_settings()
    assert (settings.model_for("merger"), settings.model_for("hotel")) == ("big", DEFAULT_LIVE_MODEL)


def test_only_the_desks_own_variables_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """HOME is the user's and MODEL anybody's: a field's bare name is no variable of the desk."""
    for field in Settings.model_fields:
        if (Settings.model_fields[field].alias or "").lower() != field:
            monkeypatch.setenv(field.upper(), "/somewhere/else")
    settings = read_settings()
    assert settings.home == Path(".desk")
    assert settings.model_name == REHEARSAL


def test_options_of_a_role_stand_over_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """DESK_MODEL_OPTIONS is for every role; a role's own options replace them one by one."""
    monkeypatch.setenv("DESK_MODEL_OPTIONS", '{"temperature": 0, "max_tokens": 500}')
    monkeypatch.setenv("DESK_MODEL_MERGER_OPTIONS", '{"temperature": 0.4, "base_url": "http://b.example/v1"}')
    read_settings()
    merger, hotel = options_of("merger"), options_of("hotel")
    assert (merger.temperature, merger.max_tokens, merger.base_url) == (0.4, 500, "http://b.example/v1")
    assert (hotel.temperature, hotel.max_tokens, hotel.base_url) == (0, 500, None)


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("DESK_MODEL_OPTIONS", "temperature=0", "must be a JSON object"),
        ("DESK_MODEL_MERGER_OPTIONS", "[1]", "must be a JSON object"),
        ("DESK_MODEL_MERGER_OPTIONS", '{"heat": "sk-secret"}', "there is no option 'heat'"),
        ("DESK_MODEL_WEB_OPTIONS", '{"temperature": 9}', "temperature: "),
        ("DESK_MODEL_WEB_OPTIONS", '{"base_url": "sk-secret"}', "base_url: "),
        ("DESK_MODEL_WEB_OPTIONS", '{"timeout": 31}', "timeout: "),
        ("DESK_MODEL_PORTER_OPTIONS", "{}", "there is no such role"),
        ("DESK_MODEL_web_OPTIONS", "{}", "there is no such role"),
        ("DESK_MODEL_PORTER", "big", "there is no such role"),
    ],
)
def test_wrong_options_stop_the_start(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, told: str
) -> None:
    """One line that names the variable and what is wrong; never the value, which may be a key."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as raised:
        read_settings()
    line = str(raised.value)
    assert line.startswith(f"{variable}: {told}")
    assert "\n" not in line
    assert "sk-secret" not in line


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-12-01", "2026-12-01T09:00:00"),
        ("2026-12-01T22:30", "2026-12-01T22:30:00"),
        ("2026-12-01 22:30:05", "2026-12-01T22:30:05"),
    ],
)
def test_today_is_a_date_or_a_time(monkeypatch: pytest.MonkeyPatch, value: str, expected: str) -> None:
    """A bare date means nine in the morning."""
    monkeypatch.setenv("DESK_TODAY", value)
    today = read_settings().today
    assert today is not None
    assert today.isoformat() == expected


WRONG = [
    ("DESK_TODAY", "soon"),
    ("DESK_TODAY", "2026-13-01"),
    ("DESK_ACCESS", "everybody"),
    ("DESK_BUDGET_CALLS", "0"),
    ("DESK_BUDGET_CALLS", "many"),
    ("DESK_BUDGET_HANDOFFS", "-1"),
    ("DESK_BUDGET_ROUNDS", "0"),
    ("DESK_BUDGET_TOKENS", "0"),
    ("DESK_BUDGET_SECONDS", "0"),
    ("OPENAI_BASE_URL", "localhost:11434"),
    ("TAVILY_BASE_URL", "ftp://example.org"),
    ("DESK_PRICES", "gpt-5-mini"),
    ("DESK_PRICES", "gpt-5-mini=0.25"),
    ("DESK_PRICES", "gpt-5-mini=0.25/cheap"),
    ("DESK_PRICES", "gpt-5-mini=-1/2"),
    ("DESK_PRICES", "gpt-5-mini=1/NaN"),
    ("DESK_PRICES", "=1/2"),
    ("DESK_PRICES", "a=1/2, a=2/3"),
    ("DESK_PRICES_CURRENCY", "dollars"),
    ("DESK_LIMIT_TURNS", "0"),
    ("DESK_LIMIT_COST", "0"),
    ("DESK_LIMIT_COST", "NaN"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_one_line_that_names_it(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """Which variable, and what is wrong with it; no traceback, no second line."""
    monkeypatch.setenv(name, value)
    if name == "OPENAI_BASE_URL":
        monkeypatch.setenv("DESK_MODEL", "llama")
    with pytest.raises(SettingsError) as raised:
        read_settings()
    assert name in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_base_url_without_a_model_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can guess which model a server serves."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:11434/v1")
    with pytest.raises(SettingsError, match="DESK_MODEL"):
        read_settings()


def test_keys_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Printing the settings shows no secret, nor does the complaint about another setting."""
    for name in ("OPENAI_API_KEY", "TAVILY_API_KEY", "DESK_STAFF_PASSCODE"):
        monkeypatch.setenv(name, "very-secret")
    assert "very-secret" not in f"{read_settings()!r} {read_settings()}"
    monkeypatch.setenv("DESK_BUDGET_CALLS", "none")
    with pytest.raises(SettingsError) as raised:
        read_settings()
    assert "very-secret" not in str(raised.value)


def test_the_price_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each model has its own price, whatever signs its name holds; a role costs what its model costs."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("DESK_MODEL_MERGER", "org/big:v=2")
    monkeypatch.setenv("DESK_PRICES", "gpt-5-mini=0.25/2.00, org/big:v=2 = 1/4,")
    settings = read_settings()
    hotel, merger = settings.price_for("hotel"), settings.price_for("merger")
    assert hotel is not None
    assert merger is not None
    assert hotel.cost(1_000_000, 1) == Decimal("0.250002")
    assert merger.cost(1, 1_000_000) == Decimal("4.000001")
    assert settings.prices_currency == "USD"


def test_a_limit_of_cost_needs_every_price(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose cost is not known would run past the limit unseen: the start names it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("DESK_PRICES", "gpt-5-mini=0.25/2")
    monkeypatch.setenv("DESK_LIMIT_COST", "0.5")
    assert read_settings().limit_cost == Decimal("0.5")
    monkeypatch.setenv("DESK_MODEL_MERGER", "big")
    with pytest.raises(SettingsError, match=r"DESK_LIMIT_COST.*big.*DESK_PRICES"):
        read_settings()


def test_a_limit_of_cost_does_not_hold_up_the_rehearsal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing costs anything there; with a key the same settings need a price."""
    monkeypatch.setenv("DESK_LIMIT_COST", "0.5")
    assert read_settings().limit_cost == Decimal("0.5")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    with pytest.raises(SettingsError, match=r"DESK_LIMIT_COST.*gpt-5-mini.*DESK_PRICES"):
        read_settings()


def test_an_override_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a caller passes by name stands on top."""
    monkeypatch.setenv("DESK_BUDGET_CALLS", "7")
    assert (read_settings().budget_calls, read_settings(budget_calls=3).budget_calls) == (7, 3)


def test_unknown_variables_are_not_the_desks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is in an environment does not stop the start."""
    monkeypatch.setenv("DESK_SOMETHING_ELSE", "x")
    assert read_settings().model_name == REHEARSAL
