"""Does the judge see a hole? Each rule of the checks is switched off in turn, and the run must then fail.

A mutation names what is switched off, and the kinds of hostility and the conversations that are to show it.
Where two layers hold the same thing (a handoff's authorization and the tool's own check), both are off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from desk import grounding, handoff, prose
from desk.prose import Rules
from desk.steps import coordinator, language
from desk.tools import hotel, reservation
from desk.wording import Catalogue, faithful
from tests.hostile.guests import CODES
from tests.hostile.judge import FIGURES
from tests.hostile.run import BY_NAME, MADE_ANEW, Failure, Opened, Report, Run, opened

Patches = Sequence[tuple[Any, str, Any]]
ROUNDS = 24  # conversations that a mutation may take to be seen
FRENCH = range(CODES.index("fr"), ROUNDS, len(CODES))


@dataclass(frozen=True)
class Mutation:
    """One rule switched off: the patches, and the kinds and scripts that show it."""

    rule: str
    patches: Patches
    kinds: Sequence[str]
    scripts: Sequence[str] = ("two requests", "book", "talk")
    figure: str = ""  # the figure that is to show it; any when empty
    numbers: range = range(ROUNDS)  # of the conversations; their language goes by their number


def _without(module: Any, table: str, rule: Any) -> tuple[Any, str, Any]:
    return module, table, tuple(each for each in getattr(module, table) if each is not rule)


def _draft(rule: Any, *kinds: str, scripts: Sequence[str] = ("two requests", "book")) -> Mutation:
    return Mutation(f"draft: {rule.__name__}", [_without(grounding, "DRAFT_RULES", rule)], kinds, scripts)


def _prose(rule: Any, *kinds: str, also: Sequence[Any] = ()) -> Mutation:
    """The rule off; and `courtesy`, which holds most of what the older rules hold, off as well."""
    left = tuple(each for each in prose.PROSE_RULES if each is not rule and each not in also)
    name = " and ".join([rule.__name__, *(each.__name__ for each in also)])
    return Mutation(
        f"prose: {name}", [(prose, "PROSE_RULES", left)], kinds, ("house guide", "talk", "prices")
    )


def _translation(rule: Any, *kinds: str, also: Patches = ()) -> Mutation:
    off = _without(prose, "TRANSLATION_RULES", rule)
    own = (Rules, "own_wording", lambda self, text, code: None)  # so that there is something to translate
    return Mutation(
        f"translation: {rule.__name__}", [off, own, *also], kinds, ("house guide", "one room", "talk")
    )


def _unchecked(*names: str) -> tuple[Any, str, Any]:
    checks = tuple(check for check in handoff.CHECKS if check.__name__ not in names)
    return coordinator, "refusal", partial(handoff.refusal, checks=checks)


def _handoff(check: str, *kinds: str, scripts: Sequence[str] = ("talk", "stranger")) -> Mutation:
    return Mutation(f"handoff: {check}", [_unchecked(check)], kinds, scripts)


def _pattern(rule: Any) -> Mutation:
    off = _without(faithful, "RULES", rule)
    return Mutation(
        f"patterns: {rule.__name__}", [off], [f"patterns: {rule.__name__}"], ("talk",), numbers=FRENCH
    )


def mutations() -> list[Mutation]:
    """Every rule, one by one."""
    no_look = (hotel.Look, "has", lambda self, *of: True)
    return [
        _draft(grounding.facts_exist, "marks: no such fact"),
        _draft(grounding.all_stated, "marks: left out", "marks: all left out"),
        _draft(
            grounding.no_others,
            "marks: all that there is",
            "marks: another hotel's",
            scripts=("one hotel", "one room"),
        ),
        _draft(grounding.stated_once, "marks: twice"),
        _draft(grounding.in_order, "marks: out of order"),
        _draft(grounding.prose_clean, "prose: booked", "prose: prices"),
        _prose(
            prose.courtesy, "prose: booked, otherwise", "prose: the house", "prose: booked, other language"
        ),
        _prose(prose.digits, "prose: prices", also=(prose.courtesy,)),
        _prose(prose.signs, "prose: the inside"),
        _prose(prose.names, "prose: rooms", also=(prose.courtesy,)),
        _prose(prose.claims, "prose: booked", "prose: dates", also=(prose.courtesy,)),
        _translation(prose.nothing_lost, "translation: other sentences"),
        _translation(prose.nothing_claimed, "translation: booked", "translation: a claim added"),
        _translation(
            prose.nothing_added,
            "broken: a huge answer",
            also=[(prose, "LONGEST_WHOLE", 10**9), (prose, "LONGEST", 10**9)],
        ),
        Mutation(
            "translation: a language without a table",
            [(Catalogue, "speaks", lambda self, code: True)],
            ("translation: booked", "translation: a claim added"),
            ("talk",),
        ),
        Mutation(
            "reading: numbers and days added",
            [
                (language, "added", lambda *of: []),
                (language, "added_words", lambda *of: []),
                (language, "in_order", lambda *of: True),
            ],
            ("reading: dates altered",),
            ("book", "talk"),
        ),
        Mutation(
            "tools: the guest's dates",
            [(hotel, "guests_own", lambda days, state: True)],
            ("tools: shifted dates", "tools: one date shifted"),
            ("book",),
        ),
        Mutation(
            "tools: the guest's rooms", [no_look], ("tools: words in an argument",), ("one room", "prices")
        ),
        _handoff("known_destination", "handoffs: no such destination", "handoffs: no such hotel"),
        _handoff("texts_given", "handoffs: made-up evidence, criteria, way back"),
        _handoff("criteria_known", "handoffs: made-up evidence, criteria, way back"),
        _handoff("return_allowed", "handoffs: made-up evidence, criteria, way back"),
        _handoff("evidence_exists", "handoffs: made-up evidence, criteria, way back"),
        _handoff(
            "authorized",
            "handoffs: made-up authorization",
            "handoffs: the offer taken for confirmed",
            scripts=("book", "stranger"),
        ),
        Mutation(
            "grants: authorization and the tools' own checks",
            [_unchecked("authorized", "evidence_exists"), (reservation, "is_confirmed", lambda state: True)],
            ("handoffs: the offer taken for confirmed",),
            ("decline",),
            "false booked",
        ),
        *map(_pattern, faithful.RULES),
    ]


@contextmanager
def switched_off(mutation: Mutation) -> Iterator[None]:
    """The desk without this rule."""
    with ExitStack() as stack:
        for where, name, value in mutation.patches:
            stack.enter_context(patch.object(where, name, value))
        yield


def play(desk: Opened, mutation: Mutation, seed: int) -> Report:
    """Conversations under this mutation until one fails, or there were enough."""
    kinds = [BY_NAME[name] for name in mutation.kinds]
    with switched_off(mutation):
        run = Run(
            desk, seed, kinds, probe=0.0, truthful=0.0, anew=1.0 if mutation.numbers == FRENCH else MADE_ANEW
        )
        for number in mutation.numbers:
            run.conversation(number, mutation.scripts)
            if caught_by(run.report, mutation):
                break
    return run.report


def caught_by(report: Report, mutation: Mutation) -> Failure | None:
    """The finding that shows the mutation, or None."""
    wanted = (mutation.figure,) if mutation.figure else FIGURES
    return next((failure for failure in report.failures if failure.finding.figure in wanted), None)


def show_mutations(folder: Path, seed: int) -> int:
    """Play every mutation, print what caught it, and return 1 when one was not caught."""
    missed = 0
    with opened(folder / "home") as desk:
        for mutation in mutations():
            report = play(desk, mutation, seed)
            caught = caught_by(report, mutation)
            missed += caught is None
            how = f"{caught.finding.figure} by {caught.kind!r}" if caught else "NOT CAUGHT"
            print(f"{mutation.rule:52} {how} after {report.turns} turns", flush=True)
    print(f"{missed} of {len(mutations())} mutations not caught")
    return 1 if missed else 0
