"""Make one policy net of two: one plays in the settings that it has learned, the other elsewhere.

    python scripts/join_nets.py thiefs-market general.npz three-players.npz joined.npz

The second net has learned a few settings well, the first one many.  The joined net is an ordinary
one with the units of both: in the settings of the second it answers as that does, in all others as
the first.  The units of the net that is not asked are held below 0, where they give nothing.
"""

import argparse
from pathlib import Path

import numpy as np

from yegg.engine import Refused
from yegg.games import find
from yegg.observations.layout import keywords, layout
from yegg.observations.setting import setting
from yegg.players.policy_net.weights import (
    ANY,
    FAR,
    PolicyWeights,
    covers,
    identity,
    load,
    save,
)

CLOSED = 4096.0
"""What holds a unit below 0: far more than any of a net's sums, and exact as a float16."""


def closing(game, settings):
    """The columns of which one is 1 wherever the game is none of these settings.  Raises Refused.

    ``settings``: numbers of players, each with its options, as a net's file says what it covers.
    """
    told, ways = layout(game), [options for _, options in settings]
    if ANY in ways or any(options != ways[0] for options in ways):
        raise Refused("the second net must cover numbers of players by the same options alone")
    chosen = game.setup(settings[0][0], ways[0])
    names = [f"players={n}" for n in told.settings if n not in [n for n, _ in settings]]
    for name, made in game.options.items():
        names += [f"{name}={v}" for v in made.values if made.code(v) != chosen[name]]
    return [told.place[name] for name in names]


def counted_as(game, net, mean, scale):
    """The first layer, weights and biases, for columns in other deviations than the net's own.

    It is the same at two values of each column, the whole numbers about the mean.  So it is exact
    for columns that are 0 or 1, and for any other but where one of the two cuts deviations.
    """
    unit = layout(game).scale[:-1].astype(np.float64)
    low = np.floor(np.minimum(mean, 1 - unit) / unit) * unit
    (was, then), (now, soon) = (
        [((x - m) * s).clip(-FAR, FAR) for x in (low, low + unit)]
        for m, s in ((net.mean, net.scale), (mean, scale))
    )
    slope = (then - was) / (soon - now)
    return net.w1 * slope[:, None], net.b1 + (was - slope * now) @ net.w1


def joined(game, first, second, settings):
    """The weights of one net, float64; ``settings`` are those of the second.  Raises Refused."""
    columns = closing(game, settings)
    told = layout(game)
    seen = [told.columns_of(setting(game, n, **keywords(ways))) for n, ways in settings]
    as_first = first.scale < second.scale  # its deviations are cut later
    as_first |= ~np.isin(np.arange(as_first.size), np.concatenate(seen))
    mean, scale = (np.where(as_first, *both) for both in zip(first[-2:], second[-2:], strict=True))
    constant = np.arange(mean.size) >= len(told.widest.columns)
    mean[constant], scale[constant] = 0, 1
    m, n = len(first.b1), len(second.b1)
    units = m + n + 2
    one, two = slice(0, m), slice(m, m + n)
    asked, away = m + n, m + n + 1  # units: 1 or more where the second is asked, and where not
    w1, b1 = np.zeros((mean.size, units)), np.zeros(units)
    w1[:, one], b1[one] = counted_as(game, first, mean, scale)
    w1[:, two], b1[two] = counted_as(game, second, mean, scale)
    w1[columns, two] = -CLOSED
    w1[columns, asked], b1[asked] = -1, 1
    w1[columns, away] = 1
    w2, b2 = np.zeros((units, units)), np.zeros(units)
    w2[one, one], b2[one], w2[asked, one] = first.w2, first.b2, -CLOSED
    w2[two, two], b2[two], w2[away, two] = second.w2, second.b2, -CLOSED
    w2[asked, asked], w2[asked, away], b2[away] = 1, -1, 1
    heads = []
    for a, a0, b, b0 in (
        (first.w3, first.b3, second.w3, second.b3),
        (first.w4, first.b4, second.w4, second.b4),
    ):
        heads += [np.concatenate([a, b, b0[None], a0[None]]), np.zeros_like(a0)]
    return PolicyWeights(w1, b1, w2, b2, *heads, mean, scale)


def main(words=None):
    """Read two nets and write one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("first", type=Path, help="the net for all other settings")
    parser.add_argument("second", type=Path, help="the net for a few settings")
    parser.add_argument("out", type=Path)
    asked = parser.parse_args(words)
    game = find(asked.game)
    (about, first), (other, second) = (load(game, path) for path in (asked.first, asked.second))
    if lacks := [one for one in other["covers"] if not covers(about, one[0], one[1])]:
        raise Refused(f"{asked.first} does not cover what {asked.second} does: {lacks}")
    net = joined(game, first, second, other["covers"])
    part = {name: other[name] for name in ("units", "covers", "course")}
    said = {"joined": [*about.get("joined", ()), part]}
    save(asked.out, about | said | identity(game, len(net.b1)), net)


if __name__ == "__main__":
    main()
