"""``yegg sim``: how a game behaves, from thousands of games."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .arguments import compiling, json_option, many_games, player_count
from .options import checked
from .varied import experiment, play, report_option, vary_option

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.batch import Batch, Setting


@click.command()
@many_games(
    1000,
    games="How many games.",
    bots="Who plays: one bot for all seats, or one for each; every deal is played in all seatings "
    "that differ. [default: uniform]",
)
@click.option(
    "--max-events",
    type=click.IntRange(1),
    metavar="N",
    help="End a game after this many events and count it as unfinished.",
)
@click.option(
    "--records",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write a record of each game into this folder.",
)
@click.option("--legal", is_flag=True, help="With --records: also write what else was legal.")
@vary_option
@report_option
@json_option
def command(
    game: "Game",
    games: int,
    players: int | None,
    bots: list[str],
    options: dict[str, str],
    cards: Path | None,
    seed: int | None,
    max_events: int | None,
    threads: int | None,
    records: Path | None,
    legal: bool,
    vary: dict[str, list[str]],
    report: Path | None,
    as_json: bool,
) -> None:
    """Play GAME many times and report how it went, with 95 % intervals.

    \b
    yegg sim second-story -n 100000                         random play
    yegg sim magnate --bots medium,easy --option districts=4
    yegg sim thiefs-market --bots greedy --cards my.csv     is this card too strong?
    yegg sim magnate --vary districts=4,5 --report out.html what does that change?

    The same seed (0 if none is given) gives the same games on any number of threads.
    """
    if vary or report:
        if records or legal or cards or max_events:
            raise click.UsageError(
                "--vary and --report play an experiment, which takes none of --records, --legal, "
                "--cards and --max-events"
            )
        who: dict[str, Any] = {"bots": bots, "players": players, "deals": games, "seed": seed or 0}
        source = experiment(game, vary=vary, options=options, **who)
        play(source, report, threads, as_json=as_json)
        return
    from yegg.lab.batch import MAX_EVENTS, Setting
    from yegg.lab.simulation import line_up

    if legal and not records:
        raise click.UsageError("--legal goes with --records FOLDER")
    game = game.with_cards(cards)
    count = player_count(game, players, options, len(bots))
    checked(game, count, options, "--players {}")
    lineup = line_up(game, count, options, bots or ["uniform"])
    setting = Setting(game, count, options, lineup, seed or 0, max_events or MAX_EVENTS)
    keep = _writer(setting, records, legal=legal) if records else None
    batch, seconds = _simulated(setting, games, threads, keep, quiet=as_json)
    from yegg.lab.simulation_report import as_data, as_text

    if as_json:
        click.echo(json.dumps(as_data(setting, batch, seconds), indent=2))
    else:
        from .screen import Screen

        Screen().print(as_text(setting, batch, seconds))


def _simulated(
    setting: "Setting", games: int, threads: int | None, keep: Any, *, quiet: bool
) -> "tuple[Batch, float]":
    """Play the games with a bar; ``keep`` hears every batch."""
    from yegg.lab.simulation import simulate, warm

    from .progress import counting

    title = setting.game.title
    with compiling(title, lambda: warm(setting, dry=True)):
        warm(setting)
    with counting(quiet=quiet) as bar:
        task = bar.add_task(f"{title}, {setting.players} players", total=games)
        return simulate(
            setting,
            games,
            threads=threads,
            progress=lambda done: bar.update(task, completed=done),
            batches=keep,
        )


def _writer(setting: "Setting", folder: Path, *, legal: bool) -> Any:
    """Writes a file for each game: GAME-SEED-NUMBER.game."""
    from yegg.engine import Match, notation
    from yegg.lab.batch import logs

    folder.mkdir(parents=True, exist_ok=True)

    def write(first: int, batch: "Batch") -> None:
        for i, choices in enumerate(logs(batch)):
            seating = [setting.lineup[who] for who in batch.seating[i]]
            named = [f"{bot} {seat + 1}" for seat, bot in enumerate(seating)]
            match = Match(setting.game, setting.players, setting.options, names=named)
            match.follow(choices)
            path = folder / f"{setting.game.name}-{setting.seed}-{first + i:06}.game"
            path.write_text(notation.write(match, legal=legal), encoding="utf-8")

    return write
