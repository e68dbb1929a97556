"""The options in words, for whoever opens a table or reads the rules."""

from yegg.engine.voice import Handicap, HouseRule

HOUSE_RULES = {
    "courts": HouseRule(
        "The four Courts",
        {"no": "Stay in the box", "yes": "Are shuffled in as properties"},
        "MG-90",
    ),
    "districts": HouseRule(
        "Districts",
        {"5": "The four Pawns and the Excuse", "4": "The four Pawns", "aces": "The six Aces"},
    ),
    "excuse-start": HouseRule(
        "First property at the Excuse",
        {"any": "Any property", "aces": "Only an Ace"},
        "MG-30",
        ("districts", "5", "the Excuse is no district"),
    ),
    "poorest": HouseRule(
        "The poorest district",
        {"counts": "Counts like any other", "ignored": "Scores for nobody"},
        "MG-61",
    ),
    "income": HouseRule(
        "Income",
        {
            "higher": "The higher die pays",
            "fallback": "A turn without income pays for the lower die",
            "one-die": "One die is rolled, and pays",
        },
        "MG-12",
    ),
    "deed-suits": HouseRule(
        "A deed is complete",
        {"any": "In any mix of its suits", "each": "With one of each suit"},
        "MG-40",
    ),
    "ace-total": HouseRule(
        "In a tie an Ace counts",
        {"district": "As in its district", "one": "One"},
        "MG-62",
    ),
    "automa": HouseRule(
        "The other side",
        {
            "no": "Another player",
            "easy": "The automa: what you sell goes where you like",
            "hard": "The automa: what you sell goes where its Crowns like",
        },
        "MG-100",
    ),
}

HANDICAPS = (
    # `yegg sim magnate -p 1 -n 1000 --bots easy --option automa=hard`: easy wins 33 games of 100,
    # medium 71; against the easy automa 47 and 88
    Handicap(
        {"automa": "easy"}, 0.0, "the easy automa", "It plays about as well as easy.", alone=True
    ),
    Handicap(
        {"automa": "hard"}, 0.5, "the hard automa", "It stands between easy and medium.", alone=True
    ),
)
