"""The command line: ``yegg`` and its subcommands, each imported only when it is called."""

import os
import sys
from importlib import import_module
from typing import Any

import click

from yegg import __version__
from yegg.garbage import collect_seldom

from .streams import ReaderGoneError, attach

COMMANDS = {
    "play": ("yegg.cli.play:play", "Play a game in this terminal, against bots and friends."),
    "learn": ("yegg.cli.lessons:learn", "Learn a game in this terminal, in a few minutes."),
    "daily": ("yegg.cli.daily:daily", "Play the deal of the day: one try, luck and choices apart."),
    "puzzle": ("yegg.cli.puzzles:puzzle", "Solve puzzles from real mistakes in this terminal."),
    "sim": ("yegg.cli.simulate:simulate", "Play thousands of games and report how they went."),
    "serve": (
        "yegg.cli.serve:command",
        "Start a server: play in the browser, with friends and bots.",
    ),
    "house": ("yegg.cli.admin:command", "Look after a server: copies, new rules, guests."),
    "open": ("yegg.cli.open_table:open_table", "Open a table on a server, and print its link."),
    "sit": ("yegg.cli.bot:sit", "Let a bot take a seat at a table on any server."),
    "arena": ("yegg.cli.arena:arena", "Let bots play each other, and tell which is stronger."),
    "benchmark": ("yegg.cli.benchmark:benchmark", "Tell how strong a bot is, by a fixed protocol."),
    "lab": ("yegg.cli.lab:command", "Answer a question about a game by experiment."),
    "train": ("yegg.cli.training:train", "Learn to play a game, by play against itself or a bot."),
    "export": ("yegg.cli.export:export", "Write games as a dataset: Parquet files to learn from."),
    "calibrate": ("yegg.cli.coach:calibrate", "Tell how true the coach's chances are."),
    "mine": ("yegg.cli.puzzles:mine", "Find puzzles of a game, in games that bots play."),
    "bot": ("yegg.cli.bot:bot", "Let another program play with our bots, line by line."),
    "mcp": ("yegg.cli.mcp:mcp", "Let an assistant play, at a friend's table too."),
    "counter": (
        "yegg.cli.arena:counter",
        "Tell what it is worth to know how a bot mixes its orders.",
    ),
    "post": (
        "yegg.post.commands:command",
        "Run a game of Secrets by post, as a folder of plain files.",
    ),
    "advise": ("yegg.cli.coach:advise", "Show how good each choice is, at any point of a record."),
    "review": ("yegg.cli.coach:review", "Look back on a game: chances, costly choices and luck."),
    "replay": ("yegg.cli.records:replay", "Check records; show any position of a game."),
    "verify": ("yegg.cli.records:verify", "Check that the dice of a record were promised before."),
    "rules": ("yegg.cli.about:rules", "Read the rules of a game, or one clause of them."),
    "new-game": ("yegg.cli.new_game:new_game", "Write the package of a game, to grow from."),
    "deck": ("yegg.cli.decks:command", "Make a deck of your own, for a game that takes one."),
    "cache": ("yegg.cli.cache:cache", "Show what compiled code is kept here, or clear it."),
    "bench": ("yegg.cli.simulate:bench", "Measure how fast the games run here."),
}
WRONG_USE, FAILED = 2, 1


class Commands(click.Group):
    """Lists the commands without importing them; answers mistakes in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name; only now is it imported."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command; `yegg magnate` plays that game, and `yegg help sim` tells of a command."""
        word, *rest = args
        if word == "help":
            if not rest:
                from yegg.text.untrusted import say

                say(ctx.get_help())
                ctx.exit()
            args = [*rest, "--help"]
        elif word not in COMMANDS and not word.startswith("-"):
            from yegg import games

            if word in games.names():
                args = ["play", *args]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands; their short help stands above, so that nothing is imported."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])


@click.group(cls=Commands, invoke_without_command=True)
@click.version_option(__version__, message="yegg %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Four tabletop games of thieves and merchants.

    \b
    yegg                              what there is
    yegg play second-story            play against bots
    yegg sim second-story -n 100000   see how the game behaves
    yegg rules second-story SS-23     look up a clause
    """
    if ctx.invoked_subcommand is None:
        from .about import welcome

        welcome()


def main() -> Any:
    """Run the command line.  Wrong use prints one line and ends with 2, a failed check with 1."""
    attach()
    collect_seldom()
    if "_YEGG_COMPLETE" in os.environ:
        from . import completion  # noqa: F401  it teaches Click how Bash splits words
    try:
        try:
            return cli.main(prog_name="yegg", standalone_mode=False)
        except click.exceptions.Exit as done:
            sys.exit(done.exit_code)
        finally:
            sys.stdout.flush()
    except ReaderGoneError:
        sys.exit(0)
    except click.Abort as stopped:
        if isinstance(stopped.__cause__, EOFError):  # of a file: that of the input is met elsewhere
            raise stopped.__cause__ from None
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        from yegg.text.untrusted import say

        say(error.format_message(), err=True)
        sys.exit(WRONG_USE)
    except click.ClickException as error:
        fail(said(error), WRONG_USE)
    except Exception as error:
        from yegg.engine import Refused
        from yegg.engine.notation import BadRecord

        if isinstance(error, BadRecord):
            fail(str(error), FAILED)
        if isinstance(error, Refused):
            fail(str(error), WRONG_USE)
        if isinstance(error, OSError):
            where = f"{error.filename}: " if error.filename else ""
            fail(f"{where}{(error.strerror or str(error)).lower()}", WRONG_USE)
        raise


def said(error: click.ClickException) -> str:
    """An error of the command line in words; for an unknown command, with those that there are."""
    ctx = getattr(error, "ctx", None)
    if not isinstance(error, click.exceptions.NoSuchCommand) or ctx is None:
        return error.format_message()
    from yegg.text.phrases import offered
    from yegg.text.untrusted import quoted

    name, where = error.command_name, f" of {ctx.command_path}" if ctx.parent else ""
    there = offered(name, ctx.command.list_commands(ctx))
    return f"there is no command {quoted(name)}{where}; {there}"


def fail(message: str, status: int) -> None:
    """Say what is wrong in one line and leave."""
    from yegg.text.untrusted import say

    say(f"yegg: {' '.join(message.split())}", err=True)
    sys.exit(status)
