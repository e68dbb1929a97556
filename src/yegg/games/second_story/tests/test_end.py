"""The last night, scoring, and whole games."""

import itertools
import random

import numpy as np
import pytest

from yegg.engine import NOBODY, NotLegal
from yegg.games.second_story import tally
from yegg.games.second_story.rules import CHOICES, n_legal, nth_legal, score, standing
from yegg.games.second_story.state import Phase, State
from yegg.parts.decktet import NAMES, SUIT_NAMES

from .burgling import begin, go, lay

# --- the last night ----------------------------------------------------------------------------


def test_ss_60_everybody_gets_one_more_turn_the_one_who_caused_it_last():
    match = go(lay(begin(), bank={"waves": 1}), "the-mill", "thorough", 8, "stop")
    assert match.state.last_turns == 3
    for seat in (1, 2, 0):
        assert match.state.turn == seat
        assert not match.over
        go(match, ["the-pact", "the-cave", "the-castle"][seat], "thorough", 1)
    assert match.over
    assert match.actor == NOBODY


def test_ss_61_only_the_end_of_a_turn_counts_and_it_happens_once():
    match = go(lay(begin(), bank={"waves": 1}), "the-mill", "thorough", 8, "continue")
    go(match, "the-pact", "thorough", 1)
    assert match.state.last_turns == -1, "taken and lost again in the same turn"
    match = go(lay(begin(2), bank={"waves": 1}, lair={"waves": 1}), "the-mill", "thorough", 8)
    go(match, "stop", "the-pact", "thorough", 1)
    assert match.state.last_turns == 1
    go(match, "the-sea", 1, 1, "risk", 1, 1, "flee")
    assert match.state.bank[SUIT_NAMES.index("waves")] == 1, "a chip came back"
    assert match.over, "and did not call it off"


# --- scoring -----------------------------------------------------------------------------------


def ended(*lairs):
    s = np.zeros(1, State.dtype)[0]
    s.players = len(lairs)
    for seat, lair in enumerate(lairs):
        s.lair[seat, : len(lair)] = lair
    return s


def result(*lairs):
    s = ended(*lairs)
    return [score(s, seat) for seat in range(len(lairs))], [
        standing(s, seat) for seat in range(len(lairs))
    ]


def test_ss_70_the_second_most_numerous_suit_is_the_score():
    assert result([9, 1], [2, 3, 3], [5], [0])[0] == [1, 3, 0, 0]


def test_ss_71_morgan_and_siveny():
    scores, (morgan, siveny) = result([6, 4, 3, 2, 1], [4, 4, 3, 3])
    assert scores == [4, 4]
    assert siveny > morgan


def test_ss_71_every_later_suit_counts_but_never_the_first():
    for place in range(1, 6):
        more, less = [5, 4, 4, 4, 4, 4], [5, 4, 4, 4, 4, 4]
        less[place:] = [3] * (6 - place)
        a, b = result(more, less)[1]
        assert a > b
    a, b = result([20, 4, 3], [4, 4, 3])[1]
    assert a == b


@pytest.mark.parametrize("place", range(1, 6))
def test_ss_71_the_tally_knows_which_suit_decided(place):
    less = [5, 4, 4, 4, 4, 4]
    less[place:] = [3] * (6 - place)
    assert tally.decided_by(ended([5, 4, 4, 4, 4, 4], less, [1])) == place - 1


def test_ss_71_the_tally_knows_a_draw():
    assert tally.decided_by(ended([20, 4, 3], [4, 4, 3], [2, 2])) == len(tally.PLACES)
    assert list(tally.COLUMNS)[tally.DECIDED + len(tally.PLACES)] == "by_draw"


@pytest.mark.wide
@pytest.mark.parametrize("seed", range(3))
def test_the_tally_remembers_the_most_chips_that_were_out_of_the_bank(seed):
    match, dice = begin(3, courts="yes"), random.Random(seed)
    count, most = np.zeros(tally.COUNTS, np.int32), np.zeros(6, int)
    while not match.over:
        choice = dice.choice(match.choices)
        tally.count_event(match.state, choice, count)
        match.play(choice)
        most = np.maximum(most, match.state.chips - match.state.bank)
    tally.count_end(match.state, count)
    assert count[tally.MOST : tally.MOST + 6].tolist() == most.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_the_tally_counts_the_nights_also_those_without_a_choice(seed):
    match, dice = begin(3), random.Random(seed)
    count, nights = np.zeros(tally.COUNTS, np.int32), 1
    while not match.over:
        turn, choice = int(match.state.turn), dice.choice(match.choices)
        tally.count_event(match.state, choice, count)
        match.play(choice)
        nights += not match.over and int(match.state.turn) != turn
    assert count[list(tally.COLUMNS).index("nights")] == nights > 20


@pytest.mark.parametrize("seed", range(3))
def test_the_tally_knows_what_aces_did_and_who_began_the_last_night(seed):
    match, dice = begin(3), random.Random(seed)
    count, given, taken, emptied = np.zeros(tally.COUNTS, np.int32), 0, 0, 0
    while not match.over:
        turn, bag = int(match.state.turn), int(match.state.bag.sum())
        choice = dice.choice(match.choices)
        text = match.say(choice)
        tally.count_event(match.state, choice, count)
        match.play(choice)
        if text.startswith("flip ace-"):
            given += match.state.bag.sum() > bag
            taken += match.state.bag.sum() < bag
        over = match.over or int(match.state.turn) != turn
        if over and not emptied and not match.state.bank.all():
            emptied = turn + 1
    tally.count_end(match.state, count)
    there = dict(zip(tally.COLUMNS, count.tolist(), strict=True))
    assert (there["aces_given"], there["aces_taken"]) == (given, taken)
    assert given > taken > 0
    assert there["trigger"] == emptied > 0


# --- the whole game ----------------------------------------------------------------------------


@pytest.mark.wide(but=["0", "1"])
@pytest.mark.parametrize("seed", range(8))
def test_chips_and_cards_are_conserved_and_ways_leads_where_legal_does(seed):
    dice = random.Random(seed)
    options = {"excuse": "yes", "pawns": "yes", "courts": "yes"} if seed % 2 else {}
    options |= {"decline": "yes"} if seed in (0, 1, 5) else {}
    match = begin(2 + seed % 4, **options)
    deck, out = int(match.state.face_down), np.zeros(CHOICES, np.int32)
    while not match.over:
        s = match.state
        assert (s.bank + s.bag + s.lair.sum(axis=0)).tolist() == [10] * 6
        assert min(s.bank.min(), s.bag.min(), s.lair.min()) >= 0
        pile, tonight = s.pile[: s.face_down].tolist(), np.flatnonzero(s.tonight).tolist()
        assert pile == sorted(set(pile) - set(tonight))
        assert len(tonight) == s.tonight.sum() == s.turned
        assert not s.pile[s.face_down :].any()
        assert s.face_down + s.turned + s.discards + (s.owner > 0) == deck
        several = range(n_legal(s, out))
        assert [nth_legal(s, out, i) for i in several] == match.choices
        match.play(dice.choice(match.choices))
    assert (match.state.phase, match.state.bag.sum()) == (Phase.OVER, 0)


def test_the_odds_of_the_rules_by_counting_dice():
    faces = range(1, 11)
    for rank in range(2, 10):
        assert sum(a >= rank for a in faces) / 10 == pytest.approx((11 - rank) / 10)
        quick = sum(max(pair) >= rank for pair in itertools.product(faces, faces)) / 100
        assert quick == pytest.approx(1 - ((rank - 1) / 10) ** 2)
    house = {2: "the-origin", 5: "the-forest", 9: "the-pact"}
    for rank, slug in house.items():
        won = sum(go(begin(), slug, "thorough", a).state.turn == 0 for a in faces)
        assert won == 11 - rank
    won = sum(go(begin(), "the-sea", a, b).state.turn == 0 for a in faces for b in faces)
    assert won / 100 == 0.19


def test_names_of_cards_are_told_where_a_card_cannot_be_turned_up():
    match = go(begin(), "ace-of-moons")
    with pytest.raises(NotLegal, match=f"SS-11: {NAMES[0]} is not in the draw pile"):
        go(match, "ace-of-moons")
