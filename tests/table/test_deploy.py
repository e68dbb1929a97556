"""The files of `deploy/` fit one another, the commands of yegg, and what systemd takes."""

import re
import shlex
import shutil
import socket
import subprocess
import tomllib
import urllib.request
from pathlib import Path

import pytest

from yegg.cli import cli
from yegg.table.admin.configuration import keys, variable
from yegg.table.settings import Settings

from .serving import Served

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("yegg*.service"))
OTHERS = {"YEGG_CACHE", "YEGG_CONFIG"}


def commands(unit):
    return re.findall(r"^ExecStart=/opt/yegg/bin/yegg (.*)$", unit.read_text(), re.MULTILINE)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_a_command_that_there_is(unit):
    (line,) = commands(unit)
    command, context = cli, None
    words = shlex.split(line.replace("%i", "8001"))
    while words:
        context = command.make_context("yegg", words, parent=context)
        words = [*context._protected_args, *context.args]
        if not hasattr(command, "get_command"):
            break
        _, command, words = command.resolve_command(context, words)
        assert command
    assert str(context.params["config"]) == "/etc/yegg/yegg.toml"


@pytest.mark.wide
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_takes_a_unit_and_calls_it_safe(unit, tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze here: apt-get install systemd gets it")
    placed = tmp_path / unit.name.replace("@", "@8001")
    text = re.sub("/opt/yegg/bin/yegg", "/usr/bin/env", unit.read_text())
    placed.write_text(text)
    for words in (["verify"], ["security", "--offline=yes", "--threshold=20"]):
        line = ["systemd-analyze", *words, str(placed)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        if words == ["verify"]:
            assert unit.name not in done.stderr, done.stderr


def test_a_command_of_the_host_runs_as_the_servers_do():
    unit, script = ((DEPLOY / name).read_text() for name in ("yegg@.service", "yegg"))
    (line,) = re.findall("^Environment=(.*)$", unit, re.MULTILINE)
    for variable_set in line.split():
        assert f"--setenv={variable_set}" in script
    (secrets,) = re.findall("^EnvironmentFile=(.*)$", unit, re.MULTILINE)
    assert f"--property=EnvironmentFile={secrets}" in script
    (user,) = re.findall("^User=(.*)$", unit, re.MULTILINE)
    assert f"--uid={user} " in script
    assert "--config /etc/yegg/yegg.toml " in unit
    assert "--setenv=YEGG_CONFIG=/etc/yegg/yegg.toml " in script
    assert script.rstrip().endswith('/opt/yegg/bin/yegg "$@"')


def test_a_server_of_a_house_may_open_many_files():
    (files,) = re.findall(
        "^LimitNOFILE=(.*)$", (DEPLOY / "yegg@.service").read_text(), re.MULTILINE
    )
    assert int(files) >= 16_384


def test_variables_in_the_files_are_settings():
    known = {variable(path) for path in keys(Settings)} | OTHERS
    for path in DEPLOY.iterdir():
        named = set(re.findall(r"\bYEGG_[A-Z_]+\b", path.read_text()))
        assert named <= known, path.name


def test_the_container_installs_what_there_is():
    text = (DEPLOY / "Containerfile").read_text()
    (extras,) = re.findall(r"/source\[([\w,]+)\]", text)
    there = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(extras.split(",")) <= set(there["optional-dependencies"])
    assert "constraints.txt" in text
    assert re.search(r'^CMD \["yegg", "serve"\]$', text, re.MULTILINE)


def test_the_page_names_files_that_there_are():
    page = (ROOT / "docs" / "hosting.md").read_text()
    for name in re.findall(r"\bdeploy/([\w@.-]+[\w*])", page):
        assert list(DEPLOY.glob(name.replace("*", "*"))), name


def test_systemd_hears_of_a_process_when_it_answers(tmp_path):
    unit = (DEPLOY / "yegg@.service").read_text()
    assert re.search("^Type=notify$", unit, re.MULTILINE)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(30)
        server = Served(tmp_path)
        server.env["NOTIFY_SOCKET"] = str(tmp_path / "notify")
        server.open()
        try:
            assert systemd.recv(100) == b"READY=1"
            with urllib.request.urlopen(server.base + "/ready", timeout=20) as answer:  # noqa: S310
                assert answer.status == 200
        finally:
            server.close()
