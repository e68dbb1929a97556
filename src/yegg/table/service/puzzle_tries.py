"""First tries at puzzles: how often people found the answer."""

import sqlalchemy as sa

from yegg.table.domain.puzzle_tries import Tries
from yegg.table.storage.schema import puzzle_tries
from yegg.table.storage.uptime import here

tries = puzzle_tries.c


def try_once(
    connection: sa.Connection, game: str, puzzle: int, person: str, *, found: bool
) -> None:
    """Keep somebody's first try at a puzzle; later ones change nothing."""
    row = {"game": game, "puzzle": puzzle, "person": person}
    known = sa.select(tries.found).filter_by(**row)
    if connection.execute(known).first() is None:
        connection.execute(sa.insert(puzzle_tries).values(**row, found=found, at=here()))


def of_game(connection: sa.Connection, game: str, person: str) -> dict[int, Tries]:
    """The first tries at a game's puzzles, by their numbers; those nobody tried are missing."""
    found = sa.func.sum(sa.cast(tries.found, sa.Integer))
    counted = sa.select(tries.puzzle, sa.func.count(), found).group_by(tries.puzzle)
    own = sa.select(tries.puzzle, tries.found).where(tries.person == person)
    mine = {row.puzzle: row.found for row in connection.execute(own.where(tries.game == game))}
    return {
        puzzle: Tries(many, hits, mine.get(puzzle))
        for puzzle, many, hits in connection.execute(counted.where(tries.game == game))
    }
