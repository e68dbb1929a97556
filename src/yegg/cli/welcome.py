"""``yegg`` alone: what there is, and what to do next."""

from rich.console import Console
from rich.table import Table

from yegg import games, players


def welcome() -> None:
    """List games and players."""
    console = Console()
    there = Table(title="Games", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for column in ("name", "players", "minutes", ""):
        there.add_column(column, overflow="fold")
    for name in games.names():
        game = games.find(name)
        span = f"{game.players[0]}-{game.players[-1]}" if len(game.players) > 1 else "1"
        there.add_row(f"[bold]{name}[/]", span, str(game.minutes), game.blurb)
    console.print(there)
    bots = Table(title="\nPlayers", title_justify="left", box=None, padding=(0, 2, 0, 0))
    bots.add_column("name")
    bots.add_column("", overflow="fold")
    for name in players.names():
        bots.add_row(f"[bold]{name}[/]", players.about(name))
    console.print(bots)
    first = games.names()[0]
    console.print(
        f"\nNext: [bold]yegg play {first}[/], [bold]yegg rules {first}[/], "
        f"[bold]yegg sim {first}[/], [bold]yegg --help[/]",
        soft_wrap=True,
    )
