"""The one writer of the database: what waits for it has a bound, and none of it is lost."""

import asyncio
import threading

import pytest
import sqlalchemy as sa

from yegg.table.storage import store as storage
from yegg.table.storage.schema import letters
from yegg.table.storage.store import Store, Unwritten

from .serving import awaited

MOST = 5


@pytest.fixture
def store(settings, fresh, monkeypatch):
    """A store of its own beside the server's, on the same file, where few writes may wait."""
    monkeypatch.setattr(storage, "WAITING", MOST)
    made = Store(settings.db)
    yield made
    made.close()


def write(store, n):
    row = {"digest": f"{n:064}", "at": 2**50}
    return store.work(lambda connection, _: connection.execute(sa.insert(letters).values(row)))


def kept(store):
    with store.engine.connect() as connection:
        return {int(digest) for digest in connection.scalars(sa.select(letters.c.digest))}


def test_beyond_a_bound_writes_are_refused_and_those_that_wait_are_kept(store):
    """The disk is slow: memory must not fill, and whoever is refused hears it at once."""
    held, go = threading.Event(), threading.Event()

    def hold(_connection, _tell):
        held.set()
        assert go.wait(30)

    async def many():
        first = asyncio.ensure_future(store.work(hold))
        assert await asyncio.to_thread(held.wait, 30)
        waiting = [asyncio.ensure_future(write(store, n)) for n in range(MOST)]
        await asyncio.sleep(0)  # each has begun
        with pytest.raises(Unwritten, match="too much waits for the disk"):
            await write(store, MOST)
        go.set()
        await asyncio.gather(first, *waiting)
        await write(store, MOST + 1)

    awaited(many())
    assert kept(store) == {*range(MOST), MOST + 1}, "all that was taken, and nothing refused"


def test_in_a_group_that_fails_only_the_write_at_fault_is_refused(store):
    """Writes that came together are one transaction; the fault of one is not the others'."""
    held, go = threading.Event(), threading.Event()

    def hold(_connection, _tell):
        held.set()
        assert go.wait(30)

    async def three():
        first = asyncio.ensure_future(store.work(hold))
        assert await asyncio.to_thread(held.wait, 30)
        some = [asyncio.ensure_future(write(store, n)) for n in (1, 1, 2)]
        await asyncio.sleep(0)
        go.set()
        return await asyncio.gather(first, *some, return_exceptions=True)

    _, one, same, two = awaited(three())
    assert [isinstance(found, Exception) for found in (one, same, two)] == [False, True, False]
    assert kept(store) == {1, 2}
