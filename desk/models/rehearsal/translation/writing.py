"""English words in English order to a line of text: forms, agreements, capitals and spaces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from desk.models.rehearsal.translation.english import VOWELS, English
from desk.models.rehearsal.translation.tokens import SENTENCE_END, Token

OPENING = frozenset("([„“\"'-/–")
SILENT_H = ("hour", "honest")
LIKE_Y = ("uni", "use", "euro", "one")
AFTER_VERY = ("stop", "noun", "object", "prep", "pron", "det")


def write(tokens: Sequence[Token], english: English) -> str:
    """The line of English that `tokens`, already in order, make."""
    words: list[Token] = []
    for at, token in enumerate(tokens):
        token.english = _form(token, english)
        if _left_over(token, tokens[at + 1 :]) or _before_purpose(token, tokens[at + 1 :]):
            continue
        if token.english:
            words.append(token)
    _agree(words)
    return _joined([word for word in words if word.english])


def _form(token: Token, english: English) -> str:
    if token.kind == "verb":
        forms = token.forms
        form = token.form or ("part" if "part" in forms else "3s" if "3s" in forms else "base")
        return english.verb(token.english.rpartition("/")[2], form)
    if token.kind == "noun" and token.number == "pl":
        return english.plural(token.english)
    return "" if token.kind == "drop" else token.english


def _agree(words: Sequence[Token]) -> None:
    """Small agreements that only show once all is in English: a/an, is/are after "there"."""
    for before, word in pairwise(words):
        if before.english in ("a", "an"):
            _article(before, word)
        elif word.kind == "noun":
            _amount(before, word)
        if (
            before.kind in ("verb", "adj")
            and before.english.endswith(" in")
            and word.english.startswith("in")
        ):
            before.english = before.english.removesuffix(" in")
    for word, after in zip(words, [*words, None][1:], strict=True):
        if word.english == "very" and (after is None or after.kind in AFTER_VERY):
            word.english = "very much"
    for at, word in enumerate(words):
        if word.kind == "exist" and _plural_near(words, at):
            word.english = word.english.replace("is", "are").replace("was", "were")


def _article(article: Token, word: Token) -> None:
    article.english = "an" if _vowel(word.english) else "a"
    if word.english == "other" and word.kind == "adj":
        article.english, word.english = "another", ""


def _amount(before: Token, noun: Token) -> None:
    many = "many" if noun.number == "pl" else "much"
    if before.english in ("many", "much") and before.kind == "wh":
        before.english = many
    elif before.english.endswith("too much"):
        before.english = before.english.removesuffix("much") + many


def _left_over(token: Token, after: Sequence[Token]) -> bool:
    """A preposition at the end of a clause: a verb's particle that found no verb to go with."""
    return token.kind == "prep" and len(token.source) < 5 and (not after or after[0].kind == "stop")


def _before_purpose(token: Token, after: Sequence[Token]) -> bool:
    """The comma of "versucht, die Tür zu öffnen", which English does without."""
    return token.source == "," and bool(after) and after[0].kind == "toverb"


def _vowel(word: str) -> bool:
    lower = word.casefold()
    return lower.startswith(SILENT_H) or (lower[:1] in VOWELS and not lower.startswith(LIKE_Y))


def _plural_near(words: Sequence[Token], at: int) -> bool:
    for word in words[at + 1 :]:
        if word.kind == "noun":
            return word.number == "pl"
        if word.kind not in ("det", "adj", "num", "adv", "keep", "drop"):
            break
    near = words[max(at - 2, 0) : at]
    return (
        near[-1:] != []
        and near[-1].kind != "stop"
        and any(w.kind == "noun" and w.number == "pl" for w in near)
    )


def _joined(words: Sequence[Token]) -> str:
    text = ""
    start = True
    for at, word in enumerate(words):
        english = word.english
        if start and word.kind != "stop" and english[:1].islower() and word.kind != "keep":
            english = english[:1].upper() + english[1:]
        opening = at > 0 and words[at - 1].kind == "stop" and words[at - 1].source[-1:] in OPENING
        tight = word.glued and (word.kind == "stop" or opening)
        text += english if tight or not text or text.endswith("\n") else f" {english}"
        if word.kind == "stop":
            start = bool(SENTENCE_END.match(word.source)) or (start and word.source in OPENING)
        else:
            start = False
    return text.strip()
