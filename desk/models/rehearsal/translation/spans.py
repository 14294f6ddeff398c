"""Spans of words: noun phrases that can be a subject, and what stands before a verb without being one."""

from __future__ import annotations

from collections.abc import Sequence

from desk.models.rehearsal.translation.tokens import Token

NOMINAL = frozenset({"noun", "adj", "num", "keep", "unknown", "name", "date"})
HEADS = frozenset({"noun", "name", "unknown"})
ADVERBIAL = frozenset({"prep", "prepdet", "adv", "drop", "date", "phrase", "keep", "toverb", "neg"})
INDEFINITE = frozenset({"a", "no", "some", "many", "a few"})


def subject_length(words: Sequence[Token], *, strict: bool = True) -> int:
    """How many words from the start make a noun phrase that can be a subject; 0 when there is none.

    `strict`: an article in an object's case ("den", "einen") starts no subject.
    """
    if not words or (strict and words[0].kind == "det" and words[0].extra == "object"):
        return 0
    if words[0].kind == "pron" or words[0].english == "nothing":
        return 1
    last = _phrase_end(words, 1 if words[0].kind == "det" else 0)
    if not last or last >= len(words):
        return last
    if words[last].extra == "of":
        return last + subject_length(words[last:], strict=False)
    if words[last].english in ("and", "or"):
        more = subject_length(words[last + 1 :])
        return last + 1 + more if more else last
    return last


def _phrase_end(words: Sequence[Token], at: int) -> int:
    last = 0
    for index in range(at, len(words)):
        word = words[index]
        if word.kind in HEADS or (
            word.kind == "keep" and not any(letter.isdigit() for letter in word.english)
        ):
            last = index + 1
        elif word.kind == "keep" and last == index and index:
            return index + 1  # "room 104"
        elif not (word.kind in NOMINAL or (word.kind == "adv" and _qualifies(words, index))) or last:
            break
    alone = bool(words) and words[0].kind == "keep" and at == 0
    return last or int(alone)  # "ist 104 frei?"


def _qualifies(words: Sequence[Token], at: int) -> bool:
    """An adverb inside a noun phrase: "a very quiet room"."""
    near = words[at + 2 : at + 4]
    return at + 1 < len(words) and words[at + 1].kind == "adj" and any(word.kind == "noun" for word in near)


def adverbial(words: Sequence[Token]) -> bool:
    """Whether what stands before the verb says when, where or how, so that the subject follows the verb."""
    if not words or words[0].kind in ADVERBIAL:
        return True
    return words[0].extra == "time" or (len(words) > 1 and words[-1].extra == "time")


def question_phrase(words: Sequence[Token]) -> bool:
    """Whether the words start with a question word, or a preposition and one."""
    if not words or words[0].kind == "wh":
        return bool(words)
    return words[0].kind in ("prep", "conj") and len(words) > 1 and words[1].kind == "wh"


def indefinite(subject: Sequence[Token]) -> bool:
    """Whether a subject is new to the hearer: "cockroaches", "a dog"."""
    return subject[0].kind in ("noun", "adj", "num") or subject[0].english in INDEFINITE
