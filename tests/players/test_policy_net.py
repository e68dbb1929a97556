"""Players who go by a policy net: what it says in compiled code, and where it is asked."""

import itertools
import random
import shutil
from importlib import import_module

import numpy as np
import pytest

from yegg import games
from yegg.engine import Match
from yegg.engine.kernels import veil
from yegg.engine.record import NOBODY
from yegg.engine.verbs import policy, win_share
from yegg.engine.words import words
from yegg.games.magnate.state import Place
from yegg.lab.experiment.findings import judged
from yegg.lab.experiment.schema import parsed
from yegg.observations.encoder import Encoder
from yegg.observations.layout import layout
from yegg.players import Bot, judges
from yegg.players.policy_net import policy_function, weights
from yegg.players.policy_net.choices import sample
from yegg.players.policy_net.policy_function import covered, learned
from yegg.players.thinking import knowledge
from yegg.players.thinking.rollouts import attempt, likeliest, rollouts, step

UNITS = 7
NAMES = ("second-story", "thiefs-market", "magnate", "secrets")
NUMBERS = itertools.count()


def random_net(game, seed=1, units=UNITS):
    rng = np.random.default_rng(seed)
    shapes = weights.shapes(game, units)
    return weights.PolicyWeights(
        **{
            name: np.float32(
                abs(rng.normal(size=shape)) if name == "scale" else rng.normal(0, 0.3, shape)
            )
            for name, shape in shapes.items()
        }
    )


@pytest.fixture
def learns(tmp_path, monkeypatch):
    """Gives games a net of random weights, where players look for one."""
    monkeypatch.setattr(policy_function, "path_of", lambda game: tmp_path / f"{game.package}.npz")
    policy_function.learned.cache_clear()

    def learn(game, covers=None, **about):
        if covers is None:
            covers = [[n, "any"] for n in layout(game).settings]
        told = weights.identity(game, UNITS) | {"covers": covers} | about
        weights.save(tmp_path / f"{game.package}.npz", told, random_net(game))
        policy_function.learned.cache_clear()
        return game

    yield learn
    policy_function.learned.cache_clear()


def ask(views, seat, out, k, logits, shares):
    """A kernel: what the net says of a position."""
    known = policy(views[0], seat, out, k, logits)
    if known:
        shares[0] = win_share(views[0], seat)
    return known


def answer(game, how, view, seat, choices):
    """The log probabilities, and the share of the win; None where the net does not cover it."""
    made = game.engine(*learned(game).parts, "lore", how=how)
    out, logits = np.zeros(game.choices, np.int32), np.zeros(game.choices, np.float32)
    out[: len(choices)], shares = choices, np.zeros(1)
    with np.errstate(over="ignore"):  # unsigned numbers wrap around on purpose
        known = made.kernel(ask)(view.copy(), seat, out, len(choices), logits, shares)
    return (logits[: len(choices)], shares[0]) if known else None


def decisions(game, players, options, many, seed=5):
    """Some decisions of a game at random: the match, the view and the seat."""
    dice, match = random.Random(seed), Match(game, players, options, seed=seed, how="plain")
    while many and not match.over:
        if match.actor >= 0 and len(match.choices) > 1 and dice.random() < 0.3:
            many -= 1
            yield match, match.known_to(match.actor), match.actor
        match.play(dice.choice(match.choices))


def settings(game):
    """Each number of players with the published rules, and one game of other rules."""
    alone = {1: game.alone()[0]} if game.alone() else {}
    yield from ((n, alone.get(n, {})) for n in layout(game).settings)
    dice = random.Random(game.name)
    options = {name: dice.choice(made.values) for name, made in game.options.items()}
    while not game.seats(options):
        options = {name: dice.choice(made.values) for name, made in game.options.items()}
    yield game.seats(options)[-1], options


# --- what it says --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_compiled_code_says_what_plain_code_says_bit_by_bit(name, learns):
    game = learns(games.find(name))
    for players, options in settings(game):
        for match, view, seat in decisions(game, players, options, 6):
            plain, compiled = (
                answer(game, how, view, seat, match.choices) for how in ("plain", "compiled")
            )
            assert plain[0].tobytes() == compiled[0].tobytes()
            assert plain[1] == compiled[1]
            assert 0 <= plain[1] <= 1


@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_net_of_the_file_over_the_columns_of_environments(name, learns):
    game = learns(games.find(name))
    _, net = weights.load(game, policy_function.path_of(game))
    told = layout(game)
    for players, setting in told.settings.items():
        for match, view, seat in decisions(game, players, setting.options, 6):
            row = np.zeros((1, len(setting.columns)), np.float32)
            Encoder(setting, view).write(np.array([seat], np.int32), row)
            x = np.zeros(len(told.columns), np.float32)
            x[told.columns_of(setting)], x[told.constants_of(setting)] = row[0], 1
            h = np.clip((x - net.mean) * net.scale, -8, 8) @ net.w1 + net.b1
            h = np.maximum(np.maximum(h, 0) @ net.w2 + net.b2, 0)
            actions = told.actions_of(setting)[setting.actions[seat, match.choices]]
            logits, share = answer(game, "compiled", view, seat, match.choices)
            assert np.allclose(logits, (h @ net.w3 + net.b3)[actions], atol=1e-4)
            reward, sides = float((h @ net.w4 + net.b4)[0]), setting.sides
            assert abs(share - np.clip((reward * (sides - 1) + 1) / sides, 0, 1)) < 1e-4


def raised(states):
    """A kernel: add its place to every number of a state."""
    cells = words(states[0])
    for i in range(cells.size):
        cells[i] += i


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_of_a_state_are_the_same_memory_in_compiled_code(name):
    game = games.find(name)
    states = [game.blank(game.usual, {}) for _ in range(2)]
    for how, one in zip(("plain", "compiled"), states, strict=True):
        game.engine(how=how).kernel(raised)(one)
    assert states[0].tobytes() == states[1].tobytes()
    assert states[0].view(np.int32)[-2:].tolist() != [0, 0]


def test_a_draw_follows_the_probabilities():
    dice, logits = np.array([3], np.uint64), np.log(np.array([0.6, 0.3, 0.1, 1.0], np.float32))
    for temperature in (1.0, 2.0):
        with np.errstate(over="ignore"):
            found = [sample(logits, 3, temperature, dice) for _ in range(6000)]
        wanted = np.array([0.6, 0.3, 0.1]) ** (1 / temperature)
        assert abs(np.bincount(found) / 6000 - wanted / wanted.sum()).max() < 0.02


# --- who goes by it ------------------------------------------------------------------------------


def test_medium_takes_the_likeliest_choice_and_draws_secret_orders(learns):
    for name in ("second-story", "secrets"):
        game = learns(games.find(name))
        match, view, seat = next(decisions(game, game.usual, {}, 1))
        logits, _ = answer(game, "plain", view, seat, match.choices)
        made = {Bot("medium", seed, how="plain").choose(match.view()) for seed in range(12)}
        best = match.choices[int(np.argmax(logits))]
        assert made == {best} if name == "second-story" else len(made) > 1


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_plain_and_compiled_players_choose_alike(level, learns):
    game = learns(games.find("thiefs-market"), [[3, {}]])
    plain, compiled = (Bot(level, 4, how=how) for how in ("plain", "compiled"))
    for match, _, _ in decisions(game, 3, {}, 20):
        assert plain.choose(match.view()) == compiled.choose(match.view())


def elsewhere(match, seat):
    """Magnate: the same game with another card in the other's hand, which ``seat`` cannot know."""
    twin = match.fork()
    where, theirs = twin.state["where"], Place.HAND + 1 - seat
    hand, pile = np.flatnonzero(where == theirs), np.flatnonzero(where == Place.PILE)
    where[hand[0]], where[pile[0]] = Place.PILE, theirs
    assert twin.state.tobytes() != match.state.tobytes()
    return twin


def test_what_is_hidden_changes_nothing(learns):
    game = learns(games.find("magnate"))
    match, view, seat = next(itertools.islice(decisions(game, 2, {}, 9), 8, None))
    other = elsewhere(match, seat).known_to(seat)
    one, same = (answer(game, "plain", v, seat, match.choices) for v in (view, other))
    assert one[0].tolist() == same[0].tolist()
    assert one[1] == same[1]


def test_other_settings_are_played_as_without_a_net_and_the_judge_says_so(learns):
    game = games.find("second-story")
    without = [
        Bot("medium", 3, how="plain").choose(m.view())
        for m, _, _ in decisions(game, 3, {"chips": "3"}, 12)
    ]
    learns(game, [[3, {}], [2, {"chips": "3"}]])
    with_it = [
        Bot("medium", 3, how="plain").choose(m.view())
        for m, _, _ in decisions(game, 3, {"chips": "3"}, 12)
    ]
    assert with_it == without
    assert judges.judge_of(game, "medium", 3, {"chips": "3"}) == "lore"
    assert judges.judge_of(game, "medium", 2, {"chips": "3"}) == "policy"
    assert judges.judge_of(game, "medium", 3, {}) == "policy"
    assert judges.judge_of(game, "greedy", 3, {}) == "lore"
    for players, options in ((3, {}), (3, {"chips": "3"}), (2, {"chips": "3"}), (2, {})):
        known = covered(game, players, options)
        for match, view, seat in decisions(game, players, options, 2):
            assert (answer(game, "compiled", view, seat, match.choices) is not None) == known


def test_an_experiment_tells_who_judges_by_another_net_in_some_variants(learns):
    learns(games.find("second-story"), [[2, {}]])
    asked = {
        "question": "Who?",
        "game": "second-story",
        "players": 2,
        "bots": ["medium", "greedy"],
        "vary": {"chips": [10, 3]},
        "sample": {"deals": 4},
    }
    assert judged(parsed(asked)) == [("medium", ["policy", "lore"]), ("greedy", ["lore"])]


def test_a_file_that_cannot_be_used_is_told_and_players_do_without(learns):
    game = games.find("second-story")
    assert judges.fallbacks(game, ["medium"]) == []
    before = Bot("medium", 1, how="plain").choose(
        Match(game, 3, seed=1, how="plain").to_decision().view()
    )
    for about, why in (
        ({"columns": "of others"}, "was learned with other rules or columns"),
        ({"covers": [[9, {}]]}, "is for 2 to 5 players, not 9"),
        ({"covers": [[3, {"wings": "2"}]]}, "has no option 'wings'"),
        ({"kind": "value"}, "holds no policy net"),
    ):
        learns(game, **about) if "covers" not in about else learns(game, about["covers"])
        said = judges.fallbacks(game, ["medium", "hard", "greedy"])
        assert len(said) == 1
        assert said[0].startswith("medium and hard play without the policy net: ")
        assert why in said[0]
        assert judges.judge_of(game, "medium", 3, {}) == "lore"
        match = Match(game, 3, seed=1, how="plain").to_decision()
        assert Bot("medium", 1, how="plain").choose(match.view()) == before


def test_a_game_that_does_not_say_what_its_fields_mean_has_a_net_too(tmp_path, monkeypatch, learns):
    name = f"quiet{next(NUMBERS)}"
    shutil.copytree(
        games.find("second-story").folder,
        tmp_path / name,
        ignore=shutil.ignore_patterns("columns.py"),
    )
    monkeypatch.syspath_prepend(tmp_path)
    game = learns(import_module(name).GAME)
    assert not game.part("columns")
    for match, view, seat in decisions(game, 3, {}, 3):
        plain, compiled = (
            answer(game, h, view, seat, match.choices) for h in ("plain", "compiled")
        )
        assert plain[0].tobytes() == compiled[0].tobytes()
    assert judges.judge_of(game, "medium", 3, {}) == "policy"


def test_two_nets_of_one_game_do_not_mix_in_one_process(learns):
    """Machine code finds weights by a name, which is another for each net."""
    game = learns(games.find("second-story"))
    match, view, seat = next(decisions(game, 3, {}, 1))
    first = answer(game, "compiled", view, seat, match.choices)[0]
    path = policy_function.path_of(game)
    about, _ = weights.load(game, path)
    weights.save(path, about, random_net(game, seed=2))
    policy_function.learned.cache_clear()
    second, plain = (
        answer(game, how, view, seat, match.choices)[0] for how in ("compiled", "plain")
    )
    assert first.tolist() != second.tolist()
    assert second.tobytes() == plain.tobytes()


# --- who thinks by it ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["second-story", "thiefs-market", "magnate"])
def test_futures_by_the_policy_are_the_same_in_plain_and_compiled_code(name, learns):
    game = learns(games.find(name))
    match, view, seat = next(itertools.islice(decisions(game, game.usual, {}, 4), 3, None))
    found = []
    for how in ("plain", "compiled"):
        run = knowledge.judged(game, how).kernel
        on, out = rollouts(game.state.dtype, game.choices), np.zeros(game.choices, np.int32)
        on.views[0], out[: len(match.choices)] = view[0], match.choices
        with np.errstate(over="ignore"):
            dice = np.array([9], np.uint64)
            left = run(likeliest)(on, seat, out, len(match.choices), 3, dice)
            run(attempt)(on, seat, out, left, np.uint64(7), 0, 3, 2.0)
        assert on.by_policy[0]
        assert abs(on.total[on.order[:left]].sum(axis=1) / 3 - 1).max() < 1e-9
        found.append((left, on.order.tolist(), on.more.tolist(), on.views[1].tobytes()))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_future_ends_where_the_chooser_decides_again_and_is_believed_there(name, learns):
    game = learns(games.find(name))
    run, over = knowledge.judged(game, "plain").kernel, []
    for match, view, seat in itertools.islice(decisions(game, game.usual, {}, 4), 0, 40, 8):
        on, out = rollouts(game.state.dtype, game.choices), np.zeros(game.choices, np.int32)
        on.views[0], out[: len(match.choices)] = view[0], match.choices
        with np.errstate(over="ignore"):
            dice = np.array([9], np.uint64)
            run(likeliest)(on, seat, out, len(match.choices), 1, dice)
            run(attempt)(on, seat, out, 1, np.uint64(7), 0, 1, 1.0)
        end = on.views[1:2].copy()
        over.append(game.rules.actor(end[0]) == NOBODY)
        if not over[-1]:
            assert game.rules.actor(end[0]) == seat
            k = game.rules.legal(end[0], out)
            assert k > 1
            run(veil)(end, seat)
            assert on.total[on.order[0], seat] == answer(game, "plain", end, seat, out[:k])[1]
    assert not all(over)


def test_futures_go_by_what_each_player_knows(learns):
    """Magnate: two positions in which the one who acts knows the same are played on alike."""
    game = learns(games.find("magnate"))
    match, _, seat = next(itertools.islice(decisions(game, 2, {}, 9), 8, None))
    other = elsewhere(match, seat)
    run, seen = knowledge.judged(game, "plain").kernel, []
    for whole in (match, other):
        on, out = rollouts(game.state.dtype, game.choices), np.zeros(game.choices, np.int32)
        on.views[0], out[: len(match.choices)] = match.known_to(seat)[0], match.choices
        dice = np.array([9], np.uint64)
        with np.errstate(over="ignore"):
            run(likeliest)(on, seat, out, len(match.choices), 3, dice)
            on.views[1], on.dice[0] = whole.state, 5
            run(step)(on, seat)
        run(veil)(on.views[1:2], seat)
        seen.append((on.logits.tolist(), on.views[1].tobytes()))
    assert seen[0] == seen[1]


def test_who_thinks_plays_on_where_a_net_covers_the_game_and_where_none_does(learns):
    game = learns(games.find("thiefs-market"), [[3, {}]])
    for players in (3, 4):
        match, _, _ = next(decisions(game, players, {}, 1))
        one, again = (Bot("hard", 5, clock=False).choose(match.view()) for _ in range(2))
        assert one == again
        assert one in match.choices
        assert judges.judge_of(game, "hard", players, {}) == ("policy" if players == 3 else "lore")
