"""Every catalogue line that a step may put before a guest is there, in every language."""

from __future__ import annotations

import re
from pathlib import Path

from desk.context import Parts
from desk.steps.coordinator import QUESTIONS
from desk.steps.outbound import ASKS

STEPS = Path(__file__).resolve().parents[2] / "desk"


def test_every_frame_of_the_code_is_in_the_catalogue(shared: Parts) -> None:
    """Keys that steps and the runner name, and those of their tables, can be said in each language."""
    code = "".join(
        path.read_text(encoding="utf-8") for path in [*STEPS.glob("steps/*.py"), STEPS / "runner.py"]
    )
    used = {
        *QUESTIONS.values(),
        *ASKS,
        *re.findall(r'frame="(\w+)"', code),
        *re.findall(r'frame\("(\w+)"', code),
    }
    used |= {"budget", "model_gone", "stopped", "sorry_failed", "own_guide", "not_understood"}
    assert len(used) > 10
    for language in shared.languages:
        for key in sorted(used):
            assert shared.catalogue.frame(key, language).strip(), (language, key)


def test_every_frame_of_the_catalogue_is_used(shared: Parts) -> None:
    """A line that nothing says would be translated and reviewed for nobody."""
    code = "".join(path.read_text(encoding="utf-8") for path in STEPS.rglob("*.py"))
    frames = shared.languages["en"].subject("frames")
    assert [key for key in frames if f'"{key}"' not in code] == []
