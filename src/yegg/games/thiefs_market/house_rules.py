"""The options in words, for whoever opens a table or reads the rules."""

from yegg.engine.voice import HouseRule

HOUSE_RULES = {
    "promos": HouseRule(
        "The four promotional cards",
        {"no": "Stay in the box", "yes": "Are shuffled into their decks"},
        "TM-72",
    ),
    "open-infamy": HouseRule(
        "Infamy", {"no": "Lies face down", "yes": "Lies open on the table"}, "TM-6"
    ),
    "dice": HouseRule("Loot dice on the table", clause="TM-2"),
}
