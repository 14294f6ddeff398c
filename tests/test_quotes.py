"""Quotations in the guest's language: a faithful translation stands for the text, any other does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk import quotes
from desk.context import Parts
from desk.quotes import QUOTE_RULES, to_translate, usable
from desk.records import make_fact
from tests.flow.conftest import Stage, on_stage
from tests.flow.support import (
    briefing,
    call,
    calling,
    handoff,
    rounds_so_far,
    routes,
    structured,
)
from tests.wire.http_stub import Stub, serving

ENGLISH = "The castle is open daily from 9:00 to 18:00, in winter not on Mondays. Tickets cost €15 since 5 March 2026."
GERMAN = "Die Burg ist täglich von 9 bis 18 Uhr geöffnet, im Winter nicht am Montag. Karten kosten 15 € seit dem 5. März 2026."  # noqa: E501
UNLIKE = {
    "a changed price": GERMAN.replace("15 €", "51 €"),
    "another currency": GERMAN.replace("15 €", "15 $"),
    "a shifted date": GERMAN.replace("5. März", "6. März"),
    "another month": GERMAN.replace("März", "Mai"),
    "another weekday": GERMAN.replace("Montag", "Dienstag"),
    "another hour": GERMAN.replace("18 Uhr", "20 Uhr"),
    "an added number": GERMAN.replace("Karten", "Zwei Karten"),
    "a lost number": GERMAN.replace("15 €", "wenig"),
    "an added sentence": f"{GERMAN} Kommen Sie früh.",
    "a lost half": GERMAN.partition(". ")[0] + ".",
    "a lost not": GERMAN.replace("nicht am", "am"),
    "a link": GERMAN.replace("Die Burg", "Die Burg (www.burg.example)"),
    "a web address": GERMAN.replace("Die Burg", "https://burg.example"),
    "a mark": GERMAN.replace("Die Burg", "**Die Burg**"),
    "a fact mark": GERMAN.replace("Die Burg", "[[t1-abc]]"),
    "a hidden sign": GERMAN.replace("Die Burg", "Die \u202eBurg"),
    "one of our hotels": GERMAN.replace("Die Burg", "Das Garden Court"),
    "another language": "Ouvert de 9 h à 18 h, pas le lundi en hiver. Les billets sont à 15 € depuis le 5 mars 2026.",
    "nothing": "",
}


def translated(shared: Parts, old: str, new: str) -> dict[str, str]:
    """What may be used of one translation into German."""
    return usable([old], [new], "de", shared.rules, shared.numbers, shared.detector)


def test_a_faithful_translation_may_stand(shared: Parts) -> None:
    """Times, prices and dates in German dress are the same."""
    assert translated(shared, ENGLISH, GERMAN) == {ENGLISH: GERMAN}


@pytest.mark.parametrize("new", UNLIKE.values(), ids=UNLIKE.keys())
def test_any_other_may_not(shared: Parts, new: str) -> None:
    """Each way in which a translation could say something else."""
    assert translated(shared, ENGLISH, new) == {}


EXCHANGED = [
    ("Adults 12 euros, children 5.", "Erwachsene 5 Euro, Kinder 12."),
    (
        "The museum opens at 9:00 and the castle at 10:00.",
        "Das Museum öffnet um 10 Uhr und die Burg um 9 Uhr.",
    ),
    ("The garden is lovely from April to September.", "Der Garten ist von September bis April schön."),
    ("A ticket costs 12 euros at the door.", "Eine Karte kostet an der Tür 12 Prozent."),
    ("A ticket costs 12 euros at the door.", "Eine Karte kostet an der Tür 12 Pfund."),
    ("A ticket costs $12 at the door.", "Eine Karte kostet an der Tür 12."),
    ("The boat people take dollars, not cards.", "Die Leute vom Boot nehmen Euro, keine Karten."),
    ("The beach is 2 km from the old town.", "Der Strand ist 2 m von der Altstadt entfernt."),
    ("The tour takes half an hour by boat.", "Die Tour mit dem Boot dauert eine Stunde."),
    ("The tour takes two and a half hours.", "Die Tour mit dem Boot dauert zwei Stunden."),
    ("The tour starts at 7 am by the river.", "Die Tour beginnt um 7 Uhr abends am Fluss."),
    ("The castle is open to visitors today.", "Die Burg ist heute für Besucher geschlossen."),
    ("Open all week, closed in the winter.", "Die ganze Woche geschlossen, im Winter geöffnet."),
    ("Parking by the river is free of charge.", "Das Parken am Fluss ist gebührenpflichtig."),
    ("No dogs and no large bags in the castle.", "Keine Hunde und große Taschen in der Burg."),
]
TRUE = [
    ("Adults 12 euros, children 5 euros.", "Erwachsene 12 Euro, Kinder 5 Euro."),
    ("It opened on March 5, 1998.", "Sie wurde am 5. März 1998 eröffnet."),
    ("A ticket costs £12 at the door.", "Eine Karte kostet an der Tür 12 Pfund."),
    ("A ticket costs €5 to €10 at the door.", "Eine Karte kostet an der Tür 5 bis 10 €."),
    ("The tour takes half an hour by boat.", "Die Tour mit dem Boot dauert eine halbe Stunde."),
    ("It is a 5-minute walk to the beach.", "Zum Strand sind es 5 Minuten zu Fuß."),
    ("The tour starts at 7 pm by the river.", "Die Tour beginnt um 7 Uhr abends am Fluss."),
    ("Entry is free on Sundays until 2 pm.", "Der Eintritt ist sonntags bis 14 Uhr frei."),
    ("Open from 9 to 12, closed on Mondays.", "Geöffnet von 9 bis 12, montags geschlossen."),
]


@pytest.mark.parametrize(("english", "german"), EXCHANGED)
def test_what_is_exchanged_is_seen(shared: Parts, english: str, german: str) -> None:
    """Amounts in another order or with another unit, halves and halves of the day, open and closed, both ways."""
    assert translated(shared, english, german) == {}
    assert usable([german], [english], "en", shared.rules, shared.numbers, shared.detector) == {}


@pytest.mark.parametrize(("english", "german"), TRUE)
def test_the_same_in_other_words_may_stand(shared: Parts, english: str, german: str) -> None:
    """Strict, and yet a plain translation passes, both ways."""
    assert translated(shared, english, german) == {english: german}
    assert usable([german], [english], "en", shared.rules, shared.numbers, shared.detector) == {
        german: english
    }


def test_a_claim_may_not_be_added(shared: Parts) -> None:
    """A status that the text does not state."""
    assert (
        translated(shared, "A lovely old town for a walk.", "Eine schöne Altstadt, Ihr Zimmer ist gebucht.")
        == {}
    )
    assert translated(shared, "A lovely old town for a walk.", "Eine schöne Altstadt für einen Spaziergang.")


@pytest.mark.parametrize("rule", QUOTE_RULES, ids=lambda rule: rule.__name__)
def test_no_rule_is_idle(shared: Parts, monkeypatch: pytest.MonkeyPatch, rule: Callable[..., Any]) -> None:
    """With one rule switched off, something gets through."""
    more = "Eine schöne Altstadt, Ihr Zimmer ist gebucht."
    town, other = "A lovely old town for a walk.", "Une belle vieille ville pour une promenade agréable."
    pairs = [*((ENGLISH, new) for new in UNLIKE.values()), *EXCHANGED, (town, more), (town, other)]
    monkeypatch.setattr(quotes, "QUOTE_RULES", tuple(each for each in QUOTE_RULES if each is not rule))
    assert any(translated(shared, old, new) for old, new in pairs)


def test_one_quotation_too_many_and_none_is_used(shared: Parts) -> None:
    """Which belongs to which cannot be told."""
    told = usable([ENGLISH], [GERMAN, GERMAN], "de", shared.rules, shared.numbers, shared.detector)
    assert told == {}


def test_what_is_in_the_guests_language_is_not_translated(shared: Parts) -> None:
    """A German page is quoted to a German guest as it is."""
    facts = [
        make_fact(1, "web_result", values={"quote": text, "url": "https://x.example"})
        for text in (GERMAN, ENGLISH)
    ]
    assert to_translate(facts, "de", shared.detector) == [ENGLISH]


# In whole turns


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory, shared: Parts) -> Iterator[Stage]:
    """A desk whose web search finds the one page."""
    page = {"title": "The castle", "url": "https://castle.example/visit", "content": ENGLISH}
    with serving(lambda body: (200, {"query": body["query"], "results": [page]})) as stub:
        yield from _open(tmp_path_factory, shared, stub)


def _open(factory: pytest.TempPathFactory, shared: Parts, stub: Stub) -> Iterator[Stage]:
    with on_stage(
        factory.mktemp("quotes"), shared, tavily_api_key="tvly-x", tavily_base_url=stub.url
    ) as stage:
        yield stage


def _writes(prose: str) -> Callable[[Sequence[BaseMessage], Sequence[str]], AIMessage]:
    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if tools and not rounds_so_far(messages):
            return calling(call("search_web", query="castle"))
        marks = re.findall(r"t\d+-[0-9a-f]{6,}", messages[-1].text)
        return AIMessage(prose.replace("*", f"[[{marks[0]}]]"))

    return script


def _turn(
    searcher: Stage, told: list[str], prose: str = "What a lovely idea. *", text: str | None = None
) -> tuple[Any, list[Any]]:
    asked: list[dict[str, str]] = []

    def translator(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if "Translation" in tools:
            return structured("Translation", english="When is the castle open?", tone="calm")
        asked.append(briefing(messages))
        return structured("TranslatedProse", sentences=["Eine schöne Idee."], quotes=told)

    turn = searcher.play(
        text or "Wann hat die Burg geöffnet?",
        coordinator=routes(handoff("web", "look up: the castle")),
        web=_writes(prose),
        translator=translator,
    )
    return turn, asked


@pytest.mark.parametrize("written", ["What a lovely idea. *", "* What a lovely idea."])
def test_a_quotation_reaches_the_guest_in_their_language(searcher: Stage, written: str) -> None:
    """Translated in the call that translates the prose, marked as translated, with its source."""
    turn, asked = _turn(searcher, [GERMAN], written)
    assert len(asked) == 1
    assert ENGLISH in asked[0]["quotes"]
    assert f"„{GERMAN}“ (aus dem Original übersetzt; The castle, https://castle.example/visit)" in turn.reply
    assert ENGLISH in turn.reply_english
    assert turn.facts[0].values["quote"] == ENGLISH


@pytest.mark.parametrize("told", [[UNLIKE["a changed price"]], [UNLIKE["a link"]], [], [GERMAN, GERMAN]])
def test_an_unfaithful_one_stays_as_it_was_written(searcher: Stage, told: list[str]) -> None:
    """The text of the page itself, with its source, and the prose is translated all the same."""
    turn, asked = _turn(searcher, told)
    assert len(asked) == 1
    assert f"„{ENGLISH}“ (The castle, https://castle.example/visit)" in turn.reply
    assert "Eine schöne Idee." in turn.reply
    assert "51" not in turn.reply


def test_no_call_is_made_for_quotations_alone(searcher: Stage) -> None:
    """The desk's own sentences have their wording, and English guests read the page's own words."""
    for prose, text in (("Gladly. *", None), ("What a lovely idea. *", "When is the castle open?")):
        turn, asked = _turn(searcher, [GERMAN], prose, text)
        assert asked == []
        assert ENGLISH in turn.reply


def test_the_rehearsal_model_leaves_quotations_alone(searcher: Stage) -> None:
    """It translates only what its words cover."""
    turn = searcher.play("Wie ist das Wetter diese Woche?", coordinator=routes(handoff("web", "look up: it")))
    assert f"„{ENGLISH}“" in turn.reply
