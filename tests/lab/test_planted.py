"""A card that is too strong is found by forks, and its effect is the true one.

Chosen before any of these games was played: cards, prices, points, how many games, the seed, and
what is asked of them.  An earlier card was worth five; forks saw it with p = 0.0023 where 0.001 was
asked.  So these tests have a card that is worth ten, other dice, and ask for 0.001 again.
"""

import numpy as np
import pytest

from yegg import games
from yegg.lab.analyses.forks import ForkTable, fork_from, forked
from yegg.lab.batch import Matchup
from yegg.lab.policies.habits import words
from yegg.stats.intervals import average
from yegg.stats.p_values import p_value

from .files import played_games

GAMES, AT_ONCE, SEED = 3000, 50, 2026
CARD, PRICE, POINTS = "alchemical-lab", "RRW", 10
DEAR, MANY = "RRWB", 6000  # a harmless card that few can pay, and its games


def deck_with(folder, points, price):
    """The published cards, but one does nothing, costs more, and is worth so many points."""
    game = games.find("thiefs-market")
    lines = (game.folder / "cards.csv").read_text().splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith(f"{CARD},")]
    lines[at] = f"{CARD},Alchemical Lab,A,,{price},finery,{points},"
    path = folder / f"worth-{points}-{price}.csv"
    path.write_text("\n".join(lines) + "\n")
    return game.with_cards(path)


def owners_share(game, batch):
    """By game the share of the win of whoever has the card; -1 where nobody has."""
    owner = np.asarray(batch.counts)[:, list(game.part("tally").COLUMNS).index(OWNER)]
    own = batch.shares[np.arange(len(owner)), np.maximum(owner - 1, 0)]
    return np.where(owner > 0, own, -1)


OWNER = "owner_" + CARD.replace("-", "_")


def played(folder, points, price, games):
    """What forks say of buying the card, game by game, and the shares of its owners."""
    game = deck_with(folder, points, price)
    here = Matchup(game, 4, {}, ["uniform"] * 4, SEED, course=True, lots=True)
    fork = fork_from(ForkTable(where=f"buy {CARD}"), {"": words(game, 4, ())})
    apart, owners = [], []
    for first in range(0, games, AT_ONCE):
        played = played_games(here, first, AT_ONCE)
        table = forked(fork, played)
        if table is not None:
            shares, chosen = table["mover_share"].to_numpy(), table["made"].to_numpy()
            apart.append(shares[chosen] - shares[~chosen])
        owners.append(owners_share(game, played.batch))
    return np.concatenate(apart), np.concatenate(owners)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """By points: what forks and owners say."""
    folder = tmp_path_factory.mktemp("deck")
    return {points: played(folder, points, PRICE, GAMES) for points in (POINTS, 0)}


@pytest.mark.wide
def test_a_planted_card_is_found(found):
    apart, _ = found[POINTS]
    assert len(apart) > 300
    assert p_value(apart) < 0.001
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


@pytest.mark.wide
def test_a_harmless_card_that_few_can_pay_looks_strong_and_is_not(tmp_path):
    apart, owned = played(tmp_path, 0, DEAR, MANY)
    lift, effect = average(owned[owned >= 0] - 1 / 4), average(apart)
    assert lift.low > 0, "its owners win more often than others"
    assert effect.low <= 0, "and forks do not say that this is the card's doing"
    assert lift.low > effect.high, "the one is not the other"
