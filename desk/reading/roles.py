"""The upper half of the date grammar: which of a message's dates is the arrival, which the departure.

The rules are regular expressions over the letters of atoms (atoms.py), tried in the order written; each
takes its atoms out of the row, so that a date has one role.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from desk.reading.atoms import NIGHT, Atom, DateWords, Duration, SpanWords

_TAKEN = "="


@dataclass
class Roles:
    """What the message's dates are for. `others` are dates that have no role of their own.

    `opens` says how an arrival without a departure was put: "arrive", "from", or None for a bare date.
    `both_nights`: the departure is the last night that was named ("5 and 6 January"), not the day after it.
    """

    arrival: DateWords | None = None
    departure: DateWords | None = None
    ranged: bool = False
    opens: Literal["arrive", "from"] | None = None
    both_nights: bool = False
    durations: list[Duration] = field(default_factory=list)
    spans: list[SpanWords] = field(default_factory=list)
    others: list[DateWords] = field(default_factory=list)


_RANGES = tuple(
    re.compile(pattern)
    for pattern in (
        r"B[O_]?(?P<a>[Dd])[#_,]?(?:&|b|-)[O_]{0,2}(?P<b>[Dd])",
        r"f[O]?(?P<a>[Dd])[#_,]{0,2}[LA]?(?:b|-|O)[O_]{0,2}(?P<b>[Dd])",
        r"(?P<a>[Dd])[#,]{0,2}U[#,O]?(?P<b>[Dd])V?",
        r"(?P<a>[Dd])[#_,]?,?&?[LA]?b[-fO_]{0,2}(?P<b>[Dd])",
        r"(?P<a>[Dd])-(?P<b>[Dd])",
        r"(?P<a>[Dd])QO?(?P<b>[Dd])",
    )
)
_BOTH = re.compile(r"(?:^|[FOufA#_,.])(?P<a>[Dd])&O?(?P<b>[Dd])")
_DEPARTURES = (
    re.compile(r"L[_#b&fOiI/.]{0,4}?(?P<b>D)"),
    re.compile(r"(?P<b>D)[#,]?[WV]"),
    re.compile(r"(?P<b>D)[_#]{0,2}L"),
    re.compile(r"bO?(?P<b>D)"),
)
_ARRIVALS = (
    re.compile(r"A[_#fOFtiI/.]{0,4}?(?P<a>D)"),
    re.compile(r"(?P<a>D)[#,]?U"),
    re.compile(r"(?P<a>D)[_#]{0,2}A"),
    re.compile(r"[fFO>](?P<a>D)"),
    re.compile(r"(?P<a>D)"),
)
_LONGER = re.compile(r"L[_#]{0,2}>(?P<t>T)")
# "11 to 13?" ends there; "2 to 3 towels" goes on.
_ENDS = re.compile(r"[.,#&FA]|$")
_NO_STAY = re.compile(r"[<>](?P<t>T)|(?P<u>T)[<>]")
_STAY = re.compile(r"T")


JOINED = 6  # units before a date that may belong to it


def read_roles(atoms: Sequence[Atom], *, bare_days: bool = False) -> Roles:
    """Give the atoms of one message their roles. `bare_days`: two bare numbers may be days of a month that is known."""
    atoms = _combined(list(atoms))
    row = "".join(atom.letter for atom in atoms)
    marks = "".join(atom.after or atom.letter for atom in atoms)
    roles = Roles()
    row = _past_out(atoms, row, roles)
    row = _ranges(atoms, _with_after(row, marks), roles, bare_days)
    row = _single(atoms, row, roles)
    _durations(atoms, row, roles)
    roles.spans.extend(atom.value for atom in atoms if isinstance(atom.value, SpanWords))
    roles.others.extend(span.around for span in roles.spans if span.around is not None)
    return roles


def _with_after(row: str, marks: str) -> str:
    """Words that mean another thing after a date ("am 9. ab") get that letter where no date follows."""
    letters = list(row)
    for at, (letter, mark) in enumerate(zip(row, marks, strict=True)):
        follows = row[at + 1 : at + 3].lstrip("O")[:1] in ("D", "d", "P") and row[at + 1 : at + 2] != ""
        if letter not in (mark, _TAKEN) and not follows and at and row[at - 1] in "D#":
            letters[at] = mark
    return "".join(letters)


def _combined(atoms: list[Atom]) -> list[Atom]:
    """Join atoms that make one: "the night of the 25th", "the week of 3 May", "3 weeks after Christmas"."""
    joined: list[Atom] = []
    for atom in atoms:
        joined.append(atom)
        while _join_last(joined):
            pass
    return joined


def _join_last(atoms: list[Atom]) -> bool:
    date = atoms[-1].value
    if atoms[-1].letter not in "Dd" or not isinstance(date, DateWords):
        return False
    # The pattern below is at most five letters long: a long message must not be read over and over.
    nearest = atoms[-1 - JOINED : -1]
    before = "".join(atom.letter for atom in nearest)
    match = re.search(r"(?P<week>(?:P[iO]?)?u[fAO]?|P[OA]?)$|(?P<shift>[Tu][<>])$|(?P<day>DO)$", before)
    if match is None:
        return False
    head = nearest[match.start()]
    new = (
        _night_or_week(head, atoms[-1].letter, date, from_=before.endswith("f")) if match["week"] else
        _shifted(head, atoms[-2].letter, date) if match["shift"] else
        _nearest(head, date)
    )  # fmt: skip
    if new is None:
        return False
    del atoms[len(atoms) - 1 - len(nearest) + match.start() :]
    atoms.append(new)
    return True


def _night_or_week(head: Atom, letter: str, date: DateWords, *, from_: bool) -> Atom | None:
    if head.value == NIGHT:
        if letter != "D" or from_:
            return None  # "the night from the 5th to the 6th" is a range, not one day
        return Atom("D", replace(date, night=True))
    unit = head.value.unit if isinstance(head.value, SpanWords) else head.value
    plain = not isinstance(head.value, SpanWords) or (
        head.value.which == "this" and head.value.part is None and head.value.month is None
    )
    by_weekday = date.weekday is not None and date.day is None
    if not plain or by_weekday or unit not in ("week", "weekend", "long_weekend"):
        return None
    return Atom("P", SpanWords(str(unit), around=date))


def _shifted(head: Atom, way: str, date: DateWords) -> Atom | None:
    length = head.value if isinstance(head.value, Duration) else Duration(str(head.value), 1)
    if length.unit == NIGHT:
        return None
    sign = 1 if way == ">" else -1
    return Atom("D", DateWords(base=date, days=sign * length.days, months=sign * length.months))


def _nearest(head: Atom, date: DateWords) -> Atom | None:
    """A weekday after a counted date ("3 weeks after Christmas on Friday") says which day near it."""
    first = head.value
    if not isinstance(first, DateWords) or first.base is None or date != DateWords(weekday=date.weekday):
        return None
    return Atom("D", replace(first, weekday=date.weekday))


def _take(row: str, *places: int) -> str:
    letters = list(row)
    for place in places:
        letters[place] = _TAKEN
    return "".join(letters)


def _date(atoms: Sequence[Atom], place: int) -> DateWords:
    value = atoms[place].value
    assert isinstance(value, DateWords)
    return value


def _past_out(atoms: Sequence[Atom], row: str, roles: Roles) -> str:
    for place, atom in enumerate(atoms):
        if isinstance(atom.value, DateWords) and atom.value.past:
            ranged = re.match(r"f?D[b-][Dd]", row[max(0, place - 1) :]) is not None and row[place - 1] == "f"
            if not ranged:
                roles.others.append(atom.value)
                row = _take(row, place)
    return row


def _month_span(atoms: Sequence[Atom]) -> bool:
    return any(
        isinstance(atom.value, SpanWords) and atom.value.unit == "month" and atom.value.part is None
        for atom in atoms
    )


def _ranges(atoms: Sequence[Atom], row: str, roles: Roles, bare_days: bool) -> str:
    for pattern in _RANGES:
        for match in pattern.finditer(row):
            first, last = match.start("a"), match.start("b")
            bare = row[first] == row[last] == "d" and not _month_span(atoms)
            if bare and not (bare_days and _ENDS.match(row, match.end())):
                continue
            roles.arrival, roles.departure = _date(atoms, first), _date(atoms, last)
            roles.ranged = True
            return _take(row, *range(match.start(), match.end()))
    both = _BOTH.search(row)
    if both is not None and not row[both.start("a")] == row[both.start("b")] == "d" and "L" not in row:
        roles.arrival, roles.departure = _date(atoms, both.start("a")), _date(atoms, both.start("b"))
        roles.ranged = roles.both_nights = True
        return _take(row, *range(both.start("a"), both.end()))
    return row


def _single(atoms: Sequence[Atom], row: str, roles: Roles) -> str:
    """Dates outside a range: departure words first, so that what is left can only be the arrival."""
    if roles.departure is None:
        row, roles.departure, _ = _role(atoms, row, _DEPARTURES, "b")
    if roles.arrival is None:
        row, roles.arrival, said = _role(atoms, row, _ARRIVALS, "a")
        roles.opens = "arrive" if "A" in said else "from" if said[:1] == "f" or "U" in said else None
    for place, letter in enumerate(row):
        if letter == "D":
            roles.others.append(_date(atoms, place))
    return row


def _role(
    atoms: Sequence[Atom], row: str, patterns: Sequence[re.Pattern[str]], group: str
) -> tuple[str, DateWords | None, str]:
    """The row without the date, the date, and the letters that it was found by."""
    for pattern in patterns:
        match = pattern.search(row)
        if match is not None:
            date = _date(atoms, match.start(group))
            return _take(row, *range(match.start(), match.end())), date, match.group()
    return row, None, ""


def _durations(atoms: Sequence[Atom], row: str, roles: Roles) -> None:
    longer = _LONGER.search("".join(atom.letter for atom in atoms))
    skipped = {
        place
        for match in _NO_STAY.finditer(row)
        for place in (match.start("t"), match.start("u"))
        if place >= 0 and (longer is None or place != longer.start("t"))
    }
    for match in _STAY.finditer(row):
        place = match.start()
        value = atoms[place].value
        if place in skipped or not isinstance(value, Duration):
            continue
        if not value.vague or _meant(row, place, value):
            roles.durations.append(value)


def _meant(row: str, place: int, value: Duration) -> bool:
    """Whether "a night" is a wish and not the unit of a price: beside a date, or after "for"."""
    near = row[max(0, place - 2) : place]
    beside = near[-1:] in ("F", "A", _TAKEN, "P", ",") or row[place + 1 : place + 2] in (_TAKEN, "f", "A")
    return (
        beside
        or near == "F_"
        or value.unit in ("weekend", "fortnight", "long_weekend")
        or row.rstrip(".") in ("T", "T_")
    )
