"""Plans, folders and figures of an experiment, each beside what it must be by another way."""

import io
import json
import math

import polars as pl
import pytest
from rich.console import Console

from yegg.engine import Refused
from yegg.lab.executors.threads import Done, Lost
from yegg.lab.experiment import power
from yegg.lab.experiment.checksums import Checksums, checksum, manifest
from yegg.lab.experiment.findings import findings, to_dict, without
from yegg.lab.experiment.runs import Run, enter
from yegg.lab.experiment.schema import parsed
from yegg.stats.intervals import as_value
from yegg.text.json_writer import as_json

from .files import LEVELS, run_of

# Plans


def test_a_plan_as_data(monkeypatch):
    monkeypatch.setattr(power, "cores", lambda: 4)
    monkeypatch.setattr(power, "told_apart", lambda experiment, looked: [])
    experiment = parsed({**LEVELS, "question": "Why?"})
    looked = [power.Looked(seconds, (), ()) for seconds in (60.0, 30.0, 90.0, 60.0)]
    data = power.to_dict(experiment, looked)
    assert (data["question"], data["minutes"]) == ("Why?", 1.0)
    assert data["cells"][2] == {
        "variant": "ten", "level": "easy", "deals": 300, "games": 300, "seconds": 90.0,
        "visible_share": pytest.approx(2.8 * math.sqrt(0.5 / 300)),
    }  # fmt: skip
    assert [cell["variant"] for cell in data["cells"]] == ["ten", "nine"] * 2
    text = power.as_time(experiment, [60.0, 60.0, 90.0, 90.0])
    assert text == (
        "About 75 seconds here on 4 cores; "
        "of one core 2 minutes for uniform and 3 minutes for easy."
    )


def test_a_plan_for_people():
    experiment = parsed({**LEVELS, "question": "Why?"})
    console = Console(width=100, file=io.StringIO())
    console.print(power.as_text(experiment))
    said = console.file.getvalue()
    assert said.splitlines()[0].rstrip() == "Why?"
    for words in ("Asked for: events.", "rules", "players", "deals", "games", "nine", "easy"):
        assert words in said


# Checksums


def test_a_part_is_known_by_what_was_written(tmp_path):
    (tmp_path / "parts").mkdir()
    path = tmp_path / "parts" / "one"
    sums = Checksums(tmp_path)
    assert sums.name(path) == "one"
    assert not sums.known(path)
    path.write_bytes(b"1")
    assert not sums.whole(path), "nobody says how it was written"
    sums.note({"one": checksum(b"1"), "gone": checksum(b"2")})
    assert sums.known(path)
    assert sums.whole(path)
    assert sums.read(path) == b"1"
    assert sums.all() == {"one": checksum(b"1")}
    path.write_bytes(b"3")
    with pytest.raises(Refused) as caught:
        sums.read(path)
    assert str(caught.value) == f"{path} is damaged: it is not what the manifest says"
    assert not sums.whole(path)
    assert sums.all() == {}
    sums.note({"one": checksum(b"3")})
    assert sums.whole(path), "it was played again"
    path.write_bytes(b"1")
    assert sums.read(path) == b"1", "as it was written before"


def test_journal_and_manifest_both_say_how_parts_were_written(tmp_path):
    made = {"made_by": {"seed": 1}, "parts": {"a": checksum(b"a")}}
    (tmp_path / "manifest.json").write_text(as_json(made))
    lines = [b'{"parts": {"b": "%b"}}' % checksum(b"b").encode(), b'{"parts": 5}', b"\xff", b"{}"]
    (tmp_path / "journal.jsonl").write_bytes(b"\n".join(lines))
    (tmp_path / "parts").mkdir()
    sums = Checksums(tmp_path)
    assert [sums.known(tmp_path / "parts" / name) for name in "abc"] == [True, True, False]
    kept = manifest(tmp_path)
    assert (kept.made_by, kept.machines, kept.files) == ({"seed": 1}, [], {})
    assert manifest(tmp_path / "none") is None


def test_a_folder_is_entered_only_by_what_it_was_made_by(tmp_path):
    folder, head = tmp_path / "deep" / "run", {"seed": 1, "game": "pig"}
    enter(folder, head, "run")
    enter(folder, head, "run")
    (folder / "half.part").touch()
    enter(folder, head, "run")
    (folder / "diary.txt").touch()
    with pytest.raises(Refused) as caught:
        enter(folder, head, "search")
    assert str(caught.value) == (
        f"{folder} is not empty and holds no search; give another by --out"
    )
    (folder / "manifest.json").write_text('{"made_by": {"seed": 2, "game": "hog"}}')
    with pytest.raises(Refused) as caught:
        enter(folder, head, "run")
    assert str(caught.value) == (
        f"{folder} holds games that were made with another seed, game; give a new folder by --out"
    )
    (folder / "manifest.json").write_text('{"made_by": {"seed": 1, "game": "pig", "more": 3}}')
    enter(folder, head, "run")
    with pytest.raises(Refused) as caught:
        Run.opened(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} holds no run; `yegg lab run FILE --out {tmp_path}` begins one"
    )


# Findings


TEXT = """
question = "Why?"
game = "second-story"
players = 2
seed = 3
bots = ["uniform", ["greedy", "uniform"]]
[vary]
rules = [{ name = "ten" }, { name = "nine", chips = "9" }, { name = "eight", chips = "8" }]
[sample]
deals = 40
[measure]
events = "events"
tied = "winners > 1"
[[claim]]
events = "nine < ten"
margin = 0.5
[[claim]]
tied = "eight != 0.25"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return run_of(tmp_path_factory.mktemp("found"), TEXT, 1)


@pytest.fixture
def found(run):
    return run, findings(run)


def test_figures_of_every_measure_in_every_cell(found):
    run, found = found
    every = [(one.variant, one.level, one.measure) for one in found.measured]
    assert every == [
        (cell.variant.name, cell.level, name)
        for name in ("events", "tied") for cell in run.experiment.cells
    ]  # fmt: skip
    for one, cell in zip(found.measured, run.experiment.cells, strict=False):
        games = run.games(cell)
        assert one.figure.value == pytest.approx(games["events"].mean())
        assert (one.deals, one.games, one.unfinished) == (40, len(games), 0)
        assert one.known == one.counted == len(games)
        assert not one.figure.percent
    assert all(one.figure.percent for one in found.measured if one.measure == "tied")


def test_differences_are_of_each_variant_from_the_first(found):
    run, found = found
    assert [(one.measure, one.level, one.left, one.right) for one in found.differences] == [
        (name, level, left, "ten")
        for name in ("events", "tied") for level in ("uniform", "greedy uniform")
        for left in ("nine", "eight")
    ]  # fmt: skip
    first, second, *_ = run.experiment.cells
    apart = run.games(second)["events"] - run.games(first)["events"]
    one = found.differences[0]
    assert one.figure.value == pytest.approx(apart.mean())
    assert one.saved > 0
    assert 0 < one.p <= 1


def test_the_data_of_findings_are_what_was_found(found):
    run, found = found
    data = to_dict(found)
    assert list(data)[:10] == [
        "question", "game", "version", "games", "decks", "seed", "judges", "judged", "fallbacks",
        "measures",
    ]  # fmt: skip
    assert (data["question"], data["game"], data["seed"]) == ("Why?", "second-story", 3)
    assert data["version"] == run.experiment.game.version
    assert data["measures"] == {"events": "events", "tied": "winners > 1"}
    for one, said in zip(found.measured, data["figures"], strict=True):
        assert said == {
            "variant": one.variant, "level": one.level, "measure": one.measure,
            **as_value(one.figure), "share": one.measure == "tied", "deals": 40,
            "games": one.games, "unfinished": 0, "known": one.games,
        }  # fmt: skip
    for one, said in zip(found.differences, data["differences"], strict=True):
        assert said == {
            "measure": one.measure, "level": one.level, "left": one.left, "right": one.right,
            **as_value(one.figure), "p": one.p, "saved": one.saved,
        }  # fmt: skip
    assert [(one["claim"], one["level"], one["margin"], one["why"]) for one in data["claims"]] == [
        ("events: nine < ten", "uniform", 0.5, None),
        ("events: nine < ten", "greedy uniform", 0.5, None),
        ("tied: eight != 0.25", "uniform", 0.03, None),
        ("tied: eight != 0.25", "greedy uniform", 0.03, None),
    ]  # fmt: skip
    for one, said in zip(found.tested, data["claims"], strict=True):
        assert (said["answer"], said["p_corrected"]) == (one.answer, one.corrected)
        assert said["difference"]["right"] == one.claim.right
        assert said["difference"]["p"] == one.difference.p
        assert one.corrected >= one.difference.p
    against = found.tested[2].difference
    assert against.saved is None, "a number has no luck to share"
    assert against.left == "eight"
    assert len(data["seats"]) == len(found.seats) > 0
    assert found.of("fork") == ()
    assert found.analyses == []


def test_columns_that_may_not_be_told_are_not_known():
    games = pl.DataFrame({"deal": [0, 1], "secret": [1.0, 2.0], "told": [3.0, 4.0]})
    left = without(games, frozenset({"secret", "of another game"}))
    assert left["secret"].to_list() == [None, None]
    assert left["told"].to_list() == [3.0, 4.0]
    assert left.columns == games.columns


def test_what_could_not_be_played_is_noted_and_kept_in_mind(tmp_path):
    experiment = parsed({**LEVELS, "bots": ["uniform"], "sample": {"deals": 40}, "seed": 3})
    run, heard = Run(experiment, tmp_path / "run"), []
    run.begin()
    once, gone = Lost("out of memory"), Lost("still out of memory", 3, last=True)

    class Losing:
        def play(self, work):
            for piece, lost in zip(work.pieces, (once, gone), strict=True):
                yield Done(piece, lost)

        def machines(self):
            return []

    run.play(progress=heard.append, executor=Losing())
    (_, second) = run.missing()
    assert run.lost == [(second, gone)]
    assert heard == []
    lines = (run.folder / "journal.jsonl").read_text().splitlines()
    for line, piece, lost in zip(lines, run.missing(), (once, gone), strict=True):
        noted = json.loads(line)
        assert noted.pop("at") >= 0
        assert noted == {
            "cell": piece.cell.slug, "block": 0, "seed": 3, "first": 0, "deals": 40,
            "why": lost.why, "times": lost.times, "last": lost.last,
        }  # fmt: skip
