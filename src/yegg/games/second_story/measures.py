"""What the laboratory's columns of Second Story hold, and usual questions about the game."""

from yegg.parts.decktet import SUIT_NAMES
from yegg.stats.kinds import Kind
from yegg.stats.usual import Usual

from .tally import JOBS, PLACES

MEANINGS = {
    "tried_*": "rolls for a job of this kind",
    "robbed_*": "jobs of this kind that succeeded",
    "went_home": "how often somebody went home",
    "went_on": "how often somebody went on to another house",
    "chips_home": "chips that were carried home",
    "chips_*": "chips of a suit in all lairs at the end",
    "most_*": "the most chips of a suit that were in lairs and bag at once",
    "by_draw": "decided by nothing: a draw",
    "by_*": "decided by the second most numerous suit (the score) … the sixth",
    "nights": "nights that anybody began",
    "aces_given": "chips that Aces gave",
    "aces_taken": "chips that Aces took",
    "trigger": "the seat that took the last chip of a suit home",
}
_JOBS = {job.lower().replace(" ", "-"): job.lower().replace(" ", "_") for job in JOBS}
MEASURES = {
    "nights": Usual("How many nights a game has.", "nights", title="nights"),
    "decided-by": Usual(
        "Which suit puts the winner ahead of the next.",
        parts={place: f"by_{place}" for place in (*PLACES, "draw")},
        title="what decides",
    ),
    "success-of": Usual(
        "The part of the jobs of a kind that succeed.",
        "robbed_{at} / tried_{at}",
        title="jobs that succeed: {name}",
        kind=Kind.PART,
        among={word: (column, word.replace("-", " ")) for word, column in _JOBS.items()},
    ),
    "chips-a-night": Usual(
        "Chips that are carried home in a night.",
        "chips_home / nights",
        title="chips carried home in a night",
    ),
    "chips-by-suit": Usual(
        "Of which suits the chips in all lairs are.",
        parts={
            suit: f"chips_{suit} / ({' + '.join(f'chips_{one}' for one in SUIT_NAMES)})"
            for suit in SUIT_NAMES
        },
        title="chips by suit",
        kind=Kind.PART,
    ),
    "who-ends-it": Usual(
        "Which seat takes the last chip of a suit home.",
        by_seat="trigger = {seat}",
        title="who ends the game",
    ),
}
