"""A search gives orders that nobody can see through, and finds the spy that cannot fail."""

import pytest

from yegg.games.secrets.rules import start_turn
from yegg.players import Bot
from yegg.players.search import Mind
from yegg.players.thinking.plan import Plan
from yegg.players.thinking.planner import Orders


def last_turn(table, stolen, captured=((2, 3), (3, 2))):
    """Three seats with four secrets and a spy; ``stolen``: who has whose secrets so far."""
    t = table(3, spies=1, secrets=4, turns=1)
    s = t.state
    for spy, captor in captured:
        s.captor[spy - 1, 0] = captor
    for (thief, owner), secrets in stolen.items():
        for secret in secrets:
            s.thief[owner - 1, secret - 1] = thief
    start_turn(s, 1)
    return t


def orders(t, iterations):
    """How likely the seat to order gives each of its orders, by text."""
    t.match._refresh()
    seat, choices = t.match.actor, t.match.choices
    mind = Mind(t.match.game, Plan(iterations=iterations), seed=1)
    shares = mind.consider(t.match.known_to(seat), seat, len(choices)).shares
    return dict(zip(t.match.texts, shares / shares.sum(), strict=True))


@pytest.mark.wide
def test_between_two_secrets_worth_the_same_win_it_tosses_a_coin(table):
    """Seats 1 and 2 have 17 points, one spy is free: caught, seat 2 wins, else seat 1."""
    t = last_turn(table, {(1, 3): [1, 2, 3, 4], (1, 2): [3, 4], (2, 1): [3, 4]})
    assert t.scores == [17, 17, 10]
    found = orders(t, 20_000)
    assert set(found) == {"club steals 1 from 2", "club steals 2 from 2"}
    assert all(0.35 < share < 0.65 for share in found.values())


@pytest.mark.wide
def test_it_goes_where_no_policeman_can_stand(table):
    """SE-6: who guarded his only secret in vain must leave it; any theft wins the game."""
    t = last_turn(table, {(1, 3): [2, 3, 4], (1, 2): [3, 4], (2, 1): [2, 4]})
    t.state.stood[2] = t.state.rumour[2] = 1
    assert t.scores == [16, 16, 10]
    found = orders(t, 20_000)
    assert set(found) == {f"club steals {x}" for x in ("1 from 2", "2 from 2", "1 from 3")}
    assert found["club steals 1 from 3"] > 0.85


@pytest.mark.wide
def test_the_policeman_does_not_know_the_order_before_his(table):
    """Seat 2 writes after seat 1, and guards as evenly as if it wrote first."""
    t = last_turn(table, {(1, 3): [1, 2, 3, 4], (1, 2): [3, 4], (2, 1): [3, 4]})
    mixed = []
    for order in ("club steals 1 from 2", "club steals 2 from 2"):
        twin = last_turn(table, {(1, 3): [1, 2, 3, 4], (1, 2): [3, 4], (2, 1): [3, 4]})
        twin.match._refresh()
        twin.play(order, "guards 1")
        mixed.append(orders(twin, 5000))
    assert t.match.actor == 0
    assert mixed[0] == mixed[1]
    assert all(0.3 < share < 0.7 for share in mixed[0].values())


def sheet(match, orders):
    """The orders of the seat to order, by text; they are played."""
    seat, given = match.actor, []
    while match.actor == seat:
        choices = match.choices
        choice = orders.choose(match.known_to(seat), seat, choices) if choices[1:] else choices[0]
        given.append(match.say(choice))
        match.play(choice)
    return given


@pytest.mark.wide
def test_mixtures_of_a_round_guess_which_of_two_equal_secrets_is_guarded(table):
    """As above: seat 1 steals one of two secrets, and each is guarded half of the time."""
    first, post = [], []
    for seed in range(12):
        t = last_turn(table, {(1, 3): [1, 2, 3, 4], (1, 2): [3, 4], (2, 1): [3, 4]})
        t.match._refresh()
        first.append(sheet(t.match, Orders(t.match.game, Plan(iterations=400), seed))[0])
        post.append(sheet(t.match, Orders(t.match.game, Plan(iterations=400), seed))[-1])
    assert set(first) == {"club steals 1 from 2", "club steals 2 from 2"}
    assert set(post) == {"guards 1", "guards 2"}


@pytest.mark.wide
def test_own_spies_learn_to_keep_apart(table):
    for seed in range(12):
        t = table(4)
        orders = Orders(t.match.game, Plan(iterations=600), seed)
        targets = [text.partition(" ")[2] for text in sheet(t.match, orders)]
        assert len(set(targets)) == 5


@pytest.mark.wide
def test_orders_that_were_taken_back_are_given_again(table):
    """The mixtures of the round are kept, and an order counts for the sheet that it is on."""
    t = table(4)
    orders, root = Orders(t.match.game, Plan(iterations=200), 1), t.match.fork()
    sheet(t.match, orders)
    learnt = orders.on.share.copy()
    again = sheet(root, orders)
    assert len(orders.given) == len(again) == 5
    assert (orders.on.share == learnt).all()


@pytest.mark.wide
@pytest.mark.parametrize(("players", "rounds"), [(3, 60), (4, 60), (6, 40)])
def test_where_more_than_four_sit_there_are_fewer_rounds(table, players, rounds):
    """As many sheets are filled in in all; the n-th round counts n times."""
    t = table(players)
    orders = Orders(t.match.game, Plan(iterations=60), 1)
    sheet(t.match, orders)
    assert orders.on.share[0, 0].sum() == pytest.approx(rounds * (rounds + 1) / 2)


@pytest.mark.wide
def test_points_are_spread_by_lore_where_nothing_tells_ways_apart(table):
    """SE-30: some on every secret on average, and not half of what is left on each next one."""
    first = []
    for seed in range(8):
        t = table(3, hidden="yes")
        view = t.match.view()
        first.append(Bot("hard", seed).choose(view) - view.choices[0])
    assert sum(first) / len(first) < 9
