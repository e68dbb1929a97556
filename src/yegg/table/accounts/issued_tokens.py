"""Which tokens were given out here: whoever sends another one is nobody."""

import re

from yegg.table.storage.store import Store

from .device_tokens import Keyring
from .tokens import Signer, digest

UNSIGNED = re.compile(r"[A-Za-z0-9_-]{22}")
"""A token from before they were signed."""


class Tokens:
    """Knows a token by its mark, or by the seat that it has held since before there were marks."""

    def __init__(self, signer: Signer, keyring: Keyring, store: Store) -> None:
        """All processes of a house have the same ``signer``."""
        self.signer, self.keyring, self.store = signer, keyring, store
        self.old: set[str] = set()
        """Digests of unsigned tokens that hold a seat, as far as somebody has come with them."""

    def at_once(self, said: str) -> str | None:
        """The token that somebody sends, if it is known without asking the database."""
        if signed := self.signer.token(said):
            return signed
        key = digest(said) if UNSIGNED.fullmatch(said) else ""
        return said if key in self.old or key in self.keyring.keys else None

    def may_be_old(self, said: str) -> bool:
        """Whether only the database can say if it was given out."""
        return self.at_once(said) is None and UNSIGNED.fullmatch(said) is not None

    async def look_up(self, said: str) -> None:
        """Look whether an unsigned token holds a seat.  Raises Unread."""
        if await self.store.aside(self.store.of_person, digest(said), 1):
            self.old.add(digest(said))
