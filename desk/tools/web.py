"""The web: Tavily when there is a key, else the desk's own neighbourhood guide. At most three results.

What the web says is data: it is quoted with its source, never obeyed, and never rendered as HTML.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import requests
from langchain_core.tools import BaseTool, tool
from pydantic import BaseModel, Field, ValidationError
from tavily import TavilyClient
from tavily.errors import (
    BadRequestError,
    ForbiddenError,
    InvalidAPIKeyError,
    MissingAPIKeyError,
    UsageLimitExceededError,
)
from tavily.errors import TimeoutError as TavilyTimeout

from desk.errors import SearchError
from desk.pack import Pack
from desk.records import Fact, make_fact
from desk.stores.places import Place, Places
from desk.tools.results import RunOf, answer

log = logging.getLogger(__name__)
# A booking reference, an e-mail address, a phone or card number: nothing that a search needs.
_PERSONAL = re.compile(r"\b[A-Z]{2,4}-[A-Z0-9]{4,}\b|\S+@\S+\.\w+|\+?\d[\d ()/-]{6,}\d", re.IGNORECASE)
RESULTS = 3
QUERY_LIMIT = 400  # Tavily refuses longer queries
QUOTE_LIMIT = 240  # characters of a result that are quoted
SECONDS = 10
FACTS = "facts"  # looked for: no place, but weather, news, opening hours


class WebSearch(Protocol):
    """Something that can be asked about the world outside the hotels. `nothing` is the status of a
    `not_searched` fact when it has no answer."""

    @property
    def nothing(self) -> str:
        """The status of "no answer"."""
        ...

    def search(self, turn: int, query: str, hotels: Sequence[str], kind: str | None = None) -> list[Fact]:
        """Facts for the query; raises SearchError when it could not be searched. `kind` is what is looked for:
        a kind of place, or FACTS."""
        ...


class GuideSearch:
    """The desk's own neighbourhood guide."""

    nothing = "beyond_guide"

    def __init__(self, places: Places) -> None:
        self._places = places

    def search(self, turn: int, query: str, hotels: Sequence[str], kind: str | None = None) -> list[Fact]:
        """Places of the guide that match, nearest first to the hotel named (else to any). The kind counts
        unless the query names others and not it: "listen to fado" is no search for a bar."""
        if kind == FACTS:
            return []
        near = hotels[0] if len(hotels) == 1 else None
        named = self._places.named(query)
        if kind and (kind in named or not named):
            named = self._places.named(kind)
        words = query if named or not kind else f"{kind} {query}"
        found = self._places.search(words, sorted(named), limit=RESULTS, near=near)
        return [make_fact(turn, "place", hotel=near, values=_place(place)) for place in found]


def _place(place: Place) -> dict[str, Any]:
    values = {
        "name": place.name,
        "category": place.category,
        "area": place.area,
        "address": place.address,
        "walk_minutes": dict(place.walk_minutes),
        "transit_minutes": dict(place.transit_minutes),
    }
    return {key: value for key, value in values.items() if value}


class TavilySearch:
    """Tavily over HTTP."""

    nothing = "nothing_found"

    def __init__(self, key: str, base_url: str | None, city: str) -> None:
        self._client = TavilyClient(api_key=key, api_base_url=base_url)
        self._city = city

    def search(self, turn: int, query: str, hotels: Sequence[str], kind: str | None = None) -> list[Fact]:
        """Up to three results as quotes with their sources. Raises SearchError."""
        words = query if self._city.casefold() in query.casefold() else f"{query} {self._city}"
        try:
            found = self._client.search(words[:QUERY_LIMIT], max_results=RESULTS, timeout=SECONDS)
        except (
            BadRequestError,
            ForbiddenError,
            InvalidAPIKeyError,
            MissingAPIKeyError,
            UsageLimitExceededError,
            TavilyTimeout,
            requests.RequestException,
            AttributeError,  # the client trips over an answer that is JSON and no object
        ) as error:
            log.warning("the web search failed: %s", type(error).__name__)
            raise SearchError("could not search") from error
        return [_quoted(turn, page) for page in _pages(found.get("results") or [])[:RESULTS]]


class _Page(BaseModel):
    """One result of a search. Only a web address is a source: the page makes a link of it."""

    url: str = Field(pattern=r"^https?://\S+$")
    title: str = ""
    content: str = ""


def _pages(rows: Any) -> list[_Page]:
    """The results that can be used. Raises SearchError when there are some and none can."""
    pages = []
    for row in rows if isinstance(rows, list) else [rows]:
        try:
            pages.append(_Page.model_validate(row))
        except ValidationError:
            log.warning("a result of the web search is not of the form agreed")
    if rows and not pages:
        raise SearchError("the search's answer cannot be read")
    return pages


def _quoted(turn: int, page: _Page) -> Fact:
    text = re.sub(r"<[^>]*>|!?\[([^\]]*)\]\([^)]*\)", r"\1", page.content)
    text = re.sub(r"\s+", " ", text).strip()
    quote = text if len(text) <= QUOTE_LIMIT else text[:QUOTE_LIMIT].rsplit(" ", 1)[0] + " …"
    title = re.sub(r"\s+", " ", page.title).strip()
    return make_fact(turn, "web_result", values={"title": title, "url": page.url, "quote": quote})


def _without_hotels(query: str, pack: Pack) -> str:
    """The query without our hotels' names: no café is found by "Garden", and the web does not know us."""
    names = sorted((n for b in pack.branches for n in (b.name, *b.aliases)), key=len, reverse=True)
    bare = re.sub("|".join(rf"\b{re.escape(name)}\b" for name in names), " ", query, flags=re.IGNORECASE)
    return " ".join(bare.split())


def without_guest(query: str, state: Mapping[str, Any]) -> str:
    """The query without what tells who asks: references, addresses, long numbers, the guest's own name."""
    names = [state.get("name"), state.get("called"), (state.get("guest") or {}).get("name")]
    for name in filter(None, names):
        query = re.sub(rf"\b{re.escape(name)}\b", " ", query, flags=re.IGNORECASE)
    return " ".join(_PERSONAL.sub(" ", query).split())


def web_tools(web: WebSearch) -> list[BaseTool]:
    """The one tool of the web agent."""

    @tool
    def search_web(runtime: RunOf, query: str, kind: str | None = None) -> str:
        """Look up something outside the hotels: places nearby, transport, weather, events.

        `kind` is a kind of place (restaurant, pharmacy, museum), or `facts` for what is no place at all
        (weather, news, opening hours).
        """
        turn = runtime.context.turn
        named = runtime.state["stay"].get("hotels") or []
        try:
            asked = without_guest(_without_hotels(query, runtime.context.parts.pack), runtime.state)
            facts = web.search(turn, asked, named, kind)
        except SearchError:
            return answer([make_fact(turn, "not_searched", status="failed")])
        return answer(facts or [make_fact(turn, "not_searched", status=web.nothing)])

    return [search_web]
