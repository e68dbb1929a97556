"""Who may watch a table: whoever opened it says so."""

from litestar.params import JSONBody

from yegg.table.service.delays import let_watch

from .bodies import Watching
from .requests import Key, Who


async def watch(who: Who, key: Key, data: JSONBody[Watching]) -> Watching:
    """Say who may watch without a seat, and how much later they are told, if you opened it."""
    table, seat = who.to_arrange(key)
    await let_watch(table, seat, data.terms, who.person)
    return data
