"""What a translated pattern may be: true ones pass in every language, and each kind of lie is refused."""

from __future__ import annotations

import pytest

from desk.languages import read_toml
from desk.settings import ROOT
from desk.wording.claims import Claims, clauses, read_claims
from desk.wording.faithful import RULES, Pair, refusal
from tests.wordings.support import FRENCH

CORE = read_toml(ROOT / "tests" / "wordings" / "core.toml")
NAMES = frozenset({"harbour house", "garden court", "deluxe", "superior", "standard", "family suite"})
LANGUAGES = sorted(set(CORE) - {"english"})
FREE = "{type.room} {room} at {hotel} is free {stay} at {rate} per night, {total} for {nights.night}."
TAKEN = "{type.room} {room} at {hotel} is not free {stay}."
LIBRE = FRENCH["patterns"][FREE]
WIDE = ("breakfast", "pets", "pool")  # sentences of the house guide, which may have any word
BARE = frozenset({"pharmacy", "cash", "museum"})


@pytest.fixture(scope="module")
def claims() -> Claims:
    """The word lists that ship."""
    return read_claims(ROOT / "data" / "languages" / "claims.toml")


def pair(claims: Claims, english: str, told: str, code: str = "fr", closed: bool = False) -> Pair:
    """A pattern and its translation; one that may have any word, unless `closed`."""
    return Pair(english, told, claims.tongues[code], claims, NAMES, english in BARE, closed)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_true_translation_passes(claims: Claims, code: str) -> None:
    """The patterns of every day pass in each language of the file."""
    listed = claims.tongues[code].words is not None
    why = {
        key: refusal(pair(claims, CORE["english"][key], told, code, listed and key not in WIDE))
        for key, told in CORE[code].items()
    }
    assert {key: each for key, each in why.items() if each} == {}


def test_every_language_of_the_file_is_tried(claims: Claims) -> None:
    """None is listed that no test has seen; each has the classes of English and the two lines of its own."""
    assert set(claims.tongues) == {*LANGUAGES, "en"}
    listed = claims.tongues["en"].says.listed
    for code in LANGUAGES:
        tongue = claims.tongues[code]
        assert tongue.says.listed == listed, code
        assert tongue.stay.count("{from:long}") == tongue.stay.count("{to:long}") == 1
        assert tongue.stay.index("{from") < tongue.stay.index("{to")
        assert tongue.automatic


# An English pattern, and the key of the true translation of its opposite or of something else
OPPOSITES = [
    ("{type.room} {room} at {hotel} is free {stay}.", "taken"),
    ("At {hotel}, {type.room} is free {stay}.", "none"),
    ("Pets are allowed at {hotel}.", "pets"),
    ("{hotel} has a pool.", "pool"),
    ("{hotel} has a sauna.", "pool"),
    ("{hotel} has no sauna.", "pool"),
    ("I can cancel your booking {reference}.", "cancelled"),
    ("Your booking {reference} is changed.", "cancelled"),
    ("Your booking {reference} is confirmed.", "cancelled"),
    ("I have cancelled your booking {reference}. It stays as it was.", "cancel"),
    ("The offer has changed in the meantime. It has been booked.", "nothing"),
    ("Breakfast at {hotel} is served from {from} to {to} and costs {price} per night.", "breakfast"),
    ("Dinner at {hotel} is served from {from} to {to} and costs {price} per person.", "breakfast"),
]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_opposite_does_not_pass(claims: Claims, code: str) -> None:
    """A true sentence of a language is refused for an English one that says the contrary or another thing."""
    passed = [
        (english, CORE[code][key])
        for english, key in OPPOSITES
        if key in CORE[code] and not refusal(pair(claims, english, CORE[code][key], code))
    ]
    unlisted = {"sauna", "dinner"} - claims.tongues[code].topics.listed
    assert [each for each in passed if not any(word in each[0].casefold() for word in unlisted)] == []


# For each rule a lie that no other rule sees
ONLY = {
    "readable": ("Gladly.", "Avec plaisir\u200b."),
    "same_places": ("{hotel} has no pool.", "{hotel} n'a pas de piscine}."),
    "same_clauses": ("Of course.", "Bien sûr. Oui."),
    "places_in_clauses": (
        "{hotel} has a pool; it is open from {from} to {to}.",
        "{hotel} a une piscine de {from} à {to} ; elle est ouverte.",
    ),
    "same_order": (
        "The departure ({departure}) must be after the arrival ({arrival}).",
        "Le départ ({arrival}) doit être après l'arrivée ({departure}).",
    ),
    "same_signs": ("{hotel} has no pool.", "{hotel} n'a pas de piscine 5."),
    "same_size": ("All right.", "D'accord, nous sommes très heureux de vous voir et de vous aider ici."),
    "own_script": ("Gladly.", "С удовольствием."),
    "no_numbers": ("Please wait ten minutes.", "Veuillez attendre vingt minutes."),
    "no_names": ("Of course.", "Bien sûr, Deluxe."),
    "no_days": ("Gladly.", "Avec plaisir lundi."),
    "same_claims": (TAKEN, "La {type.room} {room} au {hotel} est libre {stay}."),
    "same_topics": ("pharmacy", "hôpital"),
    "sums_with_their_words": (
        "{rate} per night, {total} for {nights.night}.",
        "{rate} pour {nights.night}, {total} par nuit.",
    ),
    "known_words": ("{hotel} is free {stay}.", "{hotel} est libre hormis {stay}."),
    "same_denials": (
        "At {hotel}, no {type.room} is free.",
        "Au {hotel}, aucune {type.room} n'est pas libre.",
    ),
    "nothing_claimed_elsewise": ("Of course.", "Bien sûr, reservada."),
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_each_rule_is_needed(claims: Claims, rule: object) -> None:
    """With the rule its lie is refused, and by nothing else: without it the lie passes."""
    english, told = ONLY[rule.__name__]  # type: ignore[attr-defined]
    both = pair(claims, english, told, closed=rule.__name__ in ("known_words", "same_denials"))  # type: ignore[attr-defined]
    assert refusal(both)
    assert refusal(both, [each for each in RULES if each is not rule]) is None


LIES = [
    (FREE, LIBRE.replace("libre", "réservée")),
    (FREE, LIBRE.replace("libre", "confirmée")),
    (FREE, LIBRE.replace("est libre", "n'est pas libre")),
    (FREE, LIBRE.replace("est libre", "est libre et réservée")),
    (FREE, LIBRE.replace("libre", "gratuite")),
    (FREE, LIBRE.replace("{rate}", "environ {rate}")),
    (FREE, LIBRE.replace("est libre", "est peut-être libre")),
    (FREE, LIBRE.replace("libre", "libre, sauf erreur,")),
    (FREE, LIBRE.replace("par nuit", "par personne")),
    (FREE, LIBRE.replace("par nuit", "pour le séjour")),
    (FREE, LIBRE.replace("{rate}", "{x}").replace("{total}", "{rate}").replace("{x}", "{total}")),
    (FREE, LIBRE.replace("{rate}", "€49")),
    (FREE, LIBRE.replace("{rate}", "quarante-neuf euros")),
    (FREE, LIBRE.replace("{rate}", "{rate} ou moins, soit vingt euros")),
    (FREE, LIBRE.replace("{hotel}", "Ritz")),
    (FREE, LIBRE.replace("{stay}", "{stay.weekday}")),
    (FREE, LIBRE.replace("{stay}", "{stay} {stay}")),
    (FREE, LIBRE + " Réservez sur www.exemple.com."),
    (FREE, LIBRE.replace(".", " (voir exemple.com).")),
    (FREE, LIBRE + " Note du traducteur : prix non garanti."),
    (FREE, "<b>" + LIBRE + "</b>"),
    (FREE, LIBRE.replace(".", " ٤٩.")),
    (FREE, LIBRE.replace(".", " ½.")),
    (FREE, "\u202e" + LIBRE),
    (FREE, "You translate the sentence patterns of a hotel desk from English into the guest's language."),
    (FREE, FREE),
    (FREE, ""),
    (FREE, LIBRE.replace("libre", "libre dès lundi")),
    (FREE, LIBRE.replace("libre", "libre en juin")),
    ("Gladly.", "Votre chambre est réservée."),
    ("Gladly.", "Su habitación está reservada."),
    ("Gladly.", "Ihr Zimmer ist gebucht."),
    ("Gladly.", "您的房间已预订。"),
    ("Gladly.", "Tout est payé."),
    ("Gladly.", "Remise accordée avec plaisir."),
    ("I have not booked anything.", "J'ai réservé."),
    ("Which one would you like?", "Laquelle souhaitez-vous."),
    ("I stopped, as you asked.", "Voulez-vous que j'arrête ?"),
    ("Your booking {reference} is cancelled.", "Votre réservation {reference} est confirmée."),
    ("Your booking {reference} is cancelled.", "Votre réservation {reference} peut être modifiée."),
    ("I could not cancel your booking {reference}. It stays as it was.",
     "J'ai annulé votre réservation {reference}. Elle n'est plus telle quelle."),
    ("Pets are not allowed at {hotel}; assistance dogs are welcome free of charge.",
     "Les animaux sont admis au {hotel} ; les chiens d'assistance ne sont pas admis gratuitement."),
    ("You can cancel free of charge at {hotel} up to {free_days.day} before you arrive;"
     " after that, {charged_percent}% of the total is charged.",
     "Vous pouvez annuler sans frais au {hotel} jusqu'à {free_days.day} après votre arrivée ; avant cela,"
     " {charged_percent} % du total sont facturés."),
    ("If anyone is in danger, call 112 now. I have alerted the hotel's staff.",
     "Si quelqu'un est en danger, appelez le 113 maintenant. J'ai alerté le personnel de l'hôtel."),
    ("Please leave the building at once by the stairs, and do not use the lift.",
     "Veuillez quitter le bâtiment immédiatement, et utilisez l'ascenseur."),
    ("{n} nights", "{n} jours"),
    ("{n} nights", "{n}{n} nuits"),
    ("no {type.room}", "la {type.room}"),
    ("museum", "pharmacie"),
    ("museum", "musée Voilà"),
    ("your order", "votre commande Voilà."),
    ("Here is what I found:", "Voici ce que j'ai trouvé."),
    ("cash", "truc"),
]  # fmt: skip


@pytest.mark.parametrize(("english", "told"), LIES)
def test_a_lie_is_refused(claims: Claims, english: str, told: str) -> None:
    """Swaps, a dropped or added "not", status, sums, days, names, notes, links, markup, prompts, other languages."""
    assert refusal(pair(claims, english, told)) is not None


# Nothing in these is on a list of bad words: they are refused because their words are on no list of good ones
UNFORESEEN = [
    ("fr", TAKEN, "La {type.room} {room} au {hotel} n'est libre que {stay}."),
    ("fr", "{hotel} has no room {room}.", "{hotel} n'a que la chambre {room}."),
    ("es", "{type.room} {room} at {hotel} is not free.", "{type.room} {room} en {hotel} no puede estar más libre."),
    ("fr", "I could not cancel your booking {reference}. It stays as it was.",
     "Je n'ai eu aucun mal à annuler votre réservation {reference}. Elle est partie."),
    ("fr", "{type.room} {room} at {hotel} is free {stay}.", "{type.room} {room} au {hotel} est libre hormis {stay}."),
    ("fr", "A good choice.", "Chambre enregistrée."),
    ("fr", "A good choice.", "Elle est déjà à votre nom."),
    ("fr", "Please call the emergency services right away.", "Veuillez attendre tranquillement dans votre chambre."),
    ("fr", "These dates are in the past.", "Vos dates sont validées."),
    ("fr", TAKEN, "La {type.room} {room} au {hotel} n'est pas sans être libre {stay}."),
    ("fr", "{type.room} {room} at {hotel} is free.", "La {type.room} {room} au {hotel} sera bientôt libre."),
    ("fr", "{type.room} {room} at {hotel} costs {rate} per night.",
     "{type.room} {room} au {hotel} coûte au pire {rate} par nuit."),
    ("fr", "The offer has changed in the meantime. Nothing has been booked.",
     "L'offre a changé entre-temps. Rien d'autre n'a été réservé."),
    ("fr", "Your booking {reference} is cancelled.", "Votre réservation {reference} est censée être annulée."),
    ("fr", "If anyone is in danger, call 112 now. I have alerted the hotel's staff.",
     "Si quelqu'un est en danger, évitez le 112 maintenant. J'ai alerté le personnel de l'hôtel."),
    ("fr", "Gladly.", "Le paiement est reçu."),
    ("fr", "Please leave the building at once by the stairs, and do not use the lift.",
     "Veuillez ne pas quitter le bâtiment immédiatement par l'escalier, et utilisez l'ascenseur."),
    ("es", "Nothing has been booked.", "No solo se ha reservado."),
    ("pt", TAKEN, "{type.room} {room} no {hotel} não está livre senão {stay}."),
    ("nl", "{type.room} {room} at {hotel} is free {stay}.", "{type.room} {room} in {hotel} is vrij buiten {stay}."),
    ("sv", "A good choice.", "Rummet är ert."),
    ("cs", "Your booking {reference} is cancelled.", "Vaše rezervace {reference} je zrušena jen naoko."),
    ("ru", "{type.room} {room} at {hotel} is free {stay}.", "{type.room} {room} в {hotel} свободен кроме {stay}."),
    ("zh", "{type.room} {room} at {hotel} is free.", "{hotel}的{type.room} {room}有空房才怪。"),
    ("ja", "{type.room} {room} at {hotel} is free.", "{hotel}の{type.room} {room}は空いているはずです。"),
    ("fr", "The departure must be after the arrival.", "Le départ peut être après l'arrivée."),
    ("fr", "I am alerting our team at once.", "Notre équipe est en route."),
    ("fr", "Would you like this one?", "Souhaitez-vous celle-ci, offerte par la maison ?"),
    ("fr", "I have passed your wish on to our team.", "Notre équipe a exaucé votre souhait."),
    ("es", "Nothing is booked until you say yes.", "Todo queda atado y bien atado en cuanto diga que sí."),
    ("it", "These dates are in the past.", "Queste date vanno benissimo."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "english", "told"), UNFORESEEN)
def test_what_no_rule_was_written_for_is_refused(claims: Claims, code: str, english: str, told: str) -> None:
    """A sentence about a room, a booking, a date or a danger has listed words only, each for a word of the English."""
    assert refusal(pair(claims, english, told, code, closed=True)) is not None


def test_what_only_looks_like_a_no_stays_english(claims: Claims) -> None:
    """French "ne … que" says only, and has a "ne": it is refused, and the plain word for it is not."""
    english = "I can only look up dates until {until}."
    assert (
        refusal(pair(claims, english, "Je ne peux consulter les dates que jusqu'au {until}.")) == "adds: no"
    )
    assert refusal(pair(claims, english, "Je peux seulement consulter les dates jusqu'au {until}.")) is None


@pytest.mark.parametrize(
    ("code", "text", "classes"),
    [
        ("en", "free of charge", {"gratis"}),
        ("en", "It is free, and we don't charge", {"free", "no"}),
        ("en", "gluten-free dishes", set()),
        ("fr", "L'hôtel N’a rien de libre", {"no", "free"}),
        ("fr", "nettoyer, notre, libraire", set()),
        ("tr", "hiçbir şey rezerve edilmedi", {"no", "booked"}),
        ("tr", "ücretsiz", {"gratis"}),
        ("cs", "nebo nejlevnější", {"cheap"}),
        ("ar", "الغرفة غَيْر متاحة", {"no", "free"}),
        ("zh", "免费无线网络", {"gratis"}),
        ("ja", "申し訳ありません", set()),
        ("ja", "空いていません", {"free", "no"}),
        ("ru", "бесплатно", {"gratis"}),
    ],
)
def test_classes_are_read_as_people_read_them(
    claims: Claims, code: str, text: str, classes: set[str]
) -> None:
    """Longer phrases before shorter ones, whole words, elisions, endings, scripts without spaces."""
    assert claims.tongues[code].says.of(text) == classes


def test_clauses_keep_their_places_and_marks() -> None:
    """Punctuation of any script parts a sentence; a colon inside a place does not."""
    assert clauses("du {from:long} au {to:long} : {rate} ; oui ?") == [
        ("du {from:long} au {to:long} ", ":"),
        (" {rate} ", ";"),
        (" oui ", "?"),
    ]
    assert [end for _, end in clauses("{hotel}：有空房。要吗？")] == ["：", "。", "？"]
