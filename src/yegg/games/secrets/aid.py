"""Secrets on paper: what becomes of a spy, and sheets for orders and for scores."""

from yegg.engine.voice import Grid, Sheet, to_write
from yegg.text.phrases import counted, percent

from .state import SPY_NAMES, State, secret_name


def tables(s: State) -> list[Grid]:
    """What becomes of spies (SE-10 to SE-13), and how rarely a policeman guesses right."""
    fates = [
        ["a policeman guards it", f"all are captured: {reward(s)} each for its owner (SE-10)"],
        ["one spy alone, unguarded", "it is stolen: the thief earns its value (SE-12)"],
        ["two spies or more, unguarded", "they frustrate one another: it stays (SE-11)"],
    ]
    odds = [[str(n), percent(1 / n)] for n in range(int(s.secrets), 2, -1)]
    return [
        Grid("What becomes of spies at a secret", ["who is there", "what happens"], fates),
        Grid("A policeman who guesses among so many", ["secrets", "is right"], odds),
    ]


def reward(s: State) -> str:
    """What a captured spy is worth (SE-10)."""
    return counted(int(s.reward), "point")


def sheets(s: State) -> dict[str, list[Sheet]]:
    """An order sheet for each player, and the score sheet."""
    players = int(s.players)
    spies = [name.capitalize() for name in SPY_NAMES[: s.spies]]
    turns = [f"turn {n + 1}" for n in range(s.turns)]
    orders = to_write("Orders", ["", *spies, "policeman", "points"], turns)
    numbers = [secret_name(s, n) for n in range(s.secrets)]
    others = ["mine", *[f"{n + 1}:" for n in range(players - 1)]]
    stolen = to_write("Secrets that are stolen", ["whose", *numbers], others)
    says = "For each spy: whose secret, and which. For the policeman: which of your own."
    if not s.policeman:
        says += " Where he captured nobody, he must leave next turn."
    scores = to_write("Points in each turn", ["", *[""] * players], [*turns, "total"])
    return {
        "orders": [
            Sheet(f"Orders {i + 1} of {players}", says, [orders, stolen]) for i in range(players)
        ],
        "scores": [
            Sheet(
                "Score sheet",
                f"Stolen secrets count their value, captured spies {reward(s)} each.",
                [scores],
            )
        ],
    }
