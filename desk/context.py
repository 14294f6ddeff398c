"""What a turn carries with it: the desk's parts, and the turn's own budget, clock and trace.

LangGraph hands `TurnContext` to every node and tool as the run's context; nothing travels in module globals.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from desk.clock import Clock
from desk.errors import BudgetSpent, TurnStopped
from desk.languages import Language
from desk.prices import Price
from desk.settings import Settings
from desk.turn import Turn

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from desk.language import Detector
    from desk.pack import Pack
    from desk.procedures import Procedures
    from desk.prose import Rules
    from desk.reading.amounts import Numbers
    from desk.stores.hotels import Hotels
    from desk.tools.web import WebSearch
    from desk.wording import Catalogue
    from desk.wording.made import Wordings


class ModelSource(Protocol):
    """Where chat models come from: one for each role, rehearsal or live."""

    @property
    def name(self) -> str:
        """The model's name, as pages show it."""
        ...

    @property
    def rehearsal(self) -> bool:
        """Whether it is the rehearsal model."""
        ...

    def chat(self, role: str) -> BaseChatModel:
        """The chat model of this role."""
        ...


@dataclass(frozen=True)
class Parts:
    """Everything an open desk is made of; shared by all turns, safe from several threads."""

    settings: Settings
    clock: Clock
    pack: Pack
    languages: Mapping[str, Language]
    notices: Mapping[str, str]  # one sentence a language: which languages the rehearsal model reads
    english_notices: Mapping[str, str]  # one sentence a language: that the answer is in English
    honest_notices: Mapping[str, Mapping[str, str]]  # by line and language: why there is no answer
    detector: Detector
    catalogue: Catalogue
    wordings: Wordings  # of languages without a catalogue, as a machine translated them
    procedures: Procedures
    hotels: Hotels
    models: ModelSource
    web: WebSearch
    rules: Rules  # what prose may not carry
    numbers: Numbers  # how people count
    branch_seconds: float = 30.0


@dataclass
class Budget:
    """What one turn may spend. `spend_*` raise BudgetSpent when it is gone; safe from parallel branches.

    `cost` is what the calls cost whose model has a price; `unpriced` says that some model had none.
    """

    calls: int
    tokens: int
    seconds: float
    started: float
    monotonic: Callable[[], float]
    used_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    unpriced: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def remaining(self) -> float:
        """Seconds left of the turn."""
        return self.seconds - (self.monotonic() - self.started)

    def spend_call(self) -> None:
        """Count one model call before it is made. Raises BudgetSpent."""
        with self._lock:
            if self.used_calls >= self.calls:
                raise BudgetSpent("model calls")
            if self.input_tokens + self.output_tokens >= self.tokens:
                raise BudgetSpent("tokens")
            if self.remaining() <= 0:
                raise BudgetSpent("seconds")
            self.used_calls += 1

    def spend_tokens(self, given: int, taken: int, price: Price | None = None) -> None:
        """Count the tokens of one call after it was made, and what they cost when the model has a price."""
        with self._lock:
            self.input_tokens += given
            self.output_tokens += taken
            if price is None:
                self.unpriced = True
            else:
                self.cost += price.cost(given, taken)


@dataclass(frozen=True)
class Fold:
    """A summary made ahead by the desk's worker: `removes` are the ids of the messages it replaces."""

    summary: str
    removes: Sequence[str]


@dataclass(frozen=True)
class TurnContext:
    """One turn's context: who asks, with what, and what it may spend."""

    parts: Parts
    thread: str
    turn: int
    budget: Budget
    locale: str | None = None
    chosen_language: str | None = None
    binding: str | None = None  # "REF:SURNAME" as bound to the thread, not yet checked
    action: str | None = None  # "confirm:OFFER" or "decline:OFFER", from a button
    fold: Fold | None = None
    archive: Callable[[], Sequence[Turn]] = tuple
    stopped: Callable[[], bool] = lambda: False
    say: Callable[[str], None] = lambda piece: None  # the reply's next piece; together they begin the reply

    def check(self) -> None:
        """Raise TurnStopped when the guest has stopped the turn."""
        if self.stopped():
            raise TurnStopped("the guest stopped the turn")
