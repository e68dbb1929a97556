"""Phase 1: the night's loot is split, and piles that are too good are stolen."""

from .cards import ACTING, AMOUNT, EFFECT, MARKER, N_ACTING, N_OBJECTS, When
from .deck import Effect
from .market import start_turn
from .state import Phase, Place, State, holder, objects

BIG_PILE = 5  # TM-72


def roll(s: State, face: int) -> None:
    """TM-10, TM-13: a die falls into the centre; after the last, play goes on."""
    s.centre[face] += 1
    s.loose -= 1
    if s.loose == 0:
        pass_on(s)


def take(s: State, kind: int) -> None:
    """TM-11: an object of the centre, its face unchanged."""
    s.centre[kind] -= 1
    s.pile[s.turn, kind] += 1
    s.after = kind + 1
    s.phase = Phase.TAKE


def take_all(s: State) -> None:
    """TM-15: the last player without a pile takes everything there is."""
    for kind in range(N_OBJECTS):
        s.pile[s.turn, kind] += s.centre[kind]
        s.centre[kind] = 0
    pass_on(s)


def steal(s: State, victim: int) -> None:
    """TM-11, TM-12: a whole pile changes hands; something of it must go back."""
    for kind in range(N_OBJECTS):
        s.pile[s.turn, kind] = s.pile[victim, kind]
        s.pile[victim, kind] = 0
    for i in range(N_ACTING[When.STOLEN.value]):
        card = ACTING[When.STOLEN, i]
        if s.where[card] == Place.OWNED + victim:
            by = s.acts_as[card]
            if EFFECT[by] == Effect.STOLEN_INFAMY:  # TM-67
                s.infamy[victim] += AMOUNT[by]
            elif EFFECT[by] == Effect.NO_REROLL:  # TM-66
                s.fixed = 1
    s.phase = Phase.RETURN


def put_back(s: State, kind: int) -> None:
    """TM-12, TM-13: an object goes back; a die will be rolled, if TM-66 does not forbid it."""
    s.pile[s.turn, kind] -= 1
    if kind == MARKER or s.fixed:
        s.centre[kind] += 1
    else:
        s.loose += 1
    s.after = kind + 1


def have_pile(s: State) -> None:
    """The player has taken or returned enough; what was returned is rolled."""
    s.after = 0
    s.fixed = 0
    if s.loose > 0:
        s.phase = Phase.ROLL
    else:
        pass_on(s)


def pass_on(s: State) -> None:
    """TM-14: on to the next player without a pile, if there is one."""
    for i in range(s.players):
        seat = (s.turn + i) % s.players
        if objects(s, seat) == 0:
            s.turn = seat
            s.phase = Phase.SPLIT
            return
    close_split(s)


def is_last(s: State) -> bool:
    """TM-15: whether everybody else has a pile."""
    n = 0
    for seat in range(s.players):
        n += objects(s, seat) == 0
    return n == 1


def close_split(s: State) -> None:
    """Everybody has a pile: Infamy for some of them (TM-67, TM-72), then phase 2."""
    for seat in range(s.players):
        for kind in range(N_OBJECTS):
            s.split[seat, kind] = s.pile[seat, kind]
    for i in range(N_ACTING[When.SPLIT.value]):
        card = ACTING[When.SPLIT, i]
        owner = s.where[card] - Place.OWNED
        if owner >= 0:
            by = s.acts_as[card]
            if EFFECT[by] == Effect.MARKER_INFAMY and s.pile[owner, MARKER]:
                s.infamy[owner] += AMOUNT[by]
            elif EFFECT[by] == Effect.BIG_PILE_INFAMY and big_pile(s, owner):
                s.infamy[owner] += AMOUNT[by]
    try_luck(s)


def big_pile(s: State, seat: int) -> bool:
    """TM-72: whether another player's pile has five or more objects."""
    for other in range(s.players):
        if other != seat and objects(s, other) >= BIG_PILE:
            return True
    return False


def try_luck(s: State) -> None:
    """TM-66: clockwise from the marker's holder, whoever may roll a die again is asked."""
    first = holder(s)
    for i in range(s.players):
        seat = (first + i) % s.players
        if lucky_card(s, seat) >= 0:
            s.turn = seat
            s.phase = Phase.LUCK
            return
    s.turn = first
    start_turn(s)  # TM-20


def lucky_card(s: State, seat: int) -> int:
    """TM-66: a card that lets a seat roll a die of its pile again, not yet used; or -1."""
    dice = objects(s, seat) - s.pile[seat, MARKER]
    for i in range(N_ACTING[When.LUCK.value]):
        card = ACTING[When.LUCK, i]
        if (
            s.where[card] == Place.OWNED + seat
            and EFFECT[s.acts_as[card]] == Effect.NO_REROLL
            and s.used[card] == 0
            and dice > 0
        ):
            return card
    return -1


def keep(s: State) -> None:
    """TM-66: the pile stays as it is."""
    s.used[lucky_card(s, s.turn)] = 1
    try_luck(s)


def reroll(s: State, face: int) -> None:
    """TM-66: one die of the pile is rolled again."""
    s.used[lucky_card(s, s.turn)] = 1
    s.pile[s.turn, face] -= 1
    s.loose += 1
    s.phase = Phase.AGAIN


def rolled_again(s: State, face: int) -> None:
    """TM-66: the die comes back to the pile with its new face."""
    s.loose -= 1
    s.pile[s.turn, face] += 1
    try_luck(s)
