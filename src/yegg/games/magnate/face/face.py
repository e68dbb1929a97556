"""Magnate as a duchy: districts in a line, their rows above, yours below, your hand at the edge."""

from collections.abc import Sequence
from typing import Any

from yegg.games.magnate.events import Roll, Tax
from yegg.games.magnate.pile import in_hand
from yegg.games.magnate.scoring import grand_total, score, tokens_left
from yegg.games.magnate.state import N_DISTRICTS, SEATS, Phase, Place, State
from yegg.games.magnate.words import by_counting, discards
from yegg.parts.decktet import N_CARDS, N_SUITS, ONE_SUIT, SUIT_NAMES, SUITS, the
from yegg.text.phrases import counted, listing

from .acts import acts
from .cards import printed
from .dice import roll
from .duchy import district
from .hand import chosen, hand

__all__ = ["acts", "scene", "verdict"]


def scene(s: State, names: Sequence[str], seat: int, told: Sequence[Roll | Tax]) -> dict[str, Any]:
    """The position as plain fields; a spectator sits with the first player."""
    below = max(seat, 0)
    people = [*names, "the automa"][:SEATS]
    held = hand(s, seat) if seat >= 0 and s.phase != Phase.OVER else []
    return {
        "phase": Phase(s.phase).name.lower(),
        "above": side(s, people, 1 - below, seat),
        "below": side(s, people, below, seat),
        "districts": [district(s, people, seat, d) for d in range(N_DISTRICTS[s.districts])],
        "hand": held,
        "chosen": chosen(held),
        "roll": roll(told),
        "deck": deck(s),
        "sold": [printed(card) for card in discards(s)],
    }


def side(s: State, people: Sequence[str], seat: int, viewer: int) -> dict[str, Any]:
    """A merchant: Crowns, tokens, districts won, and what is known of the hand."""
    crowns = [card for card in range(N_CARDS) if s.where[card] == Place.CROWN + seat]
    return {
        "seat": seat,
        "name": people[seat],
        "automa": seat >= s.players,
        "won": int(score(s, seat)),
        "crowns": [SUIT_NAMES[SUITS[card, 0]] for card in crowns],
        "tokens": [
            {"suit": SUIT_NAMES[i], "one": ONE_SUIT[i], "n": int(s.tokens[seat, i])}
            for i in range(N_SUITS)
        ],
        "known": [printed(card) for card in range(N_CARDS) if in_hand(s, seat, card)],
        "counted": known_by_counting(s, viewer, seat, people),
        "backs": int(s.owed[seat]) if s.phase != Phase.CROWN else 0,
    }


def known_by_counting(
    s: State, viewer: int, seat: int, people: Sequence[str]
) -> dict[str, Any] | None:
    """MG-50: who can know which cards of a hand without having seen them."""
    says, cards = by_counting(s, viewer, seat, people)
    return {"says": says, "names": listing([the(card) for card in cards])} if cards else None


def deck(s: State) -> str:
    """How far the deck has come (MG-50, MG-51)."""
    if s.phase == Phase.OVER:
        return "The Grand Duke is dead."
    if s.final_turns:
        return f"Final turns: {counted(int(s.final_turns), 'turn')} to play, no more cards."
    last = "your final turn" if s.automa else "the final turns"
    then = last if s.shuffled else "the discards once more"
    return f"{counted(int(s.pile), 'card')} to draw, then {then}."


def verdict(s: State, names: Sequence[str]) -> str:
    """MG-61, MG-62: what decided."""
    for clause, what, count in (
        ("MG-61", ("district", "districts"), score),
        ("MG-62", ("rank in all districts", "ranks in all districts"), grand_total),
        ("MG-62", ("token left", "tokens left"), tokens_left),
    ):
        ours, theirs = int(count(s, 0)), int(count(s, 1))
        if ours != theirs:
            more, less = max(ours, theirs), min(ours, theirs)
            who = names[0] if ours > theirs else names[1]
            equal = "" if count is score else f"Both won {counted(int(score(s, 0)), 'district')}. "
            return f"{equal}{who} has {counted(more, *what)}, against {less}. ({clause})"
    return "Districts, ranks and tokens are all equal. (MG-62)"
