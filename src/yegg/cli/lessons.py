"""``yegg learn``: the lessons of a game, in the terminal."""

from typing import TYPE_CHECKING

import click

from .options import optional_game_argument

if TYPE_CHECKING:
    from rich.table import Table

    from yegg.engine import Game


@click.command()
@optional_game_argument
@click.argument("wanted", metavar="[LESSON]", required=False)
def learn(game: "Game | None", wanted: str | None) -> None:
    """Learn GAME by playing, in a few minutes.

    \b
    yegg learn                  which games can be learnt, and how long it takes
    yegg learn magnate          the lessons of a game
    yegg learn magnate 1        begin with the first

    A teacher shows positions, asks for moves, and answers.  Type as in `yegg play`; `b` goes
    back a step, `s` to the next lesson, `q` leaves.  Nothing is kept.
    """
    from yegg import games
    from yegg.lessons import lessons
    from yegg.text.untrusted import quoted

    from .play.teacher import Teacher
    from .screen import Screen

    screen = Screen()
    if game is None:
        for name in games.names():
            if lessons(games.find(name)):
                screen.print(contents(games.find(name)))
        return
    series = lessons(game)
    if not series:
        raise click.UsageError(f"{game.title} has no lessons; yegg rules {game.name} explains it")
    if wanted is None:
        screen.print(contents(game))
        return
    names = [(str(lesson.number), lesson.key) for lesson in series]
    first = next((n for n, known in enumerate(names) if wanted in known), None)
    if first is None:
        raise click.UsageError(f"there is no lesson {quoted(wanted)}; there are 1 to {len(series)}")
    for lesson in series[first:]:
        if not Teacher(lesson, screen).teach():
            return


def contents(game: "Game") -> "Table":
    """The lessons of a game."""
    from rich.table import Table
    from rich.text import Text

    from yegg.lessons import lessons, minutes
    from yegg.text.phrases import counted

    series = lessons(game)
    title = f"{game.title}: {counted(minutes(series), 'minute')} in all"
    table = Table(title=title, title_justify="left", box=None, show_header=False)
    for lesson in series:
        command = f"yegg learn {game.name} {lesson.number}"
        table.add_row(Text(command, "bold"), lesson.title)
    return table
