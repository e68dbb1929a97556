"""What the laboratory counts in Magnate: turns, deeds, tax, and how games are decided."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.parts.decktet import EXCUSE, KIND, N_CARDS, N_SUITS, RANK, SUIT_COUNT, SUIT_NAMES, Kind
from yegg.stats.intervals import Results, Section, proportion
from yegg.stats.kinds import numbers, shares
from yegg.stats.sums import Tallied

from .duchy import developed, on_deed
from .pile import hand_card, next_owed
from .scoring import grand_total, score, tokens_left, total
from .state import (
    COST,
    CROWNS_PAY,
    DISTRICT,
    DISTRICTS,
    FALLBACK,
    N_DISTRICTS,
    ONE_DIE,
    SEATS,
    Choice,
    Place,
    State,
    move,
)
from .tokens import earns, pays

ROLLS, PAID, TAXES, TAXED = range(4)  # rolls, those that paid somebody, taxes, tokens taxed
SOLD, DEVELOPED, DEEDS, COMPLETED, TRADES = range(4, 9)
DECIDED = 9  # by districts, by the sum of totals, by tokens, drawn
WON = 13  # districts that either seat won
RANKS = 14  # developed properties at the end: Aces, 2 … 9, Courts at 10
MOST = RANKS + 10  # the most tokens at once, players' and on deeds, by suit
SOURCES = ("crowns", "properties", "deeds", "sales")
GOT = MOST + N_SUITS  # tokens of both players, by `SOURCES`; a trade brings one as well
CONTESTED = GOT + len(SOURCES)  # districts in which both sides have developed something
NO_EXCUSE = CONTESTED + 1  # sides that have developed nothing at the Excuse
DRAWN = CONTESTED + 2  # Aces that came to a hand, by seat
LATE = 25  # turns left: then low ranks are the better buy, so the designer reckoned
SPANS = DRAWN + SEATS  # developed at once, and what they brought, by rank: early, then late
LOWEST, RANKED = 2, 8  # the ranks 2 … 9
BEGUN = SPANS + 4 * RANKED  # by district: the sides that have played a card there
BEGUN_IN = BEGUN + DISTRICTS  # and the turns of their first ones, added up
COLUMNS = numbers(
    *("rolls", "paid", "taxes", "taxed", "sold", "developed", "deeds", "completed", "trades"),
)
COLUMNS |= shares("by_districts", "by_totals", "by_tokens", "by_draw")
COLUMNS |= numbers(
    *("districts_won", "built_aces"),
    *(f"built_{rank}" for rank in range(2, 10)),
    "built_courts",
    *(f"most_{suit}" for suit in SUIT_NAMES),
    *(f"from_{source}" for source in SOURCES),
    *("contested", "no_excuse", "drawn_aces_1", "drawn_aces_2"),
    *(
        f"{when}_{what}_{rank}"
        for when in ("early", "late")
        for what in ("built", "earned")
        for rank in range(LOWEST, LOWEST + RANKED)
    ),
    *(f"begun_{district}" for district in range(1, DISTRICTS + 1)),
    *(f"begun_in_{district}" for district in range(1, DISTRICTS + 1)),
)
BUILT_AT = len(COLUMNS)  # of each card: the turn in which it was developed at once; 0 in the end
EARNED = BUILT_AT + N_CARDS  # and the tokens that it has brought since; 0 in the end
COUNTS = EARNED + N_CARDS
WAYS = ("districts", "sum of totals", "tokens", "a draw")


def count_event(s: State, choice: int, count: Ints) -> None:
    """Count an event about to happen."""
    what, a, b = move(choice)
    if what >= Choice.TRADE or what == Choice.TAX:  # before tokens can go
        note_tokens(s, count)
    match what:
        case Choice.DEAL:
            count[DRAWN + next_owed(s)] += KIND[a] == Kind.ACE
        case Choice.ROLL:
            note_roll(s, a + 1, count)
        case Choice.TAX:
            count[TAXES] += 1
            for seat in range(SEATS):
                count[TAXED] += max(s.tokens[seat, a] - 1, 0)
        case Choice.TRADE:
            count[TRADES] += 1
        case Choice.ADD:
            count[COMPLETED] += on_deed(s, s.turn, a) + 1 == COST[s.last[s.turn, a]]
        case Choice.SELL:
            card = hand_card(s, a)
            count[SOLD] += 1
            count[GOT + 3] += 2 if KIND[card] == Kind.ACE else SUIT_COUNT[card]  # MG-22
        case Choice.DEVELOP:
            note_first(s, b, count)
            count[DEVELOPED] += 1
            count[BUILT_AT + hand_card(s, a)] = count[ROLLS]
        case Choice.DEED:
            note_first(s, b, count)
            count[DEEDS] += 1


def note_first(s: State, district: int, count: Ints) -> None:
    """Count the turn of a seat's first card in a district."""
    if s.where[s.last[s.turn, district]] == Place.DISTRICT:
        count[BEGUN + district] += 1
        count[BEGUN_IN + district] += count[ROLLS]


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
    number = low if s.income == FALLBACK and not pays(s, high) else high
    if pays(s, number):
        count[PAID] += 1
        note_income(s, number, count)


def note_income(s: State, number: int, count: Ints) -> None:
    """MG-13 … MG-15: count the tokens that Crowns, properties and deeds are about to bring."""
    for card in range(N_CARDS):
        if number == CROWNS_PAY:
            count[GOT] += 0 <= s.where[card] - Place.CROWN < s.players
        elif earns(s, card, number):
            spot = s.where[card] - Place.ROW
            built = developed(s, spot // DISTRICTS, card, spot % DISTRICTS)
            count[GOT + 1 if built else GOT + 2] += SUIT_COUNT[card] if built else 1
            if built and count[BUILT_AT + card] > 0:
                count[EARNED + card] += SUIT_COUNT[card]


def count_end(s: State, count: Ints) -> None:
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
    for district in range(N_DISTRICTS[s.districts]):
        mine, theirs = total(s, 0, district), total(s, 1, district)
        count[CONTESTED] += mine > 0 and theirs > 0
        if DISTRICT[s.districts, district] == EXCUSE:
            count[NO_EXCUSE] = (mine == 0) + (theirs == 0)
    close_spans(count)
    for card in range(N_CARDS):
        for spot in range(SEATS * DISTRICTS):
            if developed(s, spot // DISTRICTS, card, spot % DISTRICTS):
                count[RANKS + (9 if KIND[card] == Kind.COURT else RANK[card] - 1)] += 1


def close_spans(count: Ints) -> None:
    """Add up what the properties brought that were developed at once, early or late, by rank."""
    for card in range(N_CARDS):
        if count[BUILT_AT + card] > 0 and KIND[card] == Kind.NUMBER:
            late = count[ROLLS] - count[BUILT_AT + card] <= LATE
            at = SPANS + (2 * RANKED if late else 0) + RANK[card] - LOWEST
            count[at] += 1
            count[at + RANKED] += count[EARNED + card]
        count[BUILT_AT + card] = 0
        count[EARNED + card] = 0


def measures(counts: NDArray[np.int32], results: Results) -> dict[str, NDArray[np.int32]]:
    """What `report` tells and no counter holds: turns that paid nothing."""
    return {"paid nothing": counts[:, ROLLS] - counts[:, PAID]}


def report(told: Tallied) -> list[Section]:
    """How games were decided, what was built, deeds, tax and income."""
    counters = told.counters
    ends = Section("Decided by", ["", "games", "share"])
    for by, name in enumerate(WAYS):
        decided = counters[DECIDED + by].total
        ends.rows.append([name, decided, proportion(decided, told.games)])
    won = Section("Districts won", ["", "a game"])
    for seat, districts in enumerate(told.scores, 1):
        won.rows.append([f"seat {seat}", districts.average()])
    won.rows.append(["both together", counters[WON].average()])
    built = Section("Developed properties at the end, both sides", ["rank", "a game"])
    for rank, name in enumerate(["Ace", *map(str, range(2, 10)), "Court"]):
        if rank < 9 or counters[RANKS + rank].total:
            built.rows.append([name, counters[RANKS + rank].average()])
    return [ends, won, built, turns(told)]


def turns(told: Tallied) -> Section:
    """What happened on the way."""
    counters, nothing = told.counters, told.measured["paid nothing"][0]
    rolls = counters[ROLLS].total
    section = Section("On the way", ["", "a game", "share"])
    for name, what in (
        ("cards sold", SOLD),
        ("cards developed at once", DEVELOPED),
        ("deeds bought", DEEDS),
        ("deeds completed", COMPLETED),
        ("trades", TRADES),
        ("tokens taxed", TAXED),
    ):
        section.rows.append([name, counters[what].average(), ""])
    completed = proportion(counters[COMPLETED].total, counters[DEEDS].total)
    section.rows[3] = [*section.rows[3][:2], completed]
    for name, often in (
        ("turns that paid nothing", nothing),
        ("turns with taxation", counters[TAXES]),
    ):
        section.rows.append([name, often.average(), proportion(often.total, rolls)])
    return section
