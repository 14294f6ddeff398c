"""A browser's open page without the browser: it keeps the connection and polls as Streamlit's own client does.

So many pages can be open at once that only the server's work counts. It speaks Streamlit 1.67's protocol: a rerun is
asked for with a BackMsg; what is drawn comes back as ForwardMsgs, among them those that ask the page to poll.
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 120.0


class OpenPage:
    """One open page; `polls` counts how often it asked how far a turn is. Use it as an async context manager.

    It polls as often as the server asks for, or, with `every`, each so many seconds.
    """

    def __init__(self, address: str, every: float | None = None) -> None:
        self.polls = 0
        self._every = every
        self._address = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
        self._query = self._page = self._chat = ""
        self._polling: dict[str, asyncio.Task[None]] = {}
        self._at_rest = asyncio.Event()
        self._socket: ClientConnection
        self._reader: asyncio.Task[None]

    async def __aenter__(self) -> OpenPage:
        """Open the page and wait until it is drawn."""
        self._socket = await connect(self._address, subprotocols=["streamlit"], max_size=None)  # type: ignore[list-item]
        self._reader = asyncio.create_task(self._read())
        await self._rerun()
        await self.rest()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Close the page."""
        for task in (*self._polling.values(), self._reader):
            task.cancel()
        await self._socket.close()

    async def say(self, text: str) -> None:
        """Send a message as the chat input does."""
        self._at_rest.clear()
        asked = self._asked()
        widget = asked.rerun_script.widget_states.widgets.add(id=self._chat)
        widget.chat_input_value.data = text
        await self._socket.send(asked.SerializeToString())

    async def rest(self) -> None:
        """Wait until the page is drawn and polls no more. Raises TimeoutError."""
        await asyncio.wait_for(self._at_rest.wait(), PATIENCE)

    def _asked(self) -> BackMsg:
        asked = BackMsg()
        asked.rerun_script.query_string = self._query
        asked.rerun_script.page_script_hash = self._page
        return asked

    async def _rerun(self, fragment: str = "") -> None:
        asked = self._asked()
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.is_auto_rerun = bool(fragment)
        await self._socket.send(asked.SerializeToString())

    async def _read(self) -> None:
        async for data in self._socket:
            message = ForwardMsg.FromString(data)  # type: ignore[arg-type]
            self._take(message, message.WhichOneof("type"))

    def _take(self, message: Any, kind: str | None) -> None:
        if kind == "new_session":
            self._page = message.new_session.page_script_hash
            if (
                not message.metadata.run.fragment_ids
            ):  # the whole page is drawn anew: it polls no more, as yet
                for task in self._polling.values():
                    task.cancel()
                self._polling.clear()
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.new_element.HasField("chat_input"):
            self._chat = message.delta.new_element.chat_input.id
        elif kind == "auto_rerun":
            wanted = message.auto_rerun
            task = asyncio.create_task(self._poll(wanted.fragment_id, self._every or wanted.interval))
            self._polling[wanted.fragment_id] = task
        elif kind == "script_finished":
            drawn = message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            if drawn and not self._polling:
                self._at_rest.set()

    async def _poll(self, fragment: str, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            self.polls += 1
            await self._rerun(fragment)
