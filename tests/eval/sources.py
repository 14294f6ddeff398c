"""The model that is measured: the rehearsal model, or the live one that the environment names."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from desk.bootstrap import open_parts
from desk.context import Parts
from desk.errors import SettingsError
from desk.models.rehearsal.model import rehearsal_models
from desk.models.startup import find_out
from desk.settings import REHEARSAL, ROOT, read_settings

OWN = ("OPENAI_", "DESK_", "TAVILY_")  # what the names of the desk's settings begin with


@contextmanager
def rehearsing() -> Iterator[Parts]:
    """Parts of the rehearsal model. None of your settings reaches them: no key is used, no server asked."""
    yours = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(OWN)}
    try:
        with tempfile.TemporaryDirectory(prefix="desk-eval-") as home:
            yield open_parts(read_settings(home=Path(home)))
    finally:
        os.environ.update(yours)


@contextmanager
def live() -> Iterator[Parts]:
    """Parts of the model that the environment names.

    The pack is the one that the cases are about, and the web is not searched, so that what they expect of the desk's
    own guide holds. Raises SettingsError without such a model, and when its server is set wrong.
    """
    with tempfile.TemporaryDirectory(prefix="desk-eval-") as home:
        settings = read_settings(home=Path(home), pack=ROOT / "data" / "hotels", tavily_api_key=None)
        if settings.model_name == REHEARSAL:
            raise SettingsError(
                "OPENAI_API_KEY, or OPENAI_BASE_URL with DESK_MODEL: --live needs a live model"
            )
        parts = open_parts(settings)
        find_out(parts)
        yield parts


def rehearsed_parts(parts: Parts) -> Parts:
    """The same parts with the rehearsal model in every role."""
    names = [branch.name for branch in parts.pack.branches]
    return replace(parts, models=rehearsal_models(parts.languages, names))
