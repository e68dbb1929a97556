"""An experiment's file: what it stands for where it says little, and why it is refused."""

import tomllib

import pytest

from yegg.engine import Refused
from yegg.lab.cells import Cell, Variant
from yegg.lab.experiment import shards
from yegg.lab.experiment.schema import KEEP, Claim, Sample, file_of, parsed, read
from yegg.lab.experiment.shards import DEALS, FEW, LOGGED, Piece, blocks, setting, size, thinks
from yegg.stats.claims import MARGIN

from .files import written

GAME = {"game": "second-story"}
TIED = {"measure": {"tied": "winners > 1"}}
HABIT = {"name": "homebody", "like": "easy", "prefer": ["stop"]}
ONE = 'a claim has one measure and says what of it: tied = "four > five"'
MIXED = [["greedy", "uniform", "uniform"]]


def experiment(**more):
    return parsed({**GAME, **more})


def why(**more):
    """Why such an experiment is refused."""
    with pytest.raises(Refused) as caught:
        experiment(**more)
    return str(caught.value)


def test_a_file_that_names_only_a_game_asks_how_it_goes():
    made = experiment()
    assert made.question == "How does Second Story go?"
    assert (made.seed, made.correction, made.keep, made.lots) == (0, "holm", KEEP, False)
    published = Variant("published", 3, ())
    assert made.cells == [Cell(published, ("uniform",) * 3)]
    assert made.samples == {"uniform": Sample(2000, None)}
    assert list(made.measures) == ["share_1", "share_2", "share_3"]
    assert (made.claims, made.habits, made.asked, made.plans) == ((), {}, (), [])
    assert (made.named, made.outsiders, made.playing) == ([], [], {"uniform": "uniform"})
    assert tomllib.loads(made.source) == GAME, "a file that we write"
    assert parsed(GAME, "as it was").source == "as it was"


def test_what_a_file_says_counts(tmp_path):
    made = experiment(
        question="Q?", seed=7, keep=5, correction="bh", lots=True, players=2, bots=["easy"],
        sample={"deals": 30},
    )  # fmt: skip
    assert (made.question, made.seed, made.keep) == ("Q?", 7, 5)
    assert (made.correction, made.lots, made.deals) == ("bh", True, {"easy": 30})
    assert made.cells[0].variant.players == 2
    path = written(tmp_path, 'game = "second-story"\nseed = 3\n')
    assert (read(path).seed, read(path).source) == (3, path.read_text())


def test_luck_is_shared_where_something_is_compared():
    assert experiment(vary={"chips": [9, 10]}).lots
    assert not experiment(vary={"chips": [9]}).lots
    assert not experiment(vary={"chips": [9, 10]}, lots=False).lots


def test_every_level_has_a_sample_of_its_own_or_the_usual_one():
    levels = {"bots": ["easy", *MIXED, ["easy", "easy", "easy"]]}
    made = experiment(**levels, sample={"greedy uniform uniform": 40, "deals": 50})
    assert made.deals == {"easy": 50, "greedy uniform uniform": 40}
    made = experiment(**levels, sample={"easy": {"at-most": 9}})
    assert made.deals == {"easy": 9, "greedy uniform uniform": 2000}
    assert why(**levels, sample={"hard": 4}) == (
        "sample.hard: there are: deals, easy, greedy uniform uniform, easy"
    )


def test_sums_are_kept_of_more_games_than_one_likes_to_keep():
    mixed = {"bots": MIXED, "sample": {"deals": 10}}
    assert not experiment(**mixed, keep=30).summed
    assert experiment(**mixed, keep=29).summed, "three seatings of each deal"


def test_who_plays_and_whom_a_habit_binds():
    made = experiment(bots=["uniform", ["homebody", "easy", "easy"]], habit=[HABIT])
    assert made.playing == {"uniform": "uniform", "homebody": "easy", "easy": "easy"}
    assert made.named == ["homebody", "easy"]
    assert made.lineups == (("uniform",), ("homebody", "easy", "easy"))
    assert list(made.habits) == ["homebody"]
    here = setting(made, made.cells[1])
    assert list(here.lineup) == ["easy"] * 3
    assert [habit and habit.name for habit in here.habits] == ["homebody", None, None]
    assert why(habit=[HABIT, HABIT]) == "two habits are called 'homebody'"


def test_a_run_goes_on_only_with_what_plays_the_same_games():
    same = [
        experiment(), experiment(sample={"deals": 3}), experiment(question="Why?", **TIED),
        experiment(vary={"chips": [9, 10]}, lots=False), experiment(bots=["easy"]),
    ]  # fmt: skip
    assert {one.digest for one in same} == {same[0].digest}
    others = [
        experiment(seed=1), experiment(vary={"chips": [9, 10]}), parsed({"game": "magnate"}),
        experiment(habit=[HABIT]), experiment(habit=[{**HABIT, "prefer": ["continue"]}]),
        experiment(clauses={"deals": 5}), experiment(lots=True, habit=[HABIT]),
    ]  # fmt: skip
    digests = {one.digest for one in [same[0], *others]}
    assert len(digests) == len(others) + 1
    assert all(len(digest) == 16 for digest in digests)


def test_analyses_have_tables_of_their_own():
    made = experiment(clauses={"deals": 5})
    ((analysis, spec),) = made.asked
    assert analysis.key == "clauses"
    assert made.spec("clauses") is spec
    assert made.spec("fork") is None
    assert set(experiment().columns()) <= set(made.columns(made.asked))
    file, tables = file_of({**GAME, "clauses": {"deals": 5}})
    assert (file.game, tables) == ("second-story", {"clauses": {"deals": 5}})


# Claims


def test_claims_compare_variants_or_a_variant_with_a_number():
    made = experiment(
        **TIED, vary={"rules": [{"name": "ten"}, {"name": "9", "chips": "9"}]},
        claim=[
            {"tied": "ten > 9"}, {"tied": "ten != 0.25", "margin": 0.1},
            {"tied": "ten  <  -1"}, {"tied": "9 < ten"},
        ],
    )  # fmt: skip
    assert made.claims == (
        Claim("tied", "ten", ">", "9", MARGIN), Claim("tied", "ten", "!=", "0.25", 0.1, True),
        Claim("tied", "ten", "<", "-1", MARGIN, True), Claim("tied", "9", "<", "ten", MARGIN),
    )  # fmt: skip
    assert [claim.number for claim in made.claims] == [None, 0.25, -1.0, None]
    assert str(made.claims[0]) == "tied: ten > 9"


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({"tied": "a > b", "x": "y"}, ONE),
        ({}, ONE),
        ({"tied": "a ~ b"}, "claim: 'a ~ b' has none of >, <, !=, as in \"four > five\""),
        ({"tied": 3}, 'claim: 3 has none of >, <, !=, as in "four > five"'),
        (
            {"tied": "publishe > 3"},
            ("claim: there is no variant 'publishe'; did you mean 'published'? "
            "there are: published"),
        ),
        (
            {"tied": "published > x"},
            "claim: there is no variant 'x'; there are: published, or a number",
        ),
        (
            {"tie": "published > 3"},
            "claim: there is no measure 'tie'; did you mean 'tied'? there are: tied",
        ),
    ],
)  # fmt: skip
def test_why_a_claim_is_refused(claim, said):
    assert why(**TIED, claim=[claim]) == said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"bots": [[]]}, "bots: an empty list is neither a bot's name nor a list of names"),
        (
            {"bots": [["greedy", "easy"]]},
            "bots = 'greedy easy' fill 2 seats, but 'published' has 3",
        ),
        (
            {"sample": {"deals": {"until": "clear"}}},
            "sample: until says when claims are answered, and there is no [[claim]]",
        ),
        (
            {"bots": ["search:0.5s"]},
            ("search:0.5s thinks by the clock, so a second run would give other games; "
            "give it lines, as in search:2000"),
        ),
        (
            {"bots": ["exact"]},
            ("bots: exact cannot play 'published': in Second Story more can happen than it can "
            "work out"),
        ),
        ({"vary": {"chips": []}}, "an axis of [vary] needs at least one value"),
        ({"vary": {"design": "x"}}, "vary.design = 'x': there are: grid, pairs, one-at-a-time"),
        ({"vary": {"rules": 3}}, 'vary.rules is a list, as ["a", "b"], not 3'),
        ({"vary": {"chips": 3}}, 'vary.chips is a list, as ["a", "b"], not 3'),
        ({"vary": {"players": ["x"]}}, "players is a whole number of at least 1, not 'x'"),
        ({"vary": {"players": ["0"]}}, "players is a whole number of at least 1, not 0"),
        ({"vary": {"rules": [{"name": "a"}] * 2}}, "two variants are called 'a'"),
        ({"keep": -1}, "keep is a whole number of at least 0, not -1"),
    ],
)  # fmt: skip
def test_why_an_experiment_is_refused(more, said):
    assert why(**more) == said


# Variants


def variants(**vary):
    return [(one.name, one.players, dict(one.options)) for one in experiment(vary=vary).variants]


def test_variants_are_named_by_what_they_change():
    rules = [{"name": "four", "players": 4}, {"chips": "9"}]
    assert variants(rules=rules, excuse=["no", "yes"]) == [
        ("four, excuse=no", 4, {"excuse": "no"}), ("four, excuse=yes", 4, {"excuse": "yes"}),
        ("chips=9, excuse=no", 3, {"chips": "9", "excuse": "no"}),
        ("chips=9, excuse=yes", 3, {"chips": "9", "excuse": "yes"}),
    ]  # fmt: skip
    assert variants(rules=[{"name": "nine", "chips": 9}]) == [("nine", 3, {"chips": "9"})]
    assert variants(players=["2", 4]) == [("players=2", 2, {}), ("players=4", 4, {})]
    assert experiment(players=5).variants[0].players == 5


def test_pairs_change_two_options_and_one_at_a_time_changes_one():
    axes = {"chips": [10, 9, 8], "excuse": ["no", "yes"]}
    names = [name for name, *_ in variants(design="one-at-a-time", **axes)]
    alone = ["chips=9, excuse=no", "chips=8, excuse=no", "chips=10, excuse=yes"]
    assert names == ["chips=10, excuse=no", *alone]
    names = [name for name, *_ in variants(design="pairs", **axes)]
    assert names == [
        "chips=10, excuse=no", *alone, "chips=9, excuse=yes", "chips=8, excuse=yes",
    ]  # fmt: skip


# Blocks


def test_blocks_come_number_by_number_and_the_last_may_be_shorter():
    made = experiment(bots=["uniform", "easy"], sample={"deals": 2 * DEALS, "easy": DEALS + 1})
    one, two = made.cells
    assert list(blocks(made)) == [
        Piece(one, 0, range(DEALS)), Piece(two, 0, range(DEALS)),
        Piece(one, 1, range(DEALS, 2 * DEALS)), Piece(two, 1, range(DEALS, DEALS + 1)),
    ]  # fmt: skip


def test_blocks_of_players_that_take_long_are_short():
    made = experiment(bots=["uniform", "hard"], habit=[HABIT], sample={"deals": 25})
    quick, slow = made.cells
    assert (size(made, quick), size(made, slow)) == (DEALS, FEW)
    assert not thinks(made, quick)
    assert thinks(made, slow)
    assert [piece.deals for piece in blocks(made) if piece.cell == slow] == [
        range(10), range(10, 20), range(20, 25),
    ]  # fmt: skip


def test_a_cell_is_simulated_with_its_rules_its_players_and_the_seed():
    made = experiment(vary={"chips": [9]}, bots=MIXED, seed=4, lots=True)
    here = setting(made, made.cells[0])
    assert (here.game.name, here.players, here.options, here.seed) == (
        "second-story", 3, {"chips": "9"}, 4,
    )  # fmt: skip
    assert list(here.lineup) == MIXED[0]
    assert here.lots
    assert here.course
    assert list(here.habits) == [None] * 3


@pytest.mark.parametrize(("asked", "at_once"), [({}, 25), ({"clauses": {}}, LOGGED // 3)])
def test_choices_are_kept_of_a_few_games_at_once(monkeypatch, asked, at_once):
    import polars as pl

    made, seen = experiment(bots=MIXED, sample={"deals": 25}, **asked), []

    def played(_experiment, _cell, deals):
        seen.append(deals)
        return {"": pl.DataFrame({"deal": list(deals)})}

    monkeypatch.setattr(shards, "played", played)
    table = shards.parts(made, made.cells[0], range(5, 30))
    assert table[""]["deal"].to_list() == list(range(5, 30))
    assert seen == [range(n, min(n + at_once, 30)) for n in range(5, 30, at_once)]
