"""The bench: what it measures is what the desk does, and its figures add up. No time is asserted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from desk.context import Parts
from desk.flow import build_flow
from desk.state import fresh_turn
from desk.stores.checkpoints import open_checkpoints
from desk.turn import NodeTime, Turn
from tests.bench import __main__ as bench
from tests.bench import first_paint, memory, report, turns
from tests.bench.conversations import messages, one_round
from tests.bench.empty_flow import Visited, empty_flow, run_empty
from tests.bench.report import Line, Measured
from tests.conftest import Opened


def visited(parts: Parts) -> Iterator[str]:
    """The nodes that one turn of the empty graph runs."""
    order = [branch.id for branch in parts.pack.branches]
    graph = empty_flow(build_flow(parts), order, InMemorySaver())
    config = {"configurable": {"thread_id": "a"}}
    for event in graph.stream(fresh_turn(order, "hi"), config, context=Visited(), stream_mode="tasks"):
        if "triggers" in event:
            yield event["name"]


def test_empty_graph_runs_the_nodes_of_a_hotel_turn(desk: Opened) -> None:
    """The empty graph goes the way of the desk's own turn that asks both hotels, tool round included."""
    turn = desk.ask("Is there a Deluxe room free from 1 to 3 February?")
    assert sorted(visited(desk.parts)) == sorted(node.name for node in turn.nodes)


def test_empty_graph_has_the_shape_of_the_desks_graph(shared: Parts) -> None:
    """Nodes and edges are the desk's own, so the comparison cannot drift from it."""
    flow = build_flow(shared)
    order = [branch.id for branch in shared.pack.branches]
    empty, own = empty_flow(flow, order, None).get_graph(), flow.get_graph()
    assert set(empty.nodes) == set(own.nodes)
    assert {edge[:2] for edge in empty.edges} == {edge[:2] for edge in own.edges}


def test_empty_turns_keep_one_checkpoint_and_the_newest(shared: Parts, tmp_path: Path) -> None:
    """Checkpoints are kept as the desk keeps them: the one a turn began from, and the one it made."""
    order = [branch.id for branch in shared.pack.branches]
    with closing(open_checkpoints(tmp_path)) as checkpoints:
        graph = empty_flow(build_flow(shared), order, checkpoints.saver)
        for _ in range(4):
            run_empty(graph, checkpoints, order, "a", "hi")
        kept = list(checkpoints.saver.list({"configurable": {"thread_id": "a"}}))
    assert len(kept) == 2


def test_messages_go_round_on_other_dates() -> None:
    """A round has every conversation; the next one asks for other days, all of them in the month."""
    says = messages(2 * one_round())
    first, second = says[: one_round()], says[one_round() :]
    assert {say.conversation for say in first}.isdisjoint(say.conversation for say in second)
    assert first[1].text != second[1].text
    assert not any("{" in say.text for say in says)


def test_a_few_turns_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that is reported of turns is there, and none of them ended in a problem."""
    monkeypatch.setattr(turns, "WARM_UP", 1)
    found = turns.measure(6).to_json()
    assert found["turns"] == 6
    assert found["problems"] == 0
    assert found["ratio"] > 0
    assert found["calls"] > 0
    assert found["stored_by_kind"]["turn log"] > 0
    assert found["stored_bytes"] == sum(found["stored_by_kind"].values())
    assert {"identify", "coordinator", "hotel1_tools", "checker"} <= {row["name"] for row in found["nodes"]}
    assert found["aims"]["desk / empty graph"]["aim"] == "≤ 3"


def test_memory_is_read_after_each_number_of_turns(desk: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """One figure before the first turn and one for each number asked for, in the order of the turns."""
    readings = iter([100.0, 110.0, 120.0])
    monkeypatch.setattr(memory, "resident_mb", lambda: next(readings))
    monkeypatch.setattr(memory, "bench_desk", lambda home: nullcontext((desk.desk, desk.parts)))
    assert memory.resident_after([1, 2]) == [100.0, 110.0, 120.0]


def test_time_outside_nodes_counts_overlaps_once() -> None:
    """Branches that run side by side are one stretch of time, not two."""
    nodes = [
        NodeTime(name="a", start=0.0, seconds=0.4),
        NodeTime(name="b", start=0.1, seconds=0.5),
        NodeTime(name="c", start=0.8, seconds=0.1),
    ]
    turn = Turn(thread="t", turn=1, text="hi", nodes=nodes, seconds=1.0)
    assert turns.outside_nodes(turn) == pytest.approx(0.3)
    assert [row["name"] for row in turns.by_node([turn])] == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("values", "p95"), [([1.0], 1.0), ([float(n) for n in range(1, 101)], 95.0), ([3.0, 1.0, 2.0], 3.0)]
)
def test_95th_percentile_is_a_value_that_was_measured(values: list[float], p95: float) -> None:
    """Nearest rank: never a value in between that no turn took."""
    assert report.spread(values)["p95"] == p95


def test_page_is_skipped_with_a_reason_without_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a browser is told so in a line, and the rest is measured."""
    monkeypatch.setattr(first_paint, "chromium", lambda: None)
    found = first_paint.measure()
    assert "Chromium" in found.to_json()["skipped"]
    assert "skipped: there is no Chromium" in report.table([found])


def test_table_says_which_aims_are_missed() -> None:
    """A line with an aim says whether it was met; a line without says nothing."""
    lines = [Line("a", "1 s"), report.aimed("b", 2.0, 3.0, "s"), report.aimed("c", 4.0, 3.0, "s")]
    shown = report.table([Measured("Title", lines)]).splitlines()
    assert shown[1] == "Title"
    assert shown[2].split() == ["a", "1", "s"]
    assert "met" in shown[3]
    assert "MISSED ≤ 3 s" in shown[4]


@pytest.mark.parametrize("arguments", [["--json"], []])
def test_json_is_one_object_on_the_last_line(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --json the last line is an object with the machine and every measure; without, there is none."""
    stub = Measured("Stub", [Line("a", "1")], {"a": 1})
    monkeypatch.setattr(bench, "MEASURES", {"turn": lambda options: stub})
    assert bench.main(arguments) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    if not arguments:
        assert not last.startswith("{")
        return
    said = json.loads(last)
    assert set(said["machine"]) >= {"cores", "memory_mb", "python", "date"}
    assert said["turn"] == {"a": 1, "aims": {}}
