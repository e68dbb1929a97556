"""The odds behind Magnate's choices: what the next roll pays, and what the tax may take."""

from collections import Counter
from itertools import product

from yegg.parts.decktet import (
    KIND,
    N_CARDS,
    N_SUITS,
    RANK,
    SUIT_COUNT,
    SUIT_NAMES,
    SUITS,
    Kind,
    the,
)
from yegg.text.phrases import counted, percent

from .pile import hand_card
from .state import (
    CROWNS_PAY,
    DIE_SIDES,
    DISTRICTS,
    FALLBACK,
    ONE_DIE,
    Choice,
    Phase,
    Place,
    State,
    move,
)
from .tokens import earns, pays
from .tokens_in_words import tokens

DEALT = range(N_CARDS)  # chance's choices that are cards


def numbers(s: State) -> dict[int, float]:
    """How often the next roll pays each number (MG-12)."""
    dice = range(1, DIE_SIDES + 1)
    if s.income == ONE_DIE:
        return dict.fromkeys(dice, 1 / DIE_SIDES)
    found: Counter[int] = Counter()
    for a, b in product(dice, dice):
        high, low = max(a, b), min(a, b)
        found[low if s.income == FALLBACK and not pays(s, high) else high] += 1
    return {number: n / DIE_SIDES**2 for number, n in found.items()}


def taxed(s: State) -> float:
    """How often a roll brings taxation of one certain suit (MG-11)."""
    often = 1 / DIE_SIDES if s.income == ONE_DIE else 1 - (1 - 1 / DIE_SIDES) ** 2
    return often / N_SUITS


def suits_paid(s: State, seat: int, number: int) -> tuple[Counter[int], int]:
    """Tokens that a number pays a seat for certain, by suit, and those of its choice."""
    sure: Counter[int] = Counter()
    choices = 0
    for card in range(N_CARDS):
        spot = s.where[card] - Place.ROW - DISTRICTS * seat
        if number == CROWNS_PAY and s.where[card] == Place.CROWN + seat:
            sure[int(SUITS[card, 0])] += 1
        elif 0 <= spot < DISTRICTS and earns(s, card, number):
            if s.deed[seat, spot] and s.last[seat, spot] == card and SUIT_COUNT[card] > 1:
                choices += 1
            else:
                sure.update(SUITS[card, : SUIT_COUNT[card]].tolist())
    return sure, choices


def outlook(s: State, seat: int) -> str:
    """The next roll's income of a seat, suit by suit, and what taxation would take."""
    if not rolls_come(s):
        return ""
    any_of = dict.fromkeys(range(N_SUITS), 0.0)
    mean, nothing, of_choice = 0.0, 0.0, 0.0
    for number, often in numbers(s).items():
        sure, choices = suits_paid(s, seat, number)
        mean += often * (sum(sure.values()) + choices)
        nothing += often * (not sure and not choices)
        of_choice += often * bool(choices)
        for suit in sure:
            any_of[suit] += often
    shown = [f"{SUIT_NAMES[suit]} {percent(p)}" for suit, p in any_of.items() if p]
    if of_choice:
        shown.append(f"a token of your choice {percent(of_choice)}")
    brings = f"The next roll pays you {mean:.2f} tokens on average, nothing {percent(nothing)}"
    return f"{brings} of the time. Chances: {', '.join(shown)}. {tax_line(s, seat)}"


def rolls_come(s: State) -> bool:
    """Whether anybody will roll again: not in the last final turn (MG-51)."""
    return bool(s.phase != Phase.OVER and (s.final_turns != 1 or s.phase == Phase.ROLL))


def tax_line(s: State, seat: int) -> str:
    """What the tax may take from a seat."""
    risks = [(suit, int(n) - 1) for suit, n in enumerate(s.tokens[seat]) if n > 1]
    if not risks:
        return "Tax risk: none."
    each = " each" if len(risks) > 1 else ""
    return f"Tax risk: {tokens(risks, 'or')} ({percent(taxed(s), 1)}{each})."


def odds(s: State, choice: int) -> str:
    """What a property pays and how often, or what the tax may take once the turn has ended."""
    if not rolls_come(s):
        return ""
    what, nth, _ = move(choice)
    if what == Choice.END:
        return tax_line(s, int(s.turn))
    if what != Choice.DEVELOP and what != Choice.DEED:
        return ""
    card = hand_card(s, nth)
    if KIND[card] == Kind.COURT:
        return "A Court never pays."
    often = percent(numbers(s).get(int(RANK[card]), 0.0))
    pays = counted(int(SUIT_COUNT[card]) if what == Choice.DEVELOP else 1, "token")
    return f"T{the(card)[1:]} pays {pays} on {often} of all rolls."
