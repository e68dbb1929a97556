"""What is printed for a game, or for a table: a page of aid, and sheets to write on."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from yegg.engine import Game
from yegg.engine.voice import Grid, Sheet, to_write

from . import rulebook

AID, SCORES = "aid", "scores"
ROUNDS = 12  # rows of a score sheet of a game that brings none of its own
SEATS = 6
MOST = 25  # clauses of a game without lessons
USUAL: Mapping[str, str] = MappingProxyType({})


def core(game: Game) -> list[str]:
    """The clauses that a beginner needs: those of the lessons, else the first of the rules."""
    path = game.folder / "lessons" / "core.txt"
    there = rulebook.clauses(game)
    if path.is_file():
        return [one for one in path.read_text(encoding="utf-8").split() if one in there]
    return list(there)[:MOST]


def aid(game: Game, players: int, options: Mapping[str, str] = USUAL) -> dict[str, Any]:
    """What the page of aid shows: the core of the rules, prices and odds.  Raises Refused."""
    s = game.blank(players, options)[0]
    clauses = [rulebook.clauses(game)[number] for number in core(game)]
    made = game.part("aid")
    grids: list[Grid] = made.tables(s) if made else []
    known = game.options
    ours = [(name, value, known[name].says) for name, value in options.items()]
    return {"clauses": clauses, "grids": grids, "ours": ours}


def sheets(game: Game, players: int, options: Mapping[str, str] = USUAL) -> dict[str, list[Sheet]]:
    """The sheets to write on, by name; every game has a score sheet.  Raises Refused."""
    made = game.part("aid")
    found: dict[str, list[Sheet]] = made.sheets(game.blank(players, options)[0]) if made else {}
    return {SCORES: [plain(game)], **found}


def asked(players: int, options: Mapping[str, str]) -> str:
    """What the address of a page on paper says of the table that it is for."""
    return urlencode({"players": players, **options})


def plain(game: Game) -> Sheet:
    """The score sheet of a game that brings none of its own."""
    rows = [str(n + 1) for n in range(ROUNDS)]
    return Sheet("Score sheet", game.blurb, [to_write("", ["", *[""] * SEATS], [*rows, "total"])])
