"""Finished games as a table of named columns, and expressions over the columns."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Refused
from yegg.stats.kinds import Kind, declared, numbers, shares
from yegg.text.phrases import offered

from .batch import Batch, won_on

if TYPE_CHECKING:
    import polars as pl

LACKING = (
    "experiments need polars, altair and vl-convert-python: install yegg with its extra `lab` "
    '(pip install "yegg[lab]")'
)


@contextmanager
def of_the_extra(lacking: str = LACKING) -> Iterator[None]:
    """What is imported within comes with the extra `lab`.  Raises Refused without it."""
    try:
        yield
    except ModuleNotFoundError:
        raise Refused(lacking) from None


TEXTS = ("fork", "words")  # columns of forks that hold texts, and not numbers


def sides(game: Game, players: int) -> int:
    """How many sides have a place in the end: the players, and the automa where it plays."""
    return players + (len(game.unplayed) if players == 1 else 0)


def columns_of(game: Game, players: int, named: Sequence[str] = ()) -> dict[str, Kind]:
    """The columns of a game, in their order, and the kind of each.

    ``named`` are the bots that play against others.
    """
    seats = range(1, players + 1)
    every = range(1, sides(game, players) + 1)
    tally = game.part("tally")
    return {
        **numbers("deal", "seating", "events"),
        **shares("over"),
        **numbers("winners", "turns", *(("minutes",) if game.pace else ())),
        **shares(*(f"share_{seat}" for seat in every)),
        **numbers(*(f"score_{seat}" for seat in every)),
        **numbers(*(f"decisions_{seat}" for seat in seats)),
        **numbers(*(f"forced_{seat}" for seat in seats)),
        **shares(*(share_of(name) for name in named)),
        **(declared(tally.COLUMNS) if tally else {}),
    }


def share_of(name: str) -> str:
    """The column of a bot's share of the win, ``share_of_search_2000``."""
    return "share_of_" + re.sub(r"\W+", "_", name)


def frame(
    game: Game,
    batch: Batch,
    deals: Sequence[int],
    arrangements: int,
    lineup: Sequence[str] = (),
    named: Sequence[str] = (),
) -> "pl.DataFrame":
    """A batch as a table, a row for each game, with the columns of `columns_of`.

    ``lineup`` plays it.
    """
    import polars as pl

    shares = batch.shares
    columns: dict[str, np.ndarray | pl.Series] = {
        "deal": np.repeat(np.array(deals, np.int64), arrangements),
        "seating": np.tile(np.arange(arrangements, dtype=np.int16), len(deals)),
        "events": batch.lengths,
        "over": batch.over,
        "winners": np.count_nonzero(shares, axis=1).astype(np.int8),
        "turns": batch.turns,
    }
    if game.pace:
        decided = batch.decisions.sum(axis=1)
        columns["minutes"] = minutes(game.pace, batch.lengths, decided)
    for side in range(shares.shape[1]):
        columns[f"share_{side + 1}"] = shares[:, side].astype(np.float32)
    for side in range(shares.shape[1]):
        columns[f"score_{side + 1}"] = batch.scores[:, side]
    for what in ("decisions", "forced"):
        for seat, counted in enumerate(getattr(batch, what).T):
            columns[f"{what}_{seat + 1}"] = counted
    for name in named:
        columns[share_of(name)] = pl.Series(_shares_of(name, lineup, batch), dtype=pl.Float32)
    tally, counts = game.part("tally"), np.asarray(batch.counts)
    for at, name in enumerate(tally.COLUMNS if tally else ()):
        columns[name] = counts[:, at]
    return pl.DataFrame(columns)


def minutes(pace: tuple[float, float], events: NDArray[Any], decisions: NDArray[Any]) -> Any:
    """How long games would take at a table: seconds a decision, and seconds any other event."""
    thinking, doing = pace
    took = (decisions * thinking + (events - decisions) * doing) / 60
    return took.astype(np.float32)


def _shares_of(name: str, lineup: Sequence[str], batch: Batch) -> NDArray[np.float64] | list[None]:
    """The mean share of the seats of a bot, game by game; None in games without it."""
    if name not in lineup:
        return [None] * len(batch.seating)
    seats = np.array([other == name for other in lineup])[batch.seating]
    mean: NDArray[np.float64] = won_on(seats, batch.shares) / seats.sum(axis=1)
    return mean


def parsed(said: str, known: Collection[str], where: str, *, typed: bool = True) -> "pl.Expr":
    """An expression over columns, in the words of SQL.  Raises Refused.

    ``typed``: its values are numbers; else they are texts.
    """
    with of_the_extra():
        import polars as pl

    try:
        expression = pl.sql_expr(said)
        for name in expression.meta.root_names():
            if name not in known:
                raise Refused(f"{where}: there is no column {name!r}; {offered(name, list(known))}")
        empty = pl.DataFrame({name: ["", ""] if name in TEXTS else [0, 1] for name in known})
        expression = expression.cast(pl.Float64 if typed else pl.String)
        measured = empty.select(expression.alias("measure"))
    except pl.exceptions.PolarsError as error:
        raise Refused(
            f"{where} = {said!r} is no expression: {str(error).splitlines()[0]}"
        ) from None
    if measured.height != 2:
        raise Refused(f"{where} = {said!r} must say something of each game by itself")
    return expression
