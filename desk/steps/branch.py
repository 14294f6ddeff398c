"""The hotel branches: one factory makes every branch, bound to its own tools, messages and database."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langchain_core.messages.tool import tool_call
from langchain_core.tools import BaseTool
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from desk.briefing import blocks, shortened
from desk.context import TurnContext
from desk.errors import BudgetSpent, DeskError, ModelSlow, TurnStopped
from desk.handoff import asked_hotels
from desk.logs import without_words
from desk.models import calls
from desk.models.answers import new_id
from desk.pack import Branch
from desk.records import Fact, make_fact
from desk.state import message_key
from desk.tools.results import all_failed, facts_of, rounds_of, tool_failed

log = logging.getLogger(__name__)
LOOK = "find_rooms"  # it takes what it is not given from the guest's stay
HISTORY = 6  # shared messages that a branch sees; older ones are in the summary
# Of each of them, at most so much: every branch reads it, and a reply about fifty hotels has fifty lines.
HISTORY_CHARACTERS = 600

Step = Callable[[dict[str, Any], Runtime[TurnContext]], dict[str, Any]]


@dataclass(frozen=True)
class BranchNodes:
    """The nodes of one branch, and the condition that sends it to its tools or to its end."""

    agent: Step
    tools: ToolNode
    route: Callable[[dict[str, Any], Runtime[TurnContext]], str]
    done: Step


def make_mapper(order: Sequence[str]) -> Step:
    """The node that gives each branch asked the same bounded view, and clears what it kept from before.

    A branch that an earlier handoff of this turn asked, and this one does not, keeps what it has found.
    """

    def mapper(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
        asked = asked_hotels(state, order)
        view = _view(state)
        keys: dict[str, Any] = {
            message_key(branch): Overwrite(
                [HumanMessage(view, id=f"view-{branch}")] if branch in asked else []
            )
            for branch in order
            if branch in asked or branch not in state["branch_status"]
        }
        return {**keys, "branch_spent": dict.fromkeys(asked, 0.0)}

    return mapper


def _view(state: dict[str, Any]) -> str:
    handoff = state["handoffs"][state["current"]]
    before = state["messages"][:-1][-HISTORY:]
    recent = [f"{message.type}: {shortened(message.text, HISTORY_CHARACTERS)}" for message in before]
    calm = "The guest is upset: no small talk." if state["sentiment"]["deescalate"] else None
    return blocks(
        summary=state.get("summary") or None,
        conversation="\n".join(recent) or None,
        stay=state["stay"],
        superlative=state["ask"]["superlative"],
        calm=calm,
        message=state["english"],
        task=handoff["task"],
        completion_criteria=handoff["completion_criteria"],
    )


def make_branch(branch: Branch, tools: Sequence[BaseTool]) -> BranchNodes:
    """One branch: its agent, its own tool node, its route and its end."""
    key = message_key(branch.id)

    def agent(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
        """Ask this hotel's assistant. Whatever goes wrong stays inside the branch."""
        context = runtime.context
        procedure = context.parts.procedures.text("hotel", hotel=branch.name)
        # Its own seconds alone: in lockstep it also waits for the others, which is not its doing.
        spent, begun = state["branch_spent"].get(branch.id, 0.0), context.budget.monotonic()
        try:
            messages = [SystemMessage(procedure), *state[key]]
            limit = context.parts.branch_seconds - spent  # for the whole branch, however many rounds it takes
            answer = _first_look(state, key) or calls.ask(
                context, "hotel", messages, tools=tools, seconds=limit
            )
        except ModelSlow:
            return {key: [_ended("timed_out")]}
        except (TurnStopped, BudgetSpent):
            raise
        except DeskError:
            return {key: [_ended("failed")]}
        except Exception as error:  # a bug in one branch must not take the other hotels' answers with it
            log.error("branch %s failed: %s", branch.id, without_words(error))  # noqa: TRY400 - may quote a guest
            return {key: [_ended("failed")]}
        return {key: [answer], "branch_spent": {branch.id: spent + context.budget.monotonic() - begun}}

    def route(state: dict[str, Any], runtime: Runtime[TurnContext]) -> str:
        if rounds_of(state[key]) > runtime.context.parts.settings.budget_rounds:
            return f"{branch.id}_done"
        onward = tools_condition(state, messages_key=key)
        return f"{branch.id}_tools" if onward == "tools" else f"{branch.id}_done"

    def done(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
        """Settle the branch: its status, and the facts that its tools gave."""
        facts = facts_of(state[key])
        status = _status(state[key], facts)
        if status in ("failed", "timed_out"):
            facts = [make_fact(runtime.context.turn, "not_checked", status=status, hotel=branch.id)]
        return {
            "branch_status": {branch.id: status},
            "facts": [fact.model_dump(mode="json") for fact in facts],
        }

    return BranchNodes(
        agent, ToolNode(list(tools), messages_key=key, handle_tool_errors=tool_failed), route, done
    )


def _first_look(state: dict[str, Any], key: str) -> AIMessage | None:
    """The first call, where it is plain: a task about free rooms, from a message that tells of a stay with dates.

    Code makes it then, and the assistant begins with its result: one model call less, one after the other.
    """
    handoff = state["handoffs"][state["current"]]
    told = handoff["action"] == "look" and state["ask"]["fresh"] and state["stay"].get("arrival")
    if not told or rounds_of(state[key]):
        return None
    return AIMessage("", tool_calls=[tool_call(name=LOOK, args={}, id=new_id())])


def _ended(status: str) -> AIMessage:
    return AIMessage(f"[{status}]", additional_kwargs={"status": status})


def _status(messages: Sequence[AnyMessage], facts: Sequence[Fact]) -> str:
    last = messages[-1] if messages else None
    if isinstance(last, AIMessage) and "status" in last.additional_kwargs:
        return str(last.additional_kwargs["status"])
    if facts:
        return "ok"
    if all_failed(messages) or not isinstance(last, AIMessage) or last.tool_calls:
        return "failed"
    if not rounds_of(messages):
        return "failed"  # an assistant that looked nothing up has checked nothing
    return "empty"
