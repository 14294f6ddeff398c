"""Lies in the translation of the desk's patterns: for each rule of `desk.wording.faithful` those that it must see."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from desk.wording.claims import clauses
from desk.wording.faithful import KINDS
from desk.wording.patterns import ANY_PLACE
from tests.hostile.kinds import Call, Kind, again, args_of
from tests.hostile.server import Said
from tests.wordings.support import FRENCH

SHARE = 0.3  # of the patterns that one answer lies about
Lie = Callable[
    [str, str, random.Random], str | None
]  # of the English and the true French; None: nothing to do here


def _end(told: str, more: str) -> str:
    """The words put before the mark that ends the sentence."""
    return re.sub(r"( ?[.?:]?)$", rf"{more}\1", told, count=1)


def _exchanged(told: str, one: str, other: str) -> str:
    return told.replace(one, "\0").replace(other, one).replace("\0", other)


def _kind_of(place: str) -> int:
    name = re.split(r"[.:}]", place[1:])[0]
    return next((n for n, names in enumerate(KINDS) if name in names), len(KINDS))


def two_of_a_kind(english: str, told: str, rng: random.Random) -> str | None:
    """Two days, sums or numbers of one clause exchanged."""
    for clause, _ in clauses(told):
        places = sorted(set(ANY_PLACE.findall(clause)))
        for one in places:
            for other in places:
                if one < other and _kind_of(one) == _kind_of(other):
                    return _exchanged(told, one, other)
    return None


def other_clause(english: str, told: str, rng: random.Random) -> str | None:
    """Two places of different kinds exchanged between two clauses."""
    parts = [sorted(set(ANY_PLACE.findall(clause))) for clause, _ in clauses(told)]
    full = [places for places in parts if places]
    if len(full) < 2:
        return None
    one, other = rng.choice(full[0]), rng.choice(full[1])
    return None if _kind_of(one) == _kind_of(other) else _exchanged(told, one, other)


def turned(english: str, told: str, rng: random.Random) -> str | None:
    """A "not" dropped, or "free" said to be booked."""
    for old, new in (
        ("n'est pas ", "est "),
        ("ne sont pas ", "sont "),
        ("n'a pas de ", "a "),
        ("libre", "libre et réservée"),
    ):
        if old in told:
            return told.replace(old, new)
    return None


def numbers(english: str, told: str, rng: random.Random) -> str | None:
    """Another number in words."""
    changed = told.replace("dix", "vingt").replace("deux", "trois")
    return changed if changed != told else None


def another_word(english: str, told: str, rng: random.Random) -> str | None:
    """A pharmacy called a hospital."""
    words = [FRENCH["patterns"][word] for word in ("pharmacy", "hospital", "museum", "church")]
    return rng.choice([word for word in words if word != told]) if told in words else None


def unforeseen(english: str, told: str, rng: random.Random) -> str | None:
    """A lie of words that are on no list of bad ones."""
    if english in INSTEAD:
        return rng.choice(INSTEAD[english])
    for old, new in (
        ("n'est pas libre {stay}", "n'est libre que {stay}"),
        ("n'a pas de chambre {room}", "n'a que la chambre {room}"),
        ("est libre {stay}", "est libre hormis {stay}"),
        ("coûte {rate}", "coûte au pire {rate}"),
    ):
        if old in told:
            return told.replace(old, new)
    return None


INSTEAD = {
    "A good choice.": ("Chambre enregistrée.", "Elle est déjà à votre nom."),
    "Gladly.": ("Le paiement est reçu.", "Votre chambre vous attend."),
    "These dates are in the past.": ("Vos dates sont validées.",),
    "Please call the emergency services right away.": (
        "Veuillez attendre tranquillement dans votre chambre.",
    ),
    "I am alerting our team at once.": ("Notre équipe est en route.",),
    "I could not cancel your booking {reference}. It stays as it was.": (
        "Je n'ai eu aucun mal à annuler votre réservation {reference}. Elle est partie.",
    ),
}


LIES: dict[str, Lie] = {
    "readable": lambda english, told, rng: _end(told, "\u200b"),
    "same_places": lambda english, told, rng: _end(told, rng.choice(("}", "{", " {hotel}", " {total}"))),
    "same_clauses": lambda english, told, rng: (
        f"{told} {rng.choice(('Note du traducteur.', 'À vérifier.', 'Voilà.'))}"
    ),
    "places_in_clauses": other_clause,
    "same_order": two_of_a_kind,
    "same_signs": lambda english, told, rng: _end(told, rng.choice((" 49", " €", " www.exemple.com", " *"))),
    "same_size": lambda english, told, rng: _end(told, ", bien entendu et avec tout notre respect" * 5),
    "own_script": lambda english, told, rng: english,
    "no_numbers": numbers,
    "no_names": lambda english, told, rng: _end(
        told, rng.choice((" au Garden Court", " au Harbour House", " Deluxe"))
    ),
    "no_days": lambda english, told, rng: _end(told, rng.choice((" lundi", " en juin", " on Monday"))),
    "same_claims": turned,
    "same_topics": another_word,
    "sums_with_their_words": lambda english, told, rng: told.replace(
        "par nuit, {total} pour {nights.night}", "pour {nights.night}, {total} par nuit"
    ),
    "known_words": unforeseen,
    "same_denials": lambda english, told, rng: told.replace("n'est libre", "n'est pas libre"),
    "nothing_claimed_elsewise": lambda english, told, rng: _end(
        told, rng.choice((", gebucht", ", reservada", ", 已预订"))
    ),
}


def _kind(name: str, lie: Lie, share: float) -> Kind:
    def twist(call: Call) -> Said | None:
        if call.forced != "TranslatedPatterns":
            return None
        rows = {row["number"]: row["english"] for row in call.block("patterns", [])}
        told = [
            {**row, "text": (lie(rows[row["number"]], row["text"], call.rng) or row["text"])}
            if call.rng.random() < share
            else row
            for row in args_of(call)["patterns"]
        ]
        return again(call, "TranslatedPatterns", {"patterns": told})

    return Kind(f"patterns: {name}", "false", ("translator",), twist)


PATTERN_KINDS = [
    _kind(name, lie, 1.0 if name in ("no_numbers", "same_topics") else SHARE) for name, lie in LIES.items()
]
