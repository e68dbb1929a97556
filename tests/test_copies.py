"""A copy of a game (`yegg new-game --like`) is the game, until somebody changes it."""

import random
import re
import sys
from dataclasses import replace
from itertools import count

import pytest
from programs import installed, python

from yegg import folders, games
from yegg.cli.new_game.like import copy, titled
from yegg.engine import Match, Refused, game, notation
from yegg.lab.experiment.findings import findings, to_dict
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.schema import parsed
from yegg.players import judges
from yegg.players.policy_net.policy_function import Learned, learned
from yegg.players.policy_net.weights import load, own_path, path_of

NUMBERS = count()
"""No two copies have one name: what is known of a game is kept as long as the process lasts."""
ALL = ("magnate", "second-story", "secrets", "thiefs-market")


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Copies of games, each found under its name for as long as the test lasts."""
    found = dict(game.packages())
    monkeypatch.setattr(game, "packages", lambda: found)

    def make(like, change=None, name=None):
        name = name or f"test-{like}-{next(NUMBERS)}"
        package, folder = name.replace("-", "_"), tmp_path / name
        copy(games.find(like), name, folder)
        if change:
            change(folder / "src" / package)
        monkeypatch.syspath_prepend(folder / "src")
        found[name] = package
        return games.find(name)

    yield make
    games.find.cache_clear()
    copies = {found[name] for name in found if name.startswith("test-")}
    for module in [one for one in sys.modules if one.partition(".")[0] in copies]:
        del sys.modules[module]


def in_file(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def wide_state(folder):
    """A copy with a column more: an option."""
    line = "    players = 0\n"
    in_file(folder / "state.py", line, line + '    fog = option("no", "yes", says="nothing")\n')


def played(made, seed):
    """The record of a game at random, without the game's name."""
    match, dice = Match(made, made.usual, how="plain"), random.Random(seed)
    while not match.over:
        match.play(dice.choice(match.choices))
    return notation.write(match).replace(f"game: {made.name}\n", "")


@pytest.mark.parametrize("like", ALL)
def test_a_copy_plays_the_games_of_its_original(copied, like):
    made = copied(like)
    assert played(made, 3) == played(games.find(like), 3)
    (path, *_) = sorted((made.folder / "records").glob("*.game"))
    assert notation.read_file(path, games.find, "plain").game is made


@pytest.mark.parametrize("like", ALL)
def test_a_copy_has_no_trace_of_its_originals_name(copied, like):
    made, package = copied(like), f"yegg.games.{like.replace('-', '_')}"
    traces = re.compile(
        rf"{package}\b|game: {like}$|(?:find|Match)\(\"{like}\"|\"{like}/|/rules/{like}#"
        rf"|(?<![\w-])\.{like}(?![\w-])(?=.*\{{)",
        re.MULTILINE,
    )
    texts = [path for path in made.folder.rglob("*") if path.suffix not in {".npz", ".pyc"}]
    found = {path.name: traces.findall(path.read_text("utf-8")) for path in texts if path.is_file()}
    assert not {name: some for name, some in found.items() if some}
    there = {path.name for path in made.folder.iterdir()}
    assert {"tests", "records", "lessons", "face", "RULES.md"} <= there
    assert "puzzles" not in there
    assert not own_path(made).exists()
    assert made.version == games.find(like).version


@pytest.mark.parametrize(
    ("like", "name", "title"),
    [
        ("thiefs-market", "my-thiefs-market", "My Thief's Market"),
        ("magnate", "magnate-2", "Magnate 2"),
        ("magnate", "six-districts", "Six Districts"),
    ],
)
def test_the_title_of_a_copy(like, name, title):
    assert titled(games.find(like), name) == title


def test_a_game_whose_title_is_not_found_is_not_copied(tmp_path, monkeypatch):
    package = tmp_path / "odd_one"
    package.mkdir()
    (package / "__init__.py").write_text("GAME = 1\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    odd = replace(games.find("magnate"), package="odd_one", title="Odd One")
    with pytest.raises(Refused, match=r"its __init__\.py has no line title"):
        copy(odd, "odd-two", tmp_path / "two")
    assert not (tmp_path / "two").exists()


def test_the_command_copies_and_tells_how_to_go_on(run, tmp_path):
    status, out, _ = run("new-game my-story --like second-story --to", tmp_path / "here")
    assert status == 0
    assert f'pip install -e "{tmp_path}/here[test]"' in out.replace("\n", "")
    assert (tmp_path / "here/src/my_story/tests/test_houses.py").is_file()
    project = (tmp_path / "here/pyproject.toml").read_text("utf-8")
    assert 'my-story = "my_story"' in project
    page = (tmp_path / "here/README.md").read_text("utf-8")
    assert 'games = ["second-story", "my-story"]' in page
    assert not re.search("new.game|old.game", page + project, re.IGNORECASE)
    assert run("new-game my-story --like nothing --to", tmp_path / "there")[0] == 2


def test_a_copy_plays_by_the_originals_net_while_its_columns_are_the_same(copied):
    original, same = games.find("second-story"), copied("second-story")
    assert path_of(same) == path_of(original) == own_path(original)
    assert load(same)[0]["game"] == "second-story"
    assert learned(same).parts
    other = copied("second-story", wide_state)
    assert path_of(other) == own_path(other)
    assert not learned(other).parts
    assert learned(other).lacking == (
        f"{other.title} has other columns than Second Story, whose net it cannot use; "
        f"`yegg train {other.name}` makes one"
    )
    of_a_copy = replace(same, package=same.package, like=other.name)
    assert path_of(of_a_copy) == own_path(same), "its columns are not those of the other copy"


def test_a_copy_of_a_game_that_is_not_here_plays_by_lore(copied):
    lonely = replace(copied("second-story"), like="long-gone")
    assert path_of(lonely) == own_path(lonely)
    assert learned(lonely) == Learned()


def test_a_copy_takes_a_deck_of_its_own(copied, tmp_path):
    made = copied("thiefs-market")
    cards = made.folder / "cards.csv"
    changed = cards.read_text("utf-8").replace("brooch,Brooch,B,,RG", "brooch,Brooch,B,,RR")
    (tmp_path / "mine.csv").write_text(changed, "utf-8")
    over = made.with_cards(tmp_path / "mine.csv")
    assert over.cards.startswith("mine ")
    assert Match(over, 3, how="plain").choices


# --- experiments ------------------------------------------------------------------------------


def compared(*every, **more):
    names = [one.name for one in every]
    return parsed({"games": names, "sample": {"deals": 6}, **more})


def test_games_are_compared_as_options_are(copied):
    original, made = games.find("magnate"), copied("magnate")
    asked = compared(original, made, vary={"districts": ["5", "4"]}, bots=["uniform"])
    assert [variant.name for variant in asked.variants] == [
        "magnate, districts=5", "magnate, districts=4",
        f"{made.name}, districts=5", f"{made.name}, districts=4",
    ]  # fmt: skip
    assert [asked.of(variant) for variant in asked.variants] == [original, original, made, made]
    assert asked.lots
    assert asked.title == f"Magnate and {made.title}"
    assert asked.judged == "", "nobody judges at random play"
    assert asked.digest != parsed({"game": "magnate"}).digest


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ({}, "either game = "),
        ({"game": "magnate", "games": ["magnate"]}, "either game = "),
        ({"games": ["magnate", "magnate"]}, "the same one stands there twice"),
        ({"games": ["magnate", "secrets"], "trace": {}}, "trace asks of one game"),
        ({"games": ["magnate", "nothing"]}, "there is no game 'nothing'"),
    ],
)
def test_what_cannot_be_compared_is_refused(file, why):
    with pytest.raises(Refused, match=why):
        parsed(file)


def test_the_report_names_the_net_that_judges_both(copied):
    made = copied("second-story")
    asked = compared(games.find("second-story"), made, bots=["medium"])
    assert asked.judged == (
        f"medium: the same policy net judges Second Story and {made.title}, since their columns "
        "are the same. It learned by the rules of Second Story."
    )
    assert not any(one.by_lore for one in asked.games)


def test_lore_judges_both_where_one_has_no_net(copied):
    made = copied("second-story", wide_state)
    asked = compared(games.find("second-story"), made, bots=["uniform", "medium"])
    assert all(one.by_lore for one in asked.games)
    assert asked.judged == (
        f"medium: lore judges Second Story and {made.title}, each by its own, since there is no "
        f"policy net for the columns of {made.title}."
    )
    assert {judges.judge_of(one, "medium", 3, {}) for one in asked.games} == {"lore"}
    assert judges.judge_of(games.find("second-story"), "medium", 3, {}) == "policy"


@pytest.mark.parametrize(
    ("course", "by_lore", "said"),
    [
        ({"minutes": 10.0, "learned_from": 7}, False, "trained alike (10 minutes, 256 units each)"),
        ({"minutes": 1.0, "learned_from": 5}, True, "their policy nets were not trained alike"),
    ],
)
def test_nets_of_their_own_judge_if_they_were_trained_alike(
    copied, monkeypatch, tmp_path, course, by_lore, said
):
    both = games.find("second-story"), copied("second-story", wide_state)
    usual = {"decisions": None, "minutes": 10.0, "learned_from": 5}
    nets = dict(zip(both, (usual, usual | course), strict=True))

    def net(one):
        return Learned((random,), {"units": 256, "course": nets[one], "covers": ()})

    monkeypatch.setattr(judges.policy_function, "learned", net)
    monkeypatch.setattr(judges, "path_of", lambda one: tmp_path / one.name)
    games_now, told = judges.evenly(both, ["medium"])
    assert [one.by_lore for one in games_now] == [by_lore, by_lore]
    assert said in told


def test_deals_of_a_game_and_its_copy_are_paired(copied, tmp_path):
    """The copy is the same game, so every difference is 0; a changed one is another game."""

    def shorter(folder):
        in_file(folder / "state.py", "usual=10, says", "usual=4, says")

    made = copied("second-story", name="test-paired")  # always the same: its kernels are kept
    other = copied("second-story", shorter, name="test-shorter")
    asked = compared(
        games.find("second-story"), made, other, sample={"deals": 20},
        measure={"length": "events", "second": "share_2"},
    )  # fmt: skip
    run = Run(asked, tmp_path / "run")
    run.begin()
    run.play(1)
    found = findings(run)
    apart = {(one.left, one.measure): one.figure for one in found.differences}
    assert all(
        (apart[made.name, name].low, apart[made.name, name].high) == (0, 0)
        for name in ("length", "second")
    )
    assert apart[other.name, "length"].high < 0
    data = to_dict(found)
    assert [one["name"] for one in data["games"]] == ["second-story", made.name, other.name]
    assert run.head["game"] == f"second-story, {made.name}, {other.name}"


@pytest.mark.wide
@pytest.mark.parametrize("like", ALL)
def test_the_tests_of_a_copy_pass_and_it_keeps_every_promise(tmp_path, like):
    name, package = f"my-{like}", f"my_{like.replace('-', '_')}"
    copy(games.find(like), name, tmp_path / "made")
    for path, text in installed(package, f"[yegg.games]\n{name} = {package}\n").items():
        there = tmp_path / "made/src" / path
        there.parent.mkdir(exist_ok=True)
        there.write_text(text, "utf-8")
    quick = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not wide"]
    how = {"paths": [tmp_path / "made/src"], "env": {"YEGG_CACHE": str(folders.cache())}}
    own = python(*quick, cwd=tmp_path / "made", **how)
    assert own.returncode == 0, own.stdout + own.stderr
    kept = python(*quick, "--pyargs", "yegg.contract", "-k", name, cwd=tmp_path, **how)
    assert kept.returncode == 0, kept.stdout + kept.stderr
