"""Files of experiments, and what is said of those that are wrong."""

import pytest
from click.testing import CliRunner

from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab.analyses.analysis import PlayedGames
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.schema import read
from yegg.lab.simulation import run

LEVELS = {
    "game": "second-story",
    "bots": ["uniform", "easy"],
    "vary": {"rules": [{"name": "ten"}, {"name": "nine", "chips": "9"}]},
    "sample": {"deals": 600, "easy": 300},
    "measure": {"events": "events"},
    "claim": [{"events": "nine < ten"}],
}
"""An experiment of two rules and two levels, as its file is read."""


def written(folder, text, name="experiment.toml"):
    """A file with that text: its path."""
    path = folder / name
    path.write_text(text)
    return path


def yegg(*words, code=0):
    """What a command prints, whose exit code is as expected."""
    result = CliRunner().invoke(cli, [*map(str, words)])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result.stdout


def parts(folder):
    """The parts of a run by their place in its folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted((folder / "parts").rglob("*.parquet"))
    }


def refused(path):
    """Why the experiment in a file is refused."""
    with pytest.raises(Refused) as refusal:
        read(path)
    return str(refusal.value)


def run_of(folder, text, threads=2):
    """The finished run of an experiment's text, in that folder."""
    run = Run(read(written(folder, text)), folder / "run")
    run.begin()
    run.play(threads)
    return run


def played_games(setting, first, many, lineup=None):
    """Some games of a setting that has one seating, with all their choices."""
    rows = [(deal, 0) for deal in range(first, first + many)]
    batch, dice = run(setting, first, many, log=True), setting.dice(first, many)
    return PlayedGames(setting, batch, dice, rows, lineup or setting.lineup, [])


def frames_of(made, key):
    """What an analysis kept in a run, by cell."""
    return next(made.frames(*asked) for asked in made.experiment.asked if asked[0].key == key)


def estimates(experiment, key, frames):
    """What an analysis says of what was kept."""
    analysis, spec = next(asked for asked in experiment.asked if asked[0].key == key)
    return analysis.estimate(spec, experiment.game, frames)
