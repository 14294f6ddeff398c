"""The verbs of a clause in English: auxiliaries, "do", negation, and what precedes the subject of a question."""

from __future__ import annotations

from collections.abc import Sequence

from desk.models.rehearsal.translation.lexicon import Lexicon
from desk.models.rehearsal.translation.persons import own_objects, they, without_loss
from desk.models.rehearsal.translation.tokens import Token

FINITE = frozenset({"1s", "2s", "3s", "pl", "past", "imp"})
HELPERS = frozenset({"be", "have", "shift", "modal"})
PRONOUN_BASE = frozenset({"I", "you", "we", "they"})
TIME_PARTS = frozenset({"prep", "prepdet", "num", "drop", "keep", "date"})
Line = list[Token]


def finite(token: Token) -> bool:
    """Whether the token can be the finite verb of a clause."""
    if token.kind in HELPERS:
        return not token.forms or bool(token.forms - {"inf", "part"})
    return token.kind == "verb" and bool(token.forms & FINITE)


def nonfinite(token: Token) -> bool:
    """Whether the token can be a participle or an infinitive."""
    return (token.kind == "verb" or token.kind in HELPERS) and bool(token.forms & {"inf", "part"})


def predicate(
    verb: Token, group: Line, rest: Line, subject: Sequence[Token], lexicon: Lexicon, *, ask: bool
) -> tuple[Line, Line]:
    """(what stands before the subject of a question, the verbs and the rest behind the subject)."""
    rest = combine(verb, rest, lexicon)
    for token in group:
        rest = combine(token, rest, lexicon) if token.kind == "verb" else rest
    for token in (verb, *group):
        do_or_make(token, rest)
    rest = own_objects(rest, subject, lexicon)
    if verb.kind == "have" and group:
        they(subject)
        rest = without_loss(rest)
    verb, group = _happening(verb, group, subject)
    rest = _as_be(verb, _there(verb, rest, subject, lexicon))
    if verb.kind == "shift" and not group and verb.english.rpartition("/")[2].startswith("bec"):
        verb.kind, verb.english, verb.extra = "verb", "become", "copular"
    if verb.extra == "infinitive":
        verb.english = _of_two(verb.english, helps=bool(group))
    rest = _adverbs(verb, group, rest, lexicon)
    if verb.kind == "verb" or (verb.kind == "have" and not group and "would" not in verb.forms):
        return _full_verb(verb, group, rest, subject, ask=ask)
    first, more = _helper(verb, group, subject)
    lead = [Token(verb.source, first, "helper")]
    inner = [Token("", more, "helper")] if more else []
    negation = _negation(rest)
    if negation and group and group[0].extra == "copular" and _before_quality(rest, negation):
        negation = None  # "have felt not welcome", as below
    if negation and (verb.kind != "be" or group):
        rest = [word for word in rest if word is not negation]
        inner = [negation, *inner]
    _set_forms(verb, group)
    middle, rest = (
        _middle(rest) if group else ([], _quality_first(rest) if verb.kind == "be" and subject else rest)
    )
    line = [*inner, *middle, *group, *_time_last(rest)]
    return (lead, line) if ask else ([], lead + line)


def _full_verb(
    verb: Token, group: Line, rest: Line, subject: Sequence[Token], *, ask: bool
) -> tuple[Line, Line]:
    form = _form(verb, subject)
    if verb.kind == "have":
        verb.english, verb.kind = "have", "verb"
        form = "past" if "had" in verb.forms else form
    for token in group:
        token.form = "inf"
    mark = [Token("", "to", "helper")] if group and verb.english != "let" else []
    negation = _negation(rest)
    if negation and verb.extra == "copular" and _before_quality(rest, negation):
        negation = None  # "tastes not good": the "not" stays beside what it denies, where it is scored
    middle, rest = _middle([word for word in rest if word is not negation])
    rest = [*mark, *group, *_time_last(rest)]
    if not ask and not negation:
        verb.form = form
        return [], [*middle, verb, *rest]
    verb.form = "base"
    lead = [Token("", {"past": "did", "3s": "does"}.get(form, "do"), "helper")]
    line = [*([negation] if negation else []), *middle, verb, *rest]
    return (lead, line) if ask else ([], lead + line)


def _negation(rest: Sequence[Token]) -> Token | None:
    return next((word for word in rest if word.kind == "neg"), None)


def _passive(verb: Token, group: Sequence[Token]) -> bool:
    """Whether "werden" makes a passive here: with a participle, or in the past, where it makes no future."""
    first = group[0].forms
    return "part" in first and ("inf" not in first or "past" in verb.forms)


def _before_quality(rest: Sequence[Token], negation: Token) -> bool:
    at = next(index for index, word in enumerate(rest) if word is negation)
    return any(word.kind == "adj" for word in rest[at + 1 : at + 3])


def _helper(verb: Token, group: Sequence[Token], subject: Sequence[Token]) -> tuple[str, str]:
    """What an auxiliary says in English: its first word, and what follows the subject."""
    if verb.kind == "be":
        perfect = any(
            word.english == "been" or word.kind == "shift" or word.extra == "move" for word in group
        )
        first, _, more = verb.english.partition(" ")
        return (_perfect(verb, subject) if perfect else _be(first, subject)), more
    if verb.kind == "have":
        return ("would", "have") if "would" in verb.forms else (_perfect(verb, subject), "")
    if verb.kind == "shift":
        return _shift(verb, group, subject)
    first, _, more = verb.english.partition(" ")
    return first, f"{more} to".strip() if verb.extra == "to" and group else more


def _shift(verb: Token, group: Sequence[Token], subject: Sequence[Token]) -> tuple[str, str]:
    """An auxiliary of future and passive; its English is "with an infinitive/with a participle/alone"."""
    future, passive, word = verb.english.split("/")
    if group:
        word = passive if _passive(verb, group) else future
    first, _, more = word.partition(" ")
    return _be(first, subject), more


def _perfect(verb: Token, subject: Sequence[Token]) -> str:
    if verb.english in ("was", "were", "had"):
        return "had"
    return "has" if verb.english in ("is", "has") and not _base_pronoun(subject) else "have"


def _base_pronoun(subject: Sequence[Token]) -> bool:
    return len(subject) == 1 and subject[0].kind == "pron" and subject[0].english in PRONOUN_BASE


def _be(word: str, subject: Sequence[Token]) -> str:
    if word not in ("is", "are", "was", "were", "am") or not _base_pronoun(subject):
        return word
    past = word in ("was", "were")
    if subject[0].english == "I":
        return "was" if past else "am"
    return "were" if past else "are"


def _form(verb: Token, subject: Sequence[Token]) -> str:
    if "past" in verb.forms and "3s" not in verb.forms:
        return "past"
    if len(subject) == 1 and subject[0].kind == "pron":
        return "base" if subject[0].english in PRONOUN_BASE else "3s"
    return "3s" if verb.forms & {"3s", "has"} else "base"


def _set_forms(verb: Token, group: Sequence[Token]) -> None:
    for token in group:
        token.form = _nonfinite_form(token, group, verb)
        if token.kind == "verb":
            token.english = _of_two(token.english, helps=len(group) > 1)
        elif token.kind == "shift":
            token.english = "become" if "part" in token.forms or len(group) == 1 else "be"


def _nonfinite_form(token: Token, group: Sequence[Token], verb: Token) -> str:
    """ "vergessen" may be either: after "have" and "be" a participle, after a modal an infinitive."""
    if "ing" in token.forms:
        return "ing"
    if verb.kind == "modal" and verb.english.endswith(" be"):
        return "part"  # "lässt sich nicht schließen": can not be closed
    if "part" not in token.forms:
        return "inf"
    passive = verb.kind == "shift" and "past" in verb.forms
    if "inf" not in token.forms or verb.kind in ("have", "be") or passive:
        return "part"
    return "inf" if token is group[0] else "part"


def _of_two(english: str, *, helps: bool) -> str:
    """A verb with two meanings, "let/leave": the first beside another verb, the second alone."""
    first, _, second = english.partition("/")
    return first if helps or not second else second


def do_or_make(verb: Token, rest: Sequence[Token]) -> None:
    """ "do/make" is "make" where something is made: "ein Angebot machen", but "das machen"."""
    if verb.english == "do/make":
        at = next((index for index, word in enumerate(rest) if word.kind == "noun"), None)
        made = at is not None and not any(word.kind in ("prep", "prepdet") for word in rest[:at])
        verb.english = "make" if made else "do"


def _as_be(verb: Token, rest: Line) -> Line:
    """A verb whose English is "be …" ("fehlt": is missing) is asked and denied like "be"."""
    head, _, tail = verb.english.partition(" ")
    if verb.kind != "verb" or head != "be":
        return rest
    verb.kind = "be"
    verb.english = "was" if _form(verb, []) == "past" else "is" if "3s" in verb.forms else "are"
    at = 1 if rest and rest[0].kind == "neg" else 0
    return [*rest[:at], Token("", tail, "adj"), *rest[at:]] if tail else rest


def _there(verb: Token, rest: Line, subject: Sequence[Token], lexicon: Lexicon) -> Line:
    """ "dass es kein Restaurant gibt": a verb that with "it" as its subject says "there is"."""
    key = (lexicon.fold(verb.lemma), lexicon.fold(subject[0].source) if len(subject) == 1 else "")
    if lexicon.combined.get(key, "").startswith("there "):
        subject[0].english = "there"
        verb.kind, verb.english = "exist", "was" if _form(verb, []) == "past" else "is"
    return rest


def _happening(verb: Token, group: Line, subject: Sequence[Token]) -> tuple[Token, Line]:
    """ "ich blute": what goes on just now ("I am bleeding") where the glossary marks the verb so."""
    happens = verb.extra == "now" or (verb.extra == "now3" and "3s" in verb.forms)  # "die Steckdose raucht"
    if verb.kind != "verb" or not happens or group or _form(verb, subject) == "past":
        return verb, group
    be = Token(verb.source, "is" if "3s" in verb.forms else "are", "be", forms=verb.forms, lemma=verb.lemma)
    return be, [Token(verb.source, verb.english, "verb", frozenset({"ing"}), lemma=verb.lemma)]


def _quality_first(rest: Line) -> Line:
    """ "ist im Bad kaputt" → "is broken in the bathroom"; "ist uns zu teuer" → "is too expensive for us"."""
    end = len(rest)
    if not end or rest[-1].kind != "adj":
        return rest
    start = end - 1
    while start and (rest[start - 1].extra == "degree" or rest[start - 1].kind in ("neg", "adj")):
        start -= 1
    place = rest[:start]
    if len(place) == 1 and place[0].kind == "object" and place[0].english:
        return [*rest[start:], Token("", "for", "prep"), *place]
    return rest[start:] + place if place and place[0].kind in ("prep", "prepdet", "phrase") else rest


def combine(verb: Token, rest: Line, lexicon: Lexicon) -> Line:
    """A verb and a word of its own elsewhere in the clause become one: "reisen … an" is "arrive"."""
    base = lexicon.fold(verb.lemma)
    for at in range(len(rest)):
        joins = rest[at].kind in ("prep", "prepdet", "det")
        if joins and at + 1 < len(rest) and rest[at + 1].kind != "conj":
            continue  # "kommen an dem Tag an": the first is a preposition
        names = (rest[at].lemma, lexicon.fold(rest[at].source))
        english = next(
            (lexicon.combined[base, name] for name in names if (base, name) in lexicon.combined), None
        )
        if english is None or (rest[at].kind == "neg" and _judges(rest)):
            continue
        head, _, tail = english.partition(" ")
        if head == "be":
            past = _form(verb, []) == "past"
            verb.english = "was" if past else "is" if verb.forms & {"3s", "has"} else "are"
            verb.kind, rest[at].english, rest[at].kind = "be", tail, "adj"
            return rest
        if head == "there":
            continue  # that one is with the subject
        if head in ("would", "can", "may", "must"):
            verb.kind, verb.english, verb.extra = (
                "modal",
                english,
                "to" if tail.endswith(("like", "know")) else "",
            )
        else:
            verb.kind, verb.english, verb.content = "verb", english, True
        return rest[:at] + rest[at + 1 :]
    return rest


def _judges(rest: Line) -> bool:
    """ "finde das nicht gut" is a judgement; "finde das nicht" is a search."""
    return any(
        word.kind == "adj" and (after is None or after.kind not in ("noun", "adj"))
        for word, after in zip(rest, [*rest, None][1:], strict=True)
    )


def _adverbs(verb: Token, group: Sequence[Token], rest: Line, lexicon: Lexicon) -> Line:
    """ "schläft gut" is "sleeps well"; after "taste", "smell" and the like an adjective stays one."""
    doing = group[-1] if group else verb
    if doing.kind != "verb" or doing.extra == "copular":
        return rest
    for at, token in enumerate(rest):
        alone = at + 1 == len(rest) or rest[at + 1].kind not in ("noun", "adj", "unknown", "keep")
        if token.kind == "adj" and alone and lexicon.fold(token.source) in lexicon.adverbial:
            token.english, token.kind = lexicon.adverbial[lexicon.fold(token.source)], "adv"
    return rest


def _middle(rest: Line) -> tuple[Line, Line]:
    """Adverbs that stand before the main verb in English: please, also, already ("hat uns nie geholfen")."""
    start = 1 if rest and rest[0].kind == "object" else 0
    at = start
    while at < len(rest) and (rest[at].extra in ("mid", "please") or rest[at].kind == "drop"):
        at += 1
    return rest[start:at], rest[:start] + rest[at:]


def _time_last(rest: Line) -> Line:
    """ "have tomorrow a room free" → "have a room free tomorrow": a time before the object goes to the end."""
    end = 0
    for at, token in enumerate(rest):
        dated = any(letter.isalpha() or letter == ":" for letter in token.english)
        if token.kind == "date" or (
            token.kind == "keep" and dated and any(c.isdigit() for c in token.english)
        ):
            end = at + 1
        elif token.kind not in TIME_PARTS and token.extra != "mid":
            break
    after = rest[end] if end < len(rest) else None
    if not end or after is None or after.kind not in ("det", "adj", "noun", "num"):
        return rest
    return rest[end:] + rest[:end]
