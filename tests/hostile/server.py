"""The wire of the hostile model: an HTTP server that speaks OpenAI's interface and can fail in every way.

What it says comes from `answer`; a `Said` may be a whole completion, a body that is none, an error, a wait
that outlasts every patience, or a connection that ends in the middle.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

Breaks = Literal["", "hang", "cut", "half"]


@dataclass(frozen=True)
class Said:
    """One answer: status and body (text is sent as it is), or how the connection breaks."""

    status: int = 200
    body: Any = field(default_factory=dict)
    breaks: Breaks = ""


Answer = Callable[[dict[str, Any]], Said]


def completion(text: str | None, calls: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """A chat completion. Each call has `name`, `arguments` (a string, sent as it is) and an `id`."""
    made = [
        {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}}
        for c in calls or []
    ]
    told: dict[str, Any] = {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}
    return {
        "id": "chatcmpl-hostile",
        "object": "chat.completion",
        "created": 0,
        "model": "hostile",
        "choices": [{"index": 0, "message": told, "finish_reason": "tool_calls" if made else "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        **more,
    }


def as_calls(message: AIMessage) -> list[dict[str, Any]]:
    """A message's tool calls as `completion` takes them."""
    return [
        {"name": c["name"], "arguments": json.dumps(c["args"]), "id": c["id"]} for c in message.tool_calls
    ]


def messages_of(body: dict[str, Any]) -> list[BaseMessage]:
    """The messages of a request. A hostile answer comes back in them, so nothing is taken for granted."""
    return [_message(row) for row in body["messages"]]


def _message(row: dict[str, Any]) -> BaseMessage:
    content = row.get("content") or ""
    text = content if isinstance(content, str) else json.dumps(content)
    if row["role"] in ("system", "developer"):
        return SystemMessage(text)
    if row["role"] == "user":
        return HumanMessage(text)
    if row["role"] == "tool":
        return ToolMessage(text, tool_call_id=row["tool_call_id"])
    return AIMessage(text)


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Serve `answer` on a free port of 127.0.0.1 until the block ends; gives the address."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        """One request, answered or broken off."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            said = answer(body)
            try:
                self._send(said)
            except OSError:
                return  # the caller did not wait for it

        def _send(self, said: Said) -> None:
            if said.breaks == "hang":
                over.wait(30)
            if said.breaks in ("hang", "cut"):
                self.close_connection = True
                return
            sent = (said.body if isinstance(said.body, str) else json.dumps(said.body)).encode(
                "utf-8", "surrogatepass"
            )
            self.send_response(said.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.send_header("retry-after-ms", "5")
            self.end_headers()
            self.wfile.write(sent[: len(sent) // 2] if said.breaks == "half" else sent)

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
