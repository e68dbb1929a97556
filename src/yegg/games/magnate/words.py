"""Magnate in words: the text of each choice in a record, questions and sentences."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from yegg.engine import Ints
from yegg.parts.decktet import N_CARDS, NAMES, ONE_SUIT, SLUGS, SUIT_NAMES, the
from yegg.text.phrases import capital

from . import rules
from .duchy import strict
from .pile import hand_card, next_owed
from .refusals import crown_suits, next_suit, why_not
from .state import CHOICES, COST, DISTRICT, DISTRICTS, SEATS, Choice, Phase, Place, State, move
from .tokens import asked_card
from .tokens_in_words import in_words, named

__all__ = ["ask", "by_counting", "discards", "luck", "say", "seen", "tell", "tell_part", "why_not"]

SYNONYMS = {"roll 0": "roll 10"}
"""MG-11: as dice show it."""
PRINTED = dict(zip(SLUGS, NAMES, strict=True))


def district(s: State, which: int) -> int:
    """The card of a district."""
    return int(DISTRICT[s.districts, which])


def say(s: State, choice: int) -> str:
    """The text of a choice: ``roll 9``, ``pay 3 waves``, ``deed the-mill at the-harvest``."""
    match move(choice):
        case Choice.DEAL, card, _:
            return f"{_deals(s)} {next_owed(s) + 1} {SLUGS[card]}"
        case Choice.ROLL, face, _:
            return f"roll {face + 1}"
        case Choice.TAX, suit, _:
            return f"tax {SUIT_NAMES[suit]}"
        case Choice.COLLECT, suit, _:
            return f"collect {SUIT_NAMES[suit]} for {SLUGS[asked_card(s)]}"
        case Choice.PAY, n, _:
            return f"pay {n + 1} {next_suit(s)}"
        case Choice.PLACE, where, _:
            return f"place {SLUGS[s.card]} at {SLUGS[district(s, where)]}"
        case Choice.TRADE, give, get:
            return f"trade {SUIT_NAMES[give]} for {SUIT_NAMES[get]}"
        case Choice.ADD, where, suit:
            return f"add {SUIT_NAMES[suit]} to {SLUGS[s.last[s.turn, where]]}"
        case Choice.SELL, nth, _:
            return f"sell {SLUGS[hand_card(s, nth)]}"
        case Choice.DEVELOP, nth, where:
            return f"develop {SLUGS[hand_card(s, nth)]} at {SLUGS[district(s, where)]}"
        case Choice.DEED, nth, where:
            return f"deed {SLUGS[hand_card(s, nth)]} at {SLUGS[district(s, where)]}"
    return "end"


def _deals(s: State) -> str:
    return {Phase.CROWN: "crown", Phase.DEAL: "deal"}.get(Phase(s.phase), "draw")


def seen(past: Any, i: int, seat: int) -> str:
    """The text of an event as a seat may know it: cards of other hands are ``-``."""
    s, choice = past.states[i], past.choices[i]
    text = say(s, choice)
    if move(choice)[0] == Choice.DEAL and s.phase != Phase.CROWN and next_owed(s) != seat:
        return text.rpartition(" ")[0] + " -"
    return text


def ask(s: State) -> str:
    """The question before the actor, chance's too."""
    if s.owed.any():
        kind = "Crown" if s.phase == Phase.CROWN else "card"
        return f"Which {kind} is dealt to seat {next_owed(s) + 1}?"
    match s.phase:
        case Phase.ROLL:
            return "What does the other die show?" if s.high else "What does the die show?"
        case Phase.TAX:
            return "Which suit is taxed?"
        case Phase.COLLECT:
            return f"Which token do you collect for the deed of {the(asked_card(s))}?"
        case Phase.CARD:
            return "Which card do you play, and how?"
        case Phase.PAY:
            return f"How many {next_suit(s)} of the {s.due} tokens due for {the(s.card)}?"
        case Phase.PLACE:
            return f"In which district does the automa get {the(s.card)}?{_by_crown(s)}"
        case Phase.REST:
            return f"Your card is played. {_rest(s) or 'End your turn.'}"
    return "The game is over."


def ask_others(s: State) -> str:
    """The question as the others hear it."""
    return _rest(s) if s.phase == Phase.REST and not s.owed.any() else ask(s)


def _rest(s: State) -> str:
    """MG-40, MG-42: whether more is done once the card is played; "" where nothing can be."""
    out = np.zeros(CHOICES, np.int32)
    also = ["trade"] if rules.legal_trades(s, out, 0) else []
    also += ["add to a deed"] if rules.legal_adds(s, out, 0) else []
    return f"Do you {', '.join(also)} or end your turn?" if also else ""


def _by_crown(s: State) -> str:
    """MG-102: by which suits the card must match, where it must."""
    if not strict(s, s.card):
        return ""
    return f" It must match by {named(crown_suits(s, s.card), 'or')}."


def clauses(s: State) -> tuple[int, ...]:
    """The clauses that apply to what is asked now."""
    return {
        Phase.CROWN: (2,),
        Phase.DEAL: (3,),
        Phase.ROLL: (11, 12),
        Phase.TAX: (11,),
        Phase.COLLECT: (14, 16),
        Phase.CARD: (20, 21, 22, 30, 31, 40, 42),
        Phase.PAY: (20,),
        Phase.PLACE: (101, 102),
        Phase.REST: (40, 41, 42, 50),
        Phase.OVER: (60, 61, 62),
    }[Phase(s.phase)]


def die(_: State, choice: int) -> str:
    """What a die shows, if one is rolled."""
    what, face, __ = move(choice)
    return str(face + 1) if what == Choice.ROLL else ""


def does(s: State, choice: int) -> tuple[str, str] | None:
    """The verb and the object of what is often done several times in a row."""
    match move(choice):
        case Choice.COLLECT, suit, _:
            return "collects", f"a {ONE_SUIT[suit]} for the deed of {the(asked_card(s))}"
        case Choice.TRADE, _, _:
            change = _after(s, choice).tokens[s.turn] - s.tokens[s.turn]
            return "trades", f"{in_words(-change)} for {in_words(change)}"
    return None


def _after(s: State, choice: int) -> State:
    after = np.array([s], State.dtype)[0]
    rules.play(after, choice)
    return after


def tell(s: State, choice: int, names: Sequence[str]) -> str:
    """The event as sentences; hands stay secret.  Of a die, what comes of it."""
    people = [*names, "the automa"][:SEATS]
    who, after = capital(people[s.turn]), _after(s, choice)
    change = after.tokens[s.turn] - s.tokens[s.turn]
    match move(choice):
        case Choice.DEAL, card, _:
            return _tell_deal(s, card, capital(people[next_owed(s)]))
        case Choice.ROLL, _, _:
            return _tell_income(s, after, people, np.zeros_like(s.tokens))
        case Choice.TAX, suit, _:
            return _tell_tax(s, after, people, suit)
        case Choice.PAY, _, _:
            return f"{who} pays {in_words(-change)} for {the(s.card)}."
        case Choice.PLACE, where, _:
            return f"{who} gives the automa {the(s.card)} at {the(district(s, where))}."
        case Choice.ADD, where, suit:
            return _tell_add(s, where, suit, who)
        case Choice.SELL, nth, _:
            there = [d for d in range(DISTRICTS) if after.last[1, d] != s.last[1, d]]
            gift = f"; the automa has it at {the(district(s, there[0]))}" if there else ""
            return f"{who} sells {the(hand_card(s, nth))} for {in_words(change)}{gift}."
        case (Choice.DEVELOP | Choice.DEED) as what, nth, where:
            verb = "develops" if what == Choice.DEVELOP else "buys the deed of"
            cost = f" for {in_words(-change)}" if change.any() else ""
            return f"{who} {verb} {the(hand_card(s, nth))} at {the(district(s, where))}{cost}."
    return _tell_end(s, after, who)


def _tell_deal(s: State, card: int, who: str) -> str:
    if s.phase == Phase.CROWN:
        return f"{who} has {the(card)}."
    return tell_part("deal" if s.phase == Phase.DEAL else "draw", who)


def tell_part(text: str, name: str) -> str:
    """A card that comes to a hand, for those who do not see it: ``deal 1 -``, ``draw 2 -``."""
    who = "The automa" if name == "Automa" else capital(name)
    return f"{who} {'is dealt' if text.startswith('deal') else 'draws'} a card."


def _tell_tax(s: State, after: State, people: Sequence[str], suit: int) -> str:
    lost = np.zeros_like(s.tokens)
    lost[:, suit] = np.maximum(s.tokens[:, suit] - 1, 0)
    nobody = "" if lost.any() else " Nobody has more than one."
    return f"Taxation of {SUIT_NAMES[suit]}.{nobody} {_tell_income(s, after, people, lost)}".strip()


def _tell_income(s: State, after: State, people: Sequence[str], lost: Ints) -> str:
    """What a roll brings, after what the tax took; ``lost`` by seat and suit."""
    changes = [
        f"{capital(people[seat])} {verb} {what}."
        for verb, counts in (("loses", lost), ("collects", after.tokens - s.tokens + lost))
        for seat in range(SEATS)
        if (what := in_words(counts[seat]))
    ]
    if not changes and s.phase == Phase.ROLL and s.high and after.phase == Phase.CARD:
        return "Nobody collects anything."
    return " ".join(changes)


def _tell_add(s: State, where: int, suit: int, who: str) -> str:
    card = s.last[s.turn, where]
    on = int(s.paid[s.turn, where].sum()) + 1
    done = "it is developed" if on == COST[card] else f"{on} of {COST[card]}"
    return f"{who} puts a {ONE_SUIT[suit]} on the deed of {the(card)}: {done}."


def _tell_end(s: State, after: State, who: str) -> str:
    text = f"{who}'s turn ends."
    if after.shuffled != s.shuffled:
        text += " The pile has run out: the discards are shuffled."
    if after.final_turns and not s.final_turns:
        text += " The last card is drawn: the final turns begin."
    if after.phase == Phase.OVER:
        text += " The Grand Duke is dead: the game is over."
    return text


def by_counting(s: State, seat: int, whose: int, names: Sequence[str]) -> tuple[str, list[int]]:
    """MG-50: cards of a hand that follow by counting: who can know them, and which.

    When the discards were shuffled, all that lay neither on the table nor in one's own hand
    was in the other's.  Such a card stays known until it is played.
    """
    known = [card for card in range(N_CARDS) if s.where[card] == Place.OPEN + whose]
    if s.phase == Phase.OVER or not known:
        return "", []
    who = "Both players" if seat < 0 else names[1 - seat] if seat == whose else "You"
    return f"{who} can know this by counting", known


def discards(s: State) -> list[int]:
    """The cards that were sold, without one that is about to be given to the automa (MG-101)."""
    waits = s.card if s.phase == Phase.PLACE else -1
    return [c for c in range(N_CARDS) if s.where[c] == Place.DISCARD and c != waits]


def luck(s: State) -> tuple[int, bool]:
    """Whose fortune a card or a die is, and whether it is the first die of their turn."""
    if s.owed[0] + s.owed[1] > 0:
        return next_owed(s), False
    return int(s.turn), bool(s.phase == Phase.ROLL and s.high == 0)
