"""The wire: what a connection may cost before the server has heard a whole request.

Uvicorn bounds neither a request's head nor the time that it takes, and forgets an answer that is
still being sent when the same connection asks for more.  All of it is looked after here, off the
path of a request that comes whole.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

HEAD = 65_536  # bytes of a request's head
PATIENCE = 20.0  # seconds for a request to come whole, from the connection or its first byte
STUCK = 30.0  # seconds that somebody may let an answer lie unread
LINGER = 1.0  # seconds for the word of refusal to be read
AHEAD = 16  # requests on one connection that wait for an answer


class Wire(HttpToolsProtocol):
    """One connection, as long as it behaves."""

    def __init__(self, *how: Any, **more: Any) -> None:
        """As uvicorn makes its own."""
        super().__init__(*how, **more)
        self.asked = False
        """Whether there has been a request at all."""
        self.partial = False
        """Whether a request has begun that is not yet here as a whole."""
        self.heading = False
        """Whether it is still its head."""
        self.size = 0
        """Bytes of that head in earlier pieces."""
        self.deaf = False
        """Whether nothing is heard any more: what comes is thrown away."""
        self.clock: asyncio.TimerHandle | None = None
        self.stuck: asyncio.TimerHandle | None = None
        self.unanswered: list[RequestResponseCycle] = []

    @property
    def answering(self) -> bool:
        """Whether what was asked is not answered yet."""
        return self.asked and not self.cycle.response_complete

    # What comes

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there; they have so long to ask for something."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Hear a piece, no more of it at a time than a head may be long."""
        for first in range(0, len(data), HEAD):
            if self.deaf or self.transport.is_closing():
                return
            self._heard(data if len(data) <= HEAD else data[first : first + HEAD])

    def _heard(self, data: bytes) -> None:
        if self.heading:
            self.size += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.heading and self.size > HEAD:
            self.send_400_response("")
        elif self.partial or not self.answering:
            self._wait()
        elif self.clock:
            self.clock.cancel()
            self.clock = None

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.partial = self.heading = True
        self.size = 0

    def on_headers_complete(self) -> None:
        """Its head is here; what was asked before may not be answered yet.

        Raises ValueError, of which the parser makes that the request is none.
        """
        before = self.cycle if self.answering else None
        if self.size:  # it came in pieces, the first of which was not counted
            self.size = len(self.url) + sum(len(k) + len(v) + 4 for k, v in self.headers)
        if self.size > HEAD or len(self.pipeline) >= AHEAD:
            raise ValueError
        super().on_headers_complete()
        self.heading, self.asked = False, True
        if before:
            self.unanswered = [cycle for cycle in self.unanswered if not cycle.response_complete]
            self.unanswered.append(before)
            self.flow.resume_reading()  # else nobody would hear that they hang up

    def on_message_complete(self) -> None:
        """It is here as a whole."""
        super().on_message_complete()
        self.partial = False

    # What does not come

    def _wait(self) -> None:
        if self.clock is None:
            self.clock = self.loop.call_later(PATIENCE, self._late)

    def _late(self) -> None:
        self.clock = None
        if self.partial:
            self._refuse(408, f"a request has {PATIENCE:g} seconds to come whole")
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  uvicorn's words
        """What came is no request."""
        if self.size > HEAD:
            self._refuse(431, f"the head of a request is {HEAD} bytes at most")
        elif len(self.pipeline) >= AHEAD:
            self._refuse(429, f"{AHEAD} requests may wait on one connection")
        else:
            self._refuse(400, "this is no request")

    def _refuse(self, status: int, why: str) -> None:
        """Say why, unless in the middle of an answer, and hang up."""
        self.deaf = True
        if self.answering:
            if self.pipeline or self.cycle.response_started:
                self.transport.abort()
                return
            self.cycle.disconnected = True  # its answer would be the second
            self.cycle.message_event.set()
        head = [
            STATUS_LINE[status],
            b"content-type: text/plain\r\nconnection: close\r\n",
            b"content-length: %d\r\n\r\n" % (len(why) + 1),
        ]
        self.transport.write(b"".join(head) + why.encode() + b"\n")
        self.transport.write_eof()
        self.loop.call_later(LINGER, self.transport.abort)

    # Who does not read, and who has gone

    def pause_writing(self) -> None:
        """Too much lies unread; it may for a while."""
        super().pause_writing()
        if self.stuck is None:
            self.stuck = self.loop.call_later(STUCK, self.transport.abort)

    def resume_writing(self) -> None:
        """It is being read."""
        super().resume_writing()
        self._unstick()

    def _unstick(self) -> None:
        if self.stuck:
            self.stuck.cancel()
            self.stuck = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there: whatever is still being answered need not be."""
        if self.clock:
            self.clock.cancel()
        self._unstick()
        for cycle in self.unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)
