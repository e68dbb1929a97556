"""What a sensible player knows: lore makes sense everywhere, and the tally counts what happened."""

import math
import random

import numpy as np
import pytest

from yegg.games.thiefs_market import lore, prices, tally
from yegg.games.thiefs_market.cards import N_CARDS, SLUGS
from yegg.games.thiefs_market.scoring import card_points, gold_award, henchmen_award
from yegg.stats.intervals import Results
from yegg.stats.sums import Tallied


def best(t, *texts):
    """Which of these choices leaves the best position to the player."""
    seat = t.match.actor

    def after(text):
        twin = t.match.fork()
        twin.play(t.match.hear(text))
        return lore.evaluate(twin.state, seat)

    return max(texts, key=after)


@pytest.mark.wide
@pytest.mark.parametrize("players", [3, 5])
def test_worth_is_a_number_everywhere(table, players):
    t, dice = table(players, promos="yes"), random.Random(players)
    while not t.match.over:
        for seat in range(players):
            assert math.isfinite(lore.evaluate(t.state, seat))
        for _ in range(9):
            if not t.match.over:
                t.match.play(dice.choice(t.match.choices))


def test_the_end_counts_and_nothing_else(table):
    t = table(3).deck("C", left=0).market("crown").gold(3, 3, 0).infamy(9, 0, 0).evening("b*")
    t.play("buy crown").finish_round()
    worths = [lore.evaluate(t.state, seat) for seat in range(3)]
    assert worths == sorted(worths, reverse=True)


def test_a_card_that_can_be_paid_is_bought(table):
    t = table().market("crown").gold(0).evening("WBB*")
    assert best(t, "buy crown", "done") == "buy crown"


def test_infamy_is_taken_before_leaving(table):
    t = table().market().give(1, "tailor").evening("R*")
    assert best(t, "spend red with tailor", "done") == "spend red with tailor"


def test_a_die_is_not_spent_that_buys_a_better_card(table):
    t = table().market("crown").gold(0).give(1, "coercion-coordinator").evening("WBB*")
    assert best(t, "buy crown", "spend blue with coercion-coordinator", "done") == "buy crown"


def test_dice_pay_before_gold(table):
    t = table().market("fur-coat").gold(2).evening("RB*").play("buy fur-coat")
    assert best(t, "gold 0 for red", "gold 1 for red") == "gold 0 for red"


def test_the_last_player_takes_what_is_there_rather_than_scraps(table):
    t = table(3).market("fence").split("WWbmm", "Rb", "*b", "", turn=3)
    assert best(t, "take-all", "steal 1", "steal 2") == "take-all"


def test_a_rich_pile_is_stolen(table):
    t = table(3).market("crown").gold(0, 0, 0).split("R", "WBBmmm", "*b", "", turn=3)
    assert best(t, "take-all", "steal 1", "steal 2") == "steal 1"


def test_a_pile_that_others_want_is_worth_less_than_one_that_is_safe(table):
    piles = ("WBBmm", "b*", "b")
    safe = table(3).market("crown").gold(0, 0, 0).evening(*piles)
    in_danger = table(3).market("crown").gold(0, 0, 0).split("R", "WBBmm", "b*", "", turn=3)
    assert lore.evaluate(in_danger.state, 0) < lore.evaluate(safe.state, 0) - 1


def test_gold_is_worth_less_when_nothing_is_left_to_buy(table):
    t = table()
    early = lore.gold_price(lore.rounds_left(t.state))
    t.deck("C", left=0)
    assert lore.gold_price(lore.rounds_left(t.state)) < early


def test_tm_41_who_has_no_gold_hopes_for_no_award_at_the_end(table):
    t = table().deck("C", left=0).market("crown").gold(0, 0, 0, 0).evening("b*")
    left = lore.rounds_left(t.state)
    none = prices.gold_award_price(t.state, 0, left)
    one = prices.gold_award_price(t.gold(1).state, 0, left)
    assert none < 0.1
    assert one > 10 * none
    early = table().gold(0, 0, 0, 0)
    assert prices.gold_award_price(early.state, 0, lore.rounds_left(early.state)) > none


def test_tm_41_who_has_no_henchman_hopes_for_no_award_at_the_end(table):
    book = np.zeros((5, prices.COLUMNS))
    none = prices.henchman_price(book, 3, 0, 0, 0.3)
    assert none < prices.henchman_price(book, 3, 0, 1, 0.3) / 5
    assert none < prices.henchman_price(book, 3, 0, 0, 8.0)


def test_tm_70_a_potion_is_worth_a_card_of_the_deck_it_draws_from(table):
    def price(letter, left):
        t = table().deck(letter, left=left).market("unlabeled-potion").gold(0).evening("RB*")
        book = np.zeros((5, prices.COLUMNS))
        prices.survey(t.state, book)
        return prices.card_price(t.state, book, 0, SLUGS.index("unlabeled-potion"), 3.0)

    assert price("B", 0) == price("C", 11) > price("B", 5) > price("C", 0)


# --- the tally


def played(table, seed, players=4):
    """A random game's counts, and the game."""
    t, dice = table(players), random.Random(seed)
    count = np.zeros(tally.COUNTS, np.int32)
    rounds = bought = 0
    while not t.match.over:
        choice = dice.choice(t.match.choices)
        rounds += t.phase.name == "ROLL" and t.state.loose == t.state.dice
        bought += t.match.say(choice).startswith("buy ")
        tally.count_event(t.state, choice, count)
        t.match.play(choice)
    tally.count_end(t.state, count)
    return count, t, rounds, bought


def test_the_tally_counts_what_happened(table):
    count, t, rounds, bought = played(table, 1)
    assert count[tally.ROUNDS] == rounds == t.state.rounds
    assert count[tally.BOUGHT] == bought == (count[tally.WHEN : tally.SEEN] > 0).sum()
    points = count[tally.NOTORIETY : tally.NOTORIETY + 16].reshape(4, 4)
    assert points.sum(axis=1).tolist() == t.match.scores
    for card in range(N_CARDS):
        owners = [seat for seat in range(1, 5) if SLUGS[card] in t.cards(seat)]
        assert count[tally.OWNER + card] == (owners or [0])[0]


@pytest.mark.parametrize("seed", range(2))
def test_the_tally_counts_who_buys_and_who_robs_the_first(table, seed):
    t, dice = table(4), random.Random(seed)
    count, bought, robbed = np.zeros(tally.COUNTS, np.int32), [0] * 5, 0
    while not t.match.over:
        texts = t.match.texts
        verb, _, what = (text := dice.choice(sorted(texts))).partition(" ")
        if verb == "buy":
            bought[t.match.actor] += 1
        elif verb == "steal":
            points = [int(t.state.infamy[seat]) + shown(t, seat) for seat in range(4)]
            robbed += points[int(what) - 1] == max(points)
        tally.count_event(t.state, texts[text], count)
        t.match.play(texts[text])
    there = dict(zip(tally.COLUMNS, count.tolist(), strict=True))
    assert [there[f"bought_{seat}"] for seat in range(1, 6)] == bought
    assert there["stolen_from_first"] == robbed
    assert 0 < robbed < there["piles_stolen"]


def shown(t, seat):
    """The Notoriety of what lies open before a seat."""
    s = t.state
    return card_points(s, seat) + henchmen_award(s, seat) + gold_award(s, seat)


@pytest.mark.wide
@pytest.mark.parametrize("seed", range(3))
def test_the_tally_remembers_the_most_gold_and_infamy_at_once(table, seed):
    t, dice, most = table(4), random.Random(seed), [0, 0]
    count = np.zeros(tally.COUNTS, np.int32)
    while not t.match.over:
        choice = dice.choice(t.match.choices)
        tally.count_event(t.state, choice, count)
        t.match.play(choice)
        most = [max(most[0], t.state.gold.sum()), max(most[1], t.state.infamy.sum())]
    tally.count_end(t.state, count)
    assert count[tally.MOST : tally.MOST + 2].tolist() == most


@pytest.mark.parametrize(
    ("gold", "infamy", "cards", "step"),
    [
        (0, (9, 8), "", "notoriety"),
        (0, (9, 9), "alchemical-lab", "cards"),
        (5, (6, 9), "", "infamy"),  # three points for the most Gold
        (0, (9, 9), "", "draw"),
    ],
)
def test_tm_43_each_step_of_the_order_decides(table, gold, infamy, cards, step):
    t = table(players=3).gold(gold, 0, 0).infamy(*infamy, 0).give(1, *cards.split())
    assert tally.ORDER[tally.decided_by(t.state)] == step


def test_the_report_is_sorted_by_name(table):
    counts = np.zeros((4, tally.COUNTS), np.int32)
    counts[:, tally.SEEN : tally.SEEN + 3] = 1
    counts[:, tally.OWNER] = (1, 1, 2, 1)  # always the winner
    counts[:, tally.OWNER + 1] = (2, 2, 1, 2)  # never
    won = np.array([[2, 0], [2, 0], [0, 2], [2, 0]])
    results = Results(won, won.astype(np.int32), np.ones(4, np.int32))
    course, sources, _, cards = tally.report(Tallied.of(tally, counts, results))
    names = [row[0] for row in cards.rows]
    assert names == sorted(tally.title(card) for card in (0, 1, 2))
    shares = {row[0]: row[4].value for row in cards.rows}
    assert [shares[tally.title(card)] for card in (0, 1)] == [0.5, -0.5]
    assert math.isnan(shares[tally.title(2)])
    assert len(sources.rows) == 4
    assert course.rows[0][0] == "rounds"
