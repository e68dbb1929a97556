"""Who joins an evening: how many, and how many from one address, unless its host lets in more."""

import msgspec
import sqlalchemy as sa

from yegg.table.domain.evening import FROM_ONE
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.database import Row, Tell
from yegg.table.storage.schema import evening_members, evenings
from yegg.table.storage.store import Store
from yegg.text.names import unlike

from .block_list import APART, apart
from .evenings import find, hosts, worked

MOST = 100  # members of an evening
CROWDED = (
    f"{FROM_ONE} people have joined from where you are; whoever opened this evening can let in more"
)


async def join(store: Store, key: str, person: str, you: str, source: str | None = None) -> None:
    """Join an evening, or come back to it.  Raises HttpRefusal 403, 404, 409.

    ``source`` stands for the address of whoever joins, and is only compared; None: no matter.
    """
    evening = await find(store, key)
    if evening.ended:
        raise HttpRefusal(409, "this evening is over")
    others = [one.person for one in evening.members if one.person != person]
    if await store.query(lambda connection: apart(connection, person, others)):
        raise HttpRefusal(403, APART)
    bounded = source is not None and not evening.plan.crowd

    def write(connection: sa.Connection, _: Tell) -> str:
        columns = evening_members.c
        mine = (columns.evening == evening.id) & (columns.person == person)
        if connection.execute(sa.update(evening_members).where(mine).values(away=False)).rowcount:
            return ""
        there = sa.select(columns.name, columns.source).where(columns.evening == evening.id)
        members = connection.execute(there).all()
        if len(members) >= MOST:
            return f"{MOST} people have joined; more cannot"
        if bounded and sum(one.source == source for one in members) >= FROM_ONE:
            return CROWDED
        name = unlike(you, [one.name for one in members])
        row: Row = {"evening": evening.id, "number": len(members) + 1, "away": False}
        who = {"person": person, "name": name, "source": source}
        connection.execute(sa.insert(evening_members).values({**row, **who}))
        return ""

    if why := await worked(store, write):
        raise HttpRefusal(409, why)


async def let_in_more(store: Store, key: str, person: str) -> None:
    """Let any number of people join from one address.  Raises HttpRefusal 403, 404."""
    evening = await find(store, key)
    hosts(evening, person)
    plan = msgspec.to_builtins(msgspec.structs.replace(evening.plan, crowd=True))
    change = sa.update(evenings).where(evenings.c.id == evening.id).values(plan=plan)

    def write(connection: sa.Connection, _: Tell) -> None:
        connection.execute(change)

    await worked(store, write)
