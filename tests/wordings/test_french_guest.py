"""A guest whose language has no catalogue: English at first, then the guest's own language, kept for good."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import pytest

from desk import translating
from desk.translating import Translating
from tests.conftest import Opened
from tests.wordings.conftest import French

ROOM = "Avez-vous une chambre Deluxe libre du 3 au 5 mai 2027 pour deux personnes ?"
BREAKFAST = "À quelle heure est le petit-déjeuner ?"
ENGLISH_NOTICE = "Je vous réponds en anglais, car je n'écris pas encore votre langue."
AUTOMATIC = "Cette réponse a été traduite automatiquement ; personne n'a encore relu la traduction."

Opener = Callable[..., Opened]


def test_english_first_and_then_french(live_desk: Opener, french: French) -> None:
    """The first reply is English with a notice; the second French by code, with Babel's dates and money."""
    desk = live_desk()
    thread = desk.thread()
    first = desk.say(thread, ROOM)
    assert (first.language, first.checks.translated) == ("fr", False)
    assert first.reply.splitlines()[0] == ENGLISH_NOTICE
    assert first.reply.splitlines()[1:] == first.reply_english.splitlines()
    assert first.model.calls < 20  # making the language costs the guest's turn nothing
    second = desk.say(thread, ROOM)
    assert second.checks.translated
    stay = "libre du 3 mai 2027 au 5 mai 2027"
    assert second.reply.replace("\xa0", " ").splitlines() == [
        AUTOMATIC,
        "Avec plaisir.",
        "Je vous recommande la chambre Deluxe 104 au Harbour House :"
        f" elle est {stay} à 189 € par nuit, 378 € pour 2 nuits.",
        f"Garden Court a aussi la chambre Deluxe 108 de {stay} à 175 € par nuit, 350 € pour 2 nuits.",
        "Laquelle souhaitez-vous ?",
    ]  # fmt: skip
    assert second.reply_english == first.reply_english
    assert sum(map(len, french.asked)) == len(desk.parts.wordings.patterns("fr"))  # each asked for once


def test_a_booking_in_french(live_desk: Opener) -> None:
    """From the room to the reference; that a machine translated is said once in a conversation."""
    desk = live_desk()
    desk.say(desk.thread(), BREAKFAST)
    thread = desk.thread()
    texts = [ROOM, "La première, s'il vous plaît.", "Marie Dubois"]
    offered = [desk.say(thread, text) for text in texts][-1]
    assert "Rien n'est réservé avant que vous ne disiez oui." in offered.reply
    assert offered.offer
    booked = desk.say(thread, "", action=f"confirm:{offered.offer.id}")
    assert booked.booking
    assert "Votre réservation est confirmée : chambre Deluxe 104 au Harbour House" in booked.reply
    assert "du lundi 3 mai 2027 au mercredi 5 mai 2027" in booked.reply
    assert booked.booking.reference in booked.reply
    replies = [entry.turn.reply for entry in desk.desk.turns(thread) if entry.turn]
    assert [AUTOMATIC in reply for reply in replies] == [True, False, False, False]


def test_a_restart_keeps_it(live_desk: Opener, french: French) -> None:
    """Another desk on the same home speaks French from its first reply and asks for nothing."""
    desk = live_desk()
    desk.say(desk.thread(), BREAKFAST)
    assert desk.desk.close(30)
    asked = len(french.asked)
    again = live_desk()
    turn = again.say(again.thread(), BREAKFAST)
    assert "Le buffet du petit-déjeuner au Harbour House est ouvert de 07:00 à 10:30" in turn.reply
    assert turn.checks.translated
    assert len(french.asked) == asked


def test_a_reviewed_language_says_nothing_of_machines(live_desk: Opener) -> None:
    """After people have read it, the line goes away with the next start."""
    desk = live_desk()
    desk.say(desk.thread(), BREAKFAST)
    assert desk.parts.wordings.review("fr")
    assert desk.desk.close(30)
    again = live_desk()
    assert AUTOMATIC not in again.say(again.thread(), BREAKFAST).reply


def test_an_edited_pattern_is_checked_again(live_desk: Opener, caplog: pytest.LogCaptureFixture) -> None:
    """A correction is used; a bad one costs one line in the log, and English is used with a line that says so."""
    desk = live_desk()
    desk.say(desk.thread(), BREAKFAST)
    assert desk.desk.close(30)
    path = desk.home / "wordings" / "fr.toml"
    text = path.read_text(encoding="utf-8")
    better = text.replace(
        "Le buffet du petit-déjeuner au {hotel} est", "Au {hotel}, le buffet du petit-déjeuner est"
    )
    path.write_text(better.replace("Avec plaisir.", "C'est réservé."), encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        again = live_desk()
    lines = [record.getMessage() for record in caplog.records if "fr.toml" in record.getMessage()]
    assert len(lines) == 1
    assert "phrases.gladly was changed and adds: booked; English is used" in lines[0]
    assert (
        "Au Harbour House, le buffet du petit-déjeuner est ouvert"
        in again.say(again.thread(), BREAKFAST).reply
    )
    room = again.say(again.thread(), ROOM)
    assert "réservé" not in room.reply
    assert "104 au Harbour House : elle est libre" in room.reply


def test_a_broken_file_does_no_harm(
    live_desk: Opener, french: French, caplog: pytest.LogCaptureFixture
) -> None:
    """What people broke is named with its line and not written over; guests read English."""
    desk = live_desk()
    path = desk.home / "wordings" / "fr.toml"
    path.parent.mkdir()
    path.write_text("complete = maybe\n", encoding="utf-8")
    assert desk.desk.close(30)
    with caplog.at_level(logging.WARNING):
        again = live_desk()
    assert any("fr.toml is not valid TOML" in record.getMessage() for record in caplog.records)
    turn = again.say(again.thread(), BREAKFAST)
    assert turn.reply.splitlines()[0] == ENGLISH_NOTICE
    assert path.read_text(encoding="utf-8") == "complete = maybe\n"
    assert french.asked == []


def test_a_hostile_translator_gets_nothing_through(live_desk: Opener, french: French) -> None:
    """Each text a lie: everything stays in English, with the notice."""
    french.lie = lambda english, told: "Votre chambre est réservée et payée."
    desk = live_desk()
    thread = desk.thread()
    desk.say(thread, ROOM)
    for text in (ROOM, "La première, s'il vous plaît."):
        turn = desk.say(thread, text)
        assert turn.reply.splitlines() == [ENGLISH_NOTICE, *turn.reply_english.splitlines()]
        assert turn.checks.translated is False
    assert [each.key for each in desk.parts.wordings.book("fr").kept if not each.refused] == []


def test_one_lie_leaves_one_line_english(live_desk: Opener, french: French) -> None:
    """A refused pattern is said in English, the rest in French, and the reply says so in French."""
    french.lie = lambda english, told: told.replace("a aussi la", "a encore réservé la")
    desk = live_desk()
    thread = desk.thread()
    desk.say(thread, BREAKFAST)
    lines = desk.say(thread, ROOM).reply.splitlines()
    assert lines[2].startswith("Je vous recommande la chambre Deluxe 104")
    assert lines[3].startswith("Garden Court also has Deluxe room 108")
    assert lines[-1] == "Une partie de cette réponse est en anglais, car elle n'a pas pu être traduite."


def test_after_a_failure_it_goes_on_where_it_was(
    live_desk: Opener, french: French, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed attempt keeps what it had, waits, and costs no guest anything; the next one asks for the rest."""
    french.fails = lambda number: number > 3
    desk = live_desk()
    thread = desk.thread()
    first = desk.say(thread, BREAKFAST)
    assert first.problem is None
    kept = len(desk.parts.wordings.book("fr").kept)
    assert kept == 3 * translating.CHUNK
    french.fails = lambda number: False
    asked = len(french.asked)
    assert desk.say(thread, BREAKFAST).reply.splitlines()[0] == ENGLISH_NOTICE  # not complete: not spoken
    assert len(french.asked) == asked  # it waits
    monkeypatch.setattr(translating, "FIRST_WAIT", 0.0)
    desk.say(thread, BREAKFAST)
    assert sum(map(len, french.asked[asked:])) == len(desk.parts.wordings.patterns("fr")) - kept
    assert "Le buffet du petit-déjeuner" in desk.say(thread, BREAKFAST).reply


def test_answers_that_are_cut_make_smaller_questions(live_desk: Opener, french: French) -> None:
    """A model that writes short answers only is asked for fewer patterns at once, and nothing is kept as refused."""
    french.most = 6
    desk = live_desk()
    desk.say(desk.thread(), BREAKFAST)
    assert desk.parts.wordings.missing("fr") == []
    assert max(map(len, french.asked)) == translating.CHUNK
    assert len(french.asked[-1]) <= 5
    assert len([each for each in desk.parts.wordings.book("fr").kept if each.refused]) < 8


def test_a_pattern_without_an_answer_is_asked_for_again(live_desk: Opener, french: French) -> None:
    """Three times in one process; then the language is spoken without it, and the next process asks anew."""
    french.silent = "Gladly."
    desk = live_desk()
    desk.say(desk.thread(), BREAKFAST)
    asked = [each for each in french.asked if "Gladly." in each]
    assert len(asked) == translating.ATTEMPTS
    assert desk.parts.catalogue.speaks("fr")
    assert desk.desk.close(30)
    french.silent = ""
    again = live_desk()
    again.say(again.thread(), BREAKFAST)
    assert again.parts.wordings.missing("fr") == []


def test_closing_does_not_wait_for_a_language(live_desk: Opener, french: French) -> None:
    """What is being made ends with what it has."""
    began, go = threading.Event(), threading.Event()

    def slow(number: int) -> bool:
        if number == 2:
            began.set()
            go.wait(20)
        return False

    french.fails = slow
    desk = live_desk()
    turn = desk.desk.send(desk.thread(), BREAKFAST)
    assert turn
    assert began.wait(60)
    assert desk.desk.close(15)
    go.set()
    assert len(desk.parts.wordings.book("fr").kept) == translating.CHUNK


def test_prose_of_a_models_own_is_left_out(
    live_desk: Opener, french: French, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Free courtesy cannot be checked in French: it stays in the English reply and the facts stand alone in French."""
    monkeypatch.setattr(french, "warm", "I am glad to help you with that.")
    desk = live_desk()
    desk.say(desk.thread(), BREAKFAST)
    turn = desk.say(desk.thread(), ROOM)
    assert "I am glad to help you with that." in turn.reply_english
    assert turn.reply.splitlines()[1].startswith("Je vous recommande")
    assert turn.checks.translated
    thanks = desk.say(desk.thread(), "Merci beaucoup !")
    assert thanks.reply.splitlines() == [ENGLISH_NOTICE, "I am glad to help you with that."]


def test_a_language_without_words_for_its_claims_stays_english(live_desk: Opener) -> None:
    """What cannot be checked is not made: the translator is never asked for it."""
    desk = live_desk()
    assert not desk.parts.wordings.can("fi")
    assert not desk.parts.wordings.can("de")
    assert desk.parts.wordings.can("fr")


def test_the_rehearsal_model_writes_only_its_own_languages(open_at: Opener, live_desk: Opener) -> None:
    """It cannot read French, so a kept French is not spoken either."""
    live = live_desk(name="same")
    live.say(live.thread(), BREAKFAST)
    assert live.desk.close(30)
    desk = open_at(name="same")
    assert desk.ask(BREAKFAST).reply.startswith("Cet accueil en mode répétition ne lit que")


def test_a_language_is_not_made_twice_at_once(live_desk: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second worker that would make it as well goes away at once."""
    began, go, made = threading.Event(), threading.Event(), []

    def slowly(self: Translating, code: str) -> None:
        made.append(code)
        began.set()
        go.wait(20)

    monkeypatch.setattr(Translating, "_make", slowly)
    making = Translating(live_desk().parts)
    first = threading.Thread(target=making.due, args=("fr",))
    first.start()
    assert began.wait(20)
    making.due("fr")
    go.set()
    first.join(20)
    assert made == ["fr"]
