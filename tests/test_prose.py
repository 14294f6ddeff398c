"""Free prose: what passes, and every way in which a claim could come in it."""

from __future__ import annotations

import pytest

from desk.context import Parts
from desk.prose import PROSE_RULES, TRANSLATION_RULES, unfaithful

KIND = [
    ("Happy to help!", "en"),
    ("Thank you so much for asking, I'd be glad to help you with that.", "en"),
    ("What a lovely idea, here are some options for you.", "en"),
    ("You're most welcome, have a wonderful evening!", "en"),
    ("I am so sorry to hear this, {name}.", "en"),
    ("Sehr gerne, hier ist, was ich für Sie gefunden habe.", "de"),
    ("Mit Vergnügen, hier sind einige Möglichkeiten für Ihren Aufenthalt.", "de"),
]
CLAIMS = [
    ("Consider it done: the room is yours.", "en"),
    ("All set, your reservation is in place.", "en"),
    ("Your booking is here for you.", "en"),
    ("There is a rooftop pool.", "en"),
    ("All rooms have a sea view.", "en"),
    ("The Deluxe is the nicest.", "en"),
    ("I recommend the Penthouse.", "en"),
    ("Ihr Zimmer ist gebucht.", "en"),
    ("Votre chambre est réservée.", "en"),
    ("您的房间已预订。", "en"),
    ("Gladly. \u202eevil", "en"),
    ("Gladly. \x00", "en"),
    ("make_offer", "en"),
    ("**Gladly**", "en"),
    ("<b>Gladly</b>", "en"),
    ("I have passed your wish on to our team.", "en"),
    ("Gladly. " * 300, "en"),
    ("for you " * 100, "en"),
    ("La chambre est à vous.", "de"),
    ("Die Buchung steht.", "de"),
    ("Das Frühstück ist inklusive.", "de"),
    ("Your room is booked.", "de"),
    ("There is no room at our hotels.", "en"),
    ("We have rooms for you only today; your stay is on us.", "en"),
    ("Somebody from our team will come to your room. You do not need to call us.", "en"),
    ("Your room is here for you, so you can come.", "en"),
    ("I am a person and I am writing to you from the desk.", "en"),
    ("Only the first one is a room; do not take these, they are not good.", "en"),
    ("I am not able to help.", "en"),
    ("Das Zimmer ist Ihnen sicher.", "de"),
    ("Das ist jetzt Ihr Zimmer.", "de"),
    ("Wir haben leider keine Zimmer.", "de"),
    ("Unser Team ist sofort bei Ihnen.", "de"),
    ("Es ist Ihnen gegeben.", "de"),
]


@pytest.mark.parametrize(("prose", "code"), KIND)
def test_courtesy_passes(shared: Parts, prose: str, code: str) -> None:
    """A writer may be warm in words of its own."""
    assert shared.rules.unclean(prose, code) is None


@pytest.mark.parametrize(("prose", "code"), CLAIMS)
def test_claims_do_not(shared: Parts, prose: str, code: str) -> None:
    """A claim in other words, in another language, or hidden in signs has no way through."""
    assert shared.rules.unclean(prose, code) is not None


@pytest.mark.parametrize("code", ["en", "de"])
def test_every_own_sentence_passes_and_has_its_wording(shared: Parts, code: str) -> None:
    """What people have reviewed passes as it is, and needs no translator."""
    for english, told in shared.rules.own.items():
        assert shared.rules.unclean(told[code], code) is None
        assert shared.rules.own_wording(english, code) == told[code]


def test_own_sentences_in_a_row_have_their_wording(shared: Parts) -> None:
    """Two of them make one piece; a word between them does not."""
    assert shared.rules.own_wording("Gladly. A good choice.", "de") == "Sehr gern. Eine gute Wahl."
    assert shared.rules.own_wording("Gladly. Well. A good choice.", "de") is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I am happy to help.", "Ich helfe Ihnen nicht gern."),
        ("I am not sure what you mean.", "Ich bin sicher, was Sie meinen."),
        ("Of course, {name}.", "Natürlich."),
        ("Of course.", "Natürlich, {name}."),
        ("Of course.", ""),
        ("Of course.", "Natürlich. Das freut mich. Ich helfe gern."),
        ("Of course.", "Natürlich (Anmerkung des Übersetzers)."),
        ("Of course.", "Con mucho gusto."),
    ],
)
def test_unfaithful_translations(shared: Parts, old: str, new: str) -> None:
    """A not more or fewer, a lost placeholder, something added, another language."""
    assert unfaithful(shared.rules, [old], [new], "de") is not None


def test_a_faithful_translation(shared: Parts) -> None:
    """The base of the cases above."""
    assert (
        unfaithful(
            shared.rules,
            ["I am happy to help.", "I hope you enjoy it."],
            ["Ich helfe gern.", "Ich hoffe, es gefällt Ihnen."],
            "de",
        )
        is None
    )


def test_every_rule_is_listed() -> None:
    """The rules that the hostile run switches off one by one."""
    assert len(PROSE_RULES) == 5
    assert len(TRANSLATION_RULES) == 3
