"""Words to meanings: longest phrase first, then the word itself, its compounds, its misspellings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from desk.models.rehearsal.translation.english import English
from desk.models.rehearsal.translation.lexicon import CONTENT, INFLECTED, Entry, Lexicon, bare
from desk.models.rehearsal.translation.tokens import Token

TYPO_LENGTH = 5  # shorter words have many neighbours, like "Hund" and "Hand"
SHORTEST = 3
LOST = 20  # after so many words that nothing could read, more guessing only costs time
LONGEST = 32  # no word of a guest is longer; a longer one would only cost time
LINKS_DEFAULT = ("",)
NEVER_MISSPELT = frozenset({"drop", "prepdet", "num"})


class Lookup:
    """Finds the entries of a text's words. One per language; safe to share between threads."""

    def __init__(self, lexicon: Lexicon, english: English, links: Sequence[str]) -> None:
        self._lexicon = lexicon
        self._english = english
        self._links = tuple(links) or LINKS_DEFAULT
        self._letters = sorted({letter for form in lexicon.forms for letter in form if letter.isalpha()})
        self._split = lru_cache(maxsize=4096)(self._compound)
        self._mend = lru_cache(maxsize=4096)(self._misspelt)

    def read(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens with their meanings filled in; the words of a phrase become one token."""
        words = [token for token in tokens if token.kind == "unknown" and len(token.source) > 1]
        casual = not any(token.capital for token in words)
        read: list[Token] = []
        at = 0
        while at < len(tokens):
            length = self._phrase_length(tokens, at)
            if length > 1:
                read.append(self._phrase(tokens[at : at + length]))
            elif tokens[at].kind == "unknown":
                entries = self._entries(tokens[at + 1]) if at + 1 < len(tokens) else []
                ahead = frozenset(entry.kind for entry in entries)
                if not entries and not casual and at + 1 < len(tokens) and _unlisted_noun(tokens[at + 1]):
                    ahead = frozenset({"noun"})
                read.append(self._word(tokens[at], read, ahead, casual=casual))
            else:
                read.append(tokens[at])
            at += max(length, 1)
        self._neutral_names(read)
        return read

    def _entries(self, token: Token) -> list[Entry]:
        return self._lexicon.forms.get(self._key(token.source), []) if token.kind == "unknown" else []

    def _phrase_length(self, tokens: Sequence[Token], at: int) -> int:
        if tokens[at].kind != "unknown":
            return 0
        longest = self._lexicon.starts.get(self._key(tokens[at].source), 0)
        for length in range(min(longest, len(tokens) - at), 1, -1):
            words = tokens[at : at + length]
            if all(word.kind == "unknown" for word in words) and self._words(words) in self._lexicon.phrases:
                return length
        return 0

    def _key(self, word: str) -> str:
        folded = self._lexicon.fold(word)
        if folded in self._lexicon.forms or folded in self._lexicon.starts:
            return folded
        return self._lexicon.plain.get(bare(word), folded)

    def _words(self, tokens: Sequence[Token]) -> tuple[str, ...]:
        return tuple(self._key(token.source) for token in tokens)

    def _phrase(self, tokens: Sequence[Token]) -> Token:
        entry = self._lexicon.phrases[self._words(tokens)]
        return _filled(Token(" ".join(token.source for token in tokens), glued=tokens[0].glued), entry)

    def _word(self, token: Token, read: Sequence[Token], ahead: frozenset[str], *, casual: bool) -> Token:
        spelled = token.source[:1].upper() + token.source[1:] if casual else token.source
        cased = self._lexicon.cased.get(spelled)
        if cased:
            return _filled(token, cased)
        inside = bool(read) and read[-1].kind != "stop" and not casual
        entries = self._entries(token)
        if entries:
            entry = _chosen(entries, token, read, ahead, casual=casual)
            if "inf" in entry.forms and entry.kind == "verb" and token.capital and inside:
                doing = self._english.verb(entry.english.partition("/")[0], "ing")
                entry = Entry(doing, "noun", lemma=entry.lemma, number="sg", extra="doing")
            return _filled(token, entry)
        word = self._lexicon.fold(token.source)
        after_name = (
            inside and token.capital and read[-1].capital and read[-1].kind in ("unknown", "name", "keep")
        )
        wanted = "" if not inside else "noun" if token.capital else "other"
        if len(word) < TYPO_LENGTH and token.capital and not casual:
            return token  # as likely a name as a slip
        lost = sum(other.kind == "unknown" for other in read) > LOST
        guess = self._split(word) or (None if after_name or lost else self._mend(word, wanted))
        return _filled(token, guess) if guess else token

    def _compound(self, word: str) -> Entry | None:
        """A compound by its parts, the fewest first: the last part says what kind of word it is."""
        if len(word) > 2 * LONGEST:
            return None
        if "-" in word:
            return self._hyphened(word.split("-"))
        best: tuple[int, Entry] | None = None
        for count, left, right in self._splits(word, 3):
            if best is None or count < best[0]:
                best = (count, _joined(left, right))
        return best[1] if best else None

    def _splits(self, word: str, most: int) -> Iterator[tuple[int, str, Entry]]:
        """(number of parts, English of the first, rest) for every way to read `word` as a compound."""
        for at in range(len(word) - 3, 2, -1):
            left = self._left(word[:at])
            if left is None:
                continue
            rest = word[at:]
            for entry in self._lexicon.forms.get(rest, []):
                if entry.kind in ("noun", "adj"):
                    yield 2, left, entry
            if most > 2:
                for count, middle, entry in self._splits(rest, most - 1):
                    yield count + 1, left, _joined(middle, entry)

    def _left(self, part: str) -> str | None:
        for link in self._links:
            if link and not part.endswith(link):
                continue
            stem = part.removesuffix(link) if link else part
            if len(stem) > 2 and stem in self._lexicon.parts:
                return self._lexicon.parts[stem]
        return None

    def _hyphened(self, parts: Sequence[str]) -> Entry | None:
        meanings = []
        known = self._left("-".join(parts[:-1]))  # "E-Mail" in "E-Mail-Adresse"
        for part in () if known else parts[:-1]:
            found = self._left(part) or (entry.english if (entry := self._split(part)) else None)
            meanings.append(found or part)
        entries = [e for e in self._lexicon.forms.get(parts[-1], []) if e.kind in ("noun", "adj")]
        last = entries[0] if entries else self._split(parts[-1])
        return _joined(known or " ".join(meanings), last) if last else None

    def _misspelt(self, word: str, wanted: str) -> Entry | None:
        """The meaning of the nearest known word, one letter away; None for a short word.

        `wanted`: "noun" or "other" where the capital says so. The first letter is seldom the wrong one.
        """
        if not SHORTEST <= len(word) <= LONGEST or "-" in word:
            return None
        if len(word) == SHORTEST:  # only a letter that should be double: "kan", "mus"
            near = [word[:at] + word[at] + word[at:] for at in range(1, len(word))]
        else:
            near = [other for other in _one_letter_away(word, self._letters) if other[:1] == word[:1]]
        for other in near:
            for entry in self._lexicon.forms.get(other, []):
                fits = not wanted or (entry.kind == "noun") == (wanted == "noun")
                if fits and entry.kind not in NEVER_MISSPELT:
                    return entry
        if not 2 * TYPO_LENGTH < len(word) <= 4 * TYPO_LENGTH or wanted == "other":
            return None  # a misspelt compound is dear to look for: only where a noun can be
        return next((guess for other in near if (guess := self._compound(other))), None)

    def _neutral_names(self, tokens: list[Token]) -> None:
        """Unknown capitals in a row, or alone in a short message, are names and count for nothing."""
        words = [token for token in tokens if token.kind != "stop"]
        short = len(words) <= 3 and all(word.kind in ("unknown", "keep") and word.capital for word in words)
        for before, token in zip([None, *tokens], tokens, strict=False):
            if token.kind != "unknown" or not token.capital:
                continue
            if short or (before and before.capital and before.kind in ("unknown", "name", "keep")):
                token.kind = "name"
                if before and before.kind == "unknown":
                    before.kind = "name"


def _unlisted_noun(token: Token) -> bool:
    """A capital that no glossary lists: a compound or a name, in any case a noun."""
    return token.kind == "unknown" and token.capital


def _filled(token: Token, entry: Entry) -> Token:
    token.english, token.kind, token.forms = entry.english, entry.kind, entry.forms
    token.lemma, token.number, token.extra = entry.lemma, entry.number, entry.extra
    token.content = entry.kind in CONTENT
    return token


def _chosen(
    entries: Sequence[Entry], token: Token, read: Sequence[Token], ahead: frozenset[str], *, casual: bool
) -> Entry:
    """Among several meanings, the likeliest between its neighbours.

    A verb beside a pronoun; an adjective before a noun; the noun for a capital inside a sentence, another
    for a small letter. Where capitals say nothing, an infinitive is one unless an article stands before it.
    """
    before = read[-1].kind if read else "stop"
    nouns = [entry for entry in entries if entry.kind == "noun"]
    named = token.capital and not casual and before in ("det", "prep", "prepdet") and "noun" not in ahead
    if len(entries) == 1 or (nouns and named):
        return (nouns or list(entries))[0]
    verbs = [entry for entry in entries if entry.kind == "verb" and entry.forms != {"part"}]
    preferred = (
        _beside_pronoun(entries, verbs, before, ahead)
        or _quality(entries, read, ahead)
        or _after_helper(entries, read)
        or _marked_infinitive(verbs, read, ahead)
    )
    if preferred:
        return preferred
    if casual or before == "stop":
        infinitives = [entry for entry in verbs if "inf" in entry.forms]
        nominal = entries[0].kind not in INFLECTED or before in (
            "det",
            "prep",
            "prepdet",
            "adj",
            "wh",
            "stop",
        )
        return infinitives[0] if infinitives and not nominal else entries[0]
    wanted = [entry for entry in entries if (entry.kind == "noun") == token.capital]
    return (wanted or list(entries))[0]


def _beside_pronoun(
    entries: Sequence[Entry], verbs: Sequence[Entry], before: str, ahead: frozenset[str]
) -> Entry | None:
    finite = [entry for entry in verbs if entry.forms != {"inf"}]
    beside = before == "pron" or "pron" in ahead
    return finite[0] if finite and beside and entries[0].kind in INFLECTED else None


def _quality(entries: Sequence[Entry], read: Sequence[Token], ahead: frozenset[str]) -> Entry | None:
    """The adjective before a noun, or at the end of a clause with "be"."""
    articles = [entry for entry in entries if entry.kind == "det"]
    if articles and entries[0].kind == "be" and "noun" in ahead:
        return articles[0]  # "sein Geld"
    adjectives = [entry for entry in entries if entry.kind == "adj"]
    compared = [entry for entry in adjectives if entry.extra == "comparative"]
    if compared and entries[0].kind == "adj" and "noun" not in ahead:
        return compared[0]
    if not adjectives or entries[0].kind not in ("adv", "verb"):
        return None
    before_noun = "noun" in ahead and "verb" not in ahead
    said_of = not ahead and entries[0].kind == "adv" and any(word.kind == "be" for word in _clause(read))
    return adjectives[0] if before_noun or said_of else None


def _after_helper(entries: Sequence[Entry], read: Sequence[Token]) -> Entry | None:
    """ "ist gefallen" is of "fallen", whose perfect goes with "be"; "hat gefallen" is not."""
    moving = [entry for entry in entries if entry.extra == "move" and "part" in entry.forms]
    return moving[0] if moving and any(word.kind == "be" for word in _clause(read)) else None


def _marked_infinitive(verbs: Sequence[Entry], read: Sequence[Token], ahead: frozenset[str]) -> Entry | None:
    infinitives = [entry for entry in verbs if "inf" in entry.forms]
    return infinitives[0] if infinitives and not ahead and read and read[-1].extra == "to" else None


def _clause(read: Sequence[Token]) -> list[Token]:
    words: list[Token] = []
    for token in reversed(read):
        if token.kind == "stop":
            break
        words.append(token)
    return words


def _joined(left: str, right: Entry) -> Entry:
    english = f"{left} {right.english}"
    return Entry(english, right.kind, right.forms, right.lemma, right.number, right.extra)


def _one_letter_away(word: str, letters: Sequence[str]) -> Iterator[str]:
    """Every word one swap, drop, change or extra letter away, the commonest kinds of slip first."""
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    for at in range(len(word) + 1):
        for letter in letters:
            yield word[:at] + letter + word[at:]
    for at in range(1, len(word)):
        if word[at] == word[at - 1]:
            yield word[:at] + word[at + 1 :]
    for at in range(len(word) - 1, 0, -1):
        for letter in letters:
            yield word[:at] + letter + word[at + 1 :]
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]
