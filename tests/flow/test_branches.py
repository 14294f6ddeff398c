"""The hotel branches: asked in any combination, side by side, each on its own, joined once."""

from __future__ import annotations

import datetime as dt
import itertools
import logging
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from desk.briefing import shortened
from desk.steps.merge import ANSWER_CHARACTERS
from desk.turn import Turn
from tests.flow.conftest import Stage
from tests.flow.support import (
    PATIENCE,
    Counting,
    Driver,
    Script,
    asks_named,
    briefing,
    handoff,
    in_rounds,
    in_turn,
    inn_name,
    looks_up,
    make_pack,
    marks_only,
    per_hotel,
    raises,
    rounds_so_far,
    routes,
    says,
    structured,
)

ASKS = {"coordinator": asks_named, "merger": marks_only}
# Inn one answers at once, inn two takes one round of tools, inn three takes three.
UNEQUAL = per_hotel(
    {inn_name(1): says("I cannot help."), inn_name(2): in_rounds(1), inn_name(3): in_rounds(3)}
)


def ran(turn: Turn) -> Counter[str]:
    """How often each node of a turn ran."""
    return Counter(node.name for node in turn.nodes)


def subsets(hotels: int) -> list[tuple[str, ...]]:
    """Every non-empty subset of that many inns."""
    ids = [f"inn{n}" for n in range(1, hotels + 1)]
    return [chosen for size in range(1, hotels + 1) for chosen in itertools.combinations(ids, size)]


@pytest.mark.parametrize("hotels", [1, 2, 3])
def test_merge_runs_once_whichever_hotels_are_asked(
    open_at: Callable[..., Any], tmp_path: Path, hotels: int
) -> None:
    """On one thread, every subset after every other: one merge, one `identify`, one reply, only those asked."""
    opened = open_at({**ASKS, "hotel": UNEQUAL}, pack=make_pack(tmp_path / "pack", hotels))
    thread = opened.thread()
    for chosen in subsets(hotels):
        turn = opened.say(thread, f"Please ask {' '.join(chosen)} about a room in February.")
        nodes = ran(turn)
        assert (nodes["merge"], nodes["identify"], nodes["checker"], nodes["translate_out"]) == (
            1,
            1,
            1,
            1,
        ), chosen
        assert set(turn.branches) == set(chosen)
        assert all(nodes[f"{branch}_done"] == 1 for branch in chosen)
        assert {name for name in nodes if name.endswith("_done")} == {f"{branch}_done" for branch in chosen}
        assert turn.reply
        assert turn.problem is None


def test_a_subset_then_another_leaves_nothing_behind(open_at: Callable[..., Any], tmp_path: Path) -> None:
    """Asked inn two, then inn one: the second turn has nothing of inn two, in its reply and in its state."""
    parts = open_at({**ASKS, "hotel": looks_up}, pack=make_pack(tmp_path / "pack", 3)).parts
    driver = Driver(parts)
    first = driver.turn("Please ask inn2 about a Deluxe room from 1 to 3 February.")
    assert "502" in first.state["reply"]
    second = driver.turn("Please ask inn1 about a Deluxe room from 1 to 3 February.")
    assert "501" in second.state["reply"]
    assert "502" not in second.state["reply"]
    assert set(second.state["branch_status"]) == {"inn1"}
    assert second.state["messages_inn2"] == []
    assert {fact["turn"] for fact in second.state["facts"]} == {2}
    assert second.nodes["merge"] == 1


def test_only_the_reply_enters_the_conversation(open_at: Callable[..., Any], tmp_path: Path) -> None:
    """Branches keep their talk to themselves: the shared messages are the guest's and the desk's alone."""
    driver = Driver(open_at({**ASKS, "hotel": looks_up}, pack=make_pack(tmp_path / "pack", 2)).parts)
    ended = driver.turn("Please ask inn1 inn2 about a Deluxe room from 1 to 3 February.")
    assert [message.id for message in ended.state["messages"]] == ["t1-guest", "t1-desk"]
    assert len(ended.state["messages_inn1"]) == len(ended.state["messages_inn2"]) == 4


def test_every_branch_gets_the_same_bounded_view(open_at: Callable[..., Any], tmp_path: Path) -> None:
    """Each branch sees the same briefing: the newest few messages, and the rest only through the summary."""
    driver = Driver(open_at({**ASKS, "hotel": looks_up}, pack=make_pack(tmp_path / "pack", 2)).parts)
    for number in range(6):
        ended = driver.turn(f"Please ask inn1 inn2 about word{'abcdef'[number]} rooms in February.")
    views = [ended.state[f"messages_inn{n}"][0].text for n in (1, 2)]
    assert views[0] == views[1]
    assert "worda" not in views[0]
    assert "worde" in views[0]


def test_the_merger_reads_the_beginning_of_a_long_answer(stage: Stage) -> None:
    """An assistant who talks for pages does not fill the merger's prompt: what it found stands in the facts."""
    merger = Counting(marks_only)
    talks = in_turn(looks_up, says("It is a lovely room indeed. " * 300))
    scripts = {"coordinator": routes(handoff("hotels", hotels=["hotel1"])), "hotel": talks, "merger": merger}
    turn = stage.play("Is a Deluxe room free from 1 to 3 February?", **scripts)
    told = briefing(merger.given[0])
    assert [fact.room for fact in turn.facts] == ["104"]
    assert "104" in told["facts"]
    assert "lovely room" in told["answers"]
    assert len(told["answers"]) < 2 * ANSWER_CHARACTERS


@pytest.mark.parametrize(
    ("text", "characters", "kept"),
    [
        ("short", 10, "short"),
        ("first line\nsecond line\nthird", 25, "first line\nsecond line\n…"),
        ("one long line of words", 10, "one long\n…"),
        ("unbroken", 4, "unbr\n…"),
    ],
)
def test_shortened_text_keeps_whole_lines(text: str, characters: int, kept: str) -> None:
    """A price or a date is not cut in two: what does not fit whole is left out, and the cut can be seen."""
    assert shortened(text, characters) == kept


def meeting(parties: int) -> Script:
    """Assistants who each wait for all the others before they begin."""
    barrier = threading.Barrier(parties, timeout=PATIENCE)

    def script(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        if not rounds_so_far(messages):
            barrier.wait()
        return looks_up(messages, tools)

    return script


@pytest.mark.parametrize("hotels", [2, 50])
def test_branches_run_side_by_side(open_at: Callable[..., Any], tmp_path: Path, hotels: int) -> None:
    """Each branch waits for all the others: one after the other they would wait for ever.

    Two or fifty take no code change, and end in one reply in priority order.
    """
    scripts = {"coordinator": routes(handoff("hotels")), "merger": marks_only, "hotel": meeting(hotels)}
    opened = open_at(scripts, pack=make_pack(tmp_path / "pack", hotels))
    turn = opened.ask("Is a Deluxe room free from 1 to 3 February?")
    assert [branch.status for branch in turn.branches.values()] == ["ok"] * hotels
    assert [fact.room for fact in turn.facts] == [str(500 + n) for n in range(1, hotels + 1)]
    assert ran(turn)["merge"] == 1


def test_a_branch_over_its_time_does_not_hold_the_others(open_at: Callable[..., Any], tmp_path: Path) -> None:
    """A branch that hangs is `timed_out` and said so; the others' answers go out while it still hangs."""
    release = threading.Event()

    def hangs(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        release.wait(PATIENCE * 3)
        return AIMessage("At last.")

    scripts = {
        "coordinator": routes(handoff("hotels")),
        "merger": marks_only,
        "hotel": per_hotel({inn_name(2): hangs}),
    }
    opened = open_at(scripts, pack=make_pack(tmp_path / "pack", 3), changed={"branch_seconds": 1.0})
    try:
        turn = opened.ask("Is a Deluxe room free from 1 to 3 February?")
        assert not release.is_set()
    finally:
        release.set()
    assert {name: branch.status for name, branch in turn.branches.items()} == {
        "inn1": "ok",
        "inn2": "timed_out",
        "inn3": "ok",
    }
    assert [fact.room for fact in turn.facts] == ["501", "503", None]
    assert turn.facts[-1].kind == "not_checked"
    assert inn_name(2) in turn.reply.splitlines()[2]
    assert turn.handoffs[0].status == "ok"


def test_one_branch_that_raises_costs_one_honest_line(
    open_at: Callable[..., Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A bug in one of three branches: two answers, one line that names the third hotel, a loud log."""
    scripts = {
        "coordinator": routes(handoff("hotels")),
        "merger": marks_only,
        "hotel": per_hotel({inn_name(2): raises(ValueError("a bug"))}),
    }
    opened = open_at(scripts, pack=make_pack(tmp_path / "pack", 3))
    with caplog.at_level(logging.ERROR, logger="desk"):
        turn = opened.ask("Is a Deluxe room free from 1 to 3 February?")
    assert [branch.status for branch in turn.branches.values()] == ["ok", "failed", "ok"]
    assert [(fact.kind, fact.hotel) for fact in turn.facts] == [
        ("room_free", "inn1"),
        ("room_free", "inn3"),
        ("not_checked", "inn2"),
    ]
    assert turn.reply.count(inn_name(2)) == 1
    assert "a bug" not in turn.reply
    assert "ValueError" in caplog.text
    assert "a bug" not in caplog.text  # an error's own text may quote a guest
    again = opened.ask("Is a Deluxe room free from 1 to 3 February?")
    assert again.problem is None


def test_when_every_branch_fails_the_reply_says_so(open_at: Callable[..., Any], tmp_path: Path) -> None:
    """No hotel could be checked: each is named, nothing is claimed, and the handoff counts as failed."""
    scripts = {
        "coordinator": routes(handoff("hotels")),
        "merger": marks_only,
        "hotel": raises(ValueError("a bug")),
    }
    opened = open_at(scripts, pack=make_pack(tmp_path / "pack", 2))
    turn = opened.ask("Is a Deluxe room free from 1 to 3 February?")
    assert [fact.kind for fact in turn.facts] == ["not_checked", "not_checked"]
    assert turn.handoffs[0].status == "failed"
    assert inn_name(1) in turn.reply
    assert inn_name(2) in turn.reply
    assert turn.offer is None


def test_branches_have_only_reading_tools(open_at: Callable[..., Any], tmp_path: Path) -> None:
    """A hotel's assistant is given nothing that writes, and a writing tool that it makes up is not there."""
    seen: list[list[str]] = []

    def greedy(messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
        seen.append(list(tools))
        return in_rounds(1, "book_offer")(messages, tools)

    scripts = {"coordinator": routes(handoff("hotels")), "merger": marks_only, "hotel": greedy}
    opened = open_at(scripts, pack=make_pack(tmp_path / "pack", 1))
    turn = opened.ask("Book me a Deluxe room from 1 to 3 February!")
    assert all(set(tools) == {"find_rooms", "room_rates", "search_guide", "run_sql"} for tools in seen)
    assert turn.branches["inn1"].status == "failed"
    assert turn.booking is None
    free = opened.parts.hotels.reader("inn1").free_rooms(dt.date(2027, 2, 1), dt.date(2027, 2, 3))
    assert [room.room for room in free] == ["501"]


def test_a_hotel_asked_twice_in_a_turn_begins_anew(open_at: Callable[..., Any], tmp_path: Path) -> None:
    """Asked again for something else, a branch has the new briefing alone, and merge runs once for each handoff."""
    asks = (handoff("hotels", "guide: pool"), handoff("hotels", "guide: sauna"))
    coordinator = in_turn(
        *(lambda m, t, ask=ask: structured("Routing", handoffs=[ask]) for ask in asks), says("{}")
    )
    scripts = {"coordinator": coordinator, "merger": marks_only, "hotel": says("I cannot help.")}
    turn = open_at(scripts, pack=make_pack(tmp_path / "pack", 1)).ask("Do you have a pool or a sauna?")
    assert ran(turn)["merge"] == ran(turn)["mapper"] == 2
    messages = turn.branches["inn1"].messages
    assert [message.role for message in messages] == ["human", "ai"]
    assert "sauna" in messages[0].text.split("## Task")[1]
