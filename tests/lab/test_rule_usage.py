"""Which clauses apply and which choices are made, in games that are looked through."""

import numpy as np
import polars as pl
import pytest

from yegg import games
from yegg.contract.cases import EACH
from yegg.engine import Refused
from yegg.engine.voice import clauses, whole
from yegg.lab.analyses.rule_usage import (
    CLAUSE,
    WORD,
    ReadGames,
    Rules,
    numbers,
    unused,
)
from yegg.lab.batch import Matchup
from yegg.lab.cells import Cell, Variant

from .files import played_games


def looked(name, many, options=(), players=0, deals=1000):
    """The table of some random games, and the games."""
    game = games.find(name)
    players = players or game.usual_players(dict(options))
    here = Matchup(game, players, dict(options), ["uniform"] * players, 5, course=True)
    played = played_games(here, 0, many)
    return Rules().collect(ReadGames(deals), played), played.batch


def told(name, table):
    cell = Cell(Variant("published", 3, ()), ("uniform",) * 3)
    return Rules().estimate(ReadGames(), games.find(name), {cell: table})


@pytest.mark.parametrize("name", EACH)
def test_in_every_game_clauses_are_those_of_the_rules_and_choices_all_that_were_made(name):
    table, batch = looked(name, 2)
    assert batch.over.all()
    every = numbers(games.find(name))
    assert len(every) == len(set(every)) > 10
    clauses = table.filter(what=CLAUSE)
    assert 5 < clauses["name"].n_unique() < len(every)
    assert set(clauses["name"]) < set(every)
    words = table.filter(what=WORD)
    assert words["times"].sum() == batch.decisions.sum()
    assert (words["times"] <= words["could"]).all()
    assert (clauses["times"] == clauses["could"]).all()


def test_what_is_counted_is_what_happened():
    """Second Story: who is asked to stop or to go on chooses one of both (SS-18)."""
    table, _ = looked("second-story", 10)
    by = {
        row["name"]: row
        for row in table.group_by("name").agg(pl.col("times", "could").sum()).to_dicts()
    }
    assert by["stop"]["could"] == by["continue"]["could"]
    assert by["stop"]["times"] + by["continue"]["times"] == by["stop"]["could"]
    assert by["SS-18"]["times"] == by["stop"]["could"]
    assert by["SS-70"]["times"] == 10, "the end is looked at too"


def test_a_clause_that_these_rules_lack_is_named_as_never_used():
    game = games.find("second-story")
    plain, _ = looked(game.name, 10)
    assert {"SS-42", "SS-50"} <= set(unused(game, told(game.name, plain)))
    more, _ = looked(game.name, 10, (("excuse", "yes"), ("pawns", "yes")))
    left = unused(game, told(game.name, more))
    assert not {"SS-42", "SS-50"} & set(left)
    assert "SS-1" in left
    clauses, _ = Rules().tables(game, told(game.name, more))
    assert "SS-1," in clauses.note


def test_a_game_in_which_something_did_not_happen_counts():
    table, _ = looked("second-story", 8)
    risk = table.filter(name="risk")
    (use,) = [one for one in told("second-story", table) if one.name == "risk"]
    assert use.games == 8
    assert use.times.value == pytest.approx(risk["times"].sum() / 8)
    assert use.share == pytest.approx((risk["times"] > 0).sum() / 8)


def test_what_could_be_chosen_and_never_was_is_said():
    table, _ = looked("second-story", 4)
    assert Rules().sentences(told("second-story", table)) == []
    without = table.with_columns(
        times=pl.when(pl.col("name") == "stop").then(0).otherwise(pl.col("times"))
    )
    (said,) = Rules().sentences(told("second-story", without))
    assert str(said).startswith("What could be chosen, and never was, in 4 games")
    assert str(said).endswith(": stop.")


def test_only_the_first_deals_are_looked_through():
    table, _ = looked("second-story", 6, deals=2)
    assert sorted(set(table["deal"])) == [0, 1]


def test_games_that_did_not_end_are_left_out():
    game = games.find("second-story")
    here = Matchup(game, 3, {}, ["uniform"] * 3, 5, max_events=20, course=True)
    played = played_games(here, 0, 3)
    assert not np.any(played.batch.over)
    assert Rules().collect(ReadGames(9), played) is None


def test_a_game_that_names_no_clauses_is_refused(monkeypatch):
    game = games.find("second-story")
    monkeypatch.delattr(game.words, "clauses")
    with pytest.raises(Refused, match="does not say which of its clauses apply"):
        numbers(game)


PAGE = """# A game

- **ABC-1** One thing,
  told in two lines.
- **ABC-2** Another.
* **ABC-9** no clause: its list is of another kind

## A heading

- **ABC-10** The last.

Words about ABC-11.
"""


def test_a_clause_ends_where_the_next_one_a_heading_or_nothing_begins():
    there = clauses(PAGE.replace("* **ABC-9** no clause: its list is of another kind\n", ""))
    assert there == {
        "ABC-1": "**ABC-1** One thing,\n  told in two lines.",
        "ABC-2": "**ABC-2** Another.",
        "ABC-10": "**ABC-10** The last.",
    }
    assert list(clauses(PAGE)) == ["ABC-1", "ABC-2", "ABC-10"]
    assert whole("10", there) == whole("ABC-10", there) == "ABC-10"
