"""The options of `yegg serve` about telling people: what is wrong is said before the start."""

import socket
import subprocess
import sys

import pytest
from click.testing import CliRunner

from yegg.cli.serve import command
from yegg.engine import Refused
from yegg.table.settings import Mail, host_and_port, mail_server


def mail(address):
    return Mail(sender="table@games.example", **mail_server(address))


def test_a_mail_server_elsewhere_is_spoken_to_with_encryption_only():
    got = mail("smtp://me%40x:p%3Aw%2F@mail.example")
    assert got == Mail("mail.example", 587, "table@games.example", "starttls", "me@x", "p:w/")
    assert "p:w/" not in repr(got)
    assert mail("smtps://mail.example").security == "tls"
    assert mail("smtps://mail.example").port == 465
    assert mail("smtp://localhost:2525").security == "none"
    assert mail("smtp://mail.example:25").port == 25


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--push"], "--address"),
        (["--push", "--address", "games.example"], "at which address they reach the server"),
        (["--push", "--address", "https://games.example/?x=1"], "at which address they reach"),
        (["--mail", "mail.example", "--address", "https://a.example/"], "--mail is like"),
        (["--mail", "http://mail.example", "--address", "https://a.example/"], "--mail is like"),
        (["--mail", "smtp://mail.example:x", "--address", "https://a.example/"], "--mail is like"),
        (["--mail", "smtp://mail.example", "--address", "https://a.example/"], "--mail-from"),
        (["--letters", "127.0.0.1:1", "--address", "https://a.example/"], "need a mail server"),
    ],
)
def test_what_cannot_work_is_refused_in_a_sentence(options, why, tmp_path):
    ran = CliRunner().invoke(command, ["--db", str(tmp_path / "t.db"), "--port", "18999", *options])
    assert isinstance(ran.exception, Refused)
    assert why in str(ran.exception)


def test_a_door_for_letters_that_is_taken_is_told(tmp_path):
    options = ["--db", str(tmp_path / "t.db"), "--port", "18999", "--mail", "smtp://localhost"]
    options += ["--address", "https://a.example/", "--mail-from", "a@b.example"]
    with socket.create_server(("127.0.0.1", 0)) as other:
        door = f"127.0.0.1:{other.getsockname()[1]}"
        ran = CliRunner().invoke(command, [*options, "--letters", door])
    assert ran.exit_code == 2
    assert f"no letters can be taken at {door}" in ran.output


def test_letters_need_a_door():
    for wrong in ("2424", "localhost", "localhost:x", ":5", "localhost:70000"):
        with pytest.raises(Refused, match="--letters is like"):
            host_and_port(wrong)
    assert host_and_port("[::1]:24") == ("::1", 24)


@pytest.mark.wide
def test_a_server_that_tells_nobody_imports_nothing_more():
    code = "import sys, yegg.table.app; print([m for m in {!r} if m in sys.modules])"
    extra = ["aiosmtpd", "cryptography", "http_ece", "py_vapid", "yegg.table.letters"]
    ran = subprocess.run(
        [sys.executable, "-c", code.format(extra)], check=True, capture_output=True, text=True
    )
    assert ran.stdout.strip() == "[]"
