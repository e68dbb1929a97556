"""The options in words, for whoever opens a table or reads the rules."""

from yegg.engine.voice import Handicap, HouseRule

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

HANDICAPS = (
    # `yegg arena second-story --bots medium,easy -n 4000 --option chips=5`: of 100 wins easy has 38
    # with two players and 40 with three; with ten chips 33 and 34
    Handicap(
        {"chips": "5"},
        -0.35,
        "five chips of each suit",
        "The game is shorter, so luck counts for more.",
    ),
)
