"""A server and a seat at a table as typed requests, which are repeated while it is away."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Annotated, Any, Self, TypeVar

import httpx
import msgspec
from msgspec import Meta

from yegg.engine import Refused
from yegg.engine.record import SIDES
from yegg.text.untrusted import quoted

from .answers import PLAIN, Elsewhere, Patience, away, body, decoded, events, hurried

TIMES = httpx.Timeout(10, read=20)  # seconds; a stream of events sends something every 15
BUSY = (429, 502, 503, 504)  # ask again later
SHOWN = 500  # characters of a refusal
T = TypeVar("T")
Number = Annotated[int, Meta(ge=-(2**31), lt=2**31)]
From1 = Annotated[int, Meta(ge=1, le=SIDES)]
Text = Annotated[str, Meta(max_length=20_000)]
Name = Annotated[str, Meta(max_length=1000)]
Key = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,100}$")]
Seats = Annotated[list[From1], Meta(max_length=SIDES)]


class Gone(Refused):
    """The server refused: there is no such table, no free seat, or it is not your turn."""

    def __init__(self, status: int, why: str, seat: int | None = None) -> None:
        """``status`` is that of HTTP; ``seat``, from 1, is the one that you have already."""
        super().__init__(why)
        self.status, self.seat = status, seat


class Place(msgspec.Struct):
    """A seat and who sits there; ``seat`` counts from 1."""

    seat: From1
    name: Name
    bot: Name | None
    free: bool
    ready: bool


class Legal(msgspec.Struct):
    """A choice that you may make."""

    choice: Number
    text: Text


class Happened(msgspec.Struct):
    """An event; ``seat`` None is chance, the text ``-`` is something that you may not know."""

    seat: From1 | None
    text: Text


class Table(msgspec.Struct):
    """A table as your seat sees it; docs/script-a-table.md describes the fields."""

    id: Key
    game: Name
    name: Name
    options: dict[Name, Name]
    seats: Annotated[list[Place], Meta(max_length=SIDES)]
    begun: bool
    over: bool
    turn: Seats
    question: Text
    scores: Annotated[list[Number], Meta(max_length=SIDES)]
    places: Seats | None
    position: dict[Name, Any]
    happened: list[Happened]
    number: Number
    seat: From1 | None
    choices: list[Legal]
    orders: list[Text]


class Listed(msgspec.Struct):
    """A table in the lobby."""

    id: Key
    game: Name
    title: Name
    name: Name
    seats: Number
    taken: Number
    over: bool


class _Dice(msgspec.Struct):
    promise: Name | None


class _Token(msgspec.Struct):
    token: Annotated[str, Meta(pattern=r"^[!-~]{1,200}$")]


class _Number(msgspec.Struct):
    number: Number


class _Lobby(msgspec.Struct):
    tables: list[Listed]


class _Seated(msgspec.Struct):
    id: Key
    seat: From1 | None


class _Why(msgspec.Struct):
    why: str
    seat: From1 | None = None


class Server:
    """A server by its address, as in ``https://games.example``."""

    def __init__(self, url: str) -> None:
        """It connects when something is asked.  Raises Refused if ``url`` is no address."""
        self.url = url.rstrip("/")
        if not self.url.startswith(("http://", "https://")):
            raise Refused(f"{quoted(url)} is no server's address, as in http://localhost:8000")
        try:
            self.http = httpx.Client(base_url=f"{self.url}/api", timeout=TIMES, headers=PLAIN)
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
        token: str = "",
        **wishes: bool,
    ) -> "Seat":
        """Open a table and sit down at it; ``you`` is your name there, or "" for Guest.

        ``seats`` says for each seat ``open``, ``me`` or a bot's name; without ``me`` you only
        open it.  The seat's ``token`` is a fresh one if you have none.  ``wishes`` are the fields
        ``odds``, ``listed`` and ``shuffled``, as docs/script-a-table.md describes them.
        """
        token, salt = token or self.token(), secrets.token_urlsafe(16)
        body = {"game": game, "seats": seats, "options": options or {}, "salt": salt}
        body |= {"you": you} if you else {}
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

    def ask(
        self, kind: type[T], method: str, path: str, given: object = None, token: str = ""
    ) -> T:
        """Send a request, again and again while the server is away, busy or starting.

        Raises Gone; Refused if nobody answers at this address, or somebody else than yegg, or if
        the server is busy for too long.
        """
        return decoded(self.url, self.fetch(method, path, given, token), kind)

    def fetch(self, method: str, path: str, given: object = None, token: str = "") -> bytes:
        """As `ask`, but the answer is not read yet."""
        head, patience = bearer(token) if token else {}, Patience(self.url)
        while True:
            try:
                with (
                    hurried(self.http, self.url),
                    self.http.stream(method, path, json=given, headers=head) as answer,
                ):
                    self.reached = True
                    if answer.status_code not in BUSY:
                        return self.taken(answer)
                patience.when_busy(answer)
            except httpx.TransportError as error:
                self.missed(error)
                patience.rest()
            finally:
                self.http.cookies.clear()

    def taken(self, answer: httpx.Response) -> bytes:
        """A whole answer.  Raises Gone if it is a refusal, and Refused if it is no answer."""
        whole = body(self.url, answer)
        if answer.status_code >= 400:
            raise refusal(answer.status_code, whole)
        return whole

    def missed(self, error: httpx.TransportError) -> None:
        """Nothing came.  Raises Refused, unless the server has answered before and is away now."""
        if not self.reached:
            raise Refused(f"nobody answers at {self.url}: {quoted(str(error))}") from None
        if not away(error):
            raise Elsewhere(self.url, quoted(str(error))) from None


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

    @property
    def link(self) -> str:
        """The table's address: for a browser, for `yegg sit`, and to invite people."""
        return f"{self.server.url}/t/{self.table}"

    def look(self) -> Table:
        """The table as it is now."""
        return self._ask(Table, "GET", "")

    def choose(self, choice: str | int, after: int) -> int:
        """Make a choice, by its text or number; ``after`` is `Table.number` as you saw it.

        Returns the number of the newest event.  Raises Gone, and nothing is played, if the
        choice is not legal or the table has moved on.
        """
        body = {"choice": choice, "after": after}
        return self._ask(_Number, "POST", "/choices", body).number

    def odds(self) -> dict[str, Any]:
        """The odds behind each of your choices.  Raises Gone where the table does not show them."""
        return self._ask(dict[str, Any], "GET", "/odds")

    def take_back(self) -> None:
        """Play again where the others at the table have let a bot play for you meanwhile."""
        self._ask(dict[str, int], "POST", "/hand", {"bot": None})

    def leave(self) -> None:
        """Leave the seat; somebody else can take it."""
        self._ask(dict[str, int], "POST", "/leave")

    def record(self) -> str:
        """The record of the game, as this seat may know it."""
        path = f"/games/{self.table}/record"
        return self.server.fetch("GET", path, token=self.token).decode(errors="replace")

    def news(self) -> Iterator[Table]:
        """The table as it is now, and again whenever something happens, until the game is over.

        If the connection is lost, or 20 seconds pass without a sign of life, it connects again,
        after ever longer pauses.  Raises Gone if the server says that there is no such table, and
        Refused if somebody else than yegg answers.
        """
        patience = Patience(self.server.url)
        while True:
            try:
                for table in self._stream(patience):
                    patience.answered()
                    yield table
                    if table.over:
                        return
            except httpx.ReadTimeout:  # by asking, a proxy finds out which process is silent
                yield self.look()
            except httpx.TransportError as error:
                self.server.missed(error)
            patience.rest()

    def _stream(self, patience: Patience) -> Iterator[Table]:
        server, heard = self.server, False
        head = bearer(self.token) | {"accept": "text/event-stream"}
        path, clock = f"/games/{self.table}/events", ExitStack()
        with clock:
            clock.enter_context(hurried(server.http, server.url))
            with server.http.stream("GET", path, headers=head) as answer:
                server.reached = True
                if answer.status_code not in BUSY:
                    if answer.status_code != 200:
                        server.taken(answer)
                        raise Elsewhere(server.url, f"it answered {answer.status_code}")
                    clock.close()  # from here on it may take its time
                    for data in events(server.url, answer):
                        heard = True
                        yield decoded(server.url, data, Table)
        if answer.status_code in BUSY:
            patience.when_busy(answer)
        elif not heard:
            patience.when_silent()

    def _ask(self, kind: type[T], method: str, path: str, given: object = None) -> T:
        return self.server.ask(kind, method, f"/games/{self.table}{path}", given, self.token)


def refusal(status: int, raw: bytes) -> Gone:
    """The server's refusal as an error."""
    try:
        refused = msgspec.json.decode(raw, type=_Why)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        refused = _Why(f"the server answered {status}")
    why = " ".join(refused.why[:SHOWN].split())
    return Gone(status, why or f"the server answered {status}", refused.seat)


def bearer(token: str) -> dict[str, str]:
    """The header that says whose request it is."""
    return {"authorization": f"Bearer {token}"}
