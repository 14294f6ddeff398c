"""A hotel's assistant: calls its tools for the tasks that it was given, then says what they found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from desk.briefing import read_json
from desk.models.rehearsal.subject import Subject, briefing, call, calling, results, tasks


def reply(subject: Subject, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """One tool call a task, all at once, but for those that code has made. Then the answer, or one more look
    where SQL found nothing."""
    found = briefing(messages)
    stay = read_json(found, "stay", {})
    came = results(messages)
    made = [(c["name"], c["args"]) for m in messages if isinstance(m, AIMessage) for c in m.tool_calls]
    wanted = [_first_call(kind, value, stay) for kind, value in tasks(found.get("task", ""))]
    missing = [c for c in wanted if (c["name"], c["args"]) not in made]
    if missing or not came:
        return calling(*missing)
    empty_query = any("rows" in result and not result["rows"] for result in came)
    if empty_query and ("room_rates", {}) not in made:
        return calling(call("room_rates"))
    return AIMessage(_say(came))


def _first_call(kind: str, value: str, stay: Mapping[str, Any]) -> dict[str, Any]:
    if kind == "guide":
        return call("search_guide", query=value)
    if kind == "rates" and value != "all rooms" and stay.get("budget"):
        return call("find_rooms")  # it knows what the guest can afford
    if kind == "rates" and not stay.get("rooms"):
        return call("run_sql", sql=_rates_sql({} if value == "all rooms" else stay))
    if kind == "rates":
        return call("room_rates")
    return call("find_rooms")


def _rates_sql(stay: Mapping[str, Any]) -> str:
    """Room rates as SQL, narrowed to what the guest asked for."""
    wanted = []
    if stay.get("type"):
        kind = str(stay["type"]).replace("'", "''")
        wanted.append(f"type = '{kind}'")
    if stay.get("guests"):
        wanted.append(f"sleeps >= {int(stay['guests'])}")
    where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
    return f"SELECT room, type, sleeps, rate FROM rooms{where} ORDER BY rate, room"  # noqa: S608 - reader is read-only


def _say(came: Sequence[Mapping[str, Any]]) -> str:
    facts = [row for result in came for row in result.get("facts", [])]
    if not facts:
        return (
            "I could not check this."
            if any("error" in result for result in came)
            else "I found nothing on this."
        )
    parts = []
    for row in facts:
        what = " ".join(str(row[key]) for key in ("type", "room", "entry", "status") if row.get(key))
        parts.append(f"{row['kind'].replace('_', ' ')}: {what} [[{row['id']}]]")
    return "; ".join(dict.fromkeys(parts)) + "."
