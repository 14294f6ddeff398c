"""What a message means after what went before: a bare "yes", "and for three nights?", "how much is it?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desk.models.rehearsal.acts import Act, Context
from desk.models.rehearsal.understanding.clauses import Clause
from desk.models.rehearsal.understanding.patterns import Span
from desk.models.rehearsal.understanding.rules import Lexicon

Acts = tuple[Act, ...]

_STAY = "availability price rooms book lookup_booking confirm change_booking"
_STAY_ACTS = frozenset(_STAY.split())
# After these an "ok" answers the offer that stands; after an answer about Wi-Fi it answers that.
_OFFER_ACTS = frozenset(
    {None, "book", "confirm", "availability", "offer", "change_booking", "cancel_booking"}
)
_OWN_ACTS = frozenset({"lookup_booking", "change_booking", "cancel_booking"})
_ANSWERS = frozenset({"acknowledge", "confirm", "refuse", "greeting"})  # what may stand beside a fragment
_OF_A_STAY = ("date", "length", "type", "many", "roomno")
_STAY_WORDS = (*_OF_A_STAY, "room", "hotel", "pick", "goes_on", "about_it", "moves")
# How many other words a fragment about a stay may hold, alone and where a stay is being talked about.
_SPARE = 0
_SPARE_GOING_ON = 2
_LONGEST_NAME = 5  # words; "Maria da Silva e Costa"


@dataclass(frozen=True)
class Said:
    """One clause and what its words alone say."""

    clause: Clause
    acts: Acts


@dataclass(frozen=True)
class _Message:
    """The clauses of a message, asked for the classes of words that stand in them."""

    clauses: Sequence[Clause]
    lexicon: Lexicon

    def has(self, *names: str) -> bool:
        return any(self.lexicon.has(clause, name) for clause in self.clauses for name in names)

    @property
    def asks(self) -> bool:
        return any(clause.asked for clause in self.clauses)


def follow_up(said: Sequence[Said], lexicon: Lexicon, context: Context) -> Acts:
    """The message's acts with everything that hangs on the context settled."""
    message = _Message([part.clause for part in said], lexicon)
    acts = tuple(dict.fromkeys(act for part in said for act in part.acts))
    settled = tuple(_settled(act, acts, message, context) for act in acts)
    if all(act.kind in lexicon.minor for act in settled):
        rest = [part.clause for part in said if all(act.kind in _ANSWERS for act in part.acts)]
        settled = (*settled, *_fragment(_Message(rest, lexicon), context))
    return tuple(dict.fromkeys(settled))


def _settled(act: Act, acts: Acts, message: _Message, context: Context) -> Act:
    """One of the message's acts in its context: what a yes says yes to, and what "it" is."""
    but = message.has("but")
    match act.kind:
        case "confirm":
            return _yes(context, but=but, others=len(acts) > 1)
        case "acknowledge" if message.has("assent") and not but:
            return Act("confirm") if context.has_offer and context.last_act in _OFFER_ACTS else act
        case "cancel_booking" | "change_booking" if not message.has("booking", "ref"):
            return _without_booking(act, message, context)
        case "availability" | "book" if _changing(context) and message.has(*_OF_A_STAY):
            return Act("change_booking")
        case "lookup_booking" if context.has_offer and message.has("confirms"):
            return Act("confirm")
        case "book":
            return _book_or_search(message, context)
        case "availability" if context.has_options and _picks(message) and not message.has("date"):
            return Act("availability") if message.asks else Act("book")
        case "price" if context.has_options and message.has("pick") and not message.asks:
            return Act("book")
        case "price" if not message.has("room", "type", "roomno", "date"):
            return next((other for other in acts if other.kind == "guide"), None) or _again(context) or act
    return act


def _yes(context: Context, *, but: bool, others: bool) -> Act:
    if context.has_offer:
        return Act("acknowledge") if but else Act("confirm")
    if (context.has_options or context.asked == "pick") and not others:
        return Act("book")
    return Act("acknowledge")


def _book_or_search(message: _Message, context: Context) -> Act:
    """A wish to book comes down to a pick, a yes to the offer, or a search for what is free.

    "I want to book a Deluxe from 1 to 3 February" names no hotel: rooms are listed before one is picked.
    """
    if context.has_offer and not message.has("date", "hotel", "roomno") and not message.asks:
        return Act("confirm")
    about_a_stay = message.has("date") or (not context.has_options and message.has("type", "many", "length"))
    return Act("availability") if about_a_stay and not _picks(message) else Act("book")


def _without_booking(act: Act, message: _Message, context: Context) -> Act:
    """A wish to cancel or change that names no booking: the guest's own, or the offer that stands."""
    if act.kind == "change_booking":
        before = _before_booking(context) and not _own(context)
        return Act("availability") if before else act
    if not context.has_offer:
        return act
    # "Cancel it" takes a cancellation that was offered, and turns every other offer down.
    return Act("confirm" if context.last_act == "cancel_booking" and not message.asks else "refuse")


def _own(context: Context) -> bool:
    """Whether the guest's own booking is being talked about."""
    return context.asked == "change" or context.last_act in _OWN_ACTS


def _changing(context: Context) -> bool:
    return context.asked == "change" or context.last_act == "change_booking"


def _before_booking(context: Context) -> bool:
    return context.has_offer or context.has_options


def _picks(message: _Message) -> bool:
    return message.has("hotel", "roomno", "pick")


def _again(context: Context) -> Act | None:
    """The entry of the house guide, or the kind of place, that the desk answered about last."""
    if context.last_act in ("guide", "nearby") and context.last_topic:
        return Act(context.last_act, context.last_topic)
    return None


def _fragment(message: _Message, context: Context) -> Acts:
    """What a message without a subject of its own goes on with; nothing when nothing fits."""
    if context.asked == "name" and _like_a_name(message):
        return (Act("book"),)
    if _changing(context) and message.has(*_OF_A_STAY):
        return (Act("change_booking"),)
    goes_on = message.asks or message.has("goes_on")
    picks = _picks(message) or (message.has("type") and not message.has("date"))
    if picks and not goes_on and (context.has_options or context.asked == "pick"):
        return (Act("book"),)
    stays = message.has(*_OF_A_STAY)
    again = _again(context)
    if message.has("hotel") and not stays and again:
        return (again,)
    in_a_stay = context.last_act in _STAY_ACTS or context.asked is not None
    if _other_words(message) > (_SPARE_GOING_ON if in_a_stay or again else _SPARE):
        return ()
    if stays or (message.has("hotel") and goes_on) or (message.has("room") and in_a_stay):
        return (Act(context.last_act if context.last_act in ("price", "rooms") else "availability"),)
    if message.has("about_it") and message.asks:
        if again:
            return (again,)
        return (Act(context.last_act),) if context.last_act in ("availability", "price") else ()
    return ()


def _like_a_name(message: _Message) -> bool:
    if len(message.clauses) != 1 or message.asks:
        return False
    words = message.clauses[0].words
    strange = any(word.isalpha() and not message.lexicon.is_known(word) for word in words)
    return len(words) <= _LONGEST_NAME and strange


def _other_words(message: _Message) -> int:
    """How many words mean something that has nothing to do with a stay."""
    count = 0
    for clause in message.clauses:
        matcher = message.lexicon.matcher(clause)
        stay: Span = frozenset().union(*(matcher.span(name) for name in _STAY_WORDS))
        rest = (word for i, word in enumerate(clause.words) if i not in stay and i not in clause.capitals)
        count += sum(word.isalpha() and word not in message.lexicon.function for word in rest)
    return count
