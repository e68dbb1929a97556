"""Numbers that callers hand over: whole ones of any kind are taken, all else is refused."""

import inspect

import numpy as np
import pytest

import yegg
from yegg import envs
from yegg.engine.whole import whole, wholes

SS = "second-story"
NONE = [0.7, "0", True, np.bool_(True), np.float64(1), [1], 1.5 + 0j, b"1", float("nan")]
FAR = [10**30, -(10**30)]
FEW = {"how": "plain"}


class Last(yegg.Player):
    def choose(self, view):
        return view.choices[-1]


class Half(yegg.Player):
    def choose(self, view):
        return view.choices[0] + 0.0


def match(seed=1):
    return yegg.Match(SS, 2, seed=seed, **FEW)


def acted(make):
    """What takes an action of a fresh environment."""

    def act(action):
        env = make()
        env.reset(seed=1)
        env.step(action)

    return act


def gymnastic(**more):
    from yegg.envs.gymnasium import OneSeat

    return OneSeat(SS, bot="uniform", players=2, **more)


def vector(action):
    from yegg.envs.gymnasium import OneSeatVector

    env = OneSeatVector(SS, num_envs=1, bot="uniform", players=2)
    env.reset(seed=1)
    env.step([action])


def batched(**more):
    return envs.batch(SS, **({"games": 2, "players": 2} | more))


def ordered(action):
    env = envs.parallel("secrets", players=3)
    env.reset(seed=1)
    env.step(dict.fromkeys(env.agents, action))


PUBLIC = {
    "Match": [
        lambda n: yegg.Match(SS, n, **FEW),
        lambda n: match(seed=n),
        lambda n: match().play(n),
        lambda n: match().follow([n]),
        lambda n: match().say(n),
        lambda n: match().view(n),
        lambda n: match().known_to(n),
        lambda n: match().undo(n),
        lambda n: match().back(n),
        lambda n: match(None).to_decision(n),
        lambda n: yegg.Match.resumed(match().game, match().states, seed=n, **FEW),
        lambda n: yegg.Match.imagined(match().view(), n),
    ],
    "View": [
        lambda n: yegg.View(match().game, match().states, n, []),
        lambda n: yegg.View(match().game, match().states, 0, [n]),
        lambda n: match().view().say(n),
    ],
    "Game": [
        lambda n: match().game.blank(n, {}),
        lambda n: match().game.blank(2, {}, n),
        lambda n: match().game.setup(n, {}),
        lambda n: match().game.chosen(n, {}),
    ],
    "Bot": [lambda n: yegg.Bot("greedy", n, how="plain")],
    "simulate": [
        lambda n: yegg.simulate(SS, games=n),
        lambda n: yegg.simulate(SS, games=2, players=n),
        lambda n: yegg.simulate(SS, games=2, seed=n),
        lambda n: yegg.simulate(SS, games=2, threads=n),
    ],
    "arena": [
        lambda n: yegg.arena(SS, ["greedy", "uniform"], games=n),
        lambda n: yegg.arena(SS, ["greedy", "uniform"], games=2, players=n),
        lambda n: yegg.arena(SS, ["greedy", "uniform"], games=2, seed=n),
        lambda n: yegg.arena(SS, ["greedy", "uniform"], games=2, threads=n),
    ],
    "advise": [lambda n: yegg.advise(match(), 0.01, n)],
    "sit": [lambda n: yegg.sit(f"http://127.0.0.1:9/t/{'A' * 22}", Last, seat=n)],
    "aec": [
        acted(lambda: envs.aec(SS, players=2)),
        lambda n: envs.aec(SS, n),
        lambda n: envs.aec(SS, 2).reset(n),
        lambda n: envs.aec(SS, 2, max_cycles=n),
        envs.aec(SS, 2).single.say,
        envs.aec(SS, 2).single.observe,
    ],
    "parallel": [ordered, lambda n: envs.parallel("secrets", n)],
    "baseline": [lambda n: envs.baseline("thiefs-market", n)],
    "batch": [
        lambda n: batched().step([n, n]),
        lambda n: batched(games=n),
        lambda n: batched(players=n),
        lambda n: batched(seed=n),
        lambda n: batched(threads=n),
        lambda n: batched(max_decisions=n),
        lambda n: batched(max_events=n),
        lambda n: batched().reset(n),
        lambda n: batched().play_at_random(n),
        lambda n: batched(record=True).match(n),
    ],
    "gymnasium": [acted(gymnastic), vector, lambda n: gymnastic(seat=n)],
}
NUMBERLESS = {"read", "review"}  # takes a path; takes seconds
DOORS = [
    pytest.param(door, id=f"{name}-{i}")
    for name, doors in PUBLIC.items()
    for i, door in enumerate(doors)
]


def test_every_public_name_that_takes_numbers_is_tried():
    """A new one fails here until its numbers are tried too."""
    made = {name for name in yegg.__all__ if inspect.isfunction(getattr(yegg, name))}
    classes = {"Match", "View", "Game", "Bot"}
    assert made | classes | set(envs.__all__) <= set(PUBLIC) | NUMBERLESS
    told = {
        "Advice",
        "Arena",
        "Review",
        "Simulation",
        "Slip",
        "Player",
    }  # results; a class to write
    errors = {name for name in yegg.__all__ if name in dir(yegg) and name[0].isupper()}
    rest = errors - classes - told - {"CHANCE", "NOBODY"}
    assert all(issubclass(getattr(yegg, name), Exception) for name in rest)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("given", NONE, ids=repr)
def test_what_is_no_whole_number_is_refused_in_a_sentence(door, given):
    with pytest.raises(yegg.Refused, match=r"whole number, not|truth") as refused:
        door(given)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("given", FAR, ids=["far above", "far below"])
def test_a_number_beyond_all_bounds_ends_in_a_sentence_if_it_cannot_be(door, given):
    said = ""
    try:
        door(given)  # a seed may be any whole number, and so may what cannot be taken back
    except yegg.Refused as refused:
        said = str(refused)
    assert len(said) < 300
    assert "\n" not in said


@pytest.mark.parametrize("seats", [0.7, "0", True, [0.0, 1.0], [0, "1"], 10**30])
def test_seats_of_a_batch_are_whole_numbers_or_truth_values_by_game(seats):
    with pytest.raises(yegg.Refused, match=r"whole number, not|seats (are|can be)"):
        batched(seats=seats)


def test_numbers_of_numpy_are_taken():
    for one in (np.int64(1), np.uint8(1), np.array(1)):
        assert match(one).states.tobytes() == match(1).states.tobytes()
        game = match()
        game.play(game.choices[0])
        twin = match()
        twin.play(np.int32(twin.choices[0]))
        assert game.history == twin.history
        assert type(twin.history[-1]) is int
        env = envs.aec(SS, players=np.int64(2))
        env.reset(seed=one)
        env.step(np.int64(0))


def test_a_choice_of_a_player_from_outside_is_a_whole_number():
    bot = yegg.Bot(yegg_name(Half))
    with pytest.raises(yegg.Failed, match="which is not one of its choices"):
        bot.choose(match().view())


def yegg_name(player):
    from yegg import players

    return players.enrol(player)


def test_what_was_refused_has_changed_nothing():
    for given in [*NONE, *FAR]:
        game, env = match(), envs.aec(SS, players=2)
        env.reset(seed=1)
        before, there = game.states.tobytes(), env.single.states.tobytes()
        for act in (game.play, lambda one, game=game: game.follow([one]), env.step):
            with pytest.raises(yegg.NotLegal):
                act(given)
        assert (game.states.tobytes(), env.single.states.tobytes()) == (before, there)


@pytest.mark.parametrize("given", ["1", None, -1, float("nan"), float("inf"), True])
def test_a_time_to_think_is_seconds(given):
    for think in (yegg.advise, yegg.review):
        with pytest.raises(yegg.Refused, match="how long to think is seconds from 0 on, not "):
            think(match(), given)


def test_the_sentence_says_what_was_given_and_what_would_be_right():
    for given, said in [(1.5, "1.5"), ("x" * 999, "'xxx"), ([], "a list"), (None, "None")]:
        with pytest.raises(yegg.Refused, match=f"^a seed is a whole number, not {said}"):
            whole(given, "a seed")
    with pytest.raises(yegg.Refused, match=r"^a seat is 1 to 4, not 5$"):
        whole(5, "a seat", 1, 4)
    with pytest.raises(yegg.Refused, match=r"not a number of more than 40 digits$"):
        whole(10**5000, "a seat", 1, 4)
    assert wholes(np.array([2**63], np.uint64), "a choice", 9).tolist() == [10]
