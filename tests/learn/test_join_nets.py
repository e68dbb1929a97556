"""Two nets in one: `scripts/join_nets.py`."""

import join_nets
import numpy as np
import pytest

from yegg import games
from yegg.engine import Refused
from yegg.envs.batches import Batch
from yegg.observations.layout import layout
from yegg.observations.setting import setting
from yegg.players.policy_net.card import card
from yegg.players.policy_net.forward import for_setting, forward
from yegg.players.policy_net.weights import PolicyWeights, identity, load, save, shapes

GAME = games.find("thiefs-market")
SPECIAL = [[3, {}]]


def net(units, seed):
    """Any net; it counts columns in deviations of its own."""
    dice = np.random.default_rng(seed)
    made = {
        name: dice.normal(0, 0.3, shape).astype(np.float32)
        for name, shape in shapes(GAME, units).items()
    }
    columns = len(layout(GAME).columns)
    made["mean"] = dice.random(columns).astype(np.float32) / 4
    made["scale"] = (1 + dice.random(columns)).astype(np.float32)  # too wide to be cut
    return PolicyWeights(**made)


FIRST, SECOND = net(12, 1), net(9, 2)


def answers(weights, one):
    """Log probabilities and values in some positions of a setting."""
    batch = Batch(one, games=32, seed=3, autoreset="disabled", sample=False)
    found = []
    for _ in range(12):
        seen, legal = batch.observations, batch.masks > 0
        logits, values, _ = forward(np, for_setting(weights, one), seen, legal)
        found.append(np.concatenate([np.where(legal, logits, 0), values[:, None]], axis=1))
        batch.step(legal.argmax(1).astype(np.int32))
    return np.concatenate(found)


@pytest.mark.parametrize(
    ("players", "options", "asked"),
    [
        (3, {}, SECOND),
        (4, {}, FIRST),
        (5, {}, FIRST),
        (3, {"promos": "yes"}, FIRST),
    ],
)
def test_each_answers_in_its_own_settings_alone(players, options, asked):
    both = join_nets.joined(GAME, FIRST, SECOND, SPECIAL)
    one = setting(GAME, players, **options)
    assert answers(both, one) == pytest.approx(answers(asked, one), abs=1e-3)


def test_the_file_says_what_was_joined(tmp_path):
    for name, weights, covered in ("a", FIRST, [[3, "any"], [4, "any"]]), ("b", SECOND, SPECIAL):
        about = identity(GAME, len(weights.b1)) | {"covers": covered, "course": {}}
        save(tmp_path / name, about, weights)
    join_nets.main([GAME.name, *(str(tmp_path / name) for name in ("a", "b", "both"))])
    about, weights = load(GAME, tmp_path / "both")
    assert len(weights.b1) == 12 + 9 + 2
    assert about["covers"] == [[3, "any"], [4, "any"]]
    told = card(GAME, about, tmp_path / "both")
    assert "a net of 9 units, which plays with 3 players, the published rules" in told


def test_what_the_first_net_does_not_cover_is_refused(tmp_path):
    for name, covered in ("a", [[4, "any"]]), ("b", SPECIAL):
        save(tmp_path / name, identity(GAME, 12) | {"covers": covered, "course": {}}, FIRST)
    with pytest.raises(Refused, match="does not cover"):
        join_nets.main([GAME.name, *(str(tmp_path / name) for name in ("a", "b", "both"))])


@pytest.mark.parametrize("settings", [[[3, "any"]], [[3, {}], [4, {"promos": "yes"}]]])
def test_the_second_net_plays_by_the_same_options_wherever_it_does(settings):
    with pytest.raises(Refused, match="the same options alone"):
        join_nets.joined(GAME, FIRST, SECOND, settings)
