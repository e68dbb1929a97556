"""Ctrl-C in a simulation and in an arena: what was played is told; and what bars say at 0."""

import json
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner
from waiting import until

from yegg import games
from yegg.cli import cli, output
from yegg.cli.output import progress
from yegg.lab import arena, simulation
from yegg.lab.batch import Matchup
from yegg.lab.simulation_report import to_dict

SIM = ["sim", "second-story", "-p", "2", "--seed", "4"]
ARENA = ["arena", "second-story", "-p", "2", "--bots", "greedy,uniform", "--json"]


def run(*words):
    return CliRunner().invoke(cli, [*words])


def test_a_simulation_that_is_stopped_tells_the_games_that_were_played(tmp_path):
    records = tmp_path / "records"
    command = [sys.executable, "-m", "yegg.cli", *SIM, "-n", "200000", "--records", str(records)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*command, "--json"], **pipes) as going:
        until(lambda: [*records.glob(f"*-{simulation.AT_ONCE:06}.game")])  # of the second piece
        going.send_signal(signal.SIGINT)
        told, said = going.communicate()
    assert going.returncode == 130
    assert "Stopped: this is what had been played." in said
    assert "Traceback" not in said
    data = json.loads(told)
    assert 0 < data["games"] < 200000
    whole = json.loads(run(*SIM, "-n", str(data["games"]), "--json").stdout)
    same = ("games", "seats", "score", "length", "sections", "seats_alike")
    assert {key: data[key] for key in same} == {key: whole[key] for key in same}


@pytest.mark.parametrize("pieces", [1, 3])
def test_the_first_games_are_told_when_a_simulation_is_stopped(pieces):
    heard = []

    def stop(_games):
        heard.append(_games)
        if len(heard) == pieces:
            raise KeyboardInterrupt

    setting = Matchup(games.find("second-story"), 2, {}, ["uniform"] * 2, pieces)
    with pytest.raises(simulation.Interrupted) as stopped:
        simulation.simulate(setting, 10_000, threads=1, progress=stop)
    sums, seconds = stopped.value.played
    assert sums.games == heard[-1]
    assert seconds > 0
    again, _ = simulation.simulate(setting, heard[-1], threads=1)
    assert to_dict(setting, again, 1.0) == to_dict(setting, sums, 1.0)


def stopped_after(deals, monkeypatch):
    """An arena in which somebody presses Ctrl-C after so many deals of the second pair."""
    real = arena.run
    begun = []

    def some(contest, numbers, *how):
        begun.append(contest)
        for at, deal in enumerate(real(contest, numbers, *how)):
            if len(begun) == 2 and at == deals:
                raise KeyboardInterrupt
            yield deal

    monkeypatch.setattr(arena, "run", some)


@pytest.mark.parametrize("deals", [0, 2])
def test_an_arena_that_is_stopped_tells_all_pairs_that_played(monkeypatch, deals):
    stopped_after(deals, monkeypatch)
    bots = ["--bots", "greedy,uniform,easy"]
    done = run(*ARENA[:4], *bots, "-n", "8", "--json")
    assert done.exit_code == 130
    played = [pair["games"] for pair in json.loads(done.stdout)["pairs"]]
    assert played == [8, *([2 * deals] if deals else [])]


def test_who_stops_before_anything_was_played_is_told_nothing(monkeypatch):
    def none(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "run", none)
    monkeypatch.setattr(simulation, "warm", none)
    for words in (ARENA, [*SIM, "--json"]):
        done = run(*words)
        assert done.exit_code, words
        assert not done.stdout


def last_frame(capsys):
    """What a bar showed last."""
    return capsys.readouterr().err.rsplit("\r", 1)[-1]


@pytest.mark.parametrize(("before", "done"), [(0, 1), (4, 5)])
def test_a_bar_says_that_it_compiles_until_it_moves_on(monkeypatch, capsys, before, done):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress("Magnate", 9, quiet=False, before=before):
        pass
    assert "Magnate: compiling …" in capsys.readouterr().err
    with output.reported("games", quiet=False) as report:
        report(before, 9, "Magnate")
    assert "Magnate: compiling …" in capsys.readouterr().err
    with progress("Magnate", 9, quiet=False, before=before) as update:
        capsys.readouterr()
        update(completed=done)
    assert "compiling" not in last_frame(capsys)
