"""What an English guest message asks of the desk: the reading half of the rehearsal model.

The message is cut into clauses (`understanding/clauses.py`), each clause is read by weighted rules
(`rules.py`), and what the words leave open is settled by what went before (`followups.py`). What no rule
speaks for is not guessed.
"""

from __future__ import annotations

from collections.abc import Iterable

from desk.languages import Table
from desk.models.rehearsal.acts import UNKNOWN, Act, Context, Understanding
from desk.models.rehearsal.understanding.followups import Said, follow_up
from desk.models.rehearsal.understanding.rules import Lexicon

__all__ = ["Act", "Context", "Lexicon", "Understanding", "understand"]

_MOST = 3
_MOST_GUIDE = 8


def understand(english: str, table: Table | Lexicon, *, context: Context | None = None) -> Understanding:
    """Read one message. `table` is English's `understanding.toml`, or the Lexicon compiled from it once.

    Returns one to three acts in the order of the message. A message that no rule speaks for comes back as
    the act `unknown` with `understood` False. Raises DataError when the table is broken.
    """
    lexicon = table if isinstance(table, Lexicon) else Lexicon.from_table(table)
    clauses = lexicon.clauses(english)
    asking = any(clause.asked for clause in clauses)
    said: list[Said] = []
    for clause in clauses:
        readings = lexicon.readings(clause, asking=asking)
        for reading in readings:
            if reading.rule.only:
                return Understanding(reading.rule.acts, understood=True)
        said.append(Said(clause, tuple(act for reading in readings for act in reading.rule.acts)))
    said = _without_background(said, lexicon)
    acts = follow_up(said, lexicon, context or Context())
    kept = _settle(acts, lexicon)
    if not kept:
        return Understanding((UNKNOWN,), understood=False)
    return Understanding(kept, understood=True)


def _without_background(said: list[Said], lexicon: Lexicon) -> list[Said]:
    """Leave out what only tells why: "We check out at ten, can our bags stay?" asks about the bags alone.

    What says more of the same ("We come in the morning, is the room ready?") stays.
    """
    asked = [a for part in said if part.clause.asked for a in part.acts if a.kind in lexicon.silenced]
    if not asked:
        return said
    names = {name for act in asked for name in _names(act)}

    def is_background(act: Act) -> bool:
        says_more = any(lost in names for key in _names(act) for lost in lexicon.drops.get(key, ()))
        return act.kind in lexicon.silenced and not says_more

    return [
        Said(part.clause, tuple(act for act in part.acts if not is_background(act)))
        if _only_tells(part, lexicon)
        else part
        for part in said
    ]


def _only_tells(part: Said, lexicon: Lexicon) -> bool:
    wishes = any(lexicon.has(part.clause, name) for name in ("want", "get", "ask"))
    return not part.clause.asked and not wishes and lexicon.has(part.clause, "teller")


def _settle(acts: Iterable[Act], lexicon: Lexicon) -> tuple[Act, ...]:
    """Drop what another act takes the place of, then small talk beside anything else; three kinds at most."""
    once = tuple(dict.fromkeys(acts))
    lost = {name for act in once for key in _names(act) for name in lexicon.drops.get(key, ())}
    kept = [act for act in once if not lost.intersection(_names(act))]
    if any(act.kind not in lexicon.minor for act in kept):
        kept = [act for act in kept if act.kind not in lexicon.minor]
    # An emergency is answered whatever else the message holds.
    kept.sort(key=lambda act: act != Act("staff", "emergency"))
    return _as_many_as_fit(kept)


def _as_many_as_fit(acts: Iterable[Act]) -> tuple[Act, ...]:
    """The first three; questions for the house guide are asked all at once and count as one of them."""
    kept: list[Act] = []
    for act in acts:
        guides = sum(one.kind == "guide" for one in kept)
        others = len(kept) - guides
        if act.kind == "guide" and (guides or others < _MOST):
            kept += [act] if guides < _MOST_GUIDE else []
        elif act.kind != "guide" and others + bool(guides) < _MOST:
            kept.append(act)
    return tuple(kept)


def _names(act: Act) -> tuple[str, ...]:
    return (act.kind, f"{act.kind}/{act.topic}") if act.topic else (act.kind,)
