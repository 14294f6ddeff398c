"""Measure language detection on public word lists and on short guest utterances.

`python -m tests.eval.public_language DATA` prints one JSON object. DATA is the folder with
`language_detection/` and `nlupp_hotels.jsonl`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from desk.language import Detector
from desk.languages import load_languages
from desk.wordmarks import read_marks

ROOT = Path(__file__).resolve().parents[2]
SHORT = 4  # words: the utterances a detector finds hard


def open_detector() -> Detector:
    """The desk's own detector, over the languages of this repository."""
    languages = load_languages(ROOT / "data", ROOT / "data" / "hotels")
    return Detector(languages, read_marks(ROOT / "data", languages))


def score(data_dir: Path) -> dict[str, object]:
    """Accuracies (0..1) of first messages without a locale; {"missing": …} where the data is not there.

    `single_words` and `word_pairs` are means over the languages, each with its own accuracy.
    """
    lists = data_dir / "language_detection"
    utterances = data_dir / "nlupp_hotels.jsonl"
    if not lists.is_dir() or not utterances.is_file():
        return {"missing": str(data_dir)}
    detector = open_detector()
    result: dict[str, object] = {}
    for name in ("single-words", "word-pairs"):
        files = sorted((lists / name).glob("*.txt"))
        by_language = {path.stem: _accuracy(detector, _lines(path), path.stem) for path in files}
        key = name.replace("-", "_")
        result[key] = round(sum(by_language.values()) / len(by_language), 4)
        result[f"{key}_by_language"] = by_language
    texts = [json.loads(line)["text"] for line in _lines(utterances)]
    short = [text for text in texts if len(text.split()) <= SHORT]
    result["short_utterances"] = _accuracy(detector, short, "en")
    result["utterances"] = _accuracy(detector, texts, "en")
    return result


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _accuracy(detector: Detector, texts: list[str], code: str) -> float:
    right = sum(detector.detect(text).code == code for text in texts)
    return round(right / len(texts), 4)


if __name__ == "__main__":
    print(json.dumps(score(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data"))))
