"""A batch goes on alike: copied, pickled, over several threads, and as games are dealt again."""

import copy
import pickle

import numpy as np
import pytest

from yegg import envs, games
from yegg.engine import Match, Refused
from yegg.engine.dice import seeds
from yegg.envs.single import Single
from yegg.observations.setting import setting

ARRAYS = ("actor", "masks", "observations", "rewards", "terminated", "truncated", "sampled")


def alike(one, other):
    """Whether two batches tell the same."""
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301
def test_a_copy_goes_on_alike_and_by_itself(twin):
    batch = envs.batch("second-story", games=5, seed=3)
    batch.play_at_random(20)
    other = twin(batch)
    assert alike(batch, other)
    batch.play_at_random(30)
    assert not alike(batch, other)
    other.play_at_random(30)
    assert alike(batch, other)


def test_a_deck_of_ones_own_stays_with_a_copy_and_is_not_pickled_as_another(tmp_path):
    text = (games.find("thiefs-market").folder / "cards.csv").read_text()
    path = tmp_path / "own.csv"
    path.write_text(text.replace("Alchemical Lab,A,,RR", "Alchemical Lab,A,,RRR"))
    own = setting("thiefs-market", cards=path)
    assert own.game.cards.startswith("own ")
    assert copy.deepcopy(own) is own
    with pytest.raises(Refused, match="cannot be pickled"):
        pickle.dumps(own)


def test_a_single_game_is_copied_with_its_record():
    single = Single(setting("second-story"), seed=4, on_illegal="lose")
    single.play_at_random(12)
    for twin in (copy.deepcopy(single), pickle.loads(pickle.dumps(single))):  # noqa: S301
        assert twin.record() == single.record()
        twin.act(-1)
        assert twin.illegal[0]
        assert not single.over


def test_threads_change_nothing():
    one = envs.batch("second-story", games=31, seed=3)
    three = envs.batch("second-story", games=31, seed=3, threads=3)
    for _ in range(200):
        assert alike(one, three)
        one.step()
        three.step()


def test_what_is_written_depends_on_nothing_that_is_not_asked_for():
    whole = envs.batch("second-story", games=7, seed=3, observe="float32")
    bits = envs.batch("second-story", games=7, seed=3, observe="int8", masks="bits")
    high = np.round(1 / whole.setting.scale)
    for _ in range(100):
        assert np.array_equal(np.round(whole.observations * high), bits.observations)
        bytes_ = bits.masks.view(np.uint8)
        spread = np.unpackbits(bytes_, axis=1, count=whole.masks.shape[1], bitorder="little")
        assert np.array_equal(spread, whole.masks)
        whole.step()
        bits.step()


def test_the_three_ways_to_deal_again_tell_of_the_same_games():
    made = {
        mode: envs.batch("second-story", games=3, seed=8, autoreset=mode, chips=3)
        for mode in ("same-step", "next-step", "disabled")
    }
    told = {mode: ends(batch, mode) for mode, batch in made.items()}
    assert told["same-step"] == told["next-step"] == told["disabled"]


def ends(batch, mode):
    """The first four ends of each game: rewards, and what was seen last."""
    found = [[] for _ in range(3)]
    while min(map(len, found)) < 4:
        batch.step()
        over = batch.terminated.copy()
        last = batch.final_observations if mode == "same-step" else batch.observations
        for game in np.flatnonzero(over):
            found[game].append((batch.rewards[game].tolist(), last[game].tobytes()))
        if mode == "disabled" and over.any():
            batch.reset(which=over)
    return [of[:4] for of in found]


def test_a_place_goes_on_with_the_next_games_of_its_seed():
    batch = envs.batch("second-story", games=2, seed=5, record=True, chips=3, autoreset="next-step")
    for number in range(3):
        while not batch.terminated[1]:
            batch.step()
        history, match = batch.match(1).history, Match("second-story", 3, {"chips": "3"})
        dice = seeds(6, number, 1, 1)[0, 0]
        match.to_decision(dice)
        while not match.over:
            match.play(history[len(match.history)])
            match.to_decision(dice)
        assert match.history == history
        batch.step()


def test_memory_stays_as_it_is():
    batch = envs.batch("second-story", games=8, record=True, max_events=2000)
    size = sum(array.nbytes for array in batch._arrays.values())
    batch.play_at_random(3000)
    assert sum(array.nbytes for array in batch._arrays.values()) == size


def test_bots_play_inside_and_agents_are_asked_in_turn():
    batch = envs.batch("second-story", games=6, players=3, seats="in-turn", seed=1)
    assert (batch.actor == 0).all()
    seats = [set() for _ in range(6)]
    for _ in range(400):
        batch.step()
        for game in range(6):
            seats[game].add(int(batch.actor[game]))
    assert all(seat == {0, 1, 2} for seat in seats)


def test_games_are_cut_off():
    batch = envs.batch("second-story", games=3, max_decisions=5, autoreset="disabled")
    for _ in range(5):
        assert not batch.truncated.any()
        batch.step()
    assert batch.truncated.all()
    assert not batch.terminated.any()
    assert not batch.rewards.any()


@pytest.mark.parametrize("masks", ["bytes", "bits"])
@pytest.mark.parametrize("mode", ["next-step", "disabled"])
def test_a_game_that_is_over_allows_action_0_which_is_ignored(mode, masks):
    """So a softmax never meets an empty row."""
    batch = envs.batch("secrets", games=3, max_decisions=4, autoreset=mode, masks=masks, seed=1)
    for _ in range(4):
        batch.step()
    assert batch.truncated.all()
    assert (batch.masks[:, 0] == 1).all()
    assert not batch.masks[:, 1:].any()
    before = batch.observations.copy()
    batch.step([0, 0, 0])
    assert batch.truncated.all() == (mode == "disabled")
    assert not batch.illegal.any()
    assert np.array_equal(batch.observations, before) == (mode == "disabled")


@pytest.mark.parametrize("mode", ["same-step", "next-step", "disabled"])
def test_many_steps_at_once_are_those_one_by_one(mode):
    one = envs.batch("second-story", games=9, seed=3, autoreset=mode, chips=3)
    other = envs.batch("second-story", games=9, seed=3, autoreset=mode, chips=3)
    for rounds in range(1, 40):
        one.play_at_random(rounds)
        for _ in range(rounds):
            other.step()
        assert alike(one, other)


def with_another(batch, name, change):
    """A pickled batch with one array changed, as it is read back."""
    again, (kind, setting, wishes, arrays) = batch.__reduce__()
    change(arrays[name])
    return again(kind, setting, wishes, arrays)


def all_bits(bits):
    bits[2] = 2**17 - 1  # every action that there is


def three_chips(states):
    states[1] = envs.batch("second-story", games=1, chips=3).states[0]


def another_seat(actor):
    actor[0] = (actor[0] + 1) % 3


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("bits", all_bits, "what the rules do not allow"),
        ("actor", another_seat, "what the rules do not allow"),
        ("states", three_chips, "of another setting"),
    ],
)
def test_a_batch_from_outside_that_would_play_by_other_rules_is_refused(name, change, said):
    batch = envs.batch("second-story", games=4, seed=2)
    batch.play_at_random(25)
    assert alike(with_another(batch, name, lambda array: None), batch)
    with pytest.raises(Refused, match=said):
        with_another(batch, name, change)
