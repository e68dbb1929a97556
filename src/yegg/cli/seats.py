"""Who sits where: people, and bots by their names."""

import os
import random
import re
from dataclasses import dataclass

import click

from yegg import players
from yegg.text.phrases import meant
from yegg.text.untrusted import quoted

from .arguments import enrolled

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
    return distinct([sitter(word) for word in words])


def usual(count: int) -> list[Sitter]:
    """You and bots, in random order."""
    words = ["you", *[USUAL] * (count - 1)]
    random.SystemRandom().shuffle(words)
    return distinct([sitter(word) for word in words])


def sitter(word: str) -> Sitter:
    """A word of the list: ``you``, a bot, a person.  Raises UsageError or Refused."""
    if word == "you":
        own = os.environ.get("USER", "").title()
        return Sitter(own if own.isalpha() and own != "Root" else "Guest")
    if word.startswith(PERSON):
        return Sitter(_titled(word.removeprefix(PERSON)))
    if bot := bot_of(word):
        players.find(bot)  # checks its budget
        return Sitter(_titled(bot), bot)
    if ":" in word:
        (bot,) = enrolled([word])  # module:Class
        return Sitter(_titled(bot.rpartition(":")[2]), bot)
    if close := meant(word.partition(":")[0], players.names(), CLOSE):
        raise click.UsageError(
            f"no bot is called {quoted(word)}; did you mean {close}? "
            f"A person of that name is written {PERSON}{word}"
        )
    return Sitter(_titled(word))


def bot_of(word: str) -> str:
    """The bot that a word names, in any case, with its budget; "" if none."""
    bot = word if word in players.names() else word.lower()
    return bot if players.known(bot) else ""


def known(names: list[str]) -> list[Sitter]:
    """Who sits at a table, from the names in its record: a bot is recognised by its name."""
    return [Sitter(name, bot_of(NUMBERED.sub("", name))) for name in names]


def distinct(there: list[Sitter]) -> list[Sitter]:
    """The same sitters; those who would share a name get numbers."""
    names = [one.name for one in there]
    return [
        Sitter(f"{one.name} {names[:i].count(one.name) + 1}", one.bot)
        if names.count(one.name) > 1
        else one
        for i, one in enumerate(there)
    ]


def as_typed(there: list[Sitter]) -> str:
    """The list of seats that gives the same people and bots."""
    return ",".join(one.bot or _as_person(one.name) for one in there)


def _as_person(name: str) -> str:
    """The word in a list of seats that gives this person."""
    close = meant(name.partition(":")[0], players.names(), CLOSE)
    return f"{PERSON}{name}" if close or name == "you" else name


def _titled(name: str) -> str:
    return name[:1].upper() + name[1:]
