"""The wording of a language that has no catalogue: what is to be translated of English, and what comes of it.

The sentences are chosen by the English blocks, so that a sentence that could not be translated is said in English and
never by a wider one that happens to fit. Stays are said as data/languages/claims.toml has it, and Babel writes dates,
numbers and money; no machine translates those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from babel import Locale

from desk.wording.claims import Tongue
from desk.wording.formats import Formats
from desk.wording.patterns import ANY_PLACE, OTHER
from desk.wording.tables import NO_TYPE, SPAN_WIDTHS, UNKNOWN_TYPE, Wording

# What needs a wide vocabulary, and claims nothing of a room or a booking
WIDE = ("guide.", "categories.", "words.", "facts.place.", "facts.web_result.", "lines.walk", "lines.transit")
SAMPLES = 200  # plural forms are those of the numbers up to here
NO_ROOM, ROOM = "{type.no}", "no {type.room}"


@dataclass(frozen=True)
class Pattern:
    """One English text to be translated. `form`: the plural form that is asked for; `key` is for people to read."""

    key: str
    english: str
    form: str = ""
    bare: bool = False

    @property
    def id(self) -> tuple[str, str]:
        """What its translation is kept under: another English text is another pattern."""
        return self.english, self.form

    @property
    def closed(self) -> bool:
        """Whether its translation may have listed words alone (`faithful.known_words`)."""
        return not self.key.startswith(WIDE)


Told = Mapping[tuple[str, str], str]


def patterns(wording: Wording, code: str) -> list[Pattern]:
    """All that is to be translated into the language `code`, each text once, the facts first."""
    found: dict[tuple[str, str], Pattern] = {}
    for pattern in (*_sentences(wording), *_words(wording, code)):
        if has_words(pattern.english):
            found.setdefault(pattern.id, pattern)
    return list(found.values())


def has_words(text: str) -> bool:
    """Whether there is anything to translate beside the places."""
    return any(c.isalpha() for c in ANY_PLACE.sub("", text))


def source(sentence: str) -> str:
    """A block's sentence as a translator gets it: "has no {type.room}", and no form of its own for "no room"."""
    room = ROOM.capitalize() if sentence.startswith(NO_ROOM) else ROOM
    return sentence.replace(NO_ROOM, room, 1)


def _sentences(wording: Wording) -> Iterator[Pattern]:
    for table, kinds in (("facts", wording.facts), ("guide", wording.guide)):
        for kind, blocks in kinds.items():
            for number, block in enumerate(blocks, 1):
                for form, sentence in block.say.items():
                    yield Pattern(f"{table}.{kind}.{number}.{form}", source(sentence))
    for key, line in wording.lines.items():
        yield Pattern(f"lines.{key}", line)
    for key, line in wording.frames.items():
        yield Pattern(f"frames.{key}", line)


def _words(wording: Wording, code: str) -> Iterator[Pattern]:
    yield from (Pattern(f"requests.{key}", text) for key, text in wording.requests.items())
    for unit, forms in wording.formats.units.items():
        yield from _unit(unit, forms, code)
    for name in (NO_TYPE, UNKNOWN_TYPE):
        yield from (Pattern(f"types.{name}.{f}", t) for f, t in wording.types[name].items() if f != "no")
    yield from (Pattern(f"words.{key}", text, bare=True) for key, text in wording.words.items())
    yield from (Pattern(f"categories.{key}", text, bare=True) for key, text in wording.categories.items())
    yield from (Pattern(f"phrases.{key}", text) for key, text in wording.phrases.items())


def _unit(unit: str, forms: Mapping[str, str], code: str) -> Iterator[Pattern]:
    """Each plural form that the language has. What English says without a number ("every day") is for exactly one."""
    one, other = forms.get("one", forms[OTHER]), forms[OTHER]
    if "{n}" not in one:
        yield Pattern(f"units.{unit}.1", one, "1")
        one = other
    for form in plural_forms(code):
        yield Pattern(f"units.{unit}.{form}", one if form == "one" else other, form)


def plural_forms(code: str) -> dict[str, int]:
    """The plural forms of whole numbers in the language, each with a number that takes it."""
    plural = Locale.parse(code).plural_form
    found = {str(plural(n)): n for n in (0, *range(SAMPLES, 0, -1))}
    return {OTHER: SAMPLES, **found}


def worded(english: Wording, tongue: Tongue, told: Told, automatic: bool) -> Wording:
    """The language's wording, of the English one and what was translated of it. What was not is left out."""

    def kept(table: Mapping[str, str]) -> dict[str, str]:
        return {key: told[text, ""] for key, text in table.items() if (text, "") in told}

    units = {
        unit: {form: said for form in ("1", *plural_forms(tongue.code)) if (said := _form(told, forms, form))}
        for unit, forms in english.formats.units.items()
    }
    types = {name: kept(english.types[name]) for name in (NO_TYPE, UNKNOWN_TYPE)}
    sources = {sentence: source(sentence) for sentence in _all_of(english)}
    sentences = {
        sentence: told.get((text, ""), text)
        for sentence, text in sources.items()
        if (text, "") in told or not has_words(text)
    }
    return replace(
        english,
        code=tongue.code,
        formats=Formats(tongue.code, spans(english, tongue), {u: f for u, f in units.items() if OTHER in f}),
        types=types,
        lines=kept(english.lines),
        requests=kept(english.requests),
        words=kept(english.words),
        categories=kept(english.categories),
        titles={},
        frames=kept(english.frames),
        said=sentences,
        phrases=kept(english.phrases),
        automatic=tongue.automatic if automatic else "",
    )


def spans(english: Wording, tongue: Tongue) -> dict[str, dict[str, str]]:
    """How the language says a stay, in each of the English ways; with weekdays where those have them."""
    return {
        form: dict.fromkeys(
            SPAN_WIDTHS, tongue.stay.replace("long", "full" if "EEEE" in shapes[OTHER] else "long")
        )
        for form, shapes in english.formats.spans.items()
    }


def _form(told: Told, forms: Mapping[str, str], form: str) -> str | None:
    return next((told[text, form] for text in forms.values() if (text, form) in told), None)


def _all_of(wording: Wording) -> Iterator[str]:
    for blocks in (*wording.facts.values(), *wording.guide.values()):
        for block in blocks:
            yield from block.say.values()
