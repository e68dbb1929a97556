"""A bot takes a seat at somebody's table and plays there."""

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

LOOK = 3.0  # seconds between two looks into the lobby
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
    """Sit down at a table (``http://…/t/KEY``) and play until the game is over.

    ``player``: a bot's name, a class or an instance.  Whoever has the ``token`` has the seat:
    with the same one it is taken up again.  It goes on after lost connections and restarts
    of the server; a player that gives no choice of its own has one drawn by lot.

    Returns everybody's places.  Raises Gone, Refused.
    """
    found = TABLE.fullmatch(url)
    if not found:
        raise Refused(f"{url!r} is no table's link, as http://localhost:8000/t/…")
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
    """Take the next open table of a server, and the next after it, until interrupted.

    ``games``: only tables of these.
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
    except Gone as gone:  # somebody else was faster, or the table was closed
        say(f"{table.name}: {gone}")
        time.sleep(LOOK)


def play(seat: Seat, bot: str, say: Callable[[str], object] = log.info) -> list[int]:
    """Play a seat until the game is over; everybody's places.  Raises Gone, Refused."""
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
    """One decision; if the table has gone on meanwhile, the next news asks again."""
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
    """What the seat knows, as players are given it."""
    states = np.zeros(1, game.state.dtype)
    for name, value in table.position.items():
        states[name][0] = value
    seat = -1 if table.seat is None else table.seat - 1
    return View(game, states, seat, [legal.choice for legal in table.choices])


def title(bot: str) -> str:
    """What a bot is called at a table if nobody says: ``mybots:Bold`` is Bold."""
    last = bot.rpartition(":")[2]
    return last[:1].upper() + last[1:] if last.isidentifier() else bot.replace(":", " ").title()


def check(server: Server, game: Game) -> None:
    """Whether the server plays by the same rules as we have here.  Raises Refused."""
    theirs = server.about()["games"].get(game.name, {}).get("version")
    if theirs != game.version:
        raise Refused(
            f"the server plays version {theirs} of {game.title}, here is {game.version}: "
            "install the same version of yegg"
        )
