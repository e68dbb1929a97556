"""Why a sentence of Thief's Market is not possible now, with the clause."""

import re
from collections.abc import Callable

from yegg.text.phrases import listing

from .cards import CARDS, COST, FACE, LETTER, N_GEMS, NAMES, OBJECTS, SLUGS
from .deck import FACES, GEMS, LETTERS
from .market import least_gold, most_gold, next_deck
from .state import Phase, Place, State, objects, owns
from .texts import CLAUSE, effect_text, heap_text

NOW = {
    Phase.DEAL: "TM-31: a card is turned up for the market",
    Phase.ROLL: "TM-10: dice are being rolled",
    Phase.SPLIT: "TM-11: take something from the centre, or steal a pile",
    Phase.TAKE: "TM-11: a pile is being taken: take more, or say done",
    Phase.RETURN: "TM-12: something of the stolen pile goes back to the centre first",
    Phase.LUCK: "TM-66: keep the pile, or roll one of its dice again",
    Phase.AGAIN: "TM-66: a die is being rolled",
    Phase.MARKET: "TM-20: the market is open: buy, use a card, or say done",
    Phase.WAIVE: "TM-68: a card is being paid: which gem less?",
    Phase.GOLD: "TM-21: a card is being paid: how much Gold?",
    Phase.COPY: "TM-72: which card is to be copied?",
    Phase.FREE: "TM-70: the next card of the deck is turned up",
    Phase.OVER: "TM-33: the game is over",
}
OBJECT, DIE, GEM = "|".join(OBJECTS), "|".join(FACES), "|".join(GEMS)
CARD = "|".join(map(re.escape, SLUGS))


def why_not(s: State, text: str) -> str | None:
    """Why a sentence of the game is not possible now, with the clause; None if it is none."""
    for pattern, phases, reason in SENTENCES:
        if found := re.fullmatch(pattern, text):
            return reason(s, *found.groups()) if s.phase in phases else NOW[Phase(s.phase)]
    return None


def no_deal(s: State, letter: str, slug: str) -> str | None:
    """TM-3, TM-31, TM-70: this card cannot be turned up."""
    card = SLUGS.index(slug)
    if LETTERS[LETTER[card]] != letter:
        return f"TM-3: {NAMES[card]} is a card of {LETTERS[LETTER[card]]}"
    deck = next_deck(s)
    if LETTER[card] != deck:
        what = "TM-70: the free card comes" if s.phase == Phase.FREE else "TM-31: cards come"
        return f"{what} from {LETTERS[deck]} now"
    if s.where[card] == Place.BOX:
        return f"TM-72: {NAMES[card]} is not in this game"
    return f"TM-3: {NAMES[card]} has been turned up already"


def no_roll(s: State, _face: str) -> str | None:
    """Something else happens now."""
    return NOW[Phase(s.phase)]


def no_take(s: State, kind: str) -> str | None:
    """TM-11, TM-15: it is not there, or all must be taken."""
    place = OBJECTS.index(kind)
    if not s.centre[place]:
        return f"TM-11: no {kind} is in the centre"
    if s.phase == Phase.SPLIT:
        return "TM-15: the last player takes all that is in the centre: take-all"
    return in_order(s, "take")


def no_take_all(s: State) -> str | None:
    """TM-15: this is not the last player, or the centre is empty."""
    if not any(s.centre):
        return "TM-15: nothing is in the centre: steal a pile"
    return "TM-15: only the last player without a pile takes all at once"


def no_return(s: State, kind: str) -> str | None:
    """TM-12: it is not in the pile, or the last of it."""
    place = OBJECTS.index(kind)
    if not s.pile[s.turn, place]:
        return f"TM-12: no {kind} is in the stolen pile"
    if objects(s, s.turn) == 1:
        return "TM-12: one object must be kept"
    return in_order(s, "return")


def in_order(s: State, verb: str) -> str:
    """TM-11, TM-12: the order of taking and returning."""
    clause = "TM-11" if verb == "take" else "TM-12"
    gone = listing(OBJECTS[: s.after - 1], "or")
    return f"{clause}: objects go in a fixed order: after {OBJECTS[s.after - 1]} no {gone}"


def no_steal(s: State, seat: str) -> str | None:
    """TM-11, TM-12: no such pile, or too small a one."""
    victim = int(seat) - 1
    if not 0 <= victim < s.players:
        return f"TM-11: there is no seat {seat}; seats are 1 to {s.players}"
    if victim == s.turn:
        return "TM-11: the pile of another player is stolen, not one's own"
    if objects(s, victim) == 0:
        return f"TM-11: seat {seat} has no pile"
    return "TM-12: a pile of one object cannot be stolen"


def no_done(s: State) -> str | None:
    """TM-11, TM-12: something has to be done first."""
    if s.phase == Phase.SPLIT:
        return "TM-11: at least one object is taken, or a pile stolen"
    return "TM-12: at least one object must go back"


def no_reroll(s: State, face: str) -> str | None:
    """TM-66: no such die."""
    return f"TM-66: no {face} is in the pile"


def no_use(s: State, verb: str, die: str | None, face: str | None, slug: str) -> str | None:
    """Why a card is not used so: dice turned or spent, Gold exchanged."""
    card = SLUGS.index(slug)
    by = int(s.acts_as[card])
    clause = CLAUSE[CARDS[by].effect]
    if not owns(s, s.turn, card):
        return f"TM-22: {NAMES[card]} is not a card of this player"
    if s.used[card]:
        return f"TM-22: {NAMES[card]} has been used this round"
    if CARDS[by].effect.name.lower() != verb or (die and die != FACES[FACE[by]]):
        return f"{clause}: {NAMES[card]} does something else: {effect_text(by)}"
    if verb == "exchange":
        return "TM-62: no Gold is left to exchange"
    if not s.pile[s.turn, FACE[by]]:
        return f"{clause}: no {die} is in the pile"
    return f"{clause}: {NAMES[card]} does not turn {die} to {face}: {effect_text(by)}"


def no_buy(s: State, slug: str) -> str | None:
    """TM-20, TM-21: not for sale, no purchase left, or too dear."""
    card = SLUGS.index(slug)
    if s.where[card] != Place.MARKET:
        return f"TM-20: {NAMES[card]} is not for sale"
    if s.buys == 0:
        return "TM-20: no purchase is left in this turn"
    return f"TM-21: {missing(s, card)}"


def missing(s: State, card: int) -> str:
    """TM-21: what a purchase lacks, by colour: ``Fence costs 2 white; …``."""
    lacking = [int(max(0, COST[card, gem] - s.pile[s.turn, gem])) for gem in range(N_GEMS)]
    gold = int(s.gold[s.turn])
    means = [f"only {gold} Gold" if gold else "no Gold"]
    if s.rebate:
        means.append(f"a discount of {s.rebate}")
    short = sum(lacking) - gold - int(s.rebate)
    return (
        f"{NAMES[card]} costs {heap_text(COST[card])}; you lack {heap_text(lacking, GEMS)}"
        f" and have {listing(means)}: {short} short"
    )


def no_waive(s: State, gem: str) -> str | None:
    """TM-68: not due, or the rest could not be paid."""
    if not s.bill[GEMS.index(gem)]:
        return f"TM-68: no {gem} gem is due"
    return f"TM-68: if a {gem} gem is waived, the rest cannot be paid"


def no_gold(s: State, gold: str, gem: str) -> str | None:
    """TM-21: another colour, or too much or too little."""
    if GEMS.index(gem) != s.colour:
        return f"TM-21: {GEMS[s.colour]} is being paid"
    return f"TM-21: {least_gold(s)} to {most_gold(s)} Gold can pay for {gem}"


def no_copy(s: State, slug: str, seat: str) -> str | None:
    """TM-72: not another player's card."""
    return f"TM-72: {NAMES[SLUGS.index(slug)]} is not a card of another player at seat {seat}"


SENTENCES: tuple[tuple[str, tuple[Phase, ...], Callable[..., str | None]], ...] = (
    (f"deal ([ABC]) ({CARD})", (Phase.DEAL, Phase.FREE), no_deal),
    (f"roll ({DIE})", (), no_roll),
    (f"take ({OBJECT})", (Phase.SPLIT, Phase.TAKE), no_take),
    ("take-all", (Phase.SPLIT,), no_take_all),
    (r"steal (\d+)", (Phase.SPLIT,), no_steal),
    (f"return ({OBJECT})", (Phase.RETURN,), no_return),
    ("done", (Phase.SPLIT, Phase.RETURN), no_done),
    ("keep", (), no_roll),
    (f"reroll ({DIE})", (Phase.LUCK,), no_reroll),
    (f"(turn) ({DIE}) to ({DIE}) with ({CARD})", (Phase.MARKET,), no_use),
    (f"(spend) ({DIE})() with ({CARD})", (Phase.MARKET,), no_use),
    (f"(exchange)()() with ({CARD})", (Phase.MARKET,), no_use),
    (f"buy ({CARD})", (Phase.MARKET,), no_buy),
    (f"waive ({GEM})", (Phase.WAIVE,), no_waive),
    (rf"gold (\d+) for ({GEM})", (Phase.GOLD,), no_gold),
    (rf"copy ({CARD}) of (\d+)", (Phase.COPY,), no_copy),
)
