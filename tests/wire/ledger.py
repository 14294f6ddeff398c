"""Account of the calls that a stub has answered: to whom, when, how large, and how many one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.wire.http_stub import Answer, Reply


@dataclass(frozen=True)
class Called:
    """One call: the role it was made to, its model, when it came and was answered (`perf_counter`), its tokens."""

    role: str
    model: str
    start: float
    end: float
    prompt_tokens: int
    answer_tokens: int


@dataclass
class Ledger:
    """Answers as `answer` does and notes each call. The latency belongs inside: `Ledger(after(0.5, …), …)`.

    `role_of` tells the role of a request (`openai_stub.roles`).
    """

    answer: Answer
    role_of: Callable[[dict[str, Any]], str]
    calls: list[Called] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, body: dict[str, Any]) -> Reply:
        """Answer, and note it once it is answered."""
        start = time.perf_counter()
        status, told = self.answer(body)
        used = told["usage"] if status == 200 else {"prompt_tokens": 0, "completion_tokens": 0}
        tokens = (used["prompt_tokens"], used["completion_tokens"])
        with self._lock:
            self.calls.append(Called(self.role_of(body), body["model"], start, time.perf_counter(), *tokens))
        return status, told

    def take(self) -> list[Called]:
        """The calls since this was asked last, in the order in which they came; the account begins anew."""
        with self._lock:
            taken, self.calls = self.calls, []
        return sorted(taken, key=_start)


def longest_chain(calls: Iterable[Called]) -> int:
    """How many calls stood one behind the other: the most of which each began after the one before had ended."""
    chain, free_from = 0, float("-inf")
    for call in sorted(calls, key=_end):
        if call.start >= free_from:
            chain, free_from = chain + 1, call.end
    return chain


def _start(call: Called) -> float:
    return call.start


def _end(call: Called) -> float:
    return call.end
