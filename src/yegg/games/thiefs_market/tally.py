"""What the laboratory counts in Thief's Market: rounds, sources of Notoriety, and every card."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.stats.intervals import Apart, Results, Section, proportion, whole_win
from yegg.stats.kinds import numbers, shares
from yegg.stats.sums import Exact, Tallied

from .cards import LETTER, N_CARDS, N_LETTERS, NAMES, SLUGS
from .deck import LETTERS
from .scoring import DIGIT, card_points, gold_award, henchmen_award, score, standing
from .state import SEATS, Choice, Phase, Place, State, move

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
ENDED = BOUGHT_BY + SEATS  # by deck: the round in which it ended
DEAD = ENDED + len(LETTERS)  # cards that were turned up and never bought
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
COLUMNS |= numbers(*(f"ended_{letter.lower()}" for letter in LETTERS), "dead_cards")
COUNTS = len(COLUMNS)


def count_event(s: State, choice: int, count: Ints) -> None:
    """Count an event about to happen: a round's first roll, a theft, a purchase."""
    what, which = move(choice)
    note_ends(s, count)
    if s.phase == Phase.ROLL and s.loose == s.dice:
        count[ROUNDS] += 1
        note_tokens(s, count)
    elif what == Choice.STEAL:
        count[STOLEN] += 1
        count[STOLEN_FROM_FIRST] += is_first(s, which)
    elif s.phase == Phase.MARKET and what == Choice.BUY:
        note_tokens(s, count)
        count[BOUGHT] += 1
        count[BOUGHT_BY + s.turn] += 1
        count[WHEN + which] = count[ROUNDS]
    elif s.phase == Phase.MARKET and what != Choice.DONE:
        note_tokens(s, count)


def note_ends(s: State, count: Ints) -> None:
    """Remember in which round each deck ended."""
    for letter in range(N_LETTERS):
        if s.left[letter] == 0 and count[ENDED + letter] == 0:
            count[ENDED + letter] = count[ROUNDS]


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


def count_end(s: State, count: Ints) -> None:
    """Count who owns which card at the end, where Notoriety comes from, and what decided."""
    note_tokens(s, count)
    count[ENDED + N_LETTERS - 1] = count[ROUNDS]  # TM-33: with the game, whatever is left of C
    count[DECIDED + decided_by(s)] = 1
    for card in range(N_CARDS):
        count[SEEN + card] = s.where[card] > Place.DECK
        count[DEAD] += s.where[card] > Place.DECK and count[WHEN + card] == 0
        if s.where[card] >= Place.OWNED:
            count[OWNER + card] = 1 + s.where[card] - Place.OWNED
    for seat in range(s.players):
        at = NOTORIETY + seat * len(SOURCES)
        count[at] = card_points(s, seat)
        count[at + 1] = s.infamy[seat]
        count[at + 2] = henchmen_award(s, seat)
        count[at + 3] = gold_award(s, seat)


def measures(counts: NDArray[np.int32], results: Results) -> dict[str, NDArray[Any]]:
    """What `report` tells and no counter holds: Notoriety by player, and cards with their owners.

    Of each player: what each source brought; of the winners the same.  Of each game, by card:
    whether it was bought, whether somebody had it in the end, and what the owner won.
    """
    games, sides = results.won.shape
    sources = counts[:, NOTORIETY : NOTORIETY + sides * len(SOURCES)]
    sources = np.asarray(sources).reshape(games, sides, len(SOURCES))
    owner = counts[:, OWNER : OWNER + N_CARDS]
    nobody_first = np.concatenate([np.zeros((games, 1), np.int64), results.won], axis=1)
    return {
        "from": sources.reshape(-1, len(SOURCES)),
        "winners from": sources[results.won > 0],
        "bought": counts[:, WHEN : WHEN + N_CARDS] > 0,
        "owned": owner > 0,
        "owners won": np.take_along_axis(nobody_first, owner, axis=1),
    }


def report(told: Tallied) -> list[Section]:
    """Rounds, where Notoriety comes from, what decided, and every card with its owners' share."""
    return [course(told), sources(told), ends(told), cards(told)]


def course(told: Tallied) -> Section:
    """Rounds, thefts and purchases, a game."""
    section = Section("Course", ["", "a game"])
    for name, at in (("rounds", ROUNDS), ("piles stolen", STOLEN), ("cards bought", BOUGHT)):
        section.rows.append([name, told.counters[at].average()])
    return section


def sources(told: Tallied) -> Section:
    """Notoriety by source, of everybody and of the winners."""
    section = Section("Notoriety by source", ["source", "a player", "a winner"])
    everybody, winners = told.measured["from"], told.measured["winners from"]
    for at, name in enumerate(SOURCES):
        section.rows.append([name, everybody[at].average(), winners[at].average()])
    return section


def ends(told: Tallied) -> Section:
    """TM-42, TM-43: how often each step of the order decides."""
    section = Section("Decided by", ["", "games", "share"])
    for at, name in enumerate(("Notoriety", "cards", "Infamy", "nothing: a draw")):
        decided = told.counters[DECIDED + at].total
        section.rows.append([name, decided, proportion(decided, told.games)])
    return section


def cards(told: Tallied) -> Section:
    """Every card: how often bought, when, and the win share of its owners less the average."""
    section = Section(
        "Cards, by name",
        ["card", "deck", "bought when seen", "round", "owners' share, not an effect"],
        note="owners' share: how much more often than the average its owners win; whoever is "
        "ahead buys more, so it does not tell what a card does (`yegg lab` with a fork tells)",
    )
    for card in sorted(range(N_CARDS), key=title):
        if seen := told.counters[SEEN + card].total:
            bought = told.measured["bought"][card].total
            section.rows.append(
                [
                    title(card),
                    LETTERS[LETTER[card]],
                    proportion(bought, seen),
                    f"{told.counters[WHEN + card].total / bought:.1f}" if bought else "-",
                    owners_share(told, card),
                ]
            )
    return section


def owners_share(told: Tallied, card: int) -> Apart:
    """The win share of those who owned a card less the average share; NaN if nobody did."""
    won = told.measured["owners won"][card]
    owners = Exact(told.measured["owned"][card].total, won.total, won.squares)  # nobody wins 0
    sides = len(told.scores)
    return owners.summed(whole_win(sides)).less(1 / sides).apart(percent=True)


def title(card: int) -> str:
    """A card's name, or its slug where two have the same name."""
    return NAMES[card] if NAMES.count(NAMES[card]) == 1 else SLUGS[card]
