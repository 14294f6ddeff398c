"""From the guest's word order to English word order, clause by clause.

Which of these rules a language needs is said in its glossary (`[order]`):
- `verb_second`: one constituent stands before the verb, so the subject may follow it ("morgen komme ich");
- `verb_last`: in a clause with a subordinating word the verb comes last ("dass das Zimmer schmutzig ist");
- `nonfinite_last`: participles and infinitives stand at the end ("kann ich meinen Hund mitbringen").
"""

from __future__ import annotations

from collections.abc import Sequence

from desk.models.rehearsal.translation.lexicon import Lexicon
from desk.models.rehearsal.translation.mainclause import Main, Order, aside, finite_at, taken_apart
from desk.models.rehearsal.translation.persons import as_subject, experiences, owned
from desk.models.rehearsal.translation.predicate import (
    HELPERS,
    combine,
    do_or_make,
    finite,
    nonfinite,
    predicate,
)
from desk.models.rehearsal.translation.spans import adverbial, indefinite, subject_length
from desk.models.rehearsal.translation.tokens import Token

LEADING = frozenset({"conj", "interj", "drop", "stop"})
OPENERS = frozenset({"sub", "wh", "relative"})
ABLE = {"can": "be able to", "must": "have to", "may": "be allowed to", "will": "become"}
GOING = frozenset({"can", "may", "must", "could", "should"})


def arrange(
    clause: list[Token], lexicon: Lexicon, order: Order, *, question: bool, follows: bool = False
) -> list[Token]:
    """One clause in English order, its verbs in their English forms. `follows`: it follows its subclause."""
    head, body = _leading(clause)
    if not body:
        return clause
    body = _to_infinitive(body)
    if order.verb_last and body[0].kind in OPENERS and len(body) > 2:
        moved = _verb_last(body, lexicon)
        if moved:
            return head + moved
    at = finite_at(body)
    if at is None:
        return head + _bare(body, joined=_joined(head))
    main = taken_apart(body, at, order)
    if not at and _joined(head) and not question and main.subject and main.subject[0].kind != "pron":
        main = Main([], main.verb, body[1:], [])  # "… und brauchen zwei Betten": the subject stands before
    if follows and not at and not question and main.subject and not _told(main):
        main = Main(main.subject, main.verb, main.after, [])  # "während wir aßen, hat jemand …"
    if _imperative(main, question=question):
        return head + main.before + _command(main, lexicon)
    return head + _statement_or_question(main, lexicon, order)


def _told(main: Main) -> bool:
    """ "wenn er kommt, rufen Sie mich an" tells somebody to do something."""
    return main.verb.kind == "verb" and main.subject[0].english == "you"


def _joined(head: Sequence[Token]) -> bool:
    return bool(head) and head[-1].kind == "conj"


def _leading(clause: list[Token]) -> tuple[list[Token], list[Token]]:
    at = 0
    while at < len(clause) and clause[at].kind in LEADING:
        at += 1
    if at and at < len(clause) and clause[at - 1].kind == "drop" and finite(clause[at]):
        at -= 1  # "eigentlich war alles gut" is no question
    return clause[:at], clause[at:]


def _to_infinitive(body: list[Token]) -> list[Token]:
    """ "ein Zimmer zu buchen" → "to book a room": the infinitive goes to the front of its own phrase."""
    for at, token in enumerate(body):
        mark = body[at - 1] if at else token
        marked = mark.kind == "prep" and mark.extra == "to" and "inf" in token.forms
        if not marked and not (token.kind == "verb" and "zuinf" in token.forms):
            continue
        start = at - 1 if marked else at
        front = _own_phrase(body, start)
        passive = token.kind == "shift" and start > 0 and "part" in body[start - 1].forms
        done = body[start - 1 : start] if passive else []  # "geweckt zu werden": to be woken
        start -= len(done)
        english = "be" if passive else ABLE.get(token.english.partition("/")[0], token.english)
        verb = Token(token.source, f"to {english}", "toverb", content=True)
        kept = [word for word in body[:front] if word.extra != "purpose"]
        middle = [word for word in body[front:start] if word.extra != "purpose"]
        return [*kept, verb, *done, *middle, *body[at + 1 :]]
    return body


def _own_phrase(body: Sequence[Token], end: int) -> int:
    front = 0
    for at in range(end):
        if finite(body[at]):
            front = at + 1
            if front < end and body[front].kind == "pron":
                front += 1
    return front


def _bare(body: list[Token], *, joined: bool) -> list[Token]:
    """A clause without a finite verb: an infinitive at its end is a request ("Zimmer stornieren")."""
    for at, token in enumerate(body):
        if token.kind == "verb":
            token.form = token.form or ("inf" if "inf" in token.forms else "part")
            if at == len(body) - 1 and token.form == "inf" and (joined or body[0].kind != "prep"):
                return _request(token, body[:at])
    return body


def _request(verb: Token, rest: list[Token]) -> list[Token]:
    polite = [word for word in rest if word.extra == "please"]
    denied = [Token("", "do not", "helper")] if any(word.kind == "neg" for word in rest) else []
    kept = [word for word in rest if word.extra != "please" and word.kind != "neg"]
    return [*polite, *denied, verb, *kept]


def _verb_last(body: list[Token], lexicon: Lexicon) -> list[Token] | None:
    """A subordinate clause: its verbs, which stand last, go behind the subject. None when they do not."""
    end = len(body)
    while end > 1 and body[end - 1].kind in ("adv", "drop", "interj"):
        end -= 1
    if not finite(body[end - 1]):
        return None
    start = end - 1
    while start > 1 and nonfinite(body[start - 1]):
        start -= 1
    if any(word.kind in HELPERS and finite(word) for word in body[1:start]):
        return None
    opening, middle, verbs, tail = body[:1], body[1:start], body[start:end], body[end:]
    while opening[0].kind == "wh" and opening[0].extra != "where" and middle and _belongs(middle[0]):
        opening.append(middle.pop(0))
    length = 0 if _is_subject_itself(opening[0], middle) else subject_length(middle)
    skip = aside(middle, phrases=False) if not length and _needs_subject(opening[0]) else 0
    length = length or (subject_length(middle[skip:]) if skip else 0)
    subject = middle[skip : skip + length]
    rest = middle[:skip] + middle[skip + length :] if length else middle
    return opening + subject + predicate(verbs[-1], verbs[:-1], rest, subject, lexicon, ask=False)[1] + tail


def _needs_subject(opener: Token) -> bool:
    """ "dass hier ein Zimmer frei ist", "…, in dem auch Kinder schlafen"."""
    return opener.kind == "sub" or (opener.kind == "relative" and opener.extra == "object")


def _belongs(word: Token) -> bool:
    """What goes with a question word: "which room", "how big"."""
    return word.kind in ("adj", "noun", "adv")


def _is_subject_itself(opener: Token, rest: Sequence[Token]) -> bool:
    """ "…, der die Lampe repariert": the relative word is the subject unless its case or a pronoun says no."""
    return opener.kind == "relative" and opener.extra != "object" and bool(rest) and rest[0].kind != "pron"


def _imperative(main: Main, *, question: bool) -> bool:
    """ "Rufen Sie …", "bitte bringen Sie …", "zeig mir …", where no question mark says otherwise."""
    if question or main.verb.kind != "verb":
        return False
    if not main.subject:
        return not main.before and bool(main.verb.forms & {"imp", "1s"})
    polite = all(word.extra in ("please", "cue") or word.kind in LEADING for word in main.before)
    asked = any(word.extra == "please" for word in main.before) and "3s" in main.verb.forms
    return polite and (main.subject[0].english in ("you", "we") or asked)


def _command(main: Main, lexicon: Lexicon) -> list[Token]:
    main.verb.form = "imp"
    object_ = main.subject if main.subject and main.subject[0].kind != "pron" else []
    after = combine(main.verb, object_ + main.after, lexicon)
    do_or_make(main.verb, after)
    let_us = [Token("", "let us", "helper")] if main.subject and main.subject[0].english == "we" else []
    denied = [word for word in after if word.kind == "neg"]
    if denied:
        return [Token("", "do not", "helper"), main.verb, *[word for word in after if word is not denied[0]]]
    return [*let_us, main.verb, *after]


def _statement_or_question(main: Main, lexicon: Lexicon, order: Order) -> list[Token]:
    before, verb, subject = main.before, main.verb, main.subject
    group, after = _nonfinite(verb, main.after, order)
    if not group and verb.kind == "modal" and verb.english in GOING and _goes(after):
        group = [Token("", "go", "verb", frozenset({"inf"}))]
    if experiences(before) and verb.kind in ("be", "shift"):
        if subject and group and owned(before[0], subject):
            before = []
        elif group or not subject:  # "uns wurde ein Zimmer versprochen": we were promised a room
            for token in group:
                _told_to(token, before[0], lexicon)
            as_subject(before)
            after, subject = subject + after, []
    asks = main.asks
    if not subject and (before or after) and _nobody_named(before, verb, group):
        verb, subject, after = _somebody(verb, group[0], after)
        group, asks = [], not before
    lead, rest = predicate(verb, group, after, subject or before, lexicon, ask=asks)
    if asks:
        return before + lead + subject + rest
    if not subject:
        return before + rest
    if verb.kind == "be" and before and before[0].kind in ("prep", "prepdet", "adv") and indefinite(subject):
        first = [word for word in rest[1:2] if word.kind == "adj"]  # "there are 500 euros missing from …"
        return [Token("", "there", "helper"), rest[0], *subject, *first, *before, *rest[1 + len(first) :]]
    return before + subject + rest if adverbial(before) else subject + rest + before


def _told_to(verb: Token, person: Token, lexicon: Lexicon) -> None:
    """ "mir wurde gesagt": what is said to somebody is told."""
    told = lexicon.combined.get((lexicon.fold(verb.lemma), lexicon.fold(person.source)), "")
    if told.endswith(f" {person.english}"):
        verb.english = told.removesuffix(f" {person.english}")


def _nobody_named(before: Sequence[Token], verb: Token, group: Sequence[Token]) -> bool:
    """ "nebenan wurde gefeiert": a passive without a subject."""
    passive = verb.kind == "shift" and len(group) == 1 and group[0].kind == "verb"
    return passive and adverbial(before) and "part" in group[0].forms


def _somebody(verb: Token, doing: Token, after: list[Token]) -> tuple[Token, list[Token], list[Token]]:
    """ "next door somebody celebrated": (the verb, its subject, the rest)."""
    denied = [word for word in after if word.kind == "neg"]
    who = Token("", "nobody" if denied else "somebody", "pron")
    time = "past" if "past" in verb.forms else "3s"
    extra = "now" if time == "3s" and not denied else doing.extra
    active = Token(doing.source, doing.english, "verb", frozenset({time}), lemma=doing.lemma, extra=extra)
    return active, [who], [word for word in after if word.kind != "neg"]


def _goes(after: Sequence[Token]) -> bool:
    """ "dürfen wir schon ins Zimmer?": where somebody may go, the verb is left out."""
    return any(
        word.kind in ("prep", "prepdet") and word.english.startswith(("to ", "into ")) for word in after
    )


def _nonfinite(verb: Token, after: list[Token], order: Order) -> tuple[list[Token], list[Token]]:
    """The participles and infinitives that belong to `verb`, in English order, and what is left."""
    if not order.nonfinite_last or not (verb.kind in HELPERS or verb.extra == "infinitive"):
        return [], after
    wanted = {"be": {"part"}, "have": {"part"}, "modal": {"inf"}}.get(verb.kind, {"inf", "part"})
    for end in range(len(after), 0, -1):
        if not nonfinite(after[end - 1]) or not after[end - 1].forms & wanted:
            continue
        start = end - 1
        while start > 0 and nonfinite(after[start - 1]):
            start -= 1
        group = after[start:end][::-1]
        while start > 0 and after[start - 1].extra == "degree" and verb.kind != "have":
            start -= 1
            group = [*group[:-1], after[start], group[-1]]
        return group, after[:start] + after[end:]
    return [], after
