"""Limits of an HTTP connection: bytes and seconds before a whole request has arrived.

Uvicorn limits neither the size of a request's head nor the time that it takes, and it forgets an
answer that is still being sent when the same connection sends another request.  This module sets
limits to both and keeps track of such answers.  A request that arrives in one piece costs no more.
"""

import asyncio
import time
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from yegg.table import networks

from . import connections

HEAD = 65_536  # bytes of a request's head
PATIENCE = 20.0  # seconds for a whole request to arrive, from the connection or from its first byte
STUCK = 30.0  # seconds that a client may leave an answer unread
LINGER = 1.0  # seconds for the client to read a refusal
AHEAD = 16  # requests of one connection that may wait for an answer


class LimitedProtocol(HttpToolsProtocol):
    """The protocol of one connection; it is closed when it exceeds a limit."""

    def __init__(self, *how: Any, **more: Any) -> None:
        """The arguments are those of uvicorn's own protocol."""
        super().__init__(*how, **more)
        self.asked = False
        """Whether there has been any request."""
        self.partial = False
        """Whether a request has begun and not yet arrived as a whole."""
        self.heading = False
        """Whether its head is still arriving."""
        self.size = 0
        """Bytes of that head in earlier pieces."""
        self.deaf = False
        """Whether further data is thrown away."""
        self.clock: asyncio.TimerHandle | None = None
        self.stuck: asyncio.TimerHandle | None = None
        self.unanswered: list[RequestResponseCycle] = []
        self.caller = ""
        """Whose connections this one is counted with."""
        self.since = 0.0
        """Since when a request is awaited, by the system's clock."""

    @property
    def answering(self) -> bool:
        """Whether the newest request is not answered yet."""
        return self.asked and not self.cycle.response_complete

    # Data that arrives
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time in which a request must arrive."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self.caller = networks.caller(host)
        connections.open_from[self.caller] += 1
        self._wait()
        if connections.too_many_from(host):
            self._refuse(503, "too many connections are open from your address")
        elif len(self.connections) > connections.allowed():
            self._make_room()

    def _make_room(self) -> None:
        """Hang up on who has kept a request unfinished for longest, or else asks nothing now."""
        ours = (one for one in self.connections if isinstance(one, LimitedProtocol))
        idle = [one for one in ours if not (one.deaf or one.answering)]
        min(idle, key=lambda one: (one is self, one.clock is None, one.since)).give_way()

    def give_way(self) -> None:
        """Hang up at once, so that somebody else may come."""
        self._refuse(503, "too many connections are open here; try again", linger=False)

    def data_received(self, data: bytes) -> None:
        """Take data in pieces that are no longer than a head may be."""
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
        """Its head has arrived; the request before may not be answered yet.

        Raises ValueError, which the parser reports as an invalid request.
        """
        before = self.cycle if self.answering else None
        if self.size:  # the head came in pieces, and the first was not counted
            self.size = len(self.url) + sum(len(k) + len(v) + 4 for k, v in self.headers)
        if self.size > HEAD or len(self.pipeline) >= AHEAD:
            raise ValueError
        super().on_headers_complete()
        self.cycle.transport = Together(self.transport, self.loop)  # type: ignore[assignment]
        self.heading, self.asked = False, True
        if before:
            self.unanswered = [cycle for cycle in self.unanswered if not cycle.response_complete]
            self.unanswered.append(before)
            self.flow.resume_reading()  # else nobody would notice that the client hangs up

    def on_message_complete(self) -> None:
        """The whole request has arrived."""
        super().on_message_complete()
        self.partial = False

    # Data that does not arrive
    def _wait(self) -> None:
        if self.clock is None:
            self.since = time.monotonic()  # the loop tells whole milliseconds only
            self.clock = self.loop.call_later(PATIENCE, self._late)

    def _late(self) -> None:
        self.clock = None
        if self.partial:
            self._refuse(408, f"a request must be complete within {PATIENCE:g} seconds")
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  uvicorn's words
        """Refuse what is not a valid request."""
        if self.size > HEAD:
            self._refuse(431, f"the head of a request may have at most {HEAD} bytes")
        elif len(self.pipeline) >= AHEAD:
            self._refuse(429, f"at most {AHEAD} requests may wait on one connection")
        else:
            self._refuse(400, "this is not a valid request")

    def _refuse(self, status: int, why: str, *, linger: bool = True) -> None:
        """Send the reason once, unless an answer is being sent, and hang up."""
        if self.deaf:
            return
        self.deaf = True
        if self.answering:
            if self.pipeline or self.cycle.response_started:
                self.transport.abort()
                return
            self.cycle.disconnected = True  # the refusal takes the place of its answer
            self.cycle.message_event.set()
        head = [
            STATUS_LINE[status],
            b"content-type: text/plain\r\nconnection: close\r\n",
            b"content-length: %d\r\n\r\n" % (len(why) + 1),
        ]
        self.transport.write(b"".join(head) + why.encode() + b"\n")
        if not linger:
            self.transport.close()
            return
        self.transport.write_eof()
        self.loop.call_later(LINGER, self.transport.abort)

    # Clients that do not read, and clients that have gone
    def pause_writing(self) -> None:
        """The client leaves too much unread; it may do so for a while."""
        super().pause_writing()
        if self.stuck is None:
            self.stuck = self.loop.call_later(STUCK, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._unstick()

    def _unstick(self) -> None:
        if self.stuck:
            self.stuck.cancel()
            self.stuck = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone: stop whatever is still being answered."""
        if self.clock:
            self.clock.cancel()
        self._unstick()
        connections.gone(self.caller)
        for cycle in self.unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)


class Together:
    """A transport that sends an answer's head together with the beginning of its body.

    Each piece that is sent costs the system, and whoever reads it, as much as a small answer.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        """Nothing is sent yet."""
        self.transport, self.loop = transport, loop
        self.is_closing = transport.is_closing
        self.head: bytes | None = None
        self.begun = False

    def write(self, data: bytes) -> None:
        """Send something; the first piece waits for what follows at once."""
        if not self.begun:
            self.head, self.begun = data, True
            self.loop.call_soon(self.flush)
            return
        if self.head is not None:
            data, self.head = self.head + data, None
        self.transport.write(data)

    def flush(self) -> None:
        """Send what waits."""
        head, self.head = self.head, None
        if head is not None and not self.transport.is_closing():
            self.transport.write(head)

    def close(self) -> None:
        """Hang up once all is sent."""
        self.flush()
        self.transport.close()
