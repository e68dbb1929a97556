"""What a server answers, each with a bound: whoever answers need not be a server of yegg."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx
import msgspec

from yegg.engine import Refused
from yegg.text.untrusted import quoted

LARGEST = 1 << 20  # bytes of an answer, or of an event
LONGEST = 60.0  # seconds until a whole answer is there
LONGEST_PAUSE = 10.0  # seconds between two tries to reach a server that is away
LONGEST_WAIT = 600.0  # seconds that a server may ask to wait
LONGEST_BUSY = 3600.0  # seconds that a server may be busy without a pause
SILENT_ENDS = 5  # streams of events in a row that end before the first one
PLAIN = {"accept-encoding": "identity"}  # what is packed could unpack to any size
T = TypeVar("T")


class Elsewhere(Refused):
    """Somebody else than a server of yegg answers."""

    def __init__(self, url: str, why: str) -> None:
        """``why`` says what it answers."""
        super().__init__(f"what answers at {url} is no server of yegg: {why}")


def decoded(url: str, raw: bytes, kind: type[T]) -> T:
    """An answer as what it should be.  Raises Elsewhere."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except RecursionError:
        raise Elsewhere(url, "its answer is nested too deeply") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise Elsewhere(url, quoted(str(error))) from None


def pieces(url: str, answer: httpx.Response) -> Iterator[bytes]:
    """The bytes of an answer as they come.  Raises Elsewhere if they are packed."""
    packed = answer.headers.get("content-encoding", "identity")
    if packed.lower() != "identity":
        raise Elsewhere(url, f"its answer is packed ({quoted(packed)}), which nobody asked for")
    yield from answer.iter_raw()


def body(url: str, answer: httpx.Response) -> bytes:
    """A whole answer.  Raises Elsewhere if it is too long."""
    if answer.is_redirect:
        there = quoted(answer.headers.get("location", ""))
        raise Elsewhere(url, f"it sends everybody on to {there}")
    whole = bytearray()
    for piece in pieces(url, answer):
        whole += piece
        if len(whole) > LARGEST:
            raise too_long(url)
    return bytes(whole)


def events(url: str, answer: httpx.Response) -> Iterator[bytes]:
    """The data of each event of a stream, once it is whole.  Raises Elsewhere."""
    data: list[bytes] = []
    line, size = bytearray(), 0
    for piece in pieces(url, answer):
        line += piece
        size += len(piece)
        if b"\n" in piece:
            *lines, line = line.split(b"\n")
            for each in lines:
                each = each.removesuffix(b"\r")  # noqa: PLW2901  an end of a line may be two bytes
                if each.startswith(b"data: "):
                    data.append(bytes(each[6:]))
                elif not each:  # only an empty line says that an event is whole
                    if data:
                        yield b"\n".join(data)
                    data.clear()
                    size = len(line)
        if size > LARGEST:
            raise too_long(url)


def too_long(url: str) -> Elsewhere:
    """The error for an answer or an event without an end."""
    return Elsewhere(url, f"an answer has more than {LARGEST:,} bytes")


@contextmanager
def hurried(http: httpx.Client, url: str) -> Iterator[None]:
    """Whoever answers too slowly is hung up on.  Raises Elsewhere then; nothing else is changed."""
    late = threading.Event()

    def hang_up() -> None:
        late.set()
        http.close()

    clock = threading.Timer(LONGEST, hang_up)
    clock.daemon = True
    clock.start()
    try:
        yield
    except (httpx.HTTPError, OSError, RuntimeError):
        if late.is_set():
            raise Elsewhere(url, f"an answer was not whole after {LONGEST:g} s") from None
        raise
    finally:
        clock.cancel()


class Patience:
    """How long to wait for a server that is away or busy, again and again."""

    def __init__(self, url: str) -> None:
        """Nothing was asked yet."""
        self.url = url
        self.answered()

    def answered(self) -> None:
        """The server has answered: the next pause is short again."""
        self.pause, self.busy, self.silent = 0.2, 0.0, 0

    def rest(self, seconds: float = 0.0) -> None:
        """Wait: ever longer, up to `LONGEST_PAUSE`, and at least so many seconds."""
        time.sleep(max(seconds, self.pause))
        self.pause = min(LONGEST_PAUSE, 2 * self.pause)

    def when_busy(self, answer: httpx.Response) -> None:
        """Wait as a busy server asks.  Raises Refused if that is too long."""
        seconds = asked_to_wait(answer.headers.get("retry-after", ""))
        if seconds > LONGEST_WAIT:
            raise Refused(
                f"the server at {self.url} is busy, and asks to wait for more than "
                f"{LONGEST_WAIT / 60:g} minutes: try again later"
            )
        self.busy += max(seconds, self.pause)
        if self.busy > LONGEST_BUSY:
            minutes = LONGEST_BUSY / 60
            raise Refused(f"the server at {self.url} has been busy for {minutes:g} minutes")
        self.rest(seconds)

    def when_silent(self) -> None:
        """A stream has ended before its first event.  Raises Elsewhere in the end."""
        self.silent += 1
        if self.silent >= SILENT_ENDS:
            raise Elsewhere(self.url, "its streams of events are empty")


def asked_to_wait(said: str) -> float:
    """The seconds of a ``Retry-After``: a number or a date (RFC 9110); 0 where it is neither.

    >>> asked_to_wait("7"), asked_to_wait("NaN"), asked_to_wait("-1")
    (7.0, 0.0, 0.0)
    """
    if said.isascii() and said.isdigit():
        return float(said)
    try:
        when: Any = parsedate_to_datetime(said)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, float((when - datetime.now(UTC)).total_seconds()))
    except (TypeError, ValueError, OverflowError, IndexError):
        return 0.0


def away(error: httpx.TransportError) -> bool:
    """Whether an error means that the server is away, and not that it talks something else."""
    if not isinstance(error, httpx.RemoteProtocolError | httpx.LocalProtocolError):
        return True
    return "disconnected" in str(error) or "closed" in str(error)
