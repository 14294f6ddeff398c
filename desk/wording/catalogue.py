"""The catalogue: every fact and frame line of the desk, in any of its languages.

A language that lacks a pattern falls back to the whole English sentence, never to a mixture.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from desk.errors import DataError
from desk.languages import Language
from desk.pack_files import GuideEntry, read_guide
from desk.records import Fact, FactKind, RoomStay
from desk.wording.fields import distances, fact_fields, guide_fields
from desk.wording.formats import Money, Span
from desk.wording.patterns import Block, choose, fill
from desk.wording.tables import Wording, read_wording

if TYPE_CHECKING:
    from desk.pack import Pack

ENGLISH = "en"
Position = Literal["first", "alternative", "plain", "cheapest", "dearest", "largest"]


class Catalogue:
    """Words facts, frame lines, money and dates. Reads nothing after it is made, and may `learn` a language; safe for
    all threads.

    Raises DataError when a table is broken, when English lacks a kind of fact, or when an entry of a
    hotel's guide has no English sentence.
    """

    def __init__(self, languages: Mapping[str, Language], pack: Pack) -> None:
        """The catalogue of these languages for this pack."""
        self._pack = pack
        guides = {branch.id: read_guide(branch.folder) for branch in pack.branches}
        english = languages[ENGLISH].subject("guide")
        values = {kind: frozenset(names) for kind, names in english.get("fields", {}).items()}
        frames = languages[ENGLISH].subject("frames")
        self._money = frozenset(english.get("money", ()))
        self._wordings = {
            code: read_wording(language, values, frames) for code, language in languages.items()
        }
        self._english_is_complete(guides)

    def money(self, amount: float, code: str, currency: str | None = None) -> str:
        """A sum in the pack's currency (or `currency`), as the language writes it."""
        return self._wording(code).formats.money(amount, currency or self._pack.currency)

    def date(self, day: dt.date, code: str, weekday: bool = False) -> str:
        """A date in full, with its weekday if asked."""
        return self._wording(code).formats.date(day, weekday)

    def stay(self, arrival: dt.date, departure: dt.date, code: str, form: str = "plain") -> str:
        """A stay: "from 1 to 3 February 2027". `form` is one of the language's [span] tables."""
        return self._wording(code).formats.span(Span(arrival, departure), form)

    def title(self, kind: str, code: str) -> str:
        """What a guide kind is called; the kind itself when no language has a title for it."""
        english = self._wordings[ENGLISH].titles.get(kind, kind.replace("_", " ").capitalize())
        return self._wording(code).titles.get(kind, english)

    def frame(self, key: str, code: str, **values: Any) -> str:
        """A fixed line. Raises KeyError for a key that English does not have or a value that is missing."""
        wording = self._wording(code)
        if key not in wording.frames:
            wording = self._wordings[ENGLISH]
        return fill(wording.frames[key], lambda name, form: self._write(wording, values[name], form))

    def phrase(self, key: str, code: str) -> str:
        """One of the desk's own sentences, by its dotted key ("apology.noise"). Raises KeyError."""
        return self._wording(code).phrases.get(key) or self._wordings[ENGLISH].phrases[key]

    # Languages that a machine translated

    @property
    def english(self) -> Wording:
        """The English wording, which is what is translated."""
        return self._wordings[ENGLISH]

    def learn(self, wording: Wording) -> None:
        """Speak this language from now on."""
        self._wordings[wording.code] = wording

    def unlearn(self, code: str) -> None:
        """Speak a language no more that a machine translated; the desk's own stay."""
        if self.by_machine(code):
            del self._wordings[code]

    def speaks(self, code: str) -> bool:
        """Whether the desk has this language, of its own or as a machine translated it."""
        return code in self._wordings

    def by_machine(self, code: str) -> bool:
        """Whether a machine translated this language."""
        return code in self._wordings and self._wordings[code].said is not None

    def automatic(self, code: str) -> str:
        """What a language says of having been translated by a machine; empty for others and reviewed ones."""
        return self._wording(code).automatic

    def own(self, code: str) -> Mapping[str, str]:
        """The desk's own English sentences with their wordings in this language."""
        told = self._wording(code).phrases
        return {text: told[key] for key, text in self.english.phrases.items() if key in told}

    def fact(self, fact: Fact, code: str, position: Position = "plain", named: bool = False) -> str:
        """One fact as a sentence.

        `position` is its place in a listing of rooms, or the superlative that it answers; `named` says that
        the guest named the hotel. A fact of an earlier turn (`recalled`) is said as what was said then.
        """
        for wording in dict.fromkeys((code, ENGLISH)):
            said = self._said(fact, self._wording(wording), position, named)
            if said:
                return said
        raise DataError(
            f"languages/{ENGLISH}/facts.toml cannot say this {fact.kind}: {sorted(self._fields(fact))}"
        )

    def _wording(self, code: str) -> Wording:
        return (
            self._wordings.get(code) or self._wordings.get(code.partition("-")[0]) or self._wordings[ENGLISH]
        )

    def _fields(self, fact: Fact) -> dict[str, Any]:
        if fact.kind == "guide":
            return guide_fields(fact.hotel, fact.values, self._pack, self._money)
        return fact_fields(fact, self._pack, self._money)

    def _said(self, fact: Fact, wording: Wording, position: Position, named: bool) -> str | None:
        """The fact's sentence; None when the language lacks it, or a word of it."""
        try:
            return self._fact(fact, wording, position, named)
        except KeyError:
            if wording.said is None:
                raise
            return None

    def _fact(self, fact: Fact, wording: Wording, position: Position, named: bool) -> str | None:
        fields = self._fields(fact)
        if fact.kind == "guide":
            blocks: tuple[Block, ...] = wording.guide.get(fact.entry or "", ())
        else:
            fields |= {"position": position, "named": named, **self._worded(fact, fields, wording)}
            blocks = wording.facts.get(fact.kind, ())
        block = choose(blocks, fields)
        if block is None:
            return None
        sentence = self._say(block, fields, wording)
        if fact.recalled and "recalled" not in block.when:
            return wording.lines["recalled"].replace("{sentence}", sentence)
        return sentence

    def _worded(self, fact: Fact, fields: Mapping[str, Any], wording: Wording) -> dict[str, Any]:
        """Fields that are words of the language: categories, requests, distances, choices of dates."""
        worded: dict[str, Any] = {}
        if "category" in fields:
            worded["category"] = self._category(wording, fields["category"])
        if fact.kind == "staff_request":
            kind = str(fields.get("request"))
            worded["request"] = wording.requests.get(kind) or wording.requests.get("other")
        if fact.kind == "place" and (ways := distances(fact, self._pack)):
            worded["distances"] = wording.formats.listed(self._distance(wording, *way) for way in ways)
        if "rooms" in fields:
            rooms = (self._room(wording, room, fact.currency) for room in fact.rooms)
            worded["rooms"] = wording.formats.listed(rooms)
        if "readings" in fields:
            worded["readings"] = wording.formats.listed(
                (self._write(wording, day, None) for day in fields["readings"]), either=True
            )
        return {key: value for key, value in worded.items() if value}

    def _category(self, wording: Wording, name: str) -> str:
        if wording.said is not None and name in self.english.categories:
            return wording.categories[name]
        return wording.categories.get(name, name.replace("_", " "))

    def _room(self, wording: Wording, room: RoomStay, currency: str | None) -> str:
        """One room of several, with its rate."""
        rate = Money(room.rate, currency or self._pack.currency)
        values = {"type": room.type, "room": room.room, "rate": rate}
        return fill(
            wording.lines["room"], lambda name, form: self._write_field(wording, name, values[name], form)
        )

    def _distance(self, wording: Wording, way: str, minutes: int, hotel: str) -> str:
        values = {"minutes": minutes, "hotel": hotel}
        return fill(wording.lines[way], lambda name, form: self._write(wording, values[name], form))

    def _say(self, block: Block, fields: Mapping[str, Any], wording: Wording) -> str:
        blocks_own = (
            self.english if wording.said is not None else wording
        )  # the blocks of a machine's are English
        plural = blocks_own.formats.plural(fields[block.by]) if block.by else "other"
        sentence = wording.sentence(block.say.get(plural, block.say["other"]))
        return fill(sentence, lambda name, form: self._write_field(wording, name, fields[name], form))

    def _write_field(self, wording: Wording, name: str, value: Any, form: str | None) -> str:
        if name == "type":
            return wording.type_word(value, form or "room")
        return self._write(wording, value, form)

    def _write(self, wording: Wording, value: Any, form: str | None) -> str:
        if isinstance(value, tuple | list):
            return wording.formats.listed(self._write(wording, item, None) for item in value)
        if not isinstance(value, str):
            return wording.formats.write(value, form)
        text = re.sub(r"\s+", " ", value).strip()
        if wording.said is not None and text in self.english.words:
            return wording.words[text]
        return wording.words.get(text, text)

    def _english_is_complete(self, guides: Mapping[str, list[Any]]) -> None:
        english = self._wordings[ENGLISH]
        for kind in get_args(FactKind):
            if kind != "guide" and not english.facts.get(kind):
                raise DataError(f"languages/{ENGLISH}/facts.toml: [[{kind}]] is missing")
        for branch, guide in guides.items():
            for entry in guide:
                self._is_sayable(branch, entry, english)

    def _is_sayable(self, branch: str, entry: GuideEntry, english: Wording) -> None:
        fields = guide_fields(branch, entry.values, self._pack, self._money)
        if choose(english.guide.get(entry.kind, ()), fields) is None:
            raise DataError(f"languages/{ENGLISH}/guide.toml: no sentence fits {branch}'s entry {entry.kind}")
