"""A run's folder is read as it was written, or refused; what is damaged is played again."""

import json
import random
import shutil

import polars as pl
import pytest

from yegg.engine import Refused
from yegg.lab.executors.threads import Threads
from yegg.lab.experiment import checksums
from yegg.lab.experiment.findings import findings, to_dict
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.schema import read
from yegg.lab.questions.answers import answered
from yegg.lab.tuning.search import _kept

from .files import parts, run_of, written

TEXT = """
game = "second-story"
players = 2
bots = ["uniform"]
seed = 3
[vary]
chips = [9, 10]
[sample]
deals = 260
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that was played to its end."""
    folder = tmp_path_factory.mktemp("whole")
    return run_of(folder, TEXT).folder


@pytest.fixture
def folder(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "run")


def shown(folder):
    """The figures of a run; None if it is refused in a sentence, or something is to be played."""
    try:
        run = Run.opened(folder)
        return None if run.missing() else to_dict(findings(run))
    except Refused as error:
        said = str(error)
    assert str(folder) in said
    return None


def damage(path, dice):
    """Put something else into a file, somewhere, or cut it off; at its end often."""
    data = bytearray(path.read_bytes())
    at = dice.choice([0, len(data) - min(len(data), 2000)])
    at = dice.randrange(at, len(data))
    match dice.choice(["byte", "hole", "end", "more"]):
        case "byte":
            data[at] ^= 1 << dice.randrange(8)
        case "hole":
            data[at : at + 60] = bytes(len(data[at : at + 60]))
        case "end":
            del data[at:]
        case "more":
            data[at:at] = dice.randbytes(9)
    path.write_bytes(data)


@pytest.mark.parametrize("kind", ["parts/*/*", "manifest.json", "experiment.toml", "journal.jsonl"])
def test_a_damaged_run_is_shown_as_it_was_or_refused(kind, whole, folder):
    good, refused = shown(whole), 0
    assert good
    for seed in range(12):
        shutil.rmtree(folder)
        shutil.copytree(whole, folder)
        dice = random.Random(seed)
        damage(dice.choice(sorted(folder.glob(kind))), dice)
        found = shown(folder)
        refused += found is None
        assert found in (None, good), f"shown as something else: {kind}, {seed}"
    assert refused or kind == "journal.jsonl", "nothing was damaged"


def test_only_what_is_as_it_was_written_is_given_to_the_library(folder, monkeypatch):
    """It raises what is no Exception over some damaged bytes, and over others ends the process."""
    (first, *others) = sorted(folder.glob("parts/*/*"))
    damage(first, random.Random(1))
    kept, given = {path.read_bytes() for path in others}, []
    reading = pl.read_parquet
    monkeypatch.setattr(
        pl, "read_parquet", lambda source: given.append(source.getvalue()) or reading(source)
    )
    run = Run.opened(folder)
    assert len(run.missing()) == 1
    with pytest.raises(Refused, match="damaged: it is not what the manifest says"):
        findings(run)
    assert given
    assert set(given) <= kept


def test_what_is_damaged_is_played_again(whole, folder):
    (first, second, *_) = sorted(folder.glob("parts/*/*"))
    damage(first, random.Random(2))
    second.unlink()
    run = Run(read(folder / "experiment.toml"), folder)
    run.begin()
    assert sorted(run.path(cell, number) for cell, number, _ in run.missing()) == [first, second]
    run.play(executor=Threads(1))
    assert parts(folder) == parts(whole)
    assert not Run.opened(folder).check(0)


def test_a_run_that_was_killed_goes_on_by_its_journal(whole, tmp_path):
    """Its manifest is still the one from its beginning."""
    run = Run(read(written(tmp_path, TEXT)), tmp_path / "run")
    run.begin()
    shutil.copytree(whole / "parts", run.folder / "parts")
    assert len(Run(run.experiment, run.folder).missing()) == 4, "nobody says how they were written"
    shutil.copy(whole / "journal.jsonl", run.folder)
    assert not Run(run.experiment, run.folder).missing()


def test_a_run_of_an_earlier_version_can_be_looked_at(whole, folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["files"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "journal.jsonl").write_text('{"cell": "a", "block": 0, "deals": 250, "at": 1.5}\n')
    assert shown(folder) == shown(whole)


@pytest.mark.parametrize("said", ["", "{", "[]", '{"made_by": 5}', "\0", '{"made_by": {}, "parts"'])
def test_a_damaged_manifest_is_told_in_a_sentence(said, folder):
    (folder / "manifest.json").write_text(said)
    for look in (Run.opened, lambda path: Run(read(path / "experiment.toml"), path).begin()):
        with pytest.raises(Refused, match=r"manifest\.json is damaged"):
            look(folder)


def test_a_try_that_is_not_as_it_was_written_is_made_again(tmp_path):
    tries, noted = tmp_path / "tries.jsonl", tmp_path / "checksums.txt"
    lines = [
        json.dumps({"setting": name, "first": 0, "deals": 1, "values": {"a": [1]}}).encode()
        for name in ("x", "y", "z")
    ]
    noted.write_bytes(b"".join(checksums.checksum(line).encode() + b"\n" for line in lines))
    tries.write_bytes(b"\n".join([lines[0], lines[1].replace(b"[1]", b"[7]"), lines[2][:9]]))
    assert [key for key, _ in _kept(tries, noted)] == [("x", 0, 1)]
    assert tries.read_bytes() == lines[0] + b"\n"


@pytest.mark.parametrize("said", [b"x", b"[]", b"{}", b'{"version": 1, "digest": "a"}', b"\xff"])
def test_a_damaged_answer_is_told_in_a_sentence(said, tmp_path):
    (tmp_path / "districts.json").write_bytes(said)
    with pytest.raises(Refused, match=r"districts\.json is damaged: remove it"):
        answered(tmp_path, "districts")
