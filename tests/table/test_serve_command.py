"""`yegg serve` as a program: what it prints, and where it cannot serve."""

import os
import socket
import subprocess
import sys

import pytest
from click.testing import CliRunner
from waiting import until

from yegg.cli import serve, settings
from yegg.table import app

from .serving import Served, free_port

LINE = [sys.executable, "-m", "yegg.cli", "serve"]


def test_without_a_browser_the_address_is_told(tmp_path):
    screens = {"BROWSER", "DISPLAY", "WAYLAND_DISPLAY"}
    server = Served(tmp_path, "--open")
    server.env = {key: value for key, value in os.environ.items() if key not in screens}
    server.start()
    try:
        said = until(server.log.read_text, lambda text: "no browser" in text)
        assert f"The table is at {server.base}/" in said
        assert f"no browser to open here: go to {server.base}/ yourself" in said
    finally:
        server.close()


def test_a_screen_gets_the_browser(monkeypatch):
    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(serve.webbrowser, "open", lambda address: not opened.append(address))
    assert serve.browse("http://localhost:8000/")
    assert opened == ["http://localhost:8000/"]


def test_a_port_that_is_taken_is_said_so(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = ["--port", port, "--db", f"{tmp_path}/t.db"]
        done = subprocess.run([*LINE, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "something listens there already, perhaps a table" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_its_driver_postgresql_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(settings, "find_spec", lambda _: None)
    done = CliRunner().invoke(serve.command, ["--db", "postgresql://localhost/yegg"])
    assert done.exit_code == 1
    assert done.output == "Error: PostgreSQL needs one more library: pip install 'yegg[postgres]'\n"


def test_a_database_that_does_not_answer_is_told_and_its_password_is_not(monkeypatch):
    monkeypatch.setattr(app, "STARTING", 0.0)
    db = "postgresql://ann:secret@127.0.0.1:1/yegg"
    pytest.importorskip(
        "psycopg", reason="no driver of PostgreSQL here: pip install psycopg[binary]"
    )
    done = CliRunner().invoke(serve.command, ["--db", db, "--port", str(free_port())])
    assert done.exit_code == 1
    assert "the database does not answer" in done.output
    assert "secret" not in done.output
