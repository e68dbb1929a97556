"""Many games side by side: each is a game of the engine, and told as the engine has it."""

import io

import numpy as np
import pytest
from cases import ALL, EACH, FEW

from yegg import envs, games
from yegg.engine import Match, Refused, notation
from yegg.envs.batches import Batch
from yegg.envs.setting import setting
from yegg.envs.single import Single


def made(case, **wishes):
    """A batch of a case, its games kept as records and not dealt again."""
    options = {name.replace("-", "_"): value for name, value in case.options}
    kept = {"record": True, "autoreset": "disabled", "games": 3, "seed": 5}
    return Batch(setting(case.name, case.players, **options), **(kept | wishes))


def played(batch, most=4000):
    """Play at random to the end of all games; yield before each step."""
    for step in range(most):
        yield step
        if (batch.terminated | batch.truncated).all():
            return
        batch.step()


WIDE = [pytest.param(c, marks=() if c in FEW else pytest.mark.wide, id=str(c)) for c in ALL]


@pytest.mark.parametrize("case", WIDE)
def test_a_game_of_a_batch_replays_and_its_masks_are_the_legal_choices(case):
    batch = made(case)
    low, high = batch.setting.bounds()
    for step in played(batch):
        assert (batch.observations >= low).all()
        assert (batch.observations <= high).all()
        if step % 37 == 0:
            for game in range(3):
                match = batch.match(game)
                assert match.states.tobytes() == batch.states[game : game + 1].tobytes()
                if not match.over:
                    seat = batch.actor[game]
                    legal = batch.setting.choices[seat, np.flatnonzero(batch.masks[game])]
                    assert (match.actor, match.choices) == (seat, sorted(legal))
    match = batch.match()
    text = io.BytesIO(batch.record().encode())
    again = notation.read(text, "a batch", games.find)
    assert again.states.tobytes() == batch.states[:1].tobytes()
    shares = [(place == 1) / match.places.count(1) for place in match.places]
    sides = len(shares)
    wanted = [(sides * share - 1) / (sides - 1) for share in shares][: case.players]
    assert batch.rewards[0] == pytest.approx(wanted)


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("seed", [0, 7, 2**40])
def test_the_same_seed_is_the_same_game_as_a_match(name, seed):
    single = Single(setting(name), seed=seed)
    match = Match(name, single.setting.players, seed=seed)
    for _ in range(300):
        match.to_decision()
        assert match.states.tobytes() == single.states.tobytes()
        if match.over:
            break
        action = int(single.sampled[0])
        match.play(int(single.setting.choices[match.actor, action]))
        single.act(action)


def test_columns_have_names_of_their_own():
    for case in ALL:
        columns = made(case, games=1).setting.columns
        assert len(set(columns)) == len(columns)


def test_arrays_are_the_same_memory_to_whoever_reads_dlpack():
    batch = envs.batch("second-story", games=4)
    for array in (batch.observations, batch.masks, batch.rewards, batch.actor):
        shared = np.from_dlpack(array)
        assert np.shares_memory(shared, array)
        before = array.ctypes.data
        batch.step()
        assert array.ctypes.data == before
        assert (shared == array).all()


def test_what_cannot_be_is_refused():
    with pytest.raises(Refused, match="has no option 'corts'"):
        envs.batch("magnate", corts="yes")
    with pytest.raises(Refused, match="thinks between"):
        envs.batch("magnate", bot="hard", seats=0)
    with pytest.raises(Refused, match="before games are truncated"):
        envs.batch("second-story", games=2, max_events=1)
