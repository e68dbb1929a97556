"""The night's loot and the market, as text."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from yegg.text.phrases import counted

from .cards import BUILDING, COMPASS, COST, HENCHMAN, LETTER, N_CARDS, N_GEMS, NAMES, WAND
from .deck import LETTERS
from .scoring import card_points, gold_award, henchmen_award, score
from .signs import cost_text, does, icon_signs, many_icons, objects_text, reach
from .state import Phase, Place, State, icons, owns

ASKED_FOR = (HENCHMAN, WAND, BUILDING, COMPASS)
PAYING = (Phase.WAIVE, Phase.GOLD)


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
