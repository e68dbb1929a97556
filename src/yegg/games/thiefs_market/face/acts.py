"""Choices of Thief's Market as buttons; ``at`` says where each lies: on a piece or in the dock.

Objects are picked first, in any order, and then taken or put back all at once.
"""

from collections.abc import Mapping
from typing import Any

from yegg.games.thiefs_market.cards import (
    AMOUNT,
    EFFECT,
    FACE,
    INTO,
    N_GEMS,
    N_OBJECTS,
    NAMES,
    NOT_TURNED,
    OBJECTS,
    SLUGS,
    TO_GOLD,
    USE_CARD,
    USE_FACE,
)
from yegg.games.thiefs_market.deck import GEMS, Effect
from yegg.games.thiefs_market.loot import is_last
from yegg.games.thiefs_market.state import Choice, Phase, Place, State, move, objects
from yegg.games.thiefs_market.texts import ONE, effect_text, heap_text
from yegg.text.phrases import counted

KEYS = "123456789bcdefghijlmnpqyz"  # without those of thefts and of every table


def picks(s: State) -> list[dict[str, Any]]:
    """TM-11, TM-12: every object that may be picked now, red first and the marker last.

    What has been taken already stays taken; the page puts what is picked in order.
    """
    verb, heap, says = "take", s.centre, "Take"
    if s.phase == Phase.RETURN:
        verb, heap, says = "return", s.pile[s.turn], "Put back"
    pickable = (
        s.phase == Phase.TAKE
        or (s.phase == Phase.SPLIT and not is_last(s))
        or (s.phase == Phase.RETURN and objects(s, s.turn) > 1)
    )
    kinds = [kind for kind in range(N_OBJECTS) for _ in range(int(heap[kind]))] if pickable else []
    return [
        {
            "n": n,
            "kind": OBJECTS[kind],
            "text": f"{verb} {OBJECTS[kind]}",
            "verb": f"{says} {ONE[kind]}",
            "key": KEYS[n - 1],
        }
        for n, kind in enumerate(kinds, 1)
    ]


def sent(s: State) -> dict[str, Any]:
    """The button that sends what was picked."""
    verb = "Put these back" if s.phase == Phase.RETURN else "Take these"
    return {"text": "+ done", "verb": verb, "at": "dock", "key": "k", "odds": ""}


def spot(s: State) -> str:
    """A name of this split at this moment: what was picked stays picked until it is another."""
    heaps = [s.centre, *s.pile[: s.players]]
    return "-".join([str(s.rounds), *("".join(map(str, heap)) for heap in heaps)])


Act = dict[str, Any]
PICKING = (Phase.SPLIT, Phase.TAKE, Phase.RETURN)


def acts(s: State, seat: int, legal: Mapping[str, int]) -> list[Act]:
    """Every legal choice: dice, piles and cards are pressed where they lie.

    But objects to take or to put back are picked first, and sent by one button.
    """
    if s.phase in PICKING:
        thefts = (Choice.STEAL, Choice.TAKE_ALL)
        steals = {t: c for t, c in legal.items() if move(c)[0] in thefts}
        sending = [sent(s)] if picks(s) or Choice.DONE in legal.values() else []
        return sending + [offer(s, text, choice) for text, choice in steals.items()]
    listed = [offer(s, text, choice) for text, choice in legal.items()]
    for number, act in enumerate((a for a in listed if a["at"] != "dock" and "key" not in a), 1):
        act["key"] = str(number) if number < 10 else ""
    return listed


def offer(s: State, text: str, choice: int) -> Act:
    """One choice: its words, where it lies and what follows."""
    act: Act = {"text": text, "at": "dock"}
    match move(choice):
        case Choice.BUY, card:
            return act | copy_or_buy(s, card)
        case Choice.STEAL, victim:
            return act | theft(s, victim)
        case Choice.REROLL, face:
            return act | {"verb": f"Roll {ONE[face]} again", "at": "piece"}
        case Choice.TAKE_ALL, _:
            return act | {"verb": "Take all that is left", "key": "a"} | loot(s.centre.tolist())
        case Choice.KEEP, _:
            return act | {"verb": "Keep the pile", "says": "roll nothing again", "key": "k"}
        case Choice.WAIVE, gem:
            says = f"of {int(s.bill[gem])} {GEMS[gem]} due"
            return act | {"verb": f"One {GEMS[gem]} less", "says": says, "key": str(gem + 1)}
        case Choice.GOLD, gold:
            return act | payment(s, gold)
        case Choice.DONE, _:
            return act | done(s)
        case _, way:
            return act | use(s, way)


def theft(s: State, victim: int) -> Act:
    """TM-11: a whole pile."""
    act: Act = {"verb": "Steal from", "at": "pile", "whom": victim, "key": "stvwx"[victim]}
    return act | loot(s.pile[victim].tolist())


def loot(counts: list[int]) -> Act:
    """What a choice brings, in words and by kind."""
    there = [(kind, n) for kind, n in zip(OBJECTS, counts, strict=True) if n]
    return {"says": heap_text(counts), "loot": there}


def copy_or_buy(s: State, card: int) -> Act:
    """TM-20: a card of the market; TM-72: a rival's card to copy."""
    if s.phase == Phase.COPY:
        owner = int(s.where[card]) - Place.OWNED
        return {"verb": f"Copy {NAMES[card]}", "says": effect_text(card), "victim": owner}
    return {"verb": f"Buy {NAMES[card]}", "at": "card", "card": SLUGS[card]}


def use(s: State, way: int) -> Act:
    """TM-60 … TM-62: one's own card, put to use."""
    card = int(USE_CARD[way])
    by = int(s.acts_as[card])
    act: Act = {"at": "own", "card": SLUGS[card], "key": ""}
    die, to = OBJECTS[FACE[by]], int(USE_FACE[way])
    if EFFECT[by] == Effect.EXCHANGE:
        says = f"1 Gold for {int(AMOUNT[by])} Infamy"
        return act | {"verb": says, "from": "gold", "to": "infamy", "n": int(AMOUNT[by])}
    if to == NOT_TURNED:
        token = "gold" if INTO[by] == TO_GOLD else "infamy"
        return act | {"verb": f"{die} for {token.capitalize()}", "from": die, "to": token}
    return act | {"verb": f"{die} to {OBJECTS[to]}", "from": die, "to": OBJECTS[to]}


def payment(s: State, gold: int) -> Act:
    """TM-21: part of a colour in Gold, the rest in dice."""
    gem = GEMS[s.colour]
    dice = int(s.bill[s.colour]) - gold
    left = counted(dice, f"{gem} die", f"{gem} dice") if dice else f"no {gem} die"
    return {"verb": f"{gold or 'No'} Gold", "says": f"and {left}", "key": str(gold)}


def done(s: State) -> Act:
    """Enough bought."""
    dice = int(s.pile[s.turn, :N_GEMS].sum())
    unspent = f"{counted(dice, 'unspent gem is', 'unspent gems are')} lost"
    return {"verb": "Leave the market", "says": unspent if dice else "", "key": "l"}
