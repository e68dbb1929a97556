"""Second Story in words: record texts, sentences, and why something cannot be done."""

from collections.abc import Sequence
from typing import Any

from yegg.parts.decktet import (
    EXCUSE,
    KIND,
    N_SUITS,
    NAMES,
    ONE_SUIT,
    RANK,
    SLUGS,
    SUIT_COUNT,
    SUIT_NAMES,
    SUITS,
    Kind,
    the,
)
from yegg.text.phrases import listing, worded

from .events import can_try_again, falls_short
from .rules import can_risk, has_excuse, is_asked, may_leave, needed
from .state import DIE_SIDES, Choice, Phase, State

TEXTS = (
    *(f"flip {slug}" for slug in SLUGS),
    *(f"roll {face}" for face in range(1, DIE_SIDES + 1)),
    *(choice.name.lower().replace("_", "-") for choice in list(Choice)[1:-2]),
    *(f"take {suit}" for suit in SUIT_NAMES),
    "leave",
)
"""The text of every choice."""


def why_not(s: State, text: str) -> str | None:
    """Why a sentence of the game is not possible now, with the clause; None if it is none."""
    if text not in TEXTS:
        return None
    phase = Phase(s.phase)
    if phase == Phase.FLIP and text.startswith("flip "):
        return f"SS-11: {NAMES[TEXTS.index(text)]} is not in the draw pile"
    if phase == Phase.PLAN:
        return _why_not_plan(s, text)
    if phase == Phase.TAKE:
        return _why_not_take(s, text)
    if phase == Phase.JAM:
        return _why_not_out(s, text)
    return {
        Phase.FLIP: "SS-10: a card is turned up first",
        Phase.ROLL: "SS-14: a die is rolled first, and shows 1 to 10",
        Phase.ROAD: "SS-18: the house is robbed; stop or continue",
        Phase.OVER: "SS-60: the last night is over",
    }[phase]


def _why_not_plan(s: State, text: str) -> str:
    if text in ("stop", "continue"):
        return "SS-18: a card that is turned up must be faced"
    if KIND[s.house] >= Kind.PAWN:
        return "SS-50: at a tenement you choose one, several or all flats"
    return "SS-13: at a house you are thorough or quick"


def _why_not_take(s: State, text: str) -> str:
    if text == "leave":
        return "SS-36: you take a chip that the bank has; only the option decline lets you leave it"
    if not text.startswith("take "):
        return "SS-36: first you take a chip" + (", or leave it (SS-37)" if may_leave(s) else "")
    suit = SUIT_NAMES.index(text.removeprefix("take "))
    if suit not in SUITS[s.house, : SUIT_COUNT[s.house]]:
        clause = 50 if KIND[s.house] >= Kind.PAWN else 16
        return f"SS-{clause}: {the(s.house)} has no {SUIT_NAMES[suit]}"
    if s.bank[suit] == 0:
        return f"SS-36: the bank has no {SUIT_NAMES[suit]} left"
    return f"SS-{37 if may_leave(s) else 50}: chips of one house are taken in suit order"


def _why_not_out(s: State, text: str) -> str:
    if text == "risk":
        return "SS-23: a second chance is for a Crown, with a chip of its suit in your lair"
    if text == "excuse":
        return "SS-42: the Excuse does not lie in your lair"
    ways = [way for way, there in (("risk", can_risk(s)), ("excuse", has_excuse(s))) if there]
    return f"SS-17: the roll failed; {listing([*ways, 'flee'], 'or')}"


SYNONYMS = {"roll 0": "roll 10"}
"""SS-14: as dice show it."""
PRINTED = dict(zip(SLUGS, NAMES, strict=True))


def say(s: State, choice: int) -> str:
    """The text of a choice: ``flip the-mill``, ``roll 9``, ``thorough``, ``take wyrms``."""
    return TEXTS[choice]


def named(chips: Any) -> list[str]:
    """Chips by suit as a sentence has them: a sun, two leaves."""
    there = [suit for suit in range(N_SUITS) if chips[suit]]
    return [worded(int(chips[suit]), ONE_SUIT[suit], SUIT_NAMES[suit]) for suit in there]


# What is asked ---------------------------------------------------------------------------------


def ask(s: State) -> str:
    """The question before the current player, or before chance."""
    house = the(s.house)
    match Phase(s.phase):
        case Phase.FLIP:
            return "Which card is turned up?"
        case Phase.PLAN:
            return f"How do you rob {house}?"
        case Phase.ROLL:
            return f"What does the die show? {needed(s.house, s.plan)} or more robs {house}."
        case Phase.TAKE:
            which = "Which other chip" if s.after else "Which chip"
            return f"{which} do you take from {house}{', if any' if may_leave(s) else ''}?"
        case Phase.JAM:
            return f"The roll was too low for {house}. Do you try again, or flee?"
        case Phase.ROAD:
            return "Do you go home with the bag, or on to another house?"
    return "The last night is over."


def clauses(s: State) -> tuple[int, ...]:
    """The clauses that apply to what is asked now."""
    tenement = KIND[s.house] >= Kind.PAWN
    match Phase(s.phase):
        case Phase.PLAN:
            return (50, 51) if tenement else (13, 15, 16)
        case Phase.TAKE:
            return (50 if tenement else 16, 36, *([37] if may_leave(s) else []))
        case Phase.JAM:
            ways = [clause for clause, there in ((23, can_risk(s)), (42, has_excuse(s))) if there]
            both = [43] if len(ways) > 1 else []
            return (17, *ways, *both, *([24] if KIND[s.house] == Kind.CROWN else []))
    return {
        Phase.FLIP: (10, 11),
        Phase.ROLL: (14, 17),
        Phase.ROAD: (18, 19),
        Phase.OVER: (70, 71),
    }[Phase(s.phase)]


# What happens ----------------------------------------------------------------------------------


def tell(s: State, choice: int, names: Sequence[str]) -> str:
    """An event about to happen, in prose."""
    name, house = names[s.turn], the(s.house)
    match Phase(s.phase):
        case Phase.FLIP:
            return _turned_up(s, choice, name)
        case Phase.PLAN:
            return f"{name} {_PLANS[Choice(choice)].format(house)}."
        case Phase.ROLL:
            return _rolled(s, choice, name)
        case Phase.TAKE if choice == Choice.LEAVE:
            return f"{name} takes {'no more' if s.after else 'nothing'} from {house}."
        case Phase.TAKE:
            return f"{name} takes a {ONE_SUIT[choice - Choice.TAKE]}."
        case Phase.JAM:
            risked = ONE_SUIT[SUITS[s.house, 0]]
            return {
                Choice.RISK: f"{name} risks a {risked} from the lair and rolls again.",
                Choice.EXCUSE: f"{name} discards the Excuse and rolls again.",
                Choice.FLEE: f"{name} flees {_drops(s)}.",
            }[Choice(choice)]
    if choice == Choice.STOP:
        return f"{name} goes home with {_home(s)}."
    return f"{name} goes on to another house."


def alarm(s: State, choice: int) -> bool:
    """Whether an event about to happen is a failed roll, or flight after one."""
    return falls_short(s, choice) or choice == Choice.FLEE


_PLANS = {
    Choice.THOROUGH: "is thorough at {}",
    Choice.QUICK: "is quick about {}",
    Choice.ONE_FLAT: "works through one flat of {}",
    Choice.SEVERAL_FLATS: "tries several flats of {}",
    Choice.ALL_FLATS: "wants all flats of {}",
}


def _turned_up(s: State, card: int, name: str) -> str:
    suits = listing([SUIT_NAMES[SUITS[card, i]] for i in range(SUIT_COUNT[card])])
    match Kind(KIND[card]):
        case Kind.ACE if s.bag[SUITS[card, 0]]:
            return f"{NAMES[card]}: a {ONE_SUIT[SUITS[card, 0]]} falls out of {name}'s bag."
        case Kind.ACE if s.bank[SUITS[card, 0]]:
            return f"{NAMES[card]}: {name} finds a {ONE_SUIT[SUITS[card, 0]]}."
        case Kind.ACE:
            return f"{NAMES[card]}: there is no {ONE_SUIT[SUITS[card, 0]]} left to find."
        case Kind.EXCUSE:
            return f"The Excuse lies beside {name}'s bag."
        case Kind.CROWN:
            what = f"the Crown of {suits}: one of two dice must show a ten"
            return f"{name} comes to {the(card)}, {what}."
        case Kind.NUMBER:
            return f"{name} comes to {the(card)} (rank {RANK[card]}: {suits})."
    return f"{name} comes to {the(card)} (a tenement: {suits})."


def _rolled(s: State, choice: int, name: str) -> str:
    face = choice - Choice.ROLL + 1
    if s.dice > 1:
        return f"The first die shows {face}."
    die = "The second die" if s.plan == Choice.QUICK else "The die"
    house = the(s.house)
    if not falls_short(s, choice):
        return f"{die} shows {face}: {name} robs {house}{_of(s)}."
    need = needed(s.house, s.plan)
    caught = f"{die} shows {face}, and {house} needs {need}: {name} is detected"
    if can_try_again(s):
        return f"{caught}, but can try again."
    return f"{caught} {_drops(s)}."


def _of(s: State) -> str:
    if is_asked(s):
        return ""
    suits = SUITS[s.house, : SUIT_COUNT[s.house]]
    there = [f"a {ONE_SUIT[suit]}" for suit in suits if s.bank[suit] > 0]
    return f" of {listing(there)}" if there else ", but the bank has nothing of what is in it"


def _drops(s: State) -> str:
    return f"and drops {listing(named(s.bag))}" if s.bag.any() else "with an empty bag"


def _home(s: State) -> str:
    excuse = ["the Excuse"] if s.tonight[EXCUSE] else []
    return listing([*named(s.bag), *excuse]) or "an empty bag"


def luck(s: State) -> tuple[int, bool]:
    """Whose fortune a card or a die is, and whether it is the first of their night."""
    return int(s.turn), bool(s.phase == Phase.FLIP and s.turned == 0)
