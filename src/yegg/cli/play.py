"""``yegg play``: a game in the terminal, against bots and friends."""

import itertools
import os
import random
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.cli.arguments import (
    GameName,
    cards_option,
    names,
    options_option,
    player_count,
    seed_option,
)

if TYPE_CHECKING:
    from yegg.engine import Game, Match


@click.command()
@click.argument("game", type=GameName(), required=False, is_eager=True)
@click.option(
    "--seats",
    callback=names,
    metavar="LIST",
    help="Who sits where: `you`, any name of a person, or a bot, as in `you,greedy,uniform`. "
    "Default: you and greedy bots, in random order.",
)
@options_option
@cards_option
@seed_option
@click.option("--record", type=click.Path(path_type=Path), help="Keep the game in this file.")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with the game in this file.")
@click.option(
    "--chance",
    type=click.Choice(["rolled", "typed"]),
    default="rolled",
    help="typed: you tell what the dice and cards on your own table show.",
)
def command(
    game: "Game | None",
    seats: list[str],
    options: dict[str, str],
    cards: Path | None,  # handed to the game when it was read
    seed: int | None,
    record: Path | None,
    resume: Path | None,
    chance: str,
) -> None:
    """Play GAME in this terminal.

    Every event is on disk before the next prompt: break off whenever you like and go on
    with --resume.  At a prompt type a number or the words (a beginning is enough), `?`
    for the odds, `!` for the coach, `u` to take back, `r` for the rules, `q` to leave.
    """
    from yegg.cli.company import Company, check
    from yegg.cli.session import Session
    from yegg.engine.notation import Journal

    if resume:
        match, sitters = resumed(resume, game, seats)
        path = resume
    elif game:
        match, sitters = begun(game, seats, options)
        path = record or usual_path(game.name)
        if path.exists():
            raise click.UsageError(f"{path} exists; go on with it by --resume {path}")
    else:
        raise click.UsageError("which game? `yegg` lists them; or --resume FILE")
    check(match, sitters)
    path.parent.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # even if a shell had it ignored
    with Company(match.game, sitters, seed) as company:
        Session(match, company, Journal(path, match), seed=seed, typed=chance == "typed").run()


def usual_path(name: str) -> Path:
    """Where a game is kept if nobody says: a new file in the user's data folder."""
    root = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    start = Path(root) / "yegg" / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    paths = (Path(f"{start}{f'-{n}' if n > 1 else ''}.game") for n in itertools.count(1))
    return next(path for path in paths if not path.exists())


def begun(game: "Game", seats: list[str], options: dict[str, str]) -> "tuple[Match, list[str]]":
    """A new game, and who sits at each seat: a bot's name, or "" for a person."""
    from yegg import players
    from yegg.engine import Match

    count = player_count(game, len(seats) or None, options, 0)
    if not seats:
        seats = ["you"] + ["greedy"] * (count - 1)
        random.SystemRandom().shuffle(seats)
    bots = players.names()
    sitters = [seat if seat in bots else "" for seat in seats]
    return Match(game, count, options, names=distinct(seats), how="plain"), sitters


def distinct(seats: list[str]) -> list[str]:
    """A name for each seat, numbered where several would be the same."""
    own = os.environ.get("USER", "").title()
    own = own if own.isalpha() and own != "Root" else "Guest"
    titled = [own if seat == "you" else seat[:1].upper() + seat[1:] for seat in seats]
    return [
        f"{name} {titled[:i].count(name) + 1}" if titled.count(name) > 1 else name
        for i, name in enumerate(titled)
    ]


def resumed(path: Path, game: "Game | None", seats: list[str]) -> "tuple[Match, list[str]]":
    """A game read from disk; bots are known by their names unless ``seats`` says who sits."""
    from yegg import games, players
    from yegg.engine.notation import mend, read_file

    if mend(path):
        click.echo("The last event was only half written and never counted; it is dropped.")
    match = read_file(path, games.find, how="plain")
    if game and game is not match.game:
        raise click.UsageError(f"{path} is a game of {match.game.name}, not of {game.name}")
    if seats and len(seats) != match.players:
        raise click.UsageError(f"{path} has {match.players} players, not {len(seats)}")
    bots = players.names()
    sitters = seats or [name.rstrip(" 0123456789").lower() for name in match.names]
    return match, [sitter if sitter in bots else "" for sitter in sitters]
