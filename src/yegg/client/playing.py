"""A bot takes a seat at a table on a server and plays there."""

import itertools
import logging
import random
import re
import secrets
import time
from collections.abc import Callable

from yegg import players
from yegg.engine import Failed, Game, Refused, View
from yegg.engine.border import choices_of, meets, position
from yegg.engine.game import find
from yegg.engine.whole import shown, whole
from yegg.players.outside import SECONDS
from yegg.text.phrases import listing
from yegg.text.untrusted import quoted

from .answers import Elsewhere
from .seat import Gone, Seat, Server, Table

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
    seconds: float | None = SECONDS,
) -> list[int]:
    """Let a player take a seat at a table on a server, and play until the game is over.

    ``url`` is the table's link, ``http://…/t/KEY``.  ``player`` is a bot's name, a class with
    ``choose(view)`` or an instance.  ``name`` is what it is called at the table, and ``seat``,
    from 1, which seat it takes; by default any free one.  Whoever knows the ``token`` has the
    seat: give the token of an earlier call, or of `yegg.client.token_for`, to go on where it
    stopped; without one the seat is given back on Ctrl-C.  ``say`` is called with sentences
    about what happens; by default they are logged.  A player of your own may think for
    ``seconds``, or with None as long as it likes.

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
    address, key = linked(url)
    seat = None if seat is None else whole(seat, "a seat", 1)
    with Server(address) as server:
        bot = players.enrol(player)
        taken = sit_down(server, key, bot, name, seat, token)
        play_on = play if token else play_or_leave
        return play_on(taken, bot, say, seconds)


def linked(url: str) -> tuple[str, str]:
    """The server and the key of a table's link.  Raises Refused."""
    link = TABLE.fullmatch(url)
    if not link:
        raise Refused(f"{quoted(url)} is no link to a table, as in http://localhost:8000/t/…")
    return link["server"], link["key"]


def token_for(url: str) -> str:
    """A token for a seat at the table of a link, by which another process can go on with it.

    Raises Refused.
    """
    with Server(linked(url)[0]) as server:
        return server.token()


def sit_forever(
    url: str,
    player: object = "hard",
    *,
    name: str = "",
    games: tuple[str, ...] = (),
    say: Callable[[str], object] = log.info,
    seconds: float | None = SECONDS,
) -> None:
    """Play at one open table of a server after the other, until interrupted.

    ``games``: play only these; by default all that the bot can play.  Raises Refused.
    """
    if TABLE.fullmatch(url):
        raise Refused(
            f"{quoted(url)} is the link to a table; the address of a server is like http://localhost:8000"
        )
    bot = players.enrol(player)
    left: set[str] = set()  # tables where it could not sit down: they are not tried again
    with Server(url) as server:
        while True:
            for table in server.open_tables():
                if table.id not in left and table.game in (games or (table.game,)):
                    try:
                        taken = sit_down(server, table.id, bot, name)
                        play_or_leave(taken, bot, say, seconds)
                    except Refused as error:  # somebody was faster, or it is no table for this bot
                        left.add(table.id)
                        say(f"{table.name}: {error}")
                    break
            else:
                time.sleep(LOOK)


def sit_down(
    server: Server, key: str, bot: str, name: str = "", seat: int | None = None, token: str = ""
) -> Seat:
    """Take a seat at a table where the bot can play.  Raises Gone, Refused.

    What the bot needs is compiled before, so that nobody waits for it at the table.
    """
    game = check(server, bot, server.table(key))
    if players.cold(game, bot):
        players.Bot(bot).warm(game)
    return server.join(key, name or players.title(bot), seat, token)


def play_or_leave(
    seat: Seat, bot: str, say: Callable[[str], object], seconds: float | None = SECONDS
) -> list[int]:
    """Play, and on Ctrl-C give the seat back, since nobody else knows its token."""
    try:
        return play(seat, bot, say, seconds)
    except KeyboardInterrupt:
        seat.leave()
        raise


def play(
    seat: Seat,
    bot: str,
    say: Callable[[str], object] = log.info,
    seconds: float | None = SECONDS,
) -> list[int]:
    """Play a seat until the game is over; return every seat's place.  Raises Gone, Refused."""
    sitting, last = players.Bot(bot, secrets.randbits(63), seconds=seconds), -1
    begun: tuple[str, dict[str, str], int] | None = None
    turns = itertools.count(1)
    say(f"{bot} sits at {seat.link}")
    if seat.promise and seat.salt:
        say(f"the dice were promised, {seat.promise}, and given {seat.salt} from this seat")
    for table in seat.news():
        if table.over:
            say(f"{table.name}: {ended(table)}")
            return table.places or []
        rules = table.game, table.options, len(table.seats)
        if rules != (begun := begun or rules):
            why = f"the table of {begun[0]} is now one of {table.game}, or by other rules"
            raise Elsewhere(seat.server.url, why)
        own = next((place for place in table.seats if place.seat == table.seat), None)
        if own is None:
            raise Gone(401, "this is not your seat any more")
        try:
            if own.bot:  # the others let it play on while nothing was heard from here
                seat.take_back()
            elif table.choices and table.number != last:
                last = table.number
                view = view_of(table)
                sitting.how = view.how
                clock = time.perf_counter()
                choice = decided(sitting, view, say)
                took = time.perf_counter() - clock
                seat.choose(choice, last)
                say(f"turn {next(turns)}, event {last + 1}: {view.say(choice)}, {took:.2f} s")
        except Gone as gone:
            if gone.status != 409:  # the table has gone on meanwhile: the next news asks again
                raise
    return []


def ended(table: Table) -> str:
    """How a game ended, in words: the places of all seats, who won, and the scores."""
    names = find(table.game).side_names([place.name for place in table.seats], len(table.scores))
    won = [name for name, place in zip(names, table.places or [], strict=False) if place == 1]
    if not won:
        return f"over, places {table.places}"
    verb = "wins" if len(won) == 1 else "share the win"
    scores = ", ".join(map(str, table.scores))
    return f"over, places {table.places}: {listing(won)} {verb}; scores {scores}"


def decided(bot: players.Bot, view: View, say: Callable[[str], object]) -> int:
    """Make one decision; by lot if the player makes none."""
    try:
        return bot.choose(view)
    except Failed as failure:
        say(f"{failure}: its choice was drawn by lot")
        if failure.trace:
            say(failure.trace)
        return random.SystemRandom().choice(view.choices)


def view_of(table: Table) -> View:
    """The View of the seat, by which players decide.

    Raises Refused if no such position or no such choices can be: compiled code must not meet them.
    """
    game = find(table.game)
    states = position(game, table.position)
    if states["players"][0] != len(table.seats):
        raise Refused(f"the table has {len(table.seats)} seats, its position another number")
    seat = -1 if table.seat is None else table.seat - 1
    if game.options_of(states) != table.options:
        raise Refused("the table's options are not those of its position")
    choices = [legal.choice for legal in table.choices]
    if choices and choices != choices_of(game, states, seat):
        raise Refused(f"these are no choices of seat {seat + 1} in its position: {choices[:12]}")
    return View(game, states, seat, choices, meets(game))


def check(server: Server, bot: str, table: Table) -> Game:
    """The game of a table where a bot can play, by the rules that we have.  Raises Refused."""
    game = find(table.game)
    try:
        theirs = server.about()["games"][game.name]["version"]
    except (KeyError, TypeError):
        raise Elsewhere(server.url, f"it does not say which {game.title} it plays") from None
    if theirs != game.version:
        raise Refused(
            f"the server plays version {shown(theirs)} of {game.title}, here is {game.version}: "
            "install the same version of yegg"
        )
    game.setup(len(table.seats), table.options)
    if why := players.objection(game, bot, len(table.seats), table.options):
        raise Refused(f"{bot} cannot play at this table: {why}")
    return game
