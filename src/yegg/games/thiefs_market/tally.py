"""What the laboratory counts in Thief's Market: rounds, sources of Notoriety, and every card."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.stats.intervals import Apart, Results, Section, average, difference, proportion
from yegg.stats.kinds import numbers, shares

from .cards import LETTER, N_CARDS, NAMES, SLUGS
from .deck import LETTERS
from .scoring import DIGIT, card_points, gold_award, henchmen_award, score, standing
from .state import SEATS, Choice, Phase, Place, State

SOURCES = ("cards", "Infamy", "henchmen", "Gold")
ROUNDS, STOLEN, BOUGHT = 0, 1, 2
NOTORIETY = 3  # by seat and source
OWNER = NOTORIETY + SEATS * len(SOURCES)  # of each card: 1 + the seat, 0: nobody
WHEN = OWNER + N_CARDS  # the round in which each card was bought; 0: it was not
SEEN = WHEN + N_CARDS  # 1: the card was turned up
MOST = SEEN + N_CARDS  # the most Gold, and the most Infamy, that players had at once
DECIDED = MOST + 2  # by a step of `ORDER`
STOLEN_FROM_FIRST = DECIDED + 4  # piles of whoever had the most Notoriety at that moment
BOUGHT_BY = STOLEN_FROM_FIRST + 1  # cards, by seat
ORDER = ("notoriety", "cards", "infamy", "draw")
COLUMNS = numbers(
    *("rounds", "piles_stolen", "cards_bought"),
    *(f"from_{source.lower()}_{seat}" for seat in range(1, SEATS + 1) for source in SOURCES),
    *(f"{what}_{slug.replace('-', '_')}" for what in ("owner", "round") for slug in SLUGS),
)
COLUMNS |= shares(*(f"seen_{slug.replace('-', '_')}" for slug in SLUGS))
COLUMNS |= numbers("most_gold", "most_infamy")
COLUMNS |= shares(*(f"by_{step}" for step in ORDER))
COLUMNS |= numbers("stolen_from_first", *(f"bought_{seat}" for seat in range(1, SEATS + 1)))
COUNTS = len(COLUMNS)


def note(s: State, choice: int, count: Ints) -> None:
    """Count an event about to happen: a round's first roll, a theft, a purchase."""
    if s.phase == Phase.ROLL and s.loose == s.dice:
        count[ROUNDS] += 1
        note_tokens(s, count)
    elif s.phase == Phase.SPLIT and Choice.STEAL <= choice < Choice.TAKE_ALL:
        count[STOLEN] += 1
        count[STOLEN_FROM_FIRST] += is_first(s, choice - Choice.STEAL)
    elif s.phase == Phase.MARKET and Choice.BUY <= choice < Choice.ROLL:
        note_tokens(s, count)
        count[BOUGHT] += 1
        count[BOUGHT_BY + s.turn] += 1
        count[WHEN + choice - Choice.BUY] = count[ROUNDS]
    elif s.phase == Phase.MARKET and choice < Choice.DONE:
        note_tokens(s, count)


def is_first(s: State, seat: int) -> bool:
    """Whether nobody has more Notoriety than a seat, hidden Infamy included."""
    mine = score(s, seat)
    for other in range(s.players):
        if score(s, other) > mine:
            return False
    return True


def note_tokens(s: State, count: Ints) -> None:
    """Remember the most Gold and the most Infamy that all players had together."""
    gold = infamy = 0
    for seat in range(s.players):
        gold += s.gold[seat]
        infamy += s.infamy[seat]
    count[MOST] = max(count[MOST], gold)
    count[MOST + 1] = max(count[MOST + 1], infamy)


def decided_by(s: State) -> int:
    """TM-42, TM-43: the place in `ORDER` of what puts the winner before the next."""
    best = second = -1
    for seat in range(s.players):
        mine = standing(s, seat)
        if mine > best:
            best, second = mine, best
        elif mine > second:
            second = mine
    if best == second:
        return 3
    if best // DIGIT == second // DIGIT:
        return 2
    return 1 if best // DIGIT // DIGIT == second // DIGIT // DIGIT else 0


def close(s: State, count: Ints) -> None:
    """Count who owns which card at the end, where Notoriety comes from, and what decided."""
    note_tokens(s, count)
    count[DECIDED + decided_by(s)] = 1
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
    """Rounds, where Notoriety comes from, what decided, and every card with its owners' share."""
    return [course(counts), sources(counts, results), ends(counts), cards(counts, results)]


def course(counts: NDArray[np.int32]) -> Section:
    """Rounds, thefts and purchases, a game."""
    section = Section("Course", ["", "a game"])
    for name, at in (("rounds", ROUNDS), ("piles stolen", STOLEN), ("cards bought", BOUGHT)):
        section.rows.append([name, average(counts[:, at])])
    return section


def sources(counts: NDArray[np.int32], results: Results) -> Section:
    """Notoriety by source, of everybody and of the winners."""
    end = NOTORIETY + results.shares.shape[1] * len(SOURCES)
    won = results.shares > 0
    section = Section("Notoriety by source", ["source", "a player", "a winner"])
    for i, name in enumerate(SOURCES):
        source = counts[:, NOTORIETY + i : end : len(SOURCES)]
        section.rows.append([name, average(source.ravel()), average(source[won])])
    return section


def ends(counts: NDArray[np.int32]) -> Section:
    """TM-42, TM-43: how often each step of the order decides."""
    section = Section("Decided by", ["", "games", "share"])
    for at, name in enumerate(("Notoriety", "cards", "Infamy", "nothing: a draw")):
        decided = int(counts[:, DECIDED + at].sum())
        section.rows.append([name, decided, proportion(decided, len(counts))])
    return section


def cards(counts: NDArray[np.int32], results: Results) -> Section:
    """Every card: how often bought, when, and the win share of its owners less the average."""
    section = Section(
        "Cards, by name",
        ["card", "deck", "bought when seen", "round", "owners' share, not an effect"],
        note="owners' share: how much more often than the average its owners win; whoever is "
        "ahead buys more, so it does not tell what a card does (`yegg lab` with a fork tells)",
    )
    for card in sorted(range(N_CARDS), key=title):
        if seen := int((counts[:, SEEN + card] > 0).sum()):
            when = counts[:, WHEN + card]
            section.rows.append(
                [
                    title(card),
                    LETTERS[LETTER[card]],
                    proportion(int((when > 0).sum()), seen),
                    f"{when[when > 0].mean():.1f}" if when.any() else "-",
                    owners_share(counts[:, OWNER + card], results),
                ]
            )
    return section


def owners_share(owner: NDArray[np.int32], results: Results) -> Apart:
    """The win share of those who owned a card less the average share; NaN if nobody did."""
    owned = owner > 0
    shares = results.shares[owned, owner[owned] - 1]
    return difference(shares - 1 / results.shares.shape[1], percent=True)


def title(card: int) -> str:
    """A card's name, or its slug where two have the same name."""
    return NAMES[card] if NAMES.count(NAMES[card]) == 1 else SLUGS[card]
