"""The plans of the questions, against the words of the record."""

import random
from pathlib import Path

import pytest

from yegg import games
from yegg.engine import CHANCE, Match
from yegg.games.magnate.state import DISTRICTS, Place
from yegg.games.thiefs_market.cards import COST, SLUGS
from yegg.lab.policies.habits import planned
from yegg.parts import decktet
from yegg.parts.decktet import RANK

QUESTIONS = Path(__file__).parents[2] / "docs" / "questions"


def ranked(game, plan, numbers, seed=3, **options):
    """Of a game at random: each choice of a seat with its words, its rank, and the match."""
    made, given = planned(plan, numbers, QUESTIONS, plan)
    dice = random.Random(seed)
    players = games.find(game).usual_players(options)
    match = Match(games.find(game), players, options, how="plain")
    while not match.over:
        if match.actor != CHANCE:
            for choice in match.choices:
                rank = made.prefer(match.state, match.actor, choice, given)
                yield match.say(choice), rank, match
        match.play(dice.choice(match.choices))


def test_the_burglar_is_quick_from_a_rank_on():
    seen = set()
    for text, rank, match in ranked("second-story", "job.py", {"quick_from": 6}):
        high = RANK[match.state.house] >= 6
        wanted = {"quick": high, "thorough": not high}.get(text, False)
        assert rank == wanted, text
        seen.add((text, bool(high)))
    assert {("quick", True), ("quick", False), ("thorough", True), ("thorough", False)} <= seen


def test_the_merchant_keeps_away_from_one_district():
    seen = set()
    for text, rank, _ in ranked("magnate", "merchant.py", {"tokens": 0, "never": 3}):
        builds = text.startswith(("develop ", "deed ")) and text.endswith(" at the-excuse")
        assert rank == (-1 if builds else 0), text
        seen.add(builds)
    assert seen == {True, False}


def test_the_merchant_builds_nothing_before_there_are_so_many_tokens():
    seen = set()
    for text, rank, match in ranked("magnate", "merchant.py", {"tokens": 8, "never": 0}):
        builds = text.startswith(("develop ", "deed "))
        held = sum(match.state.tokens[match.actor])
        assert rank == (-1 if builds and held < 8 else 0), text
        seen.add((builds, bool(held < 8)))
    assert len(seen) == 4


def test_who_writes_a_district_off_sells_there_and_never_builds_there():
    seen = set()
    for text, rank, _ in ranked("magnate", "loss.py", {"district": 1}, automa="hard"):
        verb, there = text.split()[0], text.endswith(" at the-watchman")
        wanted = {"place": 1, "develop": -1, "deed": -1}.get(verb, 0) if there else 0
        assert rank == wanted, text
        seen.add((verb, there))
    assert {("place", True), ("place", False), ("deed", True), ("develop", False)} <= seen


@pytest.mark.parametrize("early", [0, 1])
def test_the_excuse_is_begun_first_or_last(early):
    seen = set()
    for text, rank, match in ranked("magnate", "excuse.py", {"early": early}, seed=10):
        rows = {int(place) - Place.ROW - DISTRICTS * match.actor for place in match.state.where}
        begun = sorted(rows & set(range(DISTRICTS)))
        builds = text.startswith(("develop ", "deed ")) and text.endswith(" at the-excuse")
        begins, others = builds and 2 not in begun, begun == [0, 1, 3, 4]
        assert rank == ((1 if early else 0 if others else -1) if begins else 0), text
        seen.add((begins, others))
    assert len(seen) == 4, "a game in which somebody begins there last, and somebody before"


def test_the_thief_steals_large_piles_alone():
    seen = set()
    for text, rank, match in ranked("thiefs-market", "thief.py", {"dice": 3}):
        verb, _, victim = text.partition(" ")
        large = verb == "steal" and sum(match.state.pile[int(victim) - 1][:6]) >= 3
        assert rank == ((1 if large else -1) if verb == "steal" else 0), text
        seen.add((verb == "steal", bool(large)))
    assert seen == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize(("plan", "verb"), [("pile.py", "steal"), ("price.py", "buy")])
def test_a_plan_counts_the_dice_of_a_pile_or_of_a_card(plan, verb):
    seen = set()
    for text, rank, match in ranked("thiefs-market", plan, {}):
        first, _, what = text.partition(" ")
        dice = 0
        if first == verb == "steal":
            dice = sum(match.state.pile[int(what) - 1][:6])
        elif first == verb:
            dice = sum(COST[SLUGS.index(what)])
        assert rank == dice, text
        seen.add(int(dice))
    assert len(seen) >= 4


def test_a_plan_tells_the_rank_of_the_card_that_is_played():
    seen = set()
    for text, rank, _ in ranked("magnate", "rank.py", {}):
        verb, _, what = text.partition(" ")
        plays = verb in {"develop", "deed", "sell"}
        assert rank == (RANK[decktet.SLUGS.index(what.split()[0])] if plays else 0), text
        seen.add((verb, int(rank)))
    assert len({rank for verb, rank in seen if verb == "deed"}) >= 4


@pytest.mark.parametrize("complete", [0, 1])
def test_the_trickle_is_one_deed_on_a_nine_that_is_never_completed(complete):
    seen = set()
    for text, rank, match in ranked("magnate", "trickle.py", {"complete": complete}, seed=10):
        state, mine = match.state, match.actor
        nines = [
            d for d in range(DISTRICTS) if state.deed[mine, d] and RANK[state.last[mine, d]] == 9
        ]
        verb, *words = text.split()
        card = words[0 if verb == "deed" else -1] if words else ""
        nine = card in decktet.SLUGS and RANK[decktet.SLUGS.index(card)] == 9
        wanted = 0
        if verb == "deed" and nine:
            wanted = -1 if nines else 1
        elif verb == "add" and nine and not complete:
            wanted = -1
        assert rank == wanted, text
        seen.add((verb, nine, bool(nines)))
    assert {("deed", True, False), ("add", True, True)} <= seen
