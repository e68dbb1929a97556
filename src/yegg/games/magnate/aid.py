"""Magnate on paper: prices, how often each number pays, and a sheet to write scores on."""

from yegg.engine.voice import Grid, Sheet, to_write
from yegg.parts.decktet import KIND, N_CARDS, RANK, Kind
from yegg.text.phrases import percent

from .state import CROWNS_PAY, DIE_SIDES, ONE_DIE, SEATS, State

DISTRICTS = "Watchman", "Borderland", "Excuse", "Harvest", "Light Keeper"
GAMES = 3  # on one sheet


def pays(s: State, number: int) -> float:
    """The probability that the die that pays shows a number, mostly the higher of two (MG-12)."""
    if s.income == ONE_DIE:
        return 1 / DIE_SIDES
    return (number**2 - (number - 1) ** 2) / DIE_SIDES**2


def tables(s: State) -> list[Grid]:
    """What each card costs and brings (MG-20 to MG-22), and how often it pays."""
    rows = [["Ace", "3 of its suit", "1", "2", percent(pays(s, 1))]]
    ranks = sorted({int(RANK[c]) for c in range(N_CARDS) if KIND[c] == Kind.NUMBER})
    rows += [[f"rank {r}", str(r), "2", "2", percent(pays(s, r))] for r in ranks]
    rows.append(["Crowns", "", "", "", percent(pays(s, CROWNS_PAY))])
    tax = percent(1 - (1 - 1 / DIE_SIDES) ** (1 if s.income == ONE_DIE else 2))
    title = f"Prices in tokens, and how often it pays (a roll with a tax: {tax})"
    return [Grid(title, ["card", "develop", "deed", "sell for", "pays"], rows)]


def sheets(_: State) -> dict[str, list[Sheet]]:
    """The score sheet."""
    rows = [*DISTRICTS, "districts won", "sum of totals, if level", "tokens left, if level"]
    says = "Add up the ranks of developed properties; whoever wins more districts wins."
    grids = [to_write(f"Game {n + 1}", ["", *[""] * SEATS], rows) for n in range(GAMES)]
    return {"scores": [Sheet("Score sheet", says, grids)]}
