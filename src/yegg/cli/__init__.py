"""The command line: ``yegg`` and its subcommands, each imported only when it is called."""

import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from yegg import __version__

COMMANDS = {
    "play": ("yegg.cli.play:play", "Play a game in this terminal, against bots and friends."),
    "learn": ("yegg.cli.lessons:learn", "Learn a game in this terminal, in a few minutes."),
    "sim": ("yegg.cli.simulate:simulate", "Play thousands of games and report how they went."),
    "serve": (
        "yegg.cli.serve:command",
        "Start a server: play in the browser, with friends and bots.",
    ),
    "house": ("yegg.cli.admin:command", "Look after a server: copies, new rules, guests."),
    "sit": ("yegg.cli.bot:sit", "Let a bot take a seat at a table on any server."),
    "arena": ("yegg.cli.arena:arena", "Let bots play each other, and tell which is stronger."),
    "lab": ("yegg.cli.lab:command", "Answer a question about a game by experiment."),
    "train": ("yegg.cli.training:train", "Learn to judge a game, by play against itself."),
    "calibrate": ("yegg.cli.coach:calibrate", "Tell how true the coach's chances are."),
    "bot": ("yegg.cli.bot:bot", "Let another program play with our bots, line by line."),
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
        """Find a command as Click does; for an unknown one, name the nearest."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from yegg.text.phrases import offered
            from yegg.text.untrusted import quoted

            near = offered(args[0], list(COMMANDS))
            raise click.UsageError(f"there is no command {quoted(args[0])}; {near}")
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
    yegg                            what there is
    yegg play second-story          play against bots
    yegg sim second-story -n 100000 see how the game behaves
    yegg rules second-story SS-23   look up a clause
    """
    if ctx.invoked_subcommand is None:
        from .about import welcome

        welcome()


def main() -> Any:
    """Run the command line.  Wrong use prints one line and ends with 2, a failed check with 1."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # some terminals cannot show every character
    try:
        return cli.main(prog_name="yegg", standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        fail(error.format_message(), WRONG_USE)
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone, as `head` does
        sys.exit(0)
    except Exception as error:
        from yegg.engine import Refused
        from yegg.engine.notation import BadRecord

        if isinstance(error, BadRecord):
            fail(str(error), FAILED)
        if isinstance(error, Refused):
            fail(str(error), WRONG_USE)
        if isinstance(error, OSError) and error.filename:
            fail(f"{error.filename}: {(error.strerror or str(error)).lower()}", WRONG_USE)
        raise


def fail(message: str, status: int) -> None:
    """Say what is wrong in one line and leave."""
    from yegg.text.untrusted import say

    say(f"yegg: {' '.join(message.split())}", err=True)
    sys.exit(status)
