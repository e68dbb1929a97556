"""The user's folders: where there is no home, an empty one, one that is no absolute path."""

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import yegg
from yegg import folders
from yegg.cli.serve import command as serve

SRC = Path(yegg.__file__).parent
OURS = {"XDG_CACHE_HOME": folders.cache, "XDG_DATA_HOME": folders.data}
OURS |= {"XDG_CONFIG_HOME": folders.settings}
USUAL = {"XDG_CACHE_HOME": ".cache", "XDG_DATA_HOME": ".local/share", "XDG_CONFIG_HOME": ".config"}


@pytest.fixture(autouse=True)
def nobody_s(monkeypatch, tmp_path):
    """A home of the test's own; temporary files too."""
    for name in ("YEGG_CACHE", "YEGG_DB", "YEGG_CONFIG", *OURS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("yegg.cli.settings.SYSTEM", tmp_path / "etc")


@pytest.fixture
def homeless(monkeypatch):
    """No HOME, and no entry in the list of users."""
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)


def unknown(_):
    raise KeyError("no such user")


@pytest.mark.parametrize("variable", OURS)
@pytest.mark.parametrize("named", ["", "rel", "./rel", "~/rel"])
def test_a_variable_that_names_no_absolute_path_does_not_count(
    monkeypatch, tmp_path, variable, named
):
    monkeypatch.setenv(variable, named)
    assert OURS[variable]() == tmp_path / "home" / USUAL[variable] / "yegg"
    monkeypatch.setenv(variable, str(tmp_path / "mine"))
    assert OURS[variable]() == tmp_path / "mine" / "yegg"


@pytest.mark.parametrize("home", ["", "rel", "~", None])
def test_a_home_that_is_no_absolute_path_is_looked_up_among_the_users(monkeypatch, home):
    import pwd

    if home is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", home)
    there = Path(pwd.getpwuid(os.getuid()).pw_dir)
    for variable, folder in OURS.items():
        assert folder() == there / USUAL[variable] / "yegg"


@pytest.mark.usefixtures("homeless")
def test_without_a_home_code_is_kept_among_the_temporary_files_of_oneself(tmp_path):
    folders._temporary.cache_clear()
    folder = folders.cache()
    assert folder.parent == tmp_path
    assert folder.stat().st_mode & 0o777 == 0o700
    folders._temporary.cache_clear()
    assert folders.cache() == folder, "the next start finds it"
    folder.chmod(0o777)  # somebody else could have laid code there
    folders._temporary.cache_clear()
    assert folders.cache() != folder
    folders._temporary.cache_clear()


@pytest.mark.usefixtures("homeless")
@pytest.mark.parametrize(
    ("line", "option"), [("play second-story --seed 1", "--record FILE"), ("serve", "--db FILE")]
)
def test_without_a_home_it_is_said_which_option_names_a_file(
    monkeypatch, run, tmp_path, line, option
):
    monkeypatch.delenv("XDG_DATA_HOME")  # `run` sets it
    status, _, errors = run(line)
    assert status == 2
    assert "no home folder" in errors
    assert option in errors
    assert not [path for path in tmp_path.iterdir() if path.name in ("~", "rel", ".local")]


@pytest.mark.parametrize(("line", "option"), [("play second-story", "--record"), ("serve", "--db")])
def test_where_a_home_cannot_be_written_it_is_said_which_option_names_a_file(
    monkeypatch, run, tmp_path, line, option
):
    monkeypatch.delenv("XDG_DATA_HOME")
    (tmp_path / "home").write_text("a file in its place: root may write anywhere else")
    status, _, errors = run(line)
    assert status == 2
    assert f"{option} FILE" in errors
    assert "not a directory" in errors


def shown():
    done = CliRunner().invoke(serve, ["--check"])
    assert done.exit_code == 0, done.output
    return next(line for line in done.output.splitlines() if line.startswith("db = "))


def test_games_of_a_server_lie_in_the_data_folder_or_where_1_0_kept_them(tmp_path):
    data, settings = tmp_path / "home/.local/share/yegg", tmp_path / "home/.config/yegg"
    assert f'"sqlite:///{data}/table.db"' in shown()
    settings.mkdir(parents=True)
    (settings / "table.db").touch()
    assert f'"sqlite:///{settings}/table.db"' in shown(), "the games of 1.0 would be lost"
    data.mkdir(parents=True)
    (data / "table.db").touch()
    assert f'"sqlite:///{data}/table.db"' in shown()


def test_nothing_else_looks_for_folders_of_the_user():
    asks = re.compile(r"XDG_|Path\.home|expanduser|get_app_dir|environ.*\"HOME\"|\.getpwuid")
    found = {path for path in SRC.rglob("*.py") if asks.search(path.read_text(encoding="utf-8"))}
    assert found == {SRC / "folders.py"}
