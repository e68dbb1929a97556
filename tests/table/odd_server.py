"""A server that plays as it should, but for one odd answer."""

import http.server
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from yegg.engine import Match

KEY = "A" * 22
Odd = Callable[["Handler"], object]


def fields(match: Match, seat: int) -> dict[str, Any]:
    """A position as the HTTP interface has it."""
    state = match.known_to(seat)[0]
    return {name: state[name].tolist() for name in state.dtype.names if name != "_pad"}


def table(match: Match, seat: int | None = 0) -> dict[str, Any]:
    """A table as a seat sees it."""
    mine = seat is not None and match.actor == seat
    free = {"bot": None, "free": seat is None, "ready": True}
    names = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"][: match.players]
    return {
        "id": KEY,
        "game": match.game.name,
        "name": "A table",
        "options": match.options,
        "seats": [{"seat": i + 1, "name": name} | free for i, name in enumerate(names)],
        "begun": True,
        "over": False,
        "turn": [match.actor + 1],
        "question": "?",
        "scores": match.scores,
        "places": None,
        "position": fields(match, seat or 0),
        "happened": [],
        "number": len(match.history),
        "seat": None if seat is None else seat + 1,
        "choices": [{"choice": c, "text": t} for t, c in match.texts.items()] if mine else [],
        "orders": [],
    }


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers what a client of one seat asks; ``server.odd`` answers some paths instead."""

    server: Any
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        asked = self.path.rpartition("/")[2]
        asked = "table" if asked == KEY else asked
        self.server.asked.append(asked)
        if asked in self.server.odd:
            self.close_connection = True
            with suppress(OSError):  # they have hung up
                self.server.odd[asked](self)
            return
        self.tell(self.server.usual[asked])

    do_POST = do_GET  # noqa: N815  as the library calls it

    def tell(self, answer: object, status: int = 200, **head: str) -> None:
        """An answer; of a string or bytes as they are, of anything else as JSON."""
        raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.start({"content-length": str(len(raw))} | head, status)
        self.wfile.write(raw)

    def start(self, head: dict[str, str], status: int = 200) -> None:
        """The head of an answer."""
        self.send_response(status)
        for name, value in head.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def event(seen: object) -> bytes:
    """A view in a stream of events."""
    return b"event: view\ndata: " + json.dumps(seen).encode() + b"\n\n"


@contextmanager
def serving(odd: dict[str, Odd], match: Match, **changed: object) -> Iterator[Any]:
    """A running server, whose views of the seat are ``changed``; ``link`` leads to its table."""
    server: Any = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.odd, server.asked = True, odd, []
    server.base = f"http://127.0.0.1:{server.server_port}"
    server.link = f"{server.base}/t/{KEY}"
    over = table(match) | {"over": True, "places": [1, 2], "choices": []}
    server.usual = {
        "table": table(match, None),
        "about": {"games": {match.game.name: {"version": match.game.version}}, "bots": []},
        "tokens": {"token": "abc"},
        "dice": {"promise": None},
        "join": {"id": KEY, "seat": 1},
        "choices": {"number": 1},
        "leave": {},
    }
    stream = event(table(match) | changed) + event(over)
    odd.setdefault("events", lambda to: (to.start({"connection": "close"}), to.wfile.write(stream)))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
