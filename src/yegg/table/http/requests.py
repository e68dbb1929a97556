"""What happens to every request: who asks, from where, and which headers the answer gets."""

import ipaddress
import re
import socket
from collections.abc import Awaitable
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.datastructures.multi_dicts import FormMultiDict
from litestar.enums import ScopeType
from litestar.exceptions import ClientException
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from yegg.table.accounts.tokens import Person
from yegg.table.notifications.notifier import Teller
from yegg.table.refusals import HttpRefusal
from yegg.table.service.registry import Registry
from yegg.table.settings import Settings

from . import addresses
from .actions import Asker
from .rate_limits import Limits

Asked = Request[Any, Any, State]
COOKIE = "yegg"
HOST = re.compile(rb"(?:([A-Za-z0-9._-]+)|\[([0-9A-Fa-f:.]+)\])(?::([0-9]{1,5}))?")
SAFE = {"GET", "HEAD", "OPTIONS"}
FORGED = "this form is too old, or it is not from this server; load the page again"
NOT_OURS = "this token was not given out here; POST /api/tokens gives you one"
TAKEN_AWAY = "this device was taken away by its owner; load the page again to begin anew"

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Heard(Asked):
    """A request whose body is either understood or refused, whatever bytes it is made of."""

    async def body(self) -> bytes:
        """The body; ``null`` if there is none but one is needed."""
        return await super().body() or (b"null" if self.route_handler.parsed_data_field else b"")

    async def json(self) -> Any:
        """The body's JSON, checked as strictly as in `fast_choices`.  Raises ClientException."""
        data = self.route_handler.parsed_data_field
        try:
            said = whole(msgspec.json.decode(await self.body()))
            return msgspec.convert(said, data.annotation if data else Any)
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


def whole(said: Any) -> Any:
    """The same value, with 3 for 3.0, which are the same in JSON."""
    if isinstance(said, float) and said.is_integer():
        return int(said)
    if isinstance(said, list):
        return [whole(one) for one in said]
    if isinstance(said, dict):
        return {key: whole(value) for key, value in said.items()}
    return said


def registry_of(request: Asked) -> Registry:
    """The tables of the server that answers."""
    registry: Registry = request.app.state.registry
    return registry


def limits_of(request: Asked) -> Limits:
    """The server's limits."""
    limits: Limits = request.app.state.limits
    return limits


def teller_of(request: Asked) -> Teller | None:
    """What tells people of their turns; None where nobody is told."""
    teller: Teller | None = request.app.state.teller
    return teller


def address(request: Asked) -> str:
    """Where a request comes from, as far as limits ask."""
    return addresses.caller(request.client.host if request.client else "")


def once_drawn(request: Asked) -> None:
    """Count a table that is drawn as it was, or in a lesson.  Raises HttpRefusal 429."""
    limits = limits_of(request)
    limits.take(limits.drawing, address(request))


def asking(request: Asked, me: Person | None) -> Asker:
    """Who asks, in the form that `actions` needs."""
    return Asker(registry_of(request), limits_of(request), address(request), me)


def reached_at(request: Asked) -> str:
    """The address of this server for others: the one that the asker's browser used.

    If that was localhost, which others cannot reach, it is the address in the network.
    """
    settings: Settings = request.app.state.settings
    used = request.base_url
    if addresses.is_local(used.hostname or "") and (there := addresses.outside(settings.host)):
        return addresses.url(there[0], settings.port)
    return str(used.with_replacements(scheme="https") if settings.secure else used)


def alone(request: Asked) -> bool:
    """Whether nobody else can reach the server at the address that the asker's browser used."""
    listens = request.app.state.settings.host
    return addresses.is_local(request.base_url.hostname or "") and not addresses.outside(listens)


async def given_out(request: Asked, said: str) -> str:
    """The token that somebody sends.  Raises HttpRefusal 401 if it was not given out here."""
    tokens = registry_of(request).tokens
    if tokens.may_be_old(said):
        limits_of(request).take(limits_of(request).asking, address(request))
        await tokens.look_up(said)
    token = tokens.at_once(said)
    if token is None:
        raise HttpRefusal(401, NOT_OURS)
    return token


async def asker(request: Asked) -> Person | None:
    """Who asks: by bearer's token, else by cookie.

    Raises HttpRefusal 401 for a token that is not good, and 403 for a forged form.
    """
    registry, key = registry_of(request), request.path_params.get("key", "")
    if request.method not in SAFE and request.headers.get("sec-fetch-site") == "cross-site":
        raise HttpRefusal(403, FORGED)  # also from somebody who has no cookie here
    scheme, _, said = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        bearer = await given_out(request, said.strip())
        whose = registry.whose(bearer, key)
        if whose is None:
            raise HttpRefusal(401, "this token was taken away by its owner")
        if request.method not in SAFE:
            registry.guests.check(whose)
        return Person(whose, bearer, by_cookie=False)
    token = registry.signer.token(request.cookies.get(COOKIE))
    whose = registry.whose(token, key) if token else None
    if token is None or (whose is None and request.method in SAFE):
        return None
    if whose is None:
        raise HttpRefusal(403, TAKEN_AWAY)
    person = Person(whose, token, by_cookie=True)
    if request.method not in SAFE:
        registry.guests.check(whose)
        mark = request.headers.get("x-csrf-token")
        if mark is None and "form" in request.headers.get("content-type", ""):
            mark = (await request.form()).get("csrf")
        if not registry.signer.same(str(mark), registry.signer.csrf(person.key)):
            raise HttpRefusal(403, FORGED)
    return person


RAW = [(key.encode(), value.encode()) for key, value in HEADERS.items()]


def guarded(send: Send) -> Send:
    """Put the security headers on every answer, of whatever kind."""

    def pass_on(message: Message) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            headers = [*message["headers"], *RAW]
            if all(name.lower() != b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))  # it may be for one person only
            message["headers"] = headers
        return send(message)

    return pass_on


class HostGuard:
    """Refuses host names that are not this server's; adds the security headers to all answers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """A layer around ``app``."""
        self.app = app
        ours = ("localhost", socket.gethostname(), settings.host, *settings.hosts)
        self.names = {name.lower() for name in ours}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        send = guarded(send)
        if self.known([value for name, value in scope["headers"] if name == b"host"]):
            await self.app(scope, receive, send)
            return
        why = (
            "This server does not accept that host name. "
            "Whoever runs it can allow the name: yegg serve --allow NAME\n"
        )
        await ASGIResponse(body=why.encode(), media_type="text/plain", status_code=400)(
            scope, receive, send
        )

    def known(self, hosts: list[bytes]) -> bool:
        """Whether a host is allowed.  Addresses always are: DNS rebinding needs a name."""
        said = HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if said is None or int(said[3] or 0) > 65_535:
            return False
        try:
            if said[2]:
                ipaddress.IPv6Address(said[2].decode())
                return True
            name = said[1].decode().lower()
            if name not in self.names and "*" not in self.names:
                ipaddress.IPv4Address(name)
        except ValueError:
            return False
        return True
