"""Many games side by side: each is a game of the engine, and told as the engine has it."""

import hashlib
import io

import numpy as np
import pytest
from environments import EVERY, keywords
from programs import python

from yegg import envs, games
from yegg.contract.cases import ALL, EACH
from yegg.engine import Match, Refused, cuda, notation
from yegg.engine.columns import Code, Number
from yegg.envs.batches import Batch
from yegg.envs.single import Single
from yegg.games.second_story.state import Choice
from yegg.observations.columns import Columns
from yegg.observations.setting import setting
from yegg.parts.decktet import SLUGS


def made(case, **wishes):
    """A batch of a case, its games kept as records and not dealt again."""
    kept = {"record": True, "autoreset": "disabled", "games": 3, "seed": 5}
    return Batch(setting(case.name, **keywords(case)), **(kept | wishes))


def played(batch, most=4000):
    """Play at random to the end of all games; yield before each step."""
    for step in range(most):
        yield step
        if (batch.terminated | batch.truncated).all():
            return
        batch.step()


@pytest.mark.parametrize("case", EVERY)
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
        columns = setting(case.name, **keywords(case)).columns
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


def test_a_card_is_refused_in_a_sentence_where_there_is_none(monkeypatch):
    monkeypatch.setattr(cuda, "find_spec", lambda name: None)
    with pytest.raises(
        Refused, match=r"needs numba-cuda: install .* \(pip install \"yegg\[cuda\]\"\)"
    ):
        envs.batch("second-story", device="cuda")
    with pytest.raises(Refused, match="device can be cpu or cuda, not 'tpu'"):
        envs.batch("second-story", device="tpu")
    with pytest.raises(Refused, match=r'only a batch on a card .* device="cuda"'):
        envs.batch("second-story", layout="columns")


def test_nothing_of_a_card_is_imported_until_it_is_asked_for():
    asked = "import sys; before = set(sys.modules); "  # what packages have let Python load
    asked += "from yegg import envs; envs.batch('second-story', 2).step(); "
    done = python(
        "-c", asked + "print([m for m in sys.modules if 'cuda' in m and m not in before])"
    )
    assert done.stdout == "['yegg.engine.cuda']\n", done.stderr


def test_an_action_means_the_same_to_every_seat():
    """Who is stolen from is told from one's own seat; all else is the same choice for all."""
    there = setting("thiefs-market", 4)
    steal = int(there.game.rules.Choice.STEAL)
    mine = there.actions[0, steal + 1]  # from the next player, as the first seat says it
    assert [there.choices[seat, mine] - steal for seat in range(4)] == [1, 2, 3, 0]
    others = np.delete(there.choices, there.actions[0, steal : steal + 4], axis=1)
    assert (others == others[0]).all()
    for seat in range(4):
        assert (there.actions[seat, there.choices[seat]] == np.arange(there.choices.shape[1])).all()


def test_seats_are_told_from_ones_own():
    """Two seats with the same chips see the same of themselves, each first."""
    single = Single(setting("second-story", 3), seed=2)
    lair = [i for i, name in enumerate(single.setting.columns) if name.startswith("lair[")]
    single.states["lair"][0, :3] = np.arange(18).reshape(3, 6)
    high = 1 / single.setting.scale[lair]
    for seat in range(3):
        seen = np.round(single.observe(seat)[lair] * high).reshape(3, 6)
        assert (seen == np.roll(np.arange(18).reshape(3, 6), -seat, axis=0)).all()


def test_columns_are_refused_that_cannot_be():
    there = setting("second-story", 2)
    dtype = there.dealt.dtype
    with pytest.raises(ValueError, match="columns of one name: phase=b"):
        Columns(dtype, {"turn": Code(["a"]), "phase": Code(["b", "b"])}, 2)
    with pytest.raises(ValueError, match="lair has 2 axes, and 0 are named"):
        Columns(dtype, {"lair": Number()}, 2)


def test_an_action_that_is_not_legal_loses_and_the_others_share():
    batch = envs.batch("second-story", games=3, players=3, autoreset="disabled")
    actions, actor = batch.sampled.astype(np.int64), batch.actor.copy()
    actions[0], actions[1] = -1, actions[1] + 2**32
    batch.step(actions)
    assert batch.illegal.tolist() == [True, True, False]
    assert batch.terminated.tolist() == [True, True, False]
    for game in (0, 1):
        assert batch.rewards[game, actor[game]] == -1
        assert batch.rewards[game].sum() == 0
    before = batch.states.tobytes()
    batch.step(actions * 0 - 1)
    assert batch.states[:2].tobytes() == before[: 2 * batch.states.itemsize]


AS_IT_WAS = {
    "Magnate-v2": "76083370572093ea",
    "SecondStory-v3": "b1f873e24fc5eb54",
    "Secrets-v2": "0c0f78d76906b8f7",
    "ThiefsMarket-v2": "dbbbb84a4bd1c768",
}
"""A digest of each environment: what columns are called, how they are scaled, what actions mean."""


def test_second_storys_plans_and_last_turns_have_columns_of_their_own():
    one = setting("second-story")
    batch = Batch(one, games=64, seed=5)
    plans = [choice for choice in Choice if Choice.THOROUGH <= choice <= Choice.ALL_FLATS]
    at = {name: i for i, name in enumerate(one.columns)}
    planned = 0
    for _ in range(60):
        for state, row in zip(batch.states, batch.observations, strict=True):
            told = [plan for plan in plans if row[at[f"plan={plan.name.lower()}"]]]
            assert told == [plan for plan in plans if plan == state["plan"]]
            assert row[at[f"last_turns={state['last_turns']}"]] == 1
            pile = {SLUGS[card] for card in state["pile"][: state["face_down"]]}
            assert pile == {slug for slug in SLUGS if row[at[f"pile[{slug}]"]]}
            planned += len(told)
        batch.step(batch.sampled)
    assert planned


def test_an_environment_of_one_number_stays_as_it_is():
    found = {}
    for name in games.names():
        digest = hashlib.sha256()
        for players in games.find(name).players:
            options = {"automa": "easy"} if players == 1 else {}
            there = setting(name, players, **options)
            digest.update(repr(there.columns).encode())
            digest.update(there.scale.tobytes() + there.choices.tobytes())
        found[there.name] = digest.hexdigest()[:16]
    assert found == AS_IT_WAS, "raise the game's version: its environments are others now"
