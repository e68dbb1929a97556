"""Which letters were read: the same one coming twice changes nothing."""

import sqlalchemy as sa

from yegg.table.storage.schema import letters

REMEMBERED = 60 * 86_400_000  # ms for which a letter that was read is known


def was_read(connection: sa.Connection, digest: str) -> bool:
    """Whether a letter has been read before."""
    found = sa.select(letters.c.digest).where(letters.c.digest == digest)
    return connection.execute(found).first() is not None


def read_once(connection: sa.Connection, now: int, digest: str) -> bool:
    """Note that a letter is read; False if it was read before."""
    connection.execute(sa.delete(letters).where(letters.c.at < now - REMEMBERED))
    if was_read(connection, digest):
        return False
    connection.execute(sa.insert(letters).values(digest=digest, at=now))
    return True
