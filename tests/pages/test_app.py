"""The guest's page, run from app.py without a browser."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from desk.errors import StorageError
from desk.service import Desk
from pages.parts import door
from tests.pages.conftest import answered, shown, thread_of
from tests.pages.fake_desk import DOLLARS, Script, fake_desk

Open = Callable[..., AppTest]


def say(test: AppTest, text: str, desk: Desk) -> AppTest:
    """Write a message, and draw the page again when it is answered."""
    test.chat_input[0].set_value(text).run()
    answered(desk, thread_of(test))
    return test.run()


def test_an_empty_page_invites_in_the_browsers_language(app: Open) -> None:
    """Before anything is said: title, banner, suggestions and input, in German for a German browser."""
    test = app(locale="de-AT")
    assert not test.exception
    assert test.title[0].value == "Willkommen an der Gästerezeption"
    assert "OPENAI_API_KEY" in test.info[0].value
    assert "Übungsmodell" in test.info[0].value
    assert test.chat_input[0].placeholder == "Nachricht schreiben …"
    assert "Wie können wir helfen?" in shown(test)
    assert "No conversation yet" in shown(test)


def test_an_unknown_browser_language_reads_english(app: Open) -> None:
    """A browser in a language without texts gets English, and so does one that names none."""
    assert app(locale="xx-YY").title[0].value == "Welcome to the guest desk"
    assert app(locale=None).title[0].value == "Welcome to the guest desk"


def test_looking_at_the_page_leaves_nothing_behind(app: Open) -> None:
    """No conversation is made before the first message, and the address stays bare."""
    assert "t" not in app().query_params


def test_a_message_is_answered_and_stays_in_the_link(app: Open, desk: Desk) -> None:
    """Message, reply and trust line stand on the page; the link opens them again after a refresh."""
    test = say(app(), "Is a Deluxe room free from 1 to 3 February?", desk)
    again = app(thread_of(test))
    for page in (test, again):
        assert not page.exception
        assert "Deluxe room 104 at Harbour House" in shown(page)
        assert "2 hotels asked · 2 facts checked against the records · 3.1 s" in shown(page)
    assert len(test.chat_message) == 2


def test_the_team_sees_the_cost_and_the_guest_does_not(
    app: Open, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands in the team's panel, once; without the panel it is nowhere."""
    test = say(app(), "Is a Deluxe room free from 1 to 3 February?", desk)
    assert shown(test).count("Cost, EUR0.0123") == 1
    monkeypatch.setattr(door, "is_demo", lambda: False)
    guest = shown(app(thread_of(test)))
    assert "Deluxe room 104 at Harbour House" in guest
    assert "0.0123" not in guest


def test_only_a_message_behind_another_waits(app: Open, tmp_path: Path) -> None:
    """A message that no worker has taken yet is about to be looked at; the one behind it waits for it."""
    with closing(fake_desk(tmp_path / "idle", serve=False)) as idle:
        thread = idle.new_thread()
        for text in ("hello", "and hello again"):
            idle.send(thread, text)
        page = shown(app(thread, behind=idle))
    assert page.count("One moment") == 1
    assert page.count("Waiting until the message before") == 1


def test_the_page_follows_the_conversations_language(app: Open, desk: Desk) -> None:
    """A guest with an English browser who writes German reads a German page once that is answered."""
    thread = desk.new_thread("en-GB")
    desk.set_language(thread, "de")
    assert app(thread).title[0].value == "Willkommen an der Gästerezeption"


def test_a_long_conversation_shows_its_end_and_the_way_to_its_beginning(app: Open, desk: Desk) -> None:
    """Of 45 turns the last 35 are drawn, by tens; the button brings the rest."""
    thread = desk.new_thread("en-GB")
    for number in range(45):
        desk.wait(thread, desk.send(thread, f"Message {number}."), 20)
    test = app(thread)
    assert "Message 10." in shown(test)
    assert "Message 9." not in shown(test)
    assert test.button(key="earlier_turns").label == "Earlier: 10 messages"
    test.button(key="earlier_turns").click().run()
    assert "Message 0." in shown(test)
    assert "earlier_turns" not in [button.key for button in test.button]
    assert not test.exception


def test_texts_stand_as_they_were_typed(app: Open, desk: Desk) -> None:
    """Dollars, Markdown and HTML of guest and desk are shown as typed, in bubbles and in the team's panel."""
    typed = "Dollars: $1 or $2? *a* _b_ ~c~ `d` <b>e</b> # f [g](http://h) {{i}}"
    page = shown(say(app(), typed, desk))
    assert page.count(typed) >= 2
    assert DOLLARS in page


def test_the_offer_stands_until_it_is_answered(app: Open, desk: Desk) -> None:
    """An offer is a card; confirming it books once and takes the card away."""
    test = say(app(), "offer please", desk)
    assert "Garden Court · Deluxe 108" in shown(test)
    assert "Mon, 1 Feb 2027" in shown(test)
    assert "€350.00" in shown(test)
    test.button(key="confirm_o-hotel2-108").click().run()
    thread = thread_of(test)
    answered(desk, thread)
    test.run()
    assert "GC-2002" in shown(test)
    assert not [button for button in test.button if (button.key or "").startswith("confirm")]
    assert [logged.action for logged in desk.turns(thread)] == [None, "confirm:o-hotel2-108"]


def test_a_double_click_is_one_answer(app: Open, desk: Desk) -> None:
    """The same card confirmed in two tabs sends one message."""
    first = say(app(), "offer please", desk)
    thread = thread_of(first)
    second = app(thread)
    for test in (first, second):
        test.button(key="confirm_o-hotel2-108").click().run()
    answered(desk, thread)
    assert len(desk.turns(thread)) == 2


def test_an_offer_that_was_passed_over_is_no_card(app: Open, desk: Desk) -> None:
    """When the next answer carries no offer, the earlier one cannot be clicked any more."""
    test = say(say(app(), "offer please", desk), "plain question", desk)
    assert "Garden Court keeps this room" in shown(test)
    assert "Deluxe 108\n" not in shown(test)
    assert not [button for button in test.button if (button.key or "").startswith("confirm")]


def test_change_begins_a_message(app: Open, desk: Desk) -> None:
    """Change puts the beginning of a sentence into the input and sends nothing."""
    test = say(app(), "offer please", desk)
    test.button(key="change_o-hotel2-108").click().run()
    assert not test.exception
    assert len(desk.turns(thread_of(test))) == 1


def test_a_suggestion_is_sent(app: Open, desk: Desk) -> None:
    """Choosing a suggestion sends its sentence, in the page's language."""
    test = app(locale="de-DE")
    next(button for button in test.button if button.label == "Parkplatz?").click().run()
    assert [logged.text for logged in desk.turns(thread_of(test))] == ["Gibt es einen Parkplatz?"]


def test_a_running_turn_shows_its_steps_and_can_be_stopped(app: Open, desk: Desk, script: Script) -> None:
    """While a turn runs the guest's message stands, the steps appear, a later message waits, stop works."""
    script.pace = 0.3
    test = app()
    test.chat_input[0].set_value("Is a room free?").run()
    assert "Is a room free?" in shown(test)
    thread = thread_of(test)
    test.chat_input[0].set_value("And breakfast?").run()
    assert "Waiting until the message before is answered …" in shown(test)
    test.selectbox(key="team_turn").set_value(1).run()
    assert "Turn 1 is under way." in shown(test)
    assert "Reading your message" in shown(test)
    test.button(key="stop_1").click().run()
    desk.wait(thread, 1, timeout=20)
    script.pace = 0.0
    answered(desk, thread)
    test.run()
    assert [logged.status for logged in desk.turns(thread)] == ["stopped", "done"]
    assert "You stopped this answer." in shown(test)


def test_a_failed_turn_is_an_honest_line(app: Open, desk: Desk) -> None:
    """A bug in the desk shows a sentence and a way to try again, and nothing of the bug."""
    test = say(app(), "break this", desk)
    assert not test.exception
    assert "Sorry, something went wrong on our side." in shown(test)
    assert "KeyError" not in shown(test)
    assert test.button(key="retry_1").label == "Try again"


def test_an_interrupted_turn_can_be_answered_now(app: Open, tmp_path: Path, script: Script) -> None:
    """A message that was left long ago is offered for answering, and one click answers it."""
    home = tmp_path / "left"
    before = fake_desk(home, wall=lambda: 0.0, serve=False)
    thread = before.new_thread("en-GB")
    before.send(thread, "dollars")
    before.close()
    now = fake_desk(home, script=script)
    test = app(thread, behind=now)
    assert "The desk was interrupted before it could answer this." in shown(test)
    test.button(key="retry_1").click().run()
    answered(now, thread)
    assert DOLLARS in shown(test.run())
    now.close()


def test_an_unknown_link_says_so_and_starts_anew(app: Open, desk: Desk) -> None:
    """A made-up id opens nothing, is taken out of the address, and a new conversation can begin."""
    test = app("not-a-conversation")
    assert "This link does not open a conversation any more" in test.warning[0].value.replace("\\", "")
    assert "t" not in test.query_params
    say(test, "Is a room free?", desk)
    assert thread_of(test) != "not-a-conversation"


def test_a_new_conversation_leaves_the_old_one(app: Open, desk: Desk) -> None:
    """The button clears the page; the old link still opens the old conversation."""
    test = say(app(), "dollars", desk)
    old = thread_of(test)
    test.button(key="new").click().run()
    assert "t" not in test.query_params
    assert not test.chat_message
    assert len(app(old).chat_message) == 2


def test_the_language_can_be_chosen_by_hand(app: Open, desk: Desk) -> None:
    """The choice turns the page at once and stays with the conversation that begins after it."""
    test = app()
    test.radio(key="language").set_value("de").run()
    assert test.title[0].value == "Willkommen an der Gästerezeption"
    say(test, "Hello", desk)
    assert desk.thread(thread_of(test)).chosen_language == "de"
    test.radio(key="language").set_value("").run()
    assert desk.thread(thread_of(test)).chosen_language is None


def test_a_message_that_is_too_long_comes_back(app: Open) -> None:
    """The desk refuses it with a line, and the text is not lost."""
    test = app()
    test.chat_input[0].set_value("word " * 2_000).run()
    assert not test.exception
    assert "too long" in test.warning[0].value


def test_a_desk_that_fails_never_shows_a_traceback(
    app: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever goes wrong, the guest reads one polite line; the log says what it was, without their words."""
    test = app()

    def broken() -> Desk:
        raise StorageError("DESK_HOME cannot be written")

    monkeypatch.setattr(door, "desk_for_pages", broken)
    test.run()
    assert not test.exception
    assert "cannot open right now" in test.warning[0].value
    assert "DESK_HOME" not in shown(test)
    assert "DESK_HOME cannot be written" in caplog.text
    test.chat_input[0].set_value("my secret").run()
    assert not test.exception
    assert "my secret" not in caplog.text


def test_the_team_sees_every_part_of_a_turn(app: Open, desk: Desk) -> None:
    """Route with every node named, each branch's tool calls, summary, mood and facts of the latest turn."""
    test = say(app(), "Is a Deluxe room free?", desk)
    page = shown(test)
    for node in ("translate_in", "hotel1", "hotel2_tools", "merge", "translate_out"):
        assert node in page
    assert "coordinator → hotels" in page
    labels = [tab.label for tab in test.tabs]
    assert labels == ["Route", "Harbour House", "Garden Court", "Summary", "Mood", "Facts"]
    assert any("free_rooms({" in code.value for code in test.code)
    assert "room free" in page
    assert "Nothing folded yet" in page


def test_the_team_sees_refusals_and_disagreement(app: Open, desk: Desk) -> None:
    """A refused handoff with its reason, and where score and tone disagree; a branch not asked says so."""
    page = shown(say(app(), "many things", desk))
    assert "refused: anything about a guest's own stay needs a verified guest" in page
    assert "The score reads positive, but the guest sounds sarcastic." in page
    assert "Harbour House was not asked this turn." in page
    assert "4 messages were folded" in page


def test_any_earlier_turn_can_be_picked(app: Open, desk: Desk) -> None:
    """The panel shows the picked turn until the guest writes again."""
    test = say(say(app(), "many things", desk), "dollars", desk)
    assert "needs a verified guest" not in shown(test)
    test.selectbox(key="team_turn").set_value(1).run()
    assert "needs a verified guest" in shown(test)
    assert "needs a verified guest" not in shown(say(test, "dollars", desk))


def test_fifty_hotels_share_one_tab(app: Open, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """With many hotels the panel has one tab for them, those that were asked first."""
    test = app()
    monkeypatch.setattr(door, "hotel_names", lambda: {f"hotel{n}": f"House {n}" for n in range(50, 0, -1)})
    say(test, "Is a Deluxe room free?", desk)
    assert [tab.label for tab in test.tabs] == ["Route", "Hotels", "Summary", "Mood", "Facts"]
    assert test.selectbox(key="team_branch").options[:3] == ["House 2", "House 1", "House 50"]
    assert "2 of 50 hotels asked this turn." in shown(test)


def test_guests_of_a_staffed_desk_see_no_panel(
    app: Open, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With DESK_ACCESS=staffed the team's panel and the demo badge are not drawn."""
    monkeypatch.setattr(door, "is_demo", lambda: False)
    test = say(app(), "Is a Deluxe room free?", desk)
    assert not test.tabs
    assert "Demo" not in shown(test)
    assert "Deluxe room 104" in shown(test)


def test_the_conversation_outlives_the_desk(app: Open, desk: Desk, tmp_path: Path) -> None:
    """After a restart on the same folder the link opens the conversation as it was."""
    thread = thread_of(say(app(), "dollars", desk))
    desk.close()
    second = fake_desk(tmp_path / "home")
    assert DOLLARS in shown(app(thread, behind=second))
    second.close()
