"""Opens a desk: settings in, an open Desk out. Tests come through the same door with their own parts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desk.clock import Clock
from desk.context import ModelSource, Parts
from desk.errors import DataError
from desk.flow import build_flow
from desk.forgetting import Forgetting
from desk.language import Detector
from desk.languages import Language, load_languages, read_toml
from desk.models.rehearsal.model import rehearsal_models
from desk.models.startup import find_out
from desk.pack import Pack, load_pack
from desk.pack_files import read_rooms
from desk.procedures import Procedures, load_procedures
from desk.prose import rules_of
from desk.reading.amounts import read_numbers
from desk.runner import GraphRunner
from desk.service import About, Desk
from desk.settings import REHEARSAL, ROOT, Settings
from desk.stores.checkpoints import open_checkpoints
from desk.stores.hotels import open_hotels
from desk.stores.places import load_places
from desk.stores.turnlog import open_turnlog
from desk.tools.web import GuideSearch, TavilySearch, WebSearch
from desk.wording import Catalogue
from desk.wording.claims import read_claims
from desk.wording.made import Wordings
from desk.wording.shelf import Shelf
from desk.wordmarks import read_marks

DATA = ROOT / "data"
# Turns at once. With live models they wait for a server nearly all the time; the rehearsal model's turns only
# work, and more of them at once would be done no sooner and each of them later.
TURNS_LIVE, TURNS_REHEARSED = 64, 8

# The tables that a language must have: in its folder under data/, and in its folder of the pack. What only
# English needs stands under "en"; "*" is for every language but English.
TABLES = {
    "": ("answers", "dates", "detect", "names", "numbers", "page", "people", "prose"),
    "en": ("inflection",),
    "*": ("glossary",),
}
SUBJECT_TABLES = {
    "": ("facts", "frames", "guide", "phrases", "places", "vocabulary"),
    "en": ("mood", "understanding"),
    "*": ("glossary",),
}
PROCEDURES = (
    "translate_in", "coordinator", "hotel", "merge", "reservation", "web", "direct",
    "rewrite", "translate_out", "translate_patterns", "summarise",
)  # fmt: skip


@dataclass(frozen=True)
class Replacements:
    """Parts that a caller brings instead of the desk's own; None keeps the desk's."""

    models: ModelSource | None = None
    web: WebSearch | None = None
    changed: dict[str, Any] | None = None  # other fields of Parts


def open_parts(settings: Settings, own: Replacements | None = None, data: Path = DATA) -> Parts:
    """Everything a desk is made of. Raises DataError, StorageError or SettingsError: one line each."""
    own = own or Replacements()
    pack = load_pack(settings.pack)
    languages = load_languages(data, pack.folder)
    _check_tables(languages, data, pack.folder)
    clock = Clock.starting_at(settings.today, pack.zone)
    names, named = [branch.name for branch in pack.branches], pack_names(pack)
    brought = (own.changed or {}).get("detector")  # a shared one is not loaded again
    detector = brought or Detector(languages, read_marks(data, languages), named)
    catalogue = Catalogue(languages, pack)
    wordings = open_wordings(settings.home, catalogue, named, data, detector.foreign)
    models = own.models or _models(settings, languages, names)
    if not models.rehearsal:  # the rehearsal model cannot read these languages, so it does not write them
        wordings.open()
    parts = {
        "settings": settings,
        "clock": clock,
        "pack": pack,
        "languages": languages,
        **_notices(data / "languages" / "notices.toml"),
        "detector": detector,
        "catalogue": catalogue,
        "wordings": wordings,
        "procedures": _procedures(data / "procedures"),
        "hotels": open_hotels(settings.home, pack, clock.today()),
        "models": models,
        "web": own.web or _web(settings, pack, languages["en"]),
        "rules": rules_of(languages, named),
        "numbers": read_numbers(data / "languages" / "numbers.toml"),
    }
    threading.Thread(target=detector.load, name="language-models", daemon=True).start()
    return Parts(**{**parts, **(own.changed or {})})


def open_desk(settings: Settings, own: Replacements | None = None) -> Desk:
    """An open Desk over `settings.home`. Close it in the end. Raises DataError, StorageError or SettingsError.

    The desk's own live models are asked once whether they answer in a form that it can read.
    """
    parts = open_parts(settings, own)
    if not parts.models.rehearsal and not (own and own.models):
        find_out(parts)
    return desk_over(parts)


def desk_over(parts: Parts, *, serve: bool = True, threads: int | None = None) -> Desk:
    """A Desk of these parts. With `serve=False` it only queues, and another process answers.

    `threads` turns run at once; if not given, as many as these models are served best with.
    """
    home = parts.settings.home
    if threads is None:
        threads = TURNS_REHEARSED if parts.models.rehearsal else TURNS_LIVE
    checkpoints = open_checkpoints(home)
    turnlog = open_turnlog(home, parts.clock)
    runner = GraphRunner(parts, build_flow(parts, checkpoints.saver), checkpoints, turnlog)
    about = About(
        rehearsal=parts.models.rehearsal,
        model=parts.models.name,
        hotels=tuple(branch.name for branch in parts.pack.branches),
        languages=tuple((language.code, language.name) for language in parts.languages.values()),
    )
    return Desk(
        turnlog,
        runner,
        about,
        serve=serve,
        threads=threads,
        before_close=[runner.stop_translating],
        also_close=[checkpoints.close],
        forgetting=Forgetting(parts.hotels, turnlog, checkpoints),
    )


def open_wordings(
    home: Path,
    catalogue: Catalogue,
    names: Iterable[str],
    data: Path = DATA,
    foreign: Callable[[str, str], bool] = lambda text, code: False,
) -> Wordings:
    """The languages that a machine has translated or may translate. Raises DataError."""
    claims = read_claims(data / "languages" / "claims.toml")
    return Wordings(catalogue, claims, Shelf(home / "wordings"), names, foreign)


def read_wordings(settings: Settings, data: Path = DATA) -> Wordings:
    """What a machine has translated for this desk, without opening the desk. Raises DataError."""
    pack = load_pack(settings.pack)
    catalogue = Catalogue(load_languages(data, pack.folder), pack)
    return open_wordings(settings.home, catalogue, pack_names(pack), data)


def pack_names(pack: Pack) -> list[str]:
    """The names of the pack's hotels and of their types of room."""
    types = {room.type for branch in pack.branches for room in read_rooms(branch.folder)}
    return [*(branch.name for branch in pack.branches), *sorted(types)]


def _check_tables(languages: Mapping[str, Language], data: Path, pack: Path) -> None:
    """Raise DataError for a table that is missing or empty: without it a language is read or worded wrongly."""
    for code, language in languages.items():
        own = "en" if code == "en" else "*"
        for root, wanted, tables in (
            (data, TABLES, language.tables),
            (pack, SUBJECT_TABLES, language.subject_tables),
        ):
            for name in (*wanted[""], *wanted[own]):
                if not tables.get(name):
                    path = root / "languages" / code / f"{name}.toml"
                    raise DataError(f"{path} is missing or empty: restore it from the repository")


def _procedures(folder: Path) -> Procedures:
    procedures = load_procedures(folder)
    for name in PROCEDURES:
        procedures.text(name)  # raises here and not in the middle of a guest's turn
    return procedures


def _notices(path: Path) -> dict[str, Any]:
    """The notices as Parts has them. Raises DataError for a table that lacks English, which every language falls to."""
    tables = read_toml(path)
    for table in ("desk_languages", "answers_in_english"):
        notices = tables.get(table)
        if not isinstance(notices, dict) or "en" not in notices:
            raise DataError(f"{path} needs a table {table}, with en in it")
    return {
        "notices": tables["desk_languages"],
        "english_notices": tables["answers_in_english"],
        "honest_notices": tables.get("honest", {}),
    }


def _models(settings: Settings, languages: Any, hotels: list[str]) -> ModelSource:
    if settings.model_name == REHEARSAL:
        return rehearsal_models(languages, hotels)
    from desk.models.live import LiveModels  # the provider's library is slow to load, and often not needed

    return LiveModels(settings)


def _web(settings: Settings, pack: Pack, english: Language) -> WebSearch:
    if settings.tavily_api_key:
        return TavilySearch(settings.tavily_api_key.get_secret_value(), settings.tavily_base_url, pack.city)
    return GuideSearch(load_places(pack.folder / "neighbourhood.toml", english.subject("places")))
