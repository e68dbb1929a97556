"""What the laboratory counts in Second Story."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.engine.figures import Results, Section, average, proportion
from yegg.engine.prose import percent
from yegg.parts.decktet import KIND, N_SUITS, SUIT_NAMES, Kind

from .rules import needed
from .state import Choice, Phase, State

JOBS = ("thorough", "quick", "one flat", "several flats", "all flats", "Crown")
TRIED, ROBBED = 0, len(JOBS)  # rolls of each job, and how many succeeded
HOME, FURTHER = 2 * len(JOBS), 2 * len(JOBS) + 1
BAG = FURTHER + 1  # chips carried home
CHIPS = BAG + 1  # in lairs at the end, by suit
COLUMNS = (
    *(f"{what}_{job.lower().replace(' ', '_')}" for what in ("tried", "robbed") for job in JOBS),
    *("went_home", "went_on", "chips_home"),
    *(f"chips_{suit}" for suit in SUIT_NAMES),
)
COUNTS = len(COLUMNS)


def note(s: State, choice: int, count: Ints) -> None:
    """Count an event about to happen: the last die of a job, going home, or going on."""
    if s.phase == Phase.ROLL and s.dice == 1:
        job = s.plan - Choice.THOROUGH
        if KIND[s.house] == Kind.CROWN:
            job = len(JOBS) - 1
        count[TRIED + job] += 1
        if max(s.best, choice - Choice.ROLL + 1) >= needed(s.house, s.plan):
            count[ROBBED + job] += 1
    elif s.phase == Phase.ROAD and choice == Choice.STOP:
        count[HOME] += 1
        for suit in range(N_SUITS):
            count[BAG] += s.bag[suit]
    elif s.phase == Phase.ROAD:
        count[FURTHER] += 1


def close(s: State, count: Ints) -> None:
    """Count the chips in all lairs at the end of a game."""
    for seat in range(s.players):
        for suit in range(N_SUITS):
            count[CHIPS + suit] += s.lair[seat, suit]


def report(counts: NDArray[np.int32], results: Results) -> list[Section]:
    """Chips by suit, jobs by kind, and how nights ended."""
    total = counts.sum(axis=0, dtype=np.int64)
    chips = Section("Chips in all lairs at the end", ["suit", "a game", "share of all"])
    everything = max(int(total[CHIPS:].sum()), 1)
    for suit, name in enumerate(SUIT_NAMES):
        share = percent(total[CHIPS + suit] / everything, 1)
        chips.rows.append([name, average(counts[:, CHIPS + suit]), share])
    jobs = Section("Jobs", ["kind", "a game", "succeeded"])
    for job, name in enumerate(JOBS):
        if tried := int(total[TRIED + job]):
            robbed = proportion(int(total[ROBBED + job]), tried)
            jobs.rows.append([name, average(counts[:, TRIED + job]), robbed])
    ways = int(total[HOME] + total[FURTHER])
    nights = Section("After a robbed house", ["", "figure"])
    nights.rows.append(["went home", proportion(int(total[HOME]), ways)])
    nights.rows.append(["chips brought home, a game", average(counts[:, BAG])])
    return [chips, jobs, nights]
