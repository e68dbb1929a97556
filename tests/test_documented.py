"""Whatever can be set, asked or returned has a sentence where a reader looks for it."""

import ast
import re
from fnmatch import fnmatchcase
from pathlib import Path

import click
import pytest

from yegg import cli as program
from yegg import games
from yegg.cli import cli
from yegg.lab.game_frame import columns_of, sides
from yegg.lab.usual_measures import MEANINGS, meaning
from yegg.table.admin.configuration import BEFORE, fields, keys, variable
from yegg.table.settings import Settings

ROOT = Path(__file__).parents[1]
PAGES = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md")))


def commands(one=cli, path=("yegg",)):
    """Every command, and the words that lead to it."""
    yield " ".join(path), one
    if isinstance(one, click.Group):
        context = click.Context(one)
        for name in one.list_commands(context):
            yield from commands(one.get_command(context, name), (*path, name))


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_says_what_it_is_for(name):
    command = COMMANDS[name]
    assert command.help, f"{name} has no sentence"
    options = [one for one in command.params if isinstance(one, click.Option)]
    silent = [one.opts[0] for one in options if not (one.help or one.hidden)]
    assert not silent, f"{name}: {silent} have no sentence in its --help"


def test_every_command_stands_on_one_page_of_its_group():
    docs = ROOT / "docs"
    index = (docs / "commands.rst").read_text("utf-8")
    drawn = []
    for path in sorted((docs / "commands").glob("*.rst")):
        page = path.read_text("utf-8")
        each = re.findall(r"^\.\. click:: (\S+)\n   :prog: yegg (\S+)$", page, re.MULTILINE)
        listed = re.search(rf":doc:`commands/{path.stem}`\n +- (.*)\n +- \S", index)
        assert re.findall(r"``(\S+)``", listed[1]) == [name for _, name in each], path.name
        drawn += [(name, where) for where, name in each]
    assert sorted(drawn) == sorted((name, where) for name, (where, _) in program.COMMANDS.items())


def test_every_setting_is_explained_in_the_example_file():
    """A line of explanation stands above each key, or above the group of keys that it begins."""
    lines = (ROOT / "deploy" / "yegg.toml").read_text("utf-8").splitlines()
    explained = set()
    said = False
    for line in lines:
        key = re.match(r"#? ?([a-z_]+) = ", line)
        said = bool(line) and (said or bool(re.match(r"# [A-Z`]", line) or "#" in line[1:]))
        if key and said:
            explained.add(key[1])
    silent = [variable(path) for path in keys(Settings) if path[-1] not in explained]
    assert not silent, f"deploy/yegg.toml has no word on {silent}"


def test_every_option_that_is_a_setting_has_a_row_on_a_page_for_hosts():
    rows = re.findall(r"^\| (`--.*?) \|(.*)\|$", PAGES, re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(--[a-z-]+)", "".join(row))}
    there = {key.option.names.split()[0] for _, key in fields(Settings) if key.option}
    assert there <= told


@pytest.mark.parametrize("name", games.names())
def test_every_column_has_a_meaning_and_every_meaning_a_column(name):
    game = games.find(name)
    there = set()
    for players in game.players:
        assert sides(game, players) >= players
        there |= set(columns_of(game, players, ["easy"]))
    dumb = sorted(one for one in there if not meaning(game, one))
    assert not dumb, f"measures.py of {name} says nothing of them"
    for form in {**game.part("measures").MEANINGS, **MEANINGS}:
        assert form == "minutes" or any(fnmatchcase(one, form) for one in there), form


def test_every_exit_status_is_explained():
    source = ast.parse(Path(program.__file__).read_text("utf-8"))
    known = {"WRONG_USE": program.WRONG_USE, "FAILED": program.FAILED}
    used = {program.WRONG_USE, program.FAILED}
    for call in ast.walk(source):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "sys.exit":
            (status,) = call.args
            if isinstance(status, ast.Constant):
                used.add(status.value)
            else:
                assert ast.unparse(status) in {*known, "status", "done.exit_code"}
    page = (ROOT / "docs" / "commands.rst").read_text("utf-8")
    assert used == {int(number) for number in re.findall(r"^(\d+) +\S", page, re.MULTILINE)}


def test_every_variable_of_the_environment_is_on_a_page():
    """Those of settings are made from their keys; older names are only known to be refused."""
    named = set()
    for path in (ROOT / "src" / "yegg").rglob("*.py"):
        if "tests" not in path.parts:
            named |= set(re.findall(r"\"(YEGG_[A-Z_]+)\"", path.read_text("utf-8")))
    of_settings = {variable(path) for path in keys(Settings)}
    silent = [one for one in sorted(named - of_settings - set(BEFORE)) if one not in PAGES]
    assert not silent
