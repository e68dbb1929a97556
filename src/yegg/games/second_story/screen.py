"""Second Story in the terminal: tonight's houses, bank and bag, and everybody's lair."""

from collections.abc import Sequence

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from yegg.parts.decktet import KIND, N_SUITS, NAMES, RANK, SUIT_NAMES, Kind
from yegg.parts.suits import sign, suits_of

from .scoring import score, standing
from .state import Phase, State

LEGEND = """\
▲ is the house that is being robbed. The bag holds the loot of this turn, a seat's row what is safe
in its lair. ◂ is whose turn it is."""
"""How to read the position, for those who have the text alone."""


def draw(s: State, names: Sequence[str], seat: int) -> RenderableType:
    """Tonight's houses, bank and bag, and everybody's lair.  Nothing is hidden from any seat."""
    return Group(night(s, names), Text(), chips(s, names, seat))


def night(s: State, names: Sequence[str]) -> RenderableType:
    """Whose night it is, the houses turned up so far, the piles."""
    line = Text()
    if s.phase == Phase.OVER:
        line.append("The nights are over.", "bold")
    else:
        line.append(f"{names[s.turn]}'s night", "bold")
        if s.last_turns > 0:
            left = "the last turn" if s.last_turns == 1 else f"{s.last_turns} turns left"
            line.append(f" · the last night: {left}", "bold red")
    line.append(f" · draw pile {s.face_down}, discards {s.discards}", "dim")
    houses = np.flatnonzero(s.tonight)
    earlier = [NAMES[card] for card in houses if card != s.house or not faced(s)]
    if earlier:
        line.append(f"\nturned up tonight: {', '.join(earlier)}", "dim")
    if faced(s):
        line.append("\n▲ ", "bold yellow").append(f"{NAMES[s.house]} ", "bold")
        line.append(f"({rank_of(s.house)}) ").append(suits_of(s.house))
    return line


def faced(s: State) -> bool:
    """Whether a house is being burgled now."""
    return s.phase in (Phase.PLAN, Phase.ROLL, Phase.TAKE, Phase.JAM)


def rank_of(card: int) -> str:
    """The rank as printed."""
    kind = Kind(KIND[card])
    if kind == Kind.NUMBER:
        return str(RANK[card])
    return "rank ten, two dice" if kind == Kind.CROWN else "tenement"


def chips(s: State, names: Sequence[str], seat: int) -> Table:
    """Bank, bag and lairs by suit; lairs with their score and order."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="")
    table.add_column("")
    for suit in range(N_SUITS):
        table.add_column(sign(suit).append(f"\n{SUIT_NAMES[suit]}"), justify="right")
    table.add_column("\nscore", justify="right")
    table.add_column("\nplace")
    table.add_row("bank", *(count(n, "red" if n == 0 else "") for n in s.bank))
    if s.phase != Phase.OVER:
        table.add_row(Text("bag", "yellow"), *(count(n, "yellow") for n in s.bag), end_section=True)
    order = [standing(s, who) for who in range(s.players)]
    for who in range(s.players):
        marks = " ◂" if who == s.turn and s.phase != Phase.OVER else ""
        excuse = " +Excuse" if s.owner == who + 1 else ""
        name = Text(f"{names[who]}{marks}{excuse}", "bold" if who == seat else "")
        tied = ", tied" if order.count(order[who]) > 1 else ""
        place = f"{1 + sum(other > order[who] for other in order)}{tied}"
        table.add_row(name, *(count(n) for n in s.lair[who]), str(score(s, who)), place)
    return table


def count(n: int, style: str = "") -> Text:
    """A number of chips; none is a dot."""
    return Text(str(n) if n else "·", style or ("" if n else "dim"))
