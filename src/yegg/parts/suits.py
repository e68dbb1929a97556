"""How the six suits look in text: a letter, a sign, a colour; the letter alone suffices."""

from rich.text import Text

from .decktet import SUIT_COUNT, SUIT_NAMES, SUITS

LETTERS = "MSVLYK"
SIGNS = "☾☀≈♣§⌘"
COLOURS = ("#C9D3E0", "#E9B44C", "#4FC8FE", "#54BF8F", "#F07D54", "#C68DCE")


def sign(suit: int, count: int | None = None) -> Text:
    """A suit's sign, with a count if one is given: ``☾M3``.  A count of 0 is dim."""
    text = f"{SIGNS[suit]}{LETTERS[suit]}" + ("" if count is None else str(count))
    return Text(text, style="dim" if count == 0 else f"bold {COLOURS[suit]}")


def suits_of(card: int) -> Text:
    """The suits of a card, in words with their signs."""
    parts = [
        Text(f"{SIGNS[suit]} {SUIT_NAMES[suit]}", style=COLOURS[suit])
        for suit in SUITS[card, : SUIT_COUNT[card]]
    ]
    return Text(" ").join(parts)
