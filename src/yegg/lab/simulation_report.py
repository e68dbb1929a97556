"""Results of a simulation, as tables for people and as data for programs.

docs/lab.md describes the keys of `to_dict`; they stay.
"""

from functools import reduce
from operator import add
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from yegg.players.judges import fallbacks, judges
from yegg.stats.intervals import Figure, Section, as_value, whole_win
from yegg.stats.seat_balance import Balance, finding, is_even, settled
from yegg.stats.seat_balance import to_dict as balance_to_dict
from yegg.stats.sums import Histogram
from yegg.text.phrases import counted, grouped

from .batch import Matchup
from .simulation_sums import Sums, bots, seats_in
from .terminal import table

QUANTILES = (0, 5, 25, 50, 75, 95, 100)


def seat_shares(sums: Sums) -> list[Figure]:
    """Each side's share of the win."""
    return [_share(sums, side, whole_win(sums.sides)) for side in range(sums.sides)]


def bot_shares(setting: Matchup, sums: Sums) -> dict[str, Figure]:
    """Each bot's mean share of the win for one seat; a game counts once, however many it has."""
    whole = whole_win(sums.sides)
    return {
        bot: _share(sums, place, whole * seats_in(setting, bot))
        for place, bot in enumerate(bots(setting), sums.sides)
    }


def _share(sums: Sums, place: int, parts: int) -> Figure:
    """A share of the win; a deal counts once, for its games depend on each other."""
    return sums.won.ended().summed(place, parts).share(sums.finished)


def seats_alike(setting: Matchup, sums: Sums) -> Balance | None:
    """Whether all seats win alike; None where bots do not sit on all seats equally often."""
    players = setting.players
    even = is_even(setting.lineup, setting.seatings.tolist())
    if sums.sides != players or players < 2 or not even:
        return None
    won, seats, whole = sums.won.ended(), range(players), whole_win(players)
    unfinished = 1 - sums.finished / sums.games
    return settled(won.moments(seats, whole), won.few(seats, whole), sums.finished, unfinished)


def to_dict(setting: Matchup, sums: Sums, seconds: float) -> dict[str, Any]:
    """A simulation's results, for `yegg sim --json`."""
    alike = seats_alike(setting, sums)
    return {
        "game": setting.game.name,
        "options": setting.game.chosen(setting.players, setting.options),
        "cards": setting.game.cards or None,
        "games": sums.games,
        "finished": sums.finished,
        "unfinished": sums.games - sums.finished,
        "players": setting.players,
        "seed": setting.seed,
        "seats": [_as_share(figure) for figure in seat_shares(sums)],
        "seats_alike": balance_to_dict(alike) if alike else None,
        "bots": {bot: _as_share(figure) for bot, figure in bot_shares(setting, sums).items()},
        "judges": judges(setting.game, setting.lineup, setting.players, setting.options),
        "fallbacks": fallbacks(setting.game, setting.lineup),
        "ties": sums.ties,
        "failures": failures(setting, sums),
        "length": _spread(sums.lengths),
        "score": _spread(all_scores(sums)),
        "events": sums.events,
        "seconds": seconds,
        "events_per_second": sums.events / seconds,
        "sections": [
            {
                "title": section.title,
                "columns": list(section.columns),
                "rows": [[_as_json(cell) for cell in row] for row in section.rows],
            }
            for section in sections(setting, sums)
        ],
    }


def sections(setting: Matchup, sums: Sums) -> list[Section]:
    """The tables of the game's own tally."""
    tally = setting.game.part("tally")
    if not tally or not sums.finished:
        return []
    return sums.totals.sections(tally)


def all_scores(sums: Sums) -> Histogram:
    """The scores of all sides."""
    return reduce(add, sums.totals.scores)


def failures(setting: Matchup, sums: Sums) -> dict[str, dict[str, Any]]:
    """By player that failed: how many decisions were drawn by lot, why, and where at first."""
    places = list(enumerate(setting.lineup))
    return {
        name: {
            "decisions": sum(sums.failed[at] for at, other in places if other == name),
            "why": failure.why,
            **failure.to_dict(),
        }
        for name, failure in sums.failures.items()
    }


def _as_share(figure: Figure) -> dict[str, Any]:
    told = as_value(figure)
    known = told["value"] is not None
    return {"win_share": told["value"], "interval": told["interval"] if known else None}


def _as_json(cell: Any) -> Any:
    if isinstance(cell, Figure):
        told = as_value(cell)
        return told if told["value"] is not None else None
    return cell.item() if isinstance(cell, np.generic) else cell


def _spread(numbers: Histogram) -> dict[str, Any] | None:
    known = numbers.exact()
    if not known.many:
        return None
    quantiles = dict(zip(map(str, QUANTILES), numbers.quantiles(QUANTILES), strict=True))
    return {"mean": known.summed().mean, "sd": known.spread, "quantiles": quantiles}


def as_text(setting: Matchup, sums: Sums, seconds: float) -> RenderableType:
    """A simulation's results as tables."""
    finished = sums.finished
    parts: list[RenderableType] = [_headline(setting, sums, seconds)]
    if finished:
        wins = Section("Share of the win (95 % interval)", ["", "share"])
        shares = enumerate(seat_shares(sums), 1)
        wins.rows += [[f"seat {seat}", share] for seat, share in shares]
        wins.rows += [[bot, share] for bot, share in bot_shares(setting, sums).items()]
        wins.note = f"tied for first: {sums.ties} of {counted(finished, 'game')}"
        spread = Section("Spread over the games", ["", "mean", *(f"{q} %" for q in QUANTILES)])
        for name, numbers in (("events", sums.lengths), ("score", all_scores(sums))):
            quantiles = (f"{q:.0f}" if q >= 100 else f"{q:g}" for q in numbers.quantiles(QUANTILES))
            spread.rows.append([name, numbers.average(), *quantiles])
        if alike := seats_alike(setting, sums):
            wins.note += f"\n{finding(balance_to_dict(alike))}"
        parts += [table(s) for s in (wins, spread, *sections(setting, sums))]
    parts += [Text(line, "yellow") for line in fallbacks(setting.game, setting.lineup)]
    for name, failed in failures(setting, sums).items():
        count = counted(failed["decisions"], "decision was", "decisions were")
        parts.append(Text(f"{name} {failed['why']}: {count} drawn by lot instead.", "yellow"))
    if left := sums.games - finished:
        end = f"not over after {setting.max_events} events: left out of the tables."
        parts.append(Text(f"{counted(left, 'game')} {end}", "yellow"))
    return Group(*parts)


def _headline(setting: Matchup, sums: Sums, seconds: float) -> Text:
    options = setting.game.chosen(setting.players, setting.options)
    rules = ", ".join(f"{k}={v}" for k, v in options.items()) or "published rules"
    rules += f", cards {setting.game.cards}" if setting.game.cards else ""
    events = sums.events
    return Text.assemble(
        (f"{setting.game.title}", "bold"),
        f", {counted(setting.players, 'player')}, {rules}, seed {setting.seed}\n",
        f"{counted(sums.games, 'game')}, {events} events in {seconds:.2f} s: ",
        f"{grouped(round(events / seconds))} events a second",
    )
