"""Seats of a game in the terminal: people, and bots that compile while people already play."""

import random
import re
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import click

from yegg import players
from yegg.cli.options import enrolled
from yegg.cli.output import compiling
from yegg.players import Bot
from yegg.text.names import alike
from yegg.text.phrases import capital, listing, meant, offered
from yegg.text.untrusted import quoted

from .terminal import own_name

if TYPE_CHECKING:
    from concurrent.futures import Future

    from yegg.engine import Game, Match

PERSON = "person:"  # before a name that looks like a bot's
USUAL = "greedy"
CLOSE = 0.7  # a name as similar to a bot's as this is refused, with a question
NUMBERED = re.compile(r" \d+$")  # the end of a name that several share


@dataclass(frozen=True)
class Sitter:
    """Somebody at a seat."""

    name: str
    bot: str = ""
    """The bot's name, with its budget; "" for a person."""


def sitters(words: list[str]) -> list[Sitter]:
    """Everybody in a list of seats, each with a different name.  Raises UsageError or Refused."""
    if len(words) == 1 and words[0].isdecimal():
        return usual(int(words[0][:3]))
    seated = [sitter(word) for word in words]
    names = [sitter.name for sitter in seated]
    twice = [[i for i, other in enumerate(names) if alike(name, [other])] for name in names]
    return [
        Sitter(f"{sitter.name} {same.index(i) + 1}", sitter.bot) if len(same) > 1 else sitter
        for i, (sitter, same) in enumerate(zip(seated, twice, strict=True))
    ]


def usual(count: int, level: str = "") -> list[Sitter]:
    """You and bots, in random order; ``level`` names the bots.  Raises UsageError or Refused."""
    if level and not bot_of(level):
        there = offered(level, players.names())
        raise click.UsageError(f"no bot is called {quoted(level)}; {there}")
    words = ["you", *[level or USUAL] * (count - 1)]
    random.SystemRandom().shuffle(words)
    return sitters(words)


def sitter(word: str) -> Sitter:
    """A word of the list: ``you``, a bot, a person.  Raises UsageError or Refused."""
    name, bot = word, bot_of(word)
    if word == "you":
        return Sitter(own_name())
    if word.startswith(PERSON):
        name, bot = word.removeprefix(PERSON), ""
    elif bot:
        players.find(bot)  # checks its budget
        name = bot
    elif ":" in word:
        (bot,) = enrolled([word])  # module:Class
        name = players.title(bot)
    elif close := near_bot(word):
        raise click.UsageError(
            f"no bot is called {quoted(word)}; did you mean {close}? "
            f"A person of that name is written {PERSON}{word}"
        )
    return Sitter(capital(name), bot)


def bot_of(word: str) -> str:
    """The bot that a word names, in any case, with its budget; "" if none."""
    bot = word if word in players.names() else word.lower()
    return bot if players.known(bot) else ""


def near_bot(name: str) -> str | None:
    """The bot whose name is so close that a person's would be taken for it; None if none is."""
    return meant(name.partition(":")[0], players.names(), CLOSE)


def known(names: list[str]) -> list[Sitter]:
    """Who sits at a table, from the names in its record: a bot is recognised by its name."""
    return [Sitter(name, bot_of(NUMBERED.sub("", name))) for name in names]


def looks_otherwise(name: str, many: int) -> bool:
    """Whether a person's name would mean something else in a list of so many seats."""
    alone = many == 1 and name.isdecimal()
    return alone or name == "you" or ":" in name or near_bot(name) is not None


def as_typed(sitters: list[Sitter]) -> str:
    """The list of seats that gives the same people and bots."""
    people = {
        sitter.name: PERSON * looks_otherwise(sitter.name, len(sitters)) + sitter.name
        for sitter in sitters
    }
    return ",".join(sitter.bot or people[sitter.name] for sitter in sitters)


class Company:
    """Players of a game in the terminal: people and bots; a plain twin plays until one is compiled.

    With a seed a bot that thinks is waited for, so that the same seed gives the same game.
    """

    def __init__(self, game: "Game", sitters: list[Sitter], seed: int | None) -> None:
        """Whoever is at the table, by seat."""
        from yegg.coach.preparation import CompileProcess

        self.game, self.sitters, self.seed = game, sitters, seed
        self.people = [seat for seat, sitter in enumerate(sitters) if not sitter.bot]
        start = secrets.randbits(62) if seed is None else seed
        self.bots = {
            seat: Bot(sitter.bot, start + 1 + seat)
            for seat, sitter in enumerate(sitters)
            if sitter.bot
        }
        self.compile_process = CompileProcess()
        self.pool = ThreadPoolExecutor(1)
        names = dict.fromkeys(players.base(bot.name) for bot in self.bots.values())
        self.cold = {name for name in names if players.cold(game, name)}
        self.compiled: dict[str, Future[None]] = {}
        for name in names:
            self._compile(name)
        self.pool.submit(self.compile_process.rest)
        self.told: set[str] = set()

    def _compile(self, what: str) -> None:
        """Have a bot or the coach compiled in another process, and loaded here."""
        self.compiled[what] = self.pool.submit(self.compile_process.make_ready, self.game, what)

    def coach_ready(self) -> bool:
        """Whether the coach is compiled; the first question begins that where it is not.

        With a seed it is waited for, as bots that think are.
        """
        from yegg.coach.preparation import COACH, cold

        if COACH not in self.compiled:
            if not cold(self.game, COACH):
                return True
            self.cold.add(COACH)
            self._compile(COACH)
        if self.seed is None and self.waits(COACH):
            return False
        self._wait(COACH)
        return True

    def waits(self, what: str) -> bool:
        """Whether a bot or the coach is still being compiled."""
        return what in self.cold and not self.compiled[what].done()

    def _wait(self, what: str) -> None:
        """Wait, and say so if it takes long.  Raises what compiling it failed with."""
        with compiling(self.game.title, lambda: self.waits(what)):
            self.compiled[what].result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """What is compiled by now is kept."""
        self.compile_process.close()
        with compiling(self.game.title, lambda: any(map(self.waits, self.compiled))):
            self.pool.shutdown(cancel_futures=True)

    def choose(self, match: "Match") -> int:
        """The choice of the bot whose turn it is.  Raises Refused where it cannot play."""
        bot = self.bots[match.actor]
        bot.how = "plain" if self._stood_in(bot.name) else "compiled"
        if bot.how == "compiled":
            self._wait(players.base(bot.name))
        return bot.choose(match.view())

    def _stood_in(self, bot: str) -> bool:
        """Whether a bot's plain twin, or another bot, plays for it now."""
        itself = players.stand_in(bot) == bot
        return self.waits(players.base(bot)) and (itself or self.seed is None)

    def news(self, seat: int) -> str:
        """What to tell once: that another plays for a bot until it is compiled; else ""."""
        bot = self.bots[seat].name
        if bot in self.told or not self._stood_in(bot):
            return ""
        self.told.add(bot)
        return players.until_ready({players.base(bot).capitalize(): bot})


def check(match: "Match", sitters: list[Sitter]) -> None:
    """Raises UsageError for a bot that cannot play such a game."""
    for bot in filter(None, (sitter.bot for sitter in sitters)):
        why = players.objection(match.game, bot, match.players, match.options)
        if why:
            others = listing(players.able(match.game, match.players, match.options))
            raise click.UsageError(f"{bot} cannot play here: {why}; these can: {others}")
