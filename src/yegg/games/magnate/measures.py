"""What the laboratory's columns of Magnate hold, and usual questions about the game."""

from yegg.stats.kinds import Kind
from yegg.stats.usual import Usual

from .state import DISTRICTS
from .tally import SOURCES

MEANINGS = {
    "rolls": "rolls of the dice",
    "paid": "rolls that paid somebody",
    "taxes": "rolls of the tax die",
    "taxed": "tokens that the tax took",
    "sold": "cards that were sold",
    "developed": "cards that were developed at once",
    "deeds": "deeds that were begun",
    "completed": "deeds that were completed",
    "trades": "trades of three tokens for one",
    "by_districts": "decided by districts",
    "by_totals": "decided by the sum of totals",
    "by_tokens": "decided by tokens",
    "by_draw": "decided by nothing: a draw",
    "districts_won": "districts that either player won",
    "built_*": "developed properties at the end, by rank",
    "most_*": "the most tokens of a suit that were out at once, with players and on deeds",
    "from_*": "tokens of both players, by where they come from",
    "contested": "districts in which both have developed something",
    "no_excuse": "sides that have developed nothing at the Excuse",
    "drawn_aces_*": "Aces that came to a player's hand",
    "early_built_*": "properties of a rank developed at once with more than 25 turns left",
    "late_built_*": "properties of a rank developed at once with 25 turns left or fewer",
    "early_earned_*": "tokens that the early ones brought from then on",
    "late_earned_*": "tokens that the late ones brought from then on",
    "begun_in_*": "the turns of the first cards in a district, added up",
    "begun_*": "by district, as they lie (the third is the Excuse): sides that played a card there",
}
_FROM = [f"from_{source}" for source in SOURCES]
MEASURES = {
    "decided-by": Usual(
        "What puts the winner ahead of the other.",
        parts={
            "districts": "by_districts",
            "totals": "by_totals",
            "tokens": "by_tokens",
            "draw": "by_draw",
        },
        title="what decides",
    ),
    "tokens-by-source": Usual(
        "Where tokens come from.",
        parts={source: f"from_{source} / ({' + '.join(_FROM)})" for source in SOURCES},
        title="tokens by source",
        kind=Kind.PART,
    ),
    "idle-rolls": Usual(
        "The part of the rolls that pay nobody anything.",
        "1 - paid / rolls",
        title="rolls that pay nobody anything",
        kind=Kind.PART,
    ),
    "first-card-in-district": Usual(
        "The turn of a side's first card in a district; of games with one.",
        "begun_in_{at} / begun_{at}",
        title="turn of the first card in district {name}",
        among={str(n): (str(n), str(n)) for n in range(1, DISTRICTS + 1)},
    ),
    "contested-districts": Usual(
        "Districts in which both have developed something.",
        "contested",
        title="contested districts",
    ),
    "unfinished-deeds": Usual(
        "Deeds that are begun and never completed.",
        "deeds - completed",
        title="deeds never completed",
    ),
}
