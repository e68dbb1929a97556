"""How Second Story is written in a record, and told to people."""

from collections.abc import Sequence

from yegg.parts.decktet import KIND, NAMES, SLUGS, SUIT_COUNT, SUIT_NAMES, SUITS, Kind

from .rules import SIDES, Choice, Phase, State, needed

TEXTS = (
    *(f"flip {slug}" for slug in SLUGS),
    *(f"roll {face}" for face in range(1, SIDES + 1)),
    *(choice.name.lower().replace("_", "-") for choice in list(Choice)[1:-1]),
    *(f"take {suit}" for suit in SUIT_NAMES),
)
SYNONYMS = {"roll 0": "roll 10"}
"""SS-14: as dice show it."""


def say(s: State, choice: int) -> str:
    """The text of a choice: ``flip the-mill``, ``roll 9``, ``thorough``, ``take wyrms``."""
    return TEXTS[choice]


def why_not(s: State, text: str) -> str | None:
    """Why a sentence of the game is not possible now, with the clause."""
    if text not in TEXTS:
        return None
    reasons = {
        Phase.FLIP: "SS-10: a card is turned up first",
        Phase.PLAN: _why_not_plan(s, text),
        Phase.ROLL: "SS-14: a die is rolled first, and shows 1 to 10",
        Phase.TAKE: "SS-36: only suits of this house that the bank still has",
        Phase.JAM: "SS-23, SS-42: the roll failed; only another chance or flight is left",
        Phase.ROAD: "SS-18: the house is robbed; stop or continue",
        Phase.OVER: "SS-60: the last night is over",
    }
    if Phase(s.phase) == Phase.FLIP and text.startswith("flip "):
        return f"SS-11: {NAMES[TEXTS.index(text)]} is not in the draw pile"
    return reasons[Phase(s.phase)]


def _why_not_plan(s: State, text: str) -> str:
    if text in ("stop", "continue"):
        return "SS-18: a card that is turned up must be faced"
    if KIND[s.house] >= Kind.PAWN:
        return "SS-50: at a tenement you choose one, several or all flats"
    return "SS-13: at a house you are thorough or quick"


def ask(s: State) -> str:
    """The question before the current player, or before chance."""
    house = NAMES[s.house]
    match Phase(s.phase):
        case Phase.FLIP:
            return "Which card is turned up?"
        case Phase.PLAN:
            return f"How do you rob {house}?"
        case Phase.ROLL:
            return f"What does the die show? {needed(s.house, s.plan)} or more robs {house}."
        case Phase.TAKE:
            return f"Which chip do you take from {house}?"
        case Phase.JAM:
            return f"{house} has heard you. Another chance, or run?"
        case Phase.ROAD:
            return "Home with the bag, or on to another house?"
    return "The last night is over."


def clauses(s: State) -> tuple[int, ...]:
    """The clauses that apply to what is asked now."""
    tenement = KIND[s.house] >= Kind.PAWN
    return {
        Phase.FLIP: (10, 11),
        Phase.PLAN: (50, 51) if tenement else (13, 15, 16),
        Phase.ROLL: (14, 17),
        Phase.TAKE: (36, 50) if tenement else (16, 36),
        Phase.JAM: (23, 24, 42, 43),
        Phase.ROAD: (18, 19),
        Phase.OVER: (70, 71),
    }[Phase(s.phase)]


def tell(s: State, choice: int, names: Sequence[str]) -> str:
    """An event about to happen, in prose."""
    name, house = names[s.turn], NAMES[s.house]
    match Phase(s.phase):
        case Phase.FLIP:
            return _turned_up(s, choice, name)
        case Phase.PLAN:
            return f"{name} {_PLANS[Choice(choice)].format(house)}."
        case Phase.ROLL:
            return _rolled(s, choice - Choice.ROLL + 1, name)
        case Phase.TAKE:
            return f"{name} takes {SUIT_NAMES[choice - Choice.TAKE]}."
        case Phase.JAM:
            return {
                Choice.RISK: f"{name} risks a chip of {_suits(s.house)} from the lair.",
                Choice.EXCUSE: f"{name} has an excuse, and rolls again.",
                Choice.FLEE: f"{name} flees and drops {_chips(int(s.bag.sum()))}.",
            }[Choice(choice)]
    if choice == Choice.STOP:
        return f"{name} goes home with {_chips(int(s.bag.sum()))}."
    return f"{name} goes on to another house."


_PLANS = {
    Choice.THOROUGH: "is thorough at {}",
    Choice.QUICK: "is quick about {}",
    Choice.ONE_FLAT: "works through one flat of {}",
    Choice.SEVERAL_FLATS: "tries several flats of {}",
    Choice.ALL_FLATS: "wants all flats of {}",
}


def _turned_up(s: State, card: int, name: str) -> str:
    suit = SUITS[card, 0]
    match Kind(KIND[card]):
        case Kind.ACE if s.bag[suit]:
            return f"{NAMES[card]}: a chip of {SUIT_NAMES[suit]} falls out of {name}'s bag."
        case Kind.ACE if s.bank[suit]:
            return f"{NAMES[card]}: {name} finds a chip of {SUIT_NAMES[suit]}."
        case Kind.ACE:
            return f"{NAMES[card]}: there is no chip of {SUIT_NAMES[suit]} left to find."
        case Kind.EXCUSE:
            return f"The Excuse lies beside {name}'s bag."
        case Kind.CROWN:
            return f"{name} comes to {NAMES[card]}, a Crown of {_suits(card)}: two dice, a ten."
    return f"{name} comes to {NAMES[card]} ({_suits(card)})."


def _rolled(s: State, face: int, name: str) -> str:
    best, need = max(face, s.best), needed(s.house, s.plan)
    if s.dice > 1:
        return f"A die shows {face} …"
    if best >= need:
        return f"The die shows {face}: {NAMES[s.house]} is robbed."
    loss = int(s.bag.sum())
    return f"The die shows {face}: {name} is detected at {NAMES[s.house]}" + (
        f" with {_chips(loss)} in the bag." if loss else "."
    )


def _suits(card: int) -> str:
    return ", ".join(SUIT_NAMES[SUITS[card, i]] for i in range(SUIT_COUNT[card]))


def _chips(count: int) -> str:
    return {0: "nothing", 1: "one chip"}.get(count, f"{count} chips")
