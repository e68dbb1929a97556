"""OpenSpiel: what players know, remember and cannot tell apart."""

import itertools
import random

import numpy as np
import pyspiel
import pytest
from spiel import CONVERTED, FULL, ORDERS_IN_TURN, at, copied, ended, go, told, tree, walk
from twins import always_alike, elsewhere, swapped

from yegg.engine import Match, Refused


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
                imagined = [
                    one.resample_from_infostate(seat, random.Random(5).random)
                    for one in (state, other)
                    if not one.is_chance_node()
                ]
                assert len({one.serialize() for one in imagined}) < 2
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
        imagined = [
            twin.resample_from_infostate(2, random.Random(5).random) for twin in (one, other)
        ]
        assert len({twin.serialize() for twin in imagined}) == 1
        assert told(one, 1) != told(other, 1)
        go(state, dice)
    assert not state.match().history
    go(state, dice)
    assert len(state.match().history) == 20


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


@pytest.mark.wide(
    but=["yegg_second_story", "yegg_secrets(turns=2)", "yegg_magnate(players=1,automa=hard)"]
)
@pytest.mark.parametrize("name", [*FULL, "yegg_magnate(players=1,automa=hard)"])
def test_a_state_drawn_anew_is_the_same_to_its_player(name):
    game, sampler = pyspiel.load_game(name), random.Random(2).random
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
    assert any(twin.returns())
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
    seat, sampler = state.current_player(), random.Random(9).random
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


def test_chance_acts_where_openspiel_resamples_nothing():
    state = pyspiel.load_game("yegg_magnate").new_initial_state()
    with pytest.raises(Refused, match="not before chance"):
        state.resample_from_infostate(0, random.Random(1).random)
