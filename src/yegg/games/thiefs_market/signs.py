"""Dice, prices and cards as short coloured text; letters first, colour second."""

from collections.abc import Sequence

from rich.text import Text

from yegg.engine import Ints
from yegg.text.phrases import counted

from .cards import CARDS, COST, N_GEMS, POINTS
from .deck import GEMS, ICONS, Card, Effect
from .state import State

LETTERS = "RWBG"
COLOURS = ("red", "white", "blue", "green", "yellow", "magenta", "default")
STYLES = tuple(f"bold {colour}" for colour in COLOURS)
SIGNS = (*(f"[{sign}]" for sign in (*LETTERS, "bag", "mask")), "marker")
ICON_SIGNS = ("hench", "wand", "house", "finery", "compass", "plan")
MANY_SIGNS = ("hench", "wands", "houses", "finery", "compasses", "plans")

SHORT = {
    Effect.NONE: "",
    Effect.SPEND: "{a} → {n} {b}",
    Effect.EXCHANGE: "1 Gold → {n} Infamy",
    Effect.EXTRA_PURCHASE: "pile had {a}: +1 buy",
    Effect.BUY_INFAMY: "buy with {a}: {n} Infamy",
    Effect.HAUL: "gained: Infamy per object",
    Effect.NO_REROLL: "loot not rerolled; reroll one",
    Effect.STOLEN_INFAMY: "robbed: {n} Infamy",
    Effect.MARKER_INFAMY: "marker: {n} Infamy",
    Effect.DISCOUNT: "+1 buy, a gem less",
    Effect.EXTRA_GOLD: "bags: +{n} Gold",
    Effect.EXTRA_INFAMY: "masks: +{n} Infamy",
    Effect.FREE_CARD: "the next card instead",
    Effect.BUILDINGS: "{n}, or {m} with two buildings",
    Effect.WANDS: "{n} per two wands",
    Effect.PER_CARD: "{n} per other card",
    Effect.PER_INFAMY: "1 per {n} Infamy",
    Effect.TREASURE: "{n}; {m} if rival compass",
    Effect.COPY: "copies a rival's card",
    Effect.BIG_PILE_INFAMY: "rival pile of 5: {n} Infamy",
    Effect.RIVAL_WANDS: "{n} per rival wand",
}


def objects_text(counts: Sequence[int] | Ints) -> Text:
    """Objects as dice faces: ``[R] [R] [mask] marker``; a dot for none."""
    line = Text()
    for kind, n in enumerate(counts):
        for _ in range(int(n)):
            line.append(" " if line else "").append(SIGNS[kind], STYLES[kind])
    return line or Text("·", "dim")


def cost_text(counts: Sequence[int] | Ints) -> Text:
    """A price: ``RRW``."""
    line = Text()
    for gem in range(N_GEMS):
        line.append(LETTERS[gem] * int(counts[gem]), STYLES[gem])
    return line


def does(card: int) -> str:
    """What a card does and is worth, in a few signs: ``R → 1 Infamy``, ``worth 2``."""
    points = f"worth {POINTS[card]}" if POINTS[card] else ""
    return ", ".join(part for part in (points, effect_sign(CARDS[card])) if part)


def effect_sign(card: Card) -> str:
    """An effect in a few signs."""
    words = [LETTERS[GEMS.index(word)] if word in GEMS else word for word in card.words]
    if card.effect == Effect.TURN:
        return f"{words[0]} → {'bag' if words[1] == 'bag' else 'any gem'}"
    first, second = (*card.numbers, 0, 0)[:2]
    a, b = (*words, "", "")[:2]
    return SHORT[card.effect].format(a=a, b=b.capitalize(), n=first, m=second)


def icon_signs(card: int) -> str:
    """Icons in a few letters: ``hench``, ``2 hench``, ``wand``."""
    there = CARDS[card].icons
    if len(set(there)) == len(ICONS):
        return "all"
    kinds = ((there.count(icon), icon) for icon in sorted(set(there)))
    return " ".join(many_icons(n, icon) if n > 1 else ICON_SIGNS[icon] for n, icon in kinds)


def many_icons(n: int, icon: int) -> str:
    """So many of an icon in a few letters: ``1 wand``, ``3 wands``."""
    return counted(n, ICON_SIGNS[icon], MANY_SIGNS[icon])


def reach(s: State, seat: int, card: int) -> Text:
    """How far a seat's dice, discount and Gold reach: ``dice pay``, ``1 Gold``, ``2 short: W``."""
    lacking = [max(0, int(COST[card, gem] - s.pile[seat, gem])) for gem in range(N_GEMS)]
    rebate = int(s.rebate) if seat == s.turn else 0
    coins = max(0, sum(lacking) - rebate)
    if coins == 0:
        return Text("dice pay", "green")
    if coins <= s.gold[seat]:
        return Text(f"{coins} Gold", "yellow")
    short = Text(f"{coins - int(s.gold[seat])} short: ", "dim")
    return short.append(cost_text(lacking))
