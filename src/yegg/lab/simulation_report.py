"""Results of a simulation, as tables for people and as data for programs.

docs/lab.md describes the keys of `as_data`; they stay.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from yegg.players.judges import fallbacks, judges
from yegg.stats.intervals import Figure, Section, as_value, average, share
from yegg.text.phrases import counted
from yegg.text.untrusted import shown

from .batch import Batch, Setting
from .seat_balance import Balance, balance, is_even, sentence
from .seat_balance import as_data as balance_as_data

QUANTILES = (0, 5, 25, 50, 75, 95, 100)


def seat_shares(setting: Setting, batch: Batch) -> list[Figure]:
    """Each side's share of the win."""
    shares = batch.results.shares.T
    return [_share_of(setting, batch, won) for won in shares]


def bot_shares(setting: Setting, batch: Batch) -> dict[str, Figure]:
    """Each bot's mean share of the win for one seat; a game counts once, however many it has."""
    done = batch.over
    shares, seating = batch.results.shares, batch.seating[done]
    figures = {}
    for bot in sorted(set(setting.lineup)):
        mine = np.array([name == bot for name in setting.lineup])[seating]
        own = np.einsum("ij,ij->i", shares[:, : setting.players], mine)  # without a copy of all
        won = own / mine.sum(axis=1)
        figures[bot] = _share_of(setting, batch, won)
    return figures


def seats_alike(setting: Setting, batch: Batch) -> Balance | None:
    """Whether all seats win alike; None where bots do not sit on all seats equally often."""
    players, shares = setting.players, batch.results.shares
    lineup, seatings = setting.lineup, setting.seatings.tolist()
    if shares.shape[1] != players or players < 2 or not is_even(lineup, seatings):
        return None
    if len(seatings) > 1:
        shares = np.stack([_by_deal(setting, batch, won) for won in shares.T], axis=1)
    return balance(shares, int(batch.over.sum()), unfinished=1 - float(batch.over.mean()))


def _share_of(setting: Setting, batch: Batch, won: NDArray[np.float64]) -> Figure:
    """A share of the win, from what was won of each finished game."""
    return share(_by_deal(setting, batch, won), len(won))


def _by_deal(setting: Setting, batch: Batch, won: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of a share over the games of each deal, for they depend on each other."""
    deals = np.flatnonzero(batch.over) // len(setting.seatings)
    games = np.bincount(deals)
    means: NDArray[np.float64] = np.bincount(deals, won)[games > 0] / games[games > 0]
    return means


def ties(batch: Batch) -> int:
    """How many games had more than one winner."""
    return int((batch.results.shares.max(axis=1, initial=0) < 1).sum())


def as_data(setting: Setting, batch: Batch, seconds: float) -> dict[str, Any]:
    """A simulation's results, for `yegg sim --json`."""
    results, alike = batch.results, seats_alike(setting, batch)
    return {
        "game": setting.game.name,
        "options": setting.game.chosen(setting.players, setting.options),
        "cards": setting.game.cards or None,
        "games": len(batch.lengths),
        "finished": len(results.lengths),
        "unfinished": len(batch.lengths) - len(results.lengths),
        "players": setting.players,
        "seed": setting.seed,
        "seats": [_share(figure) for figure in seat_shares(setting, batch)],
        "seats_alike": balance_as_data(alike) if alike else None,
        "bots": {bot: _share(figure) for bot, figure in bot_shares(setting, batch).items()},
        "judges": judges(setting.game, setting.lineup, setting.players, setting.options),
        "fallbacks": fallbacks(setting.game, setting.lineup),
        "ties": ties(batch),
        "failures": failures(setting, batch),
        "length": _spread(results.lengths),
        "score": _spread(results.scores),
        "events": int(batch.lengths.sum()),
        "seconds": seconds,
        "events_per_second": float(batch.lengths.sum() / seconds),
        "sections": [
            {
                "title": section.title,
                "columns": list(section.columns),
                "rows": [[_as_json(cell) for cell in row] for row in section.rows],
            }
            for section in sections(setting, batch)
        ],
    }


def sections(setting: Setting, batch: Batch) -> list[Section]:
    """The tables of the game's own tally."""
    tally = setting.game.part("tally")
    if not tally or not batch.over.any():
        return []
    report: list[Section] = tally.report(batch.counts[batch.over], batch.results)
    return report


def failures(setting: Setting, batch: Batch) -> dict[str, dict[str, Any]]:
    """By player that failed: how many of its decisions were drawn by lot, and why."""

    def decisions(name: str) -> int:
        mine = np.array([other == name for other in setting.lineup])[batch.seating]
        return int(batch.failed[mine].sum())

    return {name: {"decisions": decisions(name), "why": why} for name, why in batch.why.items()}


def _share(figure: Figure) -> dict[str, Any]:
    told = as_value(figure)
    known = told["value"] is not None
    return {"win_share": told["value"], "interval": told["interval"] if known else None}


def _as_json(cell: Any) -> Any:
    if isinstance(cell, Figure):
        told = as_value(cell)
        return told if told["value"] is not None else None
    return cell.item() if isinstance(cell, np.generic) else cell


def _spread(values: NDArray[np.int32]) -> dict[str, Any] | None:
    if not values.size:
        return None
    data = values.ravel()
    quantiles = dict(zip(map(str, QUANTILES), np.percentile(data, QUANTILES).tolist(), strict=True))
    return {"mean": float(data.mean()), "sd": float(data.std()), "quantiles": quantiles}


def as_text(setting: Setting, batch: Batch, seconds: float) -> RenderableType:
    """A simulation's results as tables."""
    results, games = batch.results, len(batch.lengths)
    parts: list[RenderableType] = [_headline(setting, batch, seconds)]
    if results.lengths.size:
        wins = Section("Share of the win (95 % interval)", ["", "share"])
        shares = enumerate(seat_shares(setting, batch), 1)
        wins.rows += [[f"seat {seat}", share] for seat, share in shares]
        wins.rows += [[bot, share] for bot, share in bot_shares(setting, batch).items()]
        wins.note = f"tied for first: {ties(batch)} of {counted(len(results.lengths), 'game')}"
        spread = Section("Spread over the games", ["", "mean", *(f"{q} %" for q in QUANTILES)])
        for name, values in (("events", results.lengths), ("score", results.scores.ravel())):
            quantiles = (
                f"{q:.0f}" if q >= 100 else f"{q:g}" for q in np.percentile(values, QUANTILES)
            )
            spread.rows.append([name, average(values), *quantiles])
        if alike := seats_alike(setting, batch):
            wins.note += f"\n{sentence(balance_as_data(alike))}"
        parts += [table(s) for s in (wins, spread, *sections(setting, batch))]
    parts += [Text(line, "yellow") for line in fallbacks(setting.game, setting.lineup)]
    for name, failed in failures(setting, batch).items():
        count = counted(failed["decisions"], "decision was", "decisions were")
        parts.append(Text(f"{name} {failed['why']}: {count} drawn by lot instead.", "yellow"))
    if left := games - len(results.lengths):
        end = f"not over after {setting.max_events} events: left out of the tables."
        parts.append(Text(f"{counted(left, 'game')} {end}", "yellow"))
    return Group(*parts)


def _headline(setting: Setting, batch: Batch, seconds: float) -> Text:
    options = setting.game.chosen(setting.players, setting.options)
    rules = ", ".join(f"{k}={v}" for k, v in options.items()) or "published rules"
    rules += f", cards {setting.game.cards}" if setting.game.cards else ""
    events = int(batch.lengths.sum())
    return Text.assemble(
        (f"{setting.game.title}", "bold"),
        f", {counted(setting.players, 'player')}, {rules}, seed {setting.seed}\n",
        f"{counted(len(batch.lengths), 'game')}, {events} events in {seconds:.2f} s: ",
        f"{events / seconds:,.0f} events a second",
    )


def table(section: Section) -> RenderableType:
    """A section as a table, with its title above it and its note below."""
    grid = Table(box=None, padding=(0, 2, 0, 0))
    for i, column in enumerate(section.columns):
        grid.add_column(Text(column), justify="left" if i == 0 else "right", overflow="fold")
    for row in section.rows:
        grid.add_row(*(Text(shown(_cell(cell))) for cell in row))  # never read as markup
    title, note = Text(f"\n{section.title}", "italic"), Text(section.note, "dim italic")
    return Group(title, grid, *([note] if section.note else []))


def _cell(cell: object) -> str:
    """A cell of a table in words; a mapping has its own, as ``text``."""
    if isinstance(cell, dict):
        cell = cell["text"]
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
