"""What model calls cost: the price table, and a call's cost. Exact: sums of money are Decimals."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

FORM = "must be like gpt-5-mini=0.25/2.00, other=1/4: each model's price of a million input / output tokens"


@dataclass(frozen=True)
class Price:
    """The price of a million tokens given to a model, and of a million taken from it."""

    given: Decimal
    taken: Decimal

    def cost(self, given: int, taken: int) -> Decimal:
        """What a call with so many tokens costs. Input that a provider bills at a discount counts in full."""
        return (self.given * given + self.taken * taken).scaleb(-6)


def read_prices(table: str) -> dict[str, Price]:
    """The prices by model, from `model=input/output` pairs between commas. Raises ValueError.

    A model's name may itself hold "/", ":" and "=".
    """
    prices: dict[str, Price] = {}
    for entry in filter(None, (part.strip() for part in table.split(","))):
        name, _, both = entry.rpartition("=")
        given, _, taken = both.partition("/")
        model = name.strip()
        if not model or model in prices:
            raise ValueError(f"{FORM}; not {entry!r}")
        prices[model] = Price(_money(given, entry), _money(taken, entry))
    return prices


def _money(text: str, entry: str) -> Decimal:
    try:
        amount = Decimal(text.strip())
    except InvalidOperation:
        raise ValueError(f"{FORM}; not {entry!r}") from None
    if not amount.is_finite() or not 0 <= amount <= 1_000_000:
        raise ValueError(f"{FORM}; not {entry!r}")
    return amount
