"""What a guest message asks of the desk, as the rehearsal model reads it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Act:
    """One thing that a message does. `kind` says what, `topic` of which sort (None where there is none)."""

    kind: str
    topic: str | None = None


UNKNOWN = Act("unknown")


@dataclass(frozen=True)
class Context:
    """What went before, as far as it changes what the next message means.

    `has_offer`: an offer stands. `has_options`: rooms were listed and none is picked. `asked`: what the desk
    asked last, one of `pick`, `name`, `dates`, `change`, or None. `last_act` and `last_topic`: kind and topic
    of the act that the desk answered last.
    """

    has_offer: bool = False
    has_options: bool = False
    asked: str | None = None
    last_act: str | None = None
    last_topic: str | None = None


@dataclass(frozen=True)
class Understanding:
    """One to three acts in the order of the message; `understood` is False for what the desk does not know."""

    acts: tuple[Act, ...]
    understood: bool
