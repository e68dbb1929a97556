"""Cards, costs and objects in words: made from the table of cards, so that any deck has them."""

from collections.abc import Sequence

from yegg.engine import Ints
from yegg.text.phrases import counted, listing, several

from .cards import CARDS, COST, N_GEMS, OBJECTS, POINTS
from .deck import FACES, GEMS, ICONS, Effect

ONE = (*(f"a {gem} gem" for gem in GEMS), "a bag", "a mask", "the marker")
MANY = {"bag": "bags", "mask": "masks", "henchman": "henchmen", "finery": "finery"}
MANY["compass"] = "compasses"
"""More than one of a thing, where that is not the same word, or not the word with an s."""
CLAUSE = {
    **dict.fromkeys((Effect.BUILDINGS, Effect.WANDS, Effect.PER_CARD), "TM-71"),
    **dict.fromkeys((Effect.PER_INFAMY, Effect.TREASURE), "TM-71"),
    **dict.fromkeys((Effect.COPY, Effect.BIG_PILE_INFAMY, Effect.RIVAL_WANDS), "TM-72"),
    **dict.fromkeys((Effect.STOLEN_INFAMY, Effect.MARKER_INFAMY), "TM-67"),
    **dict.fromkeys((Effect.EXTRA_GOLD, Effect.EXTRA_INFAMY), "TM-69"),
    Effect.NONE: "TM-42",
    Effect.TURN: "TM-60",
    Effect.SPEND: "TM-61",
    Effect.EXCHANGE: "TM-62",
    Effect.EXTRA_PURCHASE: "TM-63",
    Effect.BUY_INFAMY: "TM-64",
    Effect.HAUL: "TM-65",
    Effect.NO_REROLL: "TM-66",
    Effect.DISCOUNT: "TM-68",
    Effect.FREE_CARD: "TM-70",
}
"""Where the rules of each kind of effect are."""

TEXT = {
    Effect.NONE: "",
    Effect.SPEND: "Once a round: spend {one} for {n} {token}",
    Effect.EXCHANGE: "In your turn, as often as you like: 1 Gold for {n} Infamy",
    Effect.EXTRA_PURCHASE: "One more purchase if your pile had {one} when the split was over",
    Effect.BUY_INFAMY: "{n} Infamy for each card you buy with {word} in its cost, this one too",
    Effect.HAUL: "When gained: {n} Infamy for each object your pile had, the marker too",
    Effect.NO_REROLL: "Your pile is stolen: what goes back is not rolled; "
    "before purchases you may roll one of your dice again",
    Effect.STOLEN_INFAMY: "{n} Infamy whenever your pile is stolen",
    Effect.MARKER_INFAMY: "{n} Infamy when the split is over and you have the marker",
    Effect.DISCOUNT: "One more purchase each turn; later cards cost you one gem less",
    Effect.EXTRA_GOLD: "{n} Gold more in a round in which you turn in bags",
    Effect.EXTRA_INFAMY: "{n} Infamy more in a round in which you turn in masks",
    Effect.FREE_CARD: "Goes out of the game at once; you gain the next card that would be dealt",
    Effect.BUILDINGS: "At the end {n} Notoriety with one building, {m} with two or more",
    Effect.WANDS: "At the end {n} Notoriety for every two wands",
    Effect.PER_CARD: "At the end {n} Notoriety for each of your other cards",
    Effect.PER_INFAMY: "At the end 1 Notoriety for every {n} Infamy",
    Effect.TREASURE: "At the end {n} Notoriety, but {m} if a rival has a compass",
    Effect.COPY: "Becomes a copy of a rival's card, in points and effect",
    Effect.BIG_PILE_INFAMY: "{n} Infamy when the split is over and a rival has 5 objects or more",
    Effect.RIVAL_WANDS: "At the end {n} Notoriety for each wand of your rivals",
}


def effect_text(card: int) -> str:
    """What a card does and is worth: ``2 Notoriety``, ``Once a round: turn a bag into …``."""
    effect = effect_text_of(CARDS[card].effect, CARDS[card].words, CARDS[card].numbers)
    points = f"{POINTS[card]} Notoriety" if POINTS[card] else ""
    return ". ".join(part for part in (points, effect) if part) or "Nothing but its icons"


def card_text(card: int) -> str:
    """The same with its clause."""
    return f"{effect_text(card)} ({CLAUSE[CARDS[card].effect]})"


def effect_text_of(kind: Effect, words: Sequence[str], numbers: Sequence[int]) -> str:
    """What an effect does, of this deck or not; "" without one."""
    word = words[0] if words else ""
    if kind == Effect.TURN:
        return turn_text(word, words[1])
    first, second = (*numbers, 0, 0)[:2]
    return TEXT[kind].format(
        one=ONE[FACES.index(word)] if word in FACES else "",
        word=word,
        token=words[1].capitalize() if len(words) > 1 else "",
        n=first,
        m=second,
    )


def turn_text(die: str, to: str) -> str:
    """TM-60: which die may be turned to what."""
    if to == "bag":
        return f"Once a round: turn a {die} gem into a bag"
    other = "a gem of any colour" if die == "bag" else "one of another colour"
    return f"Once a round: turn {ONE[FACES.index(die)]} into {other}"


def icon_text(card: int) -> str:
    """A card's icons: ``henchman``, ``2 henchmen``, ``henchman, wand``."""
    there = CARDS[card].icons
    numbered = ((there.count(icon), icon) for icon in sorted(set(there)))
    return ", ".join(icons_text(n, icon) if n > 1 else ICONS[icon] for n, icon in numbered)


def icons_text(n: int, icon: int) -> str:
    """So many of an icon: ``1 wand``, ``3 henchmen``."""
    return counted(n, ICONS[icon], MANY.get(ICONS[icon], ""))


def cost_text(card: int) -> str:
    """A printed cost: ``RRW``."""
    return "".join(GEMS[gem][0].upper() * int(COST[card, gem]) for gem in range(N_GEMS))


def things_text(kinds: Sequence[str]) -> str:
    """Dice and the marker by kind, with their number in words: ``two red gems, a bag``."""
    return several([ONE[at] for at in sorted(map(OBJECTS.index, kinds))])


def heap_text(counts: Sequence[int] | Ints, names: Sequence[str] = OBJECTS) -> str:
    """Objects by number: ``2 red, 5 masks and the marker``."""
    parts = [
        "the marker" if name == "marker" else counted(n, name, MANY.get(name, name))
        for n, name in zip(counts, names, strict=False)
        if n
    ]
    return listing(parts) or "nothing"
