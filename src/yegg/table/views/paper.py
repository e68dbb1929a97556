"""What is printed: a page of aid for each game, and sheets to write on."""

from functools import cache
from typing import Any

from yegg.engine import Game
from yegg.engine.paper import Grid, Sheet, to_write

from . import rulebook

AID, SCORES = "aid", "scores"
ROUNDS = 12  # rows of a score sheet of a game that brings none of its own
SEATS = 6
MOST = 25  # clauses of a game without lessons


def core(game: Game) -> list[str]:
    """The clauses that a beginner needs: those of the lessons, else the first of the rules."""
    path = game.folder / "lessons" / "core.txt"
    there = rulebook.clauses(game)
    if path.is_file():
        return [one for one in path.read_text(encoding="utf-8").split() if one in there]
    return list(there)[:MOST]


@cache
def aid(game: Game) -> dict[str, Any]:
    """What the page of aid shows: the core of the rules, prices and odds."""
    clauses = [rulebook.clauses(game)[number] for number in core(game)]
    made = game.part("aid")
    grids: list[Grid] = made.tables() if made else []
    return {"clauses": clauses, "grids": grids}


def sheets(game: Game, players: int) -> dict[str, list[Sheet]]:
    """The sheets to write on, by name; every game has a score sheet."""
    made = game.part("aid")
    found: dict[str, list[Sheet]] = made.sheets(players) if made else {}
    return {SCORES: [plain(game)], **found}


def plain(game: Game) -> Sheet:
    """The score sheet of a game that brings none of its own."""
    rows = [str(n + 1) for n in range(ROUNDS)]
    return Sheet("Score sheet", game.blurb, [to_write("", ["", *[""] * SEATS], [*rows, "total"])])
