"""What the pages show of a turn, without a page."""

from __future__ import annotations

import datetime as dt
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from desk import team_view, view
from desk.errors import DataError
from desk.page_texts import PageTexts, choose_language, load_page_texts
from desk.progress import Step
from desk.records import Booking, Fact, Offer
from desk.stores.turnlog import LoggedTurn, Status
from desk.turn import (
    BranchLog,
    BranchMessage,
    Checks,
    HandoffRecord,
    ModelUse,
    NodeTime,
    Sentiment,
    Source,
    Turn,
)

DATA = Path(__file__).resolve().parents[1] / "data"
HOTELS = {"hotel1": "Harbour House", "hotel2": "Garden Court"}
OFFER = Offer(
    id="o1",
    hotel="hotel2",
    room="108",
    type="Deluxe",
    arrival=dt.date(2027, 2, 1),
    departure=dt.date(2027, 2, 3),
    nights=2,
    rate=175,
    total=350,
    currency="EUR",
)


@pytest.fixture(scope="module")
def texts() -> dict[str, PageTexts]:
    """The pages' texts."""
    return load_page_texts(DATA)


def logged(number: int, status: Status = "done", **fields: Any) -> LoggedTurn:
    """A turn in the log; with status done it has a result."""
    turn = Turn(thread="t", turn=number, text="hello", reply="Hello.", seconds=1.24, **fields)
    when = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)
    return LoggedTurn(number, "hello", status, when, None, turn if status == "done" else None)


def keys(table: Any, path: str = "") -> set[str]:
    """Every dotted key of a table; plural forms and list items do not count."""
    if not isinstance(table, dict) or "other" in table:
        return {path}
    return {key for name, value in table.items() for key in keys(value, f"{path}.{name}")}


def test_every_language_has_every_page_text(texts: dict[str, PageTexts]) -> None:
    """No language lacks a text or has one that nothing shows, and each has suggestions."""
    wanted = keys(texts["en"].table)
    for language in texts.values():
        assert keys(language.table) == wanted, language.code
        for suggestion in language.get("suggestions.list"):
            assert suggestion["show"]
            assert suggestion["say"]


def test_texts_are_filled_in_and_fall_back_to_english() -> None:
    """Names in braces are filled in; what a language lacks is English; an unknown key is an error."""
    english = {"a": {"b": "{n} beds"}, "only": "English"}
    own = PageTexts("de", "Deutsch", "de_DE", False, {"a": {"b": "{n} Betten"}}, english)
    assert own("a.b", n=2) == "2 Betten"
    assert own("only") == "English"
    with pytest.raises(DataError, match=r"no text c\.d"):
        own("c.d")


def test_counting_follows_the_languages_plural_rule() -> None:
    """One and many are the language's own forms, also where a language has more than two."""
    forms = {"n": {"one": "{n} hotel", "few": "{n} hotele", "many": "{n} hoteli", "other": "{n} hotelu"}}
    polish = PageTexts("pl", "Polski", "pl_PL", False, forms, {})
    assert [polish.count("n", n) for n in (1, 2, 5)] == ["1 hotel", "2 hotele", "5 hoteli"]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (["de-AT"], "de"),
        (["de_CH"], "de"),
        (["fr-FR", "de"], "de"),
        ([None, ""], "en"),
        (["zh-Hant-TW"], "en"),
        (["*"], "en"),
    ],
)
def test_the_first_language_that_there_is(
    texts: dict[str, PageTexts], wanted: list[str | None], code: str
) -> None:
    """A region falls back to its language, an unknown language to the next wish, and none to English."""
    assert choose_language(wanted, texts).code == code


def test_only_the_standing_offer_is_a_card(texts: dict[str, PageTexts]) -> None:
    """The last answered turn's offer stands; one that was passed over does not."""
    shown = view.conversation([logged(1, offer=OFFER), logged(2, offer=OFFER)], texts["en"], HOTELS)
    assert [bool(exchange.offer) for exchange in shown] == [False, True]
    shown = view.conversation([logged(1, offer=OFFER), logged(2)], texts["en"], HOTELS)
    assert [bool(exchange.offer) for exchange in shown] == [False, False]


@pytest.mark.parametrize("status", ["queued", "running", "stopped", "failed", "interrupted"])
def test_an_offer_stands_while_nothing_new_is_answered(texts: dict[str, PageTexts], status: Status) -> None:
    """A turn that waits, runs, was stopped or failed has changed nothing, so the offer before it stands."""
    shown = view.conversation([logged(1, offer=OFFER), logged(2, status)], texts["en"], HOTELS)
    assert shown[0].offer is not None
    assert shown[1].pending == (status in view.PENDING)
    assert shown[1].trouble == (None if shown[1].pending else status)


def test_a_card_reads_in_the_guests_language(texts: dict[str, PageTexts]) -> None:
    """Hotel, room, weekdays, nights and money, as the language writes them."""
    card = view.conversation([logged(1, offer=OFFER)], texts["de"], HOTELS)[0].offer
    assert card is not None
    assert card.title == "Garden Court · Deluxe 108"
    assert dict(card.fields) == {
        "Anreise": "Mo., 1. Feb. 2027",
        "Abreise": "Mi., 3. Feb. 2027",
        "Nächte": "2",
        "Gesamt": "350,00\xa0€",
    }


def test_a_booking_shows_its_reference(texts: dict[str, PageTexts]) -> None:
    """What was booked in a turn stays on its card, the reference first."""
    booking = Booking(**OFFER.model_dump(exclude={"status", "reference"}), reference="GC-2002")
    shown = view.conversation([logged(1, booking=booking), logged(2)], texts["en"], HOTELS)
    assert shown[0].booking is not None
    assert shown[0].booking.fields[0] == ("Reference", "GC-2002")


def test_the_trust_line_says_only_what_is_so(texts: dict[str, PageTexts]) -> None:
    """Hotels only when some answered, facts only when they were looked up and are grounded, seconds always."""
    fact = Fact(id="t1-1", kind="room_free")
    one = {"branches": {"hotel1": BranchLog(status="ok")}, "facts": [fact]}
    turn = logged(1, **one, checks=Checks(grounded=True)).turn
    assert turn is not None
    assert view.trust_line(turn, texts["en"]) == "1 hotel asked · 1 fact checked against the records · 1.2 s"
    assert view.trust_line(turn, texts["de"]) == "1 Hotel gefragt · 1 Angabe belegt · 1,2 s"
    doubtful = logged(1, **one, checks=Checks(grounded=False)).turn
    assert doubtful is not None
    assert view.trust_line(doubtful, texts["en"]) == "1 hotel asked · 1.2 s"
    unasked = {"branches": {"hotel1": BranchLog(status="failed")}, "checks": Checks(grounded=True)}
    failed = logged(1, **unasked, facts=[Fact(id="t1-2", kind="not_checked", status="failed")]).turn
    assert failed is not None
    assert view.trust_line(failed, texts["en"]) == "1.2 s"
    plain = logged(1).turn
    assert plain is not None
    assert view.trust_line(plain, texts["en"]) == "1.2 s"


def test_sources_are_links_by_host_name() -> None:
    """Web addresses are links; scripts and the desk's own guide are names without a link; none twice."""
    found = view.links(
        [
            Source(title="A", url="https://www.lisboa.example/a?b=1"),
            Source(title="A again", url="https://www.lisboa.example/a?b=1"),
            Source(title="Bad", url="javascript:alert(1)"),
            Source(title="Neighbourhood guide of the desk"),
        ],
        "der Stadtführer der Rezeption",
    )
    assert [(link.label, link.url) for link in found] == [
        ("lisboa.example", "https://www.lisboa.example/a?b=1"),
        ("Bad", ""),
        ("der Stadtführer der Rezeption", ""),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "double $120, suite $180",
        "~$120 … ~$180",
        "`sea_breeze_24*x*`",
        "<script>alert('x')</script> & \"q\"",
        "",
    ],
)
def test_literal_html_says_exactly_the_text(text: str) -> None:
    """Taking the tags out and the escapes back gives the text as typed, and no tag comes from the text."""
    tags: list[str] = []
    said: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            tags.append(tag)

        def handle_data(self, data: str) -> None:
            said.append(data)

    Reader().feed(view.literal_html(text))
    assert "".join(said) == text
    assert set(tags) <= {"bdi"}


@pytest.mark.parametrize(
    "number",
    [
        "+351 21 555 0199",
        "+351215550199",
        "(21) 555-0199",
        "€189.00",
        "189,00 €",
        "1.250,00\xa0€",
        "14:00",
        "$120",
    ],
)
def test_numbers_stay_in_one_piece(number: str) -> None:
    """Phone numbers, prices and times are isolated, so that a right-to-left line keeps their order."""
    assert f'<bdi dir="ltr">{number}</bdi>' in view.literal_html(f"اتصل {number} الآن")


def test_many_hotels_fit_one_line(texts: dict[str, PageTexts]) -> None:
    """Of fifty hotels the first four are named and the rest counted."""
    line = view.hotel_line([f"Hotel {n}" for n in range(1, 51)], texts["en"])
    assert line == "Hotel 1 · Hotel 2 · Hotel 3 · Hotel 4 · and 46 more"


def test_steps_are_plain_words_once_each(texts: dict[str, PageTexts]) -> None:
    """Nodes become sentences; a hotel is done when its branch has reported, not between its rounds."""
    steps = [
        Step("translate_in", "ended", 0.1),
        Step("fold_history", "ended", 0.1),
        Step("hotel1", "ended", 0.1),
        Step("hotel1_tools", "ended", 0.1),
        Step("hotel1", "started"),
        Step("hotel2", "ended", 0.1),
        Step("hotel2_done", "ended", 0.1),
    ]
    lines = view.step_lines(steps, texts["en"], HOTELS)
    assert [(line.text, line.done) for line in lines] == [
        ("Reading your message", True),
        ("Asking Harbour House", False),
        ("Asking Garden Court", True),
    ]


def test_the_timeline_names_every_node_and_puts_branches_together() -> None:
    """One row a node with all its runs, in order; branches stand beside each other; tiny bars are seen."""
    nodes = [
        NodeTime(name="coordinator", start=0, seconds=1),
        NodeTime(name="hotel1", start=1, seconds=1),
        NodeTime(name="hotel2", start=1, seconds=2),
        NodeTime(name="hotel1_tools", start=2, seconds=0.001),
        NodeTime(name="hotel1", start=2, seconds=1),
        NodeTime(name="merge", start=3, seconds=1),
    ]
    rows = team_view.timeline(nodes, HOTELS)
    assert [row.name for row in rows] == ["coordinator", "hotel1", "hotel1_tools", "hotel2", "merge"]
    assert [row.branch for row in rows] == [None, "hotel1", "hotel1", "hotel2", None]
    assert [bar.left for bar in rows[1].bars] == [25, 50]
    assert rows[2].bars[0].width == team_view.THINNEST
    assert team_view.timeline([], HOTELS) == []


def test_a_branch_is_known_by_its_nodes() -> None:
    """A branch's nodes belong to it; a name that merely begins like one does not."""
    assert view.branch_of("hotel1_tools", HOTELS) == "hotel1"
    assert view.branch_of("hotel10", HOTELS) is None
    assert view.branch_of("reservation_tools", HOTELS) is None


def test_handoffs_say_why() -> None:
    """An accepted handoff says how it ended, a refused one why."""
    accepted = team_view.handoff_line(
        HandoffRecord(
            destination="hotels", task="x", accepted=True, status="ok", completion_criteria="all answered"
        )
    )
    assert (accepted.title, accepted.note) == (
        "coordinator → hotels",
        "accepted · ok · done when all answered",
    )
    refused = team_view.handoff_line(HandoffRecord(destination="web", refused_because="no evidence"))
    assert refused.note == "refused: no evidence"


@pytest.mark.parametrize(
    ("label", "tone", "said"),
    [
        ("positive", "sarcastic", "The score reads positive, but the guest sounds sarcastic."),
        ("negative", "calm", "The score reads negative, but the guest sounds calm."),
        ("negative", "angry", ""),
        ("neutral", "calm", ""),
    ],
)
def test_mood_says_where_score_and_tone_disagree(label: Any, tone: Any, said: str) -> None:
    """The page says so when TextBlob and the tone see different guests."""
    found = team_view.mood(Sentiment(polarity=0.351, label=label, tone=tone))
    assert found.disagreement == said
    assert found.score == "+0.35"


@pytest.mark.parametrize(
    ("cost", "shown"),
    [(None, "–"), (0.0, "0"), (0.00001, "< 0.0001"), (0.01234, "0.0123"), (12.5, "12.5000")],
)
def test_the_team_sees_what_a_turn_cost(cost: float | None, shown: str) -> None:
    """An unknown cost is a dash and not nothing; a very small one is not rounded to nothing."""
    assert team_view.cost(ModelUse(cost=cost, currency="EUR")) == ("Cost, EUR", shown)


def test_branch_messages_show_calls_and_results_as_json() -> None:
    """Tool calls and JSON results come out indented; other text stays as it is."""
    call = BranchMessage(role="ai", text="", tool_calls=[{"name": "guide", "args": {"query": "Frühstück"}}])
    assert team_view.said(call).data == 'guide({\n  "query": "Frühstück"\n})'
    assert team_view.said(BranchMessage(role="tool", text='{"a":1}')).data == '{\n  "a": 1\n}'
    plain = team_view.said(BranchMessage(role="tool", text="not json"))
    assert (plain.text, plain.data) == ("not json", "")


def test_facts_list_what_is_set() -> None:
    """A fact's set values and a guide entry's values, nothing empty."""
    fact = Fact(
        id="t1-1", kind="guide", hotel="hotel1", entry="breakfast", values={"from": "07:00", "days": [1, 2]}
    )
    assert team_view.fact_values(fact) == [
        ("hotel", "hotel1"),
        ("entry", "breakfast"),
        ("from", "07:00"),
        ("days", "1, 2"),
    ]
