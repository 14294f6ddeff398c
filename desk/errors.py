"""Every failure the desk raises on purpose.

DeskError
├── SettingsError        a setting is wrong: says which, and what would be right
├── DataError            a data file is missing or broken: says which file and line
├── StorageError         DESK_HOME cannot be used, or a store cannot be read or written
├── UnknownThread        no conversation has this id
├── BadMessage           a guest message that the desk refuses to take (`reason` names why)
├── TurnStopped          the guest stopped the turn
├── BudgetSpent          the turn ran out of handoffs, calls, rounds, tokens or seconds
├── ModelError           the language model could not do its part
│   ├── ModelUnreachable     no connection, or a server fault
│   │   └── ModelFault           the server failed at this very request, or answered no completion
│   ├── ModelSlow            no answer within the time allowed
│   ├── ModelRateLimited     asked to wait
│   ├── ModelOutOfQuota      nothing left to spend; not retried
│   ├── ModelMisconfigured   bad key, unknown model (`setting` names the variable)
│   │   └── ModelRejects         the server does not take a request of this form
│   └── ModelUnparseable     refused, empty, cut off, or not of the form that was asked for
│       └── ModelUnreadable      empty or of another form: asked in another way it may be readable
├── SearchError          the web search could not be made
├── ToolRefused          a tool call that the desk does not carry out; its text is for the model to read
└── BookingError         a booking cannot be written (`reason` names why)

Each adapter turns its own library's exceptions into these in one place. None carries a key, a prompt
or a guest's words in its text.
"""

from __future__ import annotations


class DeskError(Exception):
    """Anything that the desk refuses or cannot do; its text is one line a person can act on."""


class SettingsError(DeskError):
    """A setting has a value that the desk cannot work with."""


class DataError(DeskError):
    """A file under data/ is missing or broken."""


class StorageError(DeskError):
    """The desk's own storage cannot be used."""


class UnknownThread(DeskError):
    """No conversation has this id."""


class BadMessage(DeskError):
    """The desk does not take this message.

    `reason` is `empty` or `too_long`; the page words it in the guest's language.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TurnStopped(DeskError):
    """The guest stopped the turn."""


class BudgetSpent(DeskError):
    """The turn ran out of one of its budgets; `budget` names it."""

    def __init__(self, budget: str) -> None:
        super().__init__(f"the turn's budget of {budget} is spent")
        self.budget = budget


class ModelError(DeskError):
    """The language model could not do its part. `retry_after`: seconds that its server asked to wait."""

    retry_after: float | None = None


class ModelUnreachable(ModelError):
    """No connection to the model, or the server failed."""


class ModelFault(ModelUnreachable):
    """The server failed at this request: it may be down, or not know what was asked of it (tools).

    `answered`: it did answer, but with something that is no completion.
    """

    def __init__(self, message: str, answered: bool = False) -> None:
        super().__init__(message)
        self.answered = answered


class ModelSlow(ModelError):
    """The model did not answer in time."""


class ModelRateLimited(ModelError):
    """The model's server asked to wait."""


class ModelOutOfQuota(ModelError):
    """The account has nothing left to spend; trying again does not help."""


class ModelMisconfigured(ModelError):
    """The server does not know this key or this model; `setting` is the variable that says which."""

    def __init__(self, message: str, setting: str = "DESK_MODEL") -> None:
        super().__init__(message)
        self.setting = setting


class ModelRejects(ModelMisconfigured):
    """The server does not take a request of this form."""


class ModelUnparseable(ModelError):
    """The answer was empty, refused, cut off, or not of the form that was asked for."""


class ModelUnreadable(ModelUnparseable):
    """The answer was empty or not of the form that was asked for; asked in another way it may be."""


class SearchError(DeskError):
    """The web search could not be made."""


class ToolRefused(DeskError):
    """The desk does not carry out this tool call; the text says why, for the model that made it."""


class BookingError(DeskError):
    """The booking cannot be written.

    `reason` is one of `taken`, `changed` (another rate, type, total or fee now, or another booking than the
    one shown), `past` (a past arrival, or a stay that has begun), `unknown_room`, `too_small` (more guests
    than beds), `no_name`, `unknown_booking` (no such reference in this hotel), `cancelled` (the booking
    already is), and `invalid` (no nights, no guests, a room twice, or a change that changes nothing).
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
