"""A batch on a card is the processor's batch, bit for bit; in the simulator fewer steps of it."""

import io
import pickle

import numpy as np
import pytest
from environments import keywords, uneven

from yegg import envs, games
from yegg.contract.cases import ALL, FEW, NAMES
from yegg.engine import Match, Refused, cuda, notation
from yegg.envs.batches import Batch
from yegg.envs.single import Single
from yegg.observations.setting import setting

# The simulator's threads are not those that NumPy was told in: sums that overflow on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")
CASES = [pytest.param(c, marks=() if c in FEW else pytest.mark.wide, id=str(c)) for c in ALL]
MORE = [
    {"autoreset": "next-step", "masks": "bits"},
    {"autoreset": "disabled", "observe": "int8", "layout": "columns"},
    {"max_decisions": 5, "layout": "columns", "observe": "float32"},
    {"max_events": 40, "seats": "in-turn"},
    {"seats": 1, "observe": None, "sample": True},
    {"seats": [1, 0, 1], "games": 3, "seed": 2**64 - 2},
]


@pytest.mark.parametrize("case", CASES)
def test_every_array_is_the_processors(pair, case):
    pair(case.name, seed=7, **keywords(case)).check_play()


@pytest.mark.parametrize("wishes", MORE, ids=str)
@pytest.mark.parametrize(
    "name", [n if n == "secrets" else pytest.param(n, marks=pytest.mark.wide) for n in NAMES]
)
def test_so_is_it_however_it_is_played(pair, name, wishes):
    pair(name, **wishes).check_play()


@pytest.mark.parametrize("autoreset", ["same-step", "next-step", "disabled"])
def test_games_that_end_are_dealt_again_alike(pair, autoreset):
    both = pair("second-story", seed=1, autoreset=autoreset, max_decisions=12)
    ended = 0
    for step in range(30):
        both.step()
        both.check_alike(step)
        ended += int((both.one.terminated | both.one.truncated).sum())
    assert ended


def lent(actions):
    """Actions on the card."""
    return cuda.CudaArray(cuda.lifted(actions, 0))


@pytest.mark.parametrize("handed", [np.asarray, lent])
def test_actions_that_are_not_legal_lose_alike(pair, handed):
    both = pair("second-story", 3, autoreset="disabled")
    actions = both.one.sampled.astype(np.int64)
    actions[0], actions[1] = -1, actions[1] + 2**32
    both.one.step(actions)
    both.other.step(handed(actions))
    both.check_alike()
    assert both.one.illegal.tolist() == [True, True, False]
    with pytest.raises(Refused, match="an action is a whole number"):
        both.other.step([0.5, 1, 2])


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint64])
def test_actions_may_come_from_the_card(pair, kind):
    both = pair("second-story", 3)
    for _ in range(5):
        actions = both.one.sampled.astype(kind)
        both.one.step(actions)
        both.other.step(lent(actions))
    both.check_alike()
    with pytest.raises(Refused, match="one for each of 3 games"):
        both.other.step(lent(np.zeros(4, kind)))


def test_some_games_begin_anew_and_some_rounds_are_drawn_inside(pair):
    both = pair("second-story", 3, seed=4)
    both.both(lambda batch: batch.play_at_random(7))
    both.check_alike("drawn inside")
    which = np.array([True, False, True])
    both.both(lambda batch: batch.reset(seed=9, which=which))
    both.check_alike("reseeded")
    both.both(lambda batch: batch.reset(which=~which))
    both.check_alike("next games")
    both.one.reset(which=which)
    both.other.reset(which=lent(which))
    both.check_alike("marked on the card")


def test_it_goes_on_after_it_was_pickled(pair):
    both = pair("second-story", 3, layout="columns", record=True)
    both.check_play(5)
    both.other = pickle.loads(pickle.dumps(both.other))  # noqa: S301
    both.check_play(5)
    assert both.other.record(2) == both.one.record(2)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_recorded_is_a_game_of_the_plain_rules(name):
    batch = envs.batch(name, 2, device="cuda", record=True, autoreset="disabled", seed=3)
    batch.play_at_random(100)
    states = batch.states.copy_to_host()
    for game in range(2):
        match = batch.match(game)
        plain = Match(name, batch.setting.players, batch.setting.options, how="plain")
        plain.follow(match.history)
        assert len(match.history) > 80
        assert plain.states.tobytes() == states[game : game + 1].tobytes()
    text = io.BytesIO(batch.record().encode())
    again = notation.read(text, "a batch", games.find)
    assert again.states.tobytes() == states[:1].tobytes()


@pytest.mark.parametrize("name", ["magnate", "secrets"])
def test_a_seat_is_shown_what_it_may_know(name):
    batch = envs.batch(name, 3, device="cuda", record=True, seed=3)
    single = Single(batch.setting)
    for _ in range(20):
        batch.step(batch.sampled)
        shown, asked = batch.observations.copy_to_host(), batch.actor.copy_to_host()
        for game in range(3):
            known = batch.match(game).known_to(int(asked[game]))
            seen = single.observe_state(known, int(asked[game]), hidden=False)
            assert shown[game].tobytes() == seen.tobytes()


def test_chance_takes_its_ways_equally_often():
    batch = envs.batch("second-story", 12, device="cuda", record=True, autoreset="disabled", seed=6)
    batch.play_at_random(10_000)
    assert abs(uneven([batch.match(game) for game in range(12)])) < 4.5


def test_what_a_card_cannot_is_refused_before_anything_is_laid_out(monkeypatch):
    monkeypatch.setattr(cuda, "lifted", None)  # whoever lays out fails
    refused = {
        "greedy does not play on a card": {"bot": "greedy", "seats": 0},
        "hard thinks between": {"bot": "hard", "seats": 0},
        "threads are the processor's": {"threads": 2},
        "layout can be rows or columns": {"layout": "tiles"},
    }
    for why, wishes in refused.items():
        with pytest.raises(Refused, match=why):
            envs.batch("magnate", 4, device="cuda", **wishes)
    monkeypatch.setattr(cuda, "free_memory", lambda: 1e9)
    with pytest.raises(Refused, match=r"10,000,000 games need .* GB .*; [0-9,]+ would fit") as no:
        envs.batch("magnate", 10_000_000, device="cuda")
    fit = int(str(no.value).partition("; ")[2].split()[0].replace(",", ""))
    each = sum(a.nbytes for a in Batch(setting("magnate"), games=1)._arrays.values())
    assert 0.7e9 < fit * each < 1e9


def test_games_without_a_decision_are_refused():
    with pytest.raises(Refused, match="before games are truncated"):
        envs.batch("second-story", 2, device="cuda", max_events=1)
