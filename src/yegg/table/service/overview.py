"""What the host sees of a house: the tables in play and the people, and no game from inside.

All is reckoned from what is kept anyway.  Of a game it tells what everybody who watches may know:
orders under seal count neither for a table's news nor for when somebody was last there.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
import sqlalchemy as sa

from yegg.table.domain.deals import DEAL
from yegg.table.domain.seats import Kind
from yegg.table.domain.watching import LINK, LOBBY, WatchTerms
from yegg.table.storage.schema import barred, events, games, muted, sittings
from yegg.table.storage.store import NEWS, PUBLIC_KINDS

from .lobby import game_here

MOST = 200  # tables, and people, that a page shows
LATELY = 1000  # games, the newest, whose people are listed
SIT = int(Kind.SIT)
NOT_BY_OWNER = tuple(map(int, (Kind.LATE, Kind.GONE, Kind.FAIL, Kind.HOLD, Kind.CALLED)))
"""What happens to a seat without its owner."""
LIVE = sa.or_(
    games.c.begun.is_not(True),
    sa.func.coalesce(games.c.watch, "").in_(
        ["", *(WatchTerms(who).stored for who in (LINK, LOBBY))]
    ),
)
"""Of a game: whoever watches sees at once what happens there."""


class SeatInPlay(msgspec.Struct):
    """A seat of a table in play."""

    name: str
    bot: str | None
    """The level of the bot that plays there; for somebody it is told as their turns are."""
    person: bool
    """Whether it is somebody's."""
    turn: bool
    """Whether the table waits for it; not told of a table that is told later, or to nobody."""


class InPlay(msgspec.Struct):
    """A table that is neither over nor closed."""

    id: str
    """The table's key."""
    game: str
    title: str
    """The game's name for people."""
    name: str
    since: int
    """When it was opened; all times are in milliseconds since 1970."""
    last: int
    """When something happened there that all may know; when it was opened, if they may not."""
    later: str
    """Why no news is told here: who watches is told later, or nobody is; "" where it is told."""
    seats: list[SeatInPlay]
    daily: bool
    """Whether it is a deal of the day, which nobody but its player may look at."""


def in_play(connection: sa.Connection, most: int | None = MOST) -> list[InPlay]:
    """The tables in play, those with the newest news first; ``most`` of them, or all for None."""
    going = sa.select(games, NEWS, LIVE.label("live")).where(games.c.ended.is_(None))
    news = sa.case((LIVE, going.selected_columns.news))
    latest = sa.func.coalesce(news, games.c.at)
    rows = connection.execute(going.order_by(latest.desc(), games.c.id.desc()).limit(most))
    return [_in_play(row) for row in rows]


def how_many(connection: sa.Connection) -> int:
    """How many tables are in play."""
    going = sa.select(sa.func.count()).select_from(games).where(games.c.ended.is_(None))
    return connection.scalar(going) or 0


def _in_play(row: sa.Row[Any]) -> InPlay:
    game = game_here(row)
    told = game is not None and game.version == row.version and row.live
    to_act = (row.to_act or 0) if told else 0
    seats = [
        SeatInPlay(name, bot if row.live or not who else None, bool(who), bool(to_act >> seat & 1))
        for seat, (name, who, bot) in enumerate(row.people or [])
    ]
    title, daily = game.title if game else row.game, (row.chance or "").startswith(DEAL)
    terms, last = WatchTerms.read(row.watch), (row.news if row.live else None) or row.at
    later = "" if row.live else terms.delay or terms.words
    return InPlay(row.key, row.game, title, row.name, row.at, last, later, seats, daily)


class Known(msgspec.Struct):
    """Somebody who sat down at one of the newest tables."""

    id: str
    """Who it is; nobody can come in by it."""
    name: str
    """What they are called at the newest table in play, else at the newest."""
    seen: int
    """When they last did something that all at the table may know, in ms since 1970."""
    games: int
    """At how many tables they have ever sat down."""
    open: list[str]
    """The names of the tables in play where they sit now."""
    blocked: bool
    muted: bool


def people(connection: sa.Connection, most: int | None = MOST) -> list[Known]:
    """The people of the newest `LATELY` tables, who was there last first; ``most``, or all."""
    newest = sa.select(games.c.id, games.c.name, games.c.people, games.c.ended).order_by(
        games.c.id.desc()
    )
    rows = connection.execute(newest.limit(LATELY)).all()
    if not rows:
        return []
    out, silent = (set(connection.scalars(sa.select(table.c.who))) for table in (barred, muted))
    known = {
        row.person: Known(
            row.person, row.name, row.seen, row.games, [], row.person in out, row.person in silent
        )
        for row in connection.execute(_sat_down(rows[-1].id))
    }
    _count_seats(known.values(), rows, _acted(connection, rows[-1].id))
    return sorted(known.values(), key=lambda one: -one.seen)[:most]


def _sat_down(first: int) -> sa.Select[Any]:
    """By person of the games from ``first`` on: when they last sat down, and where they ever did.

    The name is the greatest of theirs; that of the newest table takes its place.
    """
    sat = (events.c.game == sittings.c.game) & (events.c.number == sittings.c.number)
    return (
        sa.select(
            sittings.c.person,
            sa.func.max(sittings.c.name).label("name"),
            sa.func.max(events.c.at).label("seen"),
            sa.func.count(sittings.c.game.distinct()).label("games"),
        )
        .join(events, sat)
        .where(sittings.c.person.is_not(None), events.c.choice == SIT)
        .group_by(sittings.c.person)
        .having(sa.func.max(sittings.c.game) >= first)
    )


def _acted(connection: sa.Connection, first: int) -> dict[tuple[int, int], tuple[int, int]]:
    """By game and seat when something happened last: by anybody who plays there, by its owner."""
    at, own = events.c.at, sa.case((events.c.choice < 0, events.c.at), else_=0)
    found = (
        sa.select(events.c.game, events.c.actor, sa.func.max(at), sa.func.max(own))
        .join(games, games.c.id == events.c.game)
        .where(events.c.game >= first, events.c.actor >= 0, *PUBLIC_KINDS)
        .where(games.c.ended.is_not(None) | LIVE)
        .where(events.c.choice.not_in(NOT_BY_OWNER))
        .group_by(events.c.game, events.c.actor)
    )
    return {(game, seat): (last, owners) for game, seat, last, owners in connection.execute(found)}


def _count_seats(
    known: Iterable[Known],
    rows: Iterable[Any],
    acted: dict[tuple[int, int], tuple[int, int]],
) -> None:
    """Note of people what the seats tell that they have now; ``rows``: the newest game first."""
    by_id, named = {one.id: one for one in known}, set[str]()
    for row in sorted(rows, key=lambda row: row.ended is not None):  # those in play first
        for seat, (name, who, bot) in enumerate(row.people or []):
            if (one := by_id.get(who)) is None:
                continue
            last, owners = acted.get((row.id, seat), (0, 0))
            one.seen = max(one.seen, owners if bot else last)  # a bot's choices are not theirs
            one.open += [row.name] if row.ended is None else []
            if who not in named:
                named.add(who)
                one.name = name
