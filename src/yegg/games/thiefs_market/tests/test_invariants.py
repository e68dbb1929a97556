"""Whatever happens: no die, card or Gold is lost or made up."""

import random

import pytest

from yegg.games.thiefs_market.cards import COST, EFFECT, SLUGS
from yegg.games.thiefs_market.deck import Effect
from yegg.games.thiefs_market.state import Phase, Place


@pytest.fixture(
    params=[
        pytest.param((3, {}), id="3"),
        pytest.param((4, {"promos": "yes"}), id="4", marks=pytest.mark.wide),
        pytest.param((5, {"dice": 20}), id="5", marks=pytest.mark.wide),
    ]
)
def games(request, table):
    players, options = request.param

    def played(seed, until=10_000):
        """A random game, before each event: its table and the choice about to be made."""
        t, dice = table(players, **options), random.Random(seed)
        while not t.match.over and len(t.match.history) < until:
            choice = dice.choice(t.match.choices)
            yield t, choice
            t.match.play(choice)

    return played


def test_tm_30_the_dice_and_the_marker_are_always_all_there(games):
    for t, _ in games(1):
        s = t.state
        assert s.loose + s.centre[:6].sum() + s.pile[:, :6].sum() == s.dice
        assert s.centre[6] + s.pile[:, 6].sum() == 1
        assert min(s.loose, s.centre.min(), s.pile.min(), s.gold.min(), s.infamy.min()) >= 0


def test_tm_15_the_centre_is_empty_when_everybody_has_a_pile(games):
    for t, _ in games(2):
        if t.phase in (Phase.LUCK, Phase.AGAIN, Phase.MARKET, Phase.GOLD, Phase.WAIVE):
            assert t.state.centre.sum() == 0
        if t.phase in (Phase.SPLIT, Phase.TAKE):
            assert t.pile(t.state.turn + 1) == "" or t.phase == Phase.TAKE


def test_tm_3_cards_leave_their_decks_one_by_one_and_never_come_back(games):
    before = None
    for t, _ in games(3):
        where = t.state.where.copy()
        if before is not None:
            changed = [i for i in range(len(where)) if where[i] != before[i]]
            assert len(changed) <= 1
            for card in changed:
                assert (before[card], where[card]) != (Place.MARKET, Place.DECK)
                assert before[card] < Place.GONE  # bought or gone: for good (TM-24)
        before = where


def test_tm_21_a_purchase_costs_what_it_costs(games):
    paying = None
    bought = 0
    for t, choice in games(4):
        s = t.state
        if paying and t.phase in (Phase.MARKET, Phase.FREE, Phase.COPY):
            card, dice, gold, rebate = paying
            total = int(COST[card].sum())
            gave = int(s.loose) - dice + gold - int(s.gold[s.turn])
            assert gave == total - min(rebate, total)
            paying = None
            bought += 1
        if t.phase == Phase.MARKET and t.match.say(choice).startswith("buy "):
            card = SLUGS.index(t.match.say(choice)[4:])
            paying = (card, int(s.loose), int(s.gold[s.turn]), int(s.rebate))
    assert bought > 12


def test_tm_30_gold_comes_from_bags_and_a_few_cards_and_from_nowhere_else(games):
    gains = (Effect.EXTRA_GOLD, Effect.SPEND)
    for t, choice in games(7):
        s = t.state
        before, bags = int(s.gold.sum()), int(s.pile[:, 4].sum())
        twin = t.match.fork()
        twin.play(choice)
        gained = int(twin.state.gold.sum()) - before
        text = t.match.say(choice)
        if gained > 0 and text == "done":
            assert 0 < gained <= bags + sum(gains[0] == EFFECT)
        elif gained > 0:
            assert text.startswith("spend mask")


def test_tm_43_places_follow_from_the_standing(games):
    *_, (t, last) = games(9)
    assert t.match.say(last) == "done"
    scores, places = t.match.scores, t.match.places
    assert t.match.over
    assert min(places) == 1
    for mine, place in zip(scores, places, strict=True):
        assert place > sum(other > mine for other in scores)
