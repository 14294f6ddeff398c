"""What playing cases took: calls, tokens and cost of the turns, as the turn log has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from desk.context import Parts
from tests.eval.cases import Result


@dataclass(frozen=True)
class Spent:
    """The turns that were played and what their model took; `cost` is None unless every turn's is known.

    The calls that fold a conversation are made between turns and come on top.
    """

    model: str
    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    currency: str | None

    def line(self) -> str:
        """All of it in one line."""
        cost = "" if self.cost is None else f", {self.cost:.4f} {self.currency}"
        return (
            f"model {self.model}: {self.turns} turns, {self.calls} model calls, "
            f"{self.input_tokens} + {self.output_tokens} tokens{cost}"
        )


def spent(results: Sequence[Result]) -> Spent:
    """What all these trials took together."""
    used: list[Any] = [turn["model"] for result in results for turn in result.turns]
    costs = [each["cost"] for each in used]
    known = bool(costs) and None not in costs
    return Spent(
        ", ".join(dict.fromkeys(each["name"] for each in used)) or "no model",
        len(used),
        *(sum(each[key] for each in used) for key in ("calls", "input_tokens", "output_tokens")),
        sum(costs) if known else None,
        next((each["currency"] for each in used if each["currency"]), None) if known else None,
    )


def forecast(results: Sequence[Result], trials: int, live: Parts) -> str:
    """What the same cases may take on a live model, from what they took on the rehearsal model."""
    of = spent(results)
    given, taken = of.input_tokens * trials, of.output_tokens * trials
    price = live.settings.price_for("coordinator")
    cost = "" if price is None else f", about {price.cost(given, taken):.2f} {live.settings.prices_currency}"
    return (
        f"{live.models.name} is asked now: {len(results)} cases, {trials} trials of each, {of.turns * trials} turns. "
        f"The rehearsal model takes {of.calls * trials} calls and {given} + {taken} tokens for them{cost}; "
        "a live model that reasons, is asked again or writes more takes more."
    )
