"""A whole training: it learns, a seed gives one net, teachers are listened to."""

import json
from pathlib import Path

import numpy as np
import pytest
from programs import lay, python

from yegg.engine import Refused, game
from yegg.players.policy_net.forward import forward
from yegg.players.policy_net.weights import covers, load
from yegg.training.device import Processor, device
from yegg.training.trainer import BOTS, TrainingPlan

from .courses import GAME, LESSON, as_bytes, begun, learned
from .urns import URNS

EXAMPLES = Path(__file__).parents[2] / "examples" / "learn"
MINIATURE = {
    "players": 2,
    "options": {"chips": "3"},
    "games": 64,
    "step": 512,
    "units": 16,
    "rate": 0.01,
    "decisions": 150_000,
}


@pytest.mark.wide
def test_a_miniature_is_learned():
    """Two players, even 50 %; nobody knows anything yet, and then nearly all there is."""
    training = begun(**MINIATURE)
    before = training.meet(600)
    while training.share < 1:
        training.advance()
    after = training.meet(600)
    assert before["uniform"][2] < 0.45, "a net that knows nothing goes on until it is caught"
    assert after["uniform"][1] > 0.58
    assert after["greedy"][1] > 0.42
    assert after["entropy"] < before["entropy"] + 0.6
    assert training.curve == [before, after]


def test_the_same_seed_gives_the_same_bytes_and_another_others(tmp_path):
    files = tmp_path / "one.npz", tmp_path / "again.npz"
    for file in files:
        learned().finish(file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert as_bytes(learned(seed=2)) != as_bytes(learned(seed=3))


def test_it_makes_no_difference_how_many_cores_there_are():
    class OneAfterTheOther(Processor):
        def each(self, work, parts):
            return [work(part) for part in parts]

    assert as_bytes(learned(device=OneAfterTheOther())) == as_bytes(learned())


def test_players_find_in_the_file_what_was_learned(tmp_path):
    training = learned()
    told = training.finish(tmp_path / "net.npz")
    about, net = load(GAME, tmp_path / "net.npz")
    assert about == json.loads(json.dumps(told))
    assert about["course"]["decisions"] == about["course"]["learned_from"] == 8 * LESSON
    assert covers(about, 5, {"chips": "9"})
    for group in training.play.groups:
        group.show(training.play.played, 0)
    seen, legal = training.play.played.seen[0], training.play.played.legal[0]
    wanted, worth, _ = forward(np, training.net, seen, legal)
    found, value, _ = forward(np, net, seen * training._high, legal)
    assert np.exp(found) == pytest.approx(np.exp(wanted), abs=0.01)
    assert value == pytest.approx(worth, abs=0.01)


def test_what_does_not_change_in_a_game_counts_as_0_or_1():
    training = learned()
    own = len(training.layout.widest.columns)
    assert (training.mean[own:] == 0).all()
    assert (training.scale[own:] == 1).all()
    assert (training.scale[:own] != 1).all()


@pytest.fixture(scope="module")
def teacher(tmp_path_factory):
    """The file of a net that plays two-player games with three chips, and has its own units."""
    path = tmp_path_factory.mktemp("teacher") / "net.npz"
    learned(**MINIATURE | {"decisions": 60_000}).finish(path)
    return path


def test_who_is_taught_plays_like_the_teacher_before_it_has_won_anything(teacher):
    given = MINIATURE | {"decisions": 300_000, "units": 8}
    training = begun(teachers=(str(teacher),), **given)
    while training.share < training.course.teaching:
        assert training.play.taught
        training.advance()
    assert training.meet(600)["uniform"][1] > 0.58
    seen, legal = training.play.played.seen[0], training.play.played.legal[0]
    wanted, worth, _ = forward(np, training._as_played(load(GAME, teacher)[1]), seen, legal)
    found, value, _ = forward(np, training.net, seen, legal)
    assert np.abs(np.exp(found) - np.exp(wanted)).mean() < 0.02
    assert np.abs(value - worth).mean() < 0.1
    training.advance()
    assert training.play.taught is None
    assert training.about()["course"]["teachers"] == ("net.npz",)


def test_a_teacher_can_be_listened_to_to_the_end(teacher):
    training = begun(teachers=(str(teacher),), teaching=1.0, **MINIATURE | {"decisions": 9_000})
    while training.share < 1:
        training.advance()
    assert training.play.taught


def test_games_of_other_settings_than_the_teachers_are_learned_from_all_the_same(teacher):
    taught = begun(teachers=(str(teacher),), players=2, decisions=100 * LESSON)
    assert not taught.play.has_teacher().any(), "published games have nine chips"
    before = taught.flat.copy()
    taught.advance()
    taught.advance()
    assert (taught.flat != before).any()


def test_a_net_can_begin_with_what_another_has_learned(teacher):
    training = begun(begin_with=str(teacher), **MINIATURE)
    assert training.meet(600)["uniform"][1] > 0.55
    assert training.about()["course"]["begin_with"] == "net.npz"
    with pytest.raises(Refused, match="has 16 units in a layer, not 8"):
        begun(begin_with=str(teacher), **MINIATURE | {"units": 8})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"units": 0}, "how many units"),
        ({"games": 0}, "how many games"),
        ({"steps": 8}, "decisions of a lesson"),
        ({"decisions": None}, "some minutes, or some decisions"),
        ({"published": 2}, "from 0 to 1"),
    ],
)
def test_a_course_that_cannot_be_is_refused(wrong, said):
    with pytest.raises(Refused, match=said):
        TrainingPlan(**{"decisions": 1} | wrong).check()


def test_a_device_that_is_not_there_is_refused():
    with pytest.raises(Refused, match="cpu or cuda"):
        device("tpu")


def test_every_bot_is_met_in_each_seat_equally_often():
    training = begun(players=3)
    point = training.meet(30)
    assert all(low <= value <= high for value, low, high in (point[bot] for bot in BOTS))


@pytest.mark.wide
def test_the_example_runs(tmp_path):
    text = (EXAMPLES / "ppo.py").read_text(encoding="utf-8")
    assert "3_000_000" in text
    (tmp_path / "ppo.py").write_text(text.replace("3_000_000", "1_000_000"), encoding="utf-8")
    done = python("ppo.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "'uniform'" in done.stdout
    assert load(GAME, tmp_path / "policy.npz")[0]["covers"] == [[3, {}]]


@pytest.fixture
def urns(tmp_path, monkeypatch):
    """A game that is found as games of other packages are."""
    lay(tmp_path / "urns", URNS)
    monkeypatch.syspath_prepend(tmp_path)
    there = game.packages() | {"urns": "urns"}
    monkeypatch.setattr(game, "packages", lambda: there)
    return game.find("urns")


@pytest.mark.wide
def test_values_that_are_known_are_learned_in_a_game_that_lists_no_columns(urns):
    """A good urn is worth three wins in four, a bad one one; the buttons do the same."""
    training = learned(urns, published=1.0, games=256, step=512, rate=0.02, decisions=200_000)
    assert training.play.observe == "float32"
    for group in training.play.groups:
        group.show(training.play.played, 0)
    played = training.play.played
    logits, values, _ = forward(np, training.net, played.seen[0], played.legal[0])
    good = np.concatenate([group.batch.states["good"] for group in training.play.groups])
    assert set(good) == {0, 1}
    for urn, share in ((0, 0.25), (1, 0.75)):
        assert (values[good == urn] + 1) / 2 == pytest.approx(share, abs=0.05)
    assert np.exp(logits[played.legal[0]]) == pytest.approx(0.5, abs=0.15)
