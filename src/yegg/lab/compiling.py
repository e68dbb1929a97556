"""Compiling for simulations in two processes: the other one begins with what is needed last."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import numpy as np

from yegg import games, players
from yegg.engine import Game, kernels
from yegg.engine.contest import enact
from yegg.engine.game import packages
from yegg.engine.record import SIDES
from yegg.garbage import collect_seldom


def compile_last(game: Game, names: Iterable[str]) -> None:
    """Compile by what players judge a position, then what an event does, and how a game ends."""
    states, out = np.zeros(1, game.state.dtype), np.zeros(game.choices, np.int32)
    for name in names:
        players.engine(game, name).direct(kernels.evaluate_view, states, 0)
    numbers, table = np.zeros(1, np.int32), np.zeros((1, SIDES), np.int32)
    standings = table.astype(np.int64)
    engine = game.engine("tally")
    engine.direct(enact, states, 0, numbers, table, table, None, out)
    engine.direct(kernels.conclude, states, table, standings, numbers, table)


@contextmanager
def beside(game: Game, names: Iterable[str]) -> Iterator[None]:
    """Meanwhile another process compiles for players without a memory, as far as it comes.

    A function that both need is compiled by whoever comes to it first.  There is no other process
    where there is only one core, where nobody judges, for a deck of one's own, for a copy that is
    not installed, and for a game that is held to its lore.
    """
    judging = [name for name in names if not players.thinks(name) and players.room(name)]
    found_again = packages().get(game.name) == game.package and not (game.cards or game.by_lore)
    if not found_again or not judging or os.cpu_count() == 1:
        yield
        return
    command = [sys.executable, "-X", "faulthandler", "-m", __name__, game.name, *judging]
    quiet = subprocess.DEVNULL  # but of what went wrong
    with subprocess.Popen(  # noqa: S603
        command, stdin=quiet, stdout=quiet, start_new_session=True
    ) as process:
        try:
            yield
        finally:
            process.kill()


if __name__ == "__main__":
    collect_seldom()
    with suppress(Exception):  # what fails here fails again where it is needed, and is told there
        compile_last(games.find(sys.argv[1]), sys.argv[2:])
