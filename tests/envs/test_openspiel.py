"""OpenSpiel plays our games: what its states tell, hide, keep and give back."""

import copy
import itertools
import pickle
import random
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from programs import lay, python
from test_fifth_game import PIG
from twins import always_alike, elsewhere, swapped

from yegg import games
from yegg.engine import CHANCE, Match, NotLegal, Refused, notation
from yegg.envs import openspiel

pyspiel = pytest.importorskip("pyspiel")

from absl import flags  # noqa: E402
from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import exploitability, generate_playthrough, mcts  # noqa: E402

PLAYED = sorted((Path(__file__).parent / "playthroughs").iterdir())
TINY = "yegg_secrets(players=3,secrets=2,spies=1,turns=1,horizon=12{more})"
ORDERS_IN_TURN = TINY.format(more=",turn_based=True")
ORDERS_TOGETHER = TINY.format(more="")
CONVERTED = f"turn_based_simultaneous_game(game={ORDERS_TOGETHER})"
FULL = [
    "yegg_second_story",
    "yegg_thiefs_market",
    "yegg_magnate(courts=yes)",
    "yegg_secrets(turns=2)",
    "yegg_secrets(turns=2,hidden=yes,turn_based=True)",
]
MORE = [
    "yegg_magnate(players=1,automa=hard,districts=four)",
    "yegg_secrets(players=6,hidden=yes)",
    "yegg_secrets(posts=open,turn_based=True)",
    "yegg_second_story(players=5,courts=yes,chips=3)",
    "turn_based_simultaneous_game(game=yegg_secrets())",
]


def go(state, dice):
    """An action, or one of each player, by chance."""
    if state.is_simultaneous_node():
        everybody = range(state.num_players())
        state.apply_actions([dice.choice(state.legal_actions(seat)) for seat in everybody])
    else:
        state.apply_action(dice.choice(state.legal_actions()))


def walk(game, seed, *, stop=1.0):
    """The states of a game played at random; each is given before it is played on."""
    state, dice = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal() and dice.random() < stop:
        yield state
        go(state, dice)
    yield state


def ended(name, seed):
    return list(walk(pyspiel.load_game(name), seed))[-1]


def told(state, seat):
    """All that a state tells a seat, as bytes."""
    numbers = state.information_state_tensor(seat), state.observation_tensor(seat)
    words = state.information_state_string(seat) + state.observation_string(seat)
    return np.array([*numbers[0], *numbers[1]], np.float32).tobytes() + words.encode()


def copied(thing):
    """It, pickled and read back."""
    return pickle.loads(pickle.dumps(thing))  # noqa: S301  our own


def at(game, match):
    """The state of a match."""
    state = game.new_initial_state()
    for actor, choice in zip(match.actors, match.history, strict=True):
        state.apply_action(
            game.outcome_of[choice] if actor == CHANCE else int(game.setting.actions[actor, choice])
        )
    return state


def tree(state):
    """All states from this one on."""
    todo = [state]
    while todo:
        here = todo.pop()
        yield here
        todo += [here.child(action) for action in here.legal_actions()]


def test_every_game_is_registered_with_its_options():
    assert openspiel.names() == [f"yegg_{name.replace('-', '_')}" for name in games.names()]
    for name in games.names():
        there = pyspiel.load_game(f"yegg_{name.replace('-', '_')}").get_type()
        options = {option.replace("-", "_") for option in games.find(name).options}
        assert options <= set(there.parameter_specification)
    game = pyspiel.load_game("yegg_magnate(players=2,courts=yes,districts=four)")
    assert game.setting.options == {"courts": "yes", "districts": "4"}
    with pytest.raises(Refused, match="automa"):
        pyspiel.load_game("yegg_magnate(players=1)")
    with pytest.raises(Refused, match="it can be no or yes"):
        pyspiel.load_game("yegg_magnate(courts=maybe)")


def test_without_openspiel_the_extra_is_named():
    code = "import sys; sys.modules['pyspiel'] = None; import yegg.envs.openspiel"
    assert 'pip install "yegg[openspiel]"' in python("-c", code).stderr


def test_nothing_is_loaded_unasked_and_the_process_ends_well():
    code = "import sys, yegg.envs; print('pyspiel' in sys.modules); import yegg.envs.openspiel"
    done = python("-c", code)
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr


@pytest.mark.parametrize("name", FULL)
def test_openspiels_random_games(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_playthroughs_are_as_they_were(path):
    """`generate_playthrough.update_path` writes them anew."""
    flags.FLAGS.mark_as_parsed()
    was, now = generate_playthrough.replay(str(path))
    assert now == was


@pytest.mark.parametrize("name", [ORDERS_IN_TURN, CONVERTED])
def test_players_forget_nothing(name):
    """On the whole tree; words and numbers tell the same states apart."""
    recalled, numbers, past = {}, {}, {}
    for state in tree(pyspiel.load_game(name).new_initial_state()):
        history = tuple(state.history())
        seat = state.current_player()
        mine = past.pop(history, ((),) * 3)
        if state.is_terminal():
            continue
        said, tensor = state.information_state_string(), tuple(state.information_state_tensor())
        assert recalled.setdefault((seat, said), mine[seat]) == mine[seat]
        assert numbers.setdefault(tensor, (seat, said)) == (seat, said)
        for action in state.legal_actions():
            after = list(mine)
            after[seat] = (*mine[seat], (said, action))
            past[*history, action] = tuple(after)
    assert len(recalled) == len(numbers) == 15


@pytest.mark.parametrize(
    ("name", "options", "events"),
    [
        ("magnate", {}, 60),
        ("secrets", {"turns": "2"}, 26),
        ("secrets", {"hidden": "yes", "turns": "2"}, 43),
    ],
)
def test_what_is_hidden_from_a_seat_changes_no_byte(name, options, events):
    own = ",turn_based=True,players=3" if name == "secrets" else ""
    given = own + "".join(f",{option}={value}" for option, value in options.items())
    game = pyspiel.load_game(f"yegg_{name}(recall=100{given})")
    dice, seen = random.Random(3), 0
    match = Match(game.setting.game, game.setting.players, options)
    for _ in range(events):
        match.play(dice.choice(match.choices))
    state = at(game, match)
    for seat in range(match.players):
        twins = itertools.chain(
            itertools.islice(elsewhere(match, seat), 8), itertools.islice(swapped(match, seat), 2)
        )
        for twin in twins:
            other = at(game, twin)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            if always_alike(match, twin, seat):
                assert told(other, seat) == told(state, seat)
                assert str(other) != str(state)
                seen += 1
    assert seen >= 5


def test_nobody_sees_an_order_of_somebody_else_before_all_are_carried_out():
    game, dice = pyspiel.load_game("yegg_secrets(turns=2,recall=60)"), random.Random(1)
    state = game.new_initial_state()
    for _ in range(4):
        assert state.is_simultaneous_node()
        one, other = state.clone(), state.clone()
        mine = state.legal_actions(2)[0]
        for twin, of in ((one, 0), (other, -1)):
            lines = [twin.legal_actions(seat)[of] for seat in range(4)]
            twin.apply_actions([*lines[:2], mine, lines[3]])
        assert told(one, 2) == told(other, 2)
        assert told(one, 1) != told(other, 1)
        go(state, dice)
    assert not state.match().history
    go(state, dice)
    assert len(state.match().history) == 20


def test_a_full_sheet_passes_while_others_write():
    game, dice = pyspiel.load_game("yegg_secrets(players=3,recall=60)"), random.Random(2)
    passed = 0
    for state in walk(game, 4):
        if state.is_simultaneous_node():
            idle = [state.legal_actions(seat) == [game.idle] for seat in range(3)]
            assert not all(idle)
            passed += sum(idle)
            for seat in range(3):
                if idle[seat]:
                    assert state.action_to_string(seat, game.idle) == "pass"
                    assert state.legal_actions_mask(seat)[game.idle]
    assert passed
    assert dice


def test_public_and_private_parts_make_the_whole():
    state = list(walk(pyspiel.load_game("yegg_magnate"), 7, stop=0.99))[-1]
    kinds = {}
    for public, private in itertools.product((True, False), ("NONE", "SINGLE_PLAYER")):
        kind = pyspiel.IIGObservationType(
            public_info=public,
            perfect_recall=False,
            private_info=getattr(pyspiel.PrivateInfoType, private),
        )
        kinds[public, private] = state.get_game().make_py_observer(kind)
    open_, whole = kinds[True, "NONE"], kinds[True, "SINGLE_PLAYER"]
    hidden, nothing = kinds[False, "SINGLE_PLAYER"], kinds[False, "NONE"]
    for seat in range(2):
        for observer in kinds.values():
            observer.set_from(state, seat)
        assert open_.string_from(state, seat) == open_.string_from(state, 0)
        assert nothing.string_from(state, seat) == ""
        assert not nothing.tensor.any()
        assert hidden.dict["columns"].any()
    for observer in (open_, whole, hidden):
        observer.set_from(state, 0)  # the public part is told from the first seat
    total = open_.dict["columns"] + hidden.dict["columns"]
    assert np.array_equal(total, whole.dict["columns"])
    assert whole.tensor.tolist() == state.observation_tensor(0)
    with pytest.raises(ValueError, match="no parameters"):
        state.get_game().make_py_observer(None, {"size": 3})


def test_nothing_is_private_where_nothing_is_hidden():
    state = ended("yegg_second_story(horizon=30)", 1)
    kind = pyspiel.IIGObservationType(
        public_info=False,
        perfect_recall=True,
        private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
    )
    observer = state.get_game().make_py_observer(kind)
    observer.set_from(state, 1)
    assert observer.string_from(state, 1) == ""
    assert not observer.dict["columns"].any()
    assert not observer.dict["events"].any()


@pytest.mark.parametrize("name", ["second-story", "magnate", "thiefs-market"])
def test_chance_has_the_probabilities_that_the_engine_has(name):
    """χ² of what the engine's own chance does first, over 3,000 games."""
    game = pyspiel.load_game(f"yegg_{name.replace('-', '_')}")
    state, dice = game.new_initial_state(), random.Random(5)
    while not state.is_chance_node():
        go(state, dice)
    outcomes = dict(state.chance_outcomes())
    assert sum(outcomes.values()) == pytest.approx(1)
    before, counts = state.match(), dict.fromkeys(outcomes, 0)
    match = Match(game.setting.game, game.setting.players)
    for seed in range(3000):
        match.seed = seed
        match.restart()
        for choice in before.history[len(match.history) :]:
            match.play(choice)
        counts[game.outcome_of[match.history[len(before.history)]]] += 1
    odds = {outcome: 3000 * chance for outcome, chance in outcomes.items()}
    surprise = sum((counts[one] - odds[one]) ** 2 / odds[one] for one in outcomes)
    free = len(outcomes) - 1
    assert surprise < free + 5 * (2 * free) ** 0.5


@pytest.mark.parametrize("name", FULL)
def test_a_history_is_a_record(name):
    state = ended(name, 3)
    match = state.match()
    read = notation.read(BytesIO(state.record().encode()), "it", games.find)
    assert (read.history, read.scores, read.places) == (match.history, match.scores, match.places)
    assert len(state.record(seat=0).splitlines()) == len(state.record().splitlines())
    best = [place == 1 for place in match.places]
    assert [value > 0 for value in state.returns()] == best or sum(best) > 1
    assert sum(state.returns()) == pytest.approx(0)
    assert state.get_game().min_utility() <= min(state.returns())
    assert max(state.returns()) <= state.get_game().max_utility()


@pytest.mark.parametrize("name", FULL)
def test_states_are_copied_kept_and_read_back(name):
    states = list(walk(pyspiel.load_game(name), 2, stop=0.98))
    state = states[-1]
    ways = [
        state.clone(),
        copy.deepcopy(state),
        copied(state),
        pyspiel.deserialize_game_and_state(
            pyspiel.serialize_game_and_state(state.get_game(), state)
        )[1],
    ]
    for twin in ways:
        assert type(twin) is openspiel.State
        assert (str(twin), twin.history()) == (str(state), state.history())
        assert told(twin, 0) == told(state, 0)
        assert twin.current_player() == state.current_player()
        if not twin.is_terminal():
            go(twin, random.Random(1))
            assert len(twin.history()) > len(state.history())
    assert copied(state.get_game()).setting is state.get_game().setting


def test_a_child_leaves_its_parent_as_it_was():
    state = list(walk(pyspiel.load_game("yegg_magnate"), 2, stop=0.95))[-1]
    words, history = str(state), state.history()
    for action in state.legal_actions():
        child = state.child(action)
        assert (str(state), state.history()) == (words, history)
        assert str(child.parent()) == words
        assert child.parent().history() == history


@pytest.mark.parametrize("name", ["yegg_second_story", "yegg_secrets(turns=1)"])
def test_undoing_is_refused_but_there_is_a_parent(name):
    """OpenSpiel 2.0.2 lets no game in Python undo: it keeps the history where Python is not."""
    state = ended(name, 1)
    with pytest.raises(pyspiel.SpielError, match="UndoAction function is not overridden"):
        state.undo_action(0, state.history()[-1])
    before = state.parent()
    assert state.history()[: len(before.history())] == before.history()
    assert not before.is_terminal()
    with pytest.raises(Refused, match="nothing is known"):
        state.get_game().new_initial_state().parent()


@pytest.mark.parametrize("name", [*FULL, "yegg_magnate(players=1,automa=hard)"])
def test_a_state_drawn_anew_is_the_same_to_its_player(name):
    game, sampler = pyspiel.load_game(name), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    dice, others = random.Random(1), set()
    for i, state in enumerate(walk(game, 5)):
        if i % 9 or state.is_chance_node() or state.is_terminal():
            continue
        for seat in range(game.num_players()):
            twin = state.resample_from_infostate(seat, sampler)
            assert told(twin, seat) == told(state, seat)
            assert twin.current_player() == state.current_player()
            assert twin.legal_actions(seat) == state.legal_actions(seat)
            others.add(twin.position.moment.states.tobytes())
            again = twin.clone().resample_from_infostate(seat, sampler)
            assert told(again, seat) == told(state, seat)
            go(twin, dice)
    assert told(copied(twin), 0) == told(twin, 0)
    while not twin.is_terminal():
        go(twin, dice)
    assert max(twin.returns()) > 0
    assert len(others) >= 5
    if game.setting.game.secret:
        with pytest.raises(Refused, match="was imagined"):
            twin.match()


def test_hidden_cards_are_drawn_evenly():
    """Every card that a seat has not seen lies in the other hand equally often."""
    game = pyspiel.load_game("yegg_magnate")
    state, dice = game.new_initial_state(), random.Random(8)
    while state.is_chance_node():
        go(state, dice)
    seat, sampler = state.current_player(), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    where = state.position.states[0]["where"]
    counts = np.zeros(where.shape[0])
    for _ in range(600):
        twin = state.resample_from_infostate(seat, sampler)
        counts += twin.position.states[0]["where"] == held(state, 1 - seat)
    known = state.position.known_to(seat)[0]["where"]
    unknown = known == known[where == held(state, 1 - seat)][0]
    assert counts[~unknown].sum() == 0
    drawn = counts[unknown]
    assert drawn.sum() == 600 * 3
    odds = drawn.mean()
    assert ((drawn - odds) ** 2 / odds).sum() < drawn.size + 5 * (2 * drawn.size) ** 0.5


def held(state, seat):
    """What `where` says of a card in a seat's hand."""
    mine = state.position.known_to(1 - seat)[0]["where"] != state.position.states[0]["where"]
    return state.position.states[0]["where"][mine][0]


def test_what_is_not_legal_is_refused_and_changes_nothing():
    state = pyspiel.load_game(ORDERS_IN_TURN).new_initial_state()
    for action in (-2, 10_000, 87):
        with pytest.raises(NotLegal):
            state.apply_action(action)
    assert (str(state), state.history()) == ("dealt", [])
    together = pyspiel.load_game(ORDERS_TOGETHER).new_initial_state()
    with pytest.raises(NotLegal, match="apply_actions"):
        together.apply_action(10)
    with pytest.raises(NotLegal, match="seat 2 is not legal here; possible: club steals"):
        together.apply_actions([together.legal_actions(0)[0], 86, 86])


def test_chance_acts_where_openspiel_resamples_nothing():
    state = pyspiel.load_game("yegg_magnate").new_initial_state()
    with pytest.raises(Refused, match="not before chance"):
        state.resample_from_infostate(0, random.Random(1).random)


def test_both_forms_of_orders_are_one_game():
    """Even play is exploited alike, written in turn or at the same time."""
    for name in (ORDERS_IN_TURN, CONVERTED):
        game = pyspiel.load_game(name)
        conv = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
        assert conv == pytest.approx(0.05859, abs=1e-5)


@pytest.mark.parametrize("name", ["yegg_second_story(players=2,chips=3)", "yegg_secrets(turns=1)"])
def test_our_players_sit_down(name):
    game = pyspiel.load_game(name)
    bots = [openspiel.YeggBot(game, seat, "medium", 4) for seat in range(game.num_players())]
    state, dice = game.new_initial_state(), random.Random(3)
    while not state.is_terminal():
        if state.is_chance_node():
            go(state, dice)
        elif state.is_simultaneous_node():
            state.apply_actions([bot.step(state) for bot in bots])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    assert max(state.returns()) > 0
    assert [bot.player_id() for bot in bots] == list(range(game.num_players()))
    with pytest.raises(Refused):
        openspiel.YeggBot(game, 0, "nobody")


def test_openspiels_search_in_python_plays():
    game = pyspiel.load_game("yegg_second_story(players=2,chips=3)")
    dice = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 20, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert bot.step(state) in state.legal_actions()


def test_a_fifth_game_is_there_without_another_line(tmp_path):
    lay(tmp_path, PIG)
    code = (
        "import pyspiel, yegg.envs.openspiel as o; print(o.names())\n"
        "game = pyspiel.load_game('yegg_pig(players=3,goal=10)')\n"
        "pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)"
    )
    done = python("-c", code, paths=[tmp_path])
    assert done.returncode == 0, done.stderr
    assert "'yegg_pig'" in done.stdout
