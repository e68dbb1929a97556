"""The link that friends get has this machine's address in the network, never localhost."""

import errno
import os
import re
import socket
from contextlib import ExitStack

import httpx
import pytest
from markupsafe import escape

from yegg.table import networks
from yegg.table.render import html_view

from .conftest import opened, settings_for
from .people import TWO
from .serving import running

NEAR = "192.168.1.7"
ALL = networks.EVERYWHERE[0]
LINK = re.compile(r'id="link" readonly value="([^"]+)"')


@pytest.fixture
def serving(tmp_path, monkeypatch):
    """A server that listens at a host, on a machine whose address in its network is NEAR."""
    monkeypatch.setattr(networks, "_by_route", lambda *_: NEAR)
    with ExitStack() as stack:
        yield lambda host, **more: stack.enter_context(
            opened(settings_for(tmp_path, host=host, port=8123, **{"hosts": ()} | more))
        )


def shared(client, host):
    """The page of a new table for somebody who has opened it at that host."""
    headers = {"Host": host}
    key = client.post("/api/games", json=TWO, headers=headers).json()["id"]
    return client.get(f"/t/{key}", headers=headers).text


@pytest.mark.wide(
    but=["localhost:8123-http://192.168.1.7:8123/t/", "games.example-http://games.example/t/"]
)
@pytest.mark.parametrize(
    ("used", "link"),
    [
        ("localhost:8123", f"http://{NEAR}:8123/t/"),
        ("127.0.0.1:8123", f"http://{NEAR}:8123/t/"),
        ("[::1]:8123", f"http://{NEAR}:8123/t/"),
        ("10.0.0.5:8123", "http://10.0.0.5:8123/t/"),
        (f"{socket.gethostname()}:8123", f"http://{socket.gethostname()}:8123/t/"),
        ("games.example", "http://games.example/t/"),
    ],
)
def test_the_link_is_one_that_friends_can_open(serving, used, link):
    page = shared(serving(ALL, hosts=("games.example",)), used)
    found = LINK.search(page)[1]
    assert found.startswith(link)
    assert str(html_view.qr(found)) in page


def test_a_server_for_one_machine_says_so(serving):
    page = shared(serving("127.0.0.1"), "localhost:8123")
    assert LINK.search(page)[1].startswith("http://localhost:8123/t/")
    assert "Only this computer can open this link" in page
    assert 'class="qr"' not in page


@pytest.mark.wide
def test_behind_https_the_link_is_https(serving):
    page = shared(serving("127.0.0.1", hosts=("games.example",), secure=True), "games.example")
    assert LINK.search(page)[1].startswith("https://games.example/t/")


@pytest.mark.wide
def test_the_api_tells_the_same_link(serving):
    client = serving(ALL)
    link = client.post("/api/games", json=TWO, headers={"Host": "localhost"}).json()["link"]
    assert link.startswith(f"http://{NEAR}:8123/t/")


@pytest.mark.wide(but=["192.168.1.7", "BOX.LAN:1"])
@pytest.mark.parametrize("host", [NEAR, "[fe80::7]:8000", "fd00::7", "box.lan", "BOX.LAN:1"])
def test_addresses_and_the_own_name_are_allowed_hosts(serving, host):
    wanted = 400 if host == "fd00::7" else 200  # without brackets it is no host
    assert serving("box.lan").get("/", headers={"Host": host}).status_code == wanted


@pytest.mark.wide(but=["evil.example", "box.lan@evil.example"])
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"{NEAR}:80<b>",
        f"{NEAR}:80/t",
        "box.lan@evil.example",
        f"evil.example#{NEAR}",
        "",
    ],
)
def test_other_hosts_are_refused(serving, host):
    answer = serving("box.lan").get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert escape(host) not in answer.text or not host


def test_only_addresses_that_others_can_reach_are_told(monkeypatch):
    far = {"192.0.2.1": "127.0.0.1", "10.255.255.255": NEAR, "172.31.255.255": "169.254.3.3"}
    monkeypatch.setattr(networks, "_by_route", lambda _, to: far.get(to))
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [(socket.AF_INET, 1, 6, "", (NEAR, 0))]
    )
    assert networks.outside(ALL) == [NEAR]
    assert networks.every_outside(ALL) == [NEAR]
    assert networks.outside("127.0.0.1") == networks.outside("localhost") == []
    assert networks.outside("192.168.7.7") == ["192.168.7.7"]


@pytest.mark.wide
def test_the_program_prints_where_friends_reach_it_and_how_to_let_them_in(served, tmp_path):
    assert "--host 0.0.0.0" in served.log.read_text()
    with running(tmp_path, "--host", ALL) as server:
        said = server.log.read_text()
        assert f"The table is at http://localhost:{server.port}/" in said
        told = re.findall(rf"http://(?!localhost)[^ ]+:{server.port}/", said)
        assert told or "in no network yet" in said
        assert all(httpx.get(address, timeout=10).status_code == 200 for address in told)


def test_every_address_that_is_printed_answers_also_where_both_kinds_are_listened_at(tmp_path):
    with running(tmp_path, "--host", "::") as server:
        told = re.findall(r"http://[^ ]+/", server.log.read_text())
        assert told
        for address in [*told, f"http://127.0.0.1:{server.port}/", f"http://[::1]:{server.port}/"]:
            assert httpx.get(address).status_code == 200, address


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("999.1.1.1", "no host is called '999.1.1.1'"),
        ("localhost:80", "no host is called 'localhost:80'"),
        ("ä" * 70, "no host is called 'ää"),
        ("192.0.2.77", "this machine has no such address"),
        ("", "no host is named"),
        (".", "no host is named"),
    ],
)
def test_a_host_that_cannot_be_listened_at_is_told_truly(run, tmp_path, host, why):
    status, _, err = run(f"serve --db {tmp_path}/t.db --port 18998 --host", host)
    assert status == 2
    assert why in err
    assert "already" not in err


def test_a_port_that_others_have_is_told_truly(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        words = f"serve --db {tmp_path}/t.db --port {other.getsockname()[1]}"
        for host in ("127.0.0.1", "localhost", "0", "::"):
            status, _, err = run(f"{words} --host", host)
            assert (status, "something listens there already" in err) == (2, True), err


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (errno.EACCES, "ports below 1024 are for administrators"),
        (errno.EAFNOSUPPORT, "this machine has no addresses of that kind"),
    ],
)
def test_what_the_machine_refuses_is_told_truly(run, tmp_path, monkeypatch, number, why):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(socket.socket, "bind", refuse)
    assert why in run(f"serve --db {tmp_path}/t.db --port 80")[2]


@pytest.mark.parametrize("host", ["localhost.:8123", "BOX.lan."])
def test_a_dot_at_the_end_of_a_name_means_the_same_name(serving, host):
    assert serving("box.lan").get("/", headers={"Host": host}).status_code == 200
