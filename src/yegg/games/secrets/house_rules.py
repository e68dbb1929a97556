"""The options in words, for whoever opens a table or reads the rules."""

from yegg.engine.voice import HouseRule

HOUSE_RULES = {
    "hidden": HouseRule(
        "What secrets are worth",
        {"no": "Their numbers", "yes": "Points that everybody hides among them"},
        "SE-30",
    ),
    "turns": HouseRule("Turns of the game"),
    "posts": HouseRule(
        "Where policemen stood",
        {"secret": "Stays secret", "open": "Is told after each turn"},
        "SE-21",
    ),
    "spies": HouseRule("Spies of each player"),
    "secrets": HouseRule("Secrets of each player"),
    "reward": HouseRule("Points for a captured spy", clause="SE-10"),
    "policeman": HouseRule(
        "A policeman who captured nobody",
        {"moves": "Must guard another secret", "may-stay": "May stay where he is"},
        "SE-6",
    ),
}
