"""What the laboratory's columns of Secrets hold, and usual questions about the game."""

from yegg.stats.kinds import Kind
from yegg.stats.usual import Usual

MEANINGS = {
    "points_stolen": "points of all players from secrets",
    "points_rewarded": "points of all players from captured spies",
    "collisions": "secrets where several spies met",
    "spies_in_collisions": "spies that met others at a secret",
    "collisions_under_guard": "secrets where a policeman captured several spies at once",
    "posts": "orders of policemen",
    "posts_at_the_best": "orders of policemen at the most valuable secret left",
    "captured_in_turn_*": "spies that were captured in a turn",
    "stolen_*": "secrets of a value that were stolen",
}
MEASURES = {
    "points-by-source": Usual(
        "Where all players' points come from.",
        parts={
            "secrets": "points_stolen / (points_stolen + points_rewarded)",
            "captured spies": "points_rewarded / (points_stolen + points_rewarded)",
        },
        title="points by source",
        kind=Kind.PART,
    ),
    "meetings": Usual(
        "Secrets where several spies meet.", "collisions", title="secrets where spies meet"
    ),
    "guards-at-the-best": Usual(
        "The part of the policemen's orders that guard the most valuable secret left.",
        "posts_at_the_best / posts",
        title="orders to guard the best secret",
        kind=Kind.PART,
    ),
}
