"""What the laboratory counts in Thief's Market: rounds, sources of Notoriety, and every card."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.engine.figures import Figure, Results, Section, average, proportion

from .cards import LETTER, N_CARDS, NAMES, SLUGS
from .deck import LETTERS
from .scoring import card_points, gold_award, henchmen_award
from .state import SEATS, Choice, Phase, Place, State

SOURCES = ("cards", "Infamy", "henchmen", "Gold")
ROUNDS, STOLEN, BOUGHT = 0, 1, 2
NOTORIETY = 3  # by seat and source
OWNER = NOTORIETY + SEATS * len(SOURCES)  # of each card: 1 + the seat, 0: nobody
WHEN = OWNER + N_CARDS  # the round in which each card was bought; 0: it was not
SEEN = WHEN + N_CARDS  # 1: the card was turned up
COLUMNS = (
    *("rounds", "piles_stolen", "cards_bought"),
    *(f"from_{source.lower()}_{seat}" for seat in range(1, SEATS + 1) for source in SOURCES),
    *(f"{what}_{slug.replace('-', '_')}" for what in ("owner", "round", "seen") for slug in SLUGS),
)
COUNTS = len(COLUMNS)


def note(s: State, choice: int, count: Ints) -> None:
    """Count an event about to happen: a round's first roll, a theft, a purchase."""
    if s.phase == Phase.ROLL and s.loose == s.dice:
        count[ROUNDS] += 1
    elif s.phase == Phase.SPLIT and Choice.STEAL <= choice < Choice.TAKE_ALL:
        count[STOLEN] += 1
    elif s.phase == Phase.MARKET and Choice.BUY <= choice < Choice.ROLL:
        count[BOUGHT] += 1
        count[WHEN + choice - Choice.BUY] = count[ROUNDS]


def close(s: State, count: Ints) -> None:
    """Count who owns which card at the end of a game, and where the Notoriety comes from."""
    for card in range(N_CARDS):
        count[SEEN + card] = s.where[card] > Place.DECK
        if s.where[card] >= Place.OWNED:
            count[OWNER + card] = 1 + s.where[card] - Place.OWNED
    for seat in range(s.players):
        at = NOTORIETY + seat * len(SOURCES)
        count[at] = card_points(s, seat)
        count[at + 1] = s.infamy[seat]
        count[at + 2] = henchmen_award(s, seat)
        count[at + 3] = gold_award(s, seat)


def report(counts: NDArray[np.int32], results: Results) -> list[Section]:
    """Rounds, where Notoriety comes from, and every card with its lift."""
    return [course(counts), sources(counts, results), cards(counts, results)]


def course(counts: NDArray[np.int32]) -> Section:
    """Rounds, thefts and purchases, a game."""
    section = Section("Course", ["", "a game"])
    for name, at in (("rounds", ROUNDS), ("piles stolen", STOLEN), ("cards bought", BOUGHT)):
        section.rows.append([name, average(counts[:, at])])
    return section


def sources(counts: NDArray[np.int32], results: Results) -> Section:
    """Notoriety by source, of everybody and of the winners."""
    games, players = results.shares.shape
    cells = counts[:, NOTORIETY : NOTORIETY + players * len(SOURCES)]
    points = cells.reshape(games, players, len(SOURCES))
    won = results.shares > 0
    section = Section("Notoriety by source", ["source", "a player", "a winner"])
    for i, name in enumerate(SOURCES):
        source = points[:, :, i]
        section.rows.append([name, average(source.ravel()), average(source[won])])
    return section


def cards(counts: NDArray[np.int32], results: Results) -> Section:
    """Every card: how often bought, when, and the win share of its owners less the average."""
    rows: list[tuple[float, list[object]]] = []
    for card in range(N_CARDS):
        if seen := int((counts[:, SEEN + card] > 0).sum()):
            when = counts[:, WHEN + card]
            gain = lift(counts[:, OWNER + card], results)
            row = [
                title(card),
                LETTERS[LETTER[card]],
                proportion(int((when > 0).sum()), seen),
                f"{when[when > 0].mean():.1f}" if when.any() else "-",
                gain,
            ]
            rows.append((np.inf if np.isnan(gain.value) else -gain.value, row))
    rows.sort(key=lambda row: row[0])
    return Section(
        "Cards, the strongest first",
        ["card", "deck", "bought when seen", "round", "lift"],
        [row for _, row in rows],
        note="lift: how much more often than the average its owners win",
    )


def lift(owner: NDArray[np.int32], results: Results) -> Figure:
    """The win share of those who owned a card less the average share; NaN if nobody did."""
    owned = owner > 0
    shares = results.shares[owned, owner[owned] - 1]
    return average(shares - 1 / results.shares.shape[1], percent=True)


def title(card: int) -> str:
    """A card's name, or its slug where two have the same name."""
    return NAMES[card] if NAMES.count(NAMES[card]) == 1 else SLUGS[card]
