"""HEAD: what GET would answer, without its body; those who look whether a page is there ask so."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send


class Bodiless:
    """A layer around the pages."""

    def __init__(self, app: ASGIApp) -> None:
        """``app`` knows GET."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask by GET for what is asked by HEAD, and keep its body back."""
        send = allowed(send)
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        ended = False

        async def head_only(message: Message) -> None:
            nonlocal ended
            if message["type"] == "http.response.body":
                if ended:
                    return
                ended = True  # a stream, which never ends, is left at its first word
                message = {**message, "body": b"", "more_body": False}
            await send(message)

        asked = {**scope, "method": "GET"}
        await self.app(asked, receive, head_only)  # type: ignore[arg-type]


def allowed(send: Send) -> Send:
    """Say of whatever takes GET that it takes HEAD too."""

    async def pass_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                (name, b"HEAD, " + said if name == b"allow" and b"GET" in said else said)
                for name, said in message["headers"]
            ]
        await send(message)

    return pass_on
