"""The suites of `make eval`: files of conversation cases, and what came of playing them, trial by trial."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from desk.context import Parts
from tests.eval.cases import Case, Result, read_cases, run_cases
from tests.eval.passk import mean_pass_hat

HERE = Path(__file__).resolve().parent
LANGUAGES = ("en", "de")
SEED = 20261201
Count = tuple[int, int]  # passed, total


@dataclass(frozen=True)
class Suite:
    """A file of cases under a name."""

    name: str
    files: tuple[Path, ...]

    def cases(self, languages: set[str], kinds: set[str]) -> list[Case]:
        """Its cases of these languages and kinds (all when empty), in the order of the files."""
        found = [case for path in self.files for case in read_cases(path, languages or LANGUAGES)]
        return [case for case in found if not kinds or kind_of(case) in kinds]


OWN = Suite("own cases", tuple(HERE / "cases" / f"desk_{code}.jsonl" for code in LANGUAGES))
GIVEN = Suite("given cases", (HERE.parent / "cases" / "guests.jsonl",))
FOLDS = Suite("long conversations", tuple(HERE / "cases" / f"folds_{code}.jsonl" for code in LANGUAGES))
SUITES = (OWN, GIVEN, FOLDS)


@dataclass(frozen=True)
class Plan:
    """What is played: which languages and kinds (all when empty), how often, and of how many cases of each kind
    and language (`limit`; all when None)."""

    languages: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    trials: int = 1
    limit: int | None = None
    seed: int = SEED

    def cases(self, suite: Suite) -> list[Case]:
        """The suite's cases that are played, in the order of the files."""
        found = suite.cases(self.languages, self.kinds)
        if self.limit is None:
            return found
        groups: dict[tuple[str, str], list[Case]] = defaultdict(list)
        for case in found:
            groups[kind_of(case), case["language"]].append(case)
        draw = random.Random(self.seed)
        kept = [case for of in groups.values() for case in draw.sample(of, min(self.limit, len(of)))]
        return [case for case in found if case in kept]

    def all_cases(self) -> list[Case]:
        """What is played of every suite."""
        return [case for suite in SUITES for case in self.cases(suite)]

    def ordered(self, cases: Sequence[Case], trial: int) -> list[Case]:
        """The cases in the order of this trial: that of the files, and from the second trial on another one
        each, so that what one case leaves behind for the next would show."""
        if trial == 1:
            return list(cases)
        return random.Random(f"{self.seed}-{trial}").sample(list(cases), len(cases))


@dataclass(frozen=True)
class Outcome:
    """A suite that was played: the results of all trials of all cases."""

    name: str
    results: list[Result]

    @property
    def failing(self) -> list[Result]:
        """The trials in which something was wrong."""
        return [result for result in self.results if result.wrong]

    @property
    def trials(self) -> int:
        """How often each case was played."""
        return min((len(of) for of in self.by_case().values()), default=0)

    def by_case(self, kind: str | None = None, language: str | None = None) -> dict[str, list[Result]]:
        """The trials of each case, by the case's id; of one kind or language, or of all."""
        found: dict[str, list[Result]] = defaultdict(list)
        for result in self.results:
            if kind in (None, kind_of(result.case)) and language in (None, result.case["language"]):
                found[result.case["id"]].append(result)
        return dict(found)

    def pass_hat(self, k: int, kind: str | None = None, language: str | None = None) -> float:
        """pass^k over the cases of a kind and language."""
        of = self.by_case(kind, language).values()
        return mean_pass_hat([(sum(not result.wrong for result in trials), len(trials)) for trials in of], k)

    def counts(self) -> dict[str, dict[str, Count]]:
        """For each kind and language, in the order of the cases: cases that passed every trial, and all."""
        found: dict[str, dict[str, Count]] = defaultdict(dict)
        for trials in self.by_case().values():
            case = trials[0].case
            passed, total = found[kind_of(case)].get(case["language"], (0, 0))
            always = not any(result.wrong for result in trials)
            found[kind_of(case)][case["language"]] = (passed + always, total + 1)
        return dict(found)

    def rate(self, language: str | None = None) -> float:
        """The share of trials that passed, pass^1, of one language or of all; 1.0 when there are none."""
        return self.pass_hat(1, language=language)


def kind_of(case: Case) -> str:
    """A case's kind; the given cases have none and stand together."""
    return str(case.get("kind", "given"))


def play_suites(plan: Plan, shared: Parts | None = None) -> list[Outcome]:
    """Play what is planned of every suite; a suite of which nothing is planned is left out."""
    outcomes = [Outcome(suite.name, _play(plan, plan.cases(suite), shared)) for suite in SUITES]
    return [outcome for outcome in outcomes if outcome.results]


def _play(plan: Plan, cases: Sequence[Case], shared: Parts | None) -> list[Result]:
    results: list[Result] = []
    for trial in range(1, plan.trials + 1):
        for result in run_cases(plan.ordered(cases, trial), shared):
            result.trial = trial
            results.append(result)
    return results
