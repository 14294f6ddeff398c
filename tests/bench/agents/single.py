"""One agent with all hotels' tools: the first rival of the desk's graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import Field, create_model

from desk.context import Parts
from desk.tools.hotel import hotel_tools
from desk.tools.results import RunOf, refuse
from tests.bench.agents.common import OWN_WORDS, Graph, tool_loop

HERE = "You alone answer, for all hotels of the block Hotels: ask your tools about each of them."


def single_agent(parts: Parts, *, parallel: bool) -> Graph:
    """The agent. With `parallel` it asks about all hotels in one round, else about one a round."""
    procedures = parts.procedures
    text = "\n\n".join(
        (procedures.text("hotel", hotel="every hotel"), procedures.text("merge"), HERE, OWN_WORDS)
    )
    return tool_loop(parts.models.chat("hotel"), text, tools_for_all(parts), parallel=parallel)


def tools_for_all(parts: Parts) -> list[BaseTool]:
    """The hotels' tools as one set that takes the hotel as an argument.

    That keeps the rival lean: each hotel's own four would be 200 definitions at fifty hotels, in every call.
    """
    own = {
        branch.id: {tool.name: tool for tool in hotel_tools(branch, parts.hotels, parts.pack.currency)}
        for branch in parts.pack.branches
    }
    names = next(iter(own.values()))
    return [_for_any({hotel: tools[name] for hotel, tools in own.items()}) for name in names]


def _for_any(own: Mapping[str, BaseTool]) -> BaseTool:
    """One tool that hands its call on to the tool of the hotel that it names."""
    one: Any = next(iter(own.values()))
    schema = create_model(
        one.name, __base__=one.args_schema, hotel=(str, Field(description="the hotel's id"))
    )

    def look(runtime: RunOf, hotel: str, **given: Any) -> str:
        if hotel not in own:
            return refuse("no such hotel")
        asked: Any = own[hotel]
        return str(asked.func(runtime=runtime, **given))

    return StructuredTool.from_function(look, name=one.name, description=one.description, args_schema=schema)
