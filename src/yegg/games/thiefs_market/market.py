"""Phase 2: one turn each to use cards, buy and pay; then the round ends and the next begins.

Everybody turns in bags and masks, and the market is refilled.
"""

from .cards import (
    ACTING,
    AMOUNT,
    BAG,
    COST,
    EFFECT,
    FACE,
    INTO,
    LETTER,
    MARKER,
    MASK,
    N_ACTING,
    N_CARDS,
    N_GEMS,
    N_LETTERS,
    N_OBJECTS,
    TO_GOLD,
    USE_CARD,
    USE_FACE,
    When,
)
from .deck import Effect
from .state import Phase, Place, State, holder

ROW = 5  # cards laid out from a new deck
LAST = N_LETTERS - 1


def gather(s: State) -> None:
    """TM-10, TM-30: all dice and the marker are in the centre, the dice to be rolled."""
    for kind in range(N_OBJECTS):
        s.centre[kind] = 0
        for seat in range(s.players):
            s.pile[seat, kind] = 0
    s.centre[MARKER] = 1
    s.loose = s.dice


def restock(s: State) -> None:
    """TM-31, TM-32: cards that are due come from this deck, then five from the next.

    TM-33: the game ends when C cannot give all that are due.
    """
    while s.due > 0 and s.left[s.deck] == 0 and s.deck < LAST:
        s.deck += 1
        s.due = ROW
    if s.deck == LAST and s.due > s.left[LAST]:
        s.due = 0
        s.phase = Phase.OVER
    else:
        s.phase = Phase.DEAL if s.due > 0 else Phase.ROLL


def next_deck(s: State) -> int:
    """TM-70: the deck whose top card would be dealt next: this one, or the next that has any.

    If none has, the last one.
    """
    letter = s.deck
    while s.left[letter] == 0 and letter < LAST:
        letter += 1
    return letter


def draw(s: State, card: int, place: int) -> None:
    """The top card of a deck is turned up."""
    s.where[card] = place
    s.left[LETTER[card]] -= 1


def lay_out(s: State, card: int) -> None:
    """TM-4, TM-31: a card comes to the market."""
    draw(s, card, Place.MARKET)
    s.due -= 1
    restock(s)


def close_round(s: State) -> None:
    """TM-30, then the refill; if that does not end the game, another round."""
    leader = holder(s)
    for seat in range(s.players):
        turn_in(s, seat)
    gather(s)
    s.turn = leader
    restock(s)
    if s.phase != Phase.OVER:
        s.rounds += 1


def turn_in(s: State, seat: int) -> None:
    """TM-30: a Gold for each bag, an Infamy for each mask; TM-69: and for some cards."""
    bags, masks = s.pile[seat, BAG], s.pile[seat, MASK]
    s.gold[seat] += bags
    s.infamy[seat] += masks
    for i in range(N_ACTING[When.ROUND_OVER.value]):
        card = ACTING[When.ROUND_OVER, i]
        if s.where[card] == Place.OWNED + seat:
            by = s.acts_as[card]
            if EFFECT[by] == Effect.EXTRA_GOLD and bags > 0:
                s.gold[seat] += AMOUNT[by]
            elif EFFECT[by] == Effect.EXTRA_INFAMY and masks > 0:
                s.infamy[seat] += AMOUNT[by]


def start_turn(s: State) -> None:
    """TM-20: one purchase, and more by cards."""
    s.buys = 1
    for i in range(N_ACTING[When.TURN.value]):
        card = ACTING[When.TURN, i]
        if s.where[card] == Place.OWNED + s.turn:
            put_to_work(s, s.acts_as[card])
    s.phase = Phase.MARKET


def put_to_work(s: State, by: int) -> None:
    """TM-63, TM-68: purchases and discounts of this turn, as soon as the card is there."""
    if EFFECT[by] == Effect.EXTRA_PURCHASE and s.split[s.turn, FACE[by]] > 0:
        s.buys += 1
    elif EFFECT[by] == Effect.DISCOUNT:
        s.buys += 1
        s.rebate += 1


def end_turn(s: State) -> None:
    """The next player's turn; after everybody's the round is over."""
    for card in range(N_CARDS):
        s.used[card] &= s.where[card] != Place.OWNED + s.turn
    for kind in range(N_OBJECTS):
        s.split[s.turn, kind] = 0
    s.buys = 0
    s.rebate = 0
    s.turn = (s.turn + 1) % s.players
    if s.turn == holder(s):
        close_round(s)
    else:
        start_turn(s)


def usable(s: State, card: int) -> bool:
    """TM-22, TM-60 … TM-62: whether the player has a card, not yet used, and what it takes."""
    if s.where[card] != Place.OWNED + s.turn or s.used[card]:
        return False
    by = s.acts_as[card]
    if EFFECT[by] == Effect.EXCHANGE:
        return s.gold[s.turn] > 0
    return s.pile[s.turn, FACE[by]] > 0


def use(s: State, way: int) -> None:
    """TM-60 … TM-62: a die is turned or spent, or Gold exchanged."""
    card = USE_CARD[way]
    by = s.acts_as[card]
    if EFFECT[by] == Effect.EXCHANGE:
        s.gold[s.turn] -= 1
        s.infamy[s.turn] += AMOUNT[by]
        return
    s.used[card] = 1
    s.pile[s.turn, FACE[by]] -= 1
    if EFFECT[by] == Effect.TURN:
        s.pile[s.turn, USE_FACE[way]] += 1
        return
    s.loose += 1
    if INTO[by] == TO_GOLD:
        s.gold[s.turn] += AMOUNT[by]
    else:
        s.infamy[s.turn] += AMOUNT[by]


def can_pay(s: State, card: int) -> bool:
    """TM-21, TM-68: whether the player can pay a card's cost."""
    lacking = 0
    for gem in range(N_GEMS):
        lacking += max(0, COST[card, gem] - s.pile[s.turn, gem])
    return lacking - s.rebate <= s.gold[s.turn]


def buy(s: State, card: int) -> None:
    """TM-21: a card is chosen; its bill is to be paid before anything else."""
    s.buys -= 1
    s.buying = card + 1
    total = 0
    for gem in range(N_GEMS):
        s.bill[gem] = COST[card, gem]
        total += COST[card, gem]
    s.waivers = min(s.rebate, total)
    s.colour = 0
    reckon_waiver(s)


def lacks(s: State, gem: int) -> int:
    """Gold needed for what is due of this colour and those after it, at the least."""
    n = 0
    for later in range(gem, N_GEMS):
        n += max(0, s.bill[later] - s.pile[s.turn, later])
    return n


def waivable(s: State, gem: int) -> bool:
    """TM-68: whether this colour may be waived so that the rest can be paid."""
    if s.bill[gem] == 0:
        return False
    s.bill[gem] -= 1
    rest = lacks(s, 0) - (s.waivers - 1)
    s.bill[gem] += 1
    return rest <= s.gold[s.turn]


def reckon_waiver(s: State) -> None:
    """TM-68: the player is asked only where more than one colour is possible."""
    while s.waivers > 0:
        ways, only = 0, 0
        for gem in range(N_GEMS):
            if waivable(s, gem):
                ways += 1
                only = gem
        if ways > 1:
            s.phase = Phase.WAIVE
            return
        s.bill[only] -= 1
        s.waivers -= 1
    reckon_gold(s)


def waive(s: State, gem: int) -> None:
    """TM-68: one gem less."""
    s.bill[gem] -= 1
    s.waivers -= 1
    reckon_waiver(s)


def least_gold(s: State) -> int:
    """TM-21: the least Gold that the colour being paid takes, where dice are lacking."""
    return max(0, s.bill[s.colour] - s.pile[s.turn, s.colour])


def most_gold(s: State) -> int:
    """The most Gold that the colour can take: enough must be left for the colours after it."""
    return min(s.bill[s.colour], s.gold[s.turn] - lacks(s, s.colour + 1))


def reckon_gold(s: State) -> None:
    """TM-21: colour after colour; asked only where more than one number is possible."""
    while s.colour < N_GEMS:
        least = least_gold(s)
        if least < most_gold(s):
            s.phase = Phase.GOLD
            return
        hand_over(s, least)
    s.colour = 0
    gain(s)


def pay(s: State, gold: int) -> None:
    """TM-21: so many Gold for the colour, the rest in dice."""
    hand_over(s, gold)
    reckon_gold(s)


def hand_over(s: State, gold: int) -> None:
    """TM-21: dice to the centre, Gold to the supply."""
    dice = s.bill[s.colour] - gold
    s.gold[s.turn] -= gold
    s.pile[s.turn, s.colour] -= dice
    s.loose += dice
    s.bill[s.colour] = 0
    s.colour += 1


def gain(s: State) -> None:
    """A card is paid, or comes free: it is the player's."""
    card = s.buying - 1
    s.where[card] = Place.OWNED + s.turn
    if LETTER[card] == s.deck and not s.free:
        s.due += 1  # TM-31
    if EFFECT[card] == Effect.COPY and rivals_have_cards(s):
        s.phase = Phase.COPY
    else:
        come_into_effect(s)


def rivals_have_cards(s: State) -> bool:
    """TM-72: whether there is a card to copy."""
    for card in range(N_CARDS):
        if s.where[card] >= Place.OWNED and s.where[card] != Place.OWNED + s.turn:
            return True
    return False


def copy(s: State, card: int) -> None:
    """TM-72: the card gained is for good what another player's card is."""
    s.acts_as[s.buying - 1] = s.acts_as[card]
    come_into_effect(s)


def come_into_effect(s: State) -> None:
    """What a card does on its own gaining: TM-64, TM-65, TM-70, and purchases."""
    card = s.buying - 1
    by = s.acts_as[card]
    bought = not s.free
    if bought:
        count_infamy(s, card)
    if EFFECT[by] == Effect.HAUL:
        for kind in range(N_OBJECTS):
            s.infamy[s.turn] += AMOUNT[by] * s.split[s.turn, kind]
    put_to_work(s, by)
    s.buying = 0
    s.free = 0
    s.phase = Phase.MARKET
    if EFFECT[by] == Effect.FREE_CARD and bought:
        s.where[card] = Place.GONE
        s.acts_as[card] = card
        if s.left[next_deck(s)] > 0:
            s.phase = Phase.FREE


def count_infamy(s: State, bought: int) -> None:
    """TM-64: Infamy for a card bought with a colour in its printed cost."""
    for i in range(N_ACTING[When.BUY.value]):
        card = ACTING[When.BUY, i]
        if s.where[card] == Place.OWNED + s.turn:
            by = s.acts_as[card]
            if EFFECT[by] == Effect.BUY_INFAMY and COST[bought, FACE[by]] > 0:
                s.infamy[s.turn] += AMOUNT[by]


def gain_free(s: State, card: int) -> None:
    """TM-70: the next card that would be dealt, gained and not bought."""
    draw(s, card, Place.OWNED + s.turn)
    s.buying = card + 1
    s.free = 1
    gain(s)
