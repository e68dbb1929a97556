"""What a player would speak of in Thief's Market, as numbers; the words: ``reasons.toml``."""

from yegg.engine.scratch import grid, numbers

from .cards import EFFECT, HENCHMAN, N_CARDS
from .lore import appraise
from .prices import A_ROUND, CARDS_AT, COLUMNS, ICONS_AT, Numbers, rounds_left, survey
from .scoring import gold_award, henchmen_award, score
from .state import SEATS, Phase, Place, State, holder

LONG = 8.0  # rounds


def reckon(s: State, seat: int, x: Numbers) -> None:
    """The numbers in the order of ``reasons.toml``; of each more is better for the seat."""
    theirs, gold = 0, 0
    for other in range(s.players):
        if other != seat:
            theirs = max(theirs, score(s, other))
            gold = max(gold, int(s.gold[other]))
    x[0] = score(s, seat)
    x[1] = -theirs
    x[3] = gold_award(s, seat) + henchmen_award(s, seat)
    if s.phase == Phase.OVER:
        return
    x[-1] = min(1.0, rounds_left(s) / LONG)
    book, lasting, tonight = grid(SEATS, COLUMNS), numbers(SEATS), numbers(SEATS)
    survey(s, book)
    appraise(s, book, lasting, tonight)
    x[4] = s.gold[seat]
    x[5] = s.infamy[seat]
    x[6] = book[seat, CARDS_AT]
    x[7] = book[seat, ICONS_AT + HENCHMAN]
    for card in range(N_CARDS):
        if s.where[card] == Place.OWNED + seat:
            x[8] += A_ROUND[EFFECT[s.acts_as[card]]] > 0
    x[9] = tonight[seat]
    x[10] = holder(s) == seat
    x[2] = -gold
