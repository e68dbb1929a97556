"""Play against itself: settings side by side, what is noted of them, and whose turn to learn."""

import random

import numpy as np
import pytest
from environments import keywords

from yegg import games
from yegg.contract.cases import FEW
from yegg.engine import Refused
from yegg.observations.layout import layout
from yegg.training.device import Processor
from yegg.training.scope import Scope
from yegg.training.self_play import DRAWN_ANEW, TAIL

from .courses import GAME, begun

NAMES = [
    n if n == "second-story" else pytest.param(n, marks=pytest.mark.wide) for n in games.names()
]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_noted_is_what_the_environments_show(name):
    training = begun(games.find(name))
    play, played = training.play, training.play.played
    told = layout(training.game)
    high = training._high
    for group in play.groups:
        group.show(played, 0)
        one, rows = group.setting, group.rows
        seen, legal = np.zeros(len(told.columns), np.float32), np.zeros(told.actions, bool)
        seen[told.constants_of(one)] = 1
        for row, game in enumerate(range(rows.start, rows.stop)):
            if training.play.observe == "int8":
                own = group.batch.observations[row] * one.scale
            else:
                own = group.batch.observations[row]
            seen[told.columns_of(one)] = own
            legal[told.actions_of(one)] = group.batch.masks[row]
            assert played.seen[0, game] * high == pytest.approx(seen)
            assert (played.legal[0, game] == legal).all()
            assert played.actor[0, game] == group.batch.actor[row]


def test_only_legal_actions_are_taken_and_by_their_chances():
    training = begun()
    play = training.play
    for lesson in range(1, 4):
        play.play(training.net, training._luck(lesson))
        for group in play.groups:
            assert not group.batch.illegal.any()
    played = play.played
    at = np.indices(played.action.shape)
    assert played.legal[*at, played.action].all()
    assert played.over.any()
    assert (played.rewards[played.over].max(1) > 0).all()


def test_the_last_decisions_are_the_first_of_the_next_lesson():
    training = begun()
    before = [room[-TAIL:].copy() for room in training.play.played]
    training.play.play(training.net, training._luck(1))
    for old, room in zip(before, training.play.played, strict=True):
        assert (room[:TAIL] == old).all()


def test_nothing_is_learned_from_the_tail_nor_from_what_was_played_of_other_settings():
    training = begun()
    play = training.play
    play.play(training.net, training._luck(1))
    everything = np.ones(play.played.over.shape, bool)
    known = play.known(everything.copy())
    assert not known[:TAIL].any(), "games that have just been dealt"
    assert not known[-TAIL:].any()
    known = play.known(everything.copy())
    assert known[:-TAIL].all()
    for lesson in range(1, DRAWN_ANEW + 1):
        play.redraw(lesson)
    (fresh,) = (group for group in play.groups if group.new)
    known = play.known(everything.copy())
    assert not known[:TAIL, fresh.rows].any()
    assert known[TAIL:-TAIL].all()


def test_a_setting_that_is_drawn_anew_leaves_nothing_behind():
    training = begun()
    told, play = training.layout, training.play
    for lesson in range(0, 6 * DRAWN_ANEW + 1, DRAWN_ANEW):
        play.redraw(lesson)
        play.play(training.net, training._luck(lesson))
        for group in play.groups:
            own = {*told.columns_of(group.setting), *told.constants_of(group.setting)}
            others = [i for i in range(len(told.columns)) if i not in own]
            assert not play.played.seen[TAIL:, group.rows][:, :, others].any()
            assert play.played.seen[TAIL:, group.rows][:, :, told.constants_of(group.setting)].all()


def test_half_of_the_games_are_as_published_and_all_numbers_of_players_are_learned():
    scope = Scope(GAME, None, {}, 0.5)
    settings = scope.settings(16, random.Random(1))
    usual, drawn = settings[:8], settings[8:]
    assert [one.players for one in usual] == [2, 3, 4, 5] * 2
    assert not any(one.options for one in usual)
    assert len({tuple(one.options.items()) for one in drawn}) > 4
    assert scope.covers() == [[2, "any"], [3, "any"], [4, "any"], [5, "any"]]


@pytest.mark.parametrize(
    ("given", "covers"),
    [
        ((3, {}, 0.5), [[3, "any"]]),
        ((3, {}, 1.0), [[3, {}]]),
        ((None, {}, 1.0), [[2, {}], [3, {}], [4, {}], [5, {}]]),
        ((2, {"chips": "3"}, 0.5), [[2, {"chips": "3"}]]),
    ],
)
def test_players_options_and_a_share_narrow_what_is_learned(given, covers):
    scope = Scope(GAME, *given)
    assert scope.covers() == covers
    for one in scope.settings(8, random.Random(1)):
        assert any(one.players == n and options in ("any", one.options) for n, options in covers)


def test_who_plays_alone_has_the_options_that_this_takes():
    scope = Scope(games.find("magnate"), None, {}, 1.0)
    assert scope.covers() == [
        [1, {"automa": "easy"}],
        [2, {}],
        [1, {"automa": "hard"}],
        [2, {}],
    ]


def test_a_setting_that_cannot_be_is_refused():
    with pytest.raises(Refused, match="is for 2 to 5 players, not 9"):
        Scope(GAME, 9, {}, 0.5)
    with pytest.raises(Refused, match="chips"):
        Scope(GAME, None, {"chips": "1000"}, 0.5)


@pytest.mark.wide
@pytest.mark.parametrize("case", FEW, ids=str)
def test_every_case_of_the_contract_can_be_learned(case):
    options = dict(case.options)
    training = begun(games.find(case.name), Processor(), players=case.players, options=options)
    training.advance()
    assert {group.setting.players for group in training.play.groups} == {case.players}
    assert np.isfinite(training.flat).all(), keywords(case)
