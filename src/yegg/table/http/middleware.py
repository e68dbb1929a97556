"""Middleware: host names, blocked addresses, security headers, HEAD requests.

Why these are not Litestar's own is told in docs/decisions/0013-litestar.md.
"""

import ipaddress
import re
import socket
from collections.abc import Awaitable

from litestar.enums import ScopeType
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from yegg.table.service.block_list import NOT_HERE, BlockList
from yegg.table.settings import Settings
from yegg.text.phrases import capital

HOST = re.compile(rb"(?:([A-Za-z0-9._-]+)|\[([0-9A-Fa-f:.]+)\])(?::([0-9]{1,5}))?")
STRANGE_HOST = (
    "This server does not accept that host name. "
    "Whoever runs it can allow the name: yegg serve --allow NAME\n"
)
BLOCKED = f"{capital(NOT_HERE)}.\n"
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
RAW = [(key.encode(), value.encode()) for key, value in HEADERS.items()]


def guarded(send: Send) -> Send:
    """Put the security headers on every answer, and say of whatever takes GET that it takes HEAD.

    Unless an answer says otherwise nobody may keep it: it may be for one person only.
    """

    def pass_on(message: Message) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            headers = [
                (name, b"HEAD, " + value if name == b"allow" and b"GET" in value else value)
                for name, value in (*message["headers"], *RAW)
            ]
            if all(name.lower() != b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = headers
        return send(message)

    return pass_on


def bodiless(send: Send) -> Send:
    """Keep the body of an answer back; a stream, which never ends, is left at its first word."""
    ended = False

    async def head_only(message: Message) -> None:
        nonlocal ended
        if message["type"] == "http.response.body":
            if ended:
                return
            ended = True
            message = {**message, "body": b"", "more_body": False}
        await send(message)

    return head_only


class Guarded:
    """Refuses strange host names and blocked addresses; answers HEAD as GET, without its body."""

    def __init__(self, app: ASGIApp, settings: Settings, guests: BlockList) -> None:
        """A layer around ``app``; ``guests`` knows who is not let in."""
        self.app, self.guests = app, guests
        ours = ("localhost", socket.gethostname(), settings.host, *settings.hosts)
        self.names = {name.lower().removesuffix(".") for name in ours}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        send, client, app = guarded(send), scope["client"], self.app
        if not self.known([value for name, value in scope["headers"] if name == b"host"]):
            app = refusal(400, STRANGE_HOST)
        elif client and not self.guests.let_in(client[0]):
            app = refusal(403, BLOCKED)
        elif scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET"}, bodiless(send)
        await app(scope, receive, send)

    def known(self, hosts: list[bytes]) -> bool:
        """Whether a host is allowed.  Addresses always are: DNS rebinding needs a name."""
        host = HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if host is None or int(host[3] or 0) > 65_535:
            return False
        try:
            if host[2]:
                ipaddress.IPv6Address(host[2].decode())
                return True
            name = host[1].decode().lower().removesuffix(".")
            if name not in self.names and "*" not in self.names:
                ipaddress.IPv4Address(name)
        except ValueError:
            return False
        return True


def refusal(status: int, why: str) -> ASGIApp:
    """An answer in plain text."""
    return ASGIResponse(body=why.encode(), media_type="text/plain", status_code=status)
