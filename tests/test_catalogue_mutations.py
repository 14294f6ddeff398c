"""No line of the catalogue is accepted from a model: as it stands, with other prices or dates, or a not more or less.

Facts reach a guest from records alone. So each line that states one, in every language that the desk has, is
offered as a draft's prose and as a translation; and some of them by every writer, in whole turns.

`python -m tests.test_catalogue_mutations` prints how many there are and how many are accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk import prose
from desk.context import Parts
from desk.drafts import draft
from desk.grounding import fact_ids
from desk.languages import load_languages
from desk.models.rehearsal.model import ROLES
from desk.pack import load_pack
from desk.prose import unfaithful
from desk.records import FactKind, make_fact
from desk.steps.checker import checker
from tests.eval.sources import rehearsing
from tests.flow.conftest import Stage, on_stage
from tests.flow.support import handoff, routes, structured
from tests.mutations import MUTATIONS, Catalogued, Line

DATA = Path(__file__).resolve().parent.parent / "data"
LANGUAGES = load_languages(DATA, DATA / "hotels")
PACK = load_pack(DATA / "hotels")
CODES = sorted(LANGUAGES)
# Frames that state nothing: courtesy, and questions whose words are courtesy. A writer may say such things.
COURTESY = {
    f"frames {key} 0" for key in ("plain", "sorry", "clarify_pick", "confirm_pick", "ask_name", "ask_change")
}
# Sentences that a translator may be given: long or short, with and without a no, so that no count gives it away.
ASKED = (
    "Of course.",
    "I am not sure what you mean.",
    " ".join(["Thank you so much for asking, I am happy to help you with that."] * 4),
    " ".join(["I am not sure what you mean, and I am happy to help you with that."] * 4),
)


@cache
def lines() -> tuple[Line, ...]:
    """Every line of the catalogue that states something."""
    return tuple(line for line in Catalogued(LANGUAGES, PACK).lines() if line.where not in COURTESY)


def lies(line: Line) -> Iterator[tuple[str, str]]:
    """The line's mutations with their kinds."""
    yield from ((kind, text) for kind, texts in line.false.items() for text in texts)


def everything() -> Iterator[tuple[Line, str, str]]:
    """Every line as it stands and in all its mutations: (line, kind, text)."""
    for line in lines():
        yield line, "true", line.true
        yield from ((line, kind, text) for kind, text in lies(line))


def checked(texts: Sequence[str], rules: Any) -> list[bool]:
    """Whether the checker lets each text through as the prose of a draft; all in one state, a draft each."""
    fact = make_fact(1, "room_free", hotel="hotel1", room="104")
    drafts = [draft("direct", f"{text} [[{fact.id}]]", [fact]) for text in texts]
    context = SimpleNamespace(parts=SimpleNamespace(rules=rules), turn=1)
    state = {"drafts": drafts, "facts": [fact.model_dump(mode="json")], "checks": {"retries": 1}}
    found = checker(state, SimpleNamespace(context=context))  # type: ignore[arg-type]
    after = found.get("drafts", drafts)
    return [text in each["text"] for text, each in zip(texts, after, strict=True)]


def test_every_line_is_worded() -> None:
    """Each block of each kind of fact and guide entry and each frame, in each language, and all four lies."""
    worded = {(line.code, line.where) for line in lines()}
    for code in CODES:
        facts, guide = LANGUAGES[code].subject("facts"), LANGUAGES[code].subject("guide")
        for kind in get_args(FactKind):
            assert kind == "guide" or all(
                (code, f"facts {kind} {n}") in worded for n in range(len(facts[kind]))
            )
        for kind in LANGUAGES["en"].subject("guide")["fields"]:
            assert all((code, f"guide {kind} {n}") in worded for n in range(len(guide[kind])))
        frames = {f"frames {key} 0" for key in LANGUAGES[code].subject("frames")} - COURTESY
        assert {where for c, where in worded if c == code and where.startswith("frames")} == frames
        counted = Counter(kind for line in lines() if line.code == code for kind, _ in lies(line))
        assert all(counted[kind] > 100 for kind in MUTATIONS), counted


def as_prose(rules: Any, code: str) -> list[tuple[str, str, str]]:
    """Those of this language that the checker lets through: (where, kind, text)."""
    told = [(line.where, kind, text) for line, kind, text in everything() if line.code == code]
    good = checked([text for _, _, text in told], rules)
    return [row for row, passes in zip(told, good, strict=True) if passes]


def as_translation(rules: Any, code: str) -> list[tuple[str, str, str]]:
    """Those of this language that are taken for the translation of some sentence: (where, kind, text)."""
    told = [(line.where, kind, text) for line, kind, text in everything() if line.code == code]
    return [row for row in told if any(unfaithful(rules, [asked], [row[2]], code) is None for asked in ASKED)]


@pytest.mark.parametrize("code", CODES)
def test_none_is_accepted_as_prose(shared: Parts, code: str) -> None:
    """The checker step throws every one out of its draft, whether it is true or not; so 100 %."""
    assert as_prose(shared.rules, code) == []


@pytest.mark.parametrize("code", [code for code in CODES if code != "en"])
def test_none_is_accepted_as_a_translation(shared: Parts, code: str) -> None:
    """Whatever sentence was to be translated; so 100 %."""
    assert as_translation(shared.rules, code) == []


def test_it_is_the_rules_that_stop_them(shared: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them every line gets through, so the counts above can fail."""
    for rules in ("PROSE_RULES", "TRANSLATION_RULES"):
        monkeypatch.setattr(prose, rules, ())
    texts = [text for _, _, text in everything()]
    assert all(checked(texts, shared.rules))
    assert all(unfaithful(shared.rules, [ASKED[0]], [text], "de") is None for text in texts)


# In whole turns

ROOMS = "Is a Deluxe room free from 1 to 3 February 2027?"
# What the guest says until the coordinator hands over to the writer.
WRITERS = {
    "hotel": [ROOMS],
    "merger": [ROOMS],
    "reservation": [ROOMS, "The first one please. My name is Anna Kowalska."],
    "web": ["Is there a pharmacy nearby?"],
    "direct": ["Good morning!"],
}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, shared: Parts) -> Iterator[Stage]:
    """A desk whose models the tests script."""
    with on_stage(tmp_path_factory.mktemp("liars"), shared) as opened:
        yield opened


def liar(stage: Stage, role: str, lie: str, said: list[str]) -> Callable[..., AIMessage]:
    """A model that works as the rehearsal model does and says this beside it, or instead of its words."""

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        answer = ROLES[role](stage.parts.models.subject, messages, tools)  # type: ignore[attr-defined]
        if answer.tool_calls:
            return answer
        said.append(lie)
        return AIMessage(f"{lie} {' '.join(f'[[{i}]]' for i in fact_ids(answer.text))}".strip())

    return script


def sample(code: str) -> list[tuple[str, str]]:
    """A few lies of each kind in this language, from all over the catalogue."""
    chosen = []
    for at, kind in enumerate(MUTATIONS):
        texts = [text for line in lines() if line.code == code for k, text in lies(line) if k == kind]
        chosen += [(kind, texts[place]) for place in (at * 7 % len(texts), len(texts) // 2 + at)]
    return chosen


@pytest.mark.parametrize("role", WRITERS)
@pytest.mark.parametrize("code", CODES)
def test_no_writer_gets_a_lie_to_the_guest(stage: Stage, role: str, code: str) -> None:
    """Neither in the guest's reply nor in the English one, whoever says it and in whatever language."""
    for kind, lie in sample(code):
        said: list[str] = []
        thread = stage.thread()
        for text in WRITERS[role]:
            turn = stage.play(text, thread, **{role: liar(stage, role, lie, said)})
            assert turn.problem is None
            assert turn.reply.strip()
            assert lie not in turn.reply + turn.reply_english, kind
        assert said, kind


@pytest.mark.parametrize("code", [code for code in CODES if code != "en"])
def test_no_translator_gets_a_lie_to_the_guest(stage: Stage, code: str) -> None:
    """A prose sentence that comes back as a line of the catalogue goes out in English."""
    for kind, lie in sample(code):

        def translator(messages: Sequence[BaseMessage], tools: Sequence[str], lie: str = lie) -> AIMessage:
            if "Translation" in tools:
                return structured("Translation", english="Good morning!", tone="calm")
            return structured("TranslatedProse", sentences=[lie])

        thread = stage.thread()
        stage.desk.set_language(thread, code)
        scripts = {"coordinator": routes(handoff("direct")), "translator": translator}
        turn = stage.play("Hm", thread, direct=lambda m, t: AIMessage("With pleasure."), **scripts)
        assert turn.language == code
        assert "With pleasure." in turn.reply, kind
        assert lie not in turn.reply, kind


def main() -> None:
    """Print how many lines and mutations there are, and how many of them get through."""
    counted = Counter(kind for _, kind, _ in everything())
    with rehearsing() as parts:
        said = sum(len(as_prose(parts.rules, code)) for code in CODES)
        told = sum(len(as_translation(parts.rules, code)) for code in CODES if code != "en")
    print(", ".join(f"{count} {kind}" for kind, count in counted.items()))
    print(f"lines and mutations: {counted.total()}; accepted as prose: {said}, as a translation: {told}")


if __name__ == "__main__":
    main()
