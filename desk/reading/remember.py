"""Word lists compiled once: what a function makes of a language's tables, kept as long as it is used."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
# Every function keeps this many results: some kinds of word for each pair of a guest's language and English.
MOST_KEPT = 256


class _Same:
    """An argument by its identity. Holding it keeps its identity from being given to another object."""

    __slots__ = ("thing",)

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.thing is other.thing


def remembered(build: Callable[P, T]) -> Callable[P, T]:
    """Build once for the same arguments: languages and packs by identity, words by value.

    For functions of tables that never change once they are read; never of what a guest wrote.
    """

    @lru_cache(maxsize=MOST_KEPT)
    def kept(*keys: Hashable) -> T:
        return build(*(key.thing if isinstance(key, _Same) else key for key in keys))  # type: ignore[call-arg,arg-type]

    @wraps(build)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        assert not kwargs, "keys are told by their places"
        return kept(*(one if isinstance(one, str) else _Same(one) for one in args))

    return call
