"""What the laboratory counts in Magnate: turns, deeds, tax, and how games are decided."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.engine.figures import Results, Section, average, proportion
from yegg.parts.decktet import KIND, N_CARDS, N_SUITS, RANK, SUIT_NAMES, Kind

from .duchy import developed, on_deed
from .income import pays
from .scoring import grand_total, score, tokens_left
from .state import COST, DISTRICTS, FALLBACK, ONE_DIE, PLAYS, SEATS, Choice, Phase, State

ROLLS, PAID, TAXES, TAXED = range(4)  # rolls, those that paid somebody, taxes, tokens taxed
SOLD, DEVELOPED, DEEDS, COMPLETED, TRADES = range(4, 9)
DECIDED = 9  # by districts, by the sum of totals, by tokens, drawn
WON = 13  # districts that either seat won
RANKS = 14  # developed properties at the end: Aces, 2 … 9, Courts at 10
MOST = RANKS + 10  # the most tokens at once, players' and on deeds, by suit
COLUMNS = (
    *("rolls", "paid", "taxes", "taxed", "sold", "developed", "deeds", "completed", "trades"),
    *("by_districts", "by_totals", "by_tokens", "by_draw", "districts_won", "built_aces"),
    *(f"built_{rank}" for rank in range(2, 10)),
    "built_courts",
    *(f"most_{suit}" for suit in SUIT_NAMES),
)
COUNTS = len(COLUMNS)
WAYS = ("districts", "sum of totals", "tokens", "a draw")


def note(s: State, choice: int, count: Ints) -> None:
    """Count an event about to happen."""
    if s.owed[0] + s.owed[1] > 0:
        return
    if choice >= Choice.TRADE or s.phase == Phase.TAX:  # before tokens can go
        note_tokens(s, count)
    if s.phase == Phase.ROLL:
        note_roll(s, choice - Choice.ROLL + 1, count)
    elif s.phase == Phase.TAX:
        count[TAXES] += 1
        for seat in range(SEATS):
            count[TAXED] += max(s.tokens[seat, choice - Choice.TAX] - 1, 0)
    elif Choice.TRADE <= choice < Choice.ADD:
        count[TRADES] += 1
    elif Choice.ADD <= choice < Choice.PLAY:
        district = (choice - Choice.ADD) // N_SUITS
        if on_deed(s, s.turn, district) + 1 == COST[s.last[s.turn, district]]:
            count[COMPLETED] += 1
    elif Choice.PLAY <= choice < Choice.END:
        how = (choice - Choice.PLAY) % PLAYS
        count[SOLD if how == 0 else DEVELOPED if how % 2 else DEEDS] += 1


def note_tokens(s: State, count: Ints) -> None:
    """Remember the most tokens of each suit that lay on the table at once."""
    for suit in range(N_SUITS):
        there = 0
        for seat in range(SEATS):
            there += s.tokens[seat, suit]
            for district in range(DISTRICTS):
                there += s.paid[seat, district, suit]
        count[MOST + suit] = max(count[MOST + suit], there)


def note_roll(s: State, face: int, count: Ints) -> None:
    """Count the roll of a turn with its last die, and whether it pays anybody."""
    if s.high == 0 and s.income != ONE_DIE:
        return
    count[ROLLS] += 1
    high, low = max(s.high, face), min(s.high, face)
    if pays(s, high) or (s.income == FALLBACK and pays(s, low)):
        count[PAID] += 1


def close(s: State, count: Ints) -> None:
    """Count what decided a game, and what is built at its end."""
    note_tokens(s, count)
    won, lost = score(s, 0), score(s, 1)
    count[WON] = won + lost
    by = 3
    if won != lost:
        by = 0
    elif grand_total(s, 0) != grand_total(s, 1):
        by = 1
    elif tokens_left(s, 0) != tokens_left(s, 1):
        by = 2
    count[DECIDED + by] = 1
    for card in range(N_CARDS):
        for spot in range(SEATS * DISTRICTS):
            if developed(s, spot // DISTRICTS, card, spot % DISTRICTS):
                count[RANKS + (9 if KIND[card] == Kind.COURT else RANK[card] - 1)] += 1


def report(counts: NDArray[np.int32], results: Results) -> list[Section]:
    """How games were decided, what was built, deeds, tax and income."""
    games = len(counts)
    total = counts.sum(axis=0, dtype=np.int64)
    ends = Section("Decided by", ["", "games", "share"])
    for by, name in enumerate(WAYS):
        ends.rows.append([name, int(total[DECIDED + by]), proportion(total[DECIDED + by], games)])
    won = Section("Districts won", ["", "a game"])
    for seat in range(results.scores.shape[1]):
        won.rows.append([f"seat {seat + 1}", average(results.scores[:, seat])])
    won.rows.append(["both together", average(counts[:, WON])])
    built = Section("Developed properties at the end, both sides", ["rank", "a game"])
    for rank, name in enumerate(["Ace", *map(str, range(2, 10)), "Court"]):
        if rank < 9 or total[RANKS + rank]:
            built.rows.append([name, average(counts[:, RANKS + rank])])
    return [ends, won, built, turns(counts, total)]


def turns(counts: NDArray[np.int32], total: NDArray[np.int64]) -> Section:
    """What happened on the way."""
    section = Section("On the way", ["", "a game", "share"])
    for name, what in (
        ("cards sold", SOLD),
        ("cards developed at once", DEVELOPED),
        ("deeds bought", DEEDS),
        ("deeds completed", COMPLETED),
        ("trades", TRADES),
        ("tokens taxed", TAXED),
    ):
        section.rows.append([name, average(counts[:, what]), ""])
    section.rows[3] = [*section.rows[3][:2], proportion(total[COMPLETED], total[DEEDS])]
    nothing = total[ROLLS] - total[PAID]
    section.rows.append(
        [
            "turns that paid nothing",
            average(counts[:, ROLLS] - counts[:, PAID]),
            proportion(nothing, total[ROLLS]),
        ]
    )
    section.rows.append(
        ["turns with taxation", average(counts[:, TAXES]), proportion(total[TAXES], total[ROLLS])]
    )
    return section
