"""Thief's Market in words: record texts, questions and sentences."""

from collections.abc import Sequence

import numpy as np

from yegg.text.phrases import number

from . import rules
from .cards import (
    COST,
    EFFECT,
    FACE,
    INTO,
    LETTER,
    NAMES,
    NOT_TURNED,
    OBJECTS,
    SLUGS,
    TO_GOLD,
    USE_CARD,
    USE_FACE,
)
from .deck import FACES, GEMS, LETTERS, Effect
from .loot import is_last
from .refusals import why_not
from .state import CHOICES, Choice, Phase, Place, State, move, objects
from .texts import ONE, heap_text, things_text

__all__ = ["ANY_ORDER", "PRINTED", "ask", "luck", "say", "tell", "tell_row", "why_not"]

ANY_ORDER = ("take", "return")
"""TM-11, TM-12: objects have no order but in the record."""
PRINTED = dict(zip(SLUGS, NAMES, strict=True))


ALONE: dict[int, str] = {Choice.TAKE_ALL: "take-all", Choice.KEEP: "keep", Choice.DONE: "done"}
"""The texts of choices that are about nothing else."""


def say(s: State, choice: int) -> str:
    """The text of a choice: ``deal A fence``, ``take red``, ``gold 1 for blue``."""
    match move(choice):
        case Choice.DEAL, card:
            return f"deal {LETTERS[LETTER[card]]} {SLUGS[card]}"
        case Choice.BUY, card if s.phase == Phase.COPY:
            return f"copy {SLUGS[card]} of {s.where[card] - Place.OWNED + 1}"
        case Choice.BUY, card:
            return f"buy {SLUGS[card]}"
        case Choice.ROLL, face:
            return f"roll {FACES[face]}"
        case Choice.TAKE, kind:
            return f"take {OBJECTS[kind]}"
        case Choice.RETURN, kind:
            return f"return {OBJECTS[kind]}"
        case Choice.STEAL, victim:
            return f"steal {victim + 1}"
        case Choice.REROLL, face:
            return f"reroll {FACES[face]}"
        case Choice.WAIVE, gem:
            return f"waive {FACES[gem]}"
        case Choice.GOLD, gold:
            return f"gold {gold} for {FACES[s.colour]}"
        case _, way:
            return ALONE.get(choice) or say_use(s, way)


def say_use(s: State, way: int) -> str:
    """``turn red to blue with glamer``, ``spend mask with …``, ``exchange with …``."""
    card = USE_CARD[way]
    by = s.acts_as[card]
    if EFFECT[by] == Effect.EXCHANGE:
        return f"exchange with {SLUGS[card]}"
    if USE_FACE[way] == NOT_TURNED:
        return f"spend {FACES[FACE[by]]} with {SLUGS[card]}"
    return f"turn {FACES[FACE[by]]} to {FACES[USE_FACE[way]]} with {SLUGS[card]}"


def clauses(s: State) -> tuple[int, ...]:
    """The clauses that apply to what is asked now."""
    return {
        Phase.DEAL: (4, 31, 32),
        Phase.ROLL: (10, 13),
        Phase.SPLIT: (11, 12, 15),
        Phase.TAKE: (11,),
        Phase.RETURN: (12, 13),
        Phase.LUCK: (66,),
        Phase.AGAIN: (66,),
        Phase.MARKET: (20, 21, 22),
        Phase.WAIVE: (68,),
        Phase.GOLD: (21,),
        Phase.COPY: (72,),
        Phase.FREE: (70,),
        Phase.OVER: (40, 41, 42, 43),
    }[Phase(s.phase)]


def die(s: State, choice: int) -> str:
    """What a die shows, if one is rolled for everybody."""
    what, face = move(choice)
    return ONE[face] if what == Choice.ROLL and s.phase != Phase.AGAIN else ""


def tell(s: State, choice: int, names: Sequence[str]) -> str:
    """An event in prose, such as ``Morgan steals the pile of Siveny: 2 red and the marker``."""
    who = names[s.turn]
    match move(choice):
        case Choice.DEAL, card if s.phase == Phase.FREE:
            return f"{who} gains {NAMES[card]} free."
        case Choice.DEAL, card:
            return f"{NAMES[card]} comes to the market."
        case Choice.BUY, card:
            owner = names[s.where[card] - Place.OWNED]
            return f"{who} makes {NAMES[s.buying - 1]} a copy of {NAMES[card]}, which {owner} has."
        case Choice.ROLL, face:
            return f"{who} rolls {ONE[face]}." if s.phase == Phase.AGAIN else ""
        case Choice.STEAL, victim:
            return f"{who} steals the pile of {names[victim]}: {heap_text(s.pile[victim])}."
        case Choice.TAKE_ALL, _:
            return f"{who} takes all that is left: {heap_text(s.centre)}."
        case Choice.KEEP, _:
            return f"{who} keeps the pile as it is."
        case Choice.REROLL, face:
            return f"{who} rolls {ONE[face]} again."
        case Choice.WAIVE, gem:
            return f"{who} pays one {GEMS[gem]} gem less."
        case Choice.GOLD, gold:
            return tell_gold(gold, GEMS[s.colour], who, gold_paid(s, choice))
    if s.phase == Phase.MARKET:
        return f"{who} leaves the market."
    return f"{who} keeps {heap_text(s.pile[s.turn])}."


def does(s: State, choice: int) -> tuple[str, str] | None:
    """The verb and the object of what is often done several times in a row."""
    match move(choice):
        case Choice.BUY, card if s.phase != Phase.COPY:
            gold = gold_paid(s, choice)
            pays = f", and pays {gold} Gold" if gold else ""
            return "buys", f"{NAMES[card]}, which costs {heap_text(COST[card])}{pays}"
        case Choice.TAKE, kind:
            return "takes", ONE[kind]
        case Choice.RETURN, kind:
            return "returns", ONE[kind]
        case Choice.USE, way if choice != Choice.DONE:
            return uses(s, way)
    return None


def gold_paid(s: State, choice: int) -> int:
    """TM-21: how much Gold an event about to happen takes, also where nothing else is possible."""
    after = np.array([s], State.dtype)[0]
    rules.play(after, choice)
    return int(s.gold[s.turn] - after.gold[s.turn])


def tell_gold(gold: int, gem: str, who: str, total: int) -> str:
    """TM-21: how much of one colour is paid in Gold; ``total``: with what the others take."""
    rest = total - gold
    if not gold:
        return f"{who} pays {gem} without Gold" + (f", and {rest} for the rest." if rest else ".")
    return f"{who} pays {gold} Gold for {gem}" + (f", and {rest} more." if rest else ".")


def uses(s: State, way: int) -> tuple[str, str]:
    """How an ability is used."""
    card = USE_CARD[way]
    by = s.acts_as[card]
    with_card = f"with {NAMES[card]}"
    if EFFECT[by] == Effect.EXCHANGE:
        return "exchanges", f"a Gold for Infamy {with_card}"
    die_used = ONE[FACE[by]]
    if USE_FACE[way] != NOT_TURNED:
        return "turns", f"{die_used} to {ONE[USE_FACE[way]]} {with_card}"
    return "spends", f"{die_used} for {'Gold' if INTO[by] == TO_GOLD else 'Infamy'} {with_card}"


ROW = {"take": "takes {}", "return": "returns {}", "roll": "The dice show {}"}


def tell_row(texts: Sequence[str]) -> str:
    """Alike events in a row: ``takes two bags and a mask``, ``The dice show three bags``."""
    verbs, _, kinds = zip(*(text.partition(" ") for text in texts), strict=True)
    row = ROW.get(verbs[0])
    return row.format(things_text(kinds)) if row else ""


ASK = {
    Phase.DEAL: "Which card comes to the market?",
    Phase.ROLL: "What does the die show?",
    Phase.TAKE: "What else do you take?",
    Phase.RETURN: "What goes back to the centre?",
    Phase.LUCK: "Do you roll one of your dice again?",
    Phase.AGAIN: "What does the die show?",
    Phase.MARKET: "What do you buy or use?",
    Phase.WAIVE: "Which gem do you not pay?",
    Phase.COPY: "Which card is to be copied?",
    Phase.FREE: "Which card comes free?",
    Phase.OVER: "The game is over.",
}


def can_steal(s: State) -> bool:
    """TM-15: whether there is a pile to steal."""
    return any(objects(s, seat) > 1 for seat in range(s.players))


def must_take_the_rest(s: State) -> bool:
    """TM-12: whether the last player finds no pile, and so takes all of the centre."""
    return any(s.centre) and is_last(s) and not can_steal(s)


def ask_split(s: State) -> str:
    """TM-11, TM-12, TM-15: what may be done where there is no pile yet."""
    if not any(s.centre):
        return "Which pile do you steal?"
    if must_take_the_rest(s):
        return "You take all of the centre."
    if can_steal(s):
        what = "all of the centre" if is_last(s) else "from the centre"
        return f"Do you take {what}, or steal a whole pile?"
    return "What do you take from the centre?"


def may_trade(s: State) -> bool:
    """TM-20, TM-22: whether anything can be bought or used."""
    return rules.list_market(s, np.zeros(CHOICES, np.int32)) > 1


USES_DICE = (Effect.TURN, Effect.SPEND)  # a card of one's own that is not used yet
MAY_USE_DICE = (
    *USES_DICE,
    Effect.EXTRA_PURCHASE,
    Effect.DISCOUNT,
    Effect.FREE_CARD,
    Effect.COPY,
)  # the card that is paid, once it is there


def settled(s: State) -> int | None:
    """TM-21: no Gold, where dice pay all and nothing else can use them; gems are lost (TM-30)."""
    if s.phase != Phase.GOLD or s.buys or np.any(s.bill > s.pile[s.turn, : len(s.bill)]):
        return None
    own = np.flatnonzero((s.where == Place.OWNED + s.turn) & (s.used == 0))
    kept = any(EFFECT[s.acts_as[card]] in USES_DICE for card in own)
    return None if kept or EFFECT[s.buying - 1] in MAY_USE_DICE else Choice.GOLD


def ask(s: State) -> str:
    """The question before the actor."""
    if s.phase == Phase.GOLD:
        due, gem = s.bill[s.colour], GEMS[s.colour]
        return f"{NAMES[s.buying - 1]} still costs {due} {gem}: how much of it do you pay in Gold?"
    if s.phase == Phase.MARKET and not may_trade(s):
        return "You can buy nothing and use no card: leave the market."
    if s.phase == Phase.MARKET and not s.buys:
        return f"You have no purchase left. {ask_others(s)}"
    if s.phase == Phase.MARKET and s.buys > 1:
        return f"What do you buy or use? ({number(s.buys)} purchases left)"
    if s.phase == Phase.SPLIT:
        return ask_split(s)
    return ASK[Phase(s.phase)]


def ask_others(s: State) -> str:
    """The question as the others hear it; "" where the actor has no choice."""
    if s.phase == Phase.MARKET and not may_trade(s):
        return ""
    if s.phase == Phase.MARKET and not s.buys:
        return "Do you use a card, or leave the market?"
    return "" if s.phase == Phase.SPLIT and must_take_the_rest(s) else ask(s)


def luck(s: State) -> tuple[int, bool]:
    """A card or a die is nobody's fortune; the first die of a round begins one."""
    return -1, bool(s.phase == Phase.ROLL and s.loose == s.dice)
