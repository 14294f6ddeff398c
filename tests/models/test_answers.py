"""Reading answers: calls written as text in every way servers were seen to write them, records, endings."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from pydantic import BaseModel

from desk.errors import ModelUnparseable, ModelUnreadable
from desk.models.answers import record_of, tidy, written_calls
from desk.models.written import with_tools_in_words

TOOLS = ("find_rooms", "search_guide")
ARGS = {"type": "Deluxe"}
PLAIN = json.dumps({"name": "find_rooms", "arguments": ARGS})


class Answer(BaseModel):
    """A record as a step would ask for."""

    kind: Literal["room", "guide"]
    count: int = 1


WRITTEN = {
    "bare": PLAIN,
    "with space around it": f"\n  {PLAIN}\n",
    "fenced": f"```json\n{PLAIN}\n```",
    "fenced, after words": f"Let me look.\n```\n{PLAIN}\n```",
    "in tags": f"<tool_call>\n{PLAIN}\n</tool_call>",
    "in a tag that is not closed": f"<tool_call>{PLAIN}",
    "after a thought": f"<think>Which tool? Perhaps {{}}.</think>\n{PLAIN}",
    "marked as Mistral does": f"[TOOL_CALLS] [{PLAIN}]",
    "marked as Llama does": f'<|python_tag|>{{"name": "find_rooms", "parameters": {json.dumps(ARGS)}}}',
    "arguments as text": json.dumps({"name": "find_rooms", "arguments": json.dumps(ARGS)}),
    "as OpenAI sends it": json.dumps(
        {"type": "function", "function": {"name": "find_rooms", "arguments": ARGS}}
    ),
    "another word for the name": json.dumps({"tool": "find_rooms", "args": ARGS}),
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN.keys())
def test_a_call_written_as_text(text: str) -> None:
    """It becomes a call like any other, and its text is not taken for something said."""
    found = tidy(AIMessage(text), TOOLS, "hotel")
    assert [(call["name"], call["args"]) for call in found.tool_calls] == [("find_rooms", ARGS)]
    assert found.text == ""


def test_several_calls_written_as_text() -> None:
    """One after the other, in a list, or in tags of their own: all are made."""
    other = json.dumps({"name": "search_guide", "arguments": None})
    for text in (
        f"{PLAIN}\n{other}",
        f"[{PLAIN}, {other}]",
        f"<tool_call>{PLAIN}</tool_call><tool_call>{other}",
    ):
        assert [call["name"] for call in written_calls(text, TOOLS)] == list(TOOLS)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"name": "drop_tables", "arguments": {}}),
        f"The guest wrote {PLAIN} and nothing else.",
        f"{PLAIN} That is what I would call.",
        json.dumps({"name": "find_rooms", "arguments": [1]}),
        json.dumps({"name": None, "arguments": {}}),
        '{"name": "find_rooms", "arguments": ',
        "[[[1]]]",
        "find_rooms()",
    ],
)
def test_what_is_no_call(text: str) -> None:
    """A tool that was not given, JSON quoted in a sentence, and halves of calls stay text."""
    found = tidy(AIMessage(text), TOOLS, "hotel")
    assert found.tool_calls == []
    assert found.text == text


def test_without_tools_nothing_is_a_call() -> None:
    """A writer that was given no tools has written prose, whatever it looks like."""
    assert tidy(AIMessage(PLAIN), (), "merger").text == PLAIN


def test_ids_are_the_desks_own() -> None:
    """Servers use ids again, within one answer and from one to the next; a message's id would replace another's."""
    same: Any = [{"name": name, "args": {}, "id": "call_0"} for name in TOOLS]
    told = [tidy(AIMessage("", id="msg_0", tool_calls=same), TOOLS, "hotel") for _ in range(2)]
    ids = [call["id"] for message in told for call in message.tool_calls]
    assert len(set(ids)) == len(ids) == 4
    assert [message.id for message in told] == [None, None]


def test_a_tool_that_was_not_given_is_left_to_the_tool_node() -> None:
    """It answers the model that there is no such tool; the turn goes on."""
    called: Any = [{"name": "drop_tables", "args": {}, "id": "1"}]
    assert [call["name"] for call in tidy(AIMessage("", tool_calls=called), TOOLS, "hotel").tool_calls] == [
        "drop_tables"
    ]


def test_a_call_that_cannot_be_read_is_left_out() -> None:
    """The server would wait for its result in vain; alone, it is no answer."""
    broken: Any = [{"name": "find_rooms", "args": '{"type": "Del', "id": "1", "error": "cut"}]
    assert tidy(AIMessage("I looked.", invalid_tool_calls=broken), TOOLS, "hotel").invalid_tool_calls == []
    with pytest.raises(ModelUnreadable):
        tidy(AIMessage("", invalid_tool_calls=broken), TOOLS, "hotel")


ENDINGS: dict[str, dict[str, Any]] = {
    "cut off": {"response_metadata": {"finish_reason": "length"}},
    "filtered": {"response_metadata": {"finish_reason": "content_filter"}},
    "refused": {"additional_kwargs": {"refusal": "I cannot help with that."}},
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())
@pytest.mark.parametrize("text", ["", "A Deluxe room is"])
def test_an_answer_that_is_not_whole(ending: dict[str, Any], text: str) -> None:
    """Cut off at the token limit, filtered or refused: not an answer, and asking otherwise does not help."""
    with pytest.raises(ModelUnparseable) as raised:
        tidy(AIMessage(text, **ending), TOOLS, "hotel")
    assert not isinstance(raised.value, ModelUnreadable)


@pytest.mark.parametrize("text", ["", "  \n", "<think>Hm.</think>"])
def test_an_answer_that_says_nothing(text: str) -> None:
    """Empty, blank, or thoughts alone."""
    with pytest.raises(ModelUnreadable):
        tidy(AIMessage(text), TOOLS, "hotel")


RECORDS = {
    "bare": '{"kind": "room"}',
    "fenced": '```json\n{"kind": "room"}\n```',
    "fenced, with words around": 'Here it is:\n```\n{"kind": "room"}\n```\nAnything else?',
    "in words": 'Sure! {"kind": "room"} I hope that helps.',
    "as a call": '{"name": "Answer", "arguments": {"kind": "room"}}',
    "in tags": '<tool_call>{"name": "Answer", "arguments": {"kind": "room"}}</tool_call>',
}


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS.keys())
def test_a_record_written_as_text(text: str) -> None:
    """The schema decides whether what was found is the record."""
    assert record_of(tidy(AIMessage(text), ["Answer"], "coordinator"), Answer, "coordinator").kind == "room"


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        "{}",
        '"room"',
        '{"kind": "room"',
        '{"kind": "suite"}',
        '{"kind": "room", "count": "many"}',
        "A room.",
        "} {",
        '{"count": ' + "9" * 5000 + "}",
        "[" * 3000,
    ],
)
def test_what_is_no_record(text: str) -> None:
    """Null, another shape, unknown labels, truncated, prose, numbers without end: one error, quoting nothing."""
    with pytest.raises(ModelUnreadable) as raised:
        record_of(tidy(AIMessage(text), ["Answer"], "coordinator"), Answer, "coordinator")
    assert text not in str(raised.value)
    assert raised.value.__cause__ is None


def test_tools_in_words() -> None:
    """For a server that knows no tools, calls and results become text, and the last message tells of the tools."""
    calls: Any = [{"name": name, "args": ARGS, "id": name} for name in TOOLS]
    kept = [
        HumanMessage("## Message\nHello"),
        AIMessage("", tool_calls=calls),
        ToolMessage("one", tool_call_id="find_rooms"),
        ToolMessage("two", tool_call_id="search_guide"),
    ]
    told = with_tools_in_words(kept, [Answer])
    assert [message.type for message in told] == ["human", "ai", "human"]
    assert [json.loads(line)["name"] for line in told[1].text.splitlines()] == list(TOOLS)
    assert told[2].text.index("one") < told[2].text.index("two") < told[2].text.index("## Tools")
    assert '"Answer"' in told[2].text


def test_halves_of_characters_are_not_kept() -> None:
    """JSON can hold half of a surrogate pair; what stores or checks the text would trip over it."""
    made = [
        {"name": "search_guide", "args": {"query": "pool \ud800", "more": [{"a\udfff": "\ud800"}]}, "id": "1"}
    ]
    kept = tidy(AIMessage("so \ud800 be it", tool_calls=made), [], "hotel")
    for text in (kept.text, json.dumps(kept.tool_calls, ensure_ascii=False)):
        assert text.encode()
