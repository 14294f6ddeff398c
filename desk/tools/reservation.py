"""The reservation agent's tools. The only ones that write, and each checks its own right to when it runs.

An offer is made only for the thread's own pick or its verified guest's own booking; it is carried out only
when the guest has confirmed exactly the offer that stands. Both rest on state fields that code set from the
guest's words or buttons, not on the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.tools import BaseTool, tool

from desk.errors import BookingError
from desk.records import Booking, Fact, Guest, Offer, Stay
from desk.stores.hotels import Hotels
from desk.tools.offers import Maker, offer_fact
from desk.tools.results import RunOf, answer, refuse

GRANTS: Mapping[str, tuple[str, ...]] = {
    "offer": ("make_offer",),
    "change": ("offer_change",),
    "cancel": ("offer_cancellation",),
    "book": ("book_offer",),
    "decline": ("decline_offer",),
    "own_stay": ("show_booking",),
}
NOT_GRANTED = "this handoff does not grant this tool"


def granted(state: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the tools that the handoff at work grants."""
    current = state.get("current")
    return GRANTS.get(state["handoffs"][current]["action"], ()) if current is not None else ()


def is_confirmed(state: Mapping[str, Any]) -> bool:
    """Whether the guest has confirmed exactly the offer that stands."""
    offer = state.get("offer")
    return offer is not None and state.get("confirmed") == offer["id"]


def reservation_tools(hotels: Hotels, currency: str) -> list[BaseTool]:
    """Offers for a pick, a change or a cancellation; carrying one out; taking one back; showing a booking."""

    def maker(runtime: RunOf) -> Maker:
        now = runtime.context.parts.clock.now()
        return Maker(hotels, currency, runtime.context.thread, runtime.context.turn, now)

    return [*_offering(hotels, maker), *_settling(hotels, maker)]


def _offering(hotels: Hotels, maker: Callable[[RunOf], Maker]) -> list[BaseTool]:
    """The tools that put something before the guest. They write nothing."""

    @tool
    def make_offer(runtime: RunOf) -> str:
        """Put what the guest picked before them as an offer. Writes nothing."""
        picks = [Fact.model_validate(pick) for pick in runtime.state.get("picks") or ()]
        if "make_offer" not in granted(runtime.state) or not picks:
            return refuse(NOT_GRANTED)
        return maker(runtime).offer(picks, Stay.model_validate(runtime.state["stay"]))

    @tool
    def offer_change(runtime: RunOf) -> str:
        """Put the change that the verified guest asked for before them, with what it costs. Writes nothing."""
        booking = _own(runtime, "offer_change", hotels)
        if booking is None:
            return refuse(NOT_GRANTED)
        return maker(runtime).change(booking, runtime.state["ask"].get("change") or {})

    @tool
    def offer_cancellation(runtime: RunOf) -> str:
        """Put the cancellation of the verified guest's booking before them, with what it costs."""
        booking = _own(runtime, "offer_cancellation", hotels)
        return refuse(NOT_GRANTED) if booking is None else maker(runtime).cancellation(booking)

    return [make_offer, offer_change, offer_cancellation]


def _settling(hotels: Hotels, maker: Callable[[RunOf], Maker]) -> list[BaseTool]:
    """The tools that carry out or take back what stands, and the one that shows what is stored."""

    @tool
    def book_offer(runtime: RunOf) -> str:
        """Carry out the offer that the guest has confirmed: book, change or cancel."""
        offer = runtime.state.get("offer")
        if "book_offer" not in granted(runtime.state) or not offer or not is_confirmed(runtime.state):
            return refuse(NOT_GRANTED)
        name = runtime.state.get("name") or ""
        if offer.get("action", "book") == "book" and not name:
            return refuse("the guest's name is not known yet: ask under which name to book")
        return carry_out(Offer.model_validate(offer), name, hotels, maker(runtime))

    @tool
    def decline_offer(runtime: RunOf) -> str:
        """Take the offer off the table, as the guest asked."""
        if "decline_offer" not in granted(runtime.state):
            return refuse(NOT_GRANTED)
        return answer([], offer=None)

    @tool
    def show_booking(runtime: RunOf) -> str:
        """The verified guest's own booking."""
        booking = _own(runtime, "show_booking", hotels)
        if booking is None:
            return refuse(NOT_GRANTED)
        if booking.status == "cancelled":
            return answer([offer_fact(runtime.context.turn, "booking", booking)])
        return answer([offer_fact(runtime.context.turn, "stay", booking)])

    return [book_offer, decline_offer, show_booking]


def _own(runtime: RunOf, name: str, hotels: Hotels) -> Booking | None:
    """The verified guest's booking, when this tool is granted; None otherwise."""
    if name not in granted(runtime.state) or not runtime.state.get("guest"):
        return None
    return hotels.find_booking(Guest.model_validate(runtime.state["guest"]).reference)


def carry_out(offer: Offer, name: str, hotels: Hotels, maker: Maker) -> str:
    """Write what was confirmed; the reference comes from the stored row, never from anywhere else.

    An offer that cannot be had any more is said so with its reason, and with what is free instead.
    """
    writer = hotels.writer(offer.hotel)
    acts: Mapping[str, Callable[[], Booking]] = {
        "book": lambda: writer.book(offer, name, name.rsplit(maxsplit=1)[-1], today=maker.now.date()),
        "change": lambda: writer.change(offer, now=maker.now),
        "cancel": lambda: writer.cancel(offer, now=maker.now),
    }
    try:
        booking = acts[offer.action]()
    except BookingError as error:
        return maker.failed(offer, error.reason)
    fact = offer_fact(maker.turn, "booking", booking)
    return answer([fact], offer=None, booking=booking.model_dump(mode="json"))
