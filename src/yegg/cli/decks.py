"""``yegg deck``: make a deck of one's own."""

from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import say

from .options import game_argument

if TYPE_CHECKING:
    from yegg.engine import Game


@click.group()
def command() -> None:
    """Make a deck of your own, for a game that takes one.

    \b
    yegg deck new thiefs-market > my.csv            the published cards, with every column explained
    yegg play thiefs-market --cards my.csv          play with what you made of it
    yegg sim thiefs-market --vary cards=my.csv      compare it with the published deck

    docs/decks.md tells more.
    """


@command.command()
@game_argument
def new(game: "Game") -> None:
    """Write the published deck of GAME, with a remark on each column and each effect.

    \b
    yegg deck new thiefs-market > my.csv
    """
    say(game.own_deck(), end="")
