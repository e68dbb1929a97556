"""Magnate in the terminal: their rows above the districts, yours below, and your hand."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, NAMES, RANK, SUIT_COUNT, SUITS, Kind
from yegg.parts.suits import COLOURS, LETTERS, sign
from yegg.text.phrases import counted

from .duchy import fits, on_deed
from .pile import in_hand
from .scoring import score, total
from .state import COST, DISTRICT, DISTRICTS, N_DISTRICTS, Phase, Place, State
from .words import by_counting, discards

LEGEND = """\
M moons, S suns, V waves, L leaves, Y wyrms, K knots; ☾M3 is three tokens of moons. In the middle
stand the districts with their suits. Your properties lie below them, the other player's above; the
outermost card is the one to match. The numbers are totals. (6 Lunatic MV) in brackets is a deed;
1/6 1V says that one of its six tokens is paid, a wave."""
"""How to read the position, for those who have the text alone."""


def draw(s: State, names: Sequence[str], seat: int) -> RenderableType:
    """The position as a seat sees it, its own rows below (a spectator sees seat 1 there)."""
    below = max(seat, 0)
    parts: list[RenderableType] = [
        headline(s, names),
        person(s, names, 1 - below, seat),
        duchy(s, below),
        person(s, names, below, seat),
    ]
    if seat >= 0 and s.phase != Phase.OVER:
        parts.append(hand(s, seat))
    return Group(*parts)


def headline(s: State, names: Sequence[str]) -> Text:
    """Whose turn it is, and how far the deck has come."""
    if s.phase == Phase.OVER:
        return Text("The Grand Duke is dead.", "bold")
    line = Text(f"{names[s.turn]}'s turn", "bold")
    if s.final_turns:
        line.append(f" · {counted(int(s.final_turns), 'final turn')} left", "bold red")
    else:
        run = "" if s.automa else " for the second time" if s.shuffled else " for the first time"
        cards = counted(int(s.pile), "card")
        line.append(f" · {cards} until the pile runs out{run}", "dim")
    if sold := discards(s):
        line.append(f"\ndiscards: {', '.join(short(card) for card in sold)}", "dim")
    return line


def short(card: int) -> str:
    """A card in a line of text: ``Mill 8VL``, ``Ace of Suns``."""
    if KIND[card] == Kind.ACE:
        return NAMES[card]
    return f"{name(card)} {rank(card)}{letters(card)}"


def name(card: int) -> str:
    """A card's name without its article."""
    return "Ace" if KIND[card] == Kind.ACE else NAMES[card].removeprefix("The ")


def rank(card: int) -> str:
    """What is printed in the corner: A, 2 … 9, C for Courts."""
    return {Kind.ACE: "A", Kind.COURT: "C"}.get(Kind(KIND[card])) or str(RANK[card])


def letters(card: int) -> str:
    """The suits' letters."""
    return "".join(LETTERS[SUITS[card, i]] for i in range(SUIT_COUNT[card]))


def tinted(card: int) -> Text:
    """The suits' letters in their colours."""
    text = Text()
    for i in range(SUIT_COUNT[card]):
        text.append(LETTERS[SUITS[card, i]], f"bold {COLOURS[SUITS[card, i]]}")
    return text


def person(s: State, names: Sequence[str], seat: int, viewer: int) -> Text:
    """A player's districts, tokens and Crowns, and the cards that can be known by counting."""
    won = counted(int(score(s, seat)), "district")
    line = Text(f"{names[seat]} ", "bold").append(f"{won}  ")
    if seat < s.players:
        for suit in range(N_SUITS):
            line.append(sign(suit, int(s.tokens[seat, suit]))).append(" ")
    line.append(" Crowns ", "dim")
    for card in range(N_CARDS):
        if s.where[card] == Place.CROWN + seat:
            line.append(tinted(card))
    says, known = by_counting(s, viewer, seat, names)
    if known:
        line.append(f"\n  {says}: {', '.join(map(short, known))}", "dim")
    return line


def duchy(s: State, below: int) -> Table:
    """The districts in columns, the newest property of each row farthest from its district."""
    table = Table(box=None, padding=(0, 1, 0, 0), show_header=False, expand=False)
    n = int(N_DISTRICTS[s.districts])
    width = 80 // n - 1
    for _ in range(n):
        table.add_column(width=width, no_wrap=True)
    theirs = [row(s, 1 - below, d, width)[::-1] for d in range(n)]
    high = max(map(len, theirs))
    padded = [[Text()] * (high - len(lines)) + lines for lines in theirs]
    table.add_row(*(Text("\n").join(lines) for lines in padded))
    table.add_row(*(standing_at(s, 1 - below, d) for d in range(n)))
    table.add_row(*(district(s, d, width) for d in range(n)))
    table.add_row(*(standing_at(s, below, d) for d in range(n)))
    table.add_row(*(Text("\n").join(row(s, below, d, width)) for d in range(n)))
    return table


def district(s: State, which: int, width: int) -> Text:
    """A district's name and suits."""
    card = DISTRICT[s.districts, which]
    suits = tinted(card) if SUIT_COUNT[card] else Text("any")
    title = home_name(card).replace("Ace of ", "Ace ")[: width - len(suits) - 1]
    return Text(f"{title} ", "bold").append(suits)


def standing_at(s: State, seat: int, which: int) -> Text:
    """A side's total at a district, and whether it leads."""
    mine, theirs = total(s, seat, which), total(s, 1 - seat, which)
    if mine > theirs:
        return Text(f"{mine} leads", "bold yellow")
    return Text(str(mine), "dim" if mine == 0 else "")


def row(s: State, seat: int, which: int, width: int) -> list[Text]:
    """A seat's properties at a district, a line each, a deed with its tokens."""
    place = Place.ROW + DISTRICTS * seat + which
    cards = [card for card in range(N_CARDS) if s.where[card] == place]
    lines = []
    for card in sorted(cards, key=lambda card: int(s.nth[card])):
        deed = s.deed[seat, which] and s.last[seat, which] == card
        start = f"{'(' if deed else ''}{rank(card)} "
        room = width - len(start) - SUIT_COUNT[card] - 1 - bool(deed)
        line = Text(f"{start}{name(card)[:room]} ").append(tinted(card))
        if deed:
            line.append(")").append(f"\n {tokens_on(s, seat, which)}", "italic")
        lines.append(line)
    return lines


def tokens_on(s: State, seat: int, which: int) -> str:
    """How far a deed is, and with which tokens: ``3/8 1V2L``."""
    on = "".join(f"{n}{LETTERS[suit]}" for suit, n in enumerate(s.paid[seat, which]) if n)
    return f"{on_deed(s, seat, which)}/{COST[s.last[seat, which]]} {on}".strip()


def hand(s: State, seat: int) -> Table:
    """What each card of the hand costs, sells for, and where it fits."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("your hand", "develop", "deed", "sells for", "fits at"):
        table.add_column(title)
    for card in range(N_CARDS):
        if in_hand(s, seat, card):
            suits = tinted(card)
            sale = Text("2").append(suits) if KIND[card] == Kind.ACE else suits
            table.add_row(
                Text(f"{rank(card)} {name(card)} ").append(suits),
                cost(s, seat, card),
                yes(affords_deed_of(s, seat, card)),
                sale,
                places(s, seat, card),
            )
    return table


def affords_deed_of(s: State, seat: int, card: int) -> bool:
    """Whether a seat has a token of each suit of a card."""
    return all(s.tokens[seat, SUITS[card, i]] > 0 for i in range(SUIT_COUNT[card]))


def cost(s: State, seat: int, card: int) -> Text:
    """The price of developing a card, and what is missing."""
    there = sum(int(s.tokens[seat, SUITS[card, i]]) for i in range(SUIT_COUNT[card]))
    text = Text(f"{COST[card]}")
    if there < COST[card]:
        return text.append(f", {COST[card] - there} short", "dim")
    if not affords_deed_of(s, seat, card):
        return text.append(", a suit short", "dim")
    return text.append(", yes", "green")


def yes(can: bool) -> Text:
    """Whether something can be paid."""
    return Text("yes", "green") if can else Text("no", "dim")


def places(s: State, seat: int, card: int) -> str:
    """The districts where a card fits (MG-30, MG-31)."""
    spots = [d for d in range(N_DISTRICTS[s.districts]) if fits(s, seat, card, d)]
    return ", ".join(home_name(int(DISTRICT[s.districts, d])) for d in spots) or "nowhere"


def home_name(card: int) -> str:
    """A district's name without its article."""
    return NAMES[card].removeprefix("The ")
