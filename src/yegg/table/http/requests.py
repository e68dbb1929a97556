"""Requests: bodies are read, and who asks is found by cookie or bearer token."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar

import msgspec
import sqlalchemy as sa
from litestar import Request
from litestar.datastructures import State
from litestar.datastructures.multi_dicts import FormMultiDict
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from litestar.params import FromPath, Parameter

from yegg.table import networks
from yegg.table.accounts.tokens import Person, digest, new_token
from yegg.table.notifications.notifier import Notifier
from yegg.table.rate_limits import Buckets, Limits, Open
from yegg.table.refusals import NO_SEAT, HttpRefusal
from yegg.table.service import evenings
from yegg.table.service.challenges import shut_to
from yegg.table.service.registry import Registry
from yegg.table.service.table import Table
from yegg.table.storage.database import Tell
from yegg.table.storage.store import Taken, Unread, Unwritten

Asked = Request[Any, Any, State]
T = TypeVar("T")
COOKIE = "yegg"
SAFE = {"GET", "HEAD", "OPTIONS"}
FORGED = "this form is too old, or it is not from this server; load the page again"
NO_COOKIE = "your browser sent no cookie: allow cookies here, and load the page again"
NOT_OURS = "this token was not given out here; POST /api/tokens gives you one"
TAKEN_AWAY = "this device was taken away by its owner; load the page again to begin anew"


class Heard(Asked):
    """A request whose body is either parsed or refused, whatever bytes it is made of."""

    async def body(self) -> bytes:
        """The body; ``null`` if there is none but one is needed."""
        return await super().body() or (b"null" if self.route_handler.parsed_data_field else b"")

    async def json(self) -> Any:
        """The body's JSON, checked as strictly as in `fast_choices`.  Raises ClientException."""
        data = self.route_handler.parsed_data_field
        try:
            value = whole(msgspec.json.decode(await self.body()))
            return msgspec.convert(value, data.annotation if data else Any)
        except msgspec.MsgspecError as error:
            raise ClientException(str(error)) from None
        except UnicodeError:
            raise ClientException("the body is not UTF-8") from None
        except RecursionError:
            raise ClientException("the body is nested too deep") from None

    async def form(self) -> FormMultiDict:
        """The fields of a form.  Raises ClientException."""
        try:
            return await super().form()
        except (UnicodeError, LookupError):  # a part may name an encoding that nobody knows
            raise ClientException("the form is not UTF-8") from None


def whole(value: Any) -> Any:
    """The same value, with 3 for 3.0, which are the same in JSON."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    return value


def registry_of(request: Asked) -> Registry:
    """The tables of the server that answers."""
    registry: Registry = request.app.state.registry
    return registry


class Asker:
    """The sender of a request, and the server that it was sent to."""

    def __init__(self, registry: Registry, limits: Limits, address: str, me: Person | None) -> None:
        """``address`` is that for which limits count; ``me`` is None for somebody without token."""
        self.registry, self.limits, self.address, self.me = registry, limits, address, me
        self.store = registry.store

    @property
    def person(self) -> str | None:
        """The person who sends the request."""
        return self.me.id if self.me else None

    def count(self, limit: Buckets | Open, whose: str = "") -> None:
        """Count a request, by default of the asker's address.  Raises HttpRefusal 429."""
        self.limits.take(limit, whose or self.address)

    def table(self, key: str) -> Table:
        """A table as the asker is to see it.  Raises HttpRefusal 403, 404, 410."""
        table = self.registry.table(key)
        if why := shut_to(table, self.person):
            raise HttpRefusal(403, why)
        return self.registry.delays.seen_by(table, self.person)

    def seat(self, key: str) -> tuple[Table, int]:
        """The asker's seat, for doing something there.  Raises HttpRefusal 401 without one."""
        table = self.table(key)
        seat = table.now.seat_of(self.person)
        if seat < 0:
            raise HttpRefusal(401, NO_SEAT)
        table.hear(seat)
        self.count(self.limits.choosing, f"{key}{seat}")
        return table, seat

    def to_arrange(self, key: str) -> tuple[Table, int]:
        """The asker's seat, for something beside the game of which everybody there is told.

        Raises HttpRefusal 401, 429.
        """
        table, seat = self.seat(key)
        self.count(self.limits.arranging, f"{key}{seat}")
        return table, seat

    async def change(self, what: Callable[[sa.Connection, Tell], T]) -> T:
        """Change something about people, on disk and here.  Raises HttpRefusal 503."""
        try:
            return await self.registry.keyring.change(self.store, what)
        except (Taken, Unwritten, Unread):
            raise HttpRefusal(503, "this could not be saved; try again") from None


class Visitor(Asker):
    """The sender of a request that the framework has read."""

    by_form = False
    """Whether a page's form asks, and not the API."""

    def __init__(self, request: Asked, me: Person | None = None) -> None:
        """``me`` is None for somebody without token, and where it does not matter who asks."""
        state, host = request.app.state, request.client.host if request.client else ""
        super().__init__(state.registry, state.limits, networks.caller(host), me)
        self.request = request

    @property
    def notifier(self) -> Notifier | None:
        """The notifier; None where nobody is told."""
        notifier: Notifier | None = self.request.app.state.notifier
        return notifier

    @property
    def home(self) -> str:
        """The address of this server for others: the one that the asker's browser used.

        If that was localhost, which others cannot reach, it is the address in the network.
        """
        settings, used = self.request.app.state.settings, self.request.base_url
        outside = networks.outside(settings.host) if self.here else []
        if outside:
            return networks.url(outside[0], settings.port)
        return str(used.with_replacements(scheme="https") if settings.secure else used)

    @property
    def here(self) -> bool:
        """Whether the asker's browser is on the machine of this server."""
        return networks.is_local(self.request.base_url.hostname or "")

    @property
    def alone(self) -> bool:
        """Whether nobody else can reach the server at the address that the browser used."""
        return self.here and not networks.outside(self.request.app.state.settings.host)

    def link(self, key: str) -> str:
        """The link of a table, to send to friends."""
        return f"{self.home}t/{key}"

    def sender(self) -> Person:
        """The sender of a form.  Raises HttpRefusal 403 if the browser sent no cookie from here."""
        if self.me is None:
            raise HttpRefusal(403, NO_COOKIE)
        return self.me

    def newcomer(self) -> tuple[str, str | None]:
        """The asker's id, and a new token if a script came without one.  Raises HttpRefusal 403."""
        if self.me or self.by_form:
            return self.sender().id, None
        token = new_token()
        return digest(token), self.registry.signer.signed(token)

    async def sat_down(self) -> str:
        """The asker's id; a script's must have a seat somewhere.

        Raises HttpRefusal 401, 403, and Unread.
        """
        if self.me is None and not self.by_form:
            raise HttpRefusal(401, "nobody knows who you are: send your token")
        person = self.sender().id
        known = self.by_form or bool(await self.store.aside(self.store.of_person, person, 1))
        if not known and not await self.store.query(partial(evenings.of_person, person=person)):
            raise HttpRefusal(401, "nobody has sat down anywhere with this token")
        return person

    def draws_anew(self) -> None:
        """Count a table that is drawn as it was, or in a lesson.  Raises HttpRefusal 429."""
        self.count(self.limits.drawing)


Who = NamedDependency[Visitor]
Key = FromPath[
    Annotated[str, Parameter(pattern="^[A-Za-z0-9_-]{22}$", description="a table's key")]
]


async def visitor(request: Asked) -> Visitor:
    """The sender of a request, with the table that it names as they are to see it.

    Raises HttpRefusal as `sender_of`, and Unread.
    """
    who = await sender_of(request)
    if table := who.registry.tables.get(request.path_params.get("key", "")):
        await who.registry.delays.made_ready(table, who.person)
    return who


FOR_THE_BLOCKED = "for the blocked"
"""Set in the ``opt`` of a route: who is blocked may do that, too."""


def refuse_blocked(request: Asked, person: str) -> None:
    """Refuse what somebody does who is blocked, but where a route is for them, too.

    Raises HttpRefusal 403.
    """
    if request.method not in SAFE and not request.route_handler.opt.get(FOR_THE_BLOCKED):
        registry_of(request).guests.check(person)


async def sender_of(request: Asked) -> Visitor:
    """The sender of a request, by bearer token, else by cookie.

    Raises HttpRefusal 401 for a token that is not good, and 403 for a forged form.
    """
    registry, key = registry_of(request), request.path_params.get("key", "")
    if request.method not in SAFE and request.headers.get("sec-fetch-site") == "cross-site":
        raise HttpRefusal(403, FORGED)  # also from somebody who has no cookie here
    scheme, _, signed = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        bearer = await given_out(Visitor(request), signed.strip())
        whose = registry.whose(bearer, key)
        if whose is None:
            raise HttpRefusal(401, "this token was taken away by its owner")
        refuse_blocked(request, whose)
        return Visitor(request, Person(whose, bearer, by_cookie=False))
    token = registry.signer.token(request.cookies.get(COOKIE))
    whose = registry.whose(token, key) if token else None
    if "form" in request.headers.get("content-type", "") and "x-csrf-token" not in request.headers:
        request.state.sender = digest(token) if token and whose else ""
    if token is None or (whose is None and request.method in SAFE):
        return Visitor(request)
    if whose is None:
        raise HttpRefusal(403, TAKEN_AWAY)
    person = Person(whose, token, by_cookie=True)
    refuse_blocked(request, whose)
    if request.method not in SAFE:
        mark = request.headers.get("x-csrf-token")
        if mark is None and "form" in request.headers.get("content-type", ""):
            mark = (await request.form()).get("csrf")
        if not registry.signer.same(str(mark), registry.signer.csrf(person.key)):
            raise HttpRefusal(403, FORGED)
    return Visitor(request, person)


async def given_out(who: Visitor, signed: str) -> str:
    """The token that somebody sends.  Raises HttpRefusal 401 if it was not given out here."""
    tokens = who.registry.tokens
    if tokens.may_be_old(signed):
        who.count(who.limits.asking)
        await tokens.look_up(signed)
    token = tokens.at_once(signed)
    if token is None:
        raise HttpRefusal(401, NOT_OURS)
    return token
