"""Turns away whoever comes from an address that the house does not let in."""

from litestar.enums import ScopeType
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp, Receive, Scope, Send

from yegg.table.service.block_list import NOT_HERE, BlockList


class Door:
    """A layer around the whole server."""

    def __init__(self, app: ASGIApp, guests: BlockList) -> None:
        """``guests`` knows who is not let in."""
        self.app, self.guests = app, guests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        client = scope["client"] if scope["type"] == ScopeType.HTTP else None
        if client is None or self.guests.let_in(client[0]):
            await self.app(scope, receive, send)
            return
        body = f"{NOT_HERE[:1].upper()}{NOT_HERE[1:]}.\n".encode()
        await ASGIResponse(body=body, media_type="text/plain", status_code=403)(
            scope, receive, send
        )
