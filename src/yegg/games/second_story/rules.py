"""Second Story, a game of reckless burgling, by P.D. Magnus.

Two to five thieves, night after night, rob one more house or go home while they
can.  RULES.md has the clauses in prose.  ``s`` is always the state.
"""

from yegg.engine import CHANCE, NOBODY, Ints
from yegg.parts.decktet import EXCUSE, KIND, N_CARDS, N_SUITS, RANK, SUIT_COUNT, SUITS, Kind
from yegg.parts.pile import remove

from .scoring import score, standing
from .state import CHOICES, DIE_SIDES, Choice, Phase, State

ALLOCATES_NOTHING = True  # see Compiler.lean
VERBS = ("actor", "n_legal", "nth_legal", "play")
INLINE = (*VERBS, "face", "resolve", "loot", "stop", "flee", "end_turn")

__all__ = [
    "CHOICES",
    "State",
    "actor",
    "deal",
    "hide",
    "legal",
    "n_legal",
    "nth_legal",
    "play",
    "score",
    "standing",
]


def deal(s: State) -> None:
    """SS-1 … SS-3: the deck is shuffled, the bank is full, everything else empty."""
    for card in range(N_CARDS):
        if in_deck(s, card):
            s.pile[s.face_down] = card
            s.face_down += 1
    s.bank[:] = s.chips
    s.last_turns = -1


def in_deck(s: State, card: int) -> bool:
    """SS-1: whether the options let a card into the game."""
    kind = KIND[card]
    if kind == Kind.EXCUSE:
        return s.excuse == 1
    if kind == Kind.PAWN:
        return s.pawns == 1
    return kind <= Kind.CROWN or s.courts == 1


def actor(s: State) -> int:
    """Who acts now: a seat, CHANCE, or NOBODY once the game is over."""
    if s.phase == Phase.FLIP or s.phase == Phase.ROLL:
        return CHANCE
    return NOBODY if s.phase == Phase.OVER else s.turn


def legal(s: State, out: Ints) -> int:
    """Write the actor's choices, ascending; return how many."""
    k = n_legal(s, out)
    for i in range(k):
        out[i] = nth_legal(s, out, i)
    return k


def listed(s: State, out: Ints) -> int:
    """Write the choices that bank and lair decide: chips to take, ways out; return how many."""
    k = 0
    match s.phase:
        case Phase.TAKE:
            last = SUIT_COUNT[s.house]
            if s.decline == 0:
                last -= s.due - 1  # SS-50: as many suits must come after it as are still due
            for i in range(s.after, last):
                if s.bank[SUITS[s.house, i]] > 0:  # SS-36
                    out[k] = Choice.TAKE + SUITS[s.house, i]
                    k += 1
            if s.decline == 1:  # SS-37
                out[k] = Choice.LEAVE
                k += 1
        case Phase.JAM:
            if can_risk(s):
                out[k] = Choice.RISK
                k += 1
            if has_excuse(s):
                out[k] = Choice.EXCUSE
                k += 1
            out[k] = Choice.FLEE
            k += 1
    return k


def n_legal(s: State, out: Ints) -> int:
    """How many choices the actor has."""
    match s.phase:
        case Phase.FLIP:
            return s.face_down
        case Phase.ROLL:
            return DIE_SIDES
        case Phase.ROAD:
            return 2
        case Phase.PLAN:
            return 3 if KIND[s.house] >= Kind.PAWN else 2
    return listed(s, out)


def nth_legal(s: State, out: Ints, i: int) -> int:
    """The i-th choice, in the order of `legal`."""
    match s.phase:
        case Phase.FLIP:
            return s.pile[i]
        case Phase.ROLL:
            return Choice.ROLL + i
        case Phase.ROAD:
            return Choice.CONTINUE + i
        case Phase.PLAN:
            return (Choice.ONE_FLAT if KIND[s.house] >= Kind.PAWN else Choice.THOROUGH) + i
    return out[i]


def play(s: State, choice: int) -> None:
    """Carry out one legal choice of the actor."""
    match s.phase:
        case Phase.FLIP:
            face(s, choice)
        case Phase.ROLL:
            s.best = max(s.best, choice - Choice.ROLL + 1)
            s.dice -= 1
            if s.dice == 0:
                resolve(s)
        case Phase.PLAN:
            roll_for(s, choice)
        case Phase.TAKE:
            if choice == Choice.LEAVE:
                leave(s)
            else:
                take(s, choice - Choice.TAKE)
        case Phase.JAM:
            if choice == Choice.RISK:
                risk(s)
            elif choice == Choice.EXCUSE:
                use_excuse(s)
            else:
                flee(s)
        case Phase.ROAD:
            if choice == Choice.STOP:
                stop(s)
            else:
                turn_up(s)


def turn_up(s: State) -> None:
    """SS-10, SS-11: a card is needed; the discards are shuffled if the pile is empty."""
    if s.face_down == 0:
        shuffle(s)
    s.phase = Phase.FLIP


def shuffle(s: State) -> None:
    """SS-11: the discards: neither before the player nor the Excuse in a lair."""
    for card in range(N_CARDS):
        elsewhere = s.tonight[card] or (card == EXCUSE and s.owner > 0)
        if in_deck(s, card) and not elsewhere:
            s.pile[s.face_down] = card
            s.face_down += 1
    s.discards = 0


def no_house_left(s: State) -> bool:
    """SS-12: whether every card lies face up."""
    return s.face_down + s.discards == 0


def face(s: State, card: int) -> None:
    """A house is turned up and must be faced (SS-18)."""
    remove(s.pile, s.face_down, card)
    s.face_down -= 1
    s.tonight[card] = 1
    s.turned += 1
    s.house = card
    kind = KIND[card]
    if kind == Kind.ACE:
        luck(s, SUITS[card, 0])
        pass_by(s)
    elif kind == Kind.EXCUSE:
        pass_by(s)
    elif kind == Kind.CROWN:
        roll_for(s, Choice.QUICK)  # SS-20: always two dice
    else:
        s.phase = Phase.PLAN


def pass_by(s: State) -> None:
    """SS-31, SS-40: another card is turned up at once; SS-12: if there is one."""
    s.house = 0
    if no_house_left(s):
        stop(s)
    else:
        turn_up(s)


def luck(s: State, suit: int) -> None:
    """SS-30: a bag without the suit gets a chip of it; from any other bag one goes back."""
    if s.bag[suit] == 0:
        pocket(s, suit)
    else:
        s.bag[suit] -= 1
        s.bank[suit] += 1


def roll_for(s: State, plan: int) -> None:
    """SS-13, SS-50: two dice when quick, otherwise one."""
    s.plan = plan
    s.dice = 2 if plan == Choice.QUICK else 1
    s.best = 0
    s.phase = Phase.ROLL


def needed(house: int, plan: int) -> int:
    """SS-15, SS-16, SS-20, SS-50: what the best die must reach."""
    if plan >= Choice.ONE_FLAT:
        return 3 * (plan - Choice.ONE_FLAT + 1)
    return RANK[house]


def resolve(s: State) -> None:
    """All dice are rolled: the house is robbed, or the player may try again, or must flee."""
    best = s.best
    s.best = 0
    if best >= needed(s.house, s.plan):
        loot(s)
    elif can_risk(s) or has_excuse(s):
        s.phase = Phase.JAM
    else:
        flee(s)


def can_risk(s: State) -> bool:
    """SS-23: a second chance needs a chip of the Crown's suit in the lair."""
    return KIND[s.house] == Kind.CROWN and s.lair[s.turn, SUITS[s.house, 0]] > 0


def has_excuse(s: State) -> bool:
    """SS-42: the Excuse lies in the player's own lair."""
    return s.owner == s.turn + 1


def loot(s: State) -> None:
    """The house is robbed: the player is asked which chips to take, if there is a choice."""
    if is_asked(s):
        s.due = wanted(s.plan)
        s.phase = Phase.TAKE
        return
    for i in range(SUIT_COUNT[s.house]):
        pocket(s, SUITS[s.house, i])
    leave_house(s)


def wanted(plan: int) -> int:
    """SS-15, SS-16, SS-20, SS-50: how many chips a job brings."""
    if plan == Choice.THOROUGH or plan == Choice.SEVERAL_FLATS:
        return 2
    return 3 if plan == Choice.ALL_FLATS else 1


def is_asked(s: State) -> bool:
    """Whether a robbed house leaves a choice of chips: which ones (SS-36), or any (SS-37)."""
    there = to_be_had(s)
    return there > wanted(s.plan) or (there > 0 and may_leave(s))


def may_leave(s: State) -> bool:
    """SS-37: whether the player may leave the chips of this house: never those of a Crown."""
    return s.decline == 1 and s.plan != Choice.THOROUGH and KIND[s.house] != Kind.CROWN


def to_be_had(s: State) -> int:
    """SS-36: suits of the house, from the next on, of which the bank still has chips."""
    there = 0
    for i in range(s.after, SUIT_COUNT[s.house]):
        if s.bank[SUITS[s.house, i]] > 0:
            there += 1
    return there


def take(s: State, suit: int) -> None:
    """SS-16, SS-50: a chip of the player's choice; several of them in suit order."""
    pocket(s, suit)
    s.due -= 1
    for i in range(SUIT_COUNT[s.house]):
        if SUITS[s.house, i] == suit:
            s.after = i + 1
    if s.due == 0 or to_be_had(s) == 0:
        leave(s)


def leave(s: State) -> None:
    """SS-37: this house gives no more."""
    s.due = 0
    s.after = 0
    leave_house(s)


def pocket(s: State, suit: int) -> None:
    """A chip goes from the bank to the bag; SS-35: if the bank has none, nothing happens."""
    if s.bank[suit] > 0:
        s.bank[suit] -= 1
        s.bag[suit] += 1


def leave_house(s: State) -> None:
    """SS-18: stop or continue; SS-12: without a house left, the night is over."""
    s.house = 0
    s.plan = 0
    if no_house_left(s):
        stop(s)
    else:
        s.phase = Phase.ROAD


def risk(s: State) -> None:
    """SS-23: a chip of the Crown's suit goes from the lair to the bag, for another roll."""
    suit = SUITS[s.house, 0]
    s.lair[s.turn, suit] -= 1
    s.bag[suit] += 1
    roll_for(s, s.plan)


def use_excuse(s: State) -> None:
    """SS-42: the Excuse goes from the lair to the discard pile, at once, for another roll."""
    s.owner = 0
    s.discards += 1
    roll_for(s, s.plan)


def flee(s: State) -> None:
    """SS-17: detected; every chip in the bag goes back to the bank."""
    for suit in range(N_SUITS):
        s.bank[suit] += s.bag[suit]
        s.bag[suit] = 0
    end_turn(s)


def stop(s: State) -> None:
    """SS-19: the bag goes to the lair, SS-41: an Excuse beside it too."""
    for suit in range(N_SUITS):
        s.lair[s.turn, suit] += s.bag[suit]
        s.bag[suit] = 0
    if s.tonight[EXCUSE]:
        s.tonight[EXCUSE] = 0
        s.turned -= 1
        s.owner = s.turn + 1
    end_turn(s)


def end_turn(s: State) -> None:
    """Tonight's cards are discarded; SS-60: once a suit is gone, one more turn each."""
    s.tonight[:] = 0
    s.discards += s.turned
    s.turned = 0
    if s.last_turns > 0:
        s.last_turns -= 1
    elif some_suit_is_gone(s):
        s.last_turns = s.players
    s.turn += 1
    if s.turn == s.players:
        s.turn = 0
    s.house = 0
    s.plan = 0
    if s.last_turns == 0:
        s.phase = Phase.OVER
    else:
        turn_up(s)


def some_suit_is_gone(s: State) -> bool:
    """SS-60: the bank has no chip of some suit."""
    for suit in range(N_SUITS):
        if s.bank[suit] == 0:
            return True
    return False


def hide(s: State, seat: int) -> None:
    """Nothing is hidden from anybody."""
