"""News of challenges: a friend has finished one, and whoever sent it is told as of a turn.

It is noted as turns are: the friend's game stands in place of the table, and `FINISHED` in place of
the turn.
"""

from collections import defaultdict
from typing import NamedTuple

import sqlalchemy as sa

from yegg.engine.days import standing
from yegg.table.domain.deals import Challenge
from yegg.table.refusals import HttpRefusal
from yegg.table.service.challenges import LATELY, seat_first
from yegg.table.service.table import Table
from yegg.table.storage.schema import contacts, deals, games

from .messages import Waiting, harmless

FRIEND = -1
"""In place of a seat: nobody is waited for, but a friend has finished a challenge."""
FINISHED = 1


class Finished(NamedTuple):
    """A friend's finished game."""

    game: int
    ended: int
    """In ms since 1970."""


def finished(connection: sa.Connection, now: int) -> dict[int, list[Finished]]:
    """By contact: what friends have finished lately of the challenges of its owner.

    What was finished before a contact was confirmed is no news for it.
    """
    own, first = deals.alias("own"), games.alias("first")
    mine = (own.c.person == contacts.c.person) & contacts.c.confirmed.is_not(None)
    theirs = (deals.c.day == own.c.day) & (deals.c.game != own.c.game)
    over = (games.c.id == deals.c.game) & games.c.result.is_not(None)
    late = (games.c.ended > now - LATELY) & (games.c.ended >= contacts.c.confirmed)
    wanted = (
        sa.select(contacts.c.id, games.c.id.label("game"), games.c.ended)
        .join(own, mine)
        .join(first, (first.c.id == own.c.game) & first.c.chance.is_(None))
        .join(deals, theirs)
        .join(games, over & late)
        .order_by(games.c.ended)
    )
    found: dict[int, list[Finished]] = defaultdict(list)
    for row in connection.execute(wanted):
        found[row.id].append(Finished(row.game, row.ended))
    return found


def played(table: Table, house: str) -> Waiting:
    """The text about a friend's game; ``house``: the address of this one.

    Raises HttpRefusal 404 if it is no challenge.
    """
    if not isinstance(table.deal, Challenge):
        raise HttpRefusal(404, "this is no challenge")
    seat, match = seat_first(table), table.now.match
    friend = harmless(table.now.seats[seat].name)
    did = standing({"places": match.places, "scores": match.scores}, seat).words
    return Waiting(
        table.game.name,
        table.game.title,
        table.name,
        f"{house}{table.deal.address.removeprefix('/')}",
        seat + 1,
        friend,
        [],
        f"{friend} {did}.",
        [],
        table.now.moved,
        None,
        last_call=False,
        friend=f"{friend} has played your challenge",
    )
