"""A fast path for choices of scripts, around the web framework.

It takes only plainly valid requests.  Every other one goes to the framework, which says what is
wrong with it.
"""

import re
from collections.abc import Mapping

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send

from yegg.engine import Refused
from yegg.table.accounts.tokens import Person
from yegg.table.networks import caller
from yegg.table.rate_limits import Limits
from yegg.table.refusals import HttpRefusal
from yegg.table.service.registry import Registry

from .actions import choose_at_once
from .bodies import Choice
from .requests import Asker

PATH = re.compile(r"/api/games/([A-Za-z0-9_-]{22})/choices")
SMALL = 400  # bytes of a choice
BEARER = b"Bearer "
heard = msgspec.json.Decoder(Choice).decode


class FastChoices:
    """Takes choices that come with a bearer token."""

    def __init__(self, app: ASGIApp, registry: Registry, limits: Limits) -> None:
        """``app`` takes all other requests; it has the same tables and limits."""
        self.app, self.registry, self.limits = app, registry, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, here or by the framework."""
        if scope["type"] == ScopeType.HTTP and scope["method"] == "POST":
            path, head = PATH.fullmatch(scope["path"]), dict(scope["headers"])
            if path and path[1] in self.registry.tables and (said := bearer_of(head)):
                body = await body_of(receive)
                address = caller((scope["client"] or ("", 0))[0])
                if await self.served(path[1], said, body, address, send):
                    return
                receive = as_it_came(body, receive)
        await self.app(scope, receive, send)

    async def served(self, key: str, said: str, body: bytes, address: str, send: Send) -> bool:
        """Make the choice and answer; False if it is refused: whatever happens, it is made once."""
        token = self.registry.tokens.at_once(said) or ""
        whose = self.registry.whose(token, key) if token else None
        if whose is None or whose in self.registry.guests.people:
            return False
        me = Person(whose, token, by_cookie=False)
        try:
            choice = heard(body)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return False
        try:
            who = Asker(self.registry, self.limits, address, me)
            kept = await choose_at_once(who, key, choice)
        except (HttpRefusal, Refused):
            return False
        answer = msgspec.json.encode(kept)
        head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": answer, "more_body": False})
        return True


def bearer_of(head: Mapping[bytes, bytes]) -> str | None:
    """The bearer token of a small request; None for any other request."""
    bearer, size = head.get(b"authorization", b""), head.get(b"content-length", b"")
    if bearer.startswith(BEARER) and size.isdigit() and int(size) <= SMALL:
        return bearer.removeprefix(BEARER).strip().decode("latin-1")
    return None


async def body_of(receive: Receive) -> bytes:
    """A request's body, or the part that arrived before the client went away."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body


def as_it_came(body: bytes, receive: Receive) -> Receive:
    """A `receive` that first gives a body that was already read."""
    given = False

    async def give() -> HTTPReceiveMessage:
        nonlocal given
        if given:
            return await receive()  # type: ignore[return-value]
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return give
