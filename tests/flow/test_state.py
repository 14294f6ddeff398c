"""Who writes which field of the state: those that `desk/state.py` names, never two at once without a reducer."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from desk.bootstrap import Replacements, open_parts
from desk.context import Fold, Parts
from desk.errors import ModelUnreachable
from desk.flow import build_flow
from desk.settings import read_settings
from desk.state import LOOPS, fields, fresh_turn, message_key
from tests.conftest import TODAY, ScriptedModels
from tests.flow.support import (
    Driver,
    Ran,
    asks_named,
    handoff,
    looks_up,
    make_pack,
    marks_only,
    raises,
    routes,
    says,
)

# One conversation of the rehearsal desk that takes every route: hotels, an offer, a booking, the guide, the
# neighbourhood, people, small talk, recall, and a message in another language.
TALK = (
    "Is a Deluxe room free from 1 to 3 February?",
    "The first one please.",
    "My name is Anna Kowalska.",
    "Yes, please book it.",
    "What time is breakfast at Garden Court?",
    "Any good restaurants near the hotel?",
    "Could you send up two towels, please?",
    "Thank you!",
    "Which room did you recommend?",
    "Haben Sie vom 1. bis 3. März ein Deluxe-Zimmer frei?",
    "I want a room from 3 to 5 November 2026.",
)


def parts_at(home: Path, shared: Parts, scripts: Any = None, **settings: Any) -> Parts:
    """Parts in a folder of their own, with models that say what the scripts say."""
    models: Any = ScriptedModels(scripts or {}, shared.models.subject)  # type: ignore[attr-defined]
    chosen = read_settings(home=home, today=TODAY, model="rehearsal", **settings)
    return open_parts(chosen, Replacements(models=models, changed={"detector": shared.detector}))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, shared: Parts) -> list[Ran]:
    """What every turn of the talk wrote, and one more in which the talk is folded."""
    driver = Driver(parts_at(tmp_path_factory.mktemp("talk"), shared))
    talked = [driver.turn(text) for text in TALK]
    ids = [message.id for message in talked[-1].state["messages"][:4]]
    folded = driver.turn("Hello again!", fold=Fold("[t1] Guest: something.", ids))
    assert folded.state["folded"] == 4
    return [*talked, folded]


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory, shared: Parts) -> list[Ran]:
    """Turns in which the merger lies, a branch fails, a handoff is refused, and one hands over to all agents."""
    liar = {"coordinator": asks_named, "hotel": looks_up, "merger": says("Room 501 is booked for you.")}
    broken = {"coordinator": asks_named, "hotel": raises(ModelUnreachable("down")), "merger": marks_only}
    refused = {
        "coordinator": routes(handoff("reservation", action="book", authorization_ref="confirmed:o-1"))
    }
    many = {"coordinator": routes(handoff("direct"), handoff("web"), handoff("staff", request_kind="towels"))}
    folder = tmp_path_factory.mktemp("trouble")
    pack = make_pack(folder / "pack", 2)
    asked = "Please ask inn1 inn2 about a Deluxe room from 1 to 3 February."
    return [
        Driver(parts_at(folder / str(number), shared, scripts, pack=pack)).turn(asked)
        for number, scripts in enumerate((liar, broken, refused, many))
    ]


def allowed(branches: list[str]) -> dict[str, set[str]]:
    """The writers that desk/state.py names, by field."""
    return {name: set(field.writers) for name, field in fields(branches).items()}


def test_each_field_is_written_by_the_nodes_it_names(runs: list[Ran], troubled: list[Ran]) -> None:
    """Over turns of every route and several kinds of trouble no node writes what it is not named for."""
    for found, branches in ((runs, ["hotel1", "hotel2"]), (troubled, ["inn1", "inn2"])):
        table = allowed(branches)
        wrong = {
            (node, key)
            for ran in found
            for _, node, keys in ran.wrote
            for key in keys
            if key not in table or node not in table[key]
        }
        assert wrong == set()


def test_the_talk_takes_every_route(runs: list[Ran], troubled: list[Ran]) -> None:
    """The two tests beside this one mean something only when every node of the graph has run."""
    ran = {node for found in runs for node in found.nodes}
    missing = {
        "fold_history",
        "mapper",
        "merge",
        "reservation",
        "reservation_tools",
        "web_search",
        "to_staff",
    } - ran
    missing |= {
        "web_search_tools",
        "direct",
        "recall_tools",
        "checker",
        "translate_out",
        "return_check",
    } - ran
    assert missing == set()
    assert any("rewrite" in found.nodes for found in troubled)


def test_nodes_of_one_step_share_only_reduced_fields(runs: list[Ran], troubled: list[Ran]) -> None:
    """Whatever two nodes write in the same super-step has a reducer, or LangGraph refuses the turn."""
    for found, branches in ((runs, ["hotel1", "hotel2"]), (troubled, ["inn1", "inn2"])):
        table = fields(branches)
        for ran in found:
            for step in ran.by_step():
                for key in {key for _, keys in step for key in keys}:
                    writers = [node for node, keys in step if key in keys]
                    assert len(writers) == 1 or hasattr(table[key].type, "__metadata__"), (key, writers)


def test_every_named_writer_is_a_node(shared: Parts) -> None:
    """No field names a writer that the graph does not have."""
    branches = [branch.id for branch in shared.pack.branches]
    nodes = set(build_flow(shared).get_graph().nodes) | {"START"}
    named = {writer for field in fields(branches).values() for writer in field.writers}
    assert named - nodes == set()


def test_every_loop_has_its_own_messages() -> None:
    """Each hotel and each other agent has a message key of its own, and nobody writes another's."""
    branches = ["hotel1", "hotel2"]
    table = fields(branches)
    keys = [message_key(loop) for loop in (*branches, *LOOPS)]
    assert len(set(keys)) == len(branches) + len(LOOPS)
    for branch in branches:
        assert set(table[message_key(branch)].writers) == {"mapper", branch, f"{branch}_tools"}


def test_a_turn_begins_with_nothing_of_the_last_one(runs: list[Ran]) -> None:
    """Every field of a turn is set anew: no sentiment, route, handoff, fact or reply of the turn before."""
    fresh = fresh_turn(["hotel1", "hotel2"], "hello")
    table = fields(["hotel1", "hotel2"])
    assert set(fresh) == {name for name, field in table.items() if not field.thread}
    turns_of_facts = [{fact["turn"] for fact in ran.state["facts"] if not fact["recalled"]} for ran in runs]
    assert all(turns <= {number} for number, turns in enumerate(turns_of_facts, 1))
    thanks = runs[TALK.index("Thank you!")].state
    assert thanks["facts"] == thanks["requests"] == []
    assert thanks["branch_status"] == {}
    assert [h["destination"] for h in thanks["handoffs"]] == ["direct"]
    assert thanks["booking"] is None


def test_state_is_plain_values(runs: list[Ran]) -> None:
    """A checkpoint can be read without the desk's code: records are stored as plain values."""
    plain = (str, int, float, bool, type(None), dt.date)

    def check(value: Any, path: str) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                check(inner, f"{path}.{key}")
        elif isinstance(value, list):
            for inner in value:
                check(inner, path)
        else:
            assert isinstance(value, plain), (path, type(value))

    for ran in runs:
        for key, value in ran.state.items():
            if not key.startswith("messages"):
                check(value, key)
