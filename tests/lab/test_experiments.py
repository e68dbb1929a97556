"""Experiments as files: what is refused, what is played, and that it is the same every time."""

import json
import random
import shutil
import signal
from hashlib import sha256

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from programs import FORKS
from waiting import until

from yegg import games
from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab.batch import Matchup
from yegg.lab.experiment import runs
from yegg.lab.experiment.findings import findings
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.schema import read
from yegg.lab.game_frame import columns_of
from yegg.lab.simulation import run

from .files import parts, refused, run_of, written, yegg

FILE = """
question = "Do nine chips of each suit make a shorter game?"
game = "second-story"
seed = 5
bots = ["uniform", ["greedy", "uniform", "uniform"]]

[vary]
rules = [{ name = "ten" }, { name = "nine", chips = "9" }]

[sample]
deals = 600
"greedy uniform uniform" = 60

[measure]
events = "events"
tied = "winners > 1"

[[claim]]
events = "nine < ten"
margin = 0.5
"""


@pytest.fixture
def file(tmp_path):
    return written(tmp_path, FILE, "chips.toml")


def lab(command, *more, code=0):
    return yegg("lab", command, *more, *(["--no-report"] if command == "run" else []), code=code)


def test_the_same_file_gives_the_same_bytes_on_one_thread_and_on_four(file, tmp_path):
    lab("run", file, "--out", tmp_path / "one", "--threads", 1, "--json")
    lab("run", file, "--out", tmp_path / "four", "--threads", 4, "--json")
    one = parts(tmp_path / "one")
    assert len(one) == 2 * (3 + 1)  # 600 and 60 deals in blocks of 250
    assert one == parts(tmp_path / "four")


def test_every_figure_is_that_of_the_games(file, tmp_path):
    found = json.loads(lab("run", file, "--out", tmp_path / "run", "--json"))
    run = Run.opened(tmp_path / "run")
    for cell in run.experiment.cells:
        table = run.games(cell)
        (figure,) = [
            one
            for one in found["figures"]
            if (one["variant"], one["level"], one["measure"])
            == (cell.variant.name, cell.level, "events")
        ]
        assert figure["games"] == len(table)
        assert figure["value"] == pytest.approx(table["events"].mean())


def test_every_variant_plays_every_deal_in_every_seating(file, tmp_path):
    lab("run", file, "--out", tmp_path / "run", "--json")
    run = Run.opened(tmp_path / "run")
    for cell in run.experiment.cells:
        deals = run.experiment.deals[cell.level]
        seatings = 1 if cell.level == "uniform" else 3
        rows = run.games(cell).select("deal", "seating").rows()
        assert rows == [(deal, seat) for deal in range(deals) for seat in range(seatings)]


def test_seatings_are_all_that_differ():
    text = FILE.replace('["greedy", "uniform", "uniform"]', '["greedy", "easy", "uniform"]')
    text = text.replace("greedy uniform uniform", "greedy easy uniform")
    import tomllib

    from yegg.lab.experiment.schema import parsed

    cells = parsed(tomllib.loads(text)).cells
    assert sorted(cells[-1].seatings) == [
        (0, 1, 2),
        (0, 2, 1),
        (1, 0, 2),
        (1, 2, 0),
        (2, 0, 1),
        (2, 1, 0),
    ]
    assert cells[0].seatings == [(0, 1, 2)]


def test_a_claim_is_clear_or_equal_or_open(file, tmp_path):
    found = json.loads(lab("run", file, "--out", tmp_path / "run", "--json"))
    random_play, _ = found["claims"]
    assert random_play["answer"] == "clear"
    assert random_play["difference"]["value"] < 0
    assert random_play["p_corrected"] >= random_play["difference"]["p"]
    same = written(tmp_path, FILE.replace('chips = "9"', 'chips = "10"'))
    found = json.loads(lab("run", same, "--out", tmp_path / "same", "--json"))
    assert [claim["answer"] for claim in found["claims"]] == ["equal", "equal"]


def test_nothing_is_claimed_where_games_did_not_end(tmp_path):
    # At random a game of many chips is stopped by the limit of events.
    text = """
    game = "thiefs-market"
    players = 3
    [vary]
    rules = [{ name = "a" }, { name = "b", dice = "11" }]
    [sample]
    deals = 30
    [[claim]]
    share_1 = "a != b"
    """
    lab("run", written(tmp_path, text), "--out", tmp_path / "run", "--json")
    run = Run.opened(tmp_path / "run")
    (cell, _) = run.experiment.cells
    path = run.path(cell, 0)
    table = pl.read_parquet(path)
    cut = table.with_columns(over=pl.Series(np.arange(len(table)) % 5 != 0))
    cut.write_parquet(path)
    run.checksums.note({run.checksums.name(path): sha256(path.read_bytes()).hexdigest()})
    run.begin()
    (claim,) = json.loads(lab("show", tmp_path / "run", "--json"))["claims"]
    assert claim["answer"] == "no claim"
    assert "6 of 30 games of a did not end" in claim["why"]


@pytest.mark.wide
def test_a_larger_sample_goes_on_and_ends_where_one_run_does(file, tmp_path):
    small = FILE.replace("deals = 600", "deals = 260")
    lab("run", written(tmp_path, small), "--out", tmp_path / "run", "--json")
    first = (tmp_path / "run" / "journal.jsonl").read_text().count("\n")
    lab("run", file, "--out", tmp_path / "run", "--json")
    lab("run", file, "--out", tmp_path / "whole", "--json")
    assert parts(tmp_path / "run") == parts(tmp_path / "whole")
    again = (tmp_path / "run" / "journal.jsonl").read_text().count("\n") - first
    assert again == 4  # the second and third block of both variants at random


def test_a_run_that_is_complete_plays_nothing(file, tmp_path):
    lab("run", file, "--out", tmp_path / "run", "--json")
    before = (tmp_path / "run" / "journal.jsonl").read_bytes()
    lab("run", file, "--out", tmp_path / "run", "--json")
    assert (tmp_path / "run" / "journal.jsonl").read_bytes() == before


@pytest.mark.wide
def test_another_seed_does_not_go_on_in_the_same_folder(file, tmp_path):
    lab("run", file, "--out", tmp_path / "run", "--json")
    other = written(tmp_path, FILE.replace("seed = 5", "seed = 6"))
    result = CliRunner().invoke(cli, ["lab", "run", str(other), "--out", str(tmp_path / "run")])
    assert isinstance(result.exception, Refused)
    assert "another experiment, seed" in str(result.exception)


def test_a_folder_of_something_else_is_left_alone(file, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    with pytest.raises(Refused, match="not empty and holds no run"):
        Run(read(file), tmp_path / "mine").begin()


@pytest.mark.wide
@pytest.mark.parametrize("whole", [0, 1])
def test_a_run_that_was_killed_while_it_began_goes_on(file, tmp_path, monkeypatch, whole):
    files = []

    def killed(path, data):
        if len(files) == whole:
            path.with_name(path.name + ".part").touch()
            raise KeyboardInterrupt
        files.append(path.write_bytes(data))

    with monkeypatch.context() as patch:
        patch.setattr(runs, "write_atomic", killed)
        with pytest.raises(KeyboardInterrupt):
            Run(read(file), tmp_path / "run").begin()
    Run(read(file), tmp_path / "run").begin()
    assert (tmp_path / "run" / "experiment.toml").read_text() == FILE


def test_check_finds_a_changed_byte_and_a_changed_game(file, tmp_path):
    folder = tmp_path / "run"
    lab("run", file, "--out", folder, "--json")
    assert "same games" in lab("check", folder, "--blocks", 10)
    (path, *_) = sorted((folder / "parts").rglob("*.parquet"))
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    said = lab("check", folder, "--blocks", 10, code=1)
    assert "is not what the manifest says" in said
    assert "is not what its games give when played again" in said
    path.unlink()
    assert "is missing" in lab("check", folder, "--blocks", 0, code=1)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('game = "second-story"', 'game = "second-storey"', "second-story"),
        ("question", "qestion", "did you mean 'question'"),
        ('chips = "9"', 'chip = "9"', "chips"),
        ('chips = "9"', 'chips = "99"', "chips"),
        ('"uniform", ["greedy"', '"unifrom", ["greedy"', "did you mean 'uniform'"),
        ('["greedy", "uniform", "uniform"]', '["greedy", "uniform"]', "fill 2 seats"),
        ("winners > 1", "winers > 1", "did you mean 'winners'"),
        ("winners > 1", "winners >", "is no expression"),
        ("winners > 1", "sum(winners)", "of each game by itself"),
        ("deals = 600", "deals = 0", "at least 1"),
        ("deals = 600", "deals = 2.5", "whole number"),
        ("deals = 600", "hard = 6", "sample.hard"),
        ("nine < ten", "nine ten", "none of"),
        ("nine < ten", "nine < eleven", "there is no variant 'eleven'; there are: ten, nine"),
        ("[[claim]]\n", "[[claim]]\nnigth", "claim: there is no measure 'nigth"),
        ("margin = 0.5", 'margin = "a lot"', "margin"),
        ("[vary]", '[vary]\ndesign = "girds"', "grid"),
        ('name = "nine"', 'name = "ten"', "two variants are called 'ten'"),
        ("seed = 5", "seed = 5\n[", "is no TOML"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(tmp_path, old, new, said):
    assert old in FILE
    path = written(tmp_path, FILE.replace(old, new, 1))
    why = refused(path)
    assert why.startswith(str(path))
    assert said in why


def test_a_bot_that_minds_the_clock_is_refused(tmp_path):
    text = FILE.replace('"uniform", [', '"search:0.5s", [')
    assert "thinks by the clock" in refused(written(tmp_path, text))


def test_a_bot_that_cannot_play_the_game_is_refused(tmp_path):
    file = 'game = "secrets"\nbots = ["uniform", "exact"]\n'
    assert "exact cannot play 'published': it needs to see everything" in refused(
        written(tmp_path, file)
    )


@pytest.mark.parametrize("design", ["grid", "pairs", "one-at-a-time"])
def test_designs_try_what_their_names_say(tmp_path, design):
    text = f"""
    game = "second-story"
    [vary]
    design = "{design}"
    chips = [10, 9, 8]
    excuse = ["no", "yes"]
    courts = ["no", "yes"]
    """
    names = [variant.name for variant in read(written(tmp_path, text)).variants]
    assert names[0] == "chips=10, excuse=no, courts=no"
    changes = [sum(part not in names[0] for part in name.split(", ")) for name in names]
    expected = {"grid": [1, 4, 5, 2], "pairs": [1, 4, 5, 0], "one-at-a-time": [1, 4, 0, 0]}
    assert [changes.count(n) for n in range(4)] == expected[design]


@pytest.mark.parametrize("game", games.names())
def test_every_counter_has_a_column_of_its_own(game):
    game = games.find(game)
    names = list(columns_of(game, game.usual_players({})))
    tally, who = game.part("tally"), ["uniform"] * game.usual_players({})
    assert names[-len(tally.COLUMNS) :] == list(tally.COLUMNS)
    batch = run(Matchup(game, len(who), {}, who, 1), 0, 20)
    for note in range(len(tally.COLUMNS), tally.COUNTS):
        assert not batch.counts[:, note].any(), "what has no column is 0 at the end of a game"
    assert all(name.isidentifier() for name in names)


@pytest.mark.wide
def test_plan_says_what_would_be_played(file):
    plan = json.loads(lab("plan", file, "--json"))
    assert [cell["games"] for cell in plan["cells"]] == [600, 600, 180, 180]
    assert all(cell["seconds"] > 0 for cell in plan["cells"])
    assert "Do nine chips" in lab("plan", file)


@pytest.mark.wide
def test_people_are_told_in_sentences(file, tmp_path):
    said = lab("run", file, "--out", tmp_path / "run")
    assert "Events: clearly lower with nine than with ten." in " ".join(said.split())
    assert lab("show", tmp_path / "run") == said


@pytest.mark.wide
def test_thirty_kills_change_no_byte(tmp_path):
    """Every other run is killed while it begins, the rest some time after a new block is there."""
    text = FILE.replace("deals = 600", "deals = 8_000").replace('m" = 60', 'm" = 400')
    path, dice = written(tmp_path, text), random.Random(7)
    run = "lab", "run", path, "--json", "--out"
    yegg(*run, tmp_path / "whole")
    whole, folder = parts(tmp_path / "whole"), tmp_path / "run"
    for n in range(30):
        blocks = len([*folder.rglob("*.parquet")])
        if blocks == len(whole):  # it came to its end: the next kills are those of another run
            assert parts(folder) == whole
            shutil.rmtree(folder)
        going = FORKS.Process(target=yegg, args=(*run, folder))
        going.start()
        if n % 2:
            until(lambda: not going.is_alive() or len([*folder.rglob("*.parquet")]) > blocks)  # noqa: B023
        going.join(dice.uniform(0, 0.2 if n % 2 else 1))  # at any moment
        going.kill()
        going.join()
        assert going.exitcode in (0, -signal.SIGKILL)
    yegg(*run, folder)
    assert parts(folder) == whole


def test_a_part_of_something_is_no_share_of_games(tmp_path):
    """Every game has its own part: its interval is that of a mean, however many games there are."""
    text = (
        'game = "secrets"\n[sample]\ndeals = 60\n[measure]\ntied = "winners > 1"\n'
        'part = { of = "points_rewarded / (points_rewarded + points_stolen)", kind = "part" }\n'
    )
    run = run_of(tmp_path, text, 1)
    found = {one.measure: one.figure for one in findings(run).measured}
    (cell,) = run.experiment.cells
    games = run.games(cell)
    parts = games["points_rewarded"] / (games["points_rewarded"] + games["points_stolen"])
    assert found["part"].percent
    assert found["part"].high - found["part"].low == pytest.approx(
        2 * 1.96 * parts.std() / 60**0.5, rel=1e-3
    )
    assert found["tied"].high - found["tied"].low > 0.03  # Wilson's, also where there are no ties
