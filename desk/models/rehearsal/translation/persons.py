"""Who does, owns or feels something, where English says it another way.

"Mir ist kalt" is "I am cold", "er hat sich den Arm gebrochen" is "he has broken his arm", "mir wurde die Tasche
gestohlen" is "my bag was stolen", "man hat mir gesagt" is "they have told me".
"""

from __future__ import annotations

from collections.abc import Sequence

from desk.models.rehearsal.translation.lexicon import Lexicon
from desk.models.rehearsal.translation.tokens import Token

NOMINATIVE = {"me": "I", "us": "we", "him": "he", "them": "they"}
OWN = {"I": "me", "we": "us", "you": "yourself"}
OWNER = {"I": "my", "we": "our", "you": "your", "they": "their", "she": "her"}
OWNER_OF = {"me": "my", "us": "our", "you": "your", "him": "his", "them": "their"}
Line = list[Token]


def experiences(before: Sequence[Token]) -> bool:
    """Whether only the one whom it happens to stands before the verb: "mir ist …", "uns wurde …"."""
    return len(before) == 1 and before[0].kind == "object" and before[0].english in OWNER_OF


def as_subject(before: Sequence[Token]) -> None:
    """ "me" becomes "I"."""
    before[0].english = NOMINATIVE.get(before[0].english, before[0].english)
    before[0].kind = "pron"


def owned(person: Token, thing: Sequence[Token]) -> bool:
    """ "mir wurde das Handy gestohlen": the thing becomes the person's own. False when it is no such thing."""
    if thing[0].kind != "det" or thing[0].english != "the":
        return thing[0].kind == "det" and thing[0].english in OWNER_OF.values()
    thing[0].english = OWNER_OF[person.english]
    return True


def own_objects(rest: Line, subject: Sequence[Token], lexicon: Lexicon) -> Line:
    """ "wir sehen uns … an": what is done to oneself goes without saying in English; one's body is one's own."""
    own = OWN.get(subject[0].english) if len(subject) == 1 else None
    kept = []
    for at, word in enumerate(rest):
        oneself = word.kind == "object" and word.english in ("", own)
        if oneself:
            _own_body(rest[at + 1 :], subject, lexicon)
        if not (word.kind == "object" and word.english == own):
            kept.append(word)
    return kept


def _own_body(after: Sequence[Token], subject: Sequence[Token], lexicon: Lexicon) -> None:
    for at, word in enumerate(after[:3]):
        article = word.english == "the" or word.english.endswith(" the")
        noun = next((other for other in after[at + 1 : at + 3] if other.kind == "noun"), None)
        if article and noun is not None and noun.english in lexicon.body:
            word.english = word.english.removesuffix("the") + _owner(subject, lexicon)
            return


def _owner(subject: Sequence[Token], lexicon: Lexicon) -> str:
    words = [word.english for word in subject]
    if len(words) == 1 and words[0] in OWNER:
        return OWNER[words[0]]
    if not words:
        return "their"  # "und hat sich den Arm gebrochen"
    return "her" if any(word.rpartition(" ")[2] in lexicon.female for word in words) else "his"


def they(subject: Sequence[Token]) -> None:
    """ "man hat uns gesagt": what one has done, they have."""
    if len(subject) == 1 and subject[0].english == "one" and subject[0].kind == "pron":
        subject[0].english = "they"


def without_loss(rest: Line) -> Line:
    """ "mir meine Tasche gestohlen": whose it is says enough."""
    return [
        word
        for word, after in zip(rest, [*rest, None][1:], strict=True)
        if not (word.kind == "object" and after is not None and after.english == OWNER_OF.get(word.english))
    ]
