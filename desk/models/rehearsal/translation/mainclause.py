"""A main clause taken apart: its finite verb, and a subject that may stand before it or behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desk.models.rehearsal.translation.persons import experiences
from desk.models.rehearsal.translation.predicate import HELPERS, PRONOUN_BASE, finite
from desk.models.rehearsal.translation.spans import adverbial, question_phrase, subject_length
from desk.models.rehearsal.translation.tokens import Token


@dataclass(frozen=True)
class Order:
    """The rules that are on for one language."""

    verb_second: bool = False
    verb_last: bool = False
    nonfinite_last: bool = False


@dataclass
class Main:
    """A main clause taken apart. `subject` is set only when it follows the verb."""

    before: list[Token]
    verb: Token
    after: list[Token]
    subject: list[Token]

    @property
    def asks(self) -> bool:
        """Whether verb and subject are turned round as in a question."""
        return bool(self.subject) and (not self.before or question_phrase(self.before))


def finite_at(body: Sequence[Token]) -> int | None:
    """Where the finite verb of a clause stands; None for a clause without one."""
    for at, token in enumerate(body):
        if finite(token) and "inf" not in token.forms:
            helpers = [index for index in range(at) if _helps(body[index])]
            return helpers[0] if helpers and "part" in token.forms else at  # "haben uns zu viel berechnet"
    for at, token in enumerate(body):
        if finite(token) and len(body) > 1 and (token.kind in HELPERS or _near_subject(body, at)):
            return at
    return None


def _helps(token: Token) -> bool:
    """An auxiliary, or "fühlen" and the like, beside which a participle is no finite verb."""
    return finite(token) and (token.kind in HELPERS or token.extra == "copular")


def _near_subject(body: Sequence[Token], at: int) -> bool:
    """An infinitive look-alike is finite only beside a subject: a pronoun, or a plural noun."""
    after = body[at + 1 :]
    while after and after[0].kind in ("drop", "object"):
        after = after[1:]  # "auf dem Flur schlagen sich zwei Männer"
    if after and after[0].kind == "pron":
        return True
    if at == 0 or question_phrase(body) or adverbial(body[:at]):
        return any(word.number in ("pl", "both") for word in after[: subject_length(after)])
    if any(word.kind == "pron" for word in body[:at]):
        return True
    return body[at - 1].number in ("pl", "both") and at <= 4 and bool(after)


def taken_apart(body: list[Token], at: int, order: Order) -> Main:
    """The clause `body` around its finite verb at `at`, its subject found."""
    before, verb, after = body[:at], body[at], body[at + 1 :]
    if not order.verb_second:
        return Main(before, verb, after, [])
    if after and after[0].kind == "pron" and _agrees(verb, after[0]) and not _object_it(before, after[0]):
        return Main(before, verb, after[1:], after[:1])
    if _empty_it(before, verb) and (length := subject_length(after)):
        return Main(after[:length], verb, after[length:], [])  # "es krabbeln Ameisen durchs Zimmer"
    turned = adverbial(before) or question_phrase(before) or experiences(before)
    if not turned or not _agrees_with_noun(verb):
        return Main(before, verb, after, [])
    for skip in (aside(after, phrases=False), aside(after, phrases=True)):
        end = skip + subject_length(after[skip:])
        if end > skip:
            return Main(before, verb, after[:skip] + after[end:], after[skip:end])
    return Main(before, verb, after, [])


def aside(after: Sequence[Token], *, phrases: bool) -> int:
    """How many words stand between the verb and its subject: "hat hier in der Gegend eine Apotheke offen"."""
    skip = 0
    while skip < len(after):
        if (
            after[skip].kind in ("drop", "adv", "object")
            or (phrases and after[skip].kind in ("date", "phrase"))
            or phrases
            and after[skip].english.endswith(("with you", "with us", "with me"))
        ):
            skip += 1
        elif phrases and after[skip].kind in ("prep", "prepdet"):
            length = subject_length(after[skip + 1 :], strict=False)
            if not length:
                break
            skip += 1 + length
        else:
            break
    return skip


def _object_it(before: Sequence[Token], word: Token) -> bool:
    """ "Sie haben es geschafft": the subject stands before the verb already."""
    return word.english == "it" and len(before) == 1 and before[0].kind == "pron"


def _empty_it(before: Sequence[Token], verb: Token) -> bool:
    plural = bool(verb.forms) and not verb.forms & {"3s", "past", "imp"}
    return len(before) == 1 and before[0].english == "it" and verb.kind == "verb" and plural


def _agrees(verb: Token, pronoun: Token) -> bool:
    """ "Vergiss alles": an imperative has no subject but "you"."""
    return verb.kind != "verb" or pronoun.english in PRONOUN_BASE or bool(verb.forms & {"3s", "past"})


def _agrees_with_noun(verb: Token) -> bool:
    return verb.kind in HELPERS or bool(verb.forms & {"3s", "pl", "past"})
