"""Phase 2: one turn each to use cards, buy one or more, and pay in gems and Gold."""

from .cards import (
    AMOUNT,
    BAG,
    COST,
    EFFECT,
    FACE,
    INTO,
    LETTER,
    N_CARDS,
    N_GEMS,
    N_OBJECTS,
    NOT_TURNED,
    TO_BAG,
    TO_GOLD,
    USE_CARD,
    USE_FACE,
)
from .deck import Effect
from .rounds import close_round, draw, next_deck
from .state import Phase, Place, State, holder


def start_turn(s: State) -> None:
    """TM-20: one purchase, and more by cards."""
    s.buys = 1
    for card in range(N_CARDS):
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
        if s.where[card] == Place.OWNED + s.turn:
            s.used[card] = 0
    for kind in range(N_OBJECTS):
        s.split[s.turn, kind] = 0
    s.buys = 0
    s.rebate = 0
    s.turn = (s.turn + 1) % s.players
    if s.turn == holder(s):
        close_round(s)
    else:
        start_turn(s)


def usable(s: State, use: int) -> bool:
    """TM-22, TM-60 … TM-62: whether the player can use a card in this way now."""
    card = USE_CARD[use]
    if s.where[card] != Place.OWNED + s.turn or s.used[card]:
        return False
    by = s.acts_as[card]
    face = USE_FACE[use]
    die = FACE[by]
    if EFFECT[by] == Effect.TURN:
        fits = face == BAG if INTO[by] == TO_BAG else NOT_TURNED < face < BAG and face != die
        return fits and s.pile[s.turn, die] > 0
    if EFFECT[by] == Effect.SPEND:
        return face == NOT_TURNED and s.pile[s.turn, die] > 0
    return EFFECT[by] == Effect.EXCHANGE and face == NOT_TURNED and s.gold[s.turn] > 0


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


def can_buy(s: State, card: int) -> bool:
    """TM-20, TM-21: whether a card is for sale, a purchase left, and the cost can be paid."""
    if s.where[card] != Place.MARKET or s.buys == 0:
        return False
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
    for card in range(N_CARDS):
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
