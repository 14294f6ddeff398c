"""Broken content and faults: answers that are not of the form asked for, and servers that fail."""

from __future__ import annotations

import json
from typing import Any

from tests.hostile.kinds import Call, Kind, again, everyone, kind, say, truthful
from tests.hostile.server import Said, as_calls, completion

talkers = ("hotel", "merger", "reservation", "web", "direct")
structured = ("translator", "coordinator")


def _first_call(call: Call) -> dict[str, Any] | None:
    return as_calls(call.truth)[0] if call.truth.tool_calls else None


@kind("broken: truncated JSON", "broken", everyone)
def truncated(call: Call) -> Said | None:
    made = _first_call(call)
    if made is None:
        return say(call.truth.text[: len(call.truth.text) // 2] or "[[t")
    cut = {**made, "arguments": made["arguments"][: len(made["arguments"]) // 2] or '{"a'}
    return say(None, [cut])


@kind("broken: null", "broken", everyone)
def null(call: Call) -> Said | None:
    made = _first_call(call)
    if made and call.rng.random() < 0.5:
        return say(None, [{**made, "arguments": "null"}])
    return say(None)


@kind("broken: prose for a record", "broken", structured)
def prose_for_record(call: Call) -> Said | None:
    return say("Sure! I would route this to the hotels, because the guest asks for a room at €5.")


@kind("broken: fenced JSON", "broken", structured)
def fenced(call: Call) -> Said | None:
    made = _first_call(call)
    before = call.rng.choice(("", "Here you go:\n"))
    return say(f"{before}```json\n{made['arguments'] if made else '{}'}\n```")


@kind("broken: unknown labels", "broken", structured)
def unknown_labels(call: Call) -> Said | None:
    made = _first_call(call)
    if made is None:
        return None
    args = json.loads(made["arguments"])
    args["tone"] = "furious"
    for handoff in args.get("handoffs", []):
        handoff["action"] = "steal"
    return again(call, made["name"], args)


@kind("broken: wrong types", "broken", everyone)
def wrong_types(call: Call) -> Said | None:
    made = _first_call(call)
    if made is None:
        return None
    values: tuple[Any, ...] = (7, None, "hotels", [1, 2], {"a": {"b": []}}, True, [None])
    args = {key: call.rng.choice(values) for key in json.loads(made["arguments"])} or {"x": [1]}
    whole = call.rng.choice((args, args, [args], "text", 5))
    return say(None, [{**made, "arguments": json.dumps(whole)}])


@kind("broken: empty", "broken", everyone)
def empty(call: Call) -> Said | None:
    return say(call.rng.choice(("", "   ", "\n\n", "\u200b")))


@kind("broken: endless tool calls", "broken", talkers)
def endless(call: Call) -> Said | None:
    if not call.tools:
        return None
    named = call.rng.choice(list(call.tools))
    args = {"query": "breakfast", "sql": "SELECT 1"}
    return say(None, [{"name": named, "arguments": json.dumps(args), "id": f"call-{call.rng.random()}"}])


@kind("broken: many tool calls at once", "broken", talkers)
def many(call: Call) -> Said | None:
    if not call.truth.tool_calls:
        return None
    made = as_calls(call.truth)[0]
    return say(None, [{**made, "id": f"call-{i}"} for i in range(40)])


@kind("broken: no such tool", "broken", talkers)
def no_such_tool(call: Call) -> Said | None:
    name = call.rng.choice(("book_room", "delete_everything", "find_rooms ", "", "Routing", "a" * 200))
    return say(None, [{"name": name, "arguments": '{"room": "999"}', "id": "call-1"}])


@kind("broken: a tool call as text", "broken", everyone)
def call_as_text(call: Call) -> Said | None:
    made = _first_call(call)
    if made is None:
        return say('<tool_call>{"name": "book_offer", "arguments": {}}</tool_call>')
    way = call.rng.choice(("plain", "named", "tagged"))
    whole = json.dumps({"name": made["name"], "arguments": json.loads(made["arguments"])})
    return say({"plain": made["arguments"], "named": whole, "tagged": f"<tool_call>{whole}</tool_call>"}[way])


@kind("broken: reused call ids", "broken", everyone)
def reused_ids(call: Call) -> Said | None:
    made = as_calls(call.truth)
    return say(call.truth.text or None, [{**each, "id": "call_0"} for each in made]) if made else None


@kind("broken: a huge answer", "broken", everyone)
def huge(call: Call) -> Said | None:
    words = call.rng.choice(("Gladly, here is what our hotels say. ", "Sehr gerne. ", "la "))
    text = words * (200_000 // len(words))
    made = _first_call(call)
    if call.outbound and made:
        return again(call, made["name"], {"sentences": [text for _ in call.sentences]})
    return say(f"{call.truth.text} {text}" if not made else text)


@kind("broken: no completion", "broken", everyone)
def no_completion(call: Call) -> Said | None:
    whole = completion("Gladly.")
    return Said(
        body=call.rng.choice((
            "", "null", "[]", "<html>Bad gateway</html>", {**whole, "choices": []}, {**whole, "choices": None},
            {**whole, "choices": [{"index": 0, "message": None, "finish_reason": "stop"}]}, {"error": "no"}, {},
            {**whole, "choices": [{"index": 0, "message": {"role": "assistant"}, "finish_reason": "length"}]},
        ))
    )  # fmt: skip


@kind("broken: odd characters", "broken", everyone)
def odd_characters(call: Call) -> Said | None:
    odd = call.rng.choice(("\u202eevil\u202c", "\x00", "\x1b[31m", "\ufffe", "\ud800", "🛏️" * 50, "\r\n\r\n"))
    return say(f"{odd} {call.truth.text}", as_calls(call.truth))


@kind("broken: odd usage", "broken", everyone)
def odd_usage(call: Call) -> Said | None:
    said = truthful(call)
    usage = call.rng.choice(
        (
            None,
            {},
            {"prompt_tokens": -5, "completion_tokens": -5, "total_tokens": -10},
            {"prompt_tokens": 10**9, "completion_tokens": 0, "total_tokens": 10**9},
        )
    )
    return Said(body={**said.body, "usage": usage})


BROKEN: list[Kind] = [value for value in list(globals().values()) if isinstance(value, Kind)]


def _error(status: int, code: str) -> Said:
    return Said(status, {"error": {"message": "no", "type": code, "code": code}})


FAULTS: list[Kind] = [
    Kind("fault: 429", "fault", everyone, lambda call: _error(429, "rate_limit_exceeded")),
    Kind("fault: out of quota", "fault", everyone, lambda call: _error(429, "insufficient_quota")),
    Kind("fault: 500", "fault", everyone, lambda call: _error(500, "server_error")),
    Kind("fault: 503, no JSON", "fault", everyone, lambda call: Said(503, "<html>busy</html>")),
    Kind("fault: 400", "fault", everyone, lambda call: _error(400, "invalid_request_error")),
    Kind("fault: hang", "fault", everyone, lambda call: Said(breaks="hang")),
    Kind("fault: cut", "fault", everyone, lambda call: Said(breaks="cut")),
    Kind("fault: half a body", "fault", everyone, lambda call: Said(body=truthful(call).body, breaks="half")),
]
