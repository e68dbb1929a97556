"""``yegg bot`` and ``yegg sit``: our bots play with another program, or at a server's table."""

import re
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from yegg.files import open_private
from yegg.text.untrusted import quoted, say

from . import completion
from .options import (
    FILE,
    GameName,
    cards_option,
    checked,
    enrolled,
    flag,
    game_argument,
    names_of,
    names_option,
    number,
    option,
    options_option,
    player_seconds_option,
    players_option,
    seed_option,
)

if TYPE_CHECKING:
    from yegg.engine import Game, Match
    from yegg.players import Bot

LISTED = "? "  # how a record begins a list of legal events


def _seats(ctx: click.Context, param: click.Parameter, value: str | None) -> list[int]:
    """Seats from 0, out of a list of seats from 1."""
    listed = names_of(ctx, param, value)
    if not all(seat.isdecimal() and len(seat) < 4 and int(seat) for seat in listed):
        raise click.UsageError(
            f"seats are numbers from 1, as in --seat 1,3; not {quoted(value or '')}"
        )
    return [int(seat) - 1 for seat in listed]


@click.command()
@game_argument
@names_option("--bots", "Who.", usual="hard")
@option(
    "--seat seats K,…",
    "The bots' seats, from 1; by default the first ones.  One bot can have several.",
    callback=_seats,
)
@players_option
@options_option
@cards_option
@seed_option
def bot(
    game: "Game",
    bots: list[str],
    seats: list[int],
    players: int | None,
    options: dict[str, str],
    cards: Path | None,
    seed: int | None,
) -> None:
    """Let another program play GAME with our bots: record lines in, choices out.

    \b
    yegg bot magnate --bots hard --seat 2
    yegg bot secrets -p 4 --bots hard,medium --seat 1,3
    yegg bot second-story --seat 1 < my.game    what would hard have chosen?

    The other program keeps the game.  It writes the game's record to our standard input as it
    comes about: first the head, if it has one, and an empty line; then every event, chance's and
    our own too.  Whenever one of the bots' seats is to act, we answer with a line, the event of
    its choice.  It counts once the other program writes it.

    \b
    in            out
    (empty)       the head is closed, the game begins
    * quick       nothing, if somebody else is to act
    2 stop        1 continue, if our seat 1 is to act
    legal         who acts and what is legal: * ? 1 | 2 | 3, or at the end over: 2, 1, 3 (places)
    go            the bot's choice once more
    new           nothing: another game follows, head first
    nonsense      error: line 7: and the reason; the game stays as it was

    What the head leaves out (game, players, options) is as on the command line.  The record must
    be whole: "-" for what a seat may not know is refused.  The bots get only what their seats may
    know of it.  Lines that begin with # or ? are passed over.  The end of the input ends us.
    """
    game = game.with_cards(cards)
    count = game.usual_players(options) if players is None else players
    checked(game, count, options)
    seats = seats or list(range(len(bots)))
    lineup = bots * len(seats) if len(bots) == 1 else bots
    if len(lineup) != len(seats) or len(set(seats)) < len(seats):
        raise click.UsageError("every bot needs a seat of its own: --bots hard,easy --seat 1,3")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", newline="\n")
    head = {
        "game": game.name,
        "players": ", ".join(f"Seat {seat + 1}" for seat in range(count)),
        "options": ", ".join(f"{name}={value}" for name, value in options.items()),
        "cards": game.cards,
    }
    seated = dict(zip(seats, lineup, strict=True))
    for answer in Dialogue(sys.stdin.buffer, head, cards, seated, seed or 0).answers():
        say(answer)  # and flush


class Dialogue:
    """What the other program has told us of its game, and our answers."""

    def __init__(
        self,
        source: BinaryIO,
        head: dict[str, str],
        cards: Path | None,
        seated: dict[int, str],
        seed: int,
    ) -> None:
        """``head``: what heads may leave out; ``seated``: the bots' names by seat, from 0."""
        from yegg import games
        from yegg.engine.notation import Reader

        self.head, self.seated, self.seed = head, seated, seed
        self.reader = Reader(source, "", games.find, cards=cards)
        self.games = 0
        self.match: Match | None = None
        self.bots: dict[int, Bot] = {}

    def answers(self) -> Iterator[str]:
        """Our answers, a line each, until the input ends."""
        from yegg.engine import Failed, Refused
        from yegg.engine.notation import BadRecord

        while True:
            try:
                for line in self.reader.lines():
                    yield from self.answer(line)
            except (Refused, Failed) as error:
                why = error.reason if isinstance(error, BadRecord) else str(error)
                yield f"error: line {self.reader.number}: {' '.join(why.split())}"
            else:
                return

    def answer(self, line: str) -> Iterator[str]:
        """The answer to a line, if it needs one.  Raises Refused or Failed."""
        if line == "new":
            self.match = None
            self.reader.head.clear()
        elif line == "go":
            yield self.choice(self.going_on)
        elif line == "legal":
            yield legal(self.going_on)
        elif self.match is None and line:
            self.reader.heading(line)
        elif not line.startswith(LISTED):
            if self.match is None:
                self.match = self.dealt()
            else:
                self.reader.event(self.match, line)
            if self.match.actor in self.bots and not unheard(self.match):
                yield self.choice(self.match)

    @property
    def going_on(self) -> "Match":
        """The game.  Raises Refused before its beginning."""
        if self.match is None:
            raise self.reader.wrong("no game has begun: an empty line closes the head")
        return self.match

    def dealt(self) -> "Match":
        """The game at its beginning, with the bots in their seats.  Raises Refused."""
        from yegg import players
        from yegg.engine.dice import seeds

        match = self.opened()
        for seat, name in self.seated.items():
            if seat >= match.players:
                raise self.reader.wrong(f"there is no seat {seat + 1} for {name}")
            if why := players.objection(match.game, name, match.players, match.options):
                raise self.reader.wrong(f"{name} cannot play here: {why}")
        own = seeds(self.seed, self.games, 1, 1 + match.players)[0]
        self.bots = {
            seat: players.Bot(name, int(own[1 + seat, 0])) for seat, name in self.seated.items()
        }
        self.games += 1
        return match

    def opened(self) -> "Match":
        """The game by the head, and by the command line.  A wrong head is forgotten."""
        head, at, own = self.reader.head, self.reader.number, self.head["game"]
        if (name := head.get("game", (at, own))[1]) != own:
            head.clear()
            raise self.reader.wrong(f"these bots play {own}, not {name!r:.40}")
        for key, value in self.head.items():
            if value:
                head.setdefault(key, (at, value))
        try:
            return self.reader.deal()
        finally:
            head.clear()

    def choice(self, match: "Match") -> str:
        """The event of a bot's choice.  Raises Refused if it is not the bot's turn, or Failed."""
        from yegg.engine.notation import who

        if match.over or match.actor not in self.bots or unheard(match):
            turn = "the game is over" if match.over else f"it is for {who(match.actor)} to act"
            raise self.reader.wrong(f"none of the bots is to act: {turn}")
        choice = self.bots[match.actor].choose(match.view())
        return f"{who(match.actor)} {match.say(choice)}"


def unheard(match: "Match") -> bool:
    """Whether only an adjudicator may write the next event: nobody is asked for it."""
    return match.choices == match.specials


def legal(match: "Match") -> str:
    """Who acts and what is legal, or how the game ended."""
    from yegg.engine.notation import who

    if match.over:
        return f"over: {', '.join(map(str, match.places))}"
    return f"{who(match.actor)} {LISTED}{' | '.join(match.texts)}"


@click.command()
@click.argument("url")
@option("--bot NAME", "A bot, or mybots:Bold.", None, "hard", shell_complete=completion.bots)
@option("--name", "What the bot is called at the table.", None, "", show_default=False)
@number("--seat", "Take this seat; by default any free one.")
@option(
    "--token FILE",
    "Keep the seat's token in this file; if it is there already, take that seat up again.",
    FILE,
)
@flag("--forever", "URL is a server: play at table after table.")
@option(
    "--game games",
    "With --forever: only tables of this game; may be given several times.",
    GameName(),
    multiple=True,
)
@player_seconds_option
@flag("--quiet", "Print nothing of what the bot does.")
def sit(
    url: str,
    bot: str,
    name: str,
    seat: int | None,
    token: Path | None,
    forever: bool,
    games: "tuple[Game, ...]",
    seconds: float,
    quiet: bool,
) -> None:
    """Let a bot play at the table URL, through its HTTP interface.

    What the bot needs is compiled first, which takes up to a minute the first time.
    It goes on after a lost connection or a restart of the server, and stops when the game is
    over.  Ctrl-C gives the seat back, unless --token keeps it.  A line is printed for each
    choice of the bot, with the seconds that it took, and at the end who won.

    \b
    yegg sit http://localhost:8000/t/… --bot hard
    yegg sit http://localhost:8000/t/… --bot mybots:Bold --token seat.txt
    yegg sit http://localhost:8000 --bot medium --forever --game magnate
    """
    from yegg import client

    (bot,) = enrolled([bot])
    tell = str if quiet else say
    if forever:
        if seat or token:
            raise click.UsageError("--seat and --token are for one table, without --forever")
        wanted = tuple(game.name for game in games)
        client.sit_forever(url, bot, name=name, games=wanted, say=tell, seconds=seconds)
    else:
        if games:
            raise click.UsageError("--game goes with --forever: a table's link means one game")
        kept = kept_token(token, partial(client.token_for, url))
        client.sit(url, bot, name=name, seat=seat, token=kept, say=tell, seconds=seconds)


def kept_token(file: Path | None, fresh: Callable[[], str]) -> str:
    """The token in a file; a new one is written there before it is used.  "" without a file."""
    if file is None:
        return ""
    if file.exists():
        kept = file.read_bytes().removeprefix(BOM_UTF8)
        if not re.fullmatch(rb"[!-~]{1,1000}\s*", kept):
            raise click.UsageError(f"{file} holds something else than the token of a seat")
        return kept.decode().strip()
    token = fresh()
    with open_private(file, "x") as opened:
        opened.write(token)
    return token
