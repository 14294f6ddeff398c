"""The rehearsal model: a deterministic chat model behind LangChain's own interface.

It ships with the desk and does the whole job for the desk's subject: it reads the briefing that any model
gets, calls the tools that it is given, and answers structured requests as forced tool calls. What it does not
understand it says. The graph cannot tell it from a live model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ConfigDict, Field

from desk.languages import Language
from desk.models.rehearsal.roles import (
    coordinator,
    direct,
    hotel,
    merger,
    reservation,
    summariser,
    translator,
    web,
)
from desk.models.rehearsal.subject import Subject
from desk.settings import REHEARSAL

Reply = Callable[[Subject, Sequence[BaseMessage], Sequence[str]], AIMessage]

ROLES: Mapping[str, Reply] = {
    "translator": translator.reply,
    "coordinator": coordinator.reply,
    "hotel": hotel.reply,
    "merger": merger.reply,
    "reservation": reservation.reply,
    "web": web.reply,
    "direct": direct.reply,
    "summariser": summariser.reply,
}


class RehearsalModel(BaseChatModel):
    """One role of the rehearsal model."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    role: str
    subject: Subject = Field(repr=False)  # LangChain writes out the model at every call; this is all its data

    @property
    def _llm_type(self) -> str:
        return REHEARSAL

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Make these tools known to the model; with `tool_choice` the answer is that call."""
        return self.bind(tools=[_name_of(tool) for tool in tools], **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        message = ROLES[self.role](self.subject, messages, kwargs.get("tools", []))
        return ChatResult(generations=[ChatGeneration(message=message)])


def _name_of(tool: dict[str, Any] | type | Callable[..., Any] | BaseTool) -> str:
    """The tool's name. Its schema, which a live model needs, takes milliseconds to write out: not here."""
    if isinstance(tool, BaseTool):
        return tool.name
    if isinstance(tool, type):
        return tool.__name__
    return str(convert_to_openai_tool(tool)["function"]["name"])


@dataclass(frozen=True)
class RehearsalModels:
    """The rehearsal model in every role. `subject` is what it knows of the desk's subject."""

    subject: Subject
    name: str = REHEARSAL
    rehearsal: bool = True

    def chat(self, role: str) -> BaseChatModel:
        """The rehearsal model in this role."""
        return self._roles[role]

    @cached_property
    def _roles(self) -> Mapping[str, BaseChatModel]:
        return {role: RehearsalModel(role=role, subject=self.subject) for role in ROLES}


def rehearsal_models(languages: Mapping[str, Language], hotels: Sequence[str]) -> RehearsalModels:
    """The rehearsal model over these languages' data files; `hotels` are names that pass untranslated."""
    return RehearsalModels(Subject.of(languages, hotels))
