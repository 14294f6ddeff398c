"""What prepositions mean beside their neighbours: "auf" a day or a list, "gegen" eight o'clock or headaches."""

from __future__ import annotations

from collections.abc import Sequence

from desk.models.rehearsal.translation.lexicon import Lexicon
from desk.models.rehearsal.translation.tokens import SENTENCE_END, Token


def settle_preposition(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> None:
    """Give the preposition at `at` the English that its neighbours ask for, or another kind of word."""
    token, after = tokens[at], kind_at(tokens, at + 1)
    sort, _, english = token.extra.partition("=")
    if sort == "clause" and _opens_clause(tokens, at, lexicon):
        token.english, token.kind = english, "sub"
        return
    if sort in MEANS and MEANS[sort](tokens, at):
        token.english = english
    if token.extra == "purpose" and after in ("num", "keep", "date"):
        token.extra = ""  # "um sechs Uhr"
    if after in ("keep", "date", "name") or (after == "num" and _names_day(tokens, at + 1)):
        token.english = english if sort == "date" else token.english.removesuffix(" the")
    elif sort == "date" and after == "num" and kind_at(tokens, at + 2) == "stop":
        token.english = f"{english} the"  # "am Dreißigsten"
    elif after == "adj" and tokens[at + 1].extra == "superlative" and kind_at(tokens, at + 2) != "noun":
        token.english = ""  # "am schnellsten": fastest
    elif token.lemma in lexicon.alone and after == "stop":
        token.english, token.kind = lexicon.alone[token.lemma], "adj"
    elif token.extra == "to" and after in ("adj", "adv") and not before_noun(tokens, at + 1):
        token.english, token.kind, token.extra = "too", "adv", "degree"


def _opens_clause(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """ "während wir schliefen" tells of a clause, "während des Frühstücks" does not."""
    if at + 1 >= len(tokens):
        return False
    after = tokens[at + 1]
    subject = (
        after.kind == "det" and after.extra not in ("object", "of") and after.lemma not in lexicon.genitive
    )
    return after.kind == "pron" or subject


def _of_thing(tokens: Sequence[Token], at: int) -> bool:
    """ "gegen Kopfschmerzen", but not "gegen acht"."""
    return kind_at(tokens, at + 1) not in ("num", "keep", "date", "adv", "stop")


def _compared(tokens: Sequence[Token], at: int) -> bool:
    return any(_comparative(word) for word in tokens[max(at - 3, 0) : at])


def _of_doing(tokens: Sequence[Token], at: int) -> bool:
    """ "zum Reparieren": before what somebody does."""
    return kind_at(tokens, at + 1) == "noun" and tokens[at + 1].extra == "doing"


def _comparative(word: Token) -> bool:
    return word.extra == "comparative" or (word.kind == "adj" and word.english.endswith("er"))


def _names_day(tokens: Sequence[Token], at: int) -> bool:
    """ "am ersten Februar" and "im Zimmer zwei", but not "im dritten Stock"."""
    return not ordinal(tokens[at]) or kind_at(tokens, at + 1) == "date"


def ordinal(token: Token) -> bool:
    """Whether a number says which one: "third"."""
    return token.english.endswith(("first", "second", "third", "th"))


def kind_at(tokens: Sequence[Token], at: int) -> str:
    """The kind of the word at `at`; behind the last one it is as if a full stop stood there."""
    return tokens[at].kind if at < len(tokens) else "stop"


def before_noun(tokens: Sequence[Token], at: int) -> bool:
    """Whether the next word belongs to a noun phrase."""
    return at + 1 < len(tokens) and tokens[at + 1].kind in ("noun", "adj", "unknown")


def _in_range(tokens: Sequence[Token], at: int) -> bool:
    """Whether this preposition ends a span of days or numbers that began with "from" or a number."""
    ahead = at + 2 if kind_at(tokens, at + 1) == "det" else at + 1
    if kind_at(tokens, ahead) not in ("keep", "num", "date"):
        return False
    if at and tokens[at - 1].kind in ("keep", "num"):
        return True
    for token in reversed(tokens[:at]):
        if SENTENCE_END.match(token.source):
            return False
        if token.kind in ("prep", "prepdet") and token.english.startswith("from"):
            return True
    return False


# The sort of another English in the glossary ("zum/zur" = "to the|doing=for"), and when it holds.
MEANS = {"thing": _of_thing, "range": _in_range, "compared": _compared, "doing": _of_doing}
