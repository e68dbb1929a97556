"""What is known of a finished game: a row of named columns, and expressions over them."""

from typing import TYPE_CHECKING

import numpy as np

from yegg.engine import Game, Refused
from yegg.engine.prose import offered

from .sim import Batch

if TYPE_CHECKING:
    import polars as pl

LACKING = (
    "experiments need polars, altair and vl-convert-python: install yegg with its extra `lab` "
    '(pip install "yegg[lab]")'
)


def sides(game: Game, players: int) -> int:
    """How many sides have a place in the end: the players, and the automa where it plays."""
    return players + (len(game.unplayed) if players == 1 else 0)


def names_of(game: Game, players: int) -> list[str]:
    """The columns of a game, in their order."""
    seats = range(1, sides(game, players) + 1)
    tally = game.part("tally")
    return [
        *("deal", "seating", "events", "over", "winners"),
        *(f"share_{seat}" for seat in seats),
        *(f"score_{seat}" for seat in seats),
        *(tally.COLUMNS if tally else ()),
    ]


def frame(game: Game, batch: Batch, deals: list[int], arrangements: int) -> "pl.DataFrame":
    """A batch as a table, a row for each game."""
    import polars as pl

    shares = batch.shares
    columns: dict[str, np.ndarray] = {
        "deal": np.repeat(np.array(deals, np.int64), arrangements),
        "seating": np.tile(np.arange(arrangements, dtype=np.int16), len(deals)),
        "events": batch.lengths,
        "over": batch.over,
        "winners": np.count_nonzero(shares, axis=1).astype(np.int8),
    }
    for seat in range(shares.shape[1]):
        columns[f"share_{seat + 1}"] = shares[:, seat].astype(np.float32)
    for seat in range(shares.shape[1]):
        columns[f"score_{seat + 1}"] = batch.scores[:, seat]
    tally = game.part("tally")
    for at, name in enumerate(tally.COLUMNS if tally else ()):
        columns[name] = batch.counts[:, at]
    return pl.DataFrame(columns)


def parsed(said: str, known: list[str], where: str) -> "pl.Expr":
    """An expression over columns, in the words of SQL.  Raises Refused."""
    try:
        import polars as pl
    except ModuleNotFoundError:
        raise Refused(LACKING) from None

    try:
        expression = pl.sql_expr(said)
        for name in expression.meta.root_names():
            if name not in known:
                raise Refused(f"{where}: there is no column {name!r}; {offered(name, known)}")
        empty = pl.DataFrame({name: [0, 1] for name in known})
        made = empty.select(expression.cast(pl.Float64).alias("measure"))
    except pl.exceptions.PolarsError as error:
        raise Refused(
            f"{where} = {said!r} is no expression: {str(error).splitlines()[0]}"
        ) from None
    if made.height != 2:
        raise Refused(f"{where} = {said!r} must say something of each game by itself")
    return expression.cast(pl.Float64)
