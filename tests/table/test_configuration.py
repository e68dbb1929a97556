"""Settings of a server: the file, the environment, the command line; what is shown of them."""

import dataclasses
import re
from pathlib import Path
from typing import get_type_hints

import pytest
from click.testing import CliRunner

from yegg.cli.serve import command
from yegg.engine import Refused
from yegg.table.admin import configuration
from yegg.table.admin.configuration import (
    Source,
    environment,
    fields,
    file,
    keys,
    merge,
    secret,
    variable,
)
from yegg.table.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
CONFIDENTIAL = re.compile("password|secret|token|private")


@pytest.fixture(autouse=True)
def nobody_s(monkeypatch, tmp_path):
    """No settings of whoever runs the tests."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("yegg.cli.settings.SYSTEM", tmp_path / "etc")
    for path in keys(Settings):
        monkeypatch.delenv(variable(path), raising=False)


@dataclasses.dataclass(frozen=True)
class Post:
    """A section."""

    host: str
    word: str = dataclasses.field(default="", repr=False)


@dataclasses.dataclass(frozen=True)
class Sectioned:
    """Settings with sections."""

    name: str = "ours"
    post: Post | None = None
    doors: tuple[str, int] | None = None


@pytest.fixture
def sectioned(monkeypatch):
    monkeypatch.setattr(configuration, "Settings", Sectioned)


def said(tmp_path, text):
    path = tmp_path / "yegg.toml"
    path.write_text(text)
    return path


def checked(*words, **env):
    return CliRunner().invoke(command, [*words, "--check"], env=env)


def test_the_command_line_counts_most_then_the_environment_then_the_file(tmp_path):
    path = said(tmp_path, 'port = 8001\npace = 0.1\nhosts = ["a.example"]\n')
    done = checked("--config", str(path), "--port", "8003", YEGG_PORT="8002", YEGG_PACE="0.2")
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert "port = 8003  # the command line" in lines
    assert "pace = 0.2  # the environment" in lines
    assert f'hosts = ["a.example"]  # {path}' in lines
    assert "limits = true  # as usual" in lines


def test_every_option_of_the_command_reaches_its_setting(tmp_path):
    """One of each: those that need no value turn their setting round."""
    given = {
        "--host": ("192.0.2.1", 'host = "192.0.2.1"'),
        "--port": ("8004", "port = 8004"),
        "--db": ("x.db", 'db = "sqlite:///x.db"'),
        "--allow": ("a.b", 'hosts = ["a.b", "c.d"]'),
        "--metrics-from": ("192.0.2.0/24", 'metrics_from = ["192.0.2.0/24"]'),
        "--no-limits": ("", "limits = false"),
        "--pace": ("0", "pace = 0.0"),
        "--away": ("2", "patience = 120.0"),
        "--no-warm": ("", "warm = false"),
        "--https": ("", "secure = true"),
        "--bots": ("x:Y,z", 'bots = ["x:Y", "z"]'),
        "--address": ("https://a.example", 'address = "https://a.example/"'),
        "--mail": ("smtp://ann:hush@localhost", 'host = "localhost"'),
        "--mail-from": ("a@b.example", 'sender = "a@b.example"'),
        "--push": ("", "push = true"),
        "--hooks": ("", "hooks = true"),
        "--inside": ("h:1", 'inside = ["h:1"]'),
        "--letters": ("127.0.0.1:2424", 'letters = ["127.0.0.1", 2424]'),
    }
    there = {key.option.names.split()[0] for _, key in fields(Settings) if key.option}
    assert there == given.keys()
    words = [word for name, (value, _) in given.items() for word in (name, value) if word]
    done = checked(*words, "--allow", "c.d")
    assert done.exit_code == 0, done.output
    by = {line.partition("  # the command line")[0] for line in done.output.splitlines()}
    assert by >= {line for _, line in given.values()}
    assert {'security = "none"', 'user = "ann"', 'password = "(not shown)"'} <= by
    assert "hush" not in done.output


def test_an_option_says_the_docstring_of_its_setting():
    said = CliRunner().invoke(command, ["--help"]).output
    assert "Where to listen [127.0.0.1]; 0.0.0.0 lets" in said
    assert "Do not limit requests (for measuring)." in said
    assert all(key.option.says or key.says for _, key in fields(Settings) if key.option)


def test_options_and_the_file_are_one_when_people_are_told(tmp_path):
    path = said(tmp_path, '[telling]\naddress = "https://a.example/"\n')
    lines = checked("--config", str(path), "--hooks").output.splitlines()
    assert f'address = "https://a.example/"  # {path}' in lines
    assert "hooks = true  # the command line" in lines


def test_what_is_shown_can_be_used_as_a_file(tmp_path):
    first = checked("--port", "8005", "--allow", "a.example").output
    again = checked("--config", str(said(tmp_path, first))).output
    values = [line.partition("  #")[0] for line in first.splitlines()]
    assert [line.partition("  #")[0] for line in again.splitlines()] == values


def test_a_file_in_one_s_own_folder_is_found_and_else_that_of_the_machine(tmp_path, monkeypatch):
    own, system = tmp_path / "own" / "yegg", tmp_path / "etc"
    for folder, port in ((own, 8001), (system, 8002)):
        folder.mkdir(parents=True)
        (folder / "yegg.toml").write_text(f"port = {port}\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(own.parent))
    assert "port = 8001" in checked().output
    (own / "yegg.toml").unlink()
    assert "port = 8002" in checked().output


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("port = 70000", "port has to be a whole number from 1 to 65535, not 70000"),
        ('port = "8000"', "port has to be a whole number from 1 to 65535, not '8000'"),
        ("prot = 1", "there is no setting 'prot'; did you mean 'port'? there are: host, port,"),
        ("limits = 1", "limits has to be true or false, not 1"),
        ('hosts = "a"', "hosts has to be a list of texts, not 'a'"),
        ("pace = -1", "pace has to be a number from 0 to 60000000, not -1"),
        ("pace = inf", "pace has to be a number from 0 to 60000000, not"),
        ("telling = 1", "telling is a section: its settings stand below a line [telling]"),
        ("tellin.push = true", "there is no setting 'tellin'; did you mean 'telling'?"),
        ("port = ", "is not TOML: Invalid value"),
        ("port.a = 1", "port has to be a whole number"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_what_would_be_right(tmp_path, text, why):
    with pytest.raises(Refused) as refused:
        merge([file(said(tmp_path, text))])
    assert str(refused.value).startswith(str(tmp_path / "yegg.toml"))
    assert why in str(refused.value)


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path):
    with pytest.raises(Refused, match="cannot be read: no such file"):
        file(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(Refused, match="it is not UTF-8"):
        file(tmp_path / "binary.toml")


def test_a_variable_of_the_environment_is_checked_too():
    with pytest.raises(Refused, match="YEGG_PORT has to be a whole number from 1"):
        merge([environment({"YEGG_PORT": "x"})])
    there = environment({"YEGG_HOSTS": "a.b, c.d", "YEGG_LIMITS": "false", "YEGG_OTHER": "1"})
    settings = merge([there]).settings
    assert (settings.hosts, settings.limits) == (("a.b", "c.d"), False)


@pytest.mark.parametrize("name", ["YEGG_MAIL", "YEGG_PUSH"])
def test_a_variable_of_before_is_refused_with_its_name_of_today(name):
    with pytest.raises(Refused, match=f"{name} is called YEGG_TELLING_"):
        environment({name: "x"})


@pytest.mark.usefixtures("sectioned")
def test_a_section_is_read_from_everywhere_and_needs_what_has_no_usual_value(tmp_path):
    path = said(tmp_path, '[post]\nhost = "mail.example"\n')
    holds = merge([file(path), environment({"YEGG_POST_WORD": "x", "YEGG_DOORS": "a,1"})])
    assert holds.settings == Sectioned("ours", Post("mail.example", "x"), ("a", 1))
    assert merge([]).settings.post is None
    with pytest.raises(Refused, match=r"\[post\] needs host too"):
        merge([environment({"YEGG_POST_WORD": "x"})])
    with pytest.raises(Refused, match=r"post is a section: .* below a line \[post\]"):
        merge([Source("f", {("post",): 1})])
    with pytest.raises(Refused, match=r"no setting 'hos' in \[post\]; did you mean 'host'"):
        merge([Source("f", {("post",): {"hos": "x"}})])


@pytest.mark.usefixtures("sectioned")
def test_secrets_are_not_shown():
    holds = merge([Source("f", {("post",): {"host": "h", "word": "hush"}})])
    text = configuration.shown(holds)
    assert "hush" not in text
    assert '[post]\nhost = "h"  # f\nword = "(not shown)"' in text
    with pytest.raises(Refused) as refused:
        merge([Source("f", {("post", "host"): "h", ("post", "word"): ["hush"]})])
    assert "hush" not in str(refused.value)


def test_the_password_of_a_database_is_not_shown():
    done = checked("--db", "postgresql://ann:hush@db.example/yegg")
    assert 'db = "postgresql://ann:(not shown)@db.example/yegg"' in done.output


def test_every_setting_that_sounds_secret_is_hidden():
    loud = {path for path in keys(Settings) if CONFIDENTIAL.search(path[-1])}
    assert loud <= secret()


def test_every_setting_has_a_type_that_errors_can_name():
    assert all(configuration.wanted(key.kind) for key in keys(Settings).values())
    assert set(get_type_hints(Settings)) == {path[0] for path in keys(Settings)}


def test_the_example_file_is_read_and_names_every_setting():
    path = DEPLOY / "yegg.toml"
    settings = merge([file(path)]).settings
    assert settings.secure
    named = set(re.findall(r"^#? ?([a-z_]+) = ", path.read_text(), re.MULTILINE))
    assert {key[-1] for key in keys(Settings)} <= named
