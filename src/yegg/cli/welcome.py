"""``yegg`` alone: what there is, and what to do next."""

from rich.table import Table
from rich.text import Text

from yegg import games, players

from .screen import Screen

LEVELS = ("easy", "medium", "hard")


def welcome() -> None:
    """List games and bots."""
    screen = Screen()
    there = Table(title="Games", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for column in ("name", "players", "minutes", ""):
        there.add_column(column, overflow="fold")
    for name in games.names():
        game = games.find(name)
        span = f"{game.players[0]}-{game.players[-1]}" if len(game.players) > 1 else "1"
        there.add_row(Text(name, "bold"), span, str(game.minutes), game.blurb)
    screen.print(there)
    bots = Table(title="\nBots", title_justify="left", box=None, padding=(0, 2, 0, 0))
    bots.add_column("name")
    bots.add_column("", overflow="fold")
    for name in (*LEVELS, *(name for name in players.names() if name not in LEVELS)):
        bots.add_row(Text(name, "bold"), players.about(name))
    screen.print(bots)
    first = min(games.names(), key=lambda name: games.find(name).minutes)
    screen.print()
    for command, says in (
        (f"yegg learn {first}", "learn a game here, in a few minutes"),
        (f"yegg play {first}", "play here, against bots"),
        ("yegg serve --open", "play in the browser, with friends"),
        (f"yegg rules {first}", "read the rules"),
        (f"yegg play {first} --option", "see which rules can be changed"),
        (f"yegg sim {first}", "let bots play a thousand games"),
        ("yegg --help", "everything else"),
    ):
        screen.print(Text.assemble((command.ljust(34), "bold"), says))
