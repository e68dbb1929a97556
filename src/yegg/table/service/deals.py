"""The deals of the day: one try for each person, how the levels do, and everybody's results."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa

from yegg import games
from yegg.coach.review import Review
from yegg.engine import Game, Refused
from yegg.engine.daily_deal import key_of, seal
from yegg.engine.days import LEVELS, OTHERS, day_of, streak, told_day
from yegg.table.domain.deal_results import Lately, Try
from yegg.table.domain.deals import DEAL, LEVEL, Costly, Dealt, Looked
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.schema import deals
from yegg.table.storage.schema import games as tables
from yegg.table.storage.store import Store, Taken, Unwritten

from .new_tables import ME, NewTable
from .registry import Registry
from .table import Table


def today(store: Store) -> str:
    """The day that it is by the database's clock, in UTC."""
    return day_of(store.hours.now())


def days_before(day: str, many: int = 7) -> list[tuple[str, str]]:
    """The days before one, the newest first: each as in addresses, and as people say it."""
    then = [(date.fromisoformat(day) - timedelta(n)).isoformat() for n in range(1, many + 1)]
    return [(one, told_day(one)) for one in then]


def game_on(day: str, game: str, now: str) -> Game:
    """The game of a deal.  Raises HttpRefusal 404 for a day that is to come, or that was none."""
    try:
        if date.fromisoformat(day).isoformat() != day:
            raise ValueError(day)
        found = games.find(game)
    except (ValueError, Refused):
        raise HttpRefusal(404, "there is no such deal of the day") from None
    if day > now:
        raise HttpRefusal(404, "that day has not begun: its deal is not dealt yet")
    return found


def seal_of(registry: Registry, day: str, game: str) -> str:
    """What is shown of a day's key from its first minute."""
    return seal(key_of(registry.house.secret_of_deals, day, game))


def key_on(registry: Registry, day: str, game: str) -> str | None:
    """The key of a day, in hexadecimal digits; None before the day is over."""
    dealt = Dealt.of(registry.house.secret_of_deals, day, game)
    return dealt.key(registry.store.hours.now())


# Playing


async def play(registry: Registry, game: Game, person: str, you: str, address: str) -> Table:
    """The table of somebody's one try today: a new one, or where they have begun.

    Raises HttpRefusal, Refused, Unread.
    """
    day = today(registry.store)
    table = await table_of(registry, day, game.name, person)
    if table is None:
        seats = [ME, *[OTHERS] * (game.usual - 1)]
        wish = NewTable(game.name, seats, you, listed=False, address=address)
        deal = Dealt.of(registry.house.secret_of_deals, day, game.name, person)
        wish = replace(wish, deal=deal)
        try:
            table = await registry.open(wish, person)
        except Taken:  # by another press
            table = await table_of(registry, day, game.name, person)
    if table is None:
        raise HttpRefusal(503, "the deal could not be opened; try again")
    await see_levels(registry, day, game)
    return table


async def see_levels(registry: Registry, day: str, game: Game) -> None:
    """Let each level play the deal once; in the bots' threads, and on after a restart."""
    for level in LEVELS:
        if await table_of(registry, day, game.name, LEVEL + level) is None:
            seats = [level, *[OTHERS] * (game.usual - 1)]
            deal = Dealt.of(registry.house.secret_of_deals, day, game.name, LEVEL + level)
            wish = NewTable(game.name, seats, "", listed=False, deal=deal)
            try:
                await registry.open(wish, "")
            except (Taken, Refused):  # by another process; or it cannot play this game
                continue


async def table_of(registry: Registry, day: str, name: str, person: str) -> Table | None:
    """The table of somebody's try at a deal; None if they have not begun.  Raises Unread."""
    wanted = sa.select(tables.c.key).join(deals, deals.c.game == tables.c.id)
    which = deals.c.day == day, deals.c.name == name, deals.c.person == person
    key = await registry.store.query(lambda c: c.scalar(wanted.where(*which)))
    if key is None:
        return None
    await registry.fetch(key)
    return registry.table(key)


# Results


async def days_of(registry: Registry, person: str | None) -> list[str]:
    """The days of which somebody has finished a deal in time.  Raises Unread."""
    if person is None:
        return []
    counted = tables.c.result.is_not(None), tables.c.chance.like(f"{DEAL} %")
    which = sa.select(deals.c.day, tables.c.ended).join(tables, deals.c.game == tables.c.id)
    which = which.where(deals.c.person == person, *counted)
    rows = await registry.store.query(lambda c: list(c.execute(which)))
    return [day for day, ended in rows if day_of(ended) == day]


async def lately(registry: Registry, person: str | None, rows: Sequence[sa.Row[Any]]) -> Lately:
    """How far somebody is, by the rows of the games that they have finished; the newest will do.

    Raises Unread.
    """
    day, played = today(registry.store), {row.chance for row in rows}
    if not any((chance or "").startswith(f"{DEAL} ") for chance in played):
        return Lately(known=False, over=0, streak=0)  # the database is asked no more than before
    over = sum(row.chance == f"{DEAL} {day}" for row in rows)
    return Lately(known=True, over=over, streak=streak(await days_of(registry, person), day))


async def look(registry: Registry, one: Try, payer: str) -> tuple[Looked | None, float]:
    """What the coach finds in a finished try, and how far it is; kept once it is made.

    Raises HttpRefusal, Unread.
    """
    if one.looked or not one.over:
        return one.looked, 1.0
    await registry.fetch(one.key)
    table = registry.table(one.key)
    back = registry.coach.look_back(table, payer)
    if back.found is None:
        return None, back.done / back.steps
    found = found_in(back.found, one.seat)
    kept = sa.update(deals).where(deals.c.game == one.game)
    row = kept.values(looked=msgspec.to_builtins(found))
    try:
        await registry.store.work(_kept(row))
    except (Taken, Unwritten):  # it is made again when somebody asks again
        raise HttpRefusal(503, "this could not be saved; try again") from None
    return found, 1.0


def _kept(row: sa.Update) -> Callable[[sa.Connection, Any], None]:
    def write(connection: sa.Connection, _: Any) -> None:
        connection.execute(row)

    return write


def found_in(review: Review, seat: int) -> Looked:
    """The two figures of a seat in a review, and its costliest choice."""
    costly = None
    if slip := next((slip for slip in review.slips if slip.seat == seat), None):
        chosen, better = slip.chosen_called or slip.chosen, slip.better_called or slip.better
        costly = Costly(slip.event, round(float(slip.cost), 4), chosen, better)
    luck, gave = float(review.luck[seat]), float(review.gave[seat])
    return Looked(round(luck, 4), round(gave, 4), costly)
