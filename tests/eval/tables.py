"""What the turns of played cases add up to: routes, facts, moods, languages, dates, handoffs.

Each table counts turns of all trials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tests.eval.cases import Result

ROUTES = ("hotels", "reservation", "web", "direct", "staff")
FACTS_WANTED = ("contains", "order", "guide", "places", "states", "none_free", "unavailable")
DATES_WANTED = ("stay", "dates")
Turn = Mapping[str, Any]


class Asked(NamedTuple):
    """A turn that was played: of which trial, its number, what was expected, and the turn itself."""

    result: Result
    number: int
    expect: Mapping[str, Any]
    said: Turn

    @property
    def language(self) -> str:
        """The language of the case."""
        return str(self.result.case["language"])


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns as wide as their widest cell."""
    lines = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
    padded.insert(1, ["-" * width for width in widths])
    return "\n".join("  ".join(line).rstrip() for line in padded)


def share(part: int, whole: int) -> str:
    """ "9 / 10 = 90.0%"; nothing of nothing is a dash."""
    return f"{part} / {whole} = {part / whole:.1%}" if whole else "-"


def turns_of(results: Sequence[Result]) -> Iterator[Asked]:
    """Every turn that was played, with what was expected of it."""
    for result in results:
        for number, (asked, said) in enumerate(zip(result.case["turns"], result.turns, strict=False), 1):
            yield Asked(result, number, asked.get("expect", {}), said)


def routes_table(results: Sequence[Result], language: str) -> str:
    """Which route was expected (a row) and which was taken (a column)."""
    found = confusion(results, language)
    rows = [[route, *(found[route, taken] or "" for taken in ROUTES)] for route in ROUTES]
    right = sum(found[route, route] for route in ROUTES)
    cases = {asked.result.case["id"] for asked in turns_of(results) if _routed(asked, language)}
    head = [f"route, {language}: {share(right, found.total())} ({len(cases)} cases)", *ROUTES]
    return table(head, rows)


def confusion(results: Sequence[Result], language: str) -> Counter[tuple[str, str]]:
    """Turns by (expected route, the route taken first), of this language's cases."""
    return Counter(
        (asked.expect["route"], asked.said["route"])
        for asked in turns_of(results)
        if _routed(asked, language)
    )


def _routed(asked: Asked, language: str) -> bool:
    return "route" in asked.expect and asked.language == language


def facts_table(results: Sequence[Result]) -> str:
    """How many facts of each kind were stated, and which of them the databases bear out; what was missing."""
    kinds: dict[str, Counter[str]] = {}
    for verdict in (verdict for result in results for found in result.verdicts for verdict in found):
        sort = "not stored" if not verdict.checked else "false" if verdict.why else "true"
        kinds.setdefault(verdict.kind, Counter())[sort] += 1
    total: Counter[str] = sum(kinds.values(), Counter())
    rows = [[kind, *_sorts(counts)] for kind, counts in sorted(kinds.items())]
    rows.append(["all", *_sorts(total)])
    missing, wanted = unmet(results, FACTS_WANTED)
    numbers = sum(
        "in the reply, of no fact" in what or "the line of room" in what for r in results for what in r.wrong
    )
    return "\n".join(
        [
            table(["fact stated", "stated", "true", "false", "not stored"], rows),
            f"replies with a number that no fact of theirs bears out: {numbers}",
            f"expectations of facts not met: {share(missing, wanted)}",
        ]
    )


def _sorts(counts: Counter[str]) -> list[int]:
    return [counts.total(), *(counts[sort] for sort in ("true", "false", "not stored"))]


def unmet(results: Sequence[Result], keys: Sequence[str], language: str | None = None) -> tuple[int, int]:
    """Of these expectations, those that did not hold, and all."""
    found = [
        any(what.startswith(f"turn {asked.number}: {key}: ") for what in asked.result.wrong)
        for asked in turns_of(results)
        for key in keys
        if key in asked.expect and language in (None, asked.language)
    ]
    return sum(found), len(found)


def mood_table(results: Sequence[Result], languages: Sequence[str]) -> str:
    """Labels of sentiment, and de-escalation: how many of those wanted, and how many of those made, were right."""
    rows = []
    for language in languages:
        labels = _moods(results, "sentiment", "label", language)
        calmed = _moods(results, "deescalate", "deescalate", language)
        hits = calmed[True, True]
        agreed = sum(count for (wanted, found), count in labels.items() if wanted == found)
        shares = [
            (agreed, labels.total()),
            (hits, hits + calmed[True, False]),
            (hits, hits + calmed[False, True]),
        ]
        rows.append([language, *(share(*each) for each in shares)])
    return table(["mood", "label of sentiment", "de-escalation, recall", "de-escalation, precision"], rows)


def _moods(results: Sequence[Result], key: str, of: str, language: str) -> Counter[tuple[Any, Any]]:
    """Turns by (what is expected of this part of the mood, what was found)."""
    return Counter(
        (asked.expect[key], asked.said["sentiment"][of])
        for asked in turns_of(results)
        if key in asked.expect and asked.language == language
    )


def languages_table(results: Sequence[Result]) -> str:
    """Which language a turn is in, and how many were taken for which."""
    found: dict[str, Counter[str]] = {}
    for asked in turns_of(results):
        wanted = asked.expect.get("language", asked.language)
        found.setdefault(wanted, Counter())[asked.said["language"].partition("-")[0]] += 1
    rows = []
    for code, taken in sorted(found.items()):
        others = ", ".join(f"{count} as {other}" for other, count in taken.items() if other != code)
        rows.append([code, share(taken[code], taken.total()), others])
    return table(["language of the turn", "found", "taken for another"], rows)


def dates_table(results: Sequence[Result], languages: Sequence[str]) -> str:
    """Stays and impossible dates, as the facts stated have them."""
    rows = []
    for language in languages:
        counts = [unmet(results, [key], language) for key in DATES_WANTED]
        rows.append([language, *(share(wanted - missing, wanted) for missing, wanted in counts)])
    return table(["dates", "stay understood", "problem with the dates understood"], rows)


def handoffs_table(results: Sequence[Result], languages: Sequence[str]) -> str:
    """Handoffs accepted and refused, by the reason; cases whose wanted handoffs were all accepted."""
    rows: list[list[object]] = []
    counts = {language: handoffs(results, language) for language in languages}
    reasons = sorted({reason for found in counts.values() for reason in found})
    for reason in sorted(reasons, key=lambda name: name != "accepted"):
        rows.append([reason, *(counts[language][reason] for language in languages)])
    kept = [_all_accepted(results, language) for language in languages]
    rows.append(["trials with all wanted handoffs accepted", *(share(*count) for count in kept)])
    return table(["handoffs", *languages], rows)


def handoffs(results: Sequence[Result], language: str) -> Counter[str]:
    """How many handoffs were accepted, and how many refused for each reason."""
    return Counter(
        "accepted" if handoff["accepted"] else f"refused: {handoff['refused_because']}"
        for asked in turns_of(results)
        if asked.language == language
        for handoff in asked.said["handoffs"]
    )


def _all_accepted(results: Sequence[Result], language: str) -> tuple[int, int]:
    """Of the trials that want a handoff beside talk, those in which every wanted one was accepted."""
    kept = total = 0
    for result in results:
        wanted = [asked for asked in turns_of([result]) if _wanted(asked.expect)]
        if wanted and result.case["language"] == language:
            total += 1
            kept += all(_wanted(asked.expect) <= _accepted(asked.said) for asked in wanted)
    return kept, total


def _wanted(expect: Mapping[str, Any]) -> set[str]:
    return {expect.get("route", "direct"), *expect.get("routes", [])} - {"direct"}


def _accepted(said: Turn) -> set[str]:
    return {handoff["destination"] for handoff in said["handoffs"] if handoff["accepted"]}
