"""What the laboratory counts in Second Story."""

from yegg.engine import Ints
from yegg.parts.decktet import KIND, N_SUITS, SUIT_NAMES, SUITS, Kind
from yegg.stats.intervals import Section, proportion
from yegg.stats.kinds import numbers, shares
from yegg.stats.sums import Tallied
from yegg.text.phrases import percent

from .rules import needed
from .scoring import DIGIT, score, standing
from .state import Choice, Phase, State

JOBS = ("thorough", "quick", "one flat", "several flats", "all flats", "Crown")
TRIED, ROBBED = 0, len(JOBS)  # rolls of each job, and how many succeeded
HOME, FURTHER = 2 * len(JOBS), 2 * len(JOBS) + 1
BAG = FURTHER + 1  # chips carried home
CHIPS = BAG + 1  # in lairs at the end, by suit
MOST = CHIPS + N_SUITS  # the most at once in lairs and bag, by suit
DECIDED = MOST + N_SUITS  # by the second most numerous suit, the third … the sixth; a draw
PLACES = ("second", "third", "fourth", "fifth", "sixth")
NIGHTS = DECIDED + 6  # begun by anybody
ACES = NIGHTS + 1  # chips that Aces gave, and chips that they took
TRIGGER = ACES + 2  # the seat after whose turn everybody had one more
COLUMNS = numbers(
    *(f"{what}_{job.lower().replace(' ', '_')}" for what in ("tried", "robbed") for job in JOBS),
    *("went_home", "went_on", "chips_home"),
    *(f"{what}_{suit}" for what in ("chips", "most") for suit in SUIT_NAMES),
)
COLUMNS |= shares(*(f"by_{place}" for place in (*PLACES, "draw")))
COLUMNS |= numbers("nights", "aces_given", "aces_taken", "trigger")
COUNTS = len(COLUMNS)


def count_event(s: State, choice: int, count: Ints) -> None:
    """Count an event about to happen: a night, the last die of a job, going home, or going on."""
    if s.phase == Phase.FLIP and s.turned == 0:
        count[NIGHTS] += 1
    if s.phase == Phase.ROLL and s.dice == 1:
        job = s.plan - Choice.THOROUGH
        if KIND[s.house] == Kind.CROWN:
            job = len(JOBS) - 1
        count[TRIED + job] += 1
        if max(s.best, choice - Choice.ROLL + 1) >= needed(s.house, s.plan):
            count[ROBBED + job] += 1
        else:
            note_chips(s, count)
    elif s.phase == Phase.ROAD and choice == Choice.STOP:
        count[HOME] += 1
        for suit in range(N_SUITS):
            count[BAG] += s.bag[suit]
    elif s.phase == Phase.ROAD:
        count[FURTHER] += 1
    elif s.phase == Phase.FLIP and KIND[choice] == Kind.ACE:
        note_chips(s, count)
        note_ace(s, SUITS[choice, 0], count)


def note_ace(s: State, suit: int, count: Ints) -> None:
    """SS-30, SS-35: an Ace gives a chip if there is one, or takes one of the same suit."""
    if s.bag[suit] > 0:
        count[ACES + 1] += 1
    elif s.bank[suit] > 0:
        count[ACES] += 1


def note_chips(s: State, count: Ints) -> None:
    """Remember the most chips of each suit that the bank has given out: some may go back now."""
    for suit in range(N_SUITS):
        count[MOST + suit] = max(count[MOST + suit], s.chips - s.bank[suit])


def count_end(s: State, count: Ints) -> None:
    """Count the chips in all lairs at the end of a game, and what decided it."""
    note_chips(s, count)
    count[TRIGGER] = 1 + (s.turn - 1) % s.players  # SS-60: who emptied the bank also ends the game
    for seat in range(s.players):
        for suit in range(N_SUITS):
            count[CHIPS + suit] += s.lair[seat, suit]
    count[DECIDED + decided_by(s)] = 1


def decided_by(s: State) -> int:
    """SS-70, SS-71: the place in `PLACES` that puts the winner before the next; 5: none does."""
    if leads_alone(s):
        return 0
    best = second = -1
    for seat in range(s.players):
        mine = standing(s, seat)
        if mine > best:
            best, second = mine, best
        elif mine > second:
            second = mine
    place = len(PLACES)
    while best != second:
        best, second = best // DIGIT, second // DIGIT
        place -= 1
    return place


def leads_alone(s: State) -> bool:
    """SS-70: whether nobody has the score of the first; found faster than all standings."""
    best, alike = -1, 0
    for seat in range(s.players):
        mine = score(s, seat)
        if mine > best:
            best, alike = mine, 0
        alike += mine == best
    return alike == 1


def report(told: Tallied) -> list[Section]:
    """Chips by suit, jobs by kind, how nights ended, and what decided the games."""
    counters = told.counters
    total = counters.totals
    chips = Section("Chips in all lairs at the end", ["suit", "a game", "share of all"])
    everything = max(sum(total[CHIPS:MOST]), 1)
    for suit, name in enumerate(SUIT_NAMES):
        share = percent(total[CHIPS + suit] / everything, 1)
        chips.rows.append([name, counters[CHIPS + suit].average(), share])
    jobs = Section("Jobs", ["kind", "a game", "succeeded"])
    for job, name in enumerate(JOBS):
        if tried := total[TRIED + job]:
            robbed = proportion(total[ROBBED + job], tried)
            jobs.rows.append([name, counters[TRIED + job].average(), robbed])
    ways = total[HOME] + total[FURTHER]
    nights = Section("After a robbed house", ["", "figure"])
    nights.rows.append(["went home", proportion(total[HOME], ways)])
    nights.rows.append(["chips brought home, a game", counters[BAG].average()])
    ends = Section("Decided by the number of chips in", ["", "games", "share"])
    for at, name in enumerate((*(f"the {place} suit" for place in PLACES), "nothing: a draw")):
        decided = total[DECIDED + at]
        ends.rows.append([name, decided, proportion(decided, told.games)])
    return [chips, jobs, nights, ends]
