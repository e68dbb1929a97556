"""Names, files and texts from outside never steer a terminal and are never read as markup."""

import io
import os
import re

import pytest
from programs import SOURCE, command
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from yegg import games
from yegg.cli.play import session
from yegg.cli.screen import Screen
from yegg.engine import Match, notation
from yegg.lab.terminal import table
from yegg.stats.intervals import Section
from yegg.text.untrusted import shown

SRC = SOURCE / "yegg"
EVIL = "\x1b]0;evil\x07 \x9b31m [/x] [red] :bomb: \u202eabc\u2066 \x7f\r\x08 \ud800"
PRINTED = re.compile("[^\n\t -~\xa0-\uffff]|[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printed(*what, **more):
    page = io.StringIO()
    screen = Screen(file=page, width=200, **more)
    for one in what:
        screen.print(one)
    return page.getvalue()


def test_what_would_steer_a_terminal_is_a_picture_of_itself():
    assert shown("plain — 40 %\n\ttext") == "plain — 40 %\n\ttext"
    assert shown("\x1b[2J") == "␛[2J"
    assert not PRINTED.search(shown(EVIL))
    assert "[/x] [red] :bomb:" in shown(EVIL)
    shown(EVIL).encode()


def test_whatever_is_drawn_on_the_screen_is_text():
    drawn = Table(EVIL, title=EVIL, caption=EVIL)
    drawn.add_row(EVIL)
    drawn.add_row(Text(EVIL))
    section = Section(EVIL, [EVIL, "b"], [[EVIL, 1.5]], note=EVIL)
    page = printed(EVIL, Text(EVIL), drawn, table(section), Markdown(EVIL), EVIL.split())
    assert not PRINTED.search(page)
    assert page.count("[/x]") >= 8
    assert page.count(":bomb:") >= 8


def test_colours_are_the_screens_own():
    page = printed(Text(EVIL, "red"), force_terminal=True, color_system="standard")
    assert "\x1b[31m" in page
    assert not PRINTED.search(page.replace("\x1b[31m", "").replace("\x1b[0m", ""))


SAYS = re.compile(
    r"(?<![\w.])(?:print|Console)\(|click\.(?:secho|style)\(|click\.echo\((?!json_writer\.)"
)
LET = {"cli/screen.py", "cli/browser.py", "cli/serve.py", "text/untrusted.py"}


@pytest.mark.parametrize("folder", ["cli", "post", "lab"])
def test_there_is_one_way_to_print(folder):
    for path in (SRC / folder).glob("*.py"):
        found = SAYS.search(path.read_text(encoding="utf-8"))
        assert not found or f"{folder}/{path.name}" in LET, f"{path.name} says {found.group()}"


@pytest.mark.parametrize(
    "words",
    [
        ["\x1b[31mplay"],
        ["play", "\x1b[31mx"],
        ["play", "second-story", "--seats", "you,\x1b[31m"],
        ["play", "second-story", "--seats", "you,\x9b31m"],
        ["sim", "magnate", "--option", "\x1b[31m=\x1b[31m"],
        ["sim", "magnate", "--option", "courts=\x1b[31m"],
        ["sim", "magnate", "--bots", "\x1b[31m"],
        ["sim", "thiefs-market", "--cards", "\x1b[31m.csv"],
        ["rules", "magnate", "\x1b[31m"],
        ["replay", "\x1b[31m.game"],
        ["replay", os.fsdecode(b"\xff\xfe.game")],
        ["post", "status", "\x1b[31m"],
        ["post", "new", "x\x1b[31m", "--players", "\x1b[31m,Ann,Ben"],
        ["--\x1b[31m"],
        ["play", "--\x1b[31m"],
        ["play", "magnate", "--chance", "\x1b[31m"],
    ],
    ids=repr,
)
def test_an_error_repeats_no_escape_sequence(run, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = run("", *words)
    assert (status, out) == (2, "")
    assert err.startswith("yegg: ")
    assert err.count("\n") == 1
    assert not PRINTED.search(err)


@pytest.mark.parametrize("command", ["replay", "advise", "review"])
def test_a_record_with_escape_sequences_is_refused_without_them(run, tmp_path, command):
    path = tmp_path / "a\x1b[31m.game"
    path.write_text("game: second-story\nplayers: \x1b[31mAnn, Ben\n\n")
    status, _, err = run(command, path)
    assert status == 1
    assert ":2: this line holds an unprintable character" in err
    assert not PRINTED.search(err)


@pytest.fixture
def brackets(tmp_path):
    """A record whose file and players have brackets in their names."""
    path = tmp_path / "[bold].game"
    match = Match(games.find("second-story"), 2, names=["[/x]", "[red]Ben :bomb:"], how="plain")
    match.play(match.hear("flip the-mill"))
    path.write_text(notation.write(match))
    return path


def test_names_with_brackets_are_names(run, brackets):
    for words in (["--at", "1"], ["--at", "1", "--seat", "1"]):
        status, out, _ = run("replay", brackets, *words)
        assert (status, "[/x]" in out) == (0, True)
    out = run("play --seats Ann,Ben --resume", brackets)[1]
    for told in ("[/x] > ", "[red]Ben :bomb:", "Go on with: yegg play --resume"):
        assert told in out


@pytest.mark.wide
def test_advice_for_a_name_with_brackets(run, brackets):
    assert "[/x] to move, after event 1" in run("advise --seconds 0.01", brackets)[1]


def test_a_terminal_without_our_signs_gets_question_marks(tmp_path):
    path = tmp_path / "a.game"
    path.write_text("game: second-story\nplayers: Ann, Ben\n\n* flip the-mill\n")
    for words in (["rules", "second-story"], ["replay", path, "--at", "1"]):
        done = command(*words, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
        assert done.returncode == 0, done.stderr
        assert done.stdout.isascii()
        assert words[0] == "replay" or "?" in done.stdout


@pytest.mark.wide
def test_a_card_may_be_called_like_markup(run, tmp_path):
    deck = (SRC / "games" / "thiefs_market" / "cards.csv").read_text(encoding="utf-8")
    path = tmp_path / "my.csv"
    path.write_text(deck.replace(",Fence,", ",[/x] :bomb:,"), encoding="utf-8")
    status, out, _ = run("sim thiefs-market -n 20 --cards", path)
    assert (status, "[/x] :bomb:" in out) == (0, True)


def test_the_help_at_a_prompt_fits_a_narrow_terminal():
    assert max(map(len, f"{session.HELP}\n{session.TYPED}".splitlines())) < 80
