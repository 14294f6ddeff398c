"""What words mean beside their neighbours, and where one clause ends and the next begins."""

from __future__ import annotations

from collections.abc import Sequence

from desk.models.rehearsal.translation.lexicon import Lexicon
from desk.models.rehearsal.translation.predicate import HELPERS, finite, nonfinite
from desk.models.rehearsal.translation.prepositions import before_noun, kind_at, ordinal, settle_preposition
from desk.models.rehearsal.translation.spans import subject_length
from desk.models.rehearsal.translation.tokens import SENTENCE_END, Token

INSIDE = frozenset({"-", "–", "/", "'", '"', "„", "“", "”", "&", "+", "%", "€", "*", "#", "(", ")"})
ACTING = frozenset({"pron", "object", "verb"}) | HELPERS
AFTER_ARTICLE = frozenset({"noun", "adj", "num", "keep", "unknown", "name", "date"})


def settle(tokens: list[Token], lexicon: Lexicon) -> None:
    """Settle what depends on the neighbours: articles, prepositions, pronouns, singular or plural."""
    for at, token in enumerate(tokens):
        if token.kind == "det":
            _settle_article(tokens, at, lexicon)
        elif token.kind in ("prep", "prepdet"):
            settle_preposition(tokens, at, lexicon)
        elif token.kind == "noun":
            _settle_number(tokens, at)
        elif token.kind == "num" and at and tokens[at - 1].kind in ("be", "pron"):
            token.english = token.english.removeprefix("for ")  # "we are (for) four people"
        elif token.kind == "adj" and kind_at(tokens, at + 1) == "adj":
            token.english = lexicon.adverbial.get(lexicon.fold(token.source), token.english)
        else:
            _settle_meaning(tokens, at)


def _settle_article(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> None:
    token = tokens[at]
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if token.extra.startswith("degree=") and after and after.kind in ("adj", "adv") and not after.capital:
        token.english, token.kind, token.extra = token.extra.removeprefix("degree="), "adv", "degree"
    elif token.extra == "of" and kind_at(tokens, at - 1) == "prep" and at:
        token.english, token.extra = token.english.removeprefix("of "), ""  # "während des Frühstücks"
    elif token.english == "their" and any(_female(word, lexicon) for word in tokens[:at]):
        token.english = "her"
    elif _is_genitive(tokens, at, lexicon):
        token.english, token.extra = lexicon.genitive[token.lemma], "of"
    elif token.extra.startswith("after_no=") and any(word.english == "no" for word in tokens[:at]):
        token.english, token.kind = token.extra.removeprefix("after_no="), "adv"
    elif token.lemma in lexicon.alone and not _opens_phrase(tokens, at):
        token.english, token.kind = lexicon.alone[token.lemma], "pron"
    elif token.extra == "object" and kind_at(tokens, at + 1) == "keep":
        token.english = token.english.removesuffix("the")  # "auf den 7. Mai"


def _settle_number(tokens: Sequence[Token], at: int) -> None:
    token = tokens[at]
    if token.number == "both":
        token.number = "pl" if _with_s(tokens, at) else _number(tokens, at)
    elif token.number == "pl" and at and tokens[at - 1].english in ("a", "one"):
        token.number = "sg"  # "mit einem Menschen": the form is that of the plural
    elif token.number == "sg" and at and tokens[at - 1].kind == "num" and not ordinal(tokens[at - 1]):
        token.number = "sg" if tokens[at - 1].number == "sg" else "pl"  # "zwei Erwachsene"


def _with_s(tokens: Sequence[Token], at: int) -> bool:
    """ "auf den Fotos": with the ending of a genitive, but after nothing that asks for one."""
    token = tokens[at]
    genitive = at > 0 and (tokens[at - 1].extra == "of" or tokens[at - 1].source.endswith("s"))
    return token.source.casefold() == token.lemma.casefold() + "s" and not genitive


def _settle_meaning(tokens: Sequence[Token], at: int) -> None:
    token = tokens[at]
    if token.extra == "lead" and at and tokens[at - 1].kind not in ("stop", "conj", "interj"):
        token.kind = "drop"  # "das ist ja schön"
    elif token.extra == "particle" and kind_at(tokens, at - 1) in ACTING and at:
        token.kind = "drop"  # "da bin ich aber enttäuscht"
    elif token.extra.startswith("lead=") and not _leads(tokens, at):
        token.english, token.kind = token.extra.removeprefix("lead="), "adv"
    elif token.extra.startswith("like=") and _compares(tokens, at):
        token.english, token.kind, token.extra = token.extra.removeprefix("like="), "prep", ""
    elif token.extra.startswith("opens=") and _opens_with_one(tokens, at):
        token.english = token.extra.removeprefix("opens=")  # "Sie liegt am Boden"
    elif token.extra.startswith("exclaim=") and not _in_clause_with_verb(tokens, at):
        token.english, token.kind = token.extra.removeprefix("exclaim="), "interj"
    elif token.extra.startswith("she=") and _beside_singular(tokens, at):
        token.english = token.extra.removeprefix("she=")
    elif token.extra.startswith("some=") and _means_some(tokens, at):
        token.english, token.kind = token.extra.removeprefix("some="), "object"


def _leads(tokens: Sequence[Token], at: int) -> bool:
    """Whether "da" opens a subordinate clause ("da es regnet"), and does not say where ("da steht ein Mann")."""
    opens = not at or tokens[at - 1].kind in ("stop", "conj", "interj")
    return opens and at + 1 < len(tokens) and not finite(tokens[at + 1]) and tokens[at + 1].kind != "stop"


def _in_clause_with_verb(tokens: Sequence[Token], at: int) -> bool:
    """Without a verb, "was für ein Zimmer" is an outcry."""
    for token in tokens[at + 1 :]:
        if token.kind == "stop":
            return "?" in token.source
        if finite(token) or nonfinite(token):
            return True
    return False


def _compares(tokens: Sequence[Token], at: int) -> bool:
    """ "dünn wie Papier", "riecht wie im Keller": no question word but a comparison."""
    before = tokens[at - 1] if at else None
    after = kind_at(tokens, at + 1)
    likens = before is not None and (before.kind == "adj" or before.extra == "copular" or not before.english)
    return likens and after in ("det", "noun", "prepdet", "prep", "object", "date")


def _female(word: Token, lexicon: Lexicon) -> bool:
    return word.number != "pl" and word.english.rpartition(" ")[2] in lexicon.female


def _is_genitive(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """ "die Stornierung der Buchung": an article right behind a noun, with a noun of its own."""
    token = tokens[at]
    return (
        token.kind == "det"
        and token.lemma in lexicon.genitive
        and at > 0
        and tokens[at - 1].kind == "noun"
        and _opens_phrase(tokens, at)
    )


def _opens_phrase(tokens: Sequence[Token], at: int) -> bool:
    after = at + 1
    while after < len(tokens) and tokens[after].kind == "adv":
        after += 1
    if after >= len(tokens) or tokens[after].kind not in AFTER_ARTICLE:
        return False
    return after == at + 1 or (tokens[after].kind == "adj" and before_noun(tokens, after))


def _beside_singular(tokens: Sequence[Token], at: int) -> bool:
    near = [tokens[i] for i in (at - 1, at + 1) if 0 <= i < len(tokens)]
    return any("3s" in token.forms and "pl" not in token.forms for token in near if finite(token))


def _opens_with_one(tokens: Sequence[Token], at: int) -> bool:
    """A capital that only opens the sentence: the verb behind it is of one person."""
    opens = not at or SENTENCE_END.match(tokens[at - 1].source) is not None
    return opens and _beside_singular(tokens[at : at + 2], 0)


def _means_some(tokens: Sequence[Token], at: int) -> bool:
    """ "haben Sie was frei?": inside a clause, before an adjective or at its end, "what" is "something"."""
    before = tokens[at - 1].kind if at else "stop"
    after = tokens[at + 1].kind if at + 1 < len(tokens) else "stop"
    verbal = after == "verb" and "inf" in tokens[at + 1].forms  # "wo kann man was trinken?"
    beside = after in ("stop", "adj", "adv", "prep") or verbal
    return before in ("pron", "adv", "verb", "modal", "have") and beside


def _number(tokens: Sequence[Token], at: int) -> str:
    if at + 1 < len(tokens) and tokens[at + 1].kind == "keep":
        return "sg"
    back = at - 1
    while back >= 0 and (
        tokens[back].kind == "adj" or (tokens[back].kind == "num" and ordinal(tokens[back]))
    ):
        back -= 1
    if back < 0:
        return "pl"
    before = tokens[back]
    if before.kind == "keep":
        return "sg" if before.english == "1" else "pl"
    if before.kind == "num":
        return "sg" if before.number == "sg" else "pl"
    if before.kind in ("det", "wh"):
        return "pl" if before.number == "pl" else "sg"
    single = before.kind in ("prepdet", "noun") or before.english.endswith((" the", " my", " our"))
    return "sg" if single else "pl"


def split_clauses(tokens: Sequence[Token], lexicon: Lexicon) -> list[list[Token]]:
    """The clauses in order; a punctuation mark that ends a clause is a clause of its own."""
    clauses: list[list[Token]] = []
    clause: list[Token] = []
    for at, token in enumerate(tokens):
        if token.kind == "stop" and (token.source not in INSIDE or _dash(tokens, at)):
            clauses += [clause, [token]]
            clause = []
            continue
        if clause and _begins(clause, tokens[at:]):
            clauses.append(clause)
            clause = []
        clause.append(token)
    clauses.append(clause)
    clauses = [part for part in clauses if part]
    for at in range(2, len(clauses)):
        _mark_relative(clauses[at - 2], clauses[at - 1], clauses[at], lexicon)
    return clauses


def _dash(tokens: Sequence[Token], at: int) -> bool:
    """A dash with room on both sides parts two clauses, but not "10 – 12"."""
    if tokens[at].source not in ("-", "–") or tokens[at].glued or not 0 < at < len(tokens) - 1:
        return False
    numbers = ("keep", "num", "date")
    return not (tokens[at - 1].kind in numbers and tokens[at + 1].kind in numbers)


def _begins(clause: Sequence[Token], ahead: Sequence[Token]) -> bool:
    token = ahead[0]
    if token.kind == "sub":
        return True
    has_verb = any(finite(word) or word.kind == "exist" for word in clause)
    if token.kind == "wh" and token.extra != "joined":
        return has_verb and clause[-1].kind not in ("prep", "conj", "wh", "sub")
    rest = _to_stop(ahead[1:])
    if token.kind == "conj":
        return has_verb and not _unfinished(clause) and any(finite(word) for word in rest)
    if clause[0].kind in ("sub", "wh", "relative") or not has_verb or _unfinished(clause):
        return False
    return finite(token) and "inf" not in token.forms and bool(rest) and rest[0].kind == "pron"


def _to_stop(tokens: Sequence[Token]) -> list[Token]:
    rest: list[Token] = []
    for token in tokens:
        if token.kind in ("stop", "sub") and token.source not in INSIDE:
            break
        rest.append(token)
    return rest


def _unfinished(clause: Sequence[Token]) -> bool:
    """A modal without its infinitive yet: what follows an "and" may still belong to it."""
    modal = any(word.kind == "modal" for word in clause)
    return modal and not any(nonfinite(word) and word.kind not in HELPERS for word in clause)


def govern(clause: Sequence[Token], lexicon: Lexicon) -> None:
    """Give prepositions the English that the clause's verb or adjective asks for ("warten auf": wait for)."""
    for at, word in enumerate(clause):
        if word.kind not in ("verb", "adj", "noun", "shift"):
            continue
        for other in clause if word.kind != "noun" else clause[at + 1 : at + 2]:
            if other.kind in ("prep", "prepdet") and not (word.kind == "shift" and _dated(clause, other)):
                first, _, article = other.source.partition(" ")
                english = lexicon.government.get((lexicon.fold(word.lemma), lexicon.fold(first)))
                if english is not None:
                    more = other.english.partition(" ")[2]  # "to my" in "auf mein Zimmer"
                    other.english = f"{english} {more or ('the' if article else '')}".strip()


def _dated(clause: Sequence[Token], preposition: Token) -> bool:
    """ "wird von 7 bis 10 Uhr serviert": no doer but a time."""
    at = next(index for index, word in enumerate(clause) if word is preposition)
    return kind_at(clause, at + 1) in ("keep", "num", "date")


def _mark_relative(
    main: Sequence[Token], comma: Sequence[Token], clause: list[Token], lexicon: Lexicon
) -> None:
    """ "…, das nicht sauber ist": an article that opens a clause whose verb comes last is "which"."""
    first = clause[0]
    if comma[0].source == "," and first.english.endswith(" the") and len(clause) > 2 and finite(clause[-1]):
        if clause[1].kind in ("pron", "det", "adv", "num", "drop"):  # "das Hotel, in dem ich war"
            first.english, first.kind, first.extra = first.english[:-3] + "which", "relative", "object"
        return
    if comma[0].source == "," and first.kind == "prep" and len(clause) > 2 and finite(clause[-1]):
        if clause[1].kind == "pron" and clause[1].lemma in lexicon.alone:  # "…, in denen Sie essen"
            first.english, first.kind, first.extra = f"{first.english} which", "relative", "object"
            del clause[1]
        return
    opens = first.english == "which" or (first.kind in ("det", "pron") and first.lemma in lexicon.alone)
    if comma[0].source != "," or not opens or len(clause) < 3 or not finite(clause[-1]):
        return
    if clause[-2].extra == "to":
        return  # "…, den Safe zu leeren"
    if main[-1].kind != "noun" and subject_length(clause) == len(clause) - 1:
        return  # "…, der Rauchmelder piept"
    if any(finite(word) and "inf" not in word.forms and "part" not in word.forms for word in clause[1:-1]):
        return
    first.english, first.kind = "which", "relative"
