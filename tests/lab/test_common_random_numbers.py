"""Chance by lots: as even as dice, and the same wherever what is compared meets the same."""

from itertools import pairwise

import numpy as np
import pytest

from yegg import games, players
from yegg.engine import CHANCE, Match
from yegg.engine.contest import compete
from yegg.lab.batch import Games, Matchup, logs
from yegg.lab.simulation import run

SS = games.find("second-story")
CARDS, FACES = 36, 10


def setting(game=SS, lineup=("uniform",) * 3, lots=True, **options):
    return Matchup(game, len(lineup), options, lineup, 3, course=True, lots=lots)


def cards_and_dice(batch):
    """Of each game the cards in their order, and the dice of all games by game."""
    for choices in logs(batch):
        yield [c for c in choices if c < 45], [c - 45 for c in choices if 45 <= c < 45 + FACES]


@pytest.fixture(scope="module")
def drawn():
    return list(cards_and_dice(run(setting(), 0, 600, log=True)))


def fair(hits, total, chance):
    """Whether a chi-squared sum is within four and a half standard deviations of its mean."""
    expected = total * chance
    chi, free = (((hits - expected) ** 2) / expected).sum(), hits.size - 1
    return abs(chi - free) < 4.5 * np.sqrt(2 * free)


def test_dice_are_even_and_so_are_pairs_of_them(drawn):
    faces, pairs = np.zeros(FACES), np.zeros((FACES, FACES))
    for _, dice in drawn:
        for face in dice:
            faces[face] += 1
        for one, next_one in pairwise(dice):
            pairs[one, next_one] += 1
    assert fair(faces, faces.sum(), 1 / FACES)
    assert fair(pairs, pairs.sum(), 1 / FACES**2)


def test_each_place_of_a_deck_is_any_card_before_and_after_it_is_shuffled(drawn):
    whole = [cards for cards, _ in drawn if len(cards) > CARDS + 3]
    assert len(whole) > 300
    assert all(len(set(cards[:CARDS])) == CARDS for cards in whole)
    known = sorted({card for cards in whole for card in cards})
    for place in (0, 1, CARDS - 1):
        hits = np.array([sum(cards[place] == card for cards in whole) for card in known])
        assert fair(hits, len(whole), 1 / CARDS)


def test_the_second_order_of_a_deck_does_not_follow_from_the_first(drawn):
    # of two cards, which came first then and which comes first now: four cases, equally often
    same = [0, 0]
    for cards, _ in drawn:
        first, second = cards[:CARDS], cards[CARDS : 2 * CARDS]
        both = [card for card in second if card in first]
        for one, other in zip(both[::2], both[1::2], strict=False):
            same[first.index(one) < first.index(other)] += 1
    assert sum(same) > 3000
    assert abs(same[0] - same[1]) < 4.5 * np.sqrt(sum(same))


def test_another_card_in_the_deck_moves_no_other(drawn):
    excuse = cards_and_dice(run(setting(excuse="yes"), 0, 600, log=True))
    for (cards, _), (more, _) in zip(drawn, excuse, strict=True):
        known = [card for card in more if card in cards][:20]
        assert known == cards[: len(known)]


OTHERS = [pytest.param(name, marks=pytest.mark.wide) for name in games.names() if name != SS.name]


@pytest.mark.parametrize("name", [SS.name, *OTHERS])
def test_no_card_comes_back_among_those_that_were_not_dealt(name):
    # else the ticket of the others would be known to be low, and they would come last
    game = games.find(name)
    cards, shuffled = set(getattr(game.part("odds"), "DEALT", ())), 0
    here = setting(game, ["uniform"] * game.usual_players({}))
    for choices in logs(run(here, 0, 4, log=True)):
        match, dealt, left = Match(game, here.players), set(), set()
        for choice in choices:
            if match.actor == CHANCE and choice in cards:
                there = set(match.choices)
                if (there - left) & dealt:
                    shuffled += 1
                    assert not there & left
                dealt.add(choice)
                left = there - {choice}
            match.follow([choice])
    assert bool(shuffled) == (name in {"magnate", "second-story"})


def test_without_lots_the_luck_is_that_of_a_simulation():
    counted, plain = run(setting(lots=False), 0, 60), run(setting(), 0, 60)
    simulated = run(Matchup(SS, 3, {}, ["uniform"] * 3, 3), 0, 60)
    assert (counted.scores == simulated.scores).all()
    assert (plain.scores != simulated.scores).any()


@pytest.mark.wide(but=["True-second-story"])
@pytest.mark.parametrize("name", [SS.name, *OTHERS])
@pytest.mark.parametrize("lots", [False, True])
def test_the_plain_twin_draws_the_same_lots(name, lots):
    game = games.find(name)
    here = setting(game, ["uniform"] * game.usual_players({}), lots)
    ended = []
    for how in ("plain", "compiled"):
        going = Games.dealt(here, here.seated(0, 3), here.dice(0, 3), log=False)
        views = np.zeros(1 + players.room("uniform"), game.state.dtype)
        kernel = players.engine(game, "uniform", how).kernel(compete)
        everybody = np.ones_like(going.seating, np.int32)
        with np.errstate(over="ignore"):  # the generator's sums overflow on purpose
            kernel(
                *(going.states, views, going.dice, everybody, going.events, 400, going.log),
                *(going.counts, going.course, None, np.zeros(game.choices, np.int32)),
            )
        ended.append([going.states, going.events, going.counts, going.dice, *going.course])
    for plain, compiled in zip(*ended, strict=True):
        assert plain.tobytes() == compiled.tobytes()
