"""The hostile run: seeded conversations against the hostile model, each turn judged, and the figures.

Between the scripted turns the thread is asked a plain question that the model answers truthfully: a thread that
does not answer it rightly counts as unusable.
"""

from __future__ import annotations

import logging
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from desk import translating
from desk.bootstrap import Replacements, desk_over, open_parts
from desk.context import Parts
from desk.model_options import ROLES
from desk.models import calls
from desk.models.live import LiveModels
from desk.models.rehearsal.model import rehearsal_models
from desk.models.retries import Retries
from desk.service import Desk
from desk.settings import read_settings
from desk.turn import Turn
from tests.hostile.breakage import BROKEN, FAULTS
from tests.hostile.guests import CODES, PROBE, SCRIPTS, Conversation, Step, make
from tests.hostile.judge import FIGURES, Finding, Judge
from tests.hostile.kinds import Kind
from tests.hostile.ledger import History, Ledger
from tests.hostile.lies import LIES
from tests.hostile.model import HostileModel, Plan
from tests.hostile.patterns import PATTERN_KINDS
from tests.hostile.server import Said, serving

TODAY = "2026-12-01"
CALL_SECONDS = 0.7  # how long one call may take here: a hang must not cost half a minute
BUDGETS = {"budget_seconds": 6.0, "budget_calls": 30}
TRUTHFUL = 0.15  # share of turns that are played truthfully
KINDS: tuple[Kind, ...] = (*LIES, *PATTERN_KINDS, *BROKEN, *FAULTS)
BY_NAME = {kind.name: kind for kind in KINDS}
WEIGHTS = {"fault: hang": 3.0}  # hangs take long: they are played a third as often
DRAWN = 6
MADE_ANEW = 0.3  # share of the French conversations before which the kept French is deleted
UNUSABLE = "threads unusable"


@dataclass
class Opened:
    """A desk whose models are the hostile one."""

    desk: Desk
    parts: Parts
    model: HostileModel
    judge: Judge
    ledger: Ledger


@dataclass
class Failure:
    """A finding, and what it takes to see it again."""

    seed: str
    kind: str
    finding: Finding
    reply: str


@dataclass
class Report:
    """What came of a run."""

    turns: int = 0
    truthful: int = 0
    hostile_calls: int = 0
    probes: int = 0
    bookings: int = 0
    offers: int = 0
    seconds: float = 0.0
    figures: Counter[str] = field(default_factory=Counter)
    retries: int = 0
    plain: int = 0
    english: int = 0
    apologies: int = 0
    french: int = 0
    stepped_in: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether every figure that must be zero is."""
        return not any(self.figures[name] for name in (*FIGURES, UNUSABLE))


@contextmanager
def opened(home: Path, detector: Any = None) -> Iterator[Opened]:
    """A desk in this folder over the hostile model's server."""
    holder: list[HostileModel] = []

    def answer(body: dict[str, Any]) -> Said:
        return holder[0].answer(body)

    with serving(answer) as url:
        settings = read_settings(
            home=home, today=TODAY, model="hostile", openai_base_url=url, openai_api_key="sk-test", **BUDGETS
        )
        models = LiveModels(settings, Retries(first=0.02, longest=0.05))
        changed: dict[str, Any] = {"branch_seconds": 2.5, **({"detector": detector} if detector else {})}
        parts = open_parts(settings, Replacements(models=models, changed=changed))
        parts.detector.load()
        names = [branch.name for branch in parts.pack.branches]
        holder.append(HostileModel(parts, rehearsal_models(parts.languages, names).subject))
        ledger = Ledger(home, settings.pack, parts.clock.today())
        for (
            role
        ) in ROLES:  # as at the start of any desk: what the server can do is found out before a guest writes
            models.abilities.settle(models.server(role), "forced")
        desk = desk_over(parts)
        try:
            # A failed attempt at the patterns is made again at once.
            with (
                patch.object(calls, "CALL_SECONDS", CALL_SECONDS),
                patch.object(translating, "FIRST_WAIT", 0.0),
            ):
                yield Opened(desk, parts, holder[0], Judge(parts, ledger), ledger)
        finally:
            desk.close(30)


class Run:
    """One run on one desk."""

    def __init__(
        self,
        desk: Opened,
        seed: int,
        kinds: Sequence[Kind] = KINDS,
        *,
        probe: float = 1.0,
        truthful: float = TRUTHFUL,
        anew: float = MADE_ANEW,
    ) -> None:
        self._on = desk
        self._seed = seed
        self._kinds = kinds
        self._probe = probe
        self._truthful = truthful
        self._anew = anew
        self._foreign: list[str] = []  # ids of facts that other threads were told
        self.report = Report()

    def play(self, turns: int) -> Report:
        """Play conversations until so many scripted turns are through."""
        began = time.perf_counter()
        number = 0
        while self.report.turns < turns:
            self.conversation(number)
            number += 1
        self.report.seconds += time.perf_counter() - began
        return self.report

    def conversation(self, number: int, scripts: Sequence[str] = tuple(SCRIPTS)) -> None:
        """One conversation, by its number."""
        rng = random.Random(f"{self._seed}|{number}")
        code = CODES[number % len(CODES)]
        talk = make(scripts[(number // len(CODES)) % len(scripts)], code, rng)
        history = History(dates=set(talk.dates))
        thread = self._on.desk.new_thread(locale=code)
        made = code == "fr" and rng.random() < self._anew
        if made:
            self._on.parts.wordings.forget("fr")
        if talk.guest:
            self._on.desk.bind_guest(thread, talk.guest)
            history.verified.add(talk.guest.partition(":")[0])
        for index, step in enumerate(talk.steps):
            kind = None if rng.random() < self._truthful else self._next_kind(rng, code, made and index == 0)
            share = rng.choice((0.5, 1.0, 1.0))
            seed = f"{self._seed}|{number}|{index}"
            self._scripted(thread, Plan(seed, step, talk, 0, kind, share), history)
            if rng.random() < self._probe:
                self._ask_plainly(thread, talk, history, seed, kind)
        self._foreign = (self._foreign + sorted(history.stated))[-40:]

    def _next_kind(self, rng: random.Random, code: str, made: bool) -> Kind:
        """One of a few drawn kinds, the one that has shown least so far; those of the translator not for a guest
        who needs none, and those of the patterns mostly where they are `made` anew."""
        usable = [k for k in self._kinds if code != "en" or set(k.roles) != {"translator"}] or self._kinds
        own = [k for k in usable if (k in PATTERN_KINDS) == made]
        usable = own if own and (not made or rng.random() < 0.8) else usable
        drawn = rng.sample(usable, min(rng.choice((1, DRAWN)), len(usable)))
        return min(drawn, key=lambda k: self.report.played[k.name] * WEIGHTS.get(k.name, 1.0))

    def _scripted(self, thread: str, plan: Plan, history: History) -> None:
        turn, found = self._turn(thread, plan, history)
        report = self.report
        report.turns += 1
        name = plan.kind.name if plan.kind and plan.hostile else "truthful"
        report.played[name] += 1
        report.truthful += not plan.hostile
        report.hostile_calls += plan.hostile
        report.bookings += turn.booking is not None
        report.offers += turn.offer is not None
        report.retries += turn.checks.retries
        report.plain += turn.checks.plain
        report.english += turn.checks.translated is False and turn.language == "de"
        report.apologies += turn.problem is not None
        report.french += turn.language == "fr" and turn.checks.translated is True
        if turn.checks.retries or turn.checks.translated is False and turn.language == "de":
            report.stepped_in[name] += 1
        self._note(plan.seed, name, found, turn)

    def _turn(self, thread: str, plan: Plan, history: History) -> tuple[Turn, list[Finding]]:
        on = self._on
        before = on.ledger.bookings()
        plan.turn = len(history.texts) + 1
        plan.foreign = [*sorted(history.stated)[-10:], *self._foreign[-10:]]
        on.model.plan = plan
        action = f"confirm:{history.offer.id}" if plan.step.button and history.offer else None
        turn = on.desk.wait(thread, on.desk.send(thread, plan.step.text, action=action), 60)
        on.desk.settle(thread, 60)
        found = on.judge.findings(turn, plan.step, plan.conversation, history, before)
        history.texts.append(turn.text)
        history.stated |= {fact.id for fact in turn.facts}
        history.picks |= {fact.id for fact in turn.facts if fact.kind in ("room_free", "nearest")}
        history.offer = turn.offer
        if turn.booking:
            history.verified.add(turn.booking.reference)
        return turn, found

    def _ask_plainly(
        self, thread: str, talk: Conversation, history: History, seed: str, kind: Kind | None
    ) -> None:
        step = Step(PROBE[talk.code], PROBE["en"], hotel="hotel1")
        turn, found = self._turn(thread, Plan(f"{seed}|probe", step, talk, 0), history)
        told = [fact for fact in turn.facts if (fact.hotel, fact.entry) == ("hotel1", "check_out")]
        if turn.problem or not told or "11" not in turn.reply:
            found = [*found, Finding(UNUSABLE, f"{turn.problem or 'another answer'}")]
        self.report.probes += 1
        self._note(f"{seed}|probe", f"after {kind.name if kind else 'truth'}", found, turn)

    def _note(self, seed: str, kind: str, found: Sequence[Finding], turn: Turn) -> None:
        for finding in found:
            self.report.figures[finding.figure] += 1
            self.report.failures.append(Failure(seed, kind, finding, f"{turn.text!r} → {turn.reply!r}"))


def quiet() -> None:
    """The desk logs each thing it survives; a run that provokes them by the hundred needs none of it."""
    logging.getLogger("desk").setLevel(logging.CRITICAL)
    logging.getLogger("httpx").setLevel(logging.CRITICAL)
