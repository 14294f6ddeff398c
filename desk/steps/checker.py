"""checker: code that lets nothing ungrounded through. rewrite: gives the writer the list of problems, once."""

from __future__ import annotations

from typing import Any, Literal

from langgraph.runtime import Runtime

from desk.briefing import brief
from desk.context import TurnContext
from desk.errors import ModelError
from desk.grounding import draft_problems, load_facts, mark
from desk.models import calls
from desk.prose import Rules
from desk.records import Fact

ROLES = {"merge": "merger", "reservation": "reservation", "web_search": "web", "direct": "direct"}


def checker(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Check every draft: facts exist and are this turn's or marked, order and rules hold, prose is clean.

    The verdict is `clean`, `rewrite` (the first failure) or `plain`: after a second failure the reply is the
    fact lines alone, in a plain frame.
    """
    context = runtime.context
    facts = {fact.id: fact for fact in load_facts(state["facts"])}
    rules = context.parts.rules
    found = [_problems(draft, facts, context.turn, rules) for draft in state["drafts"]]
    problems = [problem for per_draft in found for problem in per_draft]
    before = state["checks"]
    retries = before.get("retries", 0)
    checks = {
        "grounded": not problems if state["facts"] or problems else None,
        "translated": None,
        "retries": retries,
        "problems": [*before.get("problems", []), *problems],
    }
    if not problems:
        return {"checks": checks, "verdict": "clean"}
    if retries == 0:
        return {"checks": checks, "verdict": "rewrite"}
    plain = [_plain(d, facts) if bad else d for d, bad in zip(state["drafts"], found, strict=True)]
    return {"checks": {**checks, "grounded": True, "plain": True}, "verdict": "plain", "drafts": plain}


def verdict(state: dict[str, Any]) -> Literal["rewrite", "translate_out"]:
    """Where a checked draft goes."""
    return "rewrite" if state["verdict"] == "rewrite" else "translate_out"


def rewrite(state: dict[str, Any], runtime: Runtime[TurnContext]) -> dict[str, Any]:
    """Ask the writers of the bad drafts again, with the list of what was wrong."""
    context = runtime.context
    facts = {fact.id: fact for fact in load_facts(state["facts"])}
    rules = context.parts.rules
    drafts = []
    for draft in state["drafts"]:
        problems = _problems(draft, facts, context.turn, rules)
        drafts.append({**draft, "text": _again(draft, problems, facts, context)} if problems else draft)
    checks = {**state["checks"], "retries": state["checks"]["retries"] + 1}
    return {"drafts": drafts, "checks": checks}


def _again(draft: dict[str, Any], problems: list[str], facts: dict[str, Fact], context: TurnContext) -> str:
    role = ROLES.get(draft["writer"])
    if role is None:
        return str(draft["text"])
    expected = {i: context.parts.catalogue.fact(facts[i], "en") for i in draft["expected"] if i in facts}
    messages = brief(
        context.parts.procedures.text("rewrite"),
        [],
        draft=draft["text"],
        problems=problems,
        facts=expected,
        arrangement=draft["expected"],
    )
    try:
        return calls.ask(context, role, messages).text
    except ModelError:
        return str(draft["text"])  # the second check then falls back to the plain form


def _problems(draft: dict[str, Any], facts: dict[str, Fact], turn: int, rules: Rules) -> list[str]:
    expected = [facts[i] for i in draft["expected"] if i in facts]
    return draft_problems(draft["text"], facts, expected, turn, rules)


def _plain(draft: dict[str, Any], facts: dict[str, Fact]) -> dict[str, Any]:
    expected = [facts[i] for i in draft["expected"] if i in facts]
    frame = draft["frame"] if expected or draft["frame"] else "not_understood"
    return {**draft, "text": mark(expected), "frame": frame}
