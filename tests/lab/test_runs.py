"""A run keeps what analyses say of its games, and tells what was lost, in its folder."""

import json
import shutil

import msgspec
import polars as pl
import pytest

from yegg.lab.analyses.analysis import Analysis
from yegg.lab.analyses.registry import ANALYSES
from yegg.lab.executors.threads import Done, Lost, Threads
from yegg.lab.experiment import runs, shards
from yegg.lab.experiment.findings import findings
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.schema import read
from yegg.machine import machine

from .files import run_of, written

TEXT = """
game = "second-story"
players = 2
bots = ["uniform"]
[vary]
chips = [9, 10]
[sample]
deals = 270
[measure]
nights = "nights"
doubled = "doubled"
[length]
deals = 255
"""
LOOKED = 255


class Asked(msgspec.Struct, frozen=True):
    """What the file asks for."""

    deals: int


class Length(Analysis):
    """An analysis of the tests: it adds twice the number of nights to each game."""

    schema, key, part, data_key = Asked, "length", "length", "length"

    def __init__(self):
        self.warmed, self.hidden, self.asked = [], frozenset(), []

    def columns(self, spec, sides):
        assert (spec.deals, sides) == (LOOKED, 2)
        return ("doubled",)

    def collect(self, spec, games):
        return games.table(None, lambda row, log, shares: [{"doubled": 2.0 * row[0]}])

    def estimate(self, spec, game, frames):
        self.asked.append((spec, frames))
        return [spec.deals]

    def untold(self, estimates):
        return {("chips=9", "uniform"): self.hidden}

    def warm(self, setting):
        self.warmed.append(setting)


@pytest.fixture
def length(monkeypatch):
    """The analysis, while a test asks for it."""
    made = Length()
    monkeypatch.setattr("yegg.lab.experiment.schema.ANALYSES", [*ANALYSES, made])
    return made


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The folder of a run whose games are analysed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("yegg.lab.experiment.schema.ANALYSES", [*ANALYSES, Length()])
        return run_of(tmp_path_factory.mktemp("kept"), TEXT).folder


@pytest.fixture
def run(kept, length, tmp_path):
    """A copy of it, opened."""
    return Run.opened(shutil.copytree(kept, tmp_path / "run"))


def test_games_have_what_an_analysis_adds_as_far_as_it_was_asked(run):
    """Of the deals after these its part lies there too: games are played fifty at once."""
    for cell in run.experiment.cells:
        games = run.games(cell)
        assert games["deal"].to_list() == list(range(270))
        added = [2.0 * deal if deal < LOOKED else None for deal in games["deal"]]
        assert games["doubled"].to_list() == added


def test_the_table_of_an_analysis_is_of_the_deals_that_it_asks_for(run, length):
    ((analysis, spec),) = run.experiment.asked
    frames = run.frames(analysis, spec)
    assert list(frames) == run.experiment.cells
    assert all(table["deal"].to_list() == list(range(LOOKED)) for table in frames.values())
    findings(run)
    ((given, seen),) = length.asked
    assert given == spec
    assert {cell: table.height for cell, table in seen.items()} == dict.fromkeys(frames, LOOKED)


def test_what_may_not_be_told_is_told_of_no_game(run, length):
    def known():
        found = findings(run)
        return {one.variant: one.known for one in found.measured if one.measure == "doubled"}

    assert known() == {"chips=9": LOOKED, "chips=10": LOOKED}
    length.hidden = frozenset({"doubled"})
    assert known() == {"chips=9": 0, "chips=10": LOOKED}


def test_a_part_that_lacks_is_played_again_and_its_games_say_nothing(run):
    cell = run.experiment.cells[0]
    run.path(cell, 1, "length").unlink()
    assert [piece.number for piece in run.missing()] == [1]
    assert run._block(cell, 1, 270)["doubled"].null_count() == 20
    assert run._block(cell, 1, 260)["deal"].to_list() == list(range(250, 260))


def test_before_the_first_game_all_is_compiled_that_is_asked_for(run, length, monkeypatch):
    cells, of = run.experiment.cells, []
    monkeypatch.setattr(shards, "cold", lambda setting: of.append(setting) or False)
    assert not shards.is_cold(run.experiment)
    assert of == [shards.setting(run.experiment, cell) for cell in cells]
    monkeypatch.setattr(shards, "cold", lambda setting: True)
    assert shards.is_cold(run.experiment)
    shards.prepare(run.experiment, cells[:1])
    assert [one.options for one in length.warmed] == [{"chips": "9"}]


class Given:
    """An executor that gives what it was told to."""

    def __init__(self, give):
        self.give = give

    def play(self, work):
        for piece in work.pieces:
            yield Done(piece, self.give(work, piece), "a node")

    def machines(self):
        return [{"processor": "another"}]


def journal(folder):
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]


def test_what_could_not_be_played_is_noted_and_can_be_played_again(length, tmp_path):
    run = Run(read(written(tmp_path, TEXT)), tmp_path / "run")
    run.begin()
    run.play(
        executor=Given(lambda work, piece: Lost("no room", piece.number + 1, piece.number > 0))
    )
    assert [(piece.number, lost.why) for piece, lost in run.lost] == [(1, "no room")] * 2
    first, *_, last = journal(run.folder)
    times = first.pop("at"), last.pop("at")
    assert 0 <= times[0] <= times[1]
    seed, slug = run.experiment.seed, run.experiment.cells[0].slug
    assert first == {"cell": slug, "block": 0, "seed": seed, "first": 0, "deals": 250} | {
        "why": "no room",
        "times": 1,
        "last": False,
    }
    assert (last["first"], last["deals"], last["last"]) == (250, 20, True)
    run.play(executor=Threads(1))
    assert not run.lost
    assert not run.missing()


def test_games_are_written_last_since_they_end_a_block(length, tmp_path, monkeypatch):
    order, writing = [], runs.write_atomic
    run = Run(read(written(tmp_path, TEXT)), tmp_path / "run")
    run.begin()
    monkeypatch.setattr(
        runs, "write_atomic", lambda path, data: order.append(path) or writing(path, data)
    )
    run.play(executor=Given(lambda work, piece: work.job(work.experiment, piece)))
    blocks = [path.name for path in order if path.suffix == ".parquet"]
    assert (
        blocks
        == ["length-00000.parquet", "00000.parquet"] * 2
        + [
            "length-00001.parquet",
            "00001.parquet",
        ]
        * 2
    )
    notes = journal(run.folder)
    assert {note["on"] for note in notes} == {"a node"}
    assert all(isinstance(note["at"], float) for note in notes)
    assert json.loads((run.folder / "manifest.json").read_text())["machines"] == [
        {"processor": "another"}
    ]


def changed(run, what, change, machines):
    """The faults of a run of which one table was changed, and written as played by machines."""
    path = run.path(run.experiment.cells[0], 1, what)
    data = runs.as_bytes(change(pl.read_parquet(path)))
    path.write_bytes(data)
    name = run.checksums.name(path)
    manifest = json.loads((run.folder / "manifest.json").read_text())
    manifest["parts"][name] = runs.checksum(data)
    manifest["machines"] = machines
    (run.folder / "manifest.json").write_text(json.dumps(manifest))
    with (run.folder / "journal.jsonl").open("a") as file:
        file.write(json.dumps({"parts": {name: runs.checksum(data)}}) + "\n")
    return Run.opened(run.folder).check(4)


OTHER = {"processor": "another"}


@pytest.mark.parametrize(
    ("what", "change", "machines", "faults"),
    [
        ("length", lambda table: table.with_columns(doubled=1.5), [OTHER], 0),
        ("length", lambda table: table.with_columns(doubled=1.5), [machine()], 1),
        ("", lambda table: table.with_columns(events=pl.col("events") + 1), [OTHER], 0),
        ("", lambda table: table.with_columns(events=pl.col("events") + 1), [machine()], 1),
        ("", lambda table: table.with_columns(nights=pl.col("nights") + 5), [OTHER], 1),
        ("", lambda table: table.filter(pl.col("deal") != 260), [OTHER], 1),
    ],
)
def test_games_of_another_machine_may_differ_as_far_as_chance_makes_them(
    run, what, change, machines, faults
):
    said = changed(run, what, change, machines)
    assert len(said) == faults, said
    assert all(one.endswith("is not what its games give when played again") for one in said)
