"""Thief's Market in the terminal: loot and market as short text; letters first, colour second."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from yegg.engine import Ints
from yegg.text.phrases import counted

from .cards import (
    BUILDING,
    CARDS,
    COMPASS,
    COST,
    HENCHMAN,
    LETTER,
    N_CARDS,
    N_GEMS,
    NAMES,
    POINTS,
    WAND,
)
from .deck import GEMS, ICONS, LETTERS, Card, Effect
from .scoring import card_points, gold_award, henchmen_award, score
from .state import Phase, Place, State, icons, owns

GEM_SIGNS = "RWBG"
COLOURS = ("red", "white", "blue", "green", "yellow", "magenta", "default")
STYLES = tuple(f"bold {colour}" for colour in COLOURS)
SIGNS = (*(f"[{sign}]" for sign in (*GEM_SIGNS, "bag", "mask")), "marker")
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
        line.append(GEM_SIGNS[gem] * int(counts[gem]), STYLES[gem])
    return line


def does(card: int) -> str:
    """What a card does and is worth, in a few signs: ``R → 1 Infamy``, ``worth 2``."""
    points = f"worth {POINTS[card]}" if POINTS[card] else ""
    return ", ".join(part for part in (points, effect_sign(CARDS[card])) if part)


def effect_sign(card: Card) -> str:
    """An effect in a few signs."""
    words = [GEM_SIGNS[GEMS.index(word)] if word in GEMS else word for word in card.words]
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


ASKED_FOR = (HENCHMAN, WAND, BUILDING, COMPASS)
PAYING = (Phase.WAIVE, Phase.GOLD)


LEGEND = """\
[R] [W] [B] [G] are a red, white, blue and green gem, [bag] and [mask] the other objects, marker the
first player's marker. A price BB is two blue gems. Under "you": "dice pay" if your pile is enough,
"1 Gold" if you need so much Gold besides, "1 short: B" what you lack. R → bag: a red gem becomes a
bag. "+1 buy" is one more purchase."""
"""How to read the position, for those who have the text alone."""


def draw(s: State, names: Sequence[str], seat: int) -> RenderableType:
    """Centre, piles, market and cards; of Infamy only what the seat may see (TM-6)."""
    parts: list[RenderableType] = [headline(s, names), seats(s, names, seat), cards(s, names)]
    if s.phase == Phase.OVER:
        return Group(*parts, Text(), result(s, names))
    parts += [Text(), market(s, names, seat)]
    if s.phase in PAYING:
        parts += [Text(), bill(s, names)]
    return Group(*parts)


def headline(s: State, names: Sequence[str]) -> Text:
    """What is going on, whose turn it is, and the centre."""
    line = Text()
    if s.phase == Phase.OVER:
        return line.append("The last deck has run out.", "bold")
    split = s.phase <= Phase.RETURN
    line.append(f"Round {s.rounds} · {'the split' if split else 'the market'}", "bold")
    line.append(f" · turn of {names[s.turn]}")
    if not split and s.phase > Phase.AGAIN:
        line.append(f", {counted(int(s.buys), 'purchase')} left")
    line.append("\ncards left: ", "dim").append(decks(s))
    line.append("\ncentre: ").append(objects_text(s.centre))
    if s.loose:
        line.append(f" + {counted(int(s.loose), 'die', 'dice')} not rolled", "dim")
    return line.append("\n")


def decks(s: State) -> Text:
    """TM-31 … TM-33: the cards still to come, deck by deck: ``A 0 → B 4 → C 11 → the end``."""
    line = Text()
    for letter, name in enumerate(LETTERS):
        line.append(f"{name} {s.left[letter]}", "bold" if letter == s.deck else "dim")
        line.append(" → ", "dim")
    return line.append("the end, when C cannot refill the market", "dim")


def seats(s: State, names: Sequence[str], seat: int) -> Table:
    """Everybody's Gold, Infamy, henchmen and pile."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("", "Gold", "Infamy", "icons", "pile"):
        table.add_column(title, justify="right" if title in ("Gold", "Infamy") else "left")
    for who in range(s.players):
        mark = " ◂" if who == s.turn and s.phase != Phase.OVER else ""
        table.add_row(
            Text(f"{names[who]}{mark}", "bold" if who == seat else ""),
            str(s.gold[who]),
            infamy(s, who, seat),
            icon_counts(s, who),
            objects_text(s.pile[who]),
        )
    return table


def infamy(s: State, who: int, seat: int) -> Text:
    """TM-6: one's own number; the others' lies face down."""
    if who == seat or s.open_infamy or s.phase == Phase.OVER:
        return Text(str(s.infamy[who]))
    return Text("face down", "dim")


def icon_counts(s: State, who: int) -> Text:
    """``3 hench 1 wand``: those that cards ask for."""
    counts = [(icons(s, who, icon), icon) for icon in ASKED_FOR]
    return Text(" ".join(many_icons(n, icon) for n, icon in counts if n) or "·")


def cards(s: State, names: Sequence[str]) -> Text:
    """Who has which cards, and what they do."""
    page = Text()
    for who in range(s.players):
        mine = [card for card in range(N_CARDS) if owns(s, who, card)]
        if mine:
            page.append(f"\n{names[who]}: ", "bold")
        for i, card in enumerate(mine):
            page.append(", " if i else "").append(NAMES[card])
            by = int(s.acts_as[card])
            copied = f"as {NAMES[by]}: " if by != card else ""
            used = ", used" if s.used[card] else ""
            if inside := f"{copied}{does(by)}{used}":
                page.append(f" ({inside})", "dim")
    return page


def market(s: State, names: Sequence[str], seat: int) -> Table:
    """The cards for sale, what they cost, and how far dice and Gold reach."""
    buyer = seat if seat >= 0 else int(s.turn)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    mine = "you" if seat >= 0 else names[buyer]
    for title in ("", "market", "costs", mine, "icons", "does"):
        table.add_column(title, no_wrap=title in ("costs", mine))
    for card in range(N_CARDS):
        if s.where[card] == Place.MARKET and card != s.buying - 1:
            table.add_row(
                Text(LETTERS[LETTER[card]], "dim"),
                NAMES[card],
                cost_text(COST[card]),
                reach(s, buyer, card),
                icon_signs(card),
                Text(does(card), "dim"),
            )
    return table


def bill(s: State, names: Sequence[str]) -> Text:
    """A purchase before it is paid: what is due, and what there is to pay it."""
    card = s.buying - 1
    line = Text(f"{names[s.turn]} buys {NAMES[card]}", "bold").append(", which costs ")
    line.append(cost_text(COST[card])).append("; still due ").append(cost_text(s.bill))
    if s.waivers:
        line.append(f", {s.waivers} of it for nothing")
    gems = [*s.pile[s.turn, :N_GEMS], 0, 0, 0]
    line.append("\nto pay with: ").append(objects_text(gems))
    return line.append(f" and {s.gold[s.turn]} Gold")


def result(s: State, names: Sequence[str]) -> Table:
    """TM-42: where everybody's Notoriety comes from."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("Notoriety", "cards", "Infamy", "henchmen", "Gold", "total", "cards held"):
        table.add_column(title, justify="left" if title == "Notoriety" else "right")
    for who in range(s.players):
        parts = (
            card_points(s, who),
            s.infamy[who],
            henchmen_award(s, who),
            gold_award(s, who),
            score(s, who),
            sum(owns(s, who, card) for card in range(N_CARDS)),
        )
        table.add_row(names[who], *map(str, parts))
    return table
