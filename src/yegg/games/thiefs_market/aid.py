"""Thief's Market on paper: every card with its cost, odds of dice, and a sheet for scores."""

from yegg.engine.voice import Grid, Sheet, to_write
from yegg.text.phrases import percent

from .cards import CARDS, LETTER, N_CARDS, N_FACES, PROMO
from .deck import LETTERS
from .state import State
from .texts import cost_text, effect_text, icon_text

MOST = 6  # dice that are rolled anew
GAMES = 2  # on one sheet


def tables(s: State) -> list[Grid]:
    """The cards of each deck with what they cost, and how often rolling dice brings a face."""
    grids = [
        Grid(
            f"Deck {letter}",
            ["card", "costs", "icons", "what it does"],
            [
                [CARDS[c].name, cost_text(c), icon_text(c), effect_text(c)]
                for c in range(N_CARDS)
                if LETTER[c] == i and (s.promos or not PROMO[c])
            ],
        )
        for i, letter in enumerate(LETTERS)
    ]
    head = ["dice rolled", *(str(n) for n in range(1, MOST + 1))]
    odds = [percent(1 - (1 - 1 / N_FACES) ** n) for n in range(1, MOST + 1)]
    return [*grids, Grid("A certain face on one of them at least", head, [["chance", *odds]])]


def sheets(s: State) -> dict[str, list[Sheet]]:
    """The score sheet."""
    rows = [
        "cards",
        "Infamy",
        "most henchmen",
        "most Gold",
        "Notoriety",
        "number of cards, if level",
    ]
    says = "Most henchmen: 3, second most: 1; most Gold: 3; one less in a tie."
    grids = [to_write(f"Game {n + 1}", ["", *[""] * s.players], rows) for n in range(GAMES)]
    return {"scores": [Sheet("Score sheet", says, grids)]}
