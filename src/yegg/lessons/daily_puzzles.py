"""Which puzzles of each game are those of a day."""

from collections.abc import Iterator
from datetime import date

from yegg.engine import Game

from .puzzle import Puzzle, puzzles

A_DAY = 3
"""So many puzzles of each game are those of a day at most; of few, a third is, rounded up."""


def of_day(game: Game, day: date) -> list[Puzzle]:
    """The puzzles of a day: the same for everybody, and all have come before one comes again."""
    there = puzzles(game)
    many = min(A_DAY, -(-len(there) // A_DAY))
    first = day.toordinal() * many
    return [there[(first + i) % len(there)] for i in range(many)]


def all_of_day(games: list[Game], day: date) -> Iterator[tuple[Game, list[Puzzle]]]:
    """The games that have puzzles, each with those of a day."""
    for game in games:
        if found := of_day(game, day):
            yield game, found
