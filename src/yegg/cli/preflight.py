"""``yegg lab preflight``: in ten minutes, what a publisher's playtest would tell."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from yegg.text.untrusted import say

from .numbers import Real
from .options import (
    FOLDER,
    cards_option,
    checked,
    game_argument,
    grouped,
    json_option,
    number,
    option,
    options_option,
    players_option,
    seed_option,
    threads_option,
)
from .output import draw, emit, reported, table

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.preflight.run import Flight

STEPS = 1000  # of a bar


class Asked(NamedTuple):
    """What the command was given; each field is an option of that name."""

    game: "Game"
    players: int | None
    options: dict[str, str]
    cards: Path | None
    minutes: float
    games: int | None
    hard: int | None
    seed: int | None
    threads: int | None
    out: Path | None


@click.command()
@grouped(
    Asked,
    "asked",
    game_argument,
    players_option,
    options_option,
    cards_option,
    option("--minutes M", "How long it may take, about.", Real(0.1, 1440), 10.0),
    number("--games", "How many games in place of what the minutes allow.", least=50),
    number("--hard", "With --games: how many games hard plays [0].", least=0),
    seed_option,
    threads_option,
    option("--out", "A folder for the page: report.html, .md and .json.", FOLDER),
)
@json_option
def preflight(asked: Asked, as_json: bool) -> None:
    """Tell what a publisher's playtest of GAME would find: nine lines, each with a verdict.

    \b
    yegg lab preflight magnate --out preflight
    yegg lab preflight thiefs-market --cards my.csv --minutes 5

    Length, seats, cards, plans, runaway leader, choices, skill, ties, and readings of the rules.
    A fault is what no publisher would print; what is to be looked at may be meant so.  The same
    --games, --hard and --seed give the same figures.
    """
    from yegg.lab.game_frame import of_the_extra
    from yegg.lab.preflight.run import LEAST
    from yegg.lab.preflight.run import preflight as fly
    from yegg.lab.preflight.sample import Question

    with of_the_extra():  # before anything is played
        from yegg.lab.report.preflight import publish
    game = asked.game.with_cards(asked.cards)
    players = asked.players or game.usual_players(asked.options)
    checked(game, players, asked.options)
    sizes = asked.seed or 0, asked.games or LEAST, asked.hard or 0, asked.threads
    with reported("steps", quiet=as_json) as report:
        done = 0

        def heard(what: str, part: float) -> None:
            nonlocal done
            done = max(done, int(part * STEPS))
            report(done, STEPS, what)

        question = Question(game, players, asked.options, *sizes, heard)
        flight = fly(question, None if asked.games else asked.minutes)
    page = publish(flight, asked.out) if asked.out else None
    emit(flight.to_dict, lambda: _show(flight), as_json=as_json)
    if page and not as_json:
        say(f"\n{page}")


def _show(flight: "Flight") -> None:
    from yegg.lab.report.preflight import answer

    drawn = table("", "verdict", "what was found", fold=True)
    for line in flight.lines:
        drawn.add_row(line.title, line.verdict, line.says)
    draw(drawn)
    say(f"\n{answer(flight)}")
    say(f"Again: {flight.repeat}")
