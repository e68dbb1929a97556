"""Searching settings for an aim: what is refused, what is found, and that it is told honestly."""

import html
import json
import math
import random
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from waiting import until

from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab.cells import Variant
from yegg.lab.executors.threads import Threads
from yegg.lab.experiment.runs import Run
from yegg.lab.tuning.halving import FEWEST, Tried, halve, order, planned
from yegg.lab.tuning.result import compared
from yegg.lab.tuning.schema import FRESH, Target, loss, read, tuned
from yegg.lab.tuning.search import LEFT, Search
from yegg.stats.bootstrap import means_again
from yegg.stats.intervals import Figure

from .files import written, yegg

FILE = """
question = "How many chips make 15 minutes?"
game = "second-story"
players = 3
seed = 4
bots = ["uniform"]

[tune]
chips = { from = 3, to = 20 }
courts = ["no", "yes"]

[target]
minutes = { is = 15 }
tied = { of = "winners > 1", below = 0.03, weight = 2 }

[sample]
games = 1600
final = 150
"""


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tuning")
    file = written(folder, FILE)
    found = json.loads(
        yegg("lab", "tune", file, "--out", folder / "search", "--threads", 2, "--json")
    )
    return folder / "search", found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("chips =", "chip =", "chips"),
        ("to = 20", "to = 21", "3 to 20"),
        ("to = 20", "till = 20", "there are: from, to, step"),
        ("from = 3", "from = 30", "is no range"),
        ('courts = ["no", "yes"]', "courts = []", "is a list of values"),
        ("is = 15", "is = 15, below = 20", "one of is, below and above"),
        ("is = 15", "was = 15", "has no key 'was'"),
        ("is = 15", 'is = "15"', "is a number"),
        ("minutes =", "minuets =", "did you mean 'minutes'"),
        ("winners > 1", "winers > 1", "did you mean 'winners'"),
        ("weight = 2", "weight = 0", "more than 0"),
        ('["uniform"]', '["uniform", "medium"]', "names one level"),
        ('["uniform"]', '["unifrom"]', "did you mean 'uniform'"),
        ("players = 3", "players = 9", "not 9"),
        ("games = 1600", "games = 1", "at least 2"),
        ("games = 1600", "deals = 1600", "has no key 'deals'"),
        ("seed = 4", 'seed = "four"', "whole number"),
        ("seed = 4", 'search = "grid"', "halving"),
        ("[tune]", "[tuen]", "did you mean 'tune'"),
        ("[target]", "[", "is no TOML"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(tmp_path, old, new, said):
    assert old in FILE
    path = written(tmp_path, FILE.replace(old, new, 1))
    with pytest.raises(Refused) as refusal:
        read(path)
    assert str(refusal.value).startswith(str(path))
    assert said in str(refusal.value)


def test_the_files_of_the_page_and_of_help_are_read():
    page = (Path(__file__).parents[2] / "docs" / "lab-tuning.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    said = CliRunner().invoke(cli, ["lab", "tune", "--help"]).output
    helped = said[said.index("question =") : said.index("All settings play")]
    for text in (told, helped):
        tuning = tuned(tomllib.loads(text))
        assert tuning.game.name == "second-story"
        assert tuning.games == 4000


def test_settings_that_the_game_does_not_allow_are_left_out(tmp_path):
    text = """
    game = "magnate"
    bots = ["uniform"]
    [tune]
    players = [1, 2]
    automa = ["no", "easy"]
    [target]
    minutes = 20
    """
    tuning = read(written(tmp_path, text))
    assert tuning.many == 4
    names = {variant.name for variant in tuning.settings()}
    assert names == {"players=1, automa=easy", "players=2, automa=no"}
    assert [variant.players for variant in tuning.settings()] == [1, 2]


def test_a_miss_is_counted_in_hundredths():
    minutes = Target("minutes", "minutes", "minutes", "is", 20)
    tied = Target("tied", "winners > 1", "tied", "below", 0.02, weight=2, share=True)
    assert minutes.miss([20, 22, 18]) == pytest.approx([0, 10, 10])
    assert tied.miss([0, 0.02, 0.03]) == pytest.approx([0, 0, 2])
    assert loss([minutes, tied], np.array([[22, 0.03], [20, 0.0]])) == pytest.approx([12, 0])
    assert np.isinf(loss([minutes, tied], np.array([[math.nan, 0.03]]))).all()
    assert minutes.within(19, 22) == pytest.approx((0, 10))
    assert minutes.within(21, 22) == pytest.approx((5, 10))
    assert tied.within(0.01, 0.03) == pytest.approx((0, 2))
    assert not minutes.missed(Figure(20.5, 19, 22))
    assert minutes.missed(Figure(21.5, 21, 22))
    assert not tied.missed(Figure(0.03, 0.01, 0.05))
    assert tied.missed(Figure(0.03, 0.025, 0.035))


def settings(many):
    return [Variant(str(number), 2, ()) for number in range(many)]


def test_halving_plays_what_was_asked_for_and_every_round_has_other_deals():
    played = []

    def play(variants, deals):
        played.append((len(variants), deals))
        return [Tried(one, -int(one.name), (0.0,)) for one in variants]

    rounds = list(halve(settings(100), play, 7000, 2))
    assert [many for many, _ in played] == [100, 50, 25, 13, 7, 4, 2]
    assert [(len(made.tried), len(made.deals)) for made in rounds] == planned(100, 7000, 2)
    assert sum(many * len(deals) * 2 for many, deals in played) <= 7000
    ends = [0, *(deals.stop for _, deals in played)]
    assert [deals.start for _, deals in played] == ends[:-1]
    assert [one.name for one in order(rounds)] == [str(number) for number in range(99, -1, -1)]
    assert min(deals for _, deals in planned(5000, 100, 1)) == FEWEST


def test_halving_finds_the_best_of_many_where_deals_are_noisy():
    dice = np.random.default_rng(8)

    def play(variants, deals):
        noise = dice.normal(size=len(variants)) * 3 / len(deals) ** 0.5
        return [
            Tried(one, int(one.name) / 20 + off, (0.0,))
            for one, off in zip(variants, noise, strict=True)
        ]

    found = [int(order(list(halve(settings(200), play, 20_000, 1)))[0].name) for _ in range(50)]
    assert np.mean(found) < 4  # of 200; chance alone would give 99.5


@pytest.mark.wide
def test_equal_settings_are_seldom_told_apart_and_a_better_one_is_found():
    dice, wrong, right = np.random.default_rng(3), 0, 0
    target = Target("x", "x", "x", "is", 50.0)
    for _ in range(100):
        values = dice.normal(52, 8, (150, 8, 1)) + dice.normal(0, 4, (150, 1, 1))
        best, aparts = compared(loss([target], means_again(values)))
        wrong += best != 0 or any(low > 0 for low, _ in aparts[1:])
        values[:, 5] -= 2  # exactly on the target
        values[:, 0] += 4
        best, _ = compared(loss([target], means_again(values)))
        right += best == 5
    assert wrong <= 8
    assert right >= 70


@pytest.mark.wide
def test_the_search_finds_the_length_that_was_wanted(searched):
    _, found = searched
    search = found["search"]
    assert search["settings"] == 36
    assert [one["settings"] for one in search["rounds"]] == [36, 18, 9, 5, 3, 2]
    assert search["best"].startswith(("chips=10,", "chips=11,"))
    assert len(search["left"]) == LEFT
    for one in search["left"]:
        low, high = one["interval"]
        assert low <= one["loss"] <= high
    answers = {one["setting"]: one["answer"] for one in search["left"]}
    assert answers[search["best"]] == "closest"
    assert sorted(answers.values()).count("closest") == 1


@pytest.mark.wide
def test_what_is_told_was_measured_over_fresh_deals_by_an_ordinary_run(searched):
    folder, found = searched
    run = Run.opened(folder / "final")
    assert run.experiment.seed == 4 + FRESH
    assert not run.missing()
    assert run.check(2) == []
    best = found["search"]["best"]
    (cell,) = [c for c in run.experiment.cells if c.variant.name.endswith(f": {best}")]
    (figure,) = [
        one
        for one in found["figures"]
        if (one["variant"], one["measure"]) == (cell.variant.name, "minutes")
    ]
    assert figure["value"] == pytest.approx(run.games(cell)["minutes"].mean())
    (mine,) = [one for one in found["search"]["left"] if one["setting"] == best]
    tied = (run.games(cell)["winners"] > 1).mean()
    off = abs(figure["value"] - 15) / 0.15 + 2 * 100 * max(tied - 0.03, 0)
    assert mine["loss"] == pytest.approx(off)


@pytest.mark.wide
def test_every_figure_of_the_page_is_in_the_data(searched):
    folder, _ = searched
    page = (folder / "report.html").read_text("utf-8").replace("\N{NO-BREAK SPACE}", " ")
    sheet = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    keys = [plot["key"] for plot in sheet["plots"]]
    assert keys[:3] == ["left", "field", "values"]
    spreads = [plot["spread"] for plot in sheet["plots"] if plot["spread"]]
    tables = [*sheet["plots"], *spreads, *sheet["by_seat"], sheet["compared"]]
    there = [cell for table in tables for cell in table["columns"]]
    for table in tables:
        for row in table["rows"]:
            there += [cell["text"] if isinstance(cell, dict) else str(cell) for cell in row]
    cells = [
        html.unescape(cell)
        for cell in re.findall(r"<t[dh](?: [^>]*)?>(.*?)</t[dh]>", page, re.DOTALL)
    ]
    assert sorted(cells) == sorted(there)
    assert "<script" not in page.lower()
    assert sheet["answer"] in html.unescape(page)
    assert "yegg lab tune experiment.toml" in (folder / "report.md").read_text()
    assert (folder / "experiment.toml").read_text() == FILE


class Stopped(Exception):
    pass


def kept(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in {"journal.jsonl", "checksums.txt"}
    }


@pytest.mark.wide
def test_a_search_that_is_stopped_goes_on_and_ends_the_same(searched, tmp_path):
    folder, _ = searched
    file, played = written(tmp_path, FILE), []

    class Tired(Threads):
        def play(self, work):
            for done in super().play(work):
                played.append(done.piece)
                if len(played) % 50 == 0:
                    raise Stopped
                yield done

    for _ in range(20):
        search = Search(read(file), tmp_path / "search")
        search.begin()
        with (tmp_path / "search" / "tries.jsonl").open("a") as tries:
            tries.write('{"setting": "chips=3, cou')  # as a death in the middle leaves it
        search.begin()
        try:
            search.play(Tired(1), lambda _: None)
            break
        except Stopped:
            continue
    yegg("lab", "tune", file, "--out", tmp_path / "search", "--threads", 1)
    assert kept(tmp_path / "search") == kept(folder)
    assert len(played) > 70
    assert len(set(played)) >= len(played) - 3  # one at each stop


@pytest.mark.wide
def test_another_question_does_not_go_on_in_the_same_folder(searched, tmp_path):
    folder, _ = searched
    for old, new in (("seed = 4", "seed = 5"), ("winners > 1", "winners > 2")):
        search = Search(read(written(tmp_path, FILE.replace(old, new))), folder)
        with pytest.raises(Refused, match="made with another"):
            search.begin()


@pytest.mark.wide
def test_more_settings_than_can_be_listed_are_proposed(tmp_path):
    pytest.importorskip("optuna", reason="proposals need yegg[lab]")
    file = written(tmp_path, FILE.replace("seed = 4", 'seed = 4\nsearch = "optuna"'))
    found = [
        json.loads(
            yegg(
                "lab",
                "tune",
                file,
                "--out",
                tmp_path / name,
                "--threads",
                n,
                "--json",
                "--no-report",
            )
        )
        for name, n in (("one", 1), ("two", 2))
    ]
    assert found[0] == found[1]
    assert kept(tmp_path / "one") == kept(tmp_path / "two")
    assert found[0]["search"]["best"].startswith(("chips=9,", "chips=10,", "chips=11,"))
    assert found[0]["search"]["rounds"][0]["deals"] == 40


def written_so_far(folder):
    tries = folder / "tries.jsonl"
    lines = tries.read_bytes().count(b"\n") if tries.exists() else 0
    return lines + len(list(folder.glob("final/parts/*/*.parquet")))


@pytest.mark.wide
def test_three_kills_change_nothing(tmp_path):
    text = FILE.replace("1600", "60_000").replace("final = 150", "final = 4000")
    file, dice = written(tmp_path, text), random.Random(7)
    run = [sys.executable, "-m", "yegg.cli", "lab", "tune", str(file), "--json", "--out"]
    subprocess.run([*run, str(tmp_path / "whole")], check=True, stdout=subprocess.DEVNULL)
    for _ in range(3):
        more = written_so_far(tmp_path / "search") + dice.randint(1, 40)
        going = subprocess.Popen([*run, str(tmp_path / "search")], stdout=subprocess.DEVNULL)
        while (now := written_so_far(tmp_path / "search")) < more:
            assert going.poll() is None, "make the search longer"
            until(
                lambda now=now, going=going: (
                    written_so_far(tmp_path / "search") > now or going.poll() is not None
                )
            )
        going.send_signal(signal.SIGKILL)
        going.wait()
    subprocess.run([*run, str(tmp_path / "search")], check=True, stdout=subprocess.DEVNULL)
    assert kept(tmp_path / "search") == kept(tmp_path / "whole")
