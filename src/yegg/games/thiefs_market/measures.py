"""What the laboratory's columns of Thief's Market hold, and usual questions about the game."""

from yegg.stats.kinds import Kind
from yegg.stats.usual import Usual

from .cards import SLUGS
from .deck import LETTERS
from .state import SEATS
from .tally import SOURCES, title

MEANINGS = {
    "rounds": "rounds",
    "piles_stolen": "piles that were stolen",
    "cards_bought": "cards that were bought",
    "from_cards_*": "a player's Notoriety from cards",
    "from_infamy_*": "a player's Notoriety from Infamy",
    "from_henchmen_*": "a player's Notoriety from most henchmen",
    "from_gold_*": "a player's Notoriety from most Gold",
    "owner_*": "who has the card at the end: a seat, or 0",
    "round_*": "the round in which the card was bought, or 0",
    "seen_*": "whether the card was turned up",
    "most_gold": "the most Gold that players had together at once",
    "most_infamy": "the most Infamy that players had together at once",
    "by_draw": "decided by nothing: a draw",
    "by_notoriety": "decided by Notoriety",
    "by_cards": "decided by the number of cards",
    "by_infamy": "decided by Infamy",
    "stolen_from_first": "piles stolen from whoever had the most Notoriety just then",
    "bought_*": "cards that a player bought",
    "ended_*": "the round in which a deck ended: its last card came, or C had too few left",
    "dead_cards": "cards that were turned up and never bought",
}
_CARDS = {slug: (slug.replace("-", "_"), title(card)) for card, slug in enumerate(SLUGS)}
_ALL = {
    source: " + ".join(f"from_{source.lower()}_{seat}" for seat in range(1, SEATS + 1))
    for source in SOURCES
}
MEASURES = {
    "rounds": Usual("How many rounds a game has.", "rounds", title="rounds"),
    "rounds-until-deck-ends": Usual(
        "The round in which a deck ends: its last card comes, or C has too few left.",
        "ended_{at}",
        title="round in which deck {name} ends",
        among={letter.lower(): (letter.lower(), letter) for letter in LETTERS},
    ),
    "first-purchase": Usual(
        "The round in which a card is bought; of games in which it is.",
        "CASE WHEN round_{at} > 0 THEN round_{at} END",
        title="round in which {name} is bought",
        among=_CARDS,
    ),
    "bought": Usual(
        "Games in which a card is bought.",
        "round_{at} > 0",
        title="games in which {name} is bought",
        among=_CARDS,
    ),
    "points-by-source": Usual(
        "Where all players' Notoriety comes from.",
        parts={
            source.lower(): f"({points}) / ({' + '.join(_ALL.values())})"
            for source, points in _ALL.items()
        },
        title="Notoriety by source",
        kind=Kind.PART,
    ),
    "dead-cards": Usual(
        "How many cards are turned up and never bought.",
        "dead_cards",
        title="cards that nobody buys",
    ),
    "decided-by": Usual(
        "What puts the winner ahead of the next.",
        parts={step: f"by_{step}" for step in ("notoriety", "cards", "infamy", "draw")},
        title="what decides",
    ),
}
