"""Usual questions by name: each has an answer in every game, and is refused where it has none."""

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("polars", reason="experiments need yegg[lab]")

import polars as pl

from yegg import games, lab
from yegg.cli import cli
from yegg.engine import CHANCE, Match, Refused
from yegg.games.thiefs_market.cards import LETTER, N_CARDS
from yegg.games.thiefs_market.state import Phase
from yegg.lab.analyses.kingmakers import kingmaker
from yegg.lab.analyses.measures import measured
from yegg.lab.analyses.win_probability import WinProbability
from yegg.lab.batch import Matchup, logs
from yegg.lab.experiment.schema import parsed
from yegg.lab.game_frame import columns_of, frame
from yegg.lab.simulation import run
from yegg.lab.usual_measures import usual_measures
from yegg.stats.kinds import Kind, declared


def every(game):
    """All usual questions of a game, with the first word that may stand behind the colon."""
    for name, one in usual_measures([game]).items():
        yield f"{name}:{next(iter(one.among))}" if one.among else name


def columns(game):
    """Its columns with those of a trace."""
    trace = WinProbability().parse({"deals": 1}, None)
    players = game.usual
    return {**columns_of(game, players), **declared(WinProbability().columns(trace, players))}


@pytest.mark.parametrize("name", games.names())
def test_every_usual_question_has_an_answer_in_random_games(name):
    game = games.find(name)
    batch = run(Matchup(game, game.usual, {}, ["uniform"] * game.usual, 1, course=True), 0, 40)
    table = frame(game, batch, range(40), 1)
    missing = [column for column in columns(game) if column not in table.columns]
    table = table.with_columns(pl.lit(0.5).alias(column) for column in missing)
    asked = {f"m{at}": said for at, said in enumerate(every(game))}
    found, shown = measured(asked, columns(game), [game.usual], (), usual_measures([game]))
    assert {one.named for one in shown.values()} >= {s for s in asked.values() if s not in table}
    for measure, expression in found.items():
        of, told = pl.sql_expr(expression).cast(pl.Float64).alias("of"), shown[measure]
        values = table.select(of)["of"].drop_nulls()
        assert len(values), f"{told.named} has no value in any game"
        if told.kind is not Kind.NUMBER:
            assert values.drop_nans().is_between(0, 1).all(), told.named


@pytest.mark.parametrize("name", games.names())
def test_a_name_that_is_a_column_too_asks_for_that_column(name):
    game = games.find(name)
    known = columns(game)
    for said, one in usual_measures([game]).items():
        assert said not in known or one.of == said


def test_parts_by_name_make_a_whole():
    game = games.find("thiefs-market")
    batch = run(Matchup(game, 4, {}, ["uniform"] * 4, 1), 0, 20)
    named = usual_measures([game])
    known = columns_of(game, 4)
    for said in ("points-by-source", "decided-by"):
        found, shown = measured({"m": said}, known, [4], (), named)
        parts = frame(game, batch, range(20), 1).select(
            pl.sql_expr(one).cast(pl.Float64).alias(name) for name, one in found.items()
        )
        assert parts.sum_horizontal().to_list() == pytest.approx([1] * 20)
        assert {one.whole for one in shown.values()} == {"m"}


def test_a_deck_ends_in_the_round_in_which_its_last_card_comes():
    """By the records; the cards that are dealt at the end of a round belong to it."""
    game = games.find("thiefs-market")
    batch = run(Matchup(game, 4, {}, ["uniform"] * 4, 1), 0, 5, log=True)
    table = frame(game, batch, range(5), 1)
    for row, log in enumerate(logs(batch)):
        match, last = Match(game, 4), {}
        for choice in log:
            if match.actor == CHANCE and choice < N_CARDS:
                s = match.states[0]
                last[LETTER[choice]] = s["rounds"] - (s["phase"] == Phase.DEAL and s["rounds"] > 1)
            match.play(choice)
        last[2] = table["rounds"][row]  # TM-33: C ends with the game, whatever is left of it
        assert [table[f"ended_{letter}"][row] for letter in "abc"] == [last[at] for at in range(3)]
        bought = [table[one][row] for one in table.columns if one.startswith("round_")]
        seen = [table[one][row] for one in table.columns if one.startswith("seen_")]
        dead = sum(up and not when for up, when in zip(seen, bought, strict=True))
        assert table["dead_cards"][row] == dead
        assert dead > 0


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("comeback", r"follows everybody's chances along the game; add a line \[trace\]"),
        (
            "first-purchase:fense",
            "write it as 'first-purchase:alchemical-lab'; did you mean 'fence'",
        ),
        ("first-purchase", "write it as 'first-purchase:"),
        ("dead-cards:fence", "write it as 'dead-cards'; nothing stands behind its name"),
        ("dead-card", "there is no column 'dead'"),
    ],
)
def test_what_is_no_usual_question_is_refused(said, why):
    with pytest.raises(Refused, match=why):
        parsed({"game": "thiefs-market", "measure": {"m": said}})


def test_a_file_may_say_itself_how_a_question_is_called():
    measure = {"m": {"of": "kingmakers", "title": "spoilers"}, "k": "who-was-kingmaker"}
    experiment = parsed({"game": "thiefs-market", "trace": {"deals": 1}, "measure": measure})
    assert experiment.shown["m"].title == "spoilers"
    assert [*experiment.measures] == ["m", "k: nobody", *(f"k: seat {n}" for n in range(1, 5))]


def test_a_kingmaker_has_no_hope_and_gives_the_winner_most():
    curve = np.array([[0.5, 0.47, 0.03], [0.3, 0.66, 0.04], [0.6, 0.37, 0.03], [0.95, 0.03, 0.02]])
    won = np.array([1.0, 0, 0])
    assert kingmaker(curve, won, [0, 2, 2, 0]) == 3  # +30 and +35 points
    assert kingmaker(curve, won, [2, 0, 0, 1]) == 0  # it took 20 points from the winner
    assert kingmaker(curve, won, [1, 1, 1, 1]) == 0  # had hope
    assert kingmaker(curve, np.array([0.5, 0.5, 0]), [0, 2, 2, 0]) is None
    assert kingmaker(curve, won, [0, 2, 2]) is None


def test_the_lists_name_kinds_and_what_may_stand_behind_a_colon():
    said = CliRunner().invoke(cli, ["lab", "measures", "thiefs-market"]).output
    assert "first-purchase:…\n    The round in which a card is bought" in said
    assert "Behind the colon: alchemical-lab, bondsman" in said
    assert "The file needs [trace]." in said
    columns = CliRunner().invoke(cli, ["lab", "columns", "thiefs-market"]).output.splitlines()
    assert [*map(str.split, columns)][4][:2] == ["winners", "number"]
    assert all(len(line.split()) > 2 for line in columns)


def test_questions_by_name_are_told_in_figures():
    answer = lab.ask("second-story", deals=4, measure={"n": "nights", "ends": "who-ends-it"})
    assert [*answer.frame()["measure"]] == ["n", *(f"ends: seat {seat}" for seat in (1, 2, 3))]
