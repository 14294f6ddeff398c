"""Tracing: what the ecosystem uses works untouched, by its own environment variables, and is off without them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.conftest import TODAY

ROOT = Path(__file__).resolve().parents[1]
# What LangSmith's server tells of itself; with this its client sends plain JSON.
INFO = {
    "version": "0.8.0",
    "batch_ingest_config": {
        "use_multipart_endpoint": False, "scale_up_qsize_trigger": 1000, "scale_up_nthreads_limit": 16,
        "scale_down_nempty_trigger": 4, "size_limit": 100, "size_limit_bytes": 20_000_000,
    },
}  # fmt: skip
SETTINGS = ("DESK_", "OPENAI_", "TAVILY_", "LANGSMITH_", "LANGCHAIN_")


@pytest.fixture
def collector() -> Iterator[tuple[str, list[str]]]:
    """A server that takes traces: its address, and the names of the runs that it was sent."""
    names: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        """Takes what LangSmith's client sends."""

        def do_GET(self) -> None:
            self._send(INFO)

        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            names.extend(run["name"] for run in sent.get("post", [sent]) if "name" in run)
            self._send({})

        do_PATCH = do_POST  # noqa: N815 - the name that the server looks for

        def _send(self, told: object) -> None:
            body = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", names
    server.shutdown()
    server.server_close()
    thread.join(10)


def ask(home: Path, **environment: str) -> str:
    """The reply of a desk in a process of its own, as tracing is switched on by its environment alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    env = {**kept, "DESK_HOME": str(home), "DESK_TODAY": TODAY, **environment}
    command = [sys.executable, "-m", "desk", "ask", "Is a Deluxe room free from 1 to 3 February?"]
    return subprocess.run(
        command, cwd=ROOT, env=env, check=True, capture_output=True, text=True, timeout=120
    ).stdout


def test_langsmiths_own_variables_switch_tracing_on(tmp_path: Path, collector: tuple[str, list[str]]) -> None:
    """The nodes of the graph and the model calls inside them arrive as runs; the reply is the same."""
    address, names = collector
    reply = ask(tmp_path, LANGSMITH_TRACING="true", LANGSMITH_ENDPOINT=address, LANGSMITH_API_KEY="not-a-key")
    assert "104" in reply
    assert {"coordinator", "hotel1", "hotel2_tools", "merge", "RehearsalModel"} <= set(names)


def test_without_them_nothing_is_sent(tmp_path: Path, collector: tuple[str, list[str]]) -> None:
    """An address alone is no wish for tracing."""
    address, names = collector
    assert "104" in ask(tmp_path, LANGSMITH_ENDPOINT=address, LANGSMITH_API_KEY="not-a-key")
    assert names == []
