"""What is translated, what may be missing of it, and what of it people see on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desk.__main__ import main
from desk.bootstrap import open_wordings
from desk.context import Parts
from desk.errors import DataError
from desk.records import Fact, make_fact
from desk.wording import Catalogue
from desk.wording.kept import Pattern, patterns, plural_forms, source
from desk.wording.made import Wordings
from desk.wording.shelf import Book, Kept, Shelf
from tests.wordings.support import true_french

NAMES = ("Harbour House", "Garden Court", "Deluxe")


@pytest.fixture
def catalogue(shared: Parts) -> Catalogue:
    """A catalogue of the test's own, which may learn."""
    return Catalogue(shared.languages, shared.pack)


@pytest.fixture
def wordings(tmp_path: Path, catalogue: Catalogue) -> Wordings:
    """Nothing kept yet."""
    return open_wordings(tmp_path, catalogue, NAMES)


def french(wordings: Wordings, but: tuple[str, ...] = ()) -> Iterator[tuple[Pattern, str | None]]:
    """Every pattern with its true French, but for those whose key begins so. What the data lacks stays English."""
    for pattern in wordings.patterns("fr"):
        said = true_french(pattern.english, pattern.form) or pattern.english
        yield pattern, None if pattern.key.startswith(but or ("?",)) else said


def learned(wordings: Wordings, *but: str) -> None:
    """Keep the true French."""
    rows = [(pattern, said) for pattern, said in french(wordings, but) if said is not None]
    wordings.keep("fr", [pattern for pattern, _ in rows], [said for _, said in rows])
    wordings.finish("fr")


def none_free(**more: object) -> Fact:
    """No such room."""
    return make_fact(1, "none_free", hotel="hotel1", type="Family Suite", **more)


def test_nearly_all_true_french_is_kept(wordings: Wordings) -> None:
    """What a truthful translator makes of every pattern passes, but for a handful that only people translate."""
    learned(wordings)
    refused = {each.key: each.refused for each in wordings.book("fr").kept if each.refused}
    assert len(wordings.patterns("fr")) > 450
    expected = {
        "has a number in words",
        "is a word that no list knows",
        "says no in another part of the sentence",
    }
    assert set(refused.values()) <= expected, refused
    assert len(refused) < 8


def test_a_sentence_that_is_missing_is_said_in_english_and_by_no_wider_one(
    wordings: Wordings, catalogue: Catalogue
) -> None:
    """ "Does not have two free" must not come out as "has none" because the right block was refused."""
    learned(wordings, "facts.none_free.1.")
    few = none_free(status="too_few", values={"count": 2}, arrival="2027-05-03", departure="2027-05-05")
    assert catalogue.fact(few, "fr") == catalogue.fact(few, "en")
    assert (
        catalogue.fact(none_free(status="no_such_type"), "fr")
        == "Harbour House n'a pas de chambre Family Suite."
    )


def test_a_word_that_is_missing_leaves_its_sentence_english(wordings: Wordings, catalogue: Catalogue) -> None:
    """Never a mixture: a category, a unit or a form of "room" that was refused takes its sentence along."""
    learned(wordings, "categories.pharmacy", "units.night")
    place = make_fact(
        1,
        "place",
        hotel="hotel1",
        values={"name": "A", "category": "pharmacy", "walk_minutes": {"hotel1": 5}},
    )
    park = make_fact(
        1, "place", hotel="hotel1", values={"name": "A", "category": "park", "walk_minutes": {"hotel1": 5}}
    )
    assert catalogue.fact(place, "fr") == "A (pharmacy): 5 minutes on foot from Harbour House."
    assert catalogue.fact(park, "fr") == "A (parc): 5 minutes à pied depuis Harbour House."
    stay = make_fact(
        1, "stay", hotel="hotel1", reference="HH-1", arrival="2027-05-03", departure="2027-05-05", nights=2
    )  # fmt: skip
    assert "2 nights" in catalogue.fact(stay, "fr")


def test_plural_forms_are_those_of_the_language(wordings: Wordings, catalogue: Catalogue) -> None:
    """Each form that the language has is asked for with a number; what English says without one is for exactly one."""
    assert plural_forms("ru") == {"one": 1, "few": 2, "many": 5, "other": 200}
    asked = {
        (p.form, p.english)
        for p in patterns(catalogue.english, "ru")
        if p.key.startswith("units.first_night")
    }
    assert asked == {
        ("1", "the first night is charged"),
        *((form, "the first {n} nights are charged") for form in ("one", "few", "many", "other")),
    }
    learned(wordings)
    rule = make_fact(
        1, "guide", hotel="hotel1", entry="cancellation", values={"free_hours": 48, "charged_nights": 1}
    )  # fmt: skip
    assert catalogue.fact(rule, "fr").endswith("après cela, la première nuit est facturée.")


def test_no_room_is_one_word_with_its_no() -> None:
    """A translator gets "no" and the room's word, so that code can see the "no"."""
    assert source("{hotel} has {type.no}.") == "{hotel} has no {type.room}."
    assert source("{type.no} at {hotel} is free.") == "No {type.room} at {hotel} is free."
    assert source("{type.room} {room} is free.") == "{type.room} {room} is free."


def test_a_changed_english_pattern_is_missing_again(
    tmp_path: Path, catalogue: Catalogue, wordings: Wordings
) -> None:
    """The kept text belongs to the English text, and not to its key."""
    learned(wordings)
    book = Shelf(tmp_path / "wordings").read("fr")
    assert book
    assert wordings.missing("fr") == []
    old = tuple(
        Kept(k.key, "Gladly so.", "", k.told) if k.english == "Gladly." else k for k in book.kept
    )  # fmt: skip
    Shelf(tmp_path / "wordings").write(Book("fr", old, complete=True))
    again = open_wordings(tmp_path, catalogue, NAMES)
    assert [pattern.english for pattern in again.missing("fr")] == ["Gladly."]


def test_the_file_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    """Quotes, backslashes and what a hostile translator put in come back, without what cannot be printed."""
    kept = (Kept("k", "“{text}”\\ {n}", "one", 'a "b" \\ c\ttab \x00 \u202e', 'why "so"'),)
    shelf = Shelf(tmp_path)
    shelf.write(Book("fr", kept, complete=True, reviewed=True))
    read = shelf.read("fr")
    assert read
    assert (read.complete, read.reviewed, read.kept[0].english, read.kept[0].refused) == (
        True, True, "“{text}”\\ {n}", 'why "so"',
    )  # fmt: skip
    assert read.kept[0].told == 'a "b" \\ c tab    '


def test_a_review_is_of_the_whole_file(
    tmp_path: Path, wordings: Wordings, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody can have reviewed what is not there; the mark leaves every row as it was, and new rows take it away."""
    shelf = Shelf(tmp_path / "wordings")
    learned(wordings, "phrases.gladly")
    with pytest.raises(DataError, match="lacks patterns"):
        wordings.review("fr")
    gladly = next(pattern for pattern in wordings.patterns("fr") if pattern.key == "phrases.gladly")
    wordings.keep("fr", [gladly], ["Avec plaisir."])
    book = shelf.read("fr")
    assert book
    of_another_pack = Kept("facts.other", "Of another pack.", "", "D'un autre.")
    shelf.write(replace(book, kept=(*book.kept, of_another_pack)))
    assert wordings.review("fr")
    assert shelf.read("fr") == replace(book, kept=(*book.kept, of_another_pack), reviewed=True)
    rest = tuple(each for each in book.kept if each.key != "phrases.gladly")
    shelf.write(replace(book, kept=rest, reviewed=True))
    wordings.keep("fr", [gladly], ["Avec plaisir."])
    assert "no longer reviewed" in caplog.text
    after = shelf.read("fr")
    assert after
    assert not after.reviewed


def test_another_process_speaks_what_this_one_made(tmp_path: Path, wordings: Wordings, shared: Parts) -> None:
    """It takes the language up when it looks, and leaves no half-written file."""
    second = Catalogue(shared.languages, shared.pack)
    other = open_wordings(tmp_path, second, NAMES)
    other.take_up("fr")
    assert not second.speaks("fr")
    learned(wordings)
    assert other.missing("fr") == wordings.missing("fr")
    other.take_up("fr")
    assert second.speaks("fr")
    assert [path.name for path in (tmp_path / "wordings").iterdir()] == ["fr.toml"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The command line's exit code and what it printed."""
    code = main(["wordings", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_the_command_line(
    tmp_path: Path, wordings: Wordings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """List, look, review, forget; one line on standard error for what is not there."""
    monkeypatch.setenv("DESK_HOME", str(tmp_path))
    assert run(capsys) == (0, "", "")
    learned(wordings, "phrases.gladly")
    assert run(capsys, "fr", "--reviewed")[0] == 1
    gladly = next(pattern for pattern in wordings.patterns("fr") if pattern.key == "phrases.gladly")
    wordings.keep("fr", [gladly], ["C'est réservé."])
    total = len(wordings.patterns("fr"))
    left = sum(bool(each.refused) for each in wordings.book("fr").kept)
    counts = f"fr: {total} patterns, {total - left} kept, {left} left in English"
    assert run(capsys) == (0, f"{counts}, not reviewed\n", "")
    code, out, _ = run(capsys, "fr")
    assert code == 0
    assert "phrases.goodbye_stay\n    Goodbye. We look forward to welcoming you.\n    Au revoir. Nous" in out
    assert (
        "phrases.gladly\n    Gladly.\n    C'est réservé.\n    REFUSED, English is used: adds: booked\n" in out
    )
    assert run(capsys, "fr", "--reviewed")[0] == 0
    assert run(capsys) == (0, f"{counts}, reviewed\n", "")
    assert run(capsys, "fr", "--forget")[0] == 0
    assert run(capsys, "fr") == (1, "", "desk: nothing is kept of the language fr\n")
    with pytest.raises(SystemExit) as left_with:
        main(["wordings", "--forget"])
    assert left_with.value.code == 2
