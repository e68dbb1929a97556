"""A card that is too strong is found by forks, and its effect is the true one."""

import numpy as np
import pytest

from yegg import games
from yegg.engine.figures import average
from yegg.lab.evidence import p_value
from yegg.lab.forking import fork_from, forked
from yegg.lab.habits import words
from yegg.lab.sim import Setting, run

GAMES, AT_ONCE = 3000, 50
CARD, PRICE, POINTS = "alchemical-lab", "RRW", 5


def deck_with(folder, points):
    """The published cards, but one does nothing, costs more, and is worth so many points."""
    game = games.find("thiefs-market")
    lines = (game.folder / "cards.csv").read_text().splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith(f"{CARD},")]
    lines[at] = f"{CARD},Alchemical Lab,A,,{PRICE},finery,{points},"
    path = folder / f"worth-{points}.csv"
    path.write_text("\n".join(lines) + "\n")
    return game.with_cards(path)


def owners_share(game, batch):
    """By game the share of the win of whoever has the card; -1 where nobody has."""
    owner = np.asarray(batch.counts)[:, list(game.part("tally").COLUMNS).index(OWNER)]
    own = batch.shares[np.arange(len(owner)), np.maximum(owner - 1, 0)]
    return np.where(owner > 0, own, -1)


OWNER = "owner_" + CARD.replace("-", "_")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """By points: what forks say of buying the card, game by game, and its owners' shares."""
    made = {}
    for points in (POINTS, 0):
        game = deck_with(tmp_path_factory.mktemp("deck"), points)
        here = Setting(game, 4, {}, ["uniform"] * 4, 7, course=True, lots=True)
        fork = fork_from({"where": f"buy {CARD}"}, words(game, 4, ()))
        apart, owners = [], []
        for first in range(0, GAMES, AT_ONCE):
            batch = run(here, first, AT_ONCE, log=True)
            rows = [(deal, 0) for deal in range(first, first + AT_ONCE)]
            table = forked(here, fork, batch, here.dice(first, AT_ONCE), rows, (here.lineup, []))
            if table is not None:
                shares, chosen = table["mover_share"].to_numpy(), table["made"].to_numpy()
                apart.append(shares[chosen] - shares[~chosen])
            owners.append(owners_share(game, batch))
        made[points] = np.concatenate(apart), np.concatenate(owners)
    return made


@pytest.mark.wide
def test_a_planted_card_is_found(found):
    apart, _ = found[POINTS]
    assert len(apart) > 300
    assert p_value(apart) < 0.01
    assert average(apart).value > 0


@pytest.mark.wide
def test_its_effect_is_that_of_playing_the_market_with_it_and_without(found):
    # at random nobody buys for a reason, so both markets see the same games but for the points
    (planted, owned), (nothing, own) = found[POINTS], found[0]
    assert ((owned < 0) == (own < 0)).all()
    known = average((owned - own)[own >= 0])
    by_forks, without = average(planted), average(nothing)
    error = np.hypot(by_forks.high - by_forks.low, without.high - without.low) / 2
    assert (
        abs((by_forks.value - without.value) - known.value) < error + (known.high - known.low) / 2
    )
