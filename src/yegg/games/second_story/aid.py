"""Second Story on paper: what a job's chances are, and a sheet to write scores on."""

from yegg.engine.voice import Grid, Sheet, to_write
from yegg.parts.decktet import KIND, N_CARDS, RANK, SUIT_NAMES, Kind
from yegg.text.phrases import percent

from .lore import chance
from .state import Choice, State

GAMES = 3  # on one sheet


def tables(_: State) -> list[Grid]:
    """The chance of each job, by the rank of the house."""
    by_rank = {int(RANK[c]): c for c in range(N_CARDS) if KIND[c] == Kind.NUMBER}
    rows = [
        [
            f"rank {rank}",
            percent(chance(card, Choice.THOROUGH)),
            percent(chance(card, Choice.QUICK)),
        ]
        for rank, card in sorted(by_rank.items())
    ]
    crown = next(c for c in range(N_CARDS) if KIND[c] == Kind.CROWN)
    rows.append(["Crown", "", percent(chance(crown, Choice.QUICK))])
    return [Grid("How often a job works", ["house", "thorough: 2 chips", "quick: 1 chip"], rows)]


def sheets(s: State) -> dict[str, list[Sheet]]:
    """The score sheet."""
    head = ["", *[""] * s.players]
    rows = [*(f"{suit} in the lair" for suit in SUIT_NAMES), "second most: the score"]
    says = "Your most numerous suit is ignored; the second most numerous is your score."
    grids = [to_write(f"Game {n + 1}", head, rows) for n in range(GAMES)]
    return {"scores": [Sheet("Score sheet", says, grids)]}
