"""Datasets of `yegg export`: their rows are what environments tell, and their games read back."""

import json
import re
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from waiting import until

from yegg import envs, games, lab
from yegg import read as read_record
from yegg.engine import Refused, notation
from yegg.engine.notation import BadRecord
from yegg.files import PART
from yegg.lab.batch import Matchup
from yegg.lab.dataset import files
from yegg.lab.dataset.files import Writer
from yegg.lab.dataset.tables import Teller
from yegg.text.phrases import counted

GAMES = {
    "second-story": (3, {}),
    "thiefs-market": (3, {}),
    "magnate": (2, {"courts": "yes"}),
    "secrets": (4, {"hidden": "yes"}),
}
KINDS = {pl.String: "string", pl.Boolean: "bool"}
"""Types of columns that Polars calls otherwise than Hugging Face's hub."""


def setting(name="second-story", bots=("uniform",), seed=5, **more):
    players, options = GAMES[name]
    lineup = list(bots) if len(bots) > 1 else list(bots) * players
    return Matchup(games.find(name), players, options, lineup, seed, **more)


def written(folder, made, many, coach=0, **how):
    with Writer(Teller.of(made, coach), many, folder) as writer:
        writer.run(made, many, **how)
    return writer.facts


def decisions(folder):
    return pl.read_parquet(folder / "decisions-*.parquet")


def whole(folder):
    return pl.read_parquet(folder / files.GAMES)


def check_rows(rows, played, env):
    """Each row is what the environment tells as its agents do what the rows say."""
    assert len(rows) == played["decisions"].sum()
    seen, masks = rows["observation"].to_numpy(), rows["mask"].to_numpy()
    for i, row in enumerate(rows.drop("observation", "mask").iter_rows(named=True)):
        match, game = env.match(), row["game"]
        assert (row["seat"], row["event"]) == (env.actor[0], len(match.history))
        assert (seen[i] == env.observations[0]).all()
        assert (masks[i] == env.masks[0]).all()
        choice = env.setting.choices[row["seat"], row["action"]]
        assert row["text"] == match.say(int(choice))
        env.step([row["action"]])
        assert env.terminated[0] == (i + 1 == len(rows) or rows["game"][i + 1] != game)
        if env.terminated[0]:
            assert np.allclose(env.rewards[0], played["rewards"][game].to_numpy())
            env.step([0])  # deals the next game


@pytest.mark.wide(but=["magnate", "secrets"])
@pytest.mark.parametrize("name", GAMES)
def test_decisions_are_what_environments_tell_the_seat_at_that_moment(name, tmp_path):
    made = setting(name)
    written(tmp_path, made, 3)
    one = {"games": 1, "record": True, "observe": "int8", "autoreset": "next-step"}
    env = envs.batch(name, players=made.players, seed=made.seed, **one, **made.options)
    check_rows(decisions(tmp_path), whole(tmp_path), env)


FIFTH = """
import sys
from itertools import pairwise
from pathlib import Path
from pathlib import Path
import polars as pl
sys.path[:0] = sys.argv[1:]
from lab.test_dataset import check_rows, decisions, whole, written
from yegg import envs, games, lab
from yegg.lab.batch import Setting
made = Setting(games.find("pig"), 3, {"goal": "50"}, ["uniform"] * 3, 2)
written(Path("out"), made, 4)
one = {"games": 1, "record": True, "observe": "int8", "autoreset": "next-step"}
rows = decisions(Path("out"))
check_rows(rows, whole(Path("out")), envs.batch("pig", players=3, seed=2, goal=50, **one))
print(len(rows), lab.match_of(whole(Path("out")).row(3, named=True)).over)
"""


@pytest.mark.wide
def test_a_fifth_game_is_exported_with_no_further_line(pig):
    many, over = pig("-c", FIFTH, str(Path(__file__).parents[1])).split()
    assert int(many) > 4
    assert over == "True"


def test_a_row_of_games_is_a_match_again_at_every_decision(tmp_path):
    made = setting("secrets", ["easy", "uniform", "uniform", "uniform"])
    written(tmp_path, made, 4)
    rows = decisions(tmp_path)
    for row in whole(tmp_path).iter_rows(named=True):
        match = lab.match_of(row)
        assert notation.write(match) == row["record"]
        assert [name.rsplit(" ", 1)[0] for name in match.names] == row["bots"]
        assert (match.scores, match.places, len(match.history)) == (
            row["scores"],
            row["places"],
            row["events"],
        )
        for one in rows.filter(game=row["game"]).sample(5, seed=1).iter_rows(named=True):
            there = lab.match_of(row, one["event"])
            assert (there.actor, there.texts[one["text"]]) == (
                one["seat"],
                match.history[one["event"]],
            )


@pytest.mark.parametrize("name", GAMES)
def test_golden_games_read_back_from_rows(name):
    path = min((games.find(name).folder / "records").glob("*.game"))
    row, golden = {"game": 7, "record": path.read_text("utf-8")}, read_record(path)
    assert lab.match_of(row).history == golden.history
    part = lab.match_of(row, 20)
    golden.back(20)
    assert (part.history, part.texts) == (golden.history, golden.texts)
    with pytest.raises(Refused, match="how many events"):
        lab.match_of(row, 10**6)
    with pytest.raises(BadRecord, match="game 7:1: "):
        lab.match_of(row | {"record": "chess\n"})
    with pytest.raises(Refused, match="has a record"):
        lab.match_of({"event": 3})


@pytest.mark.wide
def test_the_programs_of_the_page_run_as_they_stand(tmp_path, monkeypatch, run, capsys):
    page = (Path(__file__).parents[2] / "docs" / "datasets.md").read_text("utf-8")
    learning, playing, back = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[:3]
    monkeypatch.chdir(tmp_path)
    run("export second-story -n 300 --bots greedy --out greedy")
    space = {}
    exec(learning + playing + back, space)  # noqa: S102
    told = capsys.readouterr().out
    agrees, wins = (float(share) / 100 for share in re.findall(r"(\d+\.\d)%", told))
    assert agrees > 0.6
    assert wins > 0.45
    assert space["match"].over is False
    assert space["row"]["text"] in space["match"].texts


def test_rewards_come_with_each_seats_last_decision(tmp_path):
    written(tmp_path, setting(bots=["greedy", "uniform", "uniform"]), 9)
    played = whole(tmp_path)
    assert played["rewards"].to_numpy().sum(axis=1) == pytest.approx(np.zeros(9), abs=1e-6)
    for (game, seat), rows in decisions(tmp_path).group_by("game", "seat", maintain_order=True):
        brought = played["rewards"][game][seat]
        assert rows["return"].unique().to_list() == [brought]
        assert rows["last"].to_list() == [False] * (len(rows) - 1) + [True]
        assert rows["reward"].to_list() == [0] * (len(rows) - 1) + [brought]
    assert played["judges"][0].to_list().count("lore") == 1


def test_a_game_that_was_cut_off_brings_nothing(tmp_path):
    written(tmp_path, setting(max_events=30), 2)
    assert not whole(tmp_path)["over"].any()
    assert not whole(tmp_path)["rewards"].to_numpy().any()
    assert lab.match_of(whole(tmp_path).row(0, named=True)).over is False


def test_the_rows_and_files_are_the_same_on_any_number_of_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "EACH", each := 250)  # of a piece of seven games there are several
    for threads in (1, 2):
        facts = written(tmp_path / f"{threads}", setting(), 60, threads=threads)
    there = {path.name: path.read_bytes() for path in (tmp_path / "1").iterdir()}
    assert there == {path.name: path.read_bytes() for path in (tmp_path / "2").iterdir()}
    parts = [pl.read_parquet(path) for path in sorted((tmp_path / "1").glob("decisions-*"))]
    assert len(parts) > 10
    for part, after in pairwise(parts):
        final = len(part.filter(game=part["game"][-1]))
        assert len(part) - final < each <= len(part)
        assert after["game"][0] == part["game"][-1] + 1
    assert (facts.games, facts.decisions) == (60, sum(map(len, parts)))
    assert whole(tmp_path / "1")["game"].to_list() == [*range(60)]


def test_the_card_tells_every_column_with_its_type(tmp_path):
    facts = written(tmp_path, setting(), 2, coach=8)
    card = (tmp_path / "README.md").read_text("utf-8")
    head = card.split("---\n")[1]
    for table, rows in (("decisions", decisions(tmp_path)), ("games", whole(tmp_path))):
        features = head.split(f"- config_name: {table}\n  features:\n")[1].partition("- config")[0]
        told = []
        for name, dtype in rows.schema.items():
            inner = dtype.inner if isinstance(dtype, pl.Array) else dtype
            kind = KINDS.get(type(inner), str(inner).lower())
            many = f"list: {kind}\n    length: {dtype.size}" if dtype != inner else f"dtype: {kind}"
            told.append(f"  - name: {name}\n    {many}\n")
            assert f"| `{name}` | {kind}" in card
        assert features == "".join(told)
    assert all(f"`{name}`" in card for name in facts.columns)
    data = json.loads((tmp_path / "dataset.json").read_text("utf-8"))
    assert (data["environment"], data["complete"]) == ("SecondStory-v3", True)
    assert len(data["columns"]) == len(data["divide_by"]) == 160
    assert "Stopped early" not in card


def test_the_coachs_chances_are_shares_that_a_seed_repeats(tmp_path):
    for folder in ("one", "two"):
        written(tmp_path / folder, setting(), 1, coach=20)
    told = decisions(tmp_path / "one")["chance"].to_numpy()
    assert ((told >= 0) & (told <= 1)).all()
    assert len(np.unique(told)) > 5
    assert (told == decisions(tmp_path / "two")["chance"].to_numpy()).all()


def test_a_folder_that_holds_something_is_refused(tmp_path, run):
    (tmp_path / "notes").touch()
    status, _, said = run("export second-story -n 1 --out", tmp_path)
    assert status == 2
    assert "is not empty; name another folder" in said
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_what_was_played_is_whole_after_ctrl_c(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "EACH", 1000)

    def stop(done):
        if done >= 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        written(tmp_path, setting(), 10_000, threads=1, progress=stop)
    check_stopped(tmp_path, 10_000)
    many = len(whole(tmp_path))
    written(tmp_path / "again", setting(), many)
    assert decisions(tmp_path).equals(decisions(tmp_path / "again"))


@pytest.mark.wide
def test_ctrl_c_at_the_command_leaves_whole_files(tmp_path):
    folder = tmp_path / "out"
    command = [sys.executable, "-m", "yegg.cli", "export", "second-story", "-n", "100000"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*command, "--out", str(folder)], **pipes) as going:
        until(lambda: [*folder.glob("decisions-*")])
        going.send_signal(signal.SIGINT)
        told, said = going.communicate()
    assert going.returncode == 130
    assert "Traceback" not in said
    check_stopped(folder, 100_000)
    assert f"of {counted(len(whole(folder)), 'game')} are in" in told


def check_stopped(folder, asked):
    """The files agree with one another, and the card says how far they come."""
    played, rows = whole(folder), decisions(folder)
    assert 0 < len(played) < asked
    assert rows["game"].unique().sort().to_list() == played["game"].to_list()
    assert len(rows) == played["decisions"].sum()
    card = (folder / "README.md").read_text("utf-8")
    assert f"**Stopped early**: {asked:,} games were to be played." in card
    assert f"{len(rows):,} decisions of {len(played):,} games" in card
    assert not [path for path in folder.iterdir() if path.name.endswith(PART)]
