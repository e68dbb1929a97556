"""What is learned is used where it fits, sees what its seat sees, and is quick."""

import json
import random
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from yegg import games
from yegg.cli import cli
from yegg.engine import CHANCE, Match
from yegg.engine.engine import Engine
from yegg.players.value_net import value_function
from yegg.players.value_net.value_function import read

LEARNED = [
    name for name in games.names() if (games.find(name).folder / value_function.WEIGHTS).exists()
]
SENSED = [name for name in games.names() if games.find(name).part("senses")]


def sensed(game, states, seat):
    senses = value_function.senses(game)
    x = np.zeros(senses.SENSES, np.float32)
    senses.sense(states[0], seat, x)
    return x


def positions(game, deals=2, events=200):
    """Matches at random, of every kind of options, now and then."""
    dice = random.Random(game.name)
    for deal in range(deals):
        match = Match(
            game, *(value_function.drawn(game, dice) if deal else (game.usual, {})), how="plain"
        )
        for event in range(events):
            if match.over:
                break
            if event % 11 == 0:
                yield match
            match.play(dice.choice(match.choices))
        yield match


@pytest.mark.wide(but=["magnate"])
@pytest.mark.parametrize("name", SENSED)
def test_a_seat_senses_nothing_that_it_cannot_know(name):
    """As much of the whole position as of what is left of it for the seat."""
    game, something = games.find(name), 0
    for match in positions(game):
        for seat in range(match.players):
            x = sensed(game, match.states, seat)
            assert np.isfinite(x).all()
            assert x.tobytes() == sensed(game, match.known_to(seat), seat).tobytes()
            something += x.any()
    assert something


def test_hands_that_a_seat_cannot_tell_apart_are_sensed_alike():
    game, differed = games.find("magnate"), 0
    for match in positions(game, deals=1):
        for seat in range(2 if match.actor >= 0 else 0):
            other = match.known_to(seat)
            out, dice = np.zeros(game.choices, np.int32), random.Random(7)
            while game.rules.actor(other[0]) == CHANCE:
                k = game.rules.legal(other[0], out)
                game.rules.play(other[0], int(dice.choice(out[:k])))
            differed += other.tobytes() != match.states.tobytes()
            one = sensed(game, match.states, seat)
            assert one.tobytes() == sensed(game, other, seat).tobytes()
    assert differed > 10


def test_the_declared_record_is_sensed_from_ones_own_seat():
    """A seat with another's number senses what the other does, where all else is equal."""
    game = games.find("thiefs-market")
    match, xs, made = Match(game, 3, how="plain"), [], {}
    exec(value_function.senses_of(game), made)  # noqa: S102  our own source
    for seat in range(3):
        states = match.states.copy()
        states[0]["turn"] = seat
        for after, gold in enumerate((7, 1, 12)):
            states[0]["gold"][(seat + after) % 3] = gold
        xs.append(np.zeros(made["SENSES"], np.float32))
        made["sense"](states[0], seat, xs[-1])
    assert xs[0].tobytes() == xs[1].tobytes() == xs[2].tobytes()
    assert np.isclose(xs[0], 7 / 11).any()  # n / (4 + n)


@pytest.mark.parametrize("name", LEARNED)
def test_what_is_learned_fits_its_game(name):
    game = games.find(name)
    about, _ = read(game.folder / value_function.WEIGHTS)
    why = value_function.why_not(game, about)
    assert why is None, f"train again: {why}"
    assert about["against_greedy"]["interval"][0] > 0.5


@pytest.mark.wide
@pytest.mark.parametrize("name", LEARNED)
def test_what_was_learned_is_stronger_than_lore(name):
    """By a confidence sequence: it stops as soon as it is clear."""
    line = ["arena", name, "--bots", "medium,greedy", "-n", "4000", "--until-clear", "--json"]
    (pair,) = json.loads(CliRunner().invoke(cli, line).stdout)["pairs"]
    assert pair["stronger"] == "medium"


def test_chances_are_told_less_surely_where_the_net_is_too_sure(monkeypatch):
    game, said = games.find("second-story"), []
    about, arrays = read(game.folder / value_function.WEIGHTS)
    used = value_function.judge(game)[0]
    monkeypatch.setitem(sys.modules, used.__name__, used)  # so that it is used again afterwards
    match = Match(game, game.usual, seed=4, how="plain").to_decision()
    match.states[0]["lair"][1] = 4
    for heat in (1.0, 2.0):
        monkeypatch.setattr(value_function.senses(game), "HEAT", heat, raising=False)
        made = value_function.made_of(game, arrays["flat"], about["units"])
        linked = Engine(game.rules, made, value_function.senses(game), how="plain").compiler.twin(
            made
        )
        shares = np.zeros(3)
        linked.chances(match.states[0], shares)
        said.append(shares.max())
    assert 1 / 3 < said[1] < said[0]


@pytest.mark.parametrize("name", LEARNED)
def test_where_the_game_has_changed_players_go_by_lore(name, monkeypatch):
    game = games.find(name)
    assert value_function.judge(game)
    monkeypatch.setattr(value_function, "fingerprint", lambda game: "another")
    assert not value_function.judge.__wrapped__(game)
    why = value_function.why_not(game, {"fingerprint": "what it was"})
    assert why.startswith(f"the rules or senses of {game.title} have changed")


def test_the_fingerprint_tells_versions_and_senses_apart(monkeypatch):
    from dataclasses import replace

    game = games.find("second-story")
    assert value_function.fingerprint(game) == value_function.fingerprint.__wrapped__(game)
    assert value_function.fingerprint(game) != value_function.fingerprint(replace(game, version=99))
    before = value_function.fingerprint(game)
    monkeypatch.setattr(value_function.senses(game), "SLOT", value_function.senses(game).SLOT - 1)
    assert value_function.fingerprint.__wrapped__(game) != before
