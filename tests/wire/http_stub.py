"""A small HTTP server on this machine that answers as a test wants, and keeps what it was asked."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any]  # status, and a body: JSON, or text that is sent as it is
Answer = Callable[[dict[str, Any]], Reply]


@dataclass(frozen=True)
class Asked:
    """One request that came in; the names of its headers in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass
class Stub:
    """A running stub: `answer` may be changed at any time; `release` lets requests go that `hang` holds."""

    url: str
    answer: Answer
    asked: list[Asked] = field(default_factory=list)
    release: threading.Event = field(default_factory=threading.Event)

    def hang(self, body: dict[str, Any]) -> Reply:
        """An answer that does not come before the test is over."""
        self.release.wait(60)
        return 503, {}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # fifty hotels ask at once; the default of five would make them queue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong in an answer; a caller that has gone away is none of that."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def after(seconds: float, answer: Answer) -> Answer:
    """`answer`, which takes this long from the request's arrival, however soon it is ready."""

    def told(body: dict[str, Any]) -> Reply:
        ready = time.perf_counter() + seconds
        reply = answer(body)
        time.sleep(max(0.0, ready - time.perf_counter()))
        return reply

    return told


@contextmanager
def serving(answer: Answer) -> Iterator[Stub]:
    """Serve on a free port of 127.0.0.1 until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        """Hands each request to the stub's answer. Connections stay open between requests, as real servers' do."""

        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # head and body go out one after the other, and neither waits

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = json.loads(raw or b"{}")
            headers = {name.lower(): value for name, value in self.headers.items()}
            stub.asked.append(Asked(self.path, headers, body))
            status, told = stub.answer(body)
            sent = (told if isinstance(told, str) else json.dumps(told)).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)
            except OSError:
                self.close_connection = True  # the caller did not wait for it

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = _Server(("127.0.0.1", 0), Handler)
    stub = Stub(f"http://127.0.0.1:{server.server_address[1]}", answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.release.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
