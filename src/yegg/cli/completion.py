"""What Tab offers in a shell: games, bots, and a game's options.  Nothing is run or printed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class

if TYPE_CHECKING:
    from yegg.engine import Game


@add_completion_class
class Bash(BashComplete):
    """Bash hands over ``NAME=VALUE`` as three words, and wants only VALUE back."""

    before = ""
    """What of the last word Bash keeps: ``NAME=``."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is completed, and that one."""
        args, begun = super().get_completion_args()
        words = [*args, begun]
        for at in reversed([n for n, word in enumerate(words) if n and word == "="]):
            words[at - 1 : at + 2] = ["".join(words[at - 1 : at + 2])]
        if begun == "=" or args[-1:] == ["="]:
            self.before = words[-1].rpartition("=")[0] + "="
        return words[:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """A line of what is offered."""
        return f"{item.type},{str(item.value).removeprefix(self.before)}"


def games(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """The games whose names begin so."""
    from yegg.games import names

    return _beginning(names(), begun)


def bots(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Lists of bots that go on what has been typed, by one more name."""
    from yegg.players import names

    before, comma, last = begun.rpartition(",")
    return [before + comma + name for name in _beginning(names(), last)]


def rule_options(ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """The options of the game that has been named, each with its values."""
    game: Game | None = ctx.params.get("game")
    known = game.options if game else {}
    return _beginning((f"{name}={value}" for name in known for value in known[name].values), begun)


def _beginning(words: Iterable[str], begun: str) -> list[str]:
    return [word for word in words if word.startswith(begun)]
