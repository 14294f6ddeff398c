"""The runner: one turn from the guest's text to the Turn object, through the graph.

It is what the desk's worker calls. It gives the run its context and budget, follows it, and turns what came
out into the Turn. What cannot be answered ends in an honest line from the catalogue, which needs no model.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage
from langgraph.graph.state import CompiledStateGraph

from desk.briefing import blocks
from desk.context import Budget, Fold, Parts, TurnContext
from desk.errors import BudgetSpent, ModelError
from desk.folding_guard import FoldedTurn, guarded, within_budget
from desk.honest import LIMIT, MODEL_GONE, Honest
from desk.models import calls
from desk.progress import Progress
from desk.state import fresh_turn, message_key
from desk.stores.checkpoints import Checkpoints
from desk.stores.spending import Spending
from desk.stores.turnlog import TurnLog
from desk.trace import Trace
from desk.translating import Translating
from desk.turn import BranchLog, BranchMessage, Checks, HandoffRecord, ModelUse, Source, Turn
from desk.worker import Job, Why

log = logging.getLogger(__name__)
MAX_MESSAGES = 6  # stored messages, the new guest message counted, above which history is folded
PARALLEL = 64  # nodes at once: LangGraph's own pool is too small for fifty hotels
STEPS = 200  # super-steps; budgets end a turn long before
# Why a thread needs a person while a message of it is not answered
GONE = "unanswered: model gone"
LIMITED = "unanswered: limit of the day"
ROLES = {"human": "human", "ai": "ai", "tool": "tool", "system": "system"}


class GraphRunner:
    """Answers turns with the compiled graph. Safe to call from several workers at once."""

    def __init__(
        self,
        parts: Parts,
        graph: CompiledStateGraph[Any, TurnContext, Any, Any],
        checkpoints: Checkpoints,
        turnlog: TurnLog,
    ) -> None:
        self._parts = parts
        self._graph = graph
        self._checkpoints = checkpoints
        self._log = turnlog
        self._spending = Spending(turnlog)
        self._honest_lines = Honest(parts)
        self._translating = Translating(parts)

    def run(self, job: Job, progress: Progress) -> Turn:
        """Run the graph for this message. Raises TurnStopped when the guest stopped it."""
        reached = self._limit_reached(job)
        if reached:
            self._flag(job, LIMITED)
            return self._honest(job, LIMIT, reached, budget=self._budget(time.perf_counter()))
        self._spending.begin_run(job.thread)
        base = self._log.start_from(job.thread, job.turn, self._checkpoints.newest(job.thread))
        self._checkpoints.forget_since(job.thread, base)  # what a cut run of this turn left behind
        self._checkpoints.keep_last(
            job.thread
        )  # not after the run: until its result is stored it may run again
        trace = Trace(progress)
        context = self._context(job, progress, trace.started)
        try:
            state = self._follow(job, context, trace)
        except (BudgetSpent, ModelError) as error:
            self._checkpoints.forget_since(job.thread, base)
            key = "budget" if isinstance(error, BudgetSpent) else MODEL_GONE
            if key == MODEL_GONE:
                self._flag(job, GONE)
            return self._honest(job, key, str(error), trace, context.budget)
        except BaseException:
            self._checkpoints.forget_since(job.thread, base)
            raise
        finally:
            self._spending.add(job.thread, context.budget.cost)
        self._settle_guest(job, state)
        self._flag(job, None)
        return self._turn(job, state, trace, context)

    def _limit_reached(self, job: Job) -> str | None:
        """Which limit of the day this conversation has reached, or None.

        The button that ends the offer that stands is never held up: the guest was asked, and may answer. One that
        cannot yet be carried out for want of a name would be a way around. A run counts whatever became of it, but
        those of this turn that a crash cut off are not held against it.
        """
        settings = self._parts.settings
        state = self._state(job.thread) if job.action else {}
        offer = state.get("offer")
        ready = offer and (offer["action"] != "book" or state.get("name"))
        if offer and job.action in (f"decline:{offer['id']}", f"confirm:{offer['id']}" if ready else ""):
            return None
        cut = job.attempt - 1
        if self._spending.runs_today(job.thread) - cut >= settings.limit_turns:
            return f"the day's limit of {settings.limit_turns} turns is reached"
        if settings.limit_cost is not None and self._spending.spent_today(job.thread) >= settings.limit_cost:
            return f"the day's limit of {settings.limit_cost} {settings.prices_currency} is reached"
        return None

    def _settle_guest(self, job: Job, state: dict[str, Any]) -> None:
        """Note whom the thread is verified for, so that forgetting finds it; nothing of a deleted thread stays."""
        if not self._log.has_thread(job.thread):
            self._checkpoints.forget(job.thread)
        elif state["booking"]:
            self._bind(job, state["booking"]["reference"])
        elif state["guest"]:
            self._bind(job, state["guest"]["reference"])

    def _bind(self, job: Job, reference: str) -> None:
        """Bind the thread to the booking that it was verified for last, or that was made in it.

        Whoever booked here holds the reference and the name: they need not prove it again.
        """
        surname = self._parts.hotels.surname_of(reference)
        bound = f"{reference}:{surname}"
        if surname and bound != job.guest and self._log.has_thread(job.thread):
            self._log.bind_guest(job.thread, bound)

    def _flag(self, job: Job, why: str | None) -> None:
        """Flag the thread while a message of it is not answered. A flag with another reason stays."""
        if not self._log.has_thread(job.thread):
            return
        flagged = self._log.thread(job.thread).flagged
        if why and flagged is None:
            self._log.flag(job.thread, why)
        elif not why and flagged in (GONE, LIMITED) and not self._others_failed(job):
            self._log.flag(job.thread, None)

    def _others_failed(self, job: Job) -> bool:
        logged = self._log.turns(job.thread)
        return any(entry.status == "failed" and entry.number != job.turn for entry in logged)

    def failure(self, job: Job, why: Why) -> Turn:
        """The honest reply of a turn that was stopped, cut off too often, or hit a bug."""
        key = "stopped" if why == "stopped" else "sorry_failed"
        return self._honest(job, key, why)

    def fold(self, thread: str) -> None:
        """Prepare the next fold; and the wording of the guest's language, where the desk has none yet."""
        state = self._state(thread)
        try:
            self._fold(thread, state)
        finally:
            self._translating.due(state.get("language", "en").partition("-")[0])

    def stop_translating(self) -> None:
        """The desk closes: a language that is being made waits for the next one."""
        self._translating.stop()

    def _fold(self, thread: str, state: dict[str, Any]) -> None:
        """Make a summary, when the next guest message will exceed the limit."""
        messages: Sequence[AnyMessage] = state.get("messages", [])
        self._drop_applied(thread, messages)
        if len(messages) + 1 <= MAX_MESSAGES:
            return
        last_guest = max(i for i, message in enumerate(messages) if isinstance(message, HumanMessage))
        old = messages[:last_guest]
        if not old:
            return
        turns = folded_turns(old)
        summary = self._summarise(thread, turns)
        earlier = state.get("summary") or ""
        whole = within_budget("\n".join(part for part in (earlier, guarded(summary, turns)) if part))
        newest = max(turn.turn for turn in turns)
        self._log.save_fold(thread, newest, {"summary": whole, "removes": [message.id for message in old]})

    def _summarise(self, thread: str, turns: Sequence[FoldedTurn]) -> str:
        context = TurnContext(self._parts, thread, 0, self._budget(time.perf_counter()))
        messages = [
            SystemMessage(self._parts.procedures.text("summarise")),
            HumanMessage(blocks(turns=[{"turn": t.turn, "guest": t.guest, "desk": t.desk} for t in turns])),
        ]
        try:
            return calls.ask(context, "summariser", messages).text
        finally:
            self._spending.add(thread, context.budget.cost)

    def _follow(self, job: Job, context: TurnContext, trace: Trace) -> dict[str, Any]:
        order = [branch.id for branch in self._parts.pack.branches]
        stream: Any = self._graph.stream(
            fresh_turn(order, job.text),
            {
                "configurable": {"thread_id": job.thread},
                "max_concurrency": PARALLEL,
                "recursion_limit": STEPS,
            },
            context=context,
            stream_mode=["tasks", "values"],
            durability="exit",
        )
        with closing(stream):  # at once: LangGraph saves what a cut run has done when its stream is closed
            return trace.follow(self._watched(stream, context))

    def _watched(self, stream: Any, context: TurnContext) -> Any:
        for event in stream:
            context.check()
            yield event

    def _context(self, job: Job, progress: Progress, started: float) -> TurnContext:
        stored = self._log.fold(job.thread)
        return TurnContext(
            parts=self._parts,
            thread=job.thread,
            turn=job.turn,
            budget=self._budget(started),
            locale=job.locale,
            chosen_language=job.language,
            binding=job.guest,
            action=job.action,
            fold=Fold(stored.payload["summary"], stored.payload["removes"]) if stored else None,
            archive=lambda: self._archive(job),
            stopped=progress.stopped,
            say=progress.text,
        )

    def _budget(self, started: float) -> Budget:
        settings, hotels = self._parts.settings, len(self._parts.pack.branches)
        return Budget(
            calls=settings.calls_a_turn(hotels),
            tokens=settings.tokens_a_turn(hotels),
            seconds=settings.budget_seconds,
            started=started,
            monotonic=time.perf_counter,
        )

    def _archive(self, job: Job) -> list[Turn]:
        logged = self._log.turns(job.thread)
        return [entry.turn for entry in logged if entry.turn and entry.number < job.turn]

    def _drop_applied(self, thread: str, messages: Sequence[AnyMessage]) -> None:
        """Drop the fold that a stored turn has applied; not sooner, because that turn might have run again."""
        stored = self._log.fold(thread)
        if stored and not {message.id for message in messages}.issuperset(stored.payload["removes"]):
            self._log.drop_fold(thread, stored.turn)

    def _turn(self, job: Job, state: dict[str, Any], trace: Trace, context: TurnContext) -> Turn:
        routes = list(dict.fromkeys(h["destination"] for h in state["handoffs"] if h["accepted"])) or [
            "direct"
        ]
        facts = state["stated"]
        return Turn(
            thread=job.thread,
            turn=job.turn,
            text=job.text,
            language=state["language"],
            english=state["english"],
            sentiment=state["sentiment"],
            route=routes[0],
            routes=routes,
            handoffs=[HandoffRecord.model_validate(h) for h in state["handoffs"]],
            branches=self._branches(state),
            facts=facts,
            sources=_sources(facts),
            offer=state.get("offer"),
            booking=state["booking"],
            requests=state["requests"],
            checks=Checks.model_validate(state["checks"]),
            folded=state["folded"],
            summary=state.get("summary") or "",
            reply_english=state["reply_english"],
            reply=state["reply"],
            procedures=dict(self._parts.procedures.versions),
            model=self._use(context.budget),
            nodes=trace.nodes,
            seconds=trace.seconds(),
            problem=None,
        )

    def _branches(self, state: dict[str, Any]) -> dict[str, BranchLog]:
        return {
            branch.id: BranchLog(
                status=state["branch_status"][branch.id],
                messages=[_shown(message) for message in state[message_key(branch.id)]],
            )
            for branch in self._parts.pack.branches
            if branch.id in state["branch_status"]
        }

    def _use(self, budget: Budget) -> ModelUse:
        settings = self._parts.settings
        known = bool(settings.prices) and not budget.unpriced
        return ModelUse(
            name=self._parts.models.name,
            calls=budget.used_calls,
            input_tokens=budget.input_tokens,
            output_tokens=budget.output_tokens,
            cost=float(budget.cost) if known else None,
            currency=settings.prices_currency if settings.prices else None,
        )

    def _honest(
        self, job: Job, key: str, why: str, trace: Trace | None = None, budget: Budget | None = None
    ) -> Turn:
        """A turn that was not answered, said plainly in the guest's language, by code alone."""
        turn = self._honest_lines.turn(
            job,
            key,
            why,
            self._state(job.thread),
            model=self._use(budget) if budget else ModelUse(name=self._parts.models.name),
            nodes=trace.nodes if trace else [],
            seconds=trace.seconds() if trace else 0.0,
        )
        if turn.booking:
            self._bind(job, turn.booking.reference)
        return turn

    def _state(self, thread: str) -> dict[str, Any]:
        """What the thread's last turn left."""
        values: dict[str, Any] = self._graph.get_state({"configurable": {"thread_id": thread}}).values
        return values


def folded_turns(messages: Sequence[AnyMessage]) -> list[FoldedTurn]:
    """Shared messages as turns, by the turn number in their ids (`t3-guest`, `t3-desk`)."""
    texts: dict[int, dict[str, str]] = {}
    for message in messages:
        number = int(str(message.id).partition("-")[0].removeprefix("t"))
        who = "guest" if isinstance(message, HumanMessage) else "desk"
        texts.setdefault(number, {})[who] = message.text
    return [FoldedTurn(n, t.get("guest", ""), t.get("desk", "")) for n, t in sorted(texts.items())]


def _shown(message: AnyMessage) -> BranchMessage:
    made = [{"name": c["name"], "args": c["args"]} for c in getattr(message, "tool_calls", None) or []]
    return BranchMessage(role=ROLES.get(message.type, "system"), text=message.text, tool_calls=made or None)


def _sources(facts: Sequence[dict[str, Any]]) -> list[Source]:
    """Where quoted texts come from: web results by their address, the desk's own guide once."""
    found = {
        Source(title=f["values"]["title"], url=f["values"]["url"]).model_dump_json()
        for f in facts
        if f["kind"] == "web_result"
    }
    sources = [Source.model_validate_json(text) for text in sorted(found)]
    if any(f["kind"] == "place" for f in facts):
        sources.append(Source(title="Neighbourhood guide of the desk"))
    return sources
