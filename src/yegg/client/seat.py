"""A server and a seat at a table as typed requests, which are repeated while it is away."""

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar

import httpx
import msgspec

from yegg.engine import Refused
from yegg.text.untrusted import quoted

PATIENCE = httpx.Timeout(10, read=20)  # seconds; a stream of events sends something every 15
BUSY = (429, 502, 503, 504)  # ask again later
LONGEST_PAUSE = 10.0  # seconds between two tries to reach a server that is away
T = TypeVar("T")


class Gone(Refused):
    """The server refused: there is no such table, no free seat, or it is not your turn."""

    def __init__(self, status: int, why: str, seat: int | None = None) -> None:
        """``status`` is that of HTTP; ``seat``, from 1, is the one that you have already."""
        super().__init__(why)
        self.status, self.seat = status, seat


class Place(msgspec.Struct):
    """A seat and who sits there; ``seat`` counts from 1."""

    seat: int
    name: str
    bot: str | None
    free: bool
    ready: bool


class Legal(msgspec.Struct):
    """A choice that you may make."""

    choice: int
    text: str


class Happened(msgspec.Struct):
    """An event; ``seat`` None is chance, the text ``-`` is something that you may not know."""

    seat: int | None
    text: str


class Table(msgspec.Struct):
    """A table as your seat sees it; docs/table.md describes the fields."""

    id: str
    game: str
    name: str
    options: dict[str, str]
    seats: list[Place]
    begun: bool
    over: bool
    turn: list[int]
    question: str
    scores: list[int]
    places: list[int] | None
    position: dict[str, Any]
    happened: list[Happened]
    number: int
    seat: int | None
    choices: list[Legal]
    orders: list[str]


class Listed(msgspec.Struct):
    """A table in the lobby."""

    id: str
    game: str
    title: str
    name: str
    seats: int
    taken: int
    over: bool


class _Dice(msgspec.Struct):
    promise: str | None


class _Token(msgspec.Struct):
    token: str


class _Lobby(msgspec.Struct):
    tables: list[Listed]


class _Seated(msgspec.Struct):
    id: str
    seat: int | None


class _Why(msgspec.Struct):
    why: str
    seat: int | None = None


class Server:
    """A server by its address, as in ``https://games.example``."""

    def __init__(self, url: str) -> None:
        """It connects when something is asked.  Raises Refused if ``url`` is no address."""
        self.url = url.rstrip("/")
        if not self.url.startswith(("http://", "https://")):
            raise Refused(f"{quoted(url)} is no server's address, as in http://localhost:8000")
        try:
            self.http = httpx.Client(base_url=f"{self.url}/api", timeout=PATIENCE)
        except httpx.InvalidURL as error:
            raise Refused(f"{quoted(url)} is no server's address: {error}") from None
        self.reached = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def about(self) -> dict[str, Any]:
        """The games with their options and versions, and the bots."""
        return self.ask(dict[str, Any], "GET", "/about")

    def table(self, key: str) -> Table:
        """A table as those see it who have no seat there.  Raises Gone."""
        return self.ask(Table, "GET", f"/games/{key}")

    def promise(self, key: str) -> str | None:
        """The promise of a table's dice, as docs/dice.md describes it.  Raises Gone."""
        return self.ask(_Dice, "GET", f"/games/{key}/dice").promise

    def token(self) -> str:
        """A token for `join`, which this server has not given to anybody else."""
        return self.ask(_Token, "POST", "/tokens").token

    def open_tables(self) -> list[Listed]:
        """The tables that have a free seat, the newest first."""
        lobby = self.ask(_Lobby, "GET", "/lobby")
        return [table for table in lobby.tables if not table.over and table.taken < table.seats]

    def open(
        self,
        game: str,
        seats: Sequence[str],
        you: str,
        options: Mapping[str, str] | None = None,
        **wishes: bool,
    ) -> "Seat":
        """Open a table and sit down at it; ``you`` is your name there.

        ``seats`` says for each seat ``open``, ``me`` or a bot's name.  ``wishes`` are the fields
        ``odds``, ``listed`` and ``shuffled``, as docs/table.md describes them.
        """
        token, salt = self.token(), secrets.token_urlsafe(16)
        body = {"game": game, "seats": seats, "you": you, "options": options or {}, "salt": salt}
        table = self.ask(_Seated, "POST", "/games", wishes | body, token)
        return Seat(self, table.id, token, salt)

    def join(self, table: str, you: str, seat: int | None = None, token: str = "") -> "Seat":
        """Take a free seat, or go on with the seat whose ``token`` you have.

        ``seat`` counts from 1; None is any.  The token is there before the seat is taken, so a
        lost answer costs no seat.  Raises Gone if there is no free seat.
        """
        token, salt = token or self.token(), secrets.token_urlsafe(16)
        promise = self.promise(table)
        try:
            body = {"you": you, "seat": seat, "salt": salt}
            self.ask(_Seated, "POST", f"/games/{table}/join", body, token)
        except Gone as gone:
            if gone.seat is None:
                raise
            salt = ""  # whoever sat down there has given one
        return Seat(self, table, token, salt, promise)

    def ask(self, kind: type[T], method: str, path: str, body: object = None, token: str = "") -> T:
        """Send a request, again and again while the server is away, busy or starting.

        Raises Gone; Refused if nobody answers at this address, or somebody else than yegg.
        """
        head = bearer(token) if token else {}
        for pause in pauses():
            try:
                answer = self.http.request(method, path, json=body, headers=head)
            except httpx.TransportError as error:
                if not self.reached:
                    raise Refused(f"nobody answers at {self.url}: {error}") from None
                time.sleep(pause)
                continue
            self.reached = True
            if answer.status_code in BUSY:
                time.sleep(float(answer.headers.get("retry-after", pause)))
                continue
            if answer.status_code >= 400:
                raise refusal(answer)
            try:
                return msgspec.json.decode(answer.content, type=kind)
            except msgspec.MsgspecError:
                raise Refused(f"what answers at {self.url} is no server of yegg") from None
        raise AssertionError("pauses never end")


class Seat:
    """Your seat at a table.  Whoever knows the token has the seat."""

    def __init__(
        self, server: Server, table: str, token: str, salt: str = "", promise: str | None = None
    ) -> None:
        """Keep ``token``: with it another process can go on with the seat.

        ``salt`` is what was given to the dice, and ``promise`` what was promised of them before;
        docs/dice.md describes both.
        """
        self.server, self.table, self.token = server, table, token
        self.salt, self.promise = salt, promise

    def look(self) -> Table:
        """The table as it is now."""
        return self._ask(Table, "GET", "")

    def choose(self, choice: str | int, after: int) -> int:
        """Make a choice, by its text or number; ``after`` is `Table.number` as you saw it.

        Returns the number of the newest event.  Raises Gone, and nothing is played, if the
        choice is not legal or the table has moved on.
        """
        body = {"choice": choice, "after": after}
        return self._ask(dict[str, int], "POST", "/choices", body)["number"]

    def take_back(self) -> None:
        """Play again where the others at the table have let a bot play for you meanwhile."""
        self._ask(dict[str, int], "POST", "/hand", {"bot": None})

    def leave(self) -> None:
        """Leave the seat; somebody else can take it."""
        self._ask(dict[str, int], "POST", "/leave")

    def record(self) -> str:
        """The record of the game, as this seat may know it."""
        path = f"/games/{self.table}/record"
        return self.server.http.get(path, headers=bearer(self.token)).text

    def news(self) -> Iterator[Table]:
        """The table as it is now, and again whenever something happens, until the game is over.

        If the connection is lost, or 20 seconds pass without a sign of life, it connects again,
        after ever longer pauses.  Raises Gone if the server says that there is no such table.
        """
        tries = pauses()
        while True:
            try:
                for table in self._stream():
                    tries = pauses()
                    yield table
                    if table.over:
                        return
            except httpx.ReadTimeout:  # by asking, a proxy finds out which process is silent
                yield self.look()
            except httpx.TransportError:
                pass
            time.sleep(next(tries))

    def _stream(self) -> Iterator[Table]:
        head = bearer(self.token) | {"accept": "text/event-stream"}
        path = f"/games/{self.table}/events"
        with self.server.http.stream("GET", path, headers=head) as answer:
            if answer.status_code in BUSY:
                return
            if answer.status_code >= 400:
                answer.read()
                raise refusal(answer)
            data: list[str] = []
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    data.append(line[6:])
                elif not line and data:  # only an empty line says that an event is whole
                    yield msgspec.json.decode("\n".join(data), type=Table)
                    data.clear()

    def _ask(self, kind: type[T], method: str, path: str, body: object = None) -> T:
        return self.server.ask(kind, method, f"/games/{self.table}{path}", body, self.token)


def refusal(answer: httpx.Response) -> Gone:
    """The server's refusal as an error."""
    try:
        refused = msgspec.json.decode(answer.content, type=_Why)
    except msgspec.MsgspecError:
        refused = _Why(f"the server answered {answer.status_code}")
    return Gone(answer.status_code, refused.why, refused.seat)


def bearer(token: str) -> dict[str, str]:
    """The header that says whose request it is."""
    return {"authorization": f"Bearer {token}"}


def pauses() -> Iterator[float]:
    """The seconds to wait before each next try: ever more, up to `LONGEST_PAUSE`."""
    pause = 0.2
    while True:
        yield pause
        pause = min(LONGEST_PAUSE, 2 * pause)
