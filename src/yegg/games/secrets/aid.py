"""Secrets on paper: what becomes of a spy, and sheets for orders and for scores."""

from yegg.engine.paper import Grid, Sheet, to_write
from yegg.engine.prose import percent

from .state import REWARD, SECRETS, SPY_NAMES

TURNS = 5


def tables() -> list[Grid]:
    """What becomes of spies (SE-10 to SE-13), and how rarely a policeman guesses right."""
    fates = [
        ["a policeman guards it", f"all are captured: {REWARD} points each for its owner (SE-10)"],
        ["one spy alone, unguarded", "it is stolen: the thief earns its value (SE-12)"],
        ["two spies or more, unguarded", "they frustrate one another: it stays (SE-11)"],
    ]
    odds = [[str(n), percent(1 / n)] for n in (9, 8, 7, 6, 5, 4, 3)]
    return [
        Grid("What becomes of spies at a secret", ["who is there", "what happens"], fates),
        Grid("A policeman who guesses among so many", ["secrets", "is right"], odds),
    ]


def sheets(players: int) -> dict[str, list[Sheet]]:
    """An order sheet for each player, and the score sheet."""
    spies = [name.capitalize() for name in SPY_NAMES]
    turns = [f"turn {n + 1}" for n in range(TURNS)]
    orders = to_write("Orders", ["", *spies, "policeman", "points"], turns)
    numbers = [str(n + 1) for n in range(SECRETS - 1)]
    others = ["mine", *[f"{n + 1}:" for n in range(players - 1)]]
    stolen = to_write("Secrets that are stolen", ["whose", *numbers], others)
    says = (
        "For each spy: whose secret, and which. For the policeman: which of your own. "
        "Where he captured nobody, he must leave next turn."
    )
    scores = to_write("Points in each turn", ["", *[""] * players], [*turns, "total"])
    return {
        "orders": [
            Sheet(f"Orders {i + 1} of {players}", says, [orders, stolen]) for i in range(players)
        ],
        "scores": [
            Sheet("Score sheet", "Stolen secrets count their value, captured spies ten.", [scores])
        ],
    }
