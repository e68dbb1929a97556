"""``yegg play``: a game in the terminal, against bots and friends."""

import itertools
import signal
import time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg import folders
from yegg.cli import completion
from yegg.cli.options import (
    PATH,
    cards_option,
    checked,
    names_of,
    option,
    optional_game_argument,
    options_option,
    players_option,
    seed_option,
)
from yegg.text.untrusted import say

if TYPE_CHECKING:
    from yegg.engine import Game, Match

    from .seats import Sitter


@click.command()
@optional_game_argument
@option(
    "--seats LIST",
    "Who sits where: you, a bot (`yegg` lists them) or a person's name, as in "
    "you,greedy,Ann; or how many seats. A person named like a bot is written person:Hardy. "
    "[default: you and greedy bots, in random order]",
    callback=names_of,
    shell_complete=completion.bots,
)
@players_option
@options_option
@cards_option
@seed_option
@option("--record FILE", "Keep the game in this new file; by default in your data folder.", PATH)
@option("--resume FILE", "Go on with the game that is kept in this file.", PATH)
@option(
    "--chance",
    "typed: you type what the dice and cards on your own table show.",
    click.Choice(["rolled", "typed"]),
    "rolled",
    show_default=False,
)
def play(
    game: "Game | None",
    seats: list[str],
    players: int | None,
    options: dict[str, str],
    cards: Path | None,
    seed: int | None,
    record: Path | None,
    resume: Path | None,
    chance: str,
) -> None:
    """Play GAME in this terminal, against bots and friends.

    \b
    yegg play second-story                         you and two bots
    yegg play second-story --players 5             you and four
    yegg play magnate --seats you,hard             you begin, a strong bot follows
    yegg play secrets --seats Ann,Ben,easy,easy    two people at one keyboard
    yegg play magnate --option courts=yes          with another rule
    yegg play second-story --chance typed          with your own dice and cards
    yegg play --resume my.game                     go on with a game that was left

    At a prompt type the number of a choice or its words (the beginning of each is enough),
    `?` for the odds, `!` for the coach, `u` to take back, `r` for the rules, `q` to leave.
    Every event is on disk before the next prompt: leave whenever you like.
    """
    from yegg.engine.notation import Journal

    from .seats import Company, check
    from .session import Session

    if resume:
        match, sitters = resumed(resume, game, seats, cards)
        path = resume
    elif game:
        match, sitters = begun(game.with_cards(cards), seats, players, options)
        path = record or usual_path(game.name)
        if path.exists():
            raise click.UsageError(f"{path} exists; go on with it by --resume {path}")
    else:
        from yegg import games

        commands = ", ".join(f"yegg play {name}" for name in games.names())
        raise click.UsageError(f"which game? {commands}; or go on with a saved one: --resume FILE")
    if players not in (None, match.players):
        raise click.UsageError(f"--players is {players}, but {match.players} sit at this table")
    check(match, sitters)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"no game can be kept at {path} ({(error.strerror or str(error)).lower()})"
        raise click.UsageError(f"{why}; say where instead: --record FILE") from None
    signal.signal(signal.SIGINT, signal.default_int_handler)  # even if the shell ignores it
    with Company(match.game, sitters, seed) as company:
        Session(match, company, Journal(path, match), seed=seed, typed=chance == "typed").run()


def usual_path(name: str) -> Path:
    """Where a game is kept by default: a new file in the user's data folder.

    Raises UsageError for whoever has none.
    """
    folder = folders.data()
    if folder is None:
        raise click.UsageError(f"{folders.HOMELESS}, so say where the game is kept: --record FILE")
    start = folder / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
    paths = (Path(f"{start}{f'-{n}' if n > 1 else ''}.game") for n in itertools.count(1))
    return next(path for path in paths if not path.exists())


def begun(
    game: "Game", seats: list[str], players: int | None, options: dict[str, str]
) -> "tuple[Match, list[Sitter]]":
    """A new game, and who sits at each seat."""
    from yegg.engine import Match

    from .seats import sitters, usual

    if players is not None and not seats:
        checked(game, players, options)
    seated = sitters(seats) if seats else usual(players or game.usual_players(options))
    checked(game, len(seated), options, "--seats {}")
    names = [sitter.name for sitter in seated]
    return Match(game, len(seated), options, names=names, how="plain"), seated


def resumed(
    path: Path, game: "Game | None", seats: list[str], cards: Path | None
) -> "tuple[Match, list[Sitter]]":
    """A game read from disk, and who sits there: as ``seats`` says, or else by the names."""
    from yegg import games
    from yegg.engine.notation import mend, read

    from .seats import Sitter, known, sitters

    data = path.read_bytes()
    lines = BytesIO(data[: data.rfind(b"\n") + 1] or data)
    match = read(lines, str(path), games.find, "plain", cards=cards)
    if mend(path):  # it is a record, so it may be changed
        say("The last event was only half written and never counted; it is dropped.")
    if game and game.name != match.game.name:
        raise click.UsageError(f"{path} is a game of {match.game.name}, not of {game.name}")
    if seats and len(seats) != match.players:
        names = ", ".join(match.names)
        raise click.UsageError(
            f"{path} has {match.players} players ({names}); --seats names {len(seats)}"
        )
    seated = sitters(seats) if seats else known(match.names)
    named = zip(match.names, seated, strict=True)
    return match, [Sitter(name, sitter.bot) for name, sitter in named]
