"""What a model's server can do, found out once: how a record is to be asked for so that it can be read.

Servers that speak OpenAI's interface differ. Some answer an error to `tool_choice` or to `tools`, some ignore
one or both, small models write the call as text. The ways are tried in order, and what works is remembered.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal, TypeVar

from desk.errors import ModelError, ModelFault, ModelRejects, ModelUnreadable

Method = Literal["forced", "offered", "written"]
# A forced tool call; the tool without `tool_choice`; a JSON object asked for in words, with its schema.
METHODS: tuple[Method, ...] = ("forced", "offered", "written")
TRIES = 2  # of one method: a model may miss once what it can do, and a server may fail once

Server = tuple[str, str]  # base URL (empty: OpenAI's own) and model
T = TypeVar("T")


class Abilities:
    """The method that works for each model. Safe to share between threads."""

    def __init__(self) -> None:
        self._settled: dict[Server, Method] = {}
        self._lock = threading.Lock()

    def method(self, server: Server) -> Method | None:
        """What was found out; None when nothing was yet."""
        with self._lock:
            return self._settled.get(server)

    def settle(self, server: Server, method: Method) -> None:
        """Remember what works. The first finding stands: turns that run side by side must not undo it."""
        with self._lock:
            self._settled.setdefault(server, method)

    def find(self, server: Server, attempt: Callable[[Method], T]) -> T:
        """Make `attempt` by the method that works, finding it out first when it is not known.

        Answers that no method made readable settle on the first that the server took at all: it is not asked
        in every way again at each call. Raises what the last attempt raised.
        """
        known = self.method(server)
        if known:
            return attempt(known)
        taken: Method | None = None
        failure: ModelError | None = None
        for method in METHODS:
            for _ in range(TRIES):
                try:
                    found = attempt(method)
                except ModelRejects as error:
                    failure = error
                    break
                except ModelFault as error:
                    failure = error
                except ModelUnreadable as error:
                    failure, taken = error, taken or method
                else:
                    self.settle(server, method)
                    return found
        if taken:
            self.settle(server, taken)
        assert failure is not None
        raise failure
