"""The suites of `make eval`: files of conversation cases, and what came of playing them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desk.context import Parts
from tests.eval.cases import Case, Result, read_cases, run_cases

HERE = Path(__file__).resolve().parent
LANGUAGES = ("en", "de")
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


SUITES = (
    Suite("own cases", tuple(HERE / "cases" / f"desk_{code}.jsonl" for code in LANGUAGES)),
    Suite("given cases", (HERE.parent / "cases" / "guests.jsonl",)),
)


@dataclass(frozen=True)
class Outcome:
    """A suite that was played."""

    name: str
    results: list[Result]

    @property
    def failing(self) -> list[Result]:
        """The cases in which something was wrong."""
        return [result for result in self.results if result.wrong]

    def counts(self) -> dict[str, dict[str, Count]]:
        """Passed and total for each kind and language, in the order of the cases."""
        found: dict[str, dict[str, Count]] = defaultdict(dict)
        for result in self.results:
            by_language = found[kind_of(result.case)]
            passed, total = by_language.get(result.case["language"], (0, 0))
            by_language[result.case["language"]] = (passed + (not result.wrong), total + 1)
        return dict(found)

    def rate(self, language: str | None = None) -> float:
        """The share of cases that passed, of one language or of all; 1.0 when there are none."""
        of = [r for r in self.results if language is None or r.case["language"] == language]
        return sum(not r.wrong for r in of) / len(of) if of else 1.0


def kind_of(case: Case) -> str:
    """A case's kind; the given cases have none and stand together."""
    return str(case.get("kind", "given"))


def play_suites(languages: set[str], kinds: set[str], shared: Parts | None = None) -> list[Outcome]:
    """Play every suite's cases of these languages and kinds; all when the sets are empty."""
    return [outcome for suite in SUITES if (outcome := _play(suite, languages, kinds, shared)).results]


def _play(suite: Suite, languages: set[str], kinds: set[str], shared: Parts | None) -> Outcome:
    results: Iterator[Result] = run_cases(suite.cases(languages, kinds), shared)
    return Outcome(suite.name, list(results))
