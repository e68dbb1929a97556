"""Standard input and output that are closed, full, or left by who reads them; and narrow ones."""

import os
import re
import subprocess
import sys
import threading

import click
import pytest
from click.shell_completion import ShellComplete
from programs import PLAIN, command

from yegg import games, players
from yegg.cli import cli, completion
from yegg.engine import Match, notation

LINES = [
    "--version",
    "--help",
    "rules magnate",
    "sim second-story -n 4 --json",
    "lab columns magnate",
    "serve --check",
]


def told(line, redirected, **how):
    """What a command ends with and says where the shell redirects its streams."""
    shell = f'exec "$0" -m yegg.cli "$@" {redirected}'
    words = ["sh", "-c", shell, sys.executable, *line.split()]
    env = os.environ | PLAIN | how.pop("env", {})
    how = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE} | how
    return subprocess.run(words, env=env, text=True, check=False, **how)


@pytest.mark.parametrize(("where", "why"), [(">/dev/full", "no space left"), (">&-", "is closed")])
@pytest.mark.wide(but=["rules magnate->/dev/full-no space left", "rules magnate->&--is closed"])
@pytest.mark.parametrize("line", LINES)
def test_an_output_that_cannot_be_written_is_one_sentence_and_status_2(line, where, why):
    ended = told(line, where)
    assert ended.returncode == 2
    assert re.fullmatch(rf"yegg: the output cannot be written: .*{why}.*\n", ended.stderr)


@pytest.mark.wide(but=["rules magnate"])
@pytest.mark.parametrize("line", LINES)
def test_a_reader_that_goes_ends_the_command_without_a_word(line):
    ours, theirs = os.pipe()
    os.close(ours)
    ended = told(line, "", stdout=theirs)
    os.close(theirs)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.wide(but=["2>&-"])
@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_what_is_said_on_a_lost_error_output_stops_nothing(where):
    ended = told("sim second-story -n 4 --json", where, stdout=subprocess.PIPE)
    assert ended.returncode == 0
    assert '"finished": 4' in ended.stdout
    assert told("sim chess", where).returncode == 2


@pytest.mark.wide
def test_no_closed_stream_gives_its_number_to_a_file(tmp_path):
    game = tmp_path / "a.game"
    told(f"play second-story --seed 1 --record {game}", "<&- >&- 2>&-")
    assert not game.exists() or game.read_text().startswith("game: second-story\n")
    ended = told(f"sim second-story -n 1 --records {tmp_path}", "<&- 2>&-")
    assert ended.returncode == 0
    for file in tmp_path.glob("second*.game"):
        assert file.read_text().startswith("game: ")


@pytest.mark.wide
def test_a_closed_input_is_an_input_at_its_end(tmp_path):
    said = told(
        "play second-story --seed 1",
        "<&-",
        stdout=subprocess.PIPE,
        env={"XDG_DATA_HOME": str(tmp_path)},
    )
    assert (said.returncode, said.stderr) == (0, "")
    assert "Go on with: yegg play --resume" in said.stdout


@pytest.mark.wide(but=["replay-still going on"])
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("replay", "still going on"),
        ("replay --at 1", "event 1 of 1"),
        ("verify", "nobody promised the dice"),
        ("advise --seconds 0.01", "to move"),
        ("review --seconds 0.01", "chances to win"),
    ],
)
def test_a_dash_is_a_record_on_the_standard_input(line, says):
    text = "game: second-story\nplayers: Ann, Ben\n\n* flip the-mill\n"
    name, *more = line.split()
    said = command(name, "-", *more, input=text, stdin=None)
    assert says in said.stdout + said.stderr


@pytest.mark.wide
def test_commands_that_read_their_input_see_its_end():
    assert told("bot second-story --bots uniform", "<&-", stdout=subprocess.PIPE).returncode == 0
    assert ":1: the record ends" in told("replay -", "<&-", stdout=subprocess.PIPE).stderr


def test_bytes_that_are_no_text_are_a_wrong_choice_and_no_end(tmp_path):
    words = ["play", "second-story", "--seed", "1", "--record", tmp_path / "a.game"]
    ended = command(*words, input=b"\xff\xfe\nq\n", text=False, stdin=None)
    assert ended.returncode == 0, ended.stderr
    assert b"is not possible here" in ended.stdout
    assert b"The game is kept" in ended.stdout


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("sim second-story -n 1 --records", "second-story-0-000000.game"),
        ("play second-story --seed 1 --record", "a.game"),
    ],
)
def test_a_file_on_a_full_disk_is_named(run, tmp_path, line, name):
    (tmp_path / f".{name}.{os.getpid()}-{threading.get_ident()}.part").symlink_to("/dev/full")
    status, _, err = run(line, tmp_path / name if name == "a.game" else tmp_path)
    assert (status, err) == (2, f"yegg: {tmp_path / name}: no space left on device\n")


def test_an_event_that_does_not_fit_on_the_disk_names_the_record(tmp_path):
    match = Match(games.find("second-story"), 3, how="plain")
    journal = notation.Journal(tmp_path / "a.game", match)
    journal.path = tmp_path / "full.game"
    journal.path.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as error:
        journal.append(0, "stop")
    assert error.value.filename == str(journal.path)


@pytest.mark.wide(but=["0"])
@pytest.mark.parametrize("columns", ["0", "1", "7", "1" + "0" * 20])
def test_a_width_in_which_nothing_can_be_read_is_not_believed(columns):
    said = command("rules", "magnate", "MG-1", env={"COLUMNS": columns})
    assert said.returncode == 0, said.stderr
    assert "the Excuse are the districts" in " ".join(said.stdout.split())
    assert max(map(len, said.stdout.splitlines())) <= 1000


@pytest.mark.wide
@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"TERM": ""},
        {"TERM": "no-such-terminal"},
    ],
    ids=str,
)
def test_signs_that_the_output_lacks_are_replaced(env):
    said = command("rules", "second-story", "SS-1", env=env)
    assert (said.returncode, said.stderr) == (0, "")
    assert "SS-1" in said.stdout


# --- Tab


def parameters():
    """Every option that takes a value, of every command; with the words before it."""
    todo = [((), cli)]
    for words, found in todo:
        if isinstance(found, click.Group):
            with click.Context(found) as ctx:
                todo += [((*words, n), found.get_command(ctx, n)) for n in found.list_commands(ctx)]
        for made in found.params:
            if isinstance(made, click.Option) and not made.is_flag:
                yield words, found, made


def completed(words, begun):
    return [
        item.value for item in ShellComplete(cli, {}, "yegg", "X").get_completions([*words], begun)
    ]


def test_tab_prints_and_does_nothing_after_any_option(capfd, monkeypatch):
    called = []  # no code of other people is run
    monkeypatch.setattr(players, "enrol", called.append)
    known = list(parameters())
    assert len(known) > 100
    for words, found, made in known:
        game = ["magnate"] * any(
            p.name == "game" and isinstance(p, click.Argument) for p in found.params
        )
        for after in ([], ["x"], ["my:Bot"], ["x=y"], [""], ["\x00"]):
            completed([*words, *game, made.opts[0], *after], "")
            completed([*words, *game, made.opts[0], *after], "--")
    assert (called, capfd.readouterr()) == ([], ("", ""))


def test_tab_offers_games_bots_and_options():
    assert completed(["play"], "mag") == ["magnate"]
    assert completed(["arena", "magnate", "--bots"], "hard,me") == ["hard,medium"]
    assert completed(["play", "magnate", "--option"], "cou") == ["courts=no", "courts=yes"]
    assert completed(["play", "--option"], "") == []
    assert completed(["post"], "ad") == ["adjudicate"]


@pytest.mark.parametrize(
    ("words", "at", "offered"),
    [
        ("yegg play magnate --option courts =", 5, ["no", "yes"]),
        ("yegg play magnate --option courts = y", 6, ["yes"]),
        ("yegg play magnate --option courts = yes --option cou", 8, ["courts=no", "courts=yes"]),
        ("yegg sim magnate --bots = gr", 5, ["greedy"]),
    ],
)
def test_bash_which_splits_words_at_the_sign_of_equality(monkeypatch, words, at, offered):
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(at))
    found = completion.Bash(cli, {}, "yegg", "X").complete().split()
    assert found == [f"plain,{word}" for word in offered]


@pytest.mark.wide
def test_every_shell_hears_nothing_but_what_it_is_offered():
    for shell in ("bash", "zsh", "fish"):
        env = {
            "COMP_WORDS": "yegg play magnate --option cou",
            "COMP_CWORD": "cou" if shell == "fish" else "4",
            "_YEGG_COMPLETE": f"{shell}_complete",
        }
        said = command(env=env)
        assert (said.stderr, "Options of" in said.stdout) == ("", False)
        assert "courts=no" in said.stdout
