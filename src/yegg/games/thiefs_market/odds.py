"""The odds behind each choice of Thief's Market: dice rolled again, cards not yet seen."""

from typing import Any

from yegg.text.phrases import listing, percent

from .cards import COST, EFFECT, LETTER, MARKER, N_CARDS, N_FACES, N_GEMS, NAMES
from .deck import LETTERS, Effect
from .market import next_deck
from .state import Choice, Phase, Place, State, move

DEALT = range(N_CARDS)  # chance's choices that are cards


def odds(s: State, choice: int) -> str:
    """A line of probabilities, or "" where there are none."""
    match move(choice):
        case Choice.DONE, _ if s.phase == Phase.RETURN:
            return rolled(int(s.loose))
        case Choice.RETURN, kind if kind != MARKER and not s.fixed:
            return f"then {rolled(int(s.loose) + 1)}"
        case Choice.REROLL, face:
            return new_face(s, face)
        case Choice.BUY, card if s.phase == Phase.MARKET:
            return unseen(s) if EFFECT[card] == Effect.FREE_CARD else ""
    return ""


def rolled(dice: int) -> str:
    """What so many dice, rolled again, bring."""
    if dice == 0:
        return ""
    again = "one die is rolled again" if dice == 1 else f"{dice} dice are rolled again"
    colour, gem = 1 - (5 / 6) ** dice, 1 - (2 / 6) ** dice
    return f"{again}: {percent(gem)} for a gem, {percent(colour)} for any one face"


def new_face(s: State, face: int) -> str:
    """TM-66: which cards the pile could buy after the new roll."""
    pile = s.pile[s.turn].copy()
    pile[face] -= 1
    chances = []
    for card in range(N_CARDS):
        if s.where[card] == Place.MARKET:
            ways = sum(affords(s, pile, new, card) for new in range(N_FACES))
            if 0 < ways < N_FACES:
                chances.append(f"{NAMES[card]} {percent(ways / N_FACES)}")
    if not chances:
        return "no purchase depends on it"
    return f"dice and Gold would pay for {', '.join(chances)}"


def affords(s: State, pile: Any, new: int, card: int) -> bool:
    """Whether a pile and one more die, with all Gold, pay for a card."""
    lacking = 0
    for gem in range(N_GEMS):
        lacking += max(0, int(COST[card, gem] - pile[gem] - (gem == new)))
    return lacking <= s.gold[s.turn]


def unseen(s: State) -> str:
    """TM-3, TM-70: the cards that may come free."""
    deck = next_deck(s)
    if not s.left[deck]:
        return f"nothing comes free: {LETTERS[deck]} is empty"
    there = [NAMES[card] for card in range(N_CARDS) if unseen_of(s, card, deck)]
    each = f", {percent(1 / len(there))} each" if len(there) > 1 else ""
    return f"one of {LETTERS[deck]}{each}: {listing(there, 'or')}"


def unseen_of(s: State, card: int, deck: int) -> bool:
    """TM-3: whether a card may still come from a deck: dealt later, or removed unseen."""
    return bool(s.where[card] == Place.DECK and LETTER[card] == deck)


def outlook(s: State, seat: int) -> str:
    """How many cards are still to come, and how many are unseen."""
    if s.phase == Phase.OVER:
        return ""
    there = sum(unseen_of(s, card, s.deck) for card in range(N_CARDS))
    return (
        f"{s.left[s.deck]} cards of {LETTERS[s.deck]} are still to come; {there} have not been seen"
    )
