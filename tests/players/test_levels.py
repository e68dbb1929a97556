"""The levels are what they say: the same for the same seed, and honest."""

import random

import numpy as np
import pytest

from yegg import games, players
from yegg.engine import Match, kernels
from yegg.lab import arena, stateful_players
from yegg.lab.arena_report import sequential
from yegg.lab.batch import Games
from yegg.players import LEVELS
from yegg.players.thinking import planner
from yegg.players.thinking.planner import Planner
from yegg.players.thinking.rollouts import attempt, rollouts


def middle(game, seed, events=60):
    """A match after some random events, a player to choose; where nothing is over by then."""
    match, dice = Match(game, game.usual), random.Random(seed)
    for _ in range(events):
        if not match.over:
            match.play(dice.choice(match.choices))
    match.to_decision(seed)
    return middle(game, seed + 1000, 20) if match.over else match


def dealt_again(match):
    """What the current player knows, with all that is hidden dealt once more; or None."""
    game, seat = match.game, match.actor
    other = match.again()
    other.follow(match.history)
    other.states[:] = match.known_to(seat)
    out = np.zeros(game.choices, np.int32)
    game.engine().kernel(kernels.settle)(other.states, np.ones(1, np.uint64), out)
    other._refresh()
    return other if other.actor == seat else None


@pytest.fixture(params=games.names())
def game(request):
    return games.find(request.param)


@pytest.mark.wide
@pytest.mark.parametrize(
    "level",
    [pytest.param(name, marks=() if name == "hard" else pytest.mark.wide) for name in LEVELS],
)
def test_the_same_seed_gives_the_same_choices(game, level):
    matches = [middle(game, seed) for seed in range(4)]
    one, again = (players.Bot(level, 5, clock=False) for _ in range(2))
    assert [one.choose(m.view()) for m in matches] == [again.choose(m.view()) for m in matches]


def test_players_who_choose_by_other_code_share_none(game):
    made = [players.engine(game, name) for name in ("medium", "greedy", "easy", "uniform")]
    assert len({one.compiler.folder(kernels.decide) for one in made}) == len(made)


@pytest.mark.wide
def test_a_future_of_a_player_without_rivals_ends_after_some_turns():
    game = games.find("magnate")
    run = game.engine("lore", how="plain").kernel(attempt)
    match = Match(game, 1, {"automa": "hard"}, seed=2, how="plain").to_decision()
    on, out = rollouts(game.state.dtype, game.choices), np.zeros(game.choices, np.int32)
    on.views[0], out[: len(match.choices)] = match.known_to(0)[0], match.choices
    last = []
    for turns in (1, 4):
        with np.errstate(over="ignore"):  # the generator's sums overflow on purpose
            run(on, 0, out, 1, np.uint64(7), 0, 1, float(turns))
        last.append(int(on.views[1]["pile"]))
    assert last[0] > last[1], "cards that nobody has drawn yet"


@pytest.mark.wide
def test_hard_does_not_look_at_what_is_hidden():
    """Hands that the seat cannot tell apart: the same choice."""
    game, differed = games.find("magnate"), 0
    for seed in range(6):
        match = middle(game, seed, 80)
        other = dealt_again(match)
        if other is None:
            continue
        differed += other.states.tobytes() != match.states.tobytes()
        assert players.Bot("hard", 1).choose(match.view()) == players.Bot("hard", 1).choose(
            other.view(match.actor)
        )
    assert differed


@pytest.mark.wide
def test_futures_end_with_the_time(own_time, monkeypatch):
    monkeypatch.setattr(Planner, "settled", lambda *_: False)  # everything stays in doubt
    game = games.find("magnate")
    planner = Planner(game, 1, times=10**6, seconds=0.5)
    took = []
    for seed in range(6):
        match = middle(game, seed)
        begun = own_time()
        assert (
            planner.choose(match.known_to(match.actor), match.actor, match.choices) in match.choices
        )
        took.append(own_time() - begun)
    assert 0.9 * 0.5 < np.median(took) < 1.1 * 0.5


def test_thinking_ends_once_a_choice_is_clear():
    """All others clearly worse, or of two the second clearly better: `Planner.settled`."""
    planner = Planner(games.find("magnate"), 1, times=1, seconds=1.0)
    for means, settled in (
        ((-0.2, -0.3), True),
        ((-0.2, 0.0), False),
        ((-0.2, 0.3), False),
        ((0.3,), True),
        ((0.0,), False),
    ):
        left, tried = 1 + len(means), 20
        planner.on.order[:left] = range(left)
        planner.on.more[1:left] = np.array(means) * tried
        planner.on.square[1:left] = tried * 0.25  # a standard error of a tenth
        assert planner.settled(left, tried) == settled
        assert not planner.settled(left, 4)


@pytest.mark.wide
def test_who_takes_time_minds_no_clock():
    game, found = games.find("magnate"), {}
    match = middle(game, 1, 80)
    for name, seconds in (("hurried", 1e-9), ("freed", 1e-9), ("calm", 1e9)):
        planner = Planner(game, 1, times=1, seconds=seconds)
        if name == "freed":
            planner.take_time()
            assert planner.mind.plan.seconds == planner.orders.plan.seconds == 0
        planner.choose(match.known_to(match.actor), match.actor, match.choices)
        found[name] = planner.on.total.tobytes()
    assert found["freed"] == found["calm"] != found["hurried"]


def test_the_laboratory_minds_no_clock(monkeypatch):
    freed = []
    monkeypatch.setattr(Planner, "take_time", lambda planner: freed.append(planner.seed))
    game = games.find("second-story")
    setting = arena.contests(game, 2, {}, ["hard", "expert"], 1)[0]
    stateful_players.Thinkers(Games.dealt(setting, setting.seated(0, 1), setting.dice(0, 1)))
    assert len(freed) == 2


@pytest.mark.wide
@pytest.mark.parametrize(("net", "way"), [(True, "futures"), (False, "tree")])
def test_where_nothing_is_hidden_a_net_calls_for_futures(net, way, monkeypatch):
    match = middle(games.find("second-story"), 1)
    monkeypatch.setattr("yegg.players.thinking.planner.covered", lambda *_: net)
    planner = Planner(match.game, 1, times=1, seconds=1.0)
    planner.choose(match.known_to(match.actor), match.actor, match.choices)
    assert planner.way == way


def test_expert_thinks_seven_times_as_much_as_hard(game):
    hard, expert = (players.thinker(game, name, 1) for name in ("hard", "expert"))
    assert expert.futures == 7 * hard.futures
    assert expert.orders.plan.iterations == 7 * hard.orders.plan.iterations


@pytest.mark.wide
def test_secret_orders_of_hard_cannot_be_foretold():
    """The same position, other seeds: many different orders."""
    game = games.find("secrets")
    match = Match(game, 4)
    assert len({players.Bot("hard", seed).choose(match.view()) for seed in range(12)}) > 4


@pytest.mark.wide
@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        pytest.param("magnate", "hard", "medium", marks=pytest.mark.wide(minutes=10)),
        ("magnate", "medium", "easy"),
        ("second-story", "medium", "easy"),
        ("thiefs-market", "medium", "easy"),
    ],
)
def test_a_level_beats_the_one_below(name, better, worse):
    """By a confidence sequence; decision 32 has the figures, and which steps luck forbids.

    Thief's Market's `hard` takes minutes for that: `bench/ladders.py` has it.
    """
    game, deals = games.find(name), []
    contest = arena.contests(game, game.usual, {}, [better, worse], 3)[0]
    for deal in arena.run(contest, range(300), threads=1):
        deals.append(deal)
        if sequential(deals).answer(0.5, margin=0) == "clear":
            break
    assert sequential(deals).low > 0.5


@pytest.mark.parametrize(("turns", "mixed"), [(1, True), (2, False)])
def test_secret_orders_of_the_last_round_alone_are_mixed(turns, mixed, monkeypatch):
    """A round of Secrets that ends the game is judged by who won it, and by no net."""
    match = Match("secrets", 3, {"turns": str(turns)}, seed=1).to_decision()
    monkeypatch.setattr(planner, "covered", lambda *_: True)
    bot, asked = Planner(match.game, 1, 1, 1.0), []
    monkeypatch.setattr(bot.orders, "choose", lambda *_: asked.append(1) or match.choices[0])
    bot.choose(match.known_to(match.actor), match.actor, match.choices)
    assert bool(asked) == mixed


def test_levels_stand_first_in_menus():
    game = games.find("magnate")
    assert players.able(game, 2, game.defaults(2))[:4] == list(LEVELS)
