"""The options of `yegg serve` about telling people: what is wrong is said before the start."""

import socket
import subprocess
import sys

import pytest
from click.testing import CliRunner

from yegg.cli.serve import command
from yegg.cli.settings import notifications
from yegg.table.settings import Mail, Notifications

GOOD = {
    "address": "https://games.example",
    "mail": None,
    "mail_from": "table@games.example",
    "letters": None,
    "push": False,
    "hooks": False,
    "inside": (),
}


def said(**more):
    return notifications({**GOOD, **more})


def test_without_options_nobody_is_told():
    assert said() is None
    assert said(address="nonsense") is None, "it is not needed then"


def test_a_mail_server_elsewhere_is_spoken_to_with_encryption_only():
    mail = Mail("mail.example", 587, "table@games.example", "starttls", "me@x", "p:w/")
    got = said(mail="smtp://me%40x:p%3Aw%2F@mail.example")
    assert got == Notifications("https://games.example/", mail)
    assert "p:w/" not in repr(got)
    assert said(mail="smtps://mail.example").mail.security == "tls"
    assert said(mail="smtps://mail.example").mail.port == 465
    assert said(mail="smtp://localhost:2525").mail.security == "none"
    assert said(mail="smtp://mail.example:25").mail.port == 25


def test_everything_together():
    got = said(
        mail="smtp://localhost", letters="127.0.0.1:2424", push=True, hooks=True, inside=("a",)
    )
    assert got.letters == ("127.0.0.1", 2424)
    assert (got.push, got.hooks, got.inside) == (True, True, ("a",))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--push"], "--address"),
        (["--push", "--address", "games.example"], "--address"),
        (["--push", "--address", "https://games.example/?x=1"], "--address"),
        (["--mail", "mail.example", "--address", "https://a.example/"], "--mail is like"),
        (["--mail", "http://mail.example", "--address", "https://a.example/"], "--mail is like"),
        (["--mail", "smtp://mail.example:x", "--address", "https://a.example/"], "--mail is like"),
        (["--mail", "smtp://mail.example", "--address", "https://a.example/"], "--mail-from"),
        (["--letters", "127.0.0.1:1", "--address", "https://a.example/"], "need a mail server"),
    ],
)
def test_what_cannot_work_is_refused_in_a_sentence(options, why, tmp_path):
    ran = CliRunner().invoke(command, ["--db", str(tmp_path / "t.db"), "--port", "18999", *options])
    assert ran.exit_code == 2
    assert why in ran.output


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
        with pytest.raises(Exception, match="--letters is like"):
            said(mail="smtp://localhost", letters=wrong)


@pytest.mark.wide
def test_a_server_that_tells_nobody_imports_nothing_more():
    code = "import sys, yegg.table.app; print([m for m in {!r} if m in sys.modules])"
    extra = ["aiosmtpd", "cryptography", "py_vapid"]
    ran = subprocess.run(
        [sys.executable, "-c", code.format(extra)], check=True, capture_output=True, text=True
    )
    assert ran.stdout.strip() == "[]"
