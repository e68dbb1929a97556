"""The options in words, for whoever opens a table or reads the rules."""

from yegg.engine.voice import HouseRule

HOUSE_RULES = {
    "excuse": HouseRule(
        "The Excuse",
        {"no": "Stays in the box", "yes": "Lets a failed roll be rolled again, once"},
        "SS-40",
    ),
    "pawns": HouseRule(
        "The four Pawns", {"no": "Stay in the box", "yes": "Are houses with several flats"}, "SS-50"
    ),
    "courts": HouseRule(
        "The four Courts",
        {"no": "Stay in the box", "yes": "Are houses with several flats"},
        "SS-50",
    ),
    "chips": HouseRule("Chips of each suit (fewer: a shorter game)"),
    "decline": HouseRule(
        "A chip that you may take",
        {"no": "Is always taken", "yes": "May be left in the bank"},
        "SS-37",
    ),
}
