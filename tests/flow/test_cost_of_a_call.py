"""What a call carries: nothing that would be copied or written out along with it, however large the desk is."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.prebuilt import ToolRuntime

from desk.context import Parts
from desk.models.rehearsal.model import RehearsalModels
from desk.tools.hotel import hotel_tools
from desk.tools.recall import recall_tools
from desk.tools.reservation import reservation_tools
from desk.tools.web import web_tools


def tools_of(parts: Parts) -> list[Any]:
    """Every tool that the desk has."""
    hotels = [
        t for branch in parts.pack.branches for t in hotel_tools(branch, parts.hotels, parts.pack.currency)
    ]
    return [*hotels, *reservation_tools(parts.hotels, "EUR"), *web_tools(parts.web), *recall_tools()]


def test_a_tool_call_does_not_copy_the_desk(shared: Parts) -> None:
    """LangChain copies a call's arguments; the run that comes with them is left out of the copy."""
    for tool in tools_of(shared):
        runtime = ToolRuntime(
            state={}, context=shared, config={}, stream_writer=lambda _: None, tool_call_id="c", store=None
        )
        given = tool.args_schema.model_validate({"runtime": runtime, "query": "q", "sql": "s"})
        assert given.model_dump()["runtime"] is None, tool.name
        assert given.runtime is runtime
        assert "runtime" not in convert_to_openai_tool(tool)["function"]["parameters"]["properties"]


@pytest.mark.parametrize("role", ["hotel", "coordinator"])
def test_a_model_writes_itself_out_shortly(shared: Parts, role: str) -> None:
    """LangChain writes a model out at every call; the rehearsal model's word lists do not go along."""
    assert isinstance(shared.models, RehearsalModels)
    assert len(repr(shared.models.chat(role))) < 500
