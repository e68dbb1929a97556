"""The key of the host, who looks after the house on a page of its own.

The house keeps only its digest.  A new key ends the one before.
"""

import sqlalchemy as sa

from yegg.table.storage.schema import server

from .tokens import Signer, digest, new_token


def make(connection: sa.Connection) -> str:
    """A new key; every other one is good for nothing from now on."""
    key = new_token()
    connection.execute(sa.update(server).values(host=digest(key)))
    return key


def end(connection: sa.Connection) -> None:
    """Have no key, and no page, any more."""
    connection.execute(sa.update(server).values(host=None))


def stored(connection: sa.Connection) -> str | None:
    """The digest of the key; None if there is none."""
    return connection.scalar(sa.select(server.c.host))


def fits(key: str, kept: str | None) -> bool:
    """Whether it is the key of that digest."""
    return kept is not None and Signer.same(digest(key), kept)
