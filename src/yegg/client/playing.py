"""A bot takes a seat at a table on a server and plays there."""

import logging
import random
import re
import secrets
import time
from collections.abc import Callable

import numpy as np

from yegg import players
from yegg.engine import Failed, Game, Refused, View
from yegg.engine.game import find

from .seat import Gone, Listed, Seat, Server, Table

LOOK = 3.0  # seconds between two looks at the lobby
TABLE = re.compile(r"(?P<server>https?://[^/]+(?:/.*)?)/t/(?P<key>[A-Za-z0-9_-]{22})/?(?:\?.*)?")
log = logging.getLogger(__name__)


def sit(
    url: str,
    player: object = "hard",
    *,
    name: str = "",
    seat: int | None = None,
    token: str = "",
    say: Callable[[str], object] = log.info,
) -> list[int]:
    """Let a player take a seat at a table on a server, and play until the game is over.

    ``url`` is the table's link, ``http://…/t/KEY``.  ``player`` is a bot's name, a class with
    ``choose(view)`` or an instance.  ``name`` is what it is called at the table, and ``seat``,
    from 1, which seat it takes; by default any free one.  Whoever knows the ``token`` has the
    seat: give the token of an earlier call to go on where it stopped.  ``say`` is called with
    sentences about what happens; by default they are logged.

    It goes on after lost connections and restarts of the server.  If the player makes no choice,
    one is drawn by lot.  Returns every seat's place, 1 the best.  Raises Refused, and Gone (a
    kind of Refused) if the server says that there is no such table or no free seat.

    >>> import yegg
    >>> try:
    ...     yegg.sit("http://localhost:8000/", "hard")
    ... except yegg.Refused as error:
    ...     print(error)
    'http://localhost:8000/' is no link to a table, as in http://localhost:8000/t/…
    """
    found = TABLE.fullmatch(url)
    if not found:
        raise Refused(f"{url!r} is no link to a table, as in http://localhost:8000/t/…")
    bot = players.enrol(player)
    with Server(found["server"]) as server:
        taken = server.join(found["key"], name or title(bot), seat, token)
        return play(taken, bot, say)


def sit_forever(
    url: str,
    player: object = "hard",
    *,
    name: str = "",
    games: tuple[str, ...] = (),
    say: Callable[[str], object] = log.info,
) -> None:
    """Play at one open table of a server after the other, until interrupted.

    ``games``: play only these; by default any.
    """
    bot = players.enrol(player)
    with Server(url) as server:
        while True:
            for table in server.open_tables():
                if not games or table.game in games:
                    _try(server, table, bot, name or title(bot), say)
                    break
            else:
                time.sleep(LOOK)


def _try(server: Server, table: Listed, bot: str, name: str, say: Callable[[str], object]) -> None:
    try:
        seat = server.join(table.id, name)
        say(f"sat down at {table.name} ({table.title})")
        play(seat, bot, say)
    except Gone as gone:  # somebody else was faster, or the table is closed
        say(f"{table.name}: {gone}")
        time.sleep(LOOK)


def play(seat: Seat, bot: str, say: Callable[[str], object] = log.info) -> list[int]:
    """Play a seat until the game is over; return every seat's place.  Raises Gone, Refused."""
    sitting, last = players.Bot(bot, secrets.randbits(63)), -1
    checked = False
    for table in seat.news():
        game = find(table.game)
        if not checked:
            check(seat.server, game)
            checked = True
        if table.over:
            say(f"{table.name}: over, places {table.places}")
            return table.places or []
        mine = next((place for place in table.seats if place.seat == table.seat), None)
        if mine is None:
            raise Gone(401, "this is not your seat any more")
        if table.choices and not mine.bot and table.number != last:
            last = table.number
            answer(seat, table, sitting, view_of(game, table), say)
    return []


def answer(
    seat: Seat, table: Table, bot: players.Bot, view: View, say: Callable[[str], object]
) -> None:
    """Make one decision.  If the table has moved on meanwhile, the next news asks again."""
    try:
        choice = bot.choose(view)
    except Failed as failure:
        choice = random.SystemRandom().choice(view.choices)
        say(f"{failure}: its choice was drawn by lot")
    try:
        seat.choose(choice, table.number)
    except Gone as gone:
        if gone.status == 422:
            say(f"{table.name}: {gone}")
        elif gone.status != 409:
            raise


def view_of(game: Game, table: Table) -> View:
    """What the seat may know, as the View that players decide by."""
    states = np.zeros(1, game.state.dtype)
    for name, value in table.position.items():
        states[name][0] = value
    seat = -1 if table.seat is None else table.seat - 1
    return View(game, states, seat, [legal.choice for legal in table.choices])


def title(bot: str) -> str:
    """What a bot is called at a table by default: ``mybots:Bold`` is Bold."""
    last = bot.rpartition(":")[2]
    return last[:1].upper() + last[1:] if last.isidentifier() else bot.replace(":", " ").title()


def check(server: Server, game: Game) -> None:
    """Raise Refused unless the server has the same version of the game's rules."""
    theirs = server.about()["games"].get(game.name, {}).get("version")
    if theirs != game.version:
        raise Refused(
            f"the server plays version {theirs} of {game.title}, here is {game.version}: "
            "install the same version of yegg"
        )
