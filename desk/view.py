"""A finished or running turn → what the guest's page shows. No streamlit here: this decides, pages draw.

Texts come out ready for one language (`PageTexts`); what people wrote and what the desk replied comes out
as it is, and `literal_html` is the one way to put it on a page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from babel.dates import format_skeleton
from babel.numbers import format_currency, format_decimal

from desk.page_texts import PageTexts

if TYPE_CHECKING:  # the desk's own modules are heavy, and the first paint does not wait for them
    import datetime as dt

    from desk.progress import Step
    from desk.records import Offer
    from desk.stores.turnlog import LoggedTurn
    from desk.turn import Source, Turn

PENDING = ("queued", "running")
CUT_OFF = ("interrupted", "stopped", "failed")
SHOWN_HOTELS = 4
# Records that say what the desk could not find out or did: true, but nothing that was looked up.
NOT_LOOKED_UP = {"not_checked", "not_searched", "date_problem", "staff_request", "said"}

# A phone number, a price with its currency, and a span of times or numbers: in a right-to-left line their
# parts would change places ("+351 21 555 0199" reads "555 21 351+"), so each stands isolated.
_NUMBERS = re.compile(
    r"\+?\(?\d[\d()]*(?:[  \-./]\(?\d+\)?){2,}"  # phone numbers and dates with separators
    r"|\+\d{6,}"
    r"|[€$£]\s?\d[\d.,  ]*\d|[€$£]\s?\d"
    r"|\d[\d.,  ]*\s?(?:[€$£]|EUR\b|USD\b|GBP\b)"
    r"|\d{1,2}[:.]\d{2}"
)


@dataclass(frozen=True)
class Link:
    """A source under a reply: the host's name to read, the address to follow (empty: nothing to follow)."""

    label: str
    url: str


@dataclass(frozen=True)
class Card:
    """An offer that stands, or a booking that was written, ready to be read in one language.

    `words` are the texts of an offer's card: `label`, `confirm`, `change`, `decline`, `note` and what each
    button says for the guest; `label` alone for a booking.
    """

    id: str
    title: str
    fields: tuple[tuple[str, str], ...]
    words: Mapping[str, str]


@dataclass(frozen=True)
class Exchange:
    """One guest message and what stands under it.

    `trouble` is `interrupted`, `stopped` or `failed` when the message was not answered: `reply` is then the
    desk's honest line, or empty, and the page offers to answer after all.
    """

    number: int
    text: str
    status: str
    reply: str = ""
    language: str = ""
    trust: str = ""
    sources: tuple[Link, ...] = ()
    offer: Card | None = None
    booking: Card | None = None
    trouble: str | None = None

    @property
    def pending(self) -> bool:
        """True while the desk still has to answer."""
        return self.status in PENDING


@dataclass(frozen=True)
class StepLine:
    """One line of what the desk is doing now."""

    text: str
    done: bool


def literal_html(text: str) -> str:
    """`text` as HTML that shows it exactly as typed, with numbers kept together in right-to-left lines."""
    escaped = html.escape(text)
    return _NUMBERS.sub(lambda found: f'<bdi dir="ltr">{found.group()}</bdi>', escaped)


def hotel_line(hotels: Sequence[str], texts: PageTexts) -> str:
    """The hotels' names in one line; of many, the first few and how many more."""
    shown = list(hotels[:SHOWN_HOTELS])
    if len(hotels) > SHOWN_HOTELS:
        shown.append(texts("more_hotels", n=len(hotels) - SHOWN_HOTELS))
    return " · ".join(shown)


def day(date: dt.date, texts: PageTexts) -> str:
    """A date with its weekday and year, as the language writes it."""
    return format_skeleton("yMMMEd", date, locale=texts.locale)


def money(amount: float, currency: str, texts: PageTexts) -> str:
    """An amount in its currency, as the language writes it."""
    return format_currency(amount, currency, locale=texts.locale)


def _card(stay: Offer, texts: PageTexts, hotels: Mapping[str, str]) -> Card:
    fields = [
        *([(texts("offer.rooms"), ", ".join(room.room for room in stay.rooms))] if stay.rooms else []),
        (texts("offer.arrival"), day(stay.arrival, texts)),
        (texts("offer.departure"), day(stay.departure, texts)),
        (texts("offer.nights"), str(stay.nights)),
        (texts("offer.total"), money(stay.total, stay.currency, texts)),
    ]
    if stay.fee is not None:
        fields.append((texts("offer.fee"), money(stay.fee, stay.currency, texts)))
    if stay.reference:
        fields.insert(0, (texts("booking.reference"), stay.reference))
    what = (
        f"{stay.type} {stay.room}" if not stay.rooms else " + ".join(f"{r.type} {r.room}" for r in stay.rooms)
    )
    title = f"{hotels.get(stay.hotel, stay.hotel)} · {what}"
    return Card(stay.id, title, tuple(fields), _card_words(stay, texts))


def _card_words(stay: Offer, texts: PageTexts) -> dict[str, str]:
    """The card's texts: a booking's label by its status; an offer's by what confirming it would do."""
    if stay.status != "offered":
        return {"label": texts(f"booking.{stay.status}")}
    table = "offer" if stay.action == "book" else stay.action
    keys = ("label", "confirm", "decline", "say_confirm", "say_decline", "note")
    own = {key: texts(f"{table}.{key}") for key in keys}
    if stay.action == "cancel":
        return own
    return {**own, "change": texts("offer.change"), "say_change": texts("offer.say_change")}


def trust_line(turn: Turn, texts: PageTexts) -> str:
    """What makes a reply worth believing, in one line: hotels asked, facts grounded, seconds."""
    parts = []
    answered = [branch for branch in turn.branches.values() if branch.status in ("ok", "empty")]
    if answered:
        parts.append(texts.count("trust.hotels", len(answered)))
    facts = [fact for fact in turn.facts if fact.kind not in NOT_LOOKED_UP]
    if turn.checks.grounded and facts:
        parts.append(texts.count("trust.facts", len(facts)))
    seconds = format_decimal(max(turn.seconds, 0.1), format="0.0", locale=texts.locale)
    parts.append(texts("trust.seconds", seconds=seconds))
    return " · ".join(parts)


def links(sources: Iterable[Source], own: str) -> tuple[Link, ...]:
    """Sources as links by host name. Only web addresses can be followed; what has none is the desk's `own` guide."""
    found: dict[str, Link] = {}
    for source in sources:
        parts = urlsplit(source.url)
        safe = parts.scheme in ("http", "https") and bool(parts.hostname)
        label = (parts.hostname or "").removeprefix("www.") if safe else (source.title if source.url else own)
        if label:
            found.setdefault(source.url or label, Link(label, source.url if safe else ""))
    return tuple(found.values())


def _exchange(logged: LoggedTurn, texts: PageTexts, hotels: Mapping[str, str], stands: bool) -> Exchange:
    turn = logged.turn
    trouble = logged.status if logged.status in CUT_OFF else None
    if turn is None or not turn.reply or logged.status == "interrupted":
        if logged.status not in PENDING and trouble is None:
            trouble = "failed"  # a turn that ended without a reply
        return Exchange(logged.number, logged.text, logged.status, trouble=trouble)
    booking = turn.booking
    return Exchange(
        logged.number,
        logged.text,
        logged.status,
        reply=turn.reply,
        language=turn.language,
        trust="" if trouble else trust_line(turn, texts),
        sources=links(turn.sources, texts("trust.own_guide")),
        offer=_card(turn.offer, texts, hotels) if turn.offer and stands else None,
        booking=_card(booking, texts, hotels) if booking else None,
        trouble=trouble,
    )


def conversation(log: Sequence[LoggedTurn], texts: PageTexts, hotels: Mapping[str, str]) -> list[Exchange]:
    """The whole conversation. Only the last answered turn's offer stands, so only it becomes a card.

    A turn that was stopped or failed changed nothing, so an offer from before it still stands.
    """
    finished = [logged.number for logged in log if logged.status == "done"]
    last = finished[-1] if finished else 0
    return [_exchange(logged, texts, hotels, logged.number == last) for logged in log]


def branch_of(node: str, hotels: Iterable[str]) -> str | None:
    """The branch that a node belongs to (`hotel1_tools` → `hotel1`), or None."""
    base = node.removesuffix("_tools").removesuffix("_done")
    return base if base in hotels else None


def step_lines(steps: Iterable[Step], texts: PageTexts, hotels: Mapping[str, str]) -> list[StepLine]:
    """What the desk has done and is doing, in plain words, each line once, in the order it began.

    A hotel's line is done when its branch has reported; steps that mean nothing to a guest have no line.
    """
    lines: dict[str, bool] = {}
    for step in steps:
        branch = branch_of(step.name, hotels)
        if branch:
            text = texts("steps.branch", hotel=hotels[branch])
            ended = step.name.endswith("_done") and step.state == "ended"
        else:
            text = str(texts.get(f"steps.{step.name}") or "")
            ended = step.state == "ended"
        if text:
            lines[text] = ended or (bool(branch) and lines.get(text, False))
    return [StepLine(text, done) for text, done in lines.items()]
