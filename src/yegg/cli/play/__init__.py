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
    flag,
    names_of,
    option,
    optional_game_argument,
    options_option,
    players_option,
    seed_option,
)
from yegg.text.phrases import counted, listing
from yegg.text.untrusted import quoted, say

if TYPE_CHECKING:
    from yegg.engine import Game, Match

    from .seats import Sitter

LIST = "-"  # in place of a file of `--resume`
MANY = 20  # kept games that are listed


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
@option(
    "--level LEVEL",
    "Who plays the other seats, or how strong the automa is. [default: greedy]",
    None,
    "",
    show_default=False,
    shell_complete=completion.bots,
)
@flag("--alone", "Play alone, against the automa, where a game has one.")
@options_option
@cards_option
@seed_option
@option("--record FILE", "Keep the game in this new file; by default in your data folder.", PATH)
@option(
    "--resume FILE",
    "Go on with the game that is kept in this file; without a file: list kept games.",
    PATH,
    is_flag=False,
    flag_value=LIST,
)
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
    level: str,
    alone: bool,
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
    yegg play second-story --level easy            against weak bots
    yegg play magnate --alone                      against the automa of the rules
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

    if str(resume) == LIST:
        say(saved_games(game))
        return
    if seats and (level or alone):
        raise click.UsageError("--seats says who plays, so it takes neither --level nor --alone")
    if resume:
        match, sitters = resumed(resume, game, seats, cards)
        path = resume
    elif game:
        game = game.with_cards(cards)
        if alone:
            players, options, level = 1, options | by_oneself(game, level), ""
        match, sitters = begun(game, seats, players, options, level)
        path = record or usual_path(game.name)
        if path.exists():
            raise click.UsageError(f"{path} exists; go on with it by --resume {path}")
    else:
        raise no_game()
    if players not in (None, match.players):
        raise click.UsageError(f"--players is {players}, but {match.players} sit at this table")
    check(match, sitters)
    make_room(path)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # even if the shell ignores it
    with Company(match.game, sitters, seed) as company:
        Session(match, company, Journal(path, match), seed=seed, typed=chance == "typed").run()


def no_game() -> click.UsageError:
    """What to say to whoever names no game."""
    from yegg import games

    commands = ", ".join(f"yegg play {name}" for name in games.names())
    return click.UsageError(f"which game? {commands}; or go on with a saved one: --resume FILE")


def make_room(path: Path) -> None:
    """Make the folder in which a game will be kept.  Raises UsageError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"no game can be kept at {path} ({(error.strerror or str(error)).lower()})"
        raise click.UsageError(f"{why}; say where instead: --record FILE") from None


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


def by_oneself(game: "Game", level: str) -> dict[str, str]:
    """The options with which one plays a game alone.  Raises UsageError."""
    ways = game.alone()
    if not ways:
        why = f"nobody plays {game.title} alone; yegg play {game.name} --level easy is against bots"
        raise click.UsageError(why)
    fit = [way for way in ways if not level or level in way.values()]
    if not fit:
        levels = listing([value for way in ways for value in way.values()], "or")
        raise click.UsageError(f"alone one plays {game.title} at {levels}, not {quoted(level)}")
    return fit[0]


def saved_games(game: "Game | None") -> str:
    """The games in the user's data folder, the newest first, and how to go on with one."""
    from yegg import games
    from yegg.engine import Refused
    from yegg.engine.notation import read

    folder = folders.data()
    name = f"{game.name}-*.game" if game else "*.game"
    paths = sorted(folder.glob(name), key=lambda path: path.stat().st_mtime) if folder else []
    lines = []
    for path in paths[: -MANY - 1 : -1]:
        try:
            match = read(BytesIO(path.read_bytes()), str(path), games.find, "plain")
        except (OSError, Refused):
            continue  # it is no game, or one that cannot be gone on with
        how = "over" if match.over else f"{counted(len(match.history), 'event')} played"
        lines.append(f"{path}   {match.game.title}, {listing(match.names)}; {how}")
    if not lines:
        return "No games are kept. `yegg play GAME` begins one, and keeps it."
    return "\n".join([*lines, "Go on with one: yegg play --resume FILE"])


def begun(
    game: "Game", seats: list[str], players: int | None, options: dict[str, str], level: str = ""
) -> "tuple[Match, list[Sitter]]":
    """A new game, and who sits at each seat; ``level`` names the bots where no seats are named."""
    from yegg.engine import Match

    from .seats import sitters, usual

    if players is not None and not seats:
        checked(game, players, options)
    seated = sitters(seats) if seats else usual(players or game.usual_players(options), level)
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
