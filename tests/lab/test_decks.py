"""Decks of one's own in experiments: compared over the same deals, kept with the run, refused."""

import json
from pathlib import Path

import pytest

pytest.importorskip("altair", reason="experiments need yegg[lab]")

from yegg import games, lab
from yegg.engine import Refused
from yegg.games.thiefs_market.deck import PUBLISHED
from yegg.lab.analyses.win_probability import WinProbability
from yegg.lab.batch import Matchup
from yegg.lab.experiment.findings import findings
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.schema import parsed, read
from yegg.lab.policies.habits import words
from yegg.lab.report.narrative import limits

from .files import parts, written, yegg

CARDS = PUBLISHED.read_text(encoding="utf-8")
FILE = """game = "thiefs-market"
[vary]
cards = "decks/cheap.csv"
[sample]
deals = 4
[measure]
rounds = "rounds"
"""


def deck(folder, name="cheap.csv", *changes, more=""):
    """A file of the published cards with some changes, each of a text into another."""
    text = CARDS
    for old, new in changes or [("alchemical-lab,Alchemical Lab,A,,RR", "alchemical-lab,Lab,A,,R")]:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "decks").mkdir(exist_ok=True)
    path = folder / "decks" / name
    path.write_text(text + more, encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path):
    """An experiment with a deck in a folder beside it; the working directory is another one."""
    deck(tmp_path)
    return written(tmp_path, FILE, "file.toml")


@pytest.fixture
def run(file):
    """The same, played."""
    yegg("lab", "run", file, "--no-report", "--json")
    return file.with_suffix("")


def test_a_deck_that_only_has_other_names_gives_the_same_games(tmp_path):
    """Deal by deal and die by die: what is compared shares all its luck."""
    deck(tmp_path, "renamed.csv", ("fence,Fence,", "receiver,Receiver,"))
    file = written(tmp_path, FILE.replace("cheap", "renamed"), "file.toml")
    yegg("lab", "run", file, "--no-report", "--json")
    published, renamed = (
        opened.games(cell)
        for opened in [Run.opened(file.with_suffix(""))]
        for cell in opened.experiment.cells
    )
    assert "round_fence" in published.columns
    assert "round_receiver" in renamed.columns
    assert published.rows() == renamed.rows()


def test_a_card_comes_at_the_same_time_in_a_deck_of_another_size(tmp_path):
    """Only the dice are others, and the report says so."""
    deck(tmp_path, "more.csv", more="late-card,Late Card,C,,R,wand,,\n")
    file = written(tmp_path, FILE.replace("cheap", "more"), "file.toml")
    yegg("lab", "run", file, "--no-report", "--json")
    opened = Run.opened(file.with_suffix(""))
    published, more = (
        {
            name: table[name].to_list()
            for table in [opened.games(cell)]
            for name in table.columns
            if name.startswith("seen_")
        }
        for cell in opened.experiment.cells
    )
    slugs = [line.split(",") for line in CARDS.splitlines()[1:]]
    first = [f"seen_{slug[0].replace('-', '_')}" for slug in slugs if slug[2] == "A"]
    assert [published[name] for name in first] == [more[name] for name in first]
    assert "seen_late_card" in more.keys() - published.keys()
    assert any("different numbers of cards" in said for said in limits(findings(opened)))


def test_a_run_keeps_its_decks_and_needs_their_files_no_more(file, run, tmp_path):
    kept = run / "cards" / "cheap.csv"
    assert kept.read_bytes() == (tmp_path / "decks" / "cheap.csv").read_bytes()
    (tmp_path / "decks" / "cheap.csv").unlink()
    assert "the deck cheap" in yegg("lab", "show", run)
    yegg("lab", "check", run)
    yegg("lab", "run", run / "experiment.toml", "--out", tmp_path / "again", "--json")
    assert parts(tmp_path / "again") == parts(run)
    kept.write_text(CARDS, encoding="utf-8")
    with pytest.raises(Refused, match=r"cheap\.csv is damaged"):
        Run.opened(run)


def test_after_a_change_of_the_file_only_its_games_are_played_anew(file, run, tmp_path):
    before = {path: path.stat().st_mtime_ns for path in (run / "parts").rglob("*.parquet")}
    deck(tmp_path, "cheap.csv", ("glamer,Glamer,A,,BB", "glamer,Glamer,A,,B"))
    yegg("lab", "run", file, "--no-report", "--json")
    opened = Run.opened(run)
    new = {opened.path(cell, 0) for cell in opened.experiment.cells if cell.variant.cards}
    after = {path: path.stat().st_mtime_ns for path in (run / "parts").rglob("*.parquet")}
    assert after.keys() - before.keys() == new
    assert {path: after[path] for path in before} == before
    assert opened.check(2) == []


def test_figures_name_decks_by_their_files(run):
    found = json.loads(yegg("lab", "show", run, "--json"))
    assert {one["variant"] for one in found["figures"]} == {"cards=published", "cards=cheap"}
    ((told),) = found["decks"]
    assert (told["name"], told["file"]) == ("cheap", "cheap.csv")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('"none.csv"', "none.csv: these cards cannot be read: no such file"),
        ('["decks/cheap.csv", "decks/cheap.csv"]', "two variants are called 'cards=cheap'"),
        ('["decks/cheap.csv", "./decks/cheap.csv"]', "two variants are called 'cards=cheap'"),
        ('["decks/cheap.csv", "cheap.csv"]', "two decks are called 'cheap'"),
        ("3", "vary.cards is"),
        ("[3]", "vary.cards is a text in quotes, not 3"),
        ("[]", "needs at least one value"),
        ('"decks/bad.csv"', "bad.csv, line 2, column cost: 'RX': a cost is one or more of"),
    ],
)
def test_what_is_no_deck_is_refused(file, tmp_path, given, said):
    (tmp_path / "cheap.csv").write_text(CARDS, encoding="utf-8")
    deck(tmp_path, "bad.csv", ("Alchemical Lab,A,,RR", "Alchemical Lab,A,,RX"))
    file.write_text(FILE.replace('"decks/cheap.csv"', given))
    with pytest.raises(Refused) as refusal:
        read(file)
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('game = "magnate"', "the cards of Magnate cannot be changed"),
        ('games = ["thiefs-market", "magnate"]', "cards asks of one game"),
    ],
)
def test_a_deck_is_for_one_game_that_takes_it(file, head, said):
    file.write_text(FILE.replace('game = "thiefs-market"', head))
    with pytest.raises(Refused, match=said):
        read(file)


def test_decks_make_a_grid_with_options(file):
    file.write_text(FILE.replace("[sample]", "dice = [10, 12]\n[sample]"))
    assert [variant.name for variant in read(file).variants] == [
        f"cards={name}, dice={dice}" for name in ("published", "cheap") for dice in (10, 12)
    ]


def test_a_file_with_the_published_cards_is_compared_as_what_it_is(tmp_path):
    path = tmp_path / "copy.csv"
    path.write_text("# mine\n" + CARDS, encoding="utf-8")
    experiment = parsed({"game": "thiefs-market", "vary": {"cards": str(path)}})
    assert [variant.name for variant in experiment.variants] == ["cards=published", "cards=copy"]
    assert {experiment.of(variant) for variant in experiment.variants} == {experiment.game}
    assert "its cards are the published ones" in str(experiment.decks[0])


def test_where_decks_are_compared_lore_judges_all_of_them(tmp_path):
    path = str(deck(tmp_path))
    compared = parsed({"game": "thiefs-market", "bots": ["medium"], "vary": {"cards": path}})
    assert [compared.of(one).by_lore for one in compared.variants] == [True, False]
    assert "medium: lore judges every deck" in compared.judged
    assert "does not cover cheap" in compared.judged
    alone = parsed({"game": "thiefs-market", "bots": ["medium"], "lots": True})
    assert not alone.game.by_lore
    assert alone.digest != compared.digest  # the games of the one are not those of the other


def test_habits_and_forks_find_their_words_in_each_deck(tmp_path):
    path = deck(tmp_path, "more.csv", more="late-card,Late Card,A,,R,wand,,\n")
    experiment = parsed(
        {
            "game": "thiefs-market",
            "bots": [["saver", *3 * ["uniform"]]],
            "vary": {"cards": str(path)},
            "habit": [{"name": "saver", "like": "uniform", "avoid": ["done"]}],
            "fork": [{"name": "late", "where": "buy late-card"}],
        }
    )
    (fork,) = experiment.spec("fork")
    for variant, texts in zip(experiment.variants, ([], ["buy late-card"]), strict=True):
        game = experiment.of(variant)
        said = words(game, variant.players, variant.options)
        assert [*map(sorted, map(said.get, fork.over(game).numbers))] == [[one] for one in texts]
        (avoided,) = dict(experiment.habits["saver"].decks)[game.cards]
        assert said[avoided[0]] == {"done"}


@pytest.mark.wide
def test_a_fork_takes_its_choice_in_the_deck_that_has_it(tmp_path):
    deck(tmp_path, "more.csv", more="late-card,Late Card,A,,R,wand,,\n")
    fork = '[[fork]]\nname = "late"\nwhere = "buy late-card"\neach = true\n'
    file = written(tmp_path, FILE.replace("cheap", "more") + fork, "file.toml")
    found = json.loads(yegg("lab", "run", file, "--no-report", "--json"))
    assert {(one["variant"], one["choice"]) for one in found["forks"]} == {
        ("cards=more", "buy late-card")
    }


def test_chances_are_calibrated_for_each_deck(tmp_path):
    published = games.find("thiefs-market")
    spec = WinProbability().parse({"deals": 1}, None)
    for heat, game in ((1.0, published), (2.0, published.with_cards(deck(tmp_path)))):
        setting = Matchup(game, 4, {}, ["uniform"] * 4, 1)
        assert spec.heat(setting, lambda: heat) == heat  # noqa: B023  called at once


def test_the_report_of_a_simulation_has_its_deck_beside_it(tmp_path, monkeypatch):
    deck(tmp_path)
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    asked = ("thiefs-market", "-n", 2, "--vary", "dice=10,12", "--cards", "decks/cheap.csv")
    yegg("sim", *asked, "--report", "out/page.html", "--json")
    assert "the deck cheap, " in Path("out/page.html").read_text(encoding="utf-8")
    monkeypatch.chdir("/")
    yegg("lab", "run", tmp_path / "out" / "page.toml", "--out", tmp_path / "again", "--json")
    assert parts(tmp_path / "again") == parts(tmp_path / "out" / "page")


def test_one_deck_is_compared_with_the_published_one_without_a_file(tmp_path, monkeypatch):
    deck(tmp_path)
    monkeypatch.chdir(tmp_path)
    found = json.loads(
        yegg("sim", "thiefs-market", "-n", 2, "--vary", "cards=decks/cheap.csv", "--json")
    )
    assert found["question"] == "The deck cheap: what changes?"
    assert {one["variant"] for one in found["figures"]} == {"cards=published", "cards=cheap"}
    both = ("--cards", "decks/cheap.csv", "--vary", "cards=decks/cheap.csv")
    yegg("sim", "thiefs-market", *both, code=2)


def test_from_python_sets_of_rules_have_decks(tmp_path):
    rules = [{"name": "as it is"}, {"name": "cheap lab", "cards": deck(tmp_path)}]
    answer = lab.ask("thiefs-market", rules=rules, deals=2, measure={"rounds": "rounds"})
    assert answer.frame()["variant"].to_list() == ["as it is", "cheap lab"]


def test_the_deck_to_begin_with_is_the_published_one_explained(tmp_path):
    path = tmp_path / "my.csv"
    path.write_text(yegg("deck", "new", "thiefs-market"), encoding="utf-8")
    game = games.find("thiefs-market")
    assert game.with_cards(path) is game
    with pytest.raises(Refused, match="the cards of Magnate cannot be changed"):
        games.find("magnate").own_deck()
