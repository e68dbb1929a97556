"""``yegg arena --mixed``: all bots in one arena, at tables of mixed line-ups."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yegg.text.phrases import counted, percent

from .failing import debugged, kept_apart, tell_failures
from .output import draw, emit, headline, progress, stoppable, table

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.lab.kept_records import Records

    from .options import PlayOptions


def mixed_tables(
    play: "PlayOptions", records: Path | None, *, seconds: float, debug: bool, as_json: bool
) -> "Records | None":
    """Play, and tell who is strongest; the records, if they are kept.  Raises Refused."""
    from yegg.lab import mixed
    from yegg.lab.arena_report import first_failures
    from yegg.lab.kept_records import Records

    rules = game, *_ = play.seated()
    setting = mixed.circle(*rules, play.bots, play.seed, seconds=seconds, debug=debug)
    kept = Records(setting, records) if records else None
    deals, found = -(-play.games // len(play.bots)), list[mixed.Table]()
    with stoppable() as stop, debugged(debug), kept_apart(as_json):
        title = f"{counted(len(play.bots), 'bot')} at mixed tables"
        with progress(title, deals, quiet=as_json) as update:
            for one in mixed.run(setting, range(deals), play.threads, kept.add if kept else None):
                found.append(one)
                update(advance=1)
    if stop.why and not found:
        raise stop.why
    data = mixed.to_dict(setting, found)
    emit(lambda: data, lambda: _show(game, data), as_json=as_json)
    if not as_json:
        tell_failures(setting, first_failures(found), kept)
    stop.leave()
    return kept


def _show(game: "Game", data: dict[str, Any]) -> None:
    """A table of ratings, and a table of who wins against whom, at 80 columns."""
    from yegg.players.judges import fallbacks

    every = data["bots"]
    headline(game.title, f", {counted(data['players'], 'player')}, bots at mixed tables")
    for line in fallbacks(game, [one["bot"] for one in every]):
        draw(line, style="yellow")
    fair = percent(data["fair_share"], 1)
    draw(f"\n{counted(data['games'], 'game')}; {fair} is fair, and the mean Elo is 0\n")
    figures = "share of wins", "Elo", "95 % interval"
    drawn = table("", "bot", *figures, right=figures)
    for n, one in enumerate(every, 1):
        drawn.add_row(f"{n}", one["bot"], _share(one), f"{one['elo']:+.0f}", _interval(one))
    draw(drawn)
    numbers = [str(n) for n in range(1, len(every) + 1)]
    drawn = table("", "% of wins over", *numbers, right=numbers)
    for n, one in enumerate(every, 1):
        shares = (one["over"].get(other["bot"]) for other in every)
        cells = ["-" if share is None else f"{100 * share:.0f}" for share in shares]
        drawn.add_row(f"{n}", one["bot"], *cells)
    draw("\nof the games that one of the two wins, at the tables where both sit\n")
    draw(drawn)
    for one in every:
        if one["forfeits"]:
            why = f"{counted(one['forfeits'], 'game')}: it {one['forfeited_because']}"
            draw(f"{one['bot']} forfeited {why}", style="yellow")


def _share(one: dict[str, Any]) -> str:
    """A bot's share of the wins with its interval."""
    from yegg.stats.intervals import Figure

    low, high = one["win_share_interval"]
    return str(Figure(one["win_share"], low, high, percent=True))


def _interval(one: dict[str, Any]) -> str:
    low, high = one["interval"]
    return "-" if low is None or not math.isfinite(low) else f"{low:+.0f} to {high:+.0f}"
