"""Offers: the same game with a card and with the next of its deck in its place."""

import numpy as np
import polars as pl
import pytest

from yegg import games
from yegg.engine import CHANCE, Match, kernels
from yegg.engine.contest import ticket
from yegg.lab.analyses.fork_effects import Forks
from yegg.lab.analyses.forks import ForkTable, Offering, fork_from, forked
from yegg.lab.batch import Matchup
from yegg.lab.experiment.schema import read
from yegg.lab.experiment.shards import played, setting
from yegg.lab.policies.habits import words
from yegg.stats.p_values import p_value

from .files import estimates, played_games, refused, written
from .test_planted import AT_ONCE, CARD, GAMES, POINTS, PRICE, SEED, deck_with

FILE = """
game = "thiefs-market"
players = 4
seed = 21
bots = ["uniform"]

[sample]
deals = 60

[[fork]]
name = "offers"
offer = "deal *"

[[fork]]
name = "by deck"
offer = "deal *"
each = true
"""


@pytest.fixture(scope="module")
def experiment(tmp_path_factory):
    return read(written(tmp_path_factory.mktemp("offers"), FILE))


@pytest.fixture(scope="module")
def batch(experiment):
    (cell,) = experiment.cells
    here = setting(experiment, cell)
    return Offering(played_games(here, 0, 60))


def as_match(batch, one, after=0):
    match = Match(batch.setting.game, 4)
    match.follow(batch.batch.log[one.game, : one.event + after].tolist())
    return match


def deck(batch, games):
    """The cards that chance can deal now, in the order in which it will."""
    many = batch.made.kernel(kernels.options_of)(games.states, batch.out, np.zeros(1, np.int32))
    cards, lots = batch.out[:many].tolist(), games.course.lots[0]
    with np.errstate(over="ignore"):
        tickets = {card: ticket(games.dice[0, 0, 0], card, 0, lots[card, 0]) for card in cards}
    return sorted(cards, key=lambda card: -int(tickets[card]))


def test_an_offer_is_a_card_that_chance_deals_in_that_game(experiment, batch):
    found = batch.draw(experiment.spec("fork")[0])
    assert len(found) > 15
    assert len({one.game for one in found}) == len(found)
    for one in found:
        match = as_match(batch, one)
        assert match.actor == CHANCE
        assert match.say(one.choice) == one.words
        assert one.words.startswith("deal ")
        assert batch.batch.log[one.game, one.event] == one.choice
        after = as_match(batch, one, 1)
        rest = batch.batch.log[one.game, one.event + 1 :]
        while after.actor == CHANCE:
            after.play(int(rest[len(after.history) - one.event - 1]))
        assert after.actor == one.mover, "whoever chooses next"


@pytest.mark.wide
def test_the_card_goes_to_the_bottom_and_all_others_keep_their_order(experiment, batch):
    (fork, _) = experiment.spec("fork")
    for one in batch.draw(fork):
        before, without = (deck(batch, games) for games in batch.branches(fork, one)[1:])
        assert before[0] == one.choice
        assert without == [*before[1:], one.choice]


def test_with_the_card_it_is_the_game_that_was_played_and_without_it_another(experiment):
    (cell,) = experiment.cells
    table = played(experiment, cell, range(60))
    games, forks = table[""], table["forks"].filter(fork="offers")
    same = forks.filter("made").join(games, on="deal", suffix=" there")
    assert len(same) > 15
    for name in ("events", "share_1", "score_4", "turns", "decisions_2"):
        assert (same[name] == same[f"{name} there"]).all(), name
    other = forks.filter(~pl.col("made")).join(games, on="deal", suffix=" there")
    assert (other["events"] != other["events there"]).mean() > 0.5
    assert forks["mover_share"].to_list() == [
        row[f"share_{row['mover']}"] for row in forks.iter_rows(named=True)
    ]


def test_which_offer_is_settled_before_the_game(experiment, batch):
    """The tenth offer is drawn as often as the first, however many come after it."""
    places = [one.matches for one in batch.draw(experiment.spec("fork")[0])]
    many = len(experiment.spec("fork")[0].numbers)
    assert many == 49, "as many as there are cards"
    assert max(places) <= many
    games = batch.batch.over.sum()
    came = [
        sum(
            1
            for choice in batch.batch.log[g, : batch.batch.lengths[g]]
            if choice in experiment.spec("fork")[0].numbers
        )
        for g in np.flatnonzero(batch.batch.over)
    ]
    expected = sum(min(n, many) for n in came) / many
    assert abs(len(places) - expected) < 4 * np.sqrt(games) / 2


def test_effects_say_whose_share_it_is(experiment):
    (cell,) = experiment.cells
    table = played(experiment, cell, range(60))["forks"]
    one, *each = estimates(experiment, "fork", {cell: table})
    assert all(other.offer for other in (one, *each))
    mine = table.filter((pl.col("fork") == "offers") & pl.col("over"))
    made = mine.filter("made")["mover_share"].mean()
    left = mine.filter(~pl.col("made"))["mover_share"].mean()
    assert one.figure.value == pytest.approx(made - left)
    assert "“offers” instead of the next card" in str(Forks().sentences([one])[0])
    assert "whoever chooses next" in str(Forks().sentences([one])[0])


def test_forks_can_be_told_apart_by_their_words(tmp_path):
    by = "CASE WHEN words LIKE 'deal A %' THEN 'the first deck' ELSE 'another' END"
    made = read(written(tmp_path, FILE.replace("each = true", f'by = "{by}"')))
    (cell,) = made.cells
    table = played(made, cell, range(60))["forks"]
    _, *apart = estimates(made, "fork", {cell: table})
    mine = table.filter((pl.col("fork") == "by deck") & pl.col("made"))
    assert {one.choice: one.forks for one in apart} == {
        "the first deck": mine.filter(pl.col("words").str.starts_with("deal A ")).height,
        "another": mine.filter(~pl.col("words").str.starts_with("deal A ")).height,
    }


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('offer = "deal *"', 'offer = "roll *"', "of dice there is no next one"),
        ('offer = "deal *"', 'offer = "sell *"', "nothing is called 'sell *'"),
        ('offer = "deal *"', 'offer = "deal *"\nwhere = "buy *"', "where = …, or offer = …"),
        ("seed = 21", "seed = 21\nlots = false", "for which chance draws by lots"),
        ("each = true", 'taken = "buy *"', "has no key 'taken'"),
        ("each = true", "each = true\nchosen = true", "nobody chooses an offer"),
        ('"uniform"', '"hard"', "hard remembers what it thought"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(tmp_path, old, new, said):
    assert old in FILE
    assert said in refused(written(tmp_path, FILE.replace(old, new, 1)))


def offers_of(game, pattern, many):
    """The games with a card and those without it, row by row."""
    here = Matchup(game, 4, {}, ["uniform"] * 4, SEED, course=True, lots=True)
    offer = fork_from(ForkTable(offer=pattern), {"": words(game, 4, (), chance=True)})
    firsts = range(0, many, AT_ONCE)
    tables = [forked(offer, played_games(here, first, AT_ONCE)) for first in firsts]
    every = pl.concat([table for table in tables if table is not None])
    return every.filter("made"), every.filter(~pl.col("made"))


@pytest.mark.wide
def test_a_planted_card_that_is_on_offer_brings_points_into_the_game(tmp_path):
    """Chosen beforehand: the card, its games and dice are those of the forks at its purchase."""
    game = deck_with(tmp_path, POINTS, PRICE)
    there, not_there = offers_of(game, f"deal A {CARD}", GAMES)
    points = [sum(table[f"score_{seat}"] for seat in (1, 2, 3, 4)) for table in (there, not_there)]
    apart = (points[0] - points[1]).to_numpy().astype(float)
    assert len(apart) > 300
    assert apart.mean() > 0
    assert p_value(apart) < 0.001


@pytest.mark.wide
def test_all_cards_together_do_nothing_for_each_is_the_next_one_as_often():
    there, not_there = offers_of(games.find("thiefs-market"), "deal *", GAMES)
    apart = (there["mover_share"] - not_there["mover_share"]).to_numpy()
    assert len(apart) > 1000
    assert abs(apart.mean()) < 3 * apart.std() / np.sqrt(len(apart))
    assert apart.any()
